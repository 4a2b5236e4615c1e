"""An import holds hardly more in memory for a long conversation than for a short one."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.support.importing import asked, long_package
from tests.support.workbench import Workbench

SHORT = 1_000
MEGABYTE: Final = 1024 * 1024
ID_BYTES: Final = 200
"""What is kept of each record while a package is checked: its id."""


def peak(work: Callable[[], Any]) -> float:
    """Return the most memory Python held at once while something was done, in MB."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / MEGABYTE
    finally:
        tracemalloc.stop()


@pytest.mark.timeout(200)
@pytest.mark.parametrize("long", [8_000, pytest.param(20_000, marks=pytest.mark.full)])
def test_a_long_conversation_takes_hardly_more_memory_than_a_short_one(bench: Workbench, long: int) -> None:
    packages = [long_package(count) for count in (SHORT, long)]
    uploads, imports = [], []
    for raw in packages:
        person = bench.person()
        uploads.append(peak(lambda person=person, raw=raw: asked(person, raw)))  # type: ignore[misc]
        imports.append(peak(lambda: bench.work_once(["import.apply"])))
        [operation] = person.get("/api/v1/memory/ops")
        assert operation["status"] == "succeeded"
    assert bench.count("select count(*) from messages") == SHORT + long

    # The test's client holds what it sends; and of every record its id is kept while a package is checked.
    known = (long * ID_BYTES + 3 * (len(packages[1]) - len(packages[0]))) / MEGABYTE
    assert uploads[1] < uploads[0] + known + 4, uploads
    assert imports[1] < imports[0] + 4, imports
    assert imports[1] < 30, imports
