"""The numbers of traits: grades, contradiction, decay and stages (TR-03 to TR-07). Pure functions.

Source: the taxonomy of memory V2, sections 3.3 and 4.1 to 4.5.
"""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Final, Literal, TypeAlias

Subtype: TypeAlias = Literal["behavior", "preference", "core"]
Stage: TypeAlias = Literal["trend", "candidate", "emerging", "established", "core", "dissolved"]
Grade: TypeAlias = Literal["A", "B", "C", "D"]
"""A: seen in another context; B: the person says it about themself; C: seen in another conversation; D: seen again in
the same conversation, or only measured."""

PRESENT: Final = frozenset({"emerging", "established", "core"})
"""The stages that an assistant may be told about."""
STABLE: Final = frozenset({"established", "core"})
"""The stages whose preferences and core traits are in every context."""

REINFORCEMENT: Final[dict[Grade, float]] = {"A": 0.25, "B": 0.20, "C": 0.15, "D": 0.05}
DECAY: Final[dict[Subtype, float]] = {"behavior": 0.005, "preference": 0.002, "core": 0.001}
"""Decay per day before reinforcements slow it down."""
SPACING: Final = 0.1
BOOST: Final[dict[Stage, float]] = {"emerging": 0.05, "established": 0.15, "core": 0.25}

BEHAVIOR_ITEMS: Final = 3
BEHAVIOR_CONVERSATIONS: Final = 2
BEHAVIOR_SURE: Final = 2.2
"""Least sum of how sure the pieces are, the surest of each conversation counted: three doubtful ones prove nothing."""
TREND_SURE: Final = 1.4
SUREST_FROM: Final = 0.7
"""Least certainty of the surest piece."""
MODEL_SURE: Final = 0.65
"""How sure a piece counts that a language model proposed: below `SUREST_FROM`, so a model alone makes no trait."""
MODEL_SURE_OF_ADDED: Final = 0.75
"""The same of a behavior that the bundled reader does not know: at least three conversations must show it."""
BEHAVIOR_CONFIDENCE: Final = 0.4
CANDIDATE_MAX: Final = 0.3
ESTABLISHED_FROM: Final = 0.6
ESTABLISHED_MAX: Final = 0.85
PARENT_CHILDREN: Final = 2
CHILD_CONFIDENCE: Final[dict[Subtype, float]] = {"preference": 0.5, "core": 0.6}
"""Least confidence of a child, by the subtype of its parent."""
TREND_SPAN: Final = timedelta(weeks=2)
TREND_WINDOW: Final = timedelta(days=30)
MOOD_WINDOW: Final = timedelta(days=14)
TREND_RENEWALS: Final = 2
"""Reflections within its window that must find more of a trend, for it to stay when the window ends."""
CONTRADICTION: Final = 0.2
CONTRADICTION_STEP: Final = 0.1
CONTRADICTION_MAX: Final = 0.4
REVIEWED_ABOVE: Final = 0.3
"""Share of contradicting evidence above which a trait is reviewed: split by context, revised or dissolved."""
DISSOLVED_BELOW: Final = 0.1
RECALLED: Final = 0.02
"""What being used adds, once for each reflection."""
IMPORTANCE_DUE: Final = 30


def stage_of(confidence: float) -> Stage:
    """Return the stage of a confidence from 0 to 1; trend and dissolved are set explicitly."""
    if confidence <= CANDIDATE_MAX:
        return "candidate"
    if confidence < ESTABLISHED_FROM:
        return "emerging"
    return "established" if confidence <= ESTABLISHED_MAX else "core"


def reinforced(confidence: float, grade: Grade) -> float:
    """Return the confidence after one more piece of supporting evidence: c + (1 - c) · f."""
    return confidence + (1 - confidence) * REINFORCEMENT[grade]


def contradicted(confidence: float, pieces: int) -> float:
    """Return the confidence after the contradicting evidence of one reflection: c · (1 - k)."""
    factor = min(CONTRADICTION_MAX, CONTRADICTION + CONTRADICTION_STEP * (pieces - 1))
    return confidence * (1 - factor)


def decayed(base: float, subtype: Subtype, *, days: float, reinforcements: int) -> float:
    """Return the confidence `days` after the last reinforcement; more reinforcements decay more slowly.

    Always computed from the stored base, so that looking often does not make it decay faster.
    """
    rate = DECAY[subtype] / (1 + SPACING * reinforcements)
    return base * math.exp(-rate * max(0.0, days))
