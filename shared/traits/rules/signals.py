"""What whole conversations show without anybody saying it: hours, the length of messages, courtesy (TR-02). Pure.

One conversation proves nothing: a signal needs most of the recent ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from statistics import median
from typing import Final

RECENT: Final = 6
"""Conversations that are looked at, the newest last."""
FEWEST: Final = 4
"""Fewest of them that must show something."""
SHARE: Final = 0.75
FEWEST_MESSAGES: Final = 2
SHORT_WORDS: Final = 6
LONG_WORDS: Final = 60
LATE: Final = (time(23), time(5))
EARLY: Final = (time(5), time(7, 30))

HOURS: Final = frozenset({"works-late-at-night", "starts-early"})
HOURS_SPAN: Final = timedelta(days=7)
"""Least time between the first and the last showing: some nights together may be a deadline."""

MEASURED: Final = frozenset({"writes-short-messages", "writes-long-messages", "says-please-and-thanks"})
"""Behaviors that a single message shows to nobody: only measured, or stated about oneself."""

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_WORDS: Final = re.compile(r"[^\W\u3400-\u9fff]+(?:['’-][^\W\u3400-\u9fff]+)*")
HAN_PER_WORD: Final = 1.7
_COURTESY: Final = re.compile(
    r"\b(?:please|pls|plz|thanks|thank you|thx|ty|cheers|much appreciated|kindly)\b"
    r"|谢|麻烦|劳驾|请[帮问你您]|辛苦|拜托",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The person's messages of one conversation: texts and times, oldest first."""

    texts: Sequence[str]
    times: Sequence[datetime]


def signals(recent: Sequence[Conversation], zone: tzinfo | None) -> list[str]:
    """Return the behaviors that the last conversation shows and most of the recent ones share.

    Args:
        recent: up to `RECENT` conversations, oldest first.
        zone: the person's time zone; hours prove nothing without it.
    """
    if len(recent) < FEWEST:
        return []
    looked_at = recent[-RECENT:]
    shown = [_of(one, zone) for one in looked_at]
    enough = max(FEWEST, SHARE * len(shown))
    return sorted(
        key
        for key in shown[-1]
        if sum(key in one for one in shown) >= enough
        and (key not in HOURS or _lie_apart([one for one, found in zip(looked_at, shown, strict=True) if key in found]))
    )


def _lie_apart(showing: Sequence[Conversation]) -> bool:
    """Return whether conversations, oldest first, lie far enough apart for their hours to be a habit."""
    return showing[-1].times[-1] - showing[0].times[-1] >= HOURS_SPAN


def _of(conversation: Conversation, zone: tzinfo | None) -> set[str]:
    found: set[str] = set()
    words = [_words(text) for text in conversation.texts]
    if len(words) >= FEWEST_MESSAGES:
        if median(words) <= SHORT_WORDS:
            found.add("writes-short-messages")
        if median(words) >= LONG_WORDS:
            found.add("writes-long-messages")
    if any(_COURTESY.search(text) for text in conversation.texts):
        found.add("says-please-and-thanks")
    if zone is not None and conversation.times:
        hours = [at.astimezone(zone).time() for at in conversation.times]
        if any(hour >= LATE[0] or hour < LATE[1] for hour in hours):
            found.add("works-late-at-night")
        elif any(EARLY[0] <= hour < EARLY[1] for hour in hours):
            found.add("starts-early")
    return found


def _words(text: str) -> float:
    return len(_WORDS.findall(text)) + len(_HAN.findall(text)) / HAN_PER_WORD
