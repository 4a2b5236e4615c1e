"""The assistant of the web app answers from what it is given, by a language model or without one (LT-07)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from shared.recall.answering.words import PHRASES
from tests.support.backing import Backing
from tests.support.scripted_llm import ScriptedLlm, scripted_llm
from tests.support.streams import Sent, events_in
from tests.support.tables import each
from tests.support.traits import SENTENCE, compares_prices
from tests.support.workbench import Person, Workbench, test_settings, workbench

PEANUTS, HOME = "I'm allergic to peanuts.", "I live in Zanzibar."


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with scripted_llm() as script:
        yield script


@pytest.fixture
def bench_with_model(backing: Backing, database_url: str, llm: ScriptedLlm) -> Iterator[Workbench]:
    settings = test_settings(
        backing, database_url, llm_base_url=llm.base_url, llm_model="scripted", llm_api_key=SecretStr("the-key")
    )
    with workbench(settings) as opened:
        yield opened


def chat(person: Person, conversation: str, message: str, **more: Any) -> list[Sent]:
    """Say something; return the events of the answer."""
    answer = person.bench.api.post(
        "/api/v1/chat/completions",
        json={"conversation_id": conversation, "message": message, **more},
        headers=person.headers,
    )
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    return events_in(answer.text)


def text_of(events: list[Sent]) -> str:
    return "".join(event.data["text"] for event in events if event.event == "delta")


def remembering(bench: Workbench) -> tuple[Person, str]:
    """Return a person of whom two things are remembered, and a conversation they begin now."""
    ada = bench.person()
    ada.post("/api/v1/memory/long_term", {"content": PEANUTS, "content_type": "constraint", "taboo": True})
    ada.post("/api/v1/memory/long_term", {"content": HOME, "content_type": "fact"})
    bench.work()  # a memory written by hand is found once a worker has indexed it
    return ada, ada.conversation()


def test_it_answers_from_memory_and_cites_it(bench: Workbench) -> None:
    ada, conversation = remembering(bench)
    ids = {one["content"]: one["id"] for one in ada.get("/api/v1/memory/long_term")}

    events = chat(ada, conversation, "Where do I live?")

    assert [one.event for one in events] == ["context", "delta", "done"]
    assert text_of(events) == f"Remembered about you: “{HOME}” [Memory#{ids[HOME]}]"
    cited = [{"id": ids[HOME], "kind": "memory"}]
    assert events[-1].data == {"responder": "built_in", "cited": cited, "because": None}
    assert text_of(chat(ada, conversation, "What can I cook?")).startswith(f"Keep in mind: “{PEANUTS}”")
    assert text_of(chat(ada, conversation, "我的车是什么颜色？")) == PHRASES["nothing"][1]


def test_what_is_inferred_is_not_told_as_a_fact(bench: Workbench) -> None:
    ada = compares_prices(bench)
    question = "Do I compare prices before buying?"
    given = ada.post("/api/v1/recall", {"query": question}, status=200)["items"]
    assert "trait" in {one["kind"] for one in given}

    events = chat(ada, ada.conversation(), question)

    assert events[-1].event == "done"
    assert SENTENCE not in text_of(events)


def test_what_feedback_taught_is_not_called_said(bench: Workbench) -> None:
    ada = bench.person()
    for _ in range(3):
        [(_, answer)] = ada.say(ada.conversation(), ("Hello.", "Hello, Ada."))
        liked = {"action": "accept", "evidence_ref": "answers about food as lists", "message_id": answer}
        ada.post("/api/v1/feedback", liked)
    bench.work()
    said = text_of(chat(ada, ada.conversation(), "How do I like answers about food?"))
    assert said.startswith("Remembered about you: “Prefers: answers about food as lists”")


def test_the_context_is_exactly_what_recall_answers_and_nothing_is_recorded(bench: Workbench) -> None:
    ada, conversation = remembering(bench)
    before = [bench.count(f"select count(*) from {table}") for table in ("events", "messages", "outbox")]

    [context, *_] = chat(ada, conversation, "Where do I live?", language="zh", token_budget=900)

    asked = {"conversation_id": conversation, "query": "Where do I live?", "language": "zh", "token_budget": 900}
    assert context.data == ada.post("/api/v1/recall", asked, status=200)
    assert before == [bench.count(f"select count(*) from {table}") for table in ("events", "messages", "outbox")]
    assert bench.count("select count(*) from debug_records where data ->> 'route' = 'chat'") == 1


def test_what_was_said_a_moment_ago_counts_before_anything_was_learned(bench: Workbench) -> None:
    ada = bench.person()
    conversation = ada.conversation()
    [(said, _)] = ada.say(conversation, ("My flight leaves at nine.", "Have a good trip."))
    recorded = [{"role": "user", "content": "When does my flight leave?"}]
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": recorded})

    events = chat(ada, conversation, "When does my flight leave?")

    assert text_of(events) == "You just said: “My flight leaves at nine.”"
    assert events[-1].data["cited"] == [{"id": said, "kind": "message"}]


def test_what_was_forgotten_is_not_answered_from(bench: Workbench) -> None:
    ada, conversation = remembering(bench)
    home = next(one["id"] for one in ada.get("/api/v1/memory/long_term") if one["content"] == HOME)
    assert bench.api.delete(f"/api/v1/memory/long_term/{home}", headers=ada.headers).status_code == 202

    events = chat(ada, conversation, "Where do I live?")

    assert text_of(events) == PHRASES["nothing"][0]
    assert "Zanzibar" not in str(events)


def test_with_injection_off_it_says_that_it_may_not_use_memories(bench: Workbench) -> None:
    ada, conversation = remembering(bench)
    assert bench.api.patch("/api/v1/memory/settings", json={"injection_enabled": False}, headers=ada.headers).is_success

    events = chat(ada, conversation, "Where do I live?")

    assert text_of(events) == PHRASES["off"][0]
    assert events[-1].data["cited"] == []


def test_a_language_model_is_given_the_prompt_and_streams_its_answer(
    bench_with_model: Workbench, llm: ScriptedLlm
) -> None:
    ada, conversation = remembering(bench_with_model)
    home = next(one["id"] for one in ada.get("/api/v1/memory/long_term") if one["content"] == HOME)
    llm.answers = [f"<think>Where? Memory#{conversation}</think>You live in Zanzibar [Memory#{home}]."]

    events = chat(ada, conversation, "Where do I live?")

    assert text_of(events) == f"You live in Zanzibar [Memory#{home}]."
    assert len([one for one in events if one.event == "delta"]) > 1
    cited = [{"id": home, "kind": "memory"}]
    assert events[-1].data == {"responder": "llm", "cited": cited, "because": None}
    assert llm.prompts[-1] == f"{events[0].data['prompt']}\nWhere do I live?"
    assert llm.authorizations[-1] == "Bearer the-key"


@pytest.mark.parametrize("answers", [["<think>hm</think>"], [""], ["<think>never ends"]])
def test_an_empty_answer_of_the_model_is_none(
    bench_with_model: Workbench, llm: ScriptedLlm, answers: list[str]
) -> None:
    ada, conversation = remembering(bench_with_model)
    llm.answers = answers

    events = chat(ada, conversation, "Where do I live?")

    assert HOME in text_of(events)
    assert (events[-1].data["responder"], events[-1].data["because"]) == ("built_in", "llm_failed")


def test_a_model_that_fails_is_stood_in_for(bench_with_model: Workbench, llm: ScriptedLlm) -> None:
    ada, conversation = remembering(bench_with_model)
    llm.status = 500

    events = chat(ada, conversation, "Where do I live?")

    assert HOME in text_of(events)
    assert (events[-1].data["responder"], events[-1].data["because"]) == ("built_in", "llm_failed")
    assert len(llm.prompts) == 1


def test_a_model_that_breaks_off_is_not_hidden(bench_with_model: Workbench, llm: ScriptedLlm) -> None:
    ada, conversation = remembering(bench_with_model)
    llm.answers, llm.breaks_after = ["You live in Zanzibar, I think."], 3

    events = chat(ada, conversation, "Where do I live?")

    assert text_of(events) == "You live in "
    assert events[-1].data == {"responder": "llm", "cited": [], "because": "llm_failed"}


@each("answer", ["<thin", "<", "< 3 years", "<thinking> is a tag", " \n<think>a</think> yes"])
def test_only_thoughts_are_left_out(bench_with_model: Workbench, llm: ScriptedLlm, answer: str) -> None:
    ada, conversation = remembering(bench_with_model)
    llm.answers = [answer]

    said = text_of(chat(ada, conversation, "Where do I live?"))

    assert said == ("yes" if "</think>" in answer else answer)
