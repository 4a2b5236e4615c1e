"""What is not to be remembered stays in the window and nothing is ever made of it (X-08)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
SHANGHAI = ("我住在上海。", "上海很美。")
BERLIN = ("I grew up in Berlin.", "A fine city.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def patch(person: Person, conversation: str, **body: Any) -> Any:
    return person.bench.api.patch(f"/api/v1/conversations/{conversation}", json=body, headers=person.headers)


def remember(person: Person, conversation: str, wanted: bool) -> Any:
    answer = patch(person, conversation, remember=wanted)
    assert answer.status_code == 200, answer.text
    return answer.json()


def window(person: Person, conversation: str) -> list[str]:
    return [one["content"] for one in person.get("/api/v1/messages", conversation_id=conversation, completed_only=True)]


def episodes(person: Person, conversation: str) -> list[str]:
    found = person.get("/api/v1/memory/episodes", conversation_id=conversation)
    return [one["user_message"] for one in reversed(found)]


def marks(bench: Workbench) -> list[tuple[str, bool]]:
    """Return what was said, and whether anything may be made of it; the three marks always agree here."""
    with bench.database.begin() as tx:
        rows = tx.rows("select text, summarize, index_episode, learn from visible_messages order by recorded_at, seq")
    for row in rows:
        assert row["summarize"] == row["index_episode"] == row["learn"]
    return [(row["text"], row["learn"]) for row in rows]


def end_session(person: Person, conversation: str) -> None:
    person.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)


@pytest.mark.parametrize("turn", [PEANUTS, SHANGHAI])
def test_nothing_is_made_of_an_excluded_conversation_and_its_window_works(
    bench: Workbench, ada: Person, turn: tuple[str, str]
) -> None:
    conversation = ada.conversation(remember=False)
    assert ada.get(f"/api/v1/conversations/{conversation}")["remember"] is False
    ada.say(conversation, turn)
    end_session(ada, conversation)
    bench.work()

    assert ada.memories() == []
    assert episodes(ada, conversation) == []
    assert marks(bench) == [(turn[0], False), (turn[1], False)]
    assert window(ada, conversation) == list(turn)
    assert bench.count("select count(*) from vector_refs") == 0


def test_other_conversations_are_remembered(bench: Workbench, ada: Person) -> None:
    excluded, other = ada.conversation(remember=False), ada.conversation()
    ada.say(excluded, PEANUTS)
    ada.say(other, BERLIN)
    bench.work()

    assert ada.memories() == [BERLIN[0]]
    assert [one["remember"] for one in ada.get("/api/v1/conversations")] == [True, False]


def test_including_it_again_never_backfills(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    bench.work()

    assert remember(ada, conversation, False)["remember"] is False
    ada.say(conversation, SHANGHAI)
    bench.work()
    assert ada.memories() == [PEANUTS[0]]  # what was made of it before stays
    assert remember(ada, conversation, True)["remember"] is True
    ada.say(conversation, BERLIN)
    end_session(ada, conversation)
    bench.work()

    assert ada.memories() == sorted([PEANUTS[0], BERLIN[0]])
    assert episodes(ada, conversation) == [PEANUTS[0], BERLIN[0]]
    assert window(ada, conversation) == [*PEANUTS, *SHANGHAI, *BERLIN]


def test_a_turn_half_of_which_was_excluded_is_not_remembered(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(remember=False)
    for wanted, role, text in ((False, "user", PEANUTS[0]), (True, "assistant", PEANUTS[1])):
        remember(ada, conversation, wanted)
        message = {"role": role, "content": text}
        ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})
    end_session(ada, conversation)
    bench.work()

    assert ada.memories() == []
    assert episodes(ada, conversation) == []


def test_words_added_while_excluded_are_not_learned_even_if_the_message_began_before(
    bench: Workbench, ada: Person
) -> None:
    conversation = ada.conversation()
    begun = {"role": "user", "content": "I'm", "completed": False, "client_message_id": "q"}
    done = begun | {"content": PEANUTS[0], "completed": True}
    for wanted, message in ((True, begun), (False, done), (True, {"role": "assistant", "content": PEANUTS[1]})):
        remember(ada, conversation, wanted)
        ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})
    end_session(ada, conversation)
    bench.work()

    assert ada.memories() == []


def test_work_that_waits_when_a_conversation_is_excluded_is_not_done(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    remember(ada, conversation, False)
    bench.work()
    remember(ada, conversation, True)
    bench.work()

    assert ada.memories() == []
    assert episodes(ada, conversation) == []


def test_losing_a_source_relearns_the_memory_from_a_conversation_excluded_later(bench: Workbench, ada: Person) -> None:
    kept, gone = ada.conversation(), ada.conversation()
    ada.say(kept, PEANUTS)
    ada.say(gone, PEANUTS)
    bench.work()
    remember(ada, kept, False)

    ada.forget("conversation", conversation_id=gone)
    bench.work()

    assert set(ada.memories()) == {PEANUTS[0]}


@pytest.mark.parametrize("side", ["user", "assistant"])
def test_a_message_may_say_itself_that_it_is_not_to_be_remembered(bench: Workbench, ada: Person, side: str) -> None:
    conversation = ada.conversation()
    turn = zip(("user", "assistant"), SHANGHAI, strict=True)
    messages = [{"role": role, "content": text, "remember": role != side} for role, text in turn]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": messages})
    ada.say(conversation, BERLIN)
    bench.work()

    assert ada.memories() == [BERLIN[0]]
    assert episodes(ada, conversation) == [BERLIN[0]]
    assert window(ada, conversation) == [*SHANGHAI, *BERLIN]
    assert [text for text, made_of in marks(bench) if not made_of] == [SHANGHAI[0 if side == "user" else 1]]


def test_a_tools_output_can_be_left_out_while_the_person_is_learned_from(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    messages = [
        {"role": "user", "content": SHANGHAI[0]},
        {"role": "tool", "name": "weather", "content": "canary-weather: error, timed out", "remember": False},
        {"role": "assistant", "content": SHANGHAI[1]},
    ]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": messages})
    end_session(ada, conversation)
    bench.work()

    assert ada.memories() == [SHANGHAI[0]]
    assert episodes(ada, conversation) == [SHANGHAI[0]]
    assert [text for text, made_of in marks(bench) if not made_of] == [messages[1]["content"]]
    assert bench.holds("canary-weather") == ["message_contents"]


def test_a_message_can_still_be_taken_out_when_it_is_completed(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    begun = {"role": "user", "content": "I'm", "completed": False, "client_message_id": "q"}
    done = begun | {"content": PEANUTS[0], "completed": True, "remember": False}
    answer = {"role": "assistant", "content": PEANUTS[1]}
    for batch in ([begun], [done, answer]):
        ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": batch})
    bench.work()

    assert ada.memories() == []
    assert marks(bench) == [(PEANUTS[0], False), (PEANUTS[1], True)]


def test_every_change_leaves_one_event(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(remember=False)
    for wanted in (False, True, True, False):
        remember(ada, conversation, wanted)

    with bench.database.begin() as tx:
        rows = tx.rows(
            "select type, data from events where stream = :stream order by version",
            stream=f"conversation:{conversation}",
        )
    assert [row["type"] for row in rows] == [
        "ConversationCreated",
        "ConversationExcluded",
        "ConversationIncluded",
        "ConversationExcluded",
    ]
    assert [row["data"] for row in rows[1:]] == [{}, {}, {}]


def test_an_excluded_conversation_is_forgotten_like_any_other(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(remember=False)
    ada.say(conversation, PEANUTS)
    operation = ada.forget("conversation", conversation_id=conversation)
    assert_problem(patch(ada, conversation, remember=True), 410, "conversation_forgotten")
    bench.work()

    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds(PEANUTS[0]) == []


def test_nobody_else_can_change_it_and_nonsense_is_refused(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    assert_problem(patch(bench.person(), conversation, remember=False), 404, "not_found")
    for body in ({}, {"remember": None}, {"remember": "no"}, {"remember": 0}, {"remember": False, "name": "x"}):
        assert_problem(patch(ada, conversation, **body), 422, "validation_failed")
    assert ada.get(f"/api/v1/conversations/{conversation}")["remember"] is True
    refused = bench.api.post("/api/v1/conversations", json={"remember": "false"}, headers=ada.headers)
    assert_problem(refused, 422, "validation_failed")


def test_the_assistants_backend_changes_it_for_the_person_it_names(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    path, body = f"/api/v1/conversations/{conversation}", {"user_id": ada.user_id, "remember": False}
    answer = bench.api.patch(path, json=body, headers=bench.service)

    assert answer.status_code == 200
    assert answer.json() == ada.get(path)
    assert answer.json()["remember"] is False
