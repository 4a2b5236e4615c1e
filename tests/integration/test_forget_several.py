"""Forget several memories and messages picked from a list, by their ids."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.memories import written
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench

FORGET = "/api/v1/memory/forget"
JAZZ, CHESS, TEA = "I love canary-jazz.", "I play canary-chess on Sundays.", "I drink green tea."


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def forget(person: Person, ids: list[str], **more: Any) -> Any:
    body = {"scope": "selection", "ids": ids, **more}
    return person.bench.api.post(FORGET, json=body, headers=person.headers)


def previewed(person: Person, ids: list[str]) -> Any:
    return person.post(f"{FORGET}/preview", {"ids": ids}, status=200)


def test_what_was_picked_goes_in_one_operation_and_nothing_else(bench: Workbench, ada: Person) -> None:
    picked = [written(ada, JAZZ)["id"], written(ada, CHESS)["id"]]
    written(ada, TEA)
    bench.work()

    preview = previewed(ada, picked)
    assert {one["id"] for one in preview["items"] if one["because"] == "picked"} == set(picked)
    assert preview["counts"]["postgres"]["memories"] == len(picked)
    assert len(ada.memories()) == 3

    accepted = forget(ada, picked)
    assert accepted.status_code == 202
    assert ada.memories() == [TEA]
    bench.work()
    operation = ada.operation(accepted.json()["op_id"])
    assert (operation["status"], operation["type"]) == ("succeeded", "forget_selection")
    assert bench.holds("canary-") == []
    assert ada.memories() == [TEA]


def test_a_message_picked_by_its_id_takes_what_was_learned_from_it(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), (JAZZ, "Nice."))
    bench.work()
    assert ada.memories() == [JAZZ]
    kinds = {one["kind"]: one["because"] for one in previewed(ada, [question])["items"]}
    assert (kinds["message"], kinds["memory"]) == ("picked", "made_from_it")
    assert forget(ada, [question]).status_code == 202
    assert ada.memories() == []


def test_until_its_time_is_over_all_of_it_comes_back_at_once(bench: Workbench, ada: Person) -> None:
    picked = [written(ada, JAZZ)["id"], written(ada, CHESS)["id"]]
    operation = forget(ada, picked, undo_seconds=30).json()["op_id"]
    assert ada.memories() == []
    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    assert sorted(ada.memories()) == sorted([JAZZ, CHESS])


def test_an_id_twice_is_one(bench: Workbench, ada: Person) -> None:
    memory = written(ada, JAZZ)["id"]
    assert forget(ada, [memory, memory.upper()]).status_code == 202
    assert ada.memories() == []


def test_one_that_is_not_there_or_not_theirs_forgets_nothing(bench: Workbench, ada: Person) -> None:
    memory, conversation = written(ada, JAZZ)["id"], ada.conversation()
    eve = bench.person()
    theirs = written(eve, CHESS)["id"]
    for other in (theirs, conversation):
        assert_problem(forget(ada, [memory, other]), 404, "not_found")
        answer = bench.api.post(f"{FORGET}/preview", json={"ids": [memory, other]}, headers=ada.headers)
        assert_problem(answer, 404, "not_found")
    assert (ada.memories(), eve.memories()) == ([JAZZ], [CHESS])


@each("body", [{}, {"ids": []}, {"ids": ["x"]}, {"token": None, "ids": None}])
def test_a_selection_of_nothing_is_refused(bench: Workbench, ada: Person, body: dict[str, Any]) -> None:
    for path, wanted in ((FORGET, {"scope": "selection", **body}), (f"{FORGET}/preview", body)):
        assert_problem(bench.api.post(path, json=wanted, headers=ada.headers), 422, "validation_failed")
