"""No read of the API returns what was forgotten, from the 202 on, while Milvus is down (P1)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from shared.recall.stores import Stores
from shared.stores.port import StoreUnavailable
from tests.support.every_operation import (
    A_BROWSERS_SESSION,
    CHANGES_BY_GET,
    FOR_EVERYBODY,
    FOR_SERVICES_ONLY,
    MORE,
    REQUESTS,
    Ids,
    Request,
    operations,
)
from tests.support.workbench import Person, Workbench

CANARY = "canary"
"""In everything that will be forgotten; no question of these tests holds it where an answer repeats it."""

READS_BY_POST = {
    "search_memory",
    "search_conversations",
    "search_episodes",
    "recall",
    "preview_injection",
    "chat",
    "find_to_forget",
    "preview_forget",
    "dry_run_correct",
    "dry_run_forget",
}
"""POSTs that change nothing; every other read is a GET."""
ASKING = {"query", "query_text", "description", "message", "about"}
"""Members of a body that ask a question."""
QUESTIONS = ["Where do I live?", "我对什么过敏？", "canary", ""]

SAID = [
    ("I live in {canary}-Zanzibar.", "{canary}-Zanzibar, noted."),
    ("I'm allergic to {canary}-peanuts.", "No {canary}-peanuts then."),
    ("我对{canary}花生过敏。", "记下了：{canary}花生。"),
    ("My cousin {canary}-Frank lives in Dayton.", "Fine."),
    ("I prefer {canary}-short answers.", "Ok."),
    ("Good morning, {canary}.", "Good morning."),
]
KEPT = [("I work at the zoo.", "Nice."), ("我喜欢绿茶。", "好的。"), ("How are you?", "Fine, thanks.")]


@dataclass(frozen=True)
class Named:
    """What is to be forgotten, and what a request may name of it and of what stays."""

    conversation: str
    messages: tuple[str, ...]
    others: tuple[str, str]


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


@pytest.fixture
def milvus_goes_down(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def goes_down() -> None:
        def away(*_: object, **__: object) -> None:
            raise StoreUnavailable("milvus")

        monkeypatch.setattr(Stores, "ask", away)

    return goes_down


def reads(bench: Workbench) -> dict[str, list[Callable[[Ids], Request]]]:
    """Return the requests of every documented operation that only reads, by its name."""
    document = bench.api.get("/openapi.json").json()
    methods = {
        operation["operationId"]: method for item in document["paths"].values() for method, operation in item.items()
    }
    names = {one.name for one in operations(document) if methods[one.name] == "get" or one.name in READS_BY_POST}
    names -= FOR_SERVICES_ONLY | FOR_EVERYBODY | A_BROWSERS_SESSION | CHANGES_BY_GET
    return {name: [REQUESTS[name], *MORE.get(name, [])] for name in sorted(names)}


def test_every_operation_is_a_read_or_changes_something(bench: Workbench) -> None:
    """Whoever adds an operation says here which of the two it is."""
    changes = {name for name, make in REQUESTS.items() if make(_ids()).method != "GET"} - READS_BY_POST | CHANGES_BY_GET

    assert set(reads(bench)) == set(REQUESTS) - changes
    assert changes == {
        "create_conversation",
        "export_memory",
        "import_memory",
        "post_messages",
        "post_feedback",
        "update_conversation",
        "end_conversation_session",
        "put_settings",
        "patch_settings",
        "create_long_term",
        "update_long_term",
        "confirm_long_term",
        "change_long_term",
        "correct_long_term",
        "ingest_preference",
        "retry",
        "cancel",
        "update_trait",
        "request_a_reflection",
        "delete_trait",
        "allow_trait",
        "clear_traits",
        "clear_learned_preferences",
        "add_a_document",
        "delete_document",
        "grant_profile_consent",
        "withdraw_profile_consent",
        "export_in_layout",
        "note_onboarding_step",
        "create_task",
        "finish_task",
        "save_snapshot_as_thread",
        "refresh_a_thread",
        "update_thread",
        "delete_long_term",
        "forget",
        "clear",
        "delete_conversation",
    }


def _ids() -> Ids:
    return Ids("c", "m", "u", "o", "t")


def a_life(person: Person, made_up: random.Random, *, title: str) -> Named:
    """Let a person say, teach and judge what will be forgotten, among what will not."""
    conversation, other = person.conversation(title=title), person.conversation()
    turns = [*((one, True) for one in SAID), *((one, False) for one in KEPT)]
    made_up.shuffle(turns)
    spoken = [(said.format(canary=CANARY), answer.format(canary=CANARY)) for (said, answer), _ in turns]
    ids = person.say(conversation, *spoken)
    doomed = [message for (_, is_doomed), pair in zip(turns, ids, strict=True) if is_doomed for message in pair]
    [(question, _)] = person.say(other, ("I cycle to the lighthouse.", "Nice."))
    for _ in range(made_up.randrange(4)):
        body = {"action": "accept", "evidence_ref": f"{CANARY} bullets", "message_id": doomed[1]}
        person.post("/api/v1/feedback", body)
    if made_up.random() < 0.5:
        person.post(f"/api/v1/conversations/{conversation}/session-end", {}, status=200)
    person.bench.work()
    return Named(conversation, tuple(doomed), (other, question))


def forget_messages(person: Person, named: Named) -> list[str]:
    for message in named.messages[::2]:
        person.forget("message", message_id=message, cascade=True)
    return [CANARY]


def forget_conversation(person: Person, named: Named) -> list[str]:
    person.forget("conversation", conversation_id=named.conversation)
    return [CANARY]


def clear_conversation(person: Person, named: Named) -> list[str]:
    person.post("/api/v1/clear", {"conversation_id": named.conversation}, status=202)
    return [CANARY]


def forget_selection(person: Person, _: Named) -> list[str]:
    """Forget what descriptions mean; return the messages of which nothing was to stay."""
    gone: list[str] = []
    for thing in ("Zanzibar", "Frank", "peanuts", "花生"):
        about = f"everything about {CANARY}-{thing}" if thing.isascii() else f"关于{CANARY}{thing}的一切"
        found = person.post("/api/v1/memory/forget/find", {"description": about}, status=200)
        sure = [one for one in found["candidates"] if one["sure"]]  # the others are only offered
        gone += [one["content"] for one in sure if one["kind"] == "message" and not one["parts"]]
        if found["token"]:
            person.post("/api/v1/memory/forget", {"scope": "selection", "token": found["token"]}, status=202)
    about = [text for text in gone if CANARY in text]
    assert len(about) >= len(SAID) // 2
    assert len(gone) - len(about) <= 1  # what the reader takes for it besides
    return gone


def forget_everything(person: Person, _: Named) -> list[str]:
    person.forget("user")
    return [CANARY]


FORGETS = [forget_messages, forget_conversation, clear_conversation, forget_selection, forget_everything]


def asked(wanted: Request) -> Iterator[Request]:
    """Yield a read with each question it can be asked, or once; and again without a conversation where it takes one."""
    member = next(iter(ASKING & set(wanted.body or {})), None)
    questions: list[dict[str, str]] = [{member: question} for question in QUESTIONS if question] if member else [{}]
    if member and member != "description":
        questions.append({member: ""})
    for question in questions:
        sent = replace(wanted, body=wanted.body and {**wanted.body, **question})
        yield sent
        if member or "injection" in wanted.path or wanted.path.endswith("/long_term"):
            yield replace(sent, query=_without_conversation(sent.query), body=_without_conversation(sent.body))


def _without_conversation(named: Any) -> Any:
    return named and {name: value for name, value in named.items() if name not in {"conversation_id", "message_id"}}


def every_answer(bench: Workbench, person: Person, named: Named, memories: list[str]) -> Iterator[tuple[str, Any]]:
    """Ask every read of the API about everything there was: by each id, and without any where that is possible."""
    operation = person.get("/api/v1/memory/ops")[0]["id"] if person.get("/api/v1/memory/ops") else ""
    token = person.post("/api/v1/memory/forget/find", {"description": "my zoo"}, status=200)["token"] or "none"
    messages = [*named.messages[::4], named.others[1]]
    things = [
        Ids(conversation, message, memory, operation, token, memory)
        for conversation in (named.conversation, named.others[0])
        for message, memory in zip(messages, _as_long(memories, messages), strict=True)
    ]
    seen: set[str] = set()
    for name, makes in reads(bench).items():
        for make in makes:
            for ids in things:
                for sent in asked(make(ids)):
                    if (known := f"{name} {sent}") not in seen:
                        seen.add(known)
                        yield known, sent.send(person, person.headers)


def _as_long(some: list[str], others: list[str]) -> list[str]:
    return [(some or ["01900000-0000-7000-8000-000000000000"])[n % max(len(some), 1)] for n in range(len(others))]


@pytest.mark.few(2)
@pytest.mark.parametrize("forget", FORGETS, ids=lambda forget: str(forget.__name__))
def test_nothing_forgotten_is_in_any_answer(
    bench: Workbench, ada: Person, milvus_goes_down: Callable[[], None], forget: Callable[[Person, Named], list[str]]
) -> None:
    # A title is nothing a message says: it goes with its conversation only.
    title = "My trip" if forget in (forget_messages, forget_selection) else f"{CANARY} trip"
    named = a_life(ada, random.Random(forget.__name__), title=title)
    memories = [one["id"] for one in ada.get("/api/v1/memory/long_term", limit=200)]
    before = {sent.split(" ")[0] for sent, answer in every_answer(bench, ada, named, memories) if CANARY in answer.text}
    assert before >= {"recall", "preview_injection", "preview_injection_without_question", "search_memory", "chat"}
    assert before >= {"list_messages", "get_message", "list_episodes", "list_long_term", "get_long_term"}
    milvus_goes_down()

    gone = forget(ada, named)

    answers = list(every_answer(bench, ada, named, memories))
    assert [sent for sent, answer in answers if any(text in answer.text for text in gone)] == []
    assert {answer.status_code for _, answer in answers} <= {200, 404, 409, 410, 422}  # 409: nothing to correct
    kept = [sent for sent, answer in answers if answer.status_code == 200]
    assert {sent.split(" ")[0] for sent in kept} >= {"recall", "search_memory", "list_conversations", "find_to_forget"}
    bench.work()
    answers = list(every_answer(bench, ada, named, memories))
    assert [sent for sent, answer in answers if any(text in answer.text for text in gone)] == []
    assert {one["status"] for one in ada.get("/api/v1/memory/ops")} == {"succeeded"}
