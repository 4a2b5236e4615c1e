"""Items of frameworks that are kept in several messages."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from memory_center_client.adapters.spoken import PIECES_MAX, Joined, pieces
from memory_center_client.batches import MESSAGE_MAX, batches

PICTURE = {"type": "image", "url": "data:image/png;base64," + "A b/" * MESSAGE_MAX}


def read(messages: list[Any]) -> list[Any]:
    """Record these messages, and return the items and texts read from them, newest first."""
    joined = Joined("kind")
    recorded = list(chain.from_iterable(batches(messages)))
    found = [joined.whole(one) for one in reversed(recorded)]
    return [item if item is not None else message["content"] for item, message in found if item or message]


def test_an_item_of_any_length_comes_back_as_it_was() -> None:
    said = {"role": "user", "content": "Look:"}
    recorded = [said | {"name": None}, *pieces("kind", {"a": 1}), *pieces("kind", PICTURE), said | {"name": None}]
    assert read(recorded) == ["Look:", PICTURE, {"a": 1}, "Look:"]


def test_of_an_item_that_is_not_all_there_nothing_comes() -> None:
    long = pieces("kind", PICTURE)
    for lost in range(len(long)):
        left = [*long[:lost], *long[lost + 1 :]]
        assert read([*pieces("kind", [1]), *left, *pieces("kind", [2])]) == [[2], [1]]


def test_a_tool_of_another_program_is_a_text() -> None:
    said = {"role": "tool", "name": "kind of thing", "content": "21 °C"}
    assert read([said]) == ["21 °C"]


def test_an_item_that_is_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        pieces("kind", "a" * (PIECES_MAX * MESSAGE_MAX))
