"""When a conversation's summary is written anew (MC-03)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySchedule:
    """The newest `window_messages` are what an assistant reads itself; what slides out of them is summarised.

    A summary is rolled once in `every_messages` recorded messages at most, and when a session ends.
    """

    window_messages: int = 20
    every_messages: int = 10

    def is_due(self, *, before: int, after: int) -> bool:
        """Whether recording the messages after seq `before` up to seq `after` makes a roll due.

        Decided by seqs alone, without looking at what was said: a roll that finds nothing to do does nothing.
        """
        return after > self.window_messages and before // self.every_messages < after // self.every_messages


USUAL_SUMMARIES: Final = SummarySchedule()
