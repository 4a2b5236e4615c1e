"""Correct a memory by saying which one is meant and what holds instead (X-06, CN-03)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.small_api import assert_problem
from tests.support.units import deleted, edited, unit, validities, written
from tests.support.workbench import Person, Workbench

CORRECT = "/api/v1/memory/long_term/correct"
GYM = {"about": "my gym day", "statement": "I go to the gym on Tuesdays."}


@pytest.fixture
def ada(bench: Workbench) -> Person:
    person = bench.person()
    written(person, "I go to the gym on Mondays.", content_type="fact", importance=7)
    written(person, "I have choir on Mondays.")
    return person


def corrected(person: Person, body: dict[str, Any], **headers: str) -> Any:
    return person.bench.api.post(CORRECT, json=body, headers=person.headers | headers)


def test_the_statement_takes_the_place_of_the_memory_that_is_meant(bench: Workbench, ada: Person) -> None:
    answer = corrected(ada, GYM)
    assert answer.status_code == 202
    operation = answer.json()["op_id"]
    assert answer.headers["location"] == f"/api/v1/memory/ops/{operation}"
    assert ada.operation(operation)["status"] == "pending"
    bench.work()
    assert (ada.operation(operation)["status"], ada.operation(operation)["type"]) == ("succeeded", "correct_memory")
    assert validities(ada) == {
        "I go to the gym on Mondays.": "superseded",
        "I go to the gym on Tuesdays.": "active",
        "I have choir on Mondays.": "active",
    }


def test_it_is_an_edit_like_any_other(bench: Workbench, ada: Person) -> None:
    [old] = [one for one in ada.get("/api/v1/memory/long_term") if "gym" in one["content"]]
    corrected(ada, GYM)
    bench.work()
    [new] = [one for one in ada.get("/api/v1/memory/long_term") if "Tuesdays" in one["content"]]
    assert (new["supersedes_id"], new["origin"], new["method"]) == (old["id"], "stated", "person")
    assert (new["content_type"], new["importance"]) == ("fact", 7)
    history = ada.get(f"/api/v1/memory/long_term/{new['id']}/history")
    assert {event["actor"] for event in history["events"]} == {"person"}


@pytest.mark.parametrize(
    ("about", "why"), [("my passport number", "nothing_meant"), ("what I do on Mondays", "several_meant")]
)
def test_when_not_exactly_one_is_meant_nothing_changes_and_the_operation_says_why(
    bench: Workbench, ada: Person, about: str, why: str
) -> None:
    before = validities(ada)
    operation = corrected(ada, {"about": about, "statement": "It is something else."}).json()["op_id"]
    bench.work()
    shown = ada.operation(operation)
    assert (shown["status"], shown["last_error"].split(":")[0]) == ("failed", why)
    assert shown["steps"][0]["next_retry_at"] is None
    assert validities(ada) == before


@pytest.mark.parametrize("about", ["my gym day", "my passport number"])
def test_the_words_of_a_request_do_not_outlive_it(bench: Workbench, ada: Person, about: str) -> None:
    corrected(ada, {"about": f"canary {about}", "statement": "I go to the gym on Tuesdays."})
    assert bench.holds("canary") == ["correction_contents"]
    bench.work()
    assert bench.holds("canary") == []


def test_the_same_request_under_the_same_key_corrects_once(bench: Workbench, ada: Person) -> None:
    answers = [corrected(ada, GYM, **{"Idempotency-Key": "k"}) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    bench.work()
    assert sum("Tuesdays" in one for one in ada.memories()) == 1


def test_a_unit_that_changed_meanwhile_is_looked_for_again(bench: Workbench, ada: Person) -> None:
    [old] = [one for one in ada.get("/api/v1/memory/long_term") if "gym" in one["content"]]
    corrected(ada, GYM)
    newer = edited(ada, old["id"], content="I go to the gym on Fridays.")
    bench.work()
    [new] = [one for one in ada.get("/api/v1/memory/long_term") if "Tuesdays" in one["content"]]
    assert new["supersedes_id"] == newer["id"]


def test_it_is_refused_while_long_term_memory_is_off(bench: Workbench, ada: Person) -> None:
    off = bench.api.put(
        "/api/v1/memory/settings",
        json={"summary_enabled": True, "episodic_enabled": True, "longterm_enabled": False},
        headers=ada.headers,
    )
    assert off.status_code == 200
    assert_problem(corrected(ada, GYM), 409, "longterm_off")


def test_what_is_sensitive_is_refused_as_in_any_memory(ada: Person) -> None:
    answer = corrected(ada, {"about": "my gym day", "statement": "My password is hunter2-Zx9!kk"})
    assert answer.status_code == 422


def test_forgetting_everything_takes_a_correction_that_waits(bench: Workbench, ada: Person) -> None:
    operation = corrected(ada, {"about": "canary gym", "statement": "I go to the gym on Tuesdays."}).json()["op_id"]
    ada.forget("user")
    bench.work()
    assert bench.holds("canary") == []
    assert ada.memories() == []
    assert ada.operation(operation)["status"] == "failed"


def test_a_memory_hidden_by_a_forget_that_may_be_undone_is_waited_for(bench: Workbench, ada: Person) -> None:
    [old] = [one for one in ada.get("/api/v1/memory/long_term") if "gym" in one["content"]]
    forget = deleted(ada, old["id"], undo_seconds=60).json()["op_id"]
    operation = corrected(ada, GYM).json()["op_id"]
    bench.work_once()
    assert ada.operation(operation)["status"] == "running"
    ada.post(f"/api/v1/memory/ops/{forget}/cancel", {}, status=200)
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert unit(ada, old["id"])["validity"] == "superseded"


def test_another_person_is_never_meant(bench: Workbench, ada: Person) -> None:
    eve = bench.person()
    operation = corrected(eve, GYM).json()["op_id"]
    bench.work()
    assert eve.operation(operation)["status"] == "failed"
    assert "I go to the gym on Tuesdays." not in ada.memories()
