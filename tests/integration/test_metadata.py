"""What another program keeps with a memory, and what it calls it: filtered by, exported and erased with it (X-10)."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from shared.recall import hints
from shared.recall.queries.among import AMONG_MAX
from shared.recall.stores import Stores
from shared.stores.port import StoreUnavailable
from tests.support.importing import brought
from tests.support.memories import LONG_TERM, deleted, memory, patched, written
from tests.support.overlap import together
from tests.support.packages import packed
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

CRM = {"source": "crm", "priority": 2, "open": True, "share": 0.5}
SEARCH = "/api/v1/memory/search"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def listed(person: Person, **query: Any) -> list[str]:
    answer = person.bench.api.get(LONG_TERM, params=query, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return [one["content"] for one in answer.json()]


def found(person: Person, question: str, **metadata: Any) -> list[str]:
    answer = person.bench.api.post(SEARCH, json={"query": question, "metadata": metadata}, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return [one["content"] for one in answer.json()["items"]]


def no_answer(*_: object, **__: object) -> None:
    raise StoreUnavailable("milvus")


def refused(person: Person, **members: Any) -> Any:
    return person.bench.api.post(LONG_TERM, json={"content": "x", **members}, headers=person.headers)


def test_metadata_and_an_external_id_are_kept_and_carried_over_by_edits(ada: Person) -> None:
    made = written(ada, "I cycle to work.", metadata=CRM, external_id="crm/17")
    assert (memory(ada, made["id"])["metadata"], made["external_id"]) == (CRM, "crm/17")

    reworded = patched(ada, made["id"], {"content": "I walk to work."}).json()
    assert (reworded["metadata"], reworded["external_id"]) == (CRM, "crm/17")
    changed = patched(ada, reworded["id"], {"metadata": {"source": "form"}}).json()
    assert (changed["content"], changed["metadata"], changed["supersedes_id"]) == (
        "I walk to work.",
        {"source": "form"},
        reworded["id"],
    )
    without = patched(ada, changed["id"], {"metadata": None, "external_id": None}).json()
    assert (without["metadata"], without["external_id"]) == (None, None)
    assert listed(ada, external_id="crm/17") == []


def test_lists_and_searches_are_narrowed_by_all_of_the_metadata(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(ada, "I cycle to work.", metadata=CRM)
    written(ada, "I cycle on Sundays.", metadata={"source": "form", "priority": 2})
    written(ada, "I cycle in Berlin.")
    bench.work()

    assert listed(ada, metadata=json.dumps({"priority": 2})) == ["I cycle on Sundays.", "I cycle to work."]
    assert listed(ada, metadata=json.dumps({"priority": 2, "source": "crm"})) == ["I cycle to work."]
    assert listed(ada, metadata=json.dumps({"priority": "2"})) == []
    assert found(ada, "cycle", source="form") == ["I cycle on Sundays."]
    assert set(found(ada, "cycle", priority=2)) == {"I cycle to work.", "I cycle on Sundays."}
    assert found(ada, "cycle", source="nowhere") == []
    monkeypatch.setattr(Stores, "ask", no_answer)
    assert found(ada, "cycle", source="form") == ["I cycle on Sundays."], "also by words only"
    assert found(bench.person("grace"), "cycle", source="form") == []


def test_a_filtered_search_is_not_starved_by_other_memories(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "MEMORIES", 6)
    written(ada, "My boat is called Nordlys.", metadata={"source": "club"})
    for number in range(10):
        written(ada, f"Boat number {number} sails on lake {number}.")
    bench.work()
    assert found(ada, "Which boats are on the lake?", source="club") == ["My boat is called Nordlys."]


def test_a_search_is_narrowed_by_type_time_and_conversation(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "MEMORIES", 6)
    talk = ada.conversation()
    ada.say(talk, ("I'm allergic to bee stings.", "Noted."))
    for number in range(10):
        written(ada, f"Bee {number} stings.", content_type="note")
    bench.work()
    [learned] = ada.get(LONG_TERM, origin="extracted")
    kind = learned["content_type"]

    def ids(**narrowed: str) -> list[str]:
        return [one["id"] for one in ada.post(SEARCH, {"query": "bees", **narrowed}, status=200)["items"]]

    at = datetime.fromisoformat(learned["created_at"])
    assert ids(content_type=kind) == ids(learned_in=talk) == [learned["id"]]
    assert learned["id"] in ids(created_after=learned["created_at"], content_type=kind)
    assert ids(created_before=learned["created_at"], content_type=kind) == []
    assert ids(created_after=(at + timedelta(microseconds=1)).isoformat(), content_type=kind) == []
    assert_problem(
        ada.bench.api.post(SEARCH, json={"query": "bees", "learned_in": str(uuid4())}, headers=ada.headers),
        404,
        "not_found",
    )


def test_the_vector_store_is_asked_for_thousands_of_keys(bench: Workbench, ada: Person) -> None:
    written(ada, "I cycle to work.", metadata=CRM)
    bench.work()
    with bench.database.begin() as tx:
        [key] = [row["pk"] for row in tx.rows("select pk from visible_vectors where item_kind = 'memory'")]
    stores: Stores = bench.api.app.state.stores  # type: ignore[attr-defined]
    among = [*(uuid4() for _ in range(AMONG_MAX - 1)), key]
    hits = stores.memories.nearest(bench.namespace(ada), stores.query_vector("cycling"), limit=60, among=among)
    assert [hit.key for hit in hits] == [key]


def test_an_external_id_names_one_memory_in_force(ada: Person) -> None:
    made = written(ada, "I cycle to work.", external_id="commute")
    assert_problem(refused(ada, external_id="commute"), 409, "external_id_taken")
    other = written(ada, "I like tea.")
    assert_problem(patched(ada, other["id"], {"external_id": "commute"}), 409, "external_id_taken")
    assert listed(ada, external_id="commute") == ["I cycle to work."]

    patched(ada, made["id"], {"content": "I walk to work."})
    assert listed(ada, external_id="commute") == ["I walk to work."], "never what it was before"
    assert written(ada.bench.person("grace"), "I swim.", external_id="commute")["external_id"] == "commute"


def test_a_forgotten_memory_gives_its_external_id_free_at_once(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to work.", external_id="commute")
    deleted(ada, made["id"])
    assert listed(ada, external_id="commute") == []
    again = written(ada, "I walk to work.", external_id="commute")
    bench.work()
    assert listed(ada, external_id="commute") == ["I walk to work."]
    assert memory(ada, again["id"])["external_id"] == "commute"


def test_of_two_at_once_one_gets_the_external_id(bench: Workbench, ada: Person) -> None:
    written(ada, "I like tea.")
    answers = together(ada, *[lambda: refused(ada, external_id="commute")] * 2)
    assert sorted(one.status_code for one in answers) == [201, 409]


def test_after_a_forget_no_table_holds_them(bench: Workbench, ada: Person) -> None:
    made = written(ada, "I cycle to work.", metadata={"note": "canary-metadata"}, external_id="canary-external")
    edited = patched(ada, made["id"], {"content": "I walk to work."}).json()
    assert bench.holds("canary-metadata") == bench.holds("canary-external") == ["memory_contents"]
    deleted(ada, edited["id"])
    bench.work()
    assert bench.holds("canary-metadata") == bench.holds("canary-external") == []


@pytest.mark.parametrize(
    "metadata",
    [
        "text",
        ["a"],
        {"nested": {"a": 1}},
        {"list": [1]},
        {"none": None},
        {"": 1},
        {"with space": 1},
        {"1first": 1},
        {"x" * 65: 1},
        {"big": "x" * 2_000},
        {"wide": "\u4e2d" * 700},
        {"big": 2**53 + 2},
        {"big": 1e300},
        {"small": 1e-300},
        {"big": 10**1_000},
    ],
)
def test_other_metadata_is_refused(ada: Person, metadata: Any) -> None:
    assert_problem(refused(ada, metadata=metadata), 422, "validation_failed")
    text = json.dumps(metadata)
    answer = ada.bench.api.get(LONG_TERM, params={"metadata": text}, headers=ada.headers)
    assert_problem(answer, 422, "validation_failed")
    assert ada.memories() == []


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 1_900, '{"a": NaN}', "null", "{}x", '{"a": "\\u0000"}', '{"a": "\\ud800"}']
)
def test_a_filter_that_is_no_metadata_is_refused(ada: Person, text: str) -> None:
    answer = ada.bench.api.get(LONG_TERM, params={"metadata": text}, headers=ada.headers)
    assert_problem(answer, 422, "validation_failed")


def said_with(person: Person, metadata: Any, text: str = "I'm allergic to peanuts.") -> Any:
    messages = [{"role": "user", "content": text, "metadata": metadata}, {"role": "assistant", "content": "Noted."}]
    body = {"conversation_id": person.conversation(), "messages": messages}
    return person.bench.api.post("/api/v1/messages", json=body, headers=person.headers)


def test_what_is_learned_from_a_message_has_its_metadata(bench: Workbench, ada: Person) -> None:
    message = said_with(ada, {"note": "canary-metadata", "priority": 2}).json()["messages"][0]["id"]
    ada.say(ada.conversation(), ("I live in Oslo.", "Noted."))
    bench.work()
    assert listed(ada, metadata=json.dumps({"priority": 2})) == ["I'm allergic to peanuts."]
    kept = {"note": "canary-metadata", "priority": 2}
    assert ada.get(f"/api/v1/messages/{message}")["metadata"] == kept
    package = packed(ada).raw

    ada.forget("message", message_id=message)
    bench.work()
    assert bench.holds("canary-metadata") == []
    assert ada.memories() == ["I live in Oslo."]

    grace = bench.person("grace")
    brought(grace, package)
    bench.work()
    assert listed(grace, metadata=json.dumps({"priority": 2})) == ["I'm allergic to peanuts."]
    conversations = [one["id"] for one in grace.get("/api/v1/conversations")]
    brought_back = [
        one["metadata"] for id_ in conversations for one in grace.get("/api/v1/messages", conversation_id=id_)
    ]
    assert [one for one in brought_back if one] == [kept]


def test_when_a_part_of_a_message_is_forgotten_its_metadata_goes(bench: Workbench, ada: Person) -> None:
    message = said_with(ada, {"note": "canary-note"}, "I drive a canary-Skoda and I work at the zoo.").json()[
        "messages"
    ][0]
    bench.work()
    assert "canary-note" in str(ada.get(LONG_TERM))
    found = ada.post("/api/v1/memory/forget/find", {"description": "everything about canary-Skoda"}, status=200)
    ada.post("/api/v1/memory/forget", {"scope": "selection", "token": found["token"]}, status=202)
    bench.work()

    left = ada.get(f"/api/v1/messages/{message['id']}")
    assert ("canary" in left["content"], "zoo" in left["content"], left["metadata"]) == (False, True, None)
    assert bench.holds("canary-note") == bench.holds("canary-Skoda") == []


def test_a_description_means_a_messages_metadata_too(bench: Workbench, ada: Person) -> None:
    said_with(ada, {"customer": "Acme"}, "What is two plus two?")
    ada.say(ada.conversation(), ("I live in Oslo.", "Noted."))
    bench.work()
    found = ada.post("/api/v1/memory/forget/find", {"description": "everything about Acme"}, status=200)
    assert [(one["kind"], one["content"]) for one in found["candidates"]] == [("message", "What is two plus two?")]
    ada.post("/api/v1/memory/forget", {"scope": "selection", "token": found["token"]}, status=202)
    bench.work()
    assert bench.holds("Acme") == []


def test_who_completes_a_message_may_say_its_metadata(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()

    def recorded(**members: Any) -> str:
        message = {"role": "user", "client_message_id": "a", **members}
        body = {"conversation_id": conversation, "messages": [message]}
        return str(ada.post("/api/v1/messages", body)["messages"][0]["id"])

    first = recorded(content="I live", completed=False, metadata={"agent": "a"})
    assert recorded(content="I live in Oslo.", metadata={"agent": "b"}) == first
    assert ada.get(f"/api/v1/messages/{first}")["metadata"] == {"agent": "b"}
    other = {"client_message_id": "b"}
    second = recorded(content="I keep", completed=False, metadata={"agent": "a"}, **other)
    assert recorded(content="I keep bees.", **other) == second
    assert ada.get(f"/api/v1/messages/{second}")["metadata"] == {"agent": "a"}


def test_a_messages_metadata_is_checked_and_what_is_sensitive_is_not_learned(bench: Workbench, ada: Person) -> None:
    for metadata in ({"nested": {"a": 1}}, {"big": "x" * 2_000}, {"with space": 1}, "text"):
        assert_problem(said_with(ada, metadata), 422, "validation_failed")
    said_with(ada, {"mail": "ada@example.com", "source": "crm"})
    said_with(ada, {"password": "hunter2-Xy9!"}, "I live in Oslo.")
    said_with(ada, {"password": "hunter2-Xy9!", "source": "crm"}, "I row on Sundays.")
    said_with(ada, {}, "I keep bees.")
    bench.work()
    learned = {one["content"]: one["metadata"] for one in ada.get(LONG_TERM)}
    assert learned == {
        "I'm allergic to peanuts.": {"mail": "[email]", "source": "crm"},
        "I live in Oslo.": None,
        "I row on Sundays.": {"source": "crm"},
        "I keep bees.": None,
    }


def test_what_is_sensitive_is_not_kept_in_metadata_either(ada: Person) -> None:
    made = written(ada, "I have a card.", metadata={"mail": "ada@example.com", "source": "crm"})
    assert made["metadata"] == {"mail": "[email]", "source": "crm"}
    assert made["withheld"] == ["email"]
    answer = refused(ada, metadata={"password": "hunter2-Xy9!"})
    assert_problem(answer, 422, "sensitive_content")


def test_an_external_id_is_no_place_for_what_is_never_remembered(ada: Person) -> None:
    assert_problem(refused(ada, external_id="mail ada@example.com"), 422, "sensitive_content")
    made = written(ada, "I have a card.")
    assert_problem(patched(ada, made["id"], {"external_id": "password: hunter2-Xy9!"}), 422, "sensitive_content")


def test_of_two_brought_back_under_one_name_both_can_be_edited(bench: Workbench, ada: Person) -> None:
    first = written(ada, "I cycle to work.", external_id="commute")
    operation = deleted(ada, first["id"], undo_seconds=60).json()["op_id"]
    second = written(ada, "I walk to work.", external_id="commute")
    assert bench.api.post(f"/api/v1/memory/ops/{operation}/cancel", headers=ada.headers).status_code == 200
    assert listed(ada, external_id="commute") == ["I walk to work.", "I cycle to work."]
    older = patched(ada, first["id"], {"content": "I cycle on Mondays."}).json()
    assert (older["external_id"], memory(ada, second["id"])["external_id"]) == (None, "commute")
    assert_problem(patched(ada, older["id"], {"external_id": "commute"}), 409, "external_id_taken")


def test_a_change_of_metadata_is_one_only_if_it_changes(ada: Person) -> None:
    made = written(ada, "I cycle to work.", metadata={"open": 1})
    assert patched(ada, made["id"], {"metadata": {"open": 1}}).json()["id"] == made["id"]
    changed = patched(ada, made["id"], {"metadata": {"open": True}}).json()
    assert (changed["id"] != made["id"], changed["metadata"]) == (True, {"open": True})
    bare = patched(ada, changed["id"], {"metadata": {}}).json()
    assert (bare["metadata"], patched(ada, bare["id"], {"metadata": {}}).json()["id"]) == (None, bare["id"])


def test_what_stands_for_something_withheld_never_makes_metadata_too_long(ada: Person) -> None:
    made = written(ada, "I have friends.", metadata={"friends": "a@b.co " * 270, "source": "crm"})
    assert len(json.dumps(made["metadata"])) <= 2_000


def test_a_description_means_metadata_too(bench: Workbench, ada: Person) -> None:
    written(ada, "Prefers short answers.", metadata={"customer": "Acme"})
    written(ada, "Prefers long walks.", external_id="nordlys-walks")
    bench.work()
    for description, content in (
        ("everything about Acme", "Prefers short answers."),
        ("Nordlys", "Prefers long walks."),
    ):
        found = ada.post("/api/v1/memory/forget/find", {"description": description}, status=200)
        assert [one["content"] for one in found["candidates"]] == [content]
