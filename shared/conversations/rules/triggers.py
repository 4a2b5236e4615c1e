"""When turns are learned from (LT-05)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningSchedule:
    """How long completed turns wait to be learned from, unless the person asks or the session ends.

    Args:
        every_turns: number of turns of a conversation that are learned from together; 1 means no turn waits.
        idle_seconds: turns that still wait are learned from once the conversation was idle for this long.
    """

    every_turns: int = 1
    idle_seconds: float = 300.0

    @property
    def waits(self) -> bool:
        """Whether a turn may have to wait for others."""
        return self.every_turns > 1

    def delay(self, *, turns_waiting: int, asked: bool) -> float:
        """Return how many more seconds the waiting turns of a conversation wait; 0 to learn from them now.

        Args:
            turns_waiting: number of waiting turns, including those just completed.
            asked: whether one of those just completed asks to be remembered.
        """
        return 0.0 if asked or turns_waiting >= self.every_turns else self.idle_seconds


EACH_TURN: Final = LearningSchedule()


def asks_to_remember(text: str) -> bool:
    """Return whether a message may ask to have something remembered, in English or Chinese (simplified or traditional).

    This only decides when a turn is learned from, so a false positive is better than a false negative.
    """
    return _ASKS.search(text) is not None


_ASKS: Final = re.compile(
    r"""
      remember | memori[sz]e | \bforget\b | \bin\ mind\b | \bmemory\b
    | \b(?:take|make|please)\ (?:a\ )?note\b | \bnote(?:\ (?:that|this|down|of)\b|:)
    | \b(?:save|store|record|write|jot)\ (?:this|that|it|down)\b
    | [记記][住下着著得忆憶录錄到] | [记記]一下 | [牢谨謹][记記] | 忘 | [备備][注註忘]
    """,
    re.IGNORECASE | re.VERBOSE,
)
