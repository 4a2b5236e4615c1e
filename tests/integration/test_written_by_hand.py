"""What is written by hand is compared with what is remembered, as what is said is (LT-03, LT-04)."""

from __future__ import annotations

import pytest

from tests.support.memories import confirmed, deleted, edited, memory, validities, written
from tests.support.workbench import Person, Workbench


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.mark.parametrize("at_once", [True, False])
def test_what_corrects_an_older_memory_takes_its_place(bench: Workbench, ada: Person, at_once: bool) -> None:
    old = written(ada, "I live in Rome.", content_type="fact")
    if not at_once:
        bench.work()  # found by the search; else by its newness
    new = written(ada, "I moved to Oslo.", content_type="fact")
    bench.work()
    assert validities(ada) == {"I live in Rome.": "superseded", "I moved to Oslo.": "active"}
    assert memory(ada, new["id"])["supersedes_id"] == old["id"]


def test_of_two_that_say_the_same_the_one_written_by_hand_holds(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    [learned] = ada.get("/api/v1/memory/long_term")
    new = written(ada, "I am allergic to peanuts!", content_type="constraint")
    bench.work()
    assert memory(ada, learned["id"])["validity"] == "superseded"
    assert memory(ada, new["id"])["supersedes_id"] == learned["id"]
    deleted(ada, new["id"])
    bench.work()
    assert memory(ada, learned["id"])["validity"] == "active"


def test_what_may_contradict_is_for_its_person_to_decide(bench: Workbench, ada: Person) -> None:
    old = written(ada, "I hate mushrooms.")
    new = written(ada, "I guess I don't mind mushrooms as much now.")
    bench.work()
    assert {one["content"]: one["contradicts_id"] for one in ada.get("/api/v1/memory/long_term")} == {
        "I hate mushrooms.": None,
        "I guess I don't mind mushrooms as much now.": old["id"],
    }
    assert confirmed(ada, new["id"], "replaces").status_code == 200


def test_what_is_about_something_else_stands_beside(bench: Workbench, ada: Person) -> None:
    for content in ("I live in Rome.", "I have choir on Mondays.", "My sister lives in Oslo."):
        written(ada, content)
    bench.work()
    assert set(validities(ada).values()) == {"active"}


def test_a_new_wording_is_compared_and_keeps_what_it_replaced(bench: Workbench, ada: Person) -> None:
    town, drink = written(ada, "I live in Rome."), written(ada, "I drink tea.")
    bench.work()
    new = edited(ada, drink["id"], content="I moved to Oslo.")
    bench.work()
    assert [memory(ada, one["id"])["validity"] for one in (town, drink, new)] == ["superseded", "superseded", "active"]
    assert memory(ada, new["id"])["supersedes_id"] == drink["id"]
    assert memory(ada, drink["id"])["supersedes_id"] == town["id"]


def test_somebody_elses_memory_is_never_replaced(bench: Workbench, ada: Person) -> None:
    eve = bench.person()
    written(eve, "I live in Rome.")
    bench.work()
    written(ada, "I moved to Oslo.")
    bench.work()
    assert validities(eve) == {"I live in Rome.": "active"}
