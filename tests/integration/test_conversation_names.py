"""What another program calls a conversation, by which it finds it again whatever people call it (X-10)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.importing import brought, repacked
from tests.support.overlap import together
from tests.support.packages import packed
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

PATH = "/api/v1/conversations"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def opened(person: Person, **members: Any) -> Any:
    return person.bench.api.post(PATH, json=members, headers=person.headers)


def called(person: Person, external_id: str) -> list[dict[str, Any]]:
    answer = person.bench.api.get(PATH, params={"external_id": external_id}, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return list(answer.json())


def renamed(person: Person, conversation: str, title: str | None) -> None:
    answer = person.bench.api.patch(f"{PATH}/{conversation}", json={"title": title}, headers=person.headers)
    assert answer.status_code == 200, answer.text


def test_it_is_found_by_its_external_id_whatever_its_title_becomes(ada: Person) -> None:
    conversation = ada.conversation(title="Lunch", external_id="ticket-1")
    ada.conversation(title="ticket-1")
    for title in ("Dinner", None, "Supper"):
        renamed(ada, conversation, title)
        assert [(one["id"], one["title"], one["external_id"]) for one in called(ada, "ticket-1")] == [
            (conversation, title, "ticket-1")
        ]
    assert called(ada, "ticket-2") == called(ada.bench.person("eve"), "ticket-1") == []


def test_it_is_unique_among_a_persons_conversations(ada: Person) -> None:
    ada.conversation(external_id="ticket-1")
    assert_problem(opened(ada, external_id="ticket-1"), 409, "external_id_taken")
    assert opened(ada.bench.person("eve"), external_id="ticket-1").status_code == 201
    answers = together(ada, *[lambda: opened(ada, external_id="ticket-2")] * 2)
    assert sorted(one.status_code for one in answers) == [201, 409]


@pytest.mark.parametrize("external_id", ["", "x" * 501, 7, "my api key is sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7"])
def test_what_is_no_id_or_would_never_be_remembered_is_refused(ada: Person, external_id: object) -> None:
    assert opened(ada, external_id=external_id).status_code == 422
    assert ada.get(PATH) == []


def test_forgetting_the_conversation_erases_it_and_gives_it_free(bench: Workbench, ada: Person) -> None:
    first = ada.conversation(external_id="canary-external")
    ada.say(first, ("I keep bees.", "Noted."))
    assert bench.holds("canary-external") == ["conversations"]
    ada.forget("conversation", conversation_id=first)
    assert called(ada, "canary-external") == []
    bench.work()
    assert bench.holds("canary-external") == []
    assert opened(ada, external_id="canary-external").status_code == 201


def test_clearing_the_conversation_keeps_it(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(title="Lunch", external_id="ticket-1")
    ada.say(conversation, ("I keep bees.", "Noted."))
    ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)
    renamed(ada, conversation, "Dinner")
    bench.work()
    assert [(one["id"], one["title"]) for one in called(ada, "ticket-1")] == [(conversation, "Dinner")]


def test_a_forget_that_is_undone_brings_it_back_unless_another_has_it(bench: Workbench, ada: Person) -> None:
    first, second = ada.conversation(external_id="ticket-1"), ada.conversation(external_id="ticket-2")
    undoable = [ada.forget("conversation", conversation_id=one, undo_seconds=60) for one in (first, second)]
    other = ada.conversation(external_id="ticket-2")
    for operation in undoable:
        ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    assert [one["id"] for one in called(ada, "ticket-1")] == [first]
    assert [one["id"] for one in called(ada, "ticket-2")] == [other]
    assert {one["id"] for one in ada.get(PATH)} == {first, second, other}


def test_it_is_exported_and_imported_and_never_twice(bench: Workbench, ada: Person) -> None:
    ada.conversation(external_id="ticket-1")
    ada.conversation(title="Lunch", external_id="ticket-2")
    package = packed(ada).raw
    eve = bench.person("eve")
    own = eve.conversation(external_id="ticket-1")
    brought(eve, package)
    brought(eve, package)  # once more changes nothing
    assert len(eve.get(PATH)) == 3
    assert [one["id"] for one in called(eve, "ticket-1")] == [own]
    assert [one["title"] for one in called(eve, "ticket-2")] == ["Lunch"]


def test_an_import_keeps_no_id_that_would_never_be_remembered(bench: Workbench, ada: Person) -> None:
    ada.conversation(title="Lunch", external_id="ticket-1")
    secret = "my api key is sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7"

    def told(path: str, records: list[Any]) -> list[Any]:
        return [
            {**one, "external_id": secret} if "external_id" in one and "next_seq" in one else one for one in records
        ]

    eve = bench.person("eve")
    brought(eve, repacked(packed(ada), told))
    assert [(one["title"], one["external_id"]) for one in eve.get(PATH)] == [("Lunch", None)]
    assert bench.holds("sk-proj-") == []
