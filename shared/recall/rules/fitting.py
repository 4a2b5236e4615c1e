"""Keeping a context within its budget of tokens (LT-08)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from shared.recall.rules.items import Group, Item

Measure: TypeAlias = Callable[[Item], int]
"""How many tokens an item takes in the prompt."""

STABLE_SHARE: Final = 0.4
"""How much of a budget preferences and constraints may take, so that there is room for the question (decision 9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What fits, in the order it came in, and what does not."""

    items: tuple[Item, ...]
    window: tuple[Item, ...]
    too_much: tuple[Item, ...]


def fit(items: Sequence[Item], window: Sequence[Item], *, budget: int, measure: Measure) -> Fitted:
    """Keep what fits: each group takes what those before it left, and what is too long for the rest is passed over.

    Safety is counted and never left out, though nothing else may fit then. Whether something stable fits depends on
    what is stable alone. The window is taken from its newest message on and ends before the first that does not fit:
    a hole in a conversation would mislead.

    Args:
        items: in the order of the prompt.
        window: oldest first.
        budget: tokens for them all.
    """
    left = budget
    kept: list[Item] = []
    too_much: list[Item] = []
    for item in items:
        tokens = measure(item)
        if item.group is Group.SAFETY or tokens <= left:
            kept.append(item)
            left -= tokens
        else:
            too_much.append(item)
    newest: list[Item] = []
    for item in reversed(window):
        tokens = measure(item)
        if tokens > left:
            break
        newest.append(item)
        left -= tokens
    oldest = window[: len(window) - len(newest)]
    return Fitted(items=tuple(kept), window=tuple(reversed(newest)), too_much=(*too_much, *oldest))


def within_share(items: Sequence[Item], *, budget: int, measure: Measure) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Divide what belongs in every context into what is given and what its share has no room for.

    Safety is given and is not counted in the share; what is too long for the rest of the share is passed over.

    Args:
        items: those that go first, first.
        budget: tokens for the whole context.
    """
    kept: list[Item] = []
    crowded_out: list[Item] = []
    left = budget * STABLE_SHARE
    for item in items:
        if item.group is Group.SAFETY:
            kept.append(item)
            continue
        tokens = measure(item)
        if tokens <= left:
            kept.append(item)
            left -= tokens
        else:
            crowded_out.append(item)
    return tuple(kept), tuple(crowded_out)
