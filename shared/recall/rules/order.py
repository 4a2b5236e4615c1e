"""Order of the items in a prompt: a total order, so that the same state gives the same bytes (CN-05)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from shared.recall.rules.items import Group, Item, Mode

_SCOPES: Final[Mapping[str, int]] = MappingProxyType({"project": 0, "global": 1})
_TYPES: Final[Mapping[str, int]] = MappingProxyType({"preference": 0, "fact": 1, "note": 2})
_LAST: Final = 9

PRECISION: Final = 4
"""Decimals of a score that count; items with a smaller difference are tied and keep the fixed order."""


def arranged(items: Iterable[Item], mode: Mode) -> list[Item]:
    """Return items in the order of the prompt: by group (MC-14), then by `place_of`."""
    return sorted(items, key=lambda item: place_of(item, mode))


def place_of(item: Item, mode: Mode) -> tuple[Any, ...]:
    """Return the sort key of an item outside the window.

    Within a group the fixed order applies (CN-05): project, global, other scopes; preference, fact, note, other types;
    newest change first; id. With semantic search the score comes before these; on a tie, the consolidated memory comes
    first (LT-04).
    """
    scored = item.group is Group.HABITS or (mode == "semantic" and item.group is Group.MEMORIES)
    return (
        item.group,
        -(item.total or 0.0) if scored else 0.0,
        scored and item.level == "L1",
        item.kind == "trait",  # what was said comes before what was inferred
        _SCOPES.get(item.scope, _LAST),
        _TYPES.get(item.type, _LAST),
        -item.updated_at.timestamp(),
        item.id,
    )
