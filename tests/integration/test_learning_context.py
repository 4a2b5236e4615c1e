"""What a language model is shown while learning: never what is forgotten, and never without a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from shared.persistence.database import DatabaseUnavailable
from shared.stores.mem0_vectors import Mem0VectorStore
from tests.support.backing import Backing
from tests.support.scripted_llm import ScriptedLlm, scripted_llm
from tests.support.workbench import Person, Workbench, test_settings, workbench


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
        act()
        return reply(request)

    llm.reply = acting  # type: ignore[method-assign]


def test_a_memory_goes_with_an_earlier_message_its_wording_may_come_from(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    llm.answers = ['{"memory": []}']
    [(first, _)] = ada.say(conversation, ("My sister is called canary-anna.", "Nice."))
    bench.work()
    llm.prompts.clear()
    llm.will_extract("User's sister canary-anna lives in Rome")
    [(second, _)] = ada.say(conversation, ("She lives in Rome.", "Lovely."))
    bench.work()
    assert "canary-anna" in llm.prompts[0]
    [memory] = ada.get("/api/v1/memory/long_term")
    assert first not in {source["message_id"] for source in memory["sources"]}

    llm.will_extract("User's sister lives in Rome")
    operation = ada.forget("message", message_id=first, cascade=True)

    assert ada.memories() == []
    assert not any("canary" in text for text in ada.search("sister"))
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("canary-anna") == []
    [again] = ada.get("/api/v1/memory/long_term")
    assert again["content"] == "User's sister lives in Rome"
    assert second in {source["message_id"] for source in again["sources"]}
    assert "canary" not in llm.prompts[-1]


def test_a_memory_goes_with_an_older_memory_that_was_in_its_prompt(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    one, other = ada.conversation(), ada.conversation()
    llm.will_extract("User's sister is canary-anna")
    ada.say(one, ("My sister is canary-anna.", "Nice."))
    bench.work()
    llm.prompts.clear()
    llm.will_extract("User's sister canary-anna lives in Rome")
    ada.say(other, ("My sister lives in Rome.", "Lovely."))
    bench.work()
    assert "canary-anna" in llm.prompts[0]

    llm.will_extract("User's sister lives in Rome")
    operation = ada.forget("conversation", conversation_id=one)

    assert ada.memories() == []
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("canary-anna") == []
    assert ada.memories() == ["User's sister lives in Rome"]


def test_an_earlier_message_forgotten_while_the_model_answers_ends_that_answer_not_the_turn(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    llm.answers = ['{"memory": []}']
    [(first, _)] = ada.say(conversation, ("My sister is called canary-anna.", "Nice."))
    bench.work()
    llm.prompts.clear()
    ada.say(conversation, ("She lives in Rome.", "Lovely."))
    llm.will_extract("User's sister canary-anna lives in Rome")

    def forget() -> None:
        ada.forget("message", message_id=first, cascade=True)
        llm.will_extract("User's sister lives in Rome")

    answered_before = llm.answers
    meanwhile(llm, forget)
    llm.answers = [*answered_before]
    bench.work_once(["memory.learn"])
    bench.hurry()
    bench.work()

    assert ada.memories() == ["User's sister lives in Rome"]
    assert "canary" not in llm.prompts[-1]
    assert bench.holds("canary-anna") == []
    assert len(bench.process.mem0.keys(bench.namespace(ada))) == 1


def test_no_prompt_that_begins_after_the_202_holds_the_forgotten(
    bench: Workbench, ada: Person, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, ("There is a canary in my garden.", "Oh!"))
    llm.answers = ['{"memory": []}']
    real = Mem0VectorStore.search
    accepted: list[str] = []

    def search(self: Mem0VectorStore, *args: Any, **values: Any) -> Any:
        found = real(self, *args, **values)
        if not accepted:
            accepted.append(ada.forget("message", message_id=question, cascade=True))
        return found

    monkeypatch.setattr(Mem0VectorStore, "search", search)
    bench.work_once(["memory.learn"])
    assert len(accepted) == 1
    assert llm.prompts == []
    bench.work()
    assert ada.operation(accepted[0])["status"] == "succeeded"


def test_what_two_conversations_say_survives_the_forgetting_of_one(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    one, other = ada.conversation(), ada.conversation()
    llm.will_extract("User lives in Berlin")
    ada.say(one, ("I live in Berlin.", "Nice."))
    bench.work()
    ada.say(other, ("As I said, I live in Berlin.", "Right."))
    bench.work()

    operation = ada.forget("conversation", conversation_id=one)
    bench.work()

    assert ada.operation(operation)["status"] == "succeeded"
    assert ada.memories() == ["User lives in Berlin"]


def test_a_moment_without_postgres_only_delays_learning(
    bench: Workbench, ada: Person, llm: ScriptedLlm, monkeypatch: pytest.MonkeyPatch
) -> None:
    llm.will_extract("User has a cat")
    ada.say(ada.conversation(), ("I have a cat.", "Nice."))
    bench.work()
    llm.will_extract("User lives in Rome")
    ada.say(ada.conversation(), ("I live in Rome.", "Nice."))
    _ = bench.process.mem0
    memories = bench.process.__dict__["_mem0"]._memories
    real, blips = memories._visible, []

    def blip(keys: Any) -> Any:
        if not blips:
            blips.append(1)
            raise DatabaseUnavailable
        return real(keys)

    monkeypatch.setattr(memories, "_visible", blip)
    bench.work_once(["memory.learn"])
    assert bench.count("select count(*) from outbox where state = 'ready' and last_error = 'database_unavailable'") == 1
    bench.hurry()
    bench.work()
    assert ada.memories() == ["User has a cat", "User lives in Rome"]


def test_deleting_a_memory_takes_what_was_learned_beside_it_and_learns_that_again(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    one, other = ada.conversation(), ada.conversation()
    llm.will_extract("User's sister is canary-anna")
    ada.say(one, ("My sister is canary-anna.", "Nice."))
    bench.work()
    llm.will_extract("User's sister canary-anna lives in Rome")
    ada.say(other, ("My sister lives in Rome.", "Lovely."))
    bench.work()
    [sister] = [m for m in ada.get("/api/v1/memory/long_term") if m["content"] == "User's sister is canary-anna"]

    llm.will_extract("User's sister lives in Rome")
    assert bench.api.delete(f"/api/v1/memory/long_term/{sister['id']}", headers=ada.headers).status_code == 202
    bench.work()

    assert ada.memories() == ["User's sister lives in Rome"]


def test_deleting_a_memory_forbids_its_own_messages_only(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    conversation = ada.conversation()
    llm.answers = ['{"memory": []}']
    ada.say(conversation, ("I have a dog.", "Nice."))
    bench.work()
    llm.will_extract("User has a cat")
    [(second, answer)] = ada.say(conversation, ("And a cat.", "Lovely."))
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term")
    assert memory["provenance"]["session_id"] == conversation
    assert memory["provenance"]["message_id"] == second
    assert (memory["provenance"]["turn_index"], memory["provenance"]["source_type"]) == (2, "user")

    bench.api.delete(f"/api/v1/memory/long_term/{memory['id']}", headers=ada.headers)
    bench.work()

    with bench.database.begin() as tx:
        forbidden = {str(row["id"]) for row in tx.rows("select message_id as id from unlearnable_spans")}
    assert forbidden == {second, answer}


def test_a_turn_that_was_only_shown_is_still_learned_from_itself(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    [(first, _)] = ada.say(conversation, ("I have a dog.", "Nice."))
    with bench.database.begin() as tx:
        tx.run("update outbox set available_at = now() + interval '1 hour' where kind = 'memory.learn'")
    llm.will_extract("User has a dog")
    [(second, _)] = ada.say(conversation, ("And a cat.", "Lovely."))
    bench.work()
    bench.hurry()
    bench.work()
    [memory] = ada.get("/api/v1/memory/long_term")  # it says the same again, and is supported twice
    assert {first, second} <= {source["message_id"] for source in memory["sources"]}


def test_a_model_is_not_shown_what_was_said_while_memory_was_off(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    llm.answers = ['{"memory": []}']
    bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": False}, headers=ada.headers)
    ada.say(conversation, ("I take pills for canary-disease.", "I see."))
    bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": True}, headers=ada.headers)
    ada.say(conversation, ("I live in Rome.", "Nice."))
    bench.work()
    [prompt] = llm.prompts
    assert "Rome" in prompt
    assert "canary-disease" not in prompt


def test_a_model_is_not_shown_messages_whose_memory_was_deleted_nor_the_rest_of_a_broken_turn(
    bench: Workbench, ada: Person, llm: ScriptedLlm
) -> None:
    conversation = ada.conversation()
    llm.will_extract("User hides a canary-one")
    [_, (broken, _)] = ada.say(
        conversation, ("I hide a canary-one.", "Oh."), ("My pin is canary-two.", "Your pin is canary-two.")
    )
    bench.work()
    for memory in ada.get("/api/v1/memory/long_term"):
        bench.api.delete(f"/api/v1/memory/long_term/{memory['id']}", headers=ada.headers)
    ada.forget("message", message_id=broken)
    bench.work()
    llm.prompts.clear()
    llm.answers = ['{"memory": []}']
    ada.say(conversation, ("I live in Rome.", "Nice."))
    bench.work()
    [prompt] = llm.prompts
    assert "Rome" in prompt
    assert "canary" not in prompt


def test_a_model_is_not_shown_another_projects_memories(bench: Workbench, ada: Person, llm: ScriptedLlm) -> None:
    llm.will_extract("User works on canary-omega")
    ada.say(ada.conversation(project_id="secret"), ("I work on canary-omega.", "Hush."))
    bench.work()
    llm.prompts.clear()
    llm.answers = ['{"memory": []}']
    ada.say(ada.conversation(), ("What do I work on?", "I do not know."))
    ada.say(ada.conversation(project_id="secret"), ("What do I work on here?", "You know."))
    bench.work()
    outside, inside = sorted(llm.prompts, key=lambda prompt: "canary-omega" in prompt)
    assert "canary-omega" not in outside
    assert "canary-omega" in inside
