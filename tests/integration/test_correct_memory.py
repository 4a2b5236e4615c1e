"""Correct a memory by saying which one is meant and what holds instead (X-06, CN-03)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.language.embedding.bundled import EmbedderUnavailable
from shared.language.reader.socket import SocketReadings
from shared.memories.edit import edit_memory
from tests.support.memories import edited, validities, written
from tests.support.small_api import assert_problem
from tests.support.tables import each
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


def test_the_statement_takes_the_place_of_the_memory_that_is_meant(ada: Person) -> None:
    [old] = [one for one in ada.get("/api/v1/memory/long_term") if "gym" in one["content"]]
    answer = corrected(ada, GYM)
    assert answer.status_code == 200
    assert answer.json()["content"] == GYM["statement"]
    assert answer.json()["superseded"] == [{"id": old["id"], "content": "I go to the gym on Mondays."}]
    assert validities(ada) == {
        "I go to the gym on Mondays.": "superseded",
        "I go to the gym on Tuesdays.": "active",
        "I have choir on Mondays.": "active",
    }


def test_it_is_an_edit_like_any_other(ada: Person) -> None:
    [old] = [one for one in ada.get("/api/v1/memory/long_term") if "gym" in one["content"]]
    new = corrected(ada, GYM).json()
    assert (new["supersedes_id"], new["origin"], new["method"]) == (old["id"], "stated", "person")
    assert (new["content_type"], new["importance"]) == ("fact", 7)
    history = ada.get(f"/api/v1/memory/long_term/{new['id']}/history")
    assert {event["actor"] for event in history["events"]} == {"person"}


def test_while_the_reader_is_busy_it_says_when_to_try_again(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: Any) -> None:
        raise EmbedderUnavailable

    monkeypatch.setattr(SocketReadings, "meant", busy)
    answer = corrected(ada, GYM)
    assert_problem(answer, 503, "embedder_unavailable")
    assert "Retry-After" in answer.headers
    assert len(ada.memories()) == 2


@each(
    ("about", "statement", "why", "candidates"),
    [
        ("my passport number", "The passport expired.", "nothing_meant", set()),
        ("my gym day", "I go to the gym on Mondays.", "said_already", {"I go to the gym on Mondays."}),
    ],
)
def test_when_nothing_is_corrected_it_says_so_and_names_the_candidates(
    ada: Person, about: str, statement: str, why: str, candidates: set[str]
) -> None:
    known = {one["id"]: one["content"] for one in ada.get("/api/v1/memory/long_term")}
    before = validities(ada)
    answer = corrected(ada, {"about": about, "statement": statement})
    assert_problem(answer, 409, "nothing_corrected")
    details = answer.json()["details"]
    assert (details["why"], {known[one] for one in details["candidates"]}) == (why, candidates)
    assert validities(ada) == before


def test_the_same_request_under_the_same_key_corrects_once(ada: Person) -> None:
    answers = [corrected(ada, GYM, **{"Idempotency-Key": "k"}) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert sum("Tuesdays" in one for one in ada.memories()) == 1


def test_a_unit_that_changed_meanwhile_is_looked_for_again(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    [old] = [one for one in ada.get("/api/v1/memory/long_term") if "gym" in one["content"]]
    newer: list[dict[str, Any]] = []

    def edit_first(*args: Any, **more: Any) -> Any:
        if not newer:
            newer.append(edited(ada, old["id"], content="I go to the gym on Fridays."))
        return edit_memory(*args, **more)

    monkeypatch.setattr("services.memory_center.correcting.edit_memory", edit_first)
    assert corrected(ada, GYM).json()["supersedes_id"] == newer[0]["id"]


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


def test_another_person_is_never_meant(bench: Workbench, ada: Person) -> None:
    eve = bench.person()
    assert corrected(eve, GYM).json()["details"] == {"why": "nothing_meant", "candidates": []}
    assert "I go to the gym on Tuesdays." not in ada.memories()


def test_a_description_of_too_many_things_is_refused(ada: Person) -> None:
    many = ", ".join(f"thing{place} Name{place}" for place in range(21))
    assert_problem(corrected(ada, GYM | {"about": many}), 422, "too_many_terms")


def test_of_a_memory_with_two_facts_the_other_one_stays_in_force(ada: Person) -> None:
    written(ada, "The kitchen is painted in Mizzle, and the hall is painted in Skimming Stone.")
    answer = corrected(ada, {"about": "the colour of the hall", "statement": "The hall is painted in Slaked Lime."})
    assert answer.status_code == 200
    assert answer.json()["content"] == "The kitchen is painted in Mizzle. The hall is painted in Slaked Lime."


def test_what_shares_no_word_with_the_correction_is_corrected_by_its_meaning(ada: Person) -> None:
    written(ada, "I keep bees on the roof of a hotel in Ghent.")
    answer = corrected(ada, {"about": "the insects", "statement": "The hives have moved to a farm near Bruges."})
    assert answer.status_code == 200
    assert [one["content"] for one in answer.json()["superseded"]] == ["I keep bees on the roof of a hotel in Ghent."]
