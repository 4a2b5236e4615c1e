"""Turns become episodes and memories: what is written where, and what never is."""

from __future__ import annotations

from uuid import UUID

import pytest

from shared.conversations.derive import queue_derivations
from shared.kernel import subjects
from shared.lineage.sql import vector_keys
from shared.outbox.job_kinds import INDEX_EPISODE
from shared.stores.port import StoreUnavailable
from tests.support.pages import pages
from tests.support.workbench import TASKS, Person, Workbench


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def test_a_completed_turn_becomes_one_episode_with_both_sides_filled_in(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, answer)] = ada.say(conversation, ("Where is my umbrella? 我的伞呢?", "By the door 🚪"))
    bench.work()
    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert (episode["user_message_id"], episode["assistant_message_id"]) == (question, answer)
    assert (episode["user_message"], episode["assistant_message"]) == (
        "Where is my umbrella? 我的伞呢?",
        "By the door 🚪",
    )
    [key] = bench.process.episodes.keys(bench.namespace(ada))
    with bench.database.begin() as tx:
        assert vector_keys.visible(tx, [key]) == {key: ("episode", UUID(episode["id"]))}


def test_an_episode_tells_when_it_was_said(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    turn = [
        {"role": "user", "content": "Where is my umbrella?", "spoken_at": "2021-03-04T05:06:07Z"},
        {"role": "assistant", "content": "By the door.", "spoken_at": "2021-03-04T05:06:09Z"},
    ]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": turn})
    bench.work()
    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert episode["spoken_at"] == "2021-03-04T05:06:07Z"
    assert episode["created_at"] > "2025"


def test_episodes_are_listed_as_they_were_said_whichever_was_made_first(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    said = ["Where is my umbrella?", "Where are my keys?", "Where is my hat?"]
    ada.say(conversation, *((question, "By the door.") for question in said))
    for row, _ in reversed(bench.due([INDEX_EPISODE])):
        TASKS["indexer"](outbox_ids=[row])

    listed = list(pages(ada, "/api/v1/memory/episodes", conversation_id=conversation, limit=2))

    assert [[one["user_message"] for one in page] for page in listed] == [said[:0:-1], said[:1]]


def test_delivering_a_turn_twice_makes_one_episode_and_no_double_memory(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I live in Berlin.", "Nice."))
    bench.work()
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, ada.user_id)
        queue_derivations(tx, subject, UUID(conversation), 1)
    bench.work()
    assert len(ada.get("/api/v1/memory/episodes", conversation_id=conversation)) == 1
    assert ada.memories() == ["I live in Berlin."]
    assert len(bench.process.mem0.keys(bench.namespace(ada))) == 1


def test_recall_stays_inside_the_conversation(bench: Workbench, ada: Person) -> None:
    one, other = ada.conversation(), ada.conversation()
    ada.say(one, ("The red key opens the shed.", "Understood."))
    ada.say(other, ("The blue key opens the attic.", "Understood."))
    bench.work()
    asked = {"query": "which key opens the shed?", "conversation_id": one}
    found = ada.post("/api/v1/memory/search", asked, status=200)["items"]
    moments = [item["content"] for item in found if item["kind"] == "episode"]
    assert any("red key" in text for text in moments)
    assert not any("blue key" in text for text in moments)


def test_every_memory_names_its_message_its_quote_and_its_mem0_id(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    said = "By the way, I'm allergic to peanuts, and 我住在上海。"
    [(question, _)] = ada.say(conversation, (said, "Noted."))
    bench.work()
    stored = ada.get("/api/v1/memory/long_term")
    assert len(stored) == 2
    for memory in stored:
        [source] = memory["sources"]
        assert source["message_id"] == question
        assert said[source["quote_start"] : source["quote_end"]] == source["quote"]
        assert memory["content"].rstrip("。.") in source["quote"]
    taboo = next(memory for memory in stored if "peanuts" in memory["content"])
    assert (taboo["taboo"], taboo["content_type"]) == (True, "constraint")
    mapped = bench.count(
        "select count(*) from mem0_mapping where source_message_id = %(m)s and user_id = %(u)s",
        m=UUID(question),
        u=ada.user_id,
    )
    assert mapped == 2
    keys = bench.process.mem0.keys(bench.namespace(ada))
    with bench.database.begin() as tx:
        assert {row["pk"] for row in tx.rows("select mem0_memory_id as pk from mem0_mapping")} == keys


def test_an_explicit_wish_to_remember_is_stated_not_extracted(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("Remember that the wifi code is on the fridge.", "OK"), ("记住我周三要交报告。", "好的"))
    bench.work()
    assert {memory["origin"] for memory in ada.get("/api/v1/memory/long_term")} == {"stated"}


def test_a_memory_of_a_project_stays_in_the_project(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(project_id="apollo")
    ada.say(conversation, ("I prefer tabs over spaces.", "Noted."))
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term", scope="project", project_id="apollo")
    assert memory["content"] == "I prefer tabs over spaces."
    assert ada.search("tabs or spaces?", project_id="apollo") == ["I prefer tabs over spaces."]
    assert ada.search("tabs or spaces?", project_id="gemini") == []
    assert ada.search("tabs or spaces?") == []
    assert "I prefer tabs over spaces." in ada.search("tabs or spaces?", conversation_id=conversation)


def test_search_without_a_vector_store_answers_from_postgres_and_says_why(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.say(ada.conversation(), ("I live in Berlin.", "Nice."))
    bench.work()

    def away(*_: object, **__: object) -> None:
        raise StoreUnavailable("milvus")

    monkeypatch.setattr("shared.stores.mem0_collections.NearestMemories.nearest", away)
    found = ada.post("/api/v1/memory/search", {"query": "where do I live?"}, status=200)
    assert [item["content"] for item in found["items"]] == ["I live in Berlin."]
    assert (found["mode"], found["diagnostics"]["reasons"]) == (
        "deterministic",
        ["no_conversation", "milvus_unavailable"],
    )
