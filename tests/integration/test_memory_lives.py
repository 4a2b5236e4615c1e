"""Whatever happens to memories: their history explains what holds, and nothing holds beside what took its place."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from pydantic import TypeAdapter

from shared.erasure.rebuild import rebuild_read_models
from shared.kernel.database import Database
from shared.kernel.events import EVENTS
from shared.memories.rules.memories import fold
from tests.support.depth import examples
from tests.support.memories import LONG_TERM, confirmed, deleted, edited, learned, memory, patched, written
from tests.support.seeding import a_memory
from tests.support.workbench import Person, Workbench


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def history(person: Person, memory_id: Any) -> dict[str, Any]:
    found: dict[str, Any] = person.get(f"{LONG_TERM}/{memory_id}/history")
    return found


def memory_rows(bench: Workbench) -> list[dict[str, Any]]:
    with bench.database.begin() as tx:
        return [dict(row) for row in tx.rows("select * from memories order by id")]


def rebuild(bench: Workbench) -> None:
    owner = Database(bench.settings.database_url.get_secret_value(), transaction_seconds=None, pool_size=1)
    owner.transact(rebuild_read_models)
    owner.close()


def replayed(told: dict[str, Any], memory_id: str) -> dict[str, Any]:
    """Fold what a history tells of one unit."""
    events: list[tuple[Any, datetime]] = [
        (TypeAdapter(EVENTS[one["type"]]).validate_python(one["data"]), datetime.fromisoformat(one["at"]))
        for one in told["events"]
        if one["memory_id"] == memory_id
    ]
    memory = fold(events)
    assert memory is not None
    return {name: getattr(memory, name) for name in memory.__dataclass_fields__}


def test_a_history_tells_the_whole_life_along_the_chain_in_order(bench: Workbench, ada: Person) -> None:
    first = written(ada, "I live in Rome.")["id"]
    confirmed(ada, first)
    second = edited(ada, first, content="I live in Oslo.")["id"]
    edited(ada, second, disabled=True)
    third = learned(bench, ada, "I live in Lima.", supersedes=second)
    for memory_id in (first, second, third):
        told = history(ada, memory_id)
        assert [one["content"] for one in told["memories"]] == ["I live in Rome.", "I live in Oslo.", "I live in Lima."]
        assert [(one["memory_id"], one["type"], one["version"], one["actor"]) for one in told["events"]] == [
            (first, "MemoryLearned", 1, "person"),
            (first, "MemoryConfirmed", 2, "person"),
            (second, "MemoryLearned", 1, "person"),
            (second, "MemoryConfirmed", 2, "person"),
            (second, "MemoryDisabled", 3, "person"),
            (third, "MemoryLearned", 1, "system:learner"),
        ]
    assert [one["validity"] for one in history(ada, first)["memories"]] == ["superseded", "superseded", "active"]


def test_a_service_that_writes_for_a_person_is_named_in_the_history(bench: Workbench, ada: Person) -> None:
    answer = bench.api.post(
        LONG_TERM, json={"content": "I live in Rome.", "user_id": ada.user_id}, headers=bench.service
    )
    [event] = history(ada, answer.json()["id"])["events"]
    assert event["actor"].startswith("service:")


def test_a_history_leaves_out_what_was_forgotten(bench: Workbench, ada: Person) -> None:
    first = learned(bench, ada, "In canary-town.")
    second = learned(bench, ada, "In Oslo.", supersedes=first)
    operation = deleted(ada, first, undo_seconds=60).json()["op_id"]
    assert [one["id"] for one in history(ada, second)["memories"]] == [second]
    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    assert [one["id"] for one in history(ada, second)["memories"]] == [first, second]
    deleted(ada, first)
    bench.work()
    told = history(ada, second)
    assert {one["memory_id"] for one in told["events"]} == {second}
    assert [one["type"] for one in told["events"]] == ["MemoryLearned", "MemoryRepointed"]
    assert bench.api.get(f"{LONG_TERM}/{first}/history", headers=ada.headers).status_code == 404


class Lives(RuleBasedStateMachine):
    """One person, whose memories are written, learned, disputed, edited, confirmed, paused and forgotten."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self.bench = bench
        self.ada = bench.person()
        self.count = 0
        self.undoable: list[str] = []

    def text(self) -> str:
        self.count += 1
        return f"statement {self.count}"

    def visible(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ada.get(LONG_TERM, limit=200)
        return found

    def some(self, which: int, *, holding: bool = True) -> str | None:
        memories = [one["id"] for one in self.visible() if not holding or one["validity"] != "superseded"]
        return memories[which % len(memories)] if memories else None

    @rule()
    def write(self) -> None:
        written(self.ada, self.text())

    @rule(which=st.integers(0, 9), outcome=st.sampled_from(["supersedes", "contradicts"]))
    def learn(self, which: int, outcome: str) -> None:
        learned(self.bench, self.ada, self.text(), **{outcome: self.some(which)})

    @rule(which=st.integers(0, 9), reworded=st.booleans(), paused=st.sampled_from([None, True, False]))
    def edit(self, which: int, reworded: bool, paused: bool | None) -> None:
        if memory_id := self.some(which, holding=False):
            body = {"content": self.text()} if reworded else {"importance": 1 + self.count % 10}
            answer = patched(self.ada, memory_id, body | ({} if paused is None else {"disabled": paused}))
            assert answer.status_code in (200, 409), answer.text

    @rule(which=st.integers(0, 9), resolve=st.sampled_from([None, "replaces", "both"]))
    def confirm(self, which: int, resolve: str | None) -> None:
        if memory_id := self.some(which, holding=False):
            assert confirmed(self.ada, memory_id, resolve).status_code in (200, 409)

    @rule(which=st.integers(0, 9), undo=st.booleans())
    def forget(self, which: int, undo: bool) -> None:
        if memory_id := self.some(which, holding=False):
            operation = deleted(self.ada, memory_id, undo_seconds=60 if undo else 0).json()["op_id"]
            self.undoable += [operation] if undo else []

    @precondition(lambda self: self.undoable)
    @rule()
    def undo(self) -> None:
        self.ada.post(f"/api/v1/memory/ops/{self.undoable.pop()}/cancel", {}, status=200)

    @rule()
    def let_the_workers_run(self) -> None:
        self.bench.work_once()

    @invariant()
    def nothing_holds_beside_what_took_its_place(self) -> None:
        memories = self.visible()
        holding = {one["id"] for one in memories if one["validity"] != "superseded"}
        by_id = {one["id"]: one for one in memories}
        for one in memories:
            if one["id"] in holding:
                assert one["supersedes_id"] not in holding, "a unit holds beside the one that took its place"
            if one["contradicts_id"] is not None:
                assert one["contradicts_id"] in by_id, "a contradiction with what nobody can see"
        disputed = {one["contradicts_id"] for one in memories if one["id"] in holding}
        assert {one["id"] for one in memories if one["validity"] == "contradicted"} == (disputed & holding)

    @invariant()
    def the_newest_of_every_chain_holds(self) -> None:
        memories = self.visible()
        assert not memories or any(one["validity"] != "superseded" for one in memories), (
            "everything superseded in a circle"
        )

    def teardown(self) -> None:
        for one in self.visible():
            now = replayed(history(self.ada, one["id"]), one["id"])
            shown = {"supersedes": one["supersedes_id"], "confirmed": one["confirmed"], "disabled": one["disabled"]}
            shown |= {name: one[name] for name in ("version", "archived", "importance", "content_type", "scope")}
            assert {name: str(value) if isinstance(value := now[name], UUID) else value for name in shown} == shown
        live = memory_rows(self.bench)
        rebuild(self.bench)
        assert memory_rows(self.bench) == live


def test_whatever_happens_to_memories_their_history_says_what_holds(bench: Workbench) -> None:
    class LivesHere(Lives):
        def __init__(self) -> None:
            super().__init__(bench)

    run_state_machine_as_test(
        LivesHere,
        settings=settings(
            max_examples=examples(8),
            stateful_step_count=15,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.parametrize(
    "sentence",
    ["I'm allergic to peanuts.", "我对花生过敏。"],
)
def test_an_explanation_says_who_said_it_where_when_and_how_it_was_found(
    bench: Workbench, ada: Person, sentence: str
) -> None:
    conversation = ada.conversation(project_id="kitchen")
    [(question, _)] = ada.say(conversation, (f"{sentence} Hello!", "Noted."))
    bench.work()
    [memory] = ada.get(LONG_TERM)

    found = ada.get(f"{LONG_TERM}/{memory['id']}/explanation")

    [evidence] = found["memory"]["evidence"]
    message = ada.get(f"/api/v1/messages/{question}")
    assert (evidence["message_id"], evidence["conversation_id"], evidence["role"]) == (question, conversation, "user")
    assert evidence["spoken_at"] == message["spoken_at"]
    assert evidence["quote"] == message["content"][evidence["quote_start"] : evidence["quote_end"]]
    assert evidence["quote"].rstrip(".。") == sentence.rstrip(".。")
    assert evidence["relation"] == "text_from"
    assert (found["memory"]["method"], found["memory"]["conversation_id"]) == ("reader", conversation)
    assert [one["id"] for one in found["chain"]] == [memory["id"]]
    assert (found["contradicts"], found["contradicted_by"], found["edited_from"]) == (None, [], [])
    effect = found["effect"]
    assert (effect["scope"], effect["project_id"], effect["given_now"]) == ("project", "kitchen", True)
    assert (effect["reasons"], effect["searchable"]) == ([], True)


def test_an_explanation_traces_edits_to_the_first_statement_and_names_contradictions(
    bench: Workbench, ada: Person
) -> None:
    [(question, _)] = ada.say(ada.conversation(), ("I live in Rome.", "Nice."))
    bench.work()
    [said] = ada.get(LONG_TERM)
    mine = edited(ada, said["id"], content="I live in Oslo.")["id"]
    other = learned(bench, ada, "I live in Lima.", contradicts=mine)

    found = ada.get(f"{LONG_TERM}/{mine}/explanation")

    assert (found["memory"]["method"], found["memory"]["evidence"]) == ("person", [])
    assert [(one["id"], [source["message_id"] for source in one["evidence"]]) for one in found["chain"]] == [
        (said["id"], [question]),
        (mine, []),
    ]
    assert found["edited_from"] == [said["id"]]
    assert [one["id"] for one in found["contradicted_by"]] == [other]
    assert ada.get(f"{LONG_TERM}/{other}/explanation")["contradicts"]["id"] == mine


def test_a_memory_from_several_turns_names_the_first_and_their_range(bench: Workbench, ada: Person) -> None:
    turns = ada.say(ada.conversation(), ("Hello.", "Hi."), ("I live in Rome.", "Ah."), ("Near the river.", "Nice."))
    memory_id = a_memory(bench, ada, text="In Rome, near the river.", sources=[turns[1][0], turns[2][0]])
    provenance = memory(ada, memory_id)["provenance"]
    assert (provenance["message_id"], provenance["turn_index"]) == (turns[1][0], 2)
    assert provenance["turn_range"] == [2, 3]
    alone = a_memory(bench, ada, text="Hello.", sources=[turns[0][0]])
    assert memory(ada, alone)["provenance"]["turn_range"] is None


@pytest.mark.parametrize(
    ("reason", "switches"),
    [
        ("longterm_off", {"longterm_enabled": False}),
        ("injection_off", {"injection_enabled": False}),
        ("disabled", None),
        ("archived", None),
        ("superseded", None),
    ],
)
def test_an_explanation_says_why_an_assistant_is_not_given_it(
    bench: Workbench, ada: Person, reason: str, switches: dict[str, bool] | None
) -> None:
    memory_id = written(ada, "I live in Rome.")["id"]
    assert ada.get(f"{LONG_TERM}/{memory_id}/explanation")["effect"]["given_now"]
    assert not ada.get(f"{LONG_TERM}/{memory_id}/explanation")["effect"]["searchable"]
    if switches:
        bench.api.patch("/api/v1/memory/settings", json=switches, headers=ada.headers)
    elif reason == "superseded":
        learned(bench, ada, "I live in Oslo.", supersedes=memory_id)
    elif reason == "disabled":
        edited(ada, memory_id, disabled=True)
    else:
        with bench.database.begin() as tx:
            tx.run("update memories set archived = true")
    effect = ada.get(f"{LONG_TERM}/{memory_id}/explanation")["effect"]
    assert (effect["given_now"], effect["reasons"]) == (False, [reason])


@pytest.mark.parametrize(
    ("sentence", "secret"),
    [("I'm allergic to peanuts.", " My password is Tr0ub4dor-x9."), ("我对花生过敏。", "我的密码是Tr0ub4dor99。")],
)
def test_a_message_tells_what_became_of_it(bench: Workbench, ada: Person, sentence: str, secret: str) -> None:
    conversation = ada.conversation()
    [(question, answer)] = ada.say(conversation, (sentence + secret, "Noted."))
    before = ada.get(f"/api/v1/memory/messages/{question}/derived")
    assert (before["derived"], before["awaited"]) == ([], ["episode", "memory"])
    bench.work()
    ada.post("/api/v1/feedback", {"message_id": answer, "action": "accept", "evidence_ref": "keep answers short"})
    [memory] = ada.get(LONG_TERM, content_type=ada.get(LONG_TERM)[-1]["content_type"])
    edit = edited(ada, memory["id"], content="I avoid peanuts.")["id"]

    became = ada.get(f"/api/v1/memory/messages/{question}/derived")

    found = {(one["kind"], one["id"]): one for one in became["derived"]}
    [episode] = [one for (kind, _), one in found.items() if kind == "episode"]
    assert episode["direct"]
    learned_one = found["memory", memory["id"]]
    assert learned_one["quote"].rstrip(".。") == sentence.rstrip(".。")
    assert (learned_one["content"], learned_one["direct"]) == (memory["content"], True)
    assert (found["memory", edit]["direct"], found["memory", edit]["quote"]) == (False, None)
    assert [(one["category"], one["outcome"]) for one in became["withheld"]] == [("credential", "rejected")]
    assert became["awaited"] == []
    of_answer = ada.get(f"/api/v1/memory/messages/{answer}/derived")
    assert {one["kind"] for one in of_answer["derived"]} == {"episode", "feedback", "signal"}
    ada.forget("message", message_id=question)
    assert bench.api.get(f"/api/v1/memory/messages/{question}/derived", headers=ada.headers).status_code == 404
    left = ada.get(f"/api/v1/memory/messages/{answer}/derived")["derived"]
    assert {one["kind"] for one in left} == {"feedback", "signal"}


def test_a_memory_somebody_else_has_is_not_there(bench: Workbench, ada: Person) -> None:
    mine = written(ada, "I live in Rome.")["id"]
    lin = bench.person()
    lin.conversation()
    assert patched(lin, mine, {"content": "x"}).status_code == 404
    assert confirmed(lin, mine).status_code == 404
    assert deleted(lin, mine).status_code == 404
    for part in ("", "/history", "/explanation"):
        assert bench.api.get(f"{LONG_TERM}/{mine}{part}", headers=lin.headers).status_code == 404
    assert memory(ada, mine)["content"] == "I live in Rome."
