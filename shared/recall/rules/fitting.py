"""Keeps a context within its token budget (LT-08)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from shared.recall.rules.items import Group, Item

Measure: TypeAlias = Callable[[Item], int]
"""Returns the tokens an item takes in the prompt."""

STABLE_SHARE: Final = 0.4
"""Share of the budget for preferences and constraints, which leaves room for the question (decision 9)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The items that fit, in their given order, and those that do not."""

    items: tuple[Item, ...]
    window: tuple[Item, ...]
    too_much: tuple[Item, ...]


def fit(items: Sequence[Item], window: Sequence[Item], *, budget: int, measure: Measure, beside: int = 0) -> Fitted:
    """Keep what fits: each group takes what earlier groups left; an item too long for the rest is skipped.

    Safety items are counted but never left out, even if nothing else fits then. Whether a stable item fits depends only
    on stable items: what stands beside the items is taken from what the others may use. The window is filled from its
    newest message and ends at the first that does not fit, because a gap in a conversation would mislead.

    Args:
        items: in the order of the prompt.
        window: oldest first.
        budget: tokens for all of them.
        beside: of these, the tokens of what else the prompt contains.
    """
    left = budget
    too_much: list[Item] = []
    for stable in (True, False):
        for item in items:
            if (item.group.layer == "stable") is stable:
                tokens = measure(item)
                if item.group is Group.SAFETY or tokens <= left:
                    left -= tokens
                else:
                    too_much.append(item)
        left -= beside if stable else 0
    without = set(map(id, too_much))
    kept = [item for item in items if id(item) not in without]
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
    """Divide the items for every context into those that fit in their share and those that do not.

    Safety items always fit and are not counted. An item too long for the rest of the share is skipped.

    Args:
        items: by priority, highest first.
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
