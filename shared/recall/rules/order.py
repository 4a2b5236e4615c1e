"""In which order things stand in a prompt: a total order, so that the same state gives the same bytes (CN-05)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from shared.recall.rules.items import Group, Item, Mode

_SCOPES: Final[Mapping[str, int]] = MappingProxyType({"project": 0, "global": 1})
_TYPES: Final[Mapping[str, int]] = MappingProxyType({"preference": 0, "fact": 1, "note": 2})
_LAST: Final = 9

PRECISION: Final = 4
"""Decimals of a score that count: what differs by less is equally good, and stands in the fixed order."""


def arranged(items: Iterable[Item], mode: Mode) -> list[Item]:
    """Return items in the order of the prompt: by group (MC-14), inside it as `place_of` says."""
    return sorted(items, key=lambda item: place_of(item, mode))


def place_of(item: Item, mode: Mode) -> tuple[Any, ...]:
    """Return the sort key of an item that is not of the window.

    Inside a group the fixed order holds (CN-05): project before global before anything else; preference, fact, note,
    then other types; newest change first; id. Where a search found by meaning, its score comes before that, and of two
    with the same score the consolidated memory (LT-04).
    """
    scored = mode == "semantic" and item.group is Group.MEMORIES
    return (
        item.group,
        -(item.total or 0.0) if scored else 0.0,
        scored and item.level == "L1",
        _SCOPES.get(item.scope, _LAST),
        _TYPES.get(item.type, _LAST),
        -item.updated_at.timestamp(),
        item.id,
    )
