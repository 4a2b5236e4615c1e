"""What somebody feels about something they tell (LT-01)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

LABEL_MAX: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """A feeling.

    Args:
        valence: from -1 (unpleasant) to 1 (pleasant).
        arousal: from 0 (calm) to 1 (excited).
        label: the feeling in a word or two, at most `LABEL_MAX` characters.
    """

    valence: float
    arousal: float
    label: str


def emotion_in(members: dict[str, Any] | None) -> Emotion | None:
    """Return the emotion these members describe."""
    return Emotion(**members) if members else None
