"""The labels of the reader's heads; their order is part of the weights."""

from collections.abc import Mapping
from itertools import accumulate, pairwise
from typing import Final, get_args

from shared.language.candidates import ContentType
from shared.language.port import Category, Related, Time, Whose

TASKS: Final = ("turn", "relation", "meant", "needed")
KEPT: Final = ("no", "begins", "inside", "not")
"""Label of a token: not worth remembering, first or later token of a span that is, or one that only looks like it."""
TYPES: Final[tuple[ContentType, ...]] = ("fact", "preference", "constraint", "episodic", "task_outcome")
ABOUT: Final[tuple[Whose, ...]] = get_args(Whose)
TIMES: Final[tuple[Time, ...]] = get_args(Time)
CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
RELATIONS: Final[tuple[Related, ...]] = get_args(Related)
MEANT: Final = ("none", "whole", "part")
NEEDED: Final = ("no", "helps", "needed")
"""Label of a memory for a question: odd to mention, related, or needed for the answer."""

TOKEN_HEADS: Final = {
    "kept": len(KEPT),
    "type": len(TYPES),
    "safety": 2,
    "about": len(ABOUT),
    "time": len(TIMES),
    "sensitive": 1 + len(CATEGORIES),
    "part": 2,
}
"""Number of labels of each token head; the model returns them side by side in this order."""
WHOLE_HEADS: Final = {"relation": len(RELATIONS), "meant": len(MEANT), "needed": len(NEEDED)}
"""The same for heads that classify the whole row."""


def _slices(heads: Mapping[str, int]) -> dict[str, slice]:
    ends = [0, *accumulate(heads.values())]
    return {name: slice(*span) for name, span in zip(heads, pairwise(ends), strict=True)}


TOKEN_SLICES: Final = _slices(TOKEN_HEADS)
"""The position of each head's scores among those of a token."""
WHOLE_SLICES: Final = _slices(WHOLE_HEADS)
"""The same among those of the whole row."""
