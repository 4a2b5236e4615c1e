"""Many memories at once: listed in other orders, picked, kept, paused and moved (MC-05)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.memories import LONG_TERM, deleted, edited, learned, memory, written
from tests.support.pages import pages
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

CHANGE = f"{LONG_TERM}/change"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def change(person: Person, ids: list[Any], act: str, **more: Any) -> list[tuple[str, str]]:
    """Change several memories; return what became of each, with the memory that holds now."""
    answer = person.post(CHANGE, {"ids": [str(one) for one in ids], "act": act, **more}, status=200)
    return [(one["outcome"], one["now"]) for one in answer["results"]]


def test_memories_are_listed_in_three_orders_page_by_page(ada: Person) -> None:
    made = [written(ada, f"Memory {n}.", importance=importance)["id"] for n, importance in enumerate([5, 9, 1, 9, 5])]
    expected = {
        "newest": [4, 3, 2, 1, 0],
        "oldest": [0, 1, 2, 3, 4],
        "importance": [3, 1, 4, 0, 2],
    }
    for sort, order in expected.items():
        found = [[one["id"] for one in page] for page in pages(ada, LONG_TERM, sort=sort, limit=2)]
        assert [len(page) for page in found] == [2, 2, 1]
        assert [one for page in found for one in page] == [made[n] for n in order]


def test_a_cursor_of_another_order_is_refused(bench: Workbench, ada: Person) -> None:
    for n in range(2):
        written(ada, f"Memory {n}.")
    cursor = bench.api.get(LONG_TERM, params={"limit": 1}, headers=ada.headers).links["next"]["url"].split("cursor=")[1]
    answer = bench.api.get(LONG_TERM, params={"sort": "importance", "cursor": cursor}, headers=ada.headers)
    assert_problem(answer, 422, "cursor_invalid")


def test_all_that_a_filter_leaves_can_be_picked(ada: Person) -> None:
    notes = [written(ada, f"Note {n}.")["id"] for n in range(3)]
    written(ada, "A fact.", content_type="fact")
    assert ada.get(f"{LONG_TERM}/ids", content_type="note") == {"ids": notes[::-1], "more": False}
    assert deleted(ada, notes[0]).status_code == 202
    assert ada.get(f"{LONG_TERM}/ids", content_type="note")["ids"] == [notes[2], notes[1]]


def test_several_are_kept_paused_resumed_and_moved_and_each_says_what_became_of_it(
    bench: Workbench, ada: Person
) -> None:
    new = [learned(bench, ada, f"Noticed {n}.") for n in range(3)]
    replaced = written(ada, "Old wording.")["id"]
    edited(ada, replaced, content="New wording.")
    picked = [*new, replaced, new[0]]
    rest = [("superseded", replaced)]
    assert change(ada, picked, "keep") == [*(("changed", one) for one in new), *rest]
    assert change(ada, picked, "keep") == [*(("unchanged", one) for one in new), *rest]
    assert all(memory(ada, one)["confirmed"] for one in new)

    assert [outcome for outcome, _ in change(ada, new, "pause")] == ["changed"] * 3
    assert all(memory(ada, one)["disabled"] for one in new)
    change(ada, new[:1], "resume")
    assert [memory(ada, one)["disabled"] for one in new] == [False, True, True]

    moved = change(ada, new, "move", scope="project", project_id="atlas")
    assert [outcome for outcome, _ in moved] == ["changed"] * 3
    for before, (_, now) in zip(new, moved, strict=True):
        found = memory(ada, now)
        assert (found["project_id"], found["supersedes_id"], found["confirmed"]) == ("atlas", before, True)
    assert change(ada, [now for _, now in moved], "move", scope="project", project_id="atlas") == [
        ("unchanged", now) for _, now in moved
    ]


def test_with_one_that_is_not_theirs_none_is_changed(bench: Workbench, ada: Person) -> None:
    made = learned(bench, ada, "Noticed.")
    somebody_elses, gone = written(bench.person("grace"), "Not yours.")["id"], written(ada, "Gone.")["id"]
    deleted(ada, gone)
    for other in (somebody_elses, gone):
        answer = bench.api.post(CHANGE, json={"ids": [made, other], "act": "keep"}, headers=ada.headers)
        assert_problem(answer, 404, "not_found")
    assert not memory(ada, made)["confirmed"]


def test_a_repeated_change_happens_once(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I walk to work.")["id"]
    body = {"ids": [made], "act": "move", "scope": "project", "project_id": "atlas"}
    headers = ada.headers | {"Idempotency-Key": "again"}
    first, second = (bench.api.post(CHANGE, json=body, headers=headers) for _ in range(2))
    assert first.status_code == 200
    assert first.json() == second.json()
    assert len(ada.get(LONG_TERM)) == 2


def test_when_they_cannot_be_moved_none_is(bench: Workbench, ada: Person) -> None:
    made = [written(ada, f"Memory {n}.")["id"] for n in range(2)]
    bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": False}, headers=ada.headers)
    body = {"ids": made, "act": "move", "scope": "project", "project_id": "atlas"}
    assert_problem(bench.api.post(CHANGE, json=body, headers=ada.headers), 409, "longterm_off")
    assert [one["project_id"] for one in ada.get(LONG_TERM)] == [None, None]


@each(
    "body",
    [
        {"act": "keep", "ids": []},
        {"act": "keep", "ids": ["01a20000-0000-7000-8000-000000000001"] * 101},
        {"act": "keep", "scope": "global"},
        {"act": "move"},
        {"act": "move", "scope": "project"},
        {"act": "move", "scope": "global", "project_id": "atlas"},
        {"act": "forget"},
    ],
)
def test_a_change_that_makes_no_sense_is_refused(bench: Workbench, ada: Person, body: dict[str, Any]) -> None:
    asked = {"ids": ["01a20000-0000-7000-8000-000000000001"], **body}
    assert_problem(bench.api.post(CHANGE, json=asked, headers=ada.headers), 422, "validation_failed")
