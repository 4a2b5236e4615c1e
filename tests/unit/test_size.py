"""Functions stay simple and files short, so that a newcomer can read one in a sitting."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from radon.complexity import cc_visit

ROOT = Path(__file__).parents[2]
PRODUCT = ("shared", "services", "workers", "migrations", "deploy")

COMPLEX = 20
"""The most paths through a function: the end of radon's grade C."""
LONG = 300
LONGER = {
    "deploy/embedded/launcher.py": "starts, watches and ends every process of one machine",
    "services/cli/demo/play.py": "one script in nine acts",
    "services/clients/python/memory_center_client/_async/mem0_calls.py": "a method for each call of mem0's",
    "services/clients/python/memory_center_client/_sync/mem0_calls.py": "made from _async",
    "services/clients/python/memory_center_client/schemas.py": "generated from the API",
    "services/clients/python/memory_center_client/testing.py": "the in-memory server people's own tests import",
    "shared/kernel/events.py": "one list of every event, which replay reads",
    "shared/stores/sealed/bucket_client.py": "every request to a bucket, and what each of its errors means",
    "workers/process.py": "puts together what a worker needs; its parts depend on each other",
}
"""Files with more lines than that, each with the reason."""
RULES_OF_LANGUAGE = 7_000
"""Most lines of Python in `shared/language`: words are data, and meaning is for the reader to find."""


def product() -> Iterator[tuple[str, str]]:
    for folder in PRODUCT:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "node_modules" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def test_no_function_has_more_than_twenty_paths() -> None:
    too_complex = [
        f"{name}:{block.lineno} {block.fullname} {block.complexity}"
        for name, code in product()
        for block in cc_visit(code)
        if block.letter != "C" and block.complexity > COMPLEX
    ]
    assert too_complex == []


def test_files_are_short_or_say_why_not() -> None:
    long = {name for name, code in product() if code.count("\n") > LONG}
    assert long == set(LONGER), "split it, or give the reason here; one that became short needs none"


def test_the_rules_of_language_stay_few() -> None:
    assert sum(code.count("\n") for name, code in product() if name.startswith("shared/language/")) <= RULES_OF_LANGUAGE
