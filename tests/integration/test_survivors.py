"""P3: a forget takes everything made from its target, and nothing that stands on its own."""

from __future__ import annotations

import pytest

from tests.support.seeding import a_memory, a_summary
from tests.support.workbench import Person, Workbench


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def test_a_summary_goes_with_any_message_it_covers(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    turns = ada.say(conversation, ("Hello.", "Hi."), ("canary-secret plan", "I see."))
    a_summary(
        bench, ada, conversation, text="They spoke of a canary-secret.", covers=[i for turn in turns for i in turn]
    )
    assert "canary" in ada.get("/api/v1/memory/summary", conversation_id=conversation)["text"]

    ada.forget("message", message_id=turns[1][0])

    assert ada.get("/api/v1/memory/summary", conversation_id=conversation)["text"] == ""
    bench.work()
    assert bench.holds("canary") == []


def test_a_memory_with_another_source_is_learned_again_from_that_source(bench: Workbench, ada: Person) -> None:
    first, second = ada.conversation(), ada.conversation()
    [(one, _)] = ada.say(first, ("I live in Berlin, near canary-street.", "Nice."))
    [(two, _)] = ada.say(second, ("I live in Berlin.", "You said so."))
    bench.work_once(["episode.index"])
    with bench.database.begin() as tx:
        tx.run("delete from outbox")
    merged = a_memory(bench, ada, text="I live in Berlin, near canary-street.", sources=[one, two])
    assert len(ada.memories()) == 1

    operation = ada.forget("message", message_id=one, cascade=True)

    assert ada.memories() == []
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("canary-street") == []
    [again] = ada.get("/api/v1/memory/long_term")
    assert again["content"] == "I live in Berlin."
    assert again["id"] != str(merged)
    assert [source["message_id"] for source in again["sources"]] == [two]


def test_a_memory_whose_other_source_is_in_the_same_turn_is_not_learned_again(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, answer)] = ada.say(conversation, ("I live in Berlin.", "You live in Berlin."))
    with bench.database.begin() as tx:
        tx.run("delete from outbox")
    a_memory(bench, ada, text="I live in Berlin.", sources=[question, answer])
    ada.forget("message", message_id=answer)
    bench.work()
    assert ada.memories() == []


def test_supersession_by_a_forgotten_memory_is_undone(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(old, _), (new, _)] = ada.say(conversation, ("I am in Rome.", "ok"), ("I am in Oslo.", "ok"))
    with bench.database.begin() as tx:
        tx.run("delete from outbox")
    rome = a_memory(bench, ada, text="In Rome.", sources=[old])
    a_memory(bench, ada, text="In Oslo.", sources=[new], supersedes=rome)
    by_text = {memory["content"]: memory["validity"] for memory in ada.get("/api/v1/memory/long_term")}
    assert by_text == {"In Rome.": "superseded", "In Oslo.": "active"}
    assert ada.search("where are they?") == ["In Oslo."]

    ada.forget("message", message_id=new)

    assert {m["content"]: m["validity"] for m in ada.get("/api/v1/memory/long_term")} == {"In Rome.": "active"}
    bench.work()
    assert ada.search("where are they?") == ["In Rome."]


def test_a_hidden_memory_between_two_still_bridges_supersession(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    turns = ada.say(conversation, ("a", "1"), ("b", "2"), ("c", "3"))
    with bench.database.begin() as tx:
        tx.run("delete from outbox")
    first = a_memory(bench, ada, text="In Rome.", sources=[turns[0][0]])
    second = a_memory(bench, ada, text="In Oslo.", sources=[turns[1][0]], supersedes=first)
    a_memory(bench, ada, text="In Lima.", sources=[turns[2][0]], supersedes=second)

    ada.forget("message", message_id=turns[1][0])

    assert {m["content"]: m["validity"] for m in ada.get("/api/v1/memory/long_term")} == {
        "In Rome.": "superseded",
        "In Lima.": "active",
    }
    bench.work()
    assert {m["content"]: m["validity"] for m in ada.get("/api/v1/memory/long_term")} == {
        "In Rome.": "superseded",
        "In Lima.": "active",
    }


@pytest.mark.parametrize("scope", ["message", "conversation", "clear"])
def test_evidence_that_is_forgotten_leaves_what_it_supported_and_no_trace(bench: Workbench, scope: str) -> None:
    ada = bench.person()
    ada.say(ada.conversation(), ("I am allergic to peanuts.", "Noted."))
    bench.work()
    again = ada.conversation()
    [(question, _)] = ada.say(again, ("I am allergic to peanuts.", "I know."))
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term")
    assert question in {source["message_id"] for source in memory["sources"]}
    if scope == "clear":
        ada.post("/api/v1/clear", {"conversation_id": again}, status=202)
    else:
        ada.forget(scope, **({"message_id": question} if scope == "message" else {"conversation_id": again}))
    bench.work()
    [kept] = ada.get("/api/v1/memory/long_term")
    assert kept["id"] == memory["id"]
    assert question not in {source["message_id"] for source in kept["sources"]}
    assert bench.count("select count(*) from lineage where source_id = %(id)s", id=question) == 0
