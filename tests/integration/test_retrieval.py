"""Words, vectors, names, dates and tasks find what a question is about; only what may be read is ever given (LT-06)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

import pytest
from fastapi import FastAPI
from sqlalchemy import event

from shared.erasure.rebuild import rebuild_read_models
from shared.erasure.sql import purging
from shared.erasure.sql.purging import rewrite_tables
from shared.kernel import subjects
from shared.kernel.events import MemoryArchived
from shared.memories.change import change_memory
from shared.memories.sql import memories
from shared.recall.rules import ranking
from shared.recall.stores import Stores
from shared.stores.mem0_collections import NearestMemories
from shared.stores.milvus import EpisodeStore
from shared.stores.port import StoreUnavailable
from tests.support.memories import deleted, edited, patched, written
from tests.support.workbench import Person, Workbench

RECALL, SEARCH, FORGET = "/api/v1/recall", "/api/v1/memory/search", "/api/v1/memory/forget"
CANARY = "canary-Zanzibar"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def no_vectors(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Take Milvus away from recall, and from nobody else."""

    def take_away() -> None:
        def away(*_: object, **__: object) -> None:
            raise StoreUnavailable("milvus")

        monkeypatch.setattr(Stores, "ask", away)

    return take_away


Items = list[dict[str, Any]]


def recall(person: Person, question: str, conversation: str | None = None, **more: Any) -> Items:
    """Return what is retrieved for a question, best first."""
    body = {"query": question, "conversation_id": conversation, "layers": ["retrieved"], **more}
    items: Items = person.post(RECALL, body, status=200)["items"]
    return items


def search(person: Person, question: str, conversation: str | None = None) -> Items:
    items: Items = person.post(SEARCH, {"query": question, "conversation_id": conversation}, status=200)["items"]
    return items


def episodes(items: Items) -> Items:
    return [item for item in items if item["kind"] == "episode"]


def part(item: dict[str, Any], name: str) -> float:
    """Return one part of what an item is worth."""
    return float(item["score"]["parts"][name])


def contents(items: Items) -> list[str]:
    return [item["content"] for item in items]


def told(person: Person, conversation: str, *messages: dict[str, Any]) -> list[str]:
    """Record completed messages with names and times; return their ids."""
    recorded = person.post("/api/v1/messages", {"conversation_id": conversation, "messages": list(messages)})
    return [message["id"] for message in recorded["messages"]]


