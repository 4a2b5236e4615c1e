"""The emotion a person expresses about something they report (LT-01)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

LABEL_MAX: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """An emotion.

    Args:
        valence: from -1 (unpleasant) to 1 (pleasant).
        arousal: from 0 (calm) to 1 (excited).
        label: one or two words, at most `LABEL_MAX` characters.
    """

    valence: float
    arousal: float
    label: str


def emotion_in(members: dict[str, Any] | None) -> Emotion | None:
    """Build an emotion from its fields; None if there are none."""
    return Emotion(**members) if members else None
