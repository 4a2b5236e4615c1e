"""Conversations and messages: what is recorded comes back as it was sent, in the order it was said."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import pytest

from tests.support.pages import pages
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

TEXTS = [
    "👩🏽‍🚀 and 🏳️‍🌈, with a flag 🇩🇪",
    "我喜欢喝绿茶。漢字とかな、한국어",
    "שלום \u202bעולם\u202c, مرحبا",
    "e\u0301 is not \u00e9, and ﬁ is no fi",
    "  spaces around, a tab\tand\r\nboth kinds of\nline ends \n",
    "\ufeffa mark, a zero\u200bwidth space, \u2028a separator, \x7f and \x1b[31m",
    '"quotes", \\backslashes\\u0041, <script>, {"json": null}, %00, $1, :name',
    "𝒳 \U0010ffff",
]


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def record(person: Person, conversation: str, *messages: dict[str, Any]) -> list[Any]:
    """Record messages in one batch; returns what became of each."""
    body = {"conversation_id": conversation, "messages": list(messages)}
    outcomes: list[Any] = person.post("/api/v1/messages", body)["messages"]
    return outcomes


def read(person: Person, conversation: str, **query: Any) -> list[Any]:
    messages: list[Any] = person.get("/api/v1/messages", conversation_id=conversation, **query)
    return messages


def test_a_conversation_is_created_and_read(ada: Person) -> None:
    conversation = ada.conversation(title="Holidays 🏖️", project_id="proj.α-1:x")

    found = ada.get(f"/api/v1/conversations/{conversation}")

    assert found == ada.get("/api/v1/conversations")[0]
    assert found["id"] == conversation
    assert (found["title"], found["project_id"]) == ("Holidays 🏖️", "proj.α-1:x")
    assert (found["session"], found["message_count"]) == (1, 0)
    assert datetime.fromisoformat(found["created_at"]).tzinfo is not None


def test_a_conversation_needs_neither_title_nor_project(ada: Person) -> None:
    found = ada.get(f"/api/v1/conversations/{ada.conversation()}")

    assert (found["title"], found["project_id"]) == (None, None)


def test_deleting_a_conversation_returns_202_and_then_the_conversation_is_not_found(
    bench: Workbench, ada: Person
) -> None:
    kept, gone = ada.conversation(), ada.conversation()
    ada.say(gone, ("hello", "hi"))

    answer = bench.api.delete(f"/api/v1/conversations/{gone}", headers=ada.headers)

    assert answer.status_code == 202
    assert answer.json()["status"] == "accepted"
    assert answer.headers["location"] == f"/api/v1/memory/ops/{answer.json()['op_id']}"
    assert answer.headers["retry-after"] == "1"
    assert [one["id"] for one in ada.get("/api/v1/conversations")] == [kept]
    for method, path in (
        ("GET", f"/api/v1/conversations/{gone}"),
        ("GET", f"/api/v1/messages?conversation_id={gone}"),
        ("DELETE", f"/api/v1/conversations/{gone}"),
    ):
        assert_problem(bench.api.request(method, path, headers=ada.headers), 404, "not_found")


@pytest.mark.parametrize(("count", "limit", "sizes"), [(5, 2, [2, 2, 1]), (4, 2, [2, 2, 0]), (3, 5, [3])])
def test_conversations_are_listed_newest_first_page_by_page(
    ada: Person, count: int, limit: int, sizes: list[int]
) -> None:
    made = [ada.conversation() for _ in range(count)]

    found = list(pages(ada, "/api/v1/conversations", limit=limit))

    assert [len(page) for page in found] == sizes
    assert [one["id"] for page in found for one in page] == made[::-1]


def test_a_page_stays_where_it_was_when_something_new_comes(ada: Person) -> None:
    made = [ada.conversation() for _ in range(4)]
    walk = pages(ada, "/api/v1/conversations", limit=2)
    first = next(walk)
    ada.conversation()

    assert [one["id"] for one in (*first, *next(walk))] == made[::-1]


def test_a_cursor_that_is_not_ours_is_refused(bench: Workbench, ada: Person) -> None:
    for cursor in ("x", "e30", "eyJiZWZvcmUiOiAxfQ", "bnVsbA", "W10", "💥", "e30=", "A" * 200):
        answer = bench.api.get("/api/v1/conversations", params={"cursor": cursor}, headers=ada.headers)
        assert_problem(answer, 422, "cursor_invalid")


def test_messages_keep_their_order_whether_sent_one_by_one_or_together(ada: Person) -> None:
    conversation = ada.conversation()
    record(ada, conversation, {"role": "user", "content": "1"})
    record(ada, conversation, *({"role": "user", "content": str(n)} for n in range(2, 102)))
    record(ada, conversation, {"role": "assistant", "content": "102"})

    found = read(ada, conversation, limit=200)

    assert [one["content"] for one in found] == [str(n) for n in range(1, 103)]
    assert [one["seq"] for one in found] == list(range(1, 103))
    assert ada.get(f"/api/v1/conversations/{conversation}")["message_count"] == 102


def test_conversations_count_their_messages_apart(ada: Person) -> None:
    one, other = ada.conversation(), ada.conversation()
    record(ada, one, {"role": "user", "content": "a"})
    record(ada, other, {"role": "user", "content": "b"})

    assert [(m["content"], m["seq"]) for m in read(ada, other)] == [("b", 1)]


def test_a_message_comes_back_with_everything_it_was_sent_with(ada: Person) -> None:
    conversation = ada.conversation()
    sent = {
        "role": "tool",
        "content": "42",
        "completed": True,
        "client_message_id": "client-1 ✓",
        "name": "calculator",
        "task_hint": "sums",
    }
    [outcome] = record(ada, conversation, sent)

    found = ada.get(f"/api/v1/messages/{outcome['id']}")

    assert outcome["outcome"] == "recorded"
    assert {name: found[name] for name in sent} == sent
    assert (found["id"], found["conversation_id"]) == (outcome["id"], conversation)


def test_every_role_is_kept(ada: Person) -> None:
    conversation = ada.conversation()
    roles = ["system", "user", "tool", "assistant"]
    record(ada, conversation, *({"role": role, "content": role} for role in roles))

    assert [(one["role"], one["content"]) for one in read(ada, conversation)] == [(role, role) for role in roles]


def test_text_comes_back_exactly_as_it_was_sent(ada: Person) -> None:
    conversation = ada.conversation()
    record(ada, conversation, *({"role": "user", "content": text} for text in TEXTS))

    assert [one["content"] for one in read(ada, conversation)] == TEXTS
    for text in TEXTS:
        titled = ada.conversation(title=text)
        assert ada.get(f"/api/v1/conversations/{titled}")["title"] == text


def test_the_window_holds_the_newest_messages_oldest_first(ada: Person) -> None:
    conversation = ada.conversation()
    record(ada, conversation, *({"role": "user", "content": str(n), "completed": n % 2 == 0} for n in range(1, 8)))

    assert [one["content"] for one in read(ada, conversation, limit=3)] == ["5", "6", "7"]
    assert [one["content"] for one in read(ada, conversation, limit=2, before_seq=5)] == ["3", "4"]
    assert [one["content"] for one in read(ada, conversation, completed_only=True)] == ["2", "4", "6"]


def test_the_window_looks_further_back_than_what_is_not_completed(ada: Person) -> None:
    conversation = ada.conversation()
    record(ada, conversation, *({"role": "user", "content": str(n), "completed": n < 3} for n in range(1, 20)))

    assert [one["content"] for one in read(ada, conversation, limit=2, completed_only=True)] == ["1", "2"]


def test_a_message_was_spoken_when_it_arrived_unless_it_says_otherwise(ada: Person) -> None:
    conversation = ada.conversation()
    record(
        ada,
        conversation,
        {"role": "user", "content": "now"},
        {"role": "user", "content": "then", "spoken_at": "2024-02-29T23:59:59.123456+08:00"},
        {"role": "user", "content": "one day", "spoken_at": "2999-01-01T00:00:00Z"},
    )

    now, then, one_day = read(ada, conversation)

    assert now["spoken_at"] == now["recorded_at"] == one_day["spoken_at"]
    assert datetime.fromisoformat(then["spoken_at"]) == datetime.fromisoformat("2024-02-29T15:59:59.123456+00:00")
    assert then["recorded_at"] == now["recorded_at"]


def test_a_message_still_being_written_is_completed_by_sending_its_client_id_again(ada: Person) -> None:
    conversation = ada.conversation()
    draft = {"role": "assistant", "content": "Hel", "completed": False, "client_message_id": "stream-1"}
    [first] = record(ada, conversation, draft)
    [still] = record(ada, conversation, draft | {"content": "Hello, w"})
    assert [one["completed"] for one in read(ada, conversation)] == [False]

    [done] = record(ada, conversation, draft | {"content": "Hello, world.", "completed": True})
    [late] = record(ada, conversation, draft | {"content": "Bye.", "completed": True})

    assert [first["outcome"], still["outcome"], done["outcome"], late["outcome"]] == [
        "recorded",
        "repeated",
        "completed",
        "repeated",
    ]
    assert len({first["id"], still["id"], done["id"], late["id"]}) == 1
    assert [(one["content"], one["completed"], one["seq"]) for one in read(ada, conversation)] == [
        ("Hello, world.", True, 1)
    ]


def test_an_answer_to_what_was_forgotten_meanwhile_is_not_recorded(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(forgotten, _)] = ada.say(conversation, ("forget this", "no"))
    [(kept, _), (elsewhere, _)] = (
        *ada.say(conversation, ("not this", "yes")),
        *ada.say(ada.conversation(), ("x", "y")),
    )
    eve = bench.person()
    [(hers, _)] = eve.say(eve.conversation(), ("hers", "yes"))
    partly = {"role": "assistant", "content": "It", "client_message_id": "a", "completed": False}
    [begun] = record(ada, conversation, {**partly, "answers": kept})
    ada.forget("message", message_id=forgotten, cascade=True)

    for answered in (forgotten, elsewhere, hers, str(uuid.uuid4())):
        whole, completing = record(
            ada,
            conversation,
            {"role": "assistant", "content": "This.", "answers": answered},
            {**partly, "completed": True, "answers": answered},
        )
        assert (whole["outcome"], completing["outcome"]) == ("erased", "erased")
        assert bench.api.get(f"/api/v1/messages/{whole['id']}", headers=ada.headers).status_code == 404
    [done] = record(ada, conversation, {**partly, "completed": True, "content": "That.", "answers": kept})

    assert (done["outcome"], done["id"]) == ("completed", begun["id"])
    assert [one["content"] for one in read(ada, conversation)] == ["not this", "yes", "That."]


def test_what_completes_a_message_brings_its_task_and_name(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    begun = {"role": "user", "content": "…", "completed": False, "client_message_id": "m1"}
    whole = {"role": "user", "content": "Ask for the draft.", "client_message_id": "m1", "task_hint": "writing"}
    for message in (begun, {**whole, "name": "Ada"}):
        ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": [message]})
    [found] = ada.get("/api/v1/messages", conversation_id=conversation)
    assert (found["task_hint"], found["name"], found["content"]) == ("writing", "Ada", "Ask for the draft.")


def test_a_completed_answer_ends_its_turn_and_is_learned_from(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    answer = {"role": "assistant", "content": "No", "completed": False, "client_message_id": "stream-1"}
    record(ada, conversation, {"role": "user", "content": "I'm allergic to peanuts."}, answer)
    bench.work()
    assert ada.memories() == []

    record(ada, conversation, answer | {"content": "Noted.", "completed": True})
    bench.work()

    assert ada.memories() == ["I'm allergic to peanuts."]
    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert (episode["user_message"], episode["assistant_message"]) == ("I'm allergic to peanuts.", "Noted.")
