"""The questions about a person that a clause may answer, and how many answers each of them has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from shared.models.relations.concepts import Concept

EMPTY_PREDICATES: Final = frozenset(
    {
        "have",
        "use",
        "take",
        "buy",
        "watch",
        "wear",
        "write",
        "play",
        "read",
        "sing",
        "build",
        "sit",
        "cost",
        "meet",
        "be",
        "wash",
        "look for",
        "help",
    }
)
"""Deeds that say little beside their object: they do not divide two statements about it."""

STYLE_KINDS: Final = frozenset(
    {
        "length",
        "tone",
        "address",
        "programming",
        "register",
        "indentation",
        "unit-system",
        "temperature",
        "clock-format",
        "spelling",
        "script",
        "theme",
        "currency",
    }
)
EXCLUSIVE_KINDS: Final = STYLE_KINDS | {
    "seat", "work-hours", "timezone", "curl", "hair-length", "chronotype", "hand", "phone", "color", "marriage", "diet",
}  # fmt: skip
"""Kinds of which at most one holds of the same thing at a time."""

ONE_VALUE: Final = frozenset(
    {
        "birthday", "name", "address", "weight", "height", "wake", "bed", "commute", "job", "employer", "hours", "mode",
        "residence", "household", "tenure", "timezone", "marriage", "age", "birthplace", "birth-year", "origin", "study",
        "seat", "chronotype", "hand", "editor", "browser", "phone", "school", "diet",
    }
)  # fmt: skip
"""Slots with a single value: another value replaces it."""
WHEN: Final = frozenset({"period", "daypart", "weekday", "month", "season"})
"""Kinds that say when or how often."""
STYLE: Final = "style:"
"""Begins the slots of how somebody wants to be answered."""
EDIBLE: Final = frozenset({"food", "drink", "meat", "seafood", "dairy", "nut", "eggs", "alcohol", "alcohol-any"})
"""Kinds one eats or drinks."""

INTIMATES: Final = frozenset({"girlfriend", "boyfriend", "partner", "wife", "husband", "fiance"})


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot, the objects that fill it, and for a ranking the better and the worse object."""

    slot: str
    objects: tuple[Concept, ...]
    ranking: tuple[str, str] | None = None
