"""A test with very many variants runs a few of them in `make test`, spread over all, and all in `make test-full`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from tests.conftest import pytest_collection_modifyitems


@dataclass
class Item:
    nodeid: str
    few: int | None
    added: list[str] = field(default_factory=list)

    def get_closest_marker(self, name: str) -> Any:
        return pytest.mark.few(self.few).mark if name == "few" and self.few is not None else None

    def add_marker(self, name: str) -> None:
        self.added.append(name)


@pytest.mark.parametrize(("few", "usual"), [(1, [0]), (2, [0, 9]), (4, [0, 3, 6, 9]), (10, list(range(10)))])
def test_the_usual_variants_are_spread_over_all(few: int, usual: list[int]):
    variants = [Item(f"tests/a.py::test_b[{number}]", few) for number in range(10)]
    others = [Item("tests/a.py::test_c[1]", None), Item("tests/a.py::test_d[1]", 1)]
    pytest_collection_modifyitems(cast("list[pytest.Item]", [*variants, *others]))
    assert [number for number, one in enumerate(variants) if not one.added] == usual
    assert not any(one.added for one in others)