def a_turn(said: str, answer: str = "Noted.", **more: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": said, **more}, {"role": "assistant", "content": answer}]


def terms_of(bench: Workbench) -> tuple[int, int]:
    """Return how many messages and memories can be found by their words."""
    return bench.count("select count(*) from message_terms"), bench.count("select count(*) from memory_terms")


def test_what_was_found_says_how_near_in_meaning_it_is(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("My cat is called Miso.", "A fine name."), ("The tax office opens at nine.", "Noted."))
    bench.work()
    question = {"query": "What is the name of my cat?", "conversation_id": conversation}

    found = ada.post("/api/v1/memory/episodes/search", question, status=200)

    assert [one["user_message"] for one in found] == ["My cat is called Miso.", "The tax office opens at nine."]
    assert 1 >= found[0]["similarity"] > found[1]["similarity"] > 0
    searched = ada.post("/api/v1/memory/search", question, status=200)["items"]
    assert {one["id"]: one["similarity"] for one in searched if one["kind"] == "episode"} == {
        one["id"]: one["similarity"] for one in found
    }
    assert all(0 < one["similarity"] <= 1 for one in searched)
    listed = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert {one["similarity"] for one in listed} == {None}, "nothing was asked"


def test_a_rare_word_finds_what_vectors_rank_behind_its_likes(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("Wachowiak again.", "Hm."))
    for colour in ("blue", "red", "green", "grey", "white", "black", "pink"):
        ada.say(conversation, (f"Where is the {colour} parcel now?", "The parcel is at the post office."))
    bench.work()

    [first, *others] = episodes(recall(ada, "Where is the parcel? And Wachowiak?", conversation))

    assert "Wachowiak" in first["content"]
    assert part(first, "lexical") > max(part(one, "lexical") for one in others)
    assert part(first, "semantic") < max(part(one, "semantic") for one in others), "not the first one by meaning"
    assert first["reason_code"] == "lexical"


def test_chinese_words_find_as_english_ones_do(bench: Workbench, ada: Person, no_vectors: Callable[[], None]) -> None:
    conversation = ada.conversation()
    ada.say(
        conversation, ("我的牙醫在臺北車站旁邊。", "记下了。"), ("我用iPhone手机拍照。", "好的。"), ("你好。", "你好！")
    )
    bench.work()
    no_vectors()

    for question, word in (("牙医在哪里？", "牙醫"), ("我的手机是什么？", "手机"), ("which IPHONE?", "手机")):
        assert word in episodes(search(ada, question, conversation))[0]["content"], question
    assert episodes(search(ada, "什么时候？", conversation)) == []


def test_what_was_said_beside_the_words_is_found_too(
    bench: Workbench, ada: Person, no_vectors: Callable[[], None]
) -> None:
    conversation = ada.conversation()
    ada.say(
        conversation,
        ("Good morning to you.", "Good morning."),
        ("We bought a bird.", "What is the parrot called?"),
        ("Kiwi, since yesterday.", "Lovely."),
        ("It rains.", "It does."),
        ("Still raining.", "Yes."),
    )
    bench.work()
    no_vectors()

    [bird, kiwi] = episodes(search(ada, "parrot", conversation))

    assert ("parrot" in bird["content"], "Kiwi" in kiwi["content"]) == (True, True)
    assert bird["score"] > kiwi["score"] > 0


def test_who_is_asked_about_by_name_comes_first(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    for name in ("Bea", "Carl", "李雷"):
        told(ada, conversation, *a_turn("I planted tomatoes on the balcony.", name=name))
    bench.work()

    for question, name in (
        ("What did Bea plant?", "Bea"),
        ("what did CARL's tomatoes do?", "Carl"),
        ("李雷种了番茄 tomatoes 吗", "李雷"),
    ):
        [first, *others] = episodes(recall(ada, question, conversation))
        assert f"({name})" in first["content"], question
        assert part(first, "name") == pytest.approx(ranking.SPEAKER)
        assert {part(one, "name") for one in others} == {0}
    for question in ("What did Bea and Carl plant?", "What did the beagle plant?", "What was planted?"):
        assert {part(one, "name") for one in episodes(recall(ada, question, conversation))} == {0}


def test_what_was_said_at_the_time_asked_for_comes_first(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    for day in ("2023-03-10", "2023-05-07", "2023-08-21", "2023-10-22"):
        told(ada, conversation, *a_turn("I went hiking again.", spoken_at=f"{day}T10:00:00Z"))
    bench.work()

    for question, day in (
        ("Where did I go hiking in May 2023?", "2023-05-07"),
        ("hiking on 21 August, 2023", "2023-08-21"),
        ("我2023年10月22日去 hiking 了吗", "2023-10-22"),
        ("二〇二三年三月十日的 hiking", "2023-03-10"),
    ):
        [first, *others] = episodes(recall(ada, question, conversation))
        assert first["provenance"]["at"].startswith(day), question
        assert part(first, "date") == pytest.approx(ranking.DATE)
        assert all(part(one, "date") < ranking.DATE for one in others)


def test_a_memory_made_for_the_task_at_hand_comes_first(bench: Workbench, ada: Person) -> None:
    for hint in ("weekly report", "trip to Tokyo", "写周报"):
        written(ada, "The tables should be short.", content_type="fact", task_hint=hint)
    bench.work()

    for task, hint in (
        ("the weekly reports", "weekly report"),
        ("plan a Tokyo trip", "trip to Tokyo"),
        ("帮我写周报", "写周报"),
    ):
        [first, *others] = recall(ada, "How should tables be?", task=task)
        assert first["task_hint"] == hint
        assert part(first, "task") > max(part(one, "task") for one in others)
    assert {part(one, "task") for one in recall(ada, "How should tables be?")} == {0}


@pytest.mark.parametrize("with_vectors", [True, False])
def test_another_projects_memories_are_never_given(
    bench: Workbench, ada: Person, no_vectors: Callable[[], None], *, with_vectors: bool
) -> None:
    for project in ("apollo", "gemini"):
        written(ada, f"{project}: deploy on Fridays.", content_type="fact", scope="project", project_id=project)
    written(ada, "everywhere: deploy on Mondays.", content_type="fact")
    bench.work()
    if not with_vectors:
        no_vectors()

    for project, given in (
        ("apollo", {"apollo", "everywhere"}),
        ("gemini", {"gemini", "everywhere"}),
        (None, {"everywhere"}),
    ):
        for path in (RECALL, SEARCH):
            items = ada.post(path, {"query": "deploy on Fridays", "project_id": project}, status=200)["items"]
            assert {one["content"].split(":")[0] for one in items} == given, (project, path)


@pytest.mark.parametrize("with_vectors", [True, False])
def test_nothing_of_another_conversation_or_person_is_ever_given(
    bench: Workbench, ada: Person, no_vectors: Callable[[], None], *, with_vectors: bool
) -> None:
    lin = bench.person()
    here, there, lins = ada.conversation(), ada.conversation(), lin.conversation()
    ada.say(here, ("The hotel was quiet.", "Good."))
    ada.say(there, (f"The hotel was in {CANARY}.", "Nice."))
    lin.say(lins, (f"My hotel was in {CANARY} too.", "Oh."))
    bench.work()
    assert [CANARY in one for one in contents(recall(ada, CANARY, there))][:1] == [True]
    if not with_vectors:
        no_vectors()

    assert episodes(search(ada, "hotel", here)) != []
    for question in (CANARY, f"hotel {CANARY}", "hotel"):
        for path in (RECALL, SEARCH):
            body = {"query": question, "conversation_id": here}
            answer = ada.post(path, body, status=200)
            assert not any(one["kind"] == "episode" and CANARY in one["content"] for one in answer["items"])
            assert "too" not in str(answer["items"])
    assert not any(CANARY in one for one in contents(recall(lin, "hotel")) if "too" not in one)


def test_a_layer_that_is_switched_off_is_not_even_searched(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I cycle to the lighthouse.", "Nice."))
    written(ada, "I cycle to work.", content_type="fact")
    bench.work()
    asked: list[str] = []
    for store, real in ((EpisodeStore, EpisodeStore.search), (NearestMemories, NearestMemories.nearest)):

        def asking(*arguments: Any, _real: Any = real, _name: str = real.__name__, **more: Any) -> Any:
            asked.append(_name)
            return _real(*arguments, **more)

        monkeypatch.setattr(store, real.__name__, asking)

    def kinds(path: str, **switches: bool) -> tuple[set[str], list[str]]:
        everything = {"episodic_enabled": True, "longterm_enabled": True, "injection_enabled": True}
        answer = bench.api.patch("/api/v1/memory/settings", json=everything | switches, headers=ada.headers)
        assert answer.status_code == 200
        asked.clear()
        found = ada.post(path, {"query": "where do I cycle?", "conversation_id": conversation}, status=200)["items"]
        return {one["kind"] for one in found}, sorted(asked)

    for path in (RECALL, SEARCH):
        assert kinds(path) == ({"memory", "episode"} if path == SEARCH else {"memory"}, ["nearest", "search"])
        assert kinds(path, episodic_enabled=False) == ({"memory"}, ["nearest"])
        assert kinds(path, longterm_enabled=False) == ({"episode"} if path == SEARCH else set(), ["search"])
        assert kinds(path, injection_enabled=False) == (set(), [])


@pytest.mark.parametrize("with_vectors", [True, False])
def test_what_rests_is_never_given(
    bench: Workbench, ada: Person, no_vectors: Callable[[], None], *, with_vectors: bool
) -> None:
    def fact(content: str) -> str:
        return str(written(ada, content, content_type="fact")["id"])

    paused, archived = fact("The shed's spare key hangs in the hall."), fact("Bea lost the spare key of her locker.")
    kept, superseded = fact("The spare key of the car is under the mat."), fact("Ann has our spare key of the flat.")
    bench.work()
    assert patched(ada, paused, {"disabled": True}).status_code == 200
    successor = edited(ada, superseded, content="Bob has our spare key of the flat.")
    with bench.database.begin() as tx:
        subject = subjects.find_or_create(tx, ada.user_id)
        memory = memories.for_change(tx, subject, UUID(archived))
        assert memory is not None
        change_memory(tx, subject, UUID(archived), memory, MemoryArchived(), actor="test")
    bench.work()
    if not with_vectors:
        no_vectors()

    for path in (RECALL, SEARCH):
        items = ada.post(path, {"query": "Where is the spare key under the mat?"}, status=200)["items"]
        assert {one["id"] for one in items} == {kept, successor["id"]}, path
    assert kept in {one["id"] for one in recall(ada, "spare key")}


FORGETS: dict[str, Callable[[Person, str, str], str]] = {
    "message": lambda ada, _, message: ada.forget("message", message_id=message),
    "turn": lambda ada, _, message: ada.forget("message", message_id=message, cascade=True),
    "conversation": lambda ada, conversation, _: ada.forget("conversation", conversation_id=conversation),
    "user": lambda ada, *_: ada.forget("user"),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("with_vectors", [True, False])
@pytest.mark.parametrize("scope", FORGETS)
def test_what_is_forgotten_is_not_found_from_the_202_on_and_then_its_words_are_gone(
    bench: Workbench, ada: Person, no_vectors: Callable[[], None], scope: str, *, with_vectors: bool
) -> None:
    conversation = ada.conversation()
    [(message, _), _] = ada.say(conversation, (f"I live in {CANARY}.", "Nice."), ("I work at the zoo.", "Fine."))
    bench.work()
    assert terms_of(bench) == (4, 2)
    assert any(CANARY in one for one in contents(recall(ada, "Where do I live?", conversation)))
    if not with_vectors:
        no_vectors()

    operation = FORGETS[scope](ada, conversation, message)

    for question in (CANARY, "Where do I live?"):
        more = {"conversation_id": conversation} if scope in ("message", "turn") else {}
        for path in (RECALL, SEARCH):
            answer = ada.post(path, {"query": question, **more}, status=200)
            assert CANARY not in str(answer["items"])
            assert CANARY not in str(answer.get("prompt", ""))
            left = {"I work at the zoo."} if scope in ("message", "turn") else set()
            assert {one["content"] for one in answer["items"] if one["kind"] == "memory"} == left
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert terms_of(bench) == {"message": (3, 1), "turn": (2, 1)}.get(scope, (0, 0))


def test_a_forgotten_memory_takes_its_words_along(bench: Workbench, ada: Person) -> None:
    memory = written(ada, f"I live in {CANARY}.", content_type="fact")["id"]
    written(ada, "I work at the zoo.", content_type="fact")
    bench.work()
    assert terms_of(bench) == (0, 2)

    assert deleted(ada, memory).status_code == 202
    assert CANARY not in str(recall(ada, CANARY))
    bench.work()

    assert terms_of(bench) == (0, 1)


def test_of_a_message_half_of_which_was_forgotten_the_other_half_is_found(
    bench: Workbench, ada: Person, no_vectors: Callable[[], None]
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I drive a canary-Skoda and I work at the zoo.", "OK."), ("Good morning.", "Hello."))
    bench.work()
    no_vectors()
    found = ada.post(f"{FORGET}/find", {"description": "forget the canary-Skoda"}, status=200)
    ada.post(FORGET, {"scope": "selection", "token": found["token"]}, status=202)
    assert episodes(search(ada, "zoo", conversation)) == [], "hidden as a whole until it is written anew"

    bench.work()

    assert terms_of(bench) == (4, 1)
    assert "zoo" in episodes(search(ada, "zoo", conversation))[0]["content"]
    assert episodes(search(ada, "skoda", conversation)) == []


def test_a_forget_that_was_undone_leaves_everything_to_be_found(
    bench: Workbench, ada: Person, no_vectors: Callable[[], None]
) -> None:
    conversation = ada.conversation()
    [(message, _)] = ada.say(conversation, (f"I live in {CANARY}.", "Nice."))
    bench.work()
    no_vectors()
    before = recall(ada, CANARY, conversation)

    operation = ada.forget("message", message_id=message, undo_seconds=60)
    assert CANARY not in str(recall(ada, CANARY, conversation))
    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    bench.work()

    again = recall(ada, CANARY, conversation)
    assert contents(again) == contents(before) != []
    assert terms_of(bench) == (2, 1)


def test_rebuilding_the_memories_leaves_their_words(
    bench: Workbench, ada: Person, no_vectors: Callable[[], None]
) -> None:
    written(ada, f"I live in {CANARY}.", content_type="fact")
    bench.work()
    bench.database.transact(rebuild_read_models)
    no_vectors()

    [found] = search(ada, CANARY)

    assert terms_of(bench) == (0, 1)
    assert found["score"] > 0


def test_a_purge_writes_the_words_and_their_index_anew(bench: Workbench, ada: Person) -> None:
    written(ada, f"I live in {CANARY}.", content_type="fact")
    gone = written(ada, "I work at the zoo.", content_type="fact")["id"]
    bench.work()
    deleted(ada, gone)
    bench.work()

    def files() -> set[int]:
        rows = bench.owner().execute(
            """
            with part as (select distinct tableoid as id from memory_terms)
            select pg_relation_filenode(id) from part
            union all select pg_relation_filenode(indexrelid) from part join pg_index on indrelid = part.id
            """
        )
        return {file for (file,) in rows}

    assert {"message_terms", "memory_terms"} <= set(purging.tables())
    before = files()
    assert len(before) == 3  # the table, its primary key, the index of words
    rewrite_tables(bench.database)

    assert not files() & before
    assert "I live in" in contents(recall(ada, CANARY))[0]


def test_what_recall_asks_of_postgresql_does_not_grow_with_what_there_is(bench: Workbench, ada: Person) -> None:
    asked: list[str] = []
    engine = cast("FastAPI", bench.api.app).state.recall_database.engine
    event.listen(engine, "before_cursor_execute", lambda _connection, _cursor, sql, *_: asked.append(sql))
    conversation = ada.conversation()

    def statements() -> int:
        asked.clear()
        ada.post(RECALL, {"query": "Where is my parcel?", "conversation_id": conversation}, status=200)
        return len(asked)

    ada.say(conversation, ("My parcel is at the post office.", "Noted."))
    bench.work()
    few = statements()
    names = "Ada Ben Cleo Dan Eva Finn Gus Hana".split()
    for name in names:
        ada.say(conversation, (f"The parcel of {name} is at the post office.", "Noted."))
        written(ada, f"The parcel from {name} is mine.", content_type="fact")
    bench.work()

    assert 0 < statements() <= few <= 17
