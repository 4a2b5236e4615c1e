"""What a language model is shown while learning: never what is forgotten, and never without a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from shared.stores.mem0 import Mem0Store
from tests.support.backing import Backing
from tests.support.scripted_llm import ScriptedLlm, scripted_llm
from tests.support.workbench import Person, Workbench, test_settings, workbench

ROME = "She lives in Rome"
REWORDED = "User's sister canary-anna lives in Rome"


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with scripted_llm() as script:
        yield script


@pytest.fixture
def bench(backing: Backing, database_url: str, llm: ScriptedLlm) -> Iterator[Workbench]:
    with workbench(test_settings(backing, database_url, llm_base_url=llm.base_url, llm_model="scripted")) as opened:
        yield opened


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def meanwhile(llm: ScriptedLlm, act: Callable[[], Any]) -> None:
    """Do something once while the model is answering."""
    reply = llm.reply

    def acting(request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        llm.reply = reply  # type: ignore[method-assign]
        answer = reply(request)
        act()
        return answer

    llm.reply = acting  # type: ignore[method-assign]


def test_its_memories_have_type_safety_quote_and_source(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    llm.will_keep("Ich wohne in Berlin", "User lives in Berlin")
    llm.will_keep("no peanuts please", type="constraint", safety=True)
    [(question, _)] = ada.say(ada.conversation(), ("Ich wohne in Berlin, no peanuts please", "Ok"))
    bench.work()
    peanuts, berlin = sorted(ada.get("/api/v1/memory/long_term"), key=lambda one: str(one["content_type"]))
    assert (peanuts["content"], peanuts["content_type"], peanuts["taboo"]) == ("no peanuts please", "constraint", True)
    assert (berlin["content"], berlin["content_type"], berlin["taboo"]) == ("User lives in Berlin", "fact", False)
    assert {source["message_id"] for source in peanuts["sources"]} == {question}
    explained = ada.get(f"/api/v1/memory/long_term/{berlin['id']}/explanation")
    assert "Ich wohne in Berlin" in str(explained)
    assert "model:scripted" in str(explained)


def test_a_memory_goes_with_an_earlier_message_its_wording_may_come_from(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    [(first, _)] = ada.say(conversation, ("My sister is called canary-anna.", "Nice."))
    bench.work()
    llm.prompts.clear()
    llm.will_keep(ROME, REWORDED)
    [(second, _)] = ada.say(conversation, ("She lives in Rome.", "Lovely."))
    bench.work()
    assert "canary-anna" in llm.prompts[0]
    assert ada.memories() == [REWORDED]

    llm.keeps.clear()
    llm.will_keep(ROME, "User's sister lives in Rome")
    operation = ada.forget("message", message_id=first, cascade=True)

    assert ada.memories() == []
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("canary-anna") == []
    [again] = ada.get("/api/v1/memory/long_term")
    assert again["content"] == "User's sister lives in Rome"
    assert second in {source["message_id"] for source in again["sources"]}
    assert "canary" not in llm.prompts[-1]


def test_what_is_quoted_stays_when_what_was_only_shown_is_forgotten(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    [(first, _)] = ada.say(conversation, ("My sister is called canary-anna.", "Nice."))
    llm.will_keep("I live in Rome")
    ada.say(conversation, ("I live in Rome.", "Lovely."))
    bench.work()
    ada.forget("message", message_id=first, cascade=True)
    assert ada.memories() == ["I live in Rome."]
    bench.work()
    assert ada.memories() == ["I live in Rome."]


def test_forgetting_a_context_message_mid_answer_discards_the_answer_not_the_turn(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    [(first, _)] = ada.say(conversation, ("My sister is called canary-anna.", "Nice."))
    bench.work()
    llm.prompts.clear()
    ada.say(conversation, ("She lives in Rome.", "Lovely."))
    llm.will_keep(ROME, REWORDED)

    def forget() -> None:
        ada.forget("message", message_id=first, cascade=True)
        llm.keeps.clear()
        llm.will_keep(ROME, "User's sister lives in Rome")

    meanwhile(llm, forget)
    bench.work_once(["memory.learn"])
    bench.hurry()
    bench.work()

    assert ada.memories() == ["User's sister lives in Rome"]
    assert "canary" not in llm.prompts[-1]
    assert bench.holds("canary-anna") == []
    assert len(bench.process.mem0.keys(bench.namespace(ada))) == 1


def test_a_turn_forgotten_while_the_model_answers_writes_nothing(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, ("There is a canary in my garden.", "Oh!"))
    llm.will_keep("There is a canary in my garden", "User hides a canary in the garden")
    meanwhile(llm, lambda: ada.forget("message", message_id=question))
    bench.work_once(["memory.learn"])
    bench.work()
    assert ada.memories() == []
    assert bench.process.mem0.keys(bench.namespace(ada)) == set()
    assert bench.holds("canary") == []


def test_what_is_switched_while_the_model_answers_counts(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    settings = "/api/v1/memory/settings"

    def patch(path: str, body: dict[str, bool]) -> None:
        assert bench.api.patch(path, json=body, headers=ada.headers).status_code == 200

    named, excluded = ada.conversation(), ada.conversation()
    said = "My name is canary-anna and I keep bees"
    ada.say(excluded, (said, "Nice."))
    llm.will_keep(said, "User keeps bees")
    meanwhile(llm, lambda: patch(f"/api/v1/conversations/{excluded}", {"remember": False}))
    bench.work()
    assert ada.memories() == []

    llm.will_keep(said, "User's name is canary-anna")
    ada.say(named, (said, "Nice."))
    meanwhile(llm, lambda: patch(settings, {"privacy_mode_enabled": True}))
    bench.work()
    assert ada.memories() == []


def test_no_prompt_that_begins_after_the_202_holds_the_forgotten(
    bench: Workbench, ada: Person, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, ("I keep a canary.", "Oh!"))
    llm.will_keep("I keep a canary")
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term")
    llm.prompts.clear()
    llm.will_keep("I keep birds")
    ada.say(ada.conversation(), ("I keep birds.", "Oh!"))
    real, accepted = Mem0Store.nearest, list[Any]()

    def nearest(self: Any, *args: Any, **values: Any) -> Any:
        found = real(self, *args, **values)
        if not accepted:
            accepted.append(bench.api.delete(f"/api/v1/memory/long_term/{memory['id']}", headers=ada.headers))
        return found

    monkeypatch.setattr(Mem0Store, "nearest", nearest)
    bench.work()
    assert [one.status_code for one in accepted] == [202]
    assert not any("canary" in prompt for prompt in llm.prompts)
    assert ada.memories() == ["I keep birds."]


def test_what_two_conversations_say_survives_the_forgetting_of_one(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    one, other = ada.conversation(), ada.conversation()
    llm.will_keep("I live in Berlin")
    ada.say(one, ("I live in Berlin.", "Nice."))
    bench.work()
    llm.relation = "same"
    ada.say(other, ("As I said, I live in Berlin.", "Right."))
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term")
    assert len({source["message_id"] for source in memory["sources"]}) == 2

    operation = ada.forget("conversation", conversation_id=one)
    bench.work()

    assert ada.operation(operation)["status"] == "succeeded"
    [memory] = ada.memories()
    assert "I live in Berlin" in memory


def test_the_model_says_what_takes_the_place_of_what(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    llm.will_keep("my desk is by the window")
    llm.will_keep("they moved me to the basement")
    ada.say(ada.conversation(), ("my desk is by the window", "Nice."))
    bench.work()
    llm.relation = "replaces"
    ada.say(ada.conversation(), ("they moved me to the basement", "Oh."))
    bench.work()
    assert [one["content"] for one in ada.get("/api/v1/memory/long_term") if one["validity"] == "active"] == [
        "they moved me to the basement"
    ]


def test_a_turn_of_which_one_memory_was_deleted_is_learned_from_again_without_it(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    other, conversation = ada.conversation(), ada.conversation()
    llm.will_keep("I hide a canary")
    llm.will_keep("I live in Rome")
    ada.say(other, ("I live in Rome.", "Nice."))
    bench.work()
    ada.say(conversation, ("I hide a canary. I live in Rome.", "Nice."))
    bench.work()
    canary, _ = sorted(ada.get("/api/v1/memory/long_term"), key=lambda one: str(one["content"]))
    bench.api.delete(f"/api/v1/memory/long_term/{canary['id']}", headers=ada.headers)
    bench.work()
    llm.prompts.clear()
    ada.forget("conversation", conversation_id=other)
    assert ada.memories() == []
    bench.work()
    assert ada.memories() == ["I live in Rome."]
    assert llm.prompts
    assert not any("canary" in prompt for prompt in llm.prompts)


def test_a_model_is_not_shown_what_was_said_while_memory_was_off(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": False}, headers=ada.headers)
    ada.say(conversation, ("I take pills for canary-disease.", "I see."))
    bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": True}, headers=ada.headers)
    ada.say(conversation, ("I live in Rome.", "Nice."))
    bench.work()
    [prompt] = llm.prompts
    assert "Rome" in prompt
    assert "canary-disease" not in prompt


def test_a_model_is_shown_no_secret(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    secret = "sk-proj-4f8Jq2Lm9Xv7Rt1Zc6Wd3Bn5Kp0Ys8Hg"
    conversation = ada.conversation()
    llm.will_keep("I live in Rome")
    ada.say(conversation, (f"my key is {secret}", "I will not keep that."))
    ada.say(conversation, (f"I live in Rome, key {secret}", "Nice."))
    bench.work()
    assert len(llm.prompts) >= 2
    assert not any(secret in prompt or secret[8:20] in prompt for prompt in llm.prompts)


def test_a_model_never_sees_messages_of_deleted_memories_or_partly_forgotten_turns(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    llm.will_keep("I hide a canary-one")
    [_, (broken, _)] = ada.say(
        conversation, ("I hide a canary-one.", "Oh."), ("My dog is canary-two.", "Your dog is canary-two.")
    )
    bench.work()
    for memory in ada.get("/api/v1/memory/long_term"):
        bench.api.delete(f"/api/v1/memory/long_term/{memory['id']}", headers=ada.headers)
    ada.forget("message", message_id=broken)
    bench.work()
    llm.prompts.clear()
    ada.say(conversation, ("I live in Rome.", "Nice."))
    bench.work()
    [prompt] = llm.prompts
    assert "Rome" in prompt
    assert "canary" not in prompt


def test_a_model_is_not_shown_another_projects_memories(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    llm.will_keep("I work on canary-omega")
    llm.will_keep("I work on something")
    ada.say(ada.conversation(project_id="secret"), ("I work on canary-omega.", "Hush."))
    bench.work()
    llm.prompts.clear()
    ada.say(ada.conversation(), ("I work on something.", "I do not know."))
    bench.work()
    assert llm.prompts
    assert not any("canary-omega" in prompt for prompt in llm.prompts)


def test_a_model_that_is_away_or_raves_costs_nothing_but_its_judgement(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    llm.status = 503
    ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    bench.work()
    llm.status, llm.garbled = 200, "As a language model I would rather not."
    ada.say(ada.conversation(), ("I live in Berlin.", "Nice."))
    bench.work()
    assert ada.memories() == ["I live in Berlin.", "I'm allergic to peanuts."]
    methods = {
        str(ada.get(f"/api/v1/memory/long_term/{one['id']}/explanation")) for one in ada.get("/api/v1/memory/long_term")
    }
    assert not any("model:" in one for one in methods)
