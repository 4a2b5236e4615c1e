"""What `make test` leaves out: most variants of a test that has very many, and the tests of `slow.txt`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from tests.conftest import pytest_collection_modifyitems, slow_tests

ROOT = Path(__file__).parents[2]


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


def test_slow_tests_are_those_of_the_list(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "tests.conftest.slow_tests", lambda: {"tests/a.py", "tests/b.py::test_b", "tests/c.py::test_c[1]"}
    )
    ids = [
        "tests/a.py::test_x",
        "tests/b.py::test_b[2]",
        "tests/c.py::test_c[1]",
        "tests/c.py::test_c[2]",
        "tests/b.py::test_bc",
    ]
    items = [Item(one, None) for one in ids]
    pytest_collection_modifyitems(cast("list[pytest.Item]", items))
    assert [one.nodeid for one in items if one.added == ["slow"]] == ids[:3]


def test_every_line_of_the_list_names_a_test_there_is():
    for line in slow_tests():
        file, *names = line.partition("[")[0].split("::")
        defined = re.findall(r"(?:def|class) (\w+)", (ROOT / file).read_text(encoding="utf-8"))
        assert set(names) <= set(defined), line
