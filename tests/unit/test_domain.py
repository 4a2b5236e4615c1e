"""The rules, as pure functions."""

from __future__ import annotations

import random
from dataclasses import asdict
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.consent.rules import switches
from shared.consent.rules.switches import Switches
from shared.conversations.rules.turns import TurnState, place
from shared.kernel.events import MemoryErased, MemoryLearned, MemoryRepointed
from shared.memories.rules.memories import fold, surviving_predecessor
from shared.outbox.backoff import RETRY_CAP_SECONDS, full_jitter
from shared.outbox.error_codes import SENTENCES, describe
from shared.outbox.job_kinds import QUEUES
from shared.outbox.stages import STAGES, next_steps

AT = datetime(2026, 1, 1, tzinfo=UTC)


def turns_of(*messages: tuple[str, bool]) -> tuple[list[int], list[int]]:
    """Return the turn of each message, and the turns that were completed."""
    state, placed, completed = TurnState(), [], []
    for role, done in messages:
        result = place(state, role=role, completed=done)
        state = result.state
        placed.append(state.turn)
        if result.completes:
            completed.append(state.turn)
    return placed, completed


@pytest.mark.parametrize(
    ("messages", "placed", "completed"),
    [
        ([("user", True), ("assistant", True)], [1, 1], [1]),
        ([("user", True), ("user", True), ("assistant", True)], [1, 1, 1], [1]),
        ([("user", True), ("tool", True), ("assistant", True), ("user", True)], [1, 1, 1, 2], [1]),
        ([("assistant", True), ("user", True), ("assistant", True)], [1, 2, 2], [2]),
        ([("user", True), ("assistant", False)], [1, 1], []),
        ([("user", True), ("assistant", True), ("assistant", True)], [1, 1, 2], [1]),
    ],
)
def test_a_turn_runs_up_to_the_next_completed_assistant_message(
    messages: list[tuple[str, bool]], placed: list[int], completed: list[int]
) -> None:
    assert turns_of(*messages) == (placed, completed)


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool", "system"]), st.booleans()), max_size=30))
def test_turns_only_grow_and_complete_once(messages: list[tuple[str, bool]]) -> None:
    placed, completed = turns_of(*messages)
    assert placed == sorted(placed)
    assert len(completed) == len(set(completed))
    for turn in completed:
        roles = [role for (role, _), at in zip(messages, placed, strict=True) if at == turn]
        assert "user" in roles
        assert roles[-1] == "assistant"


def test_a_stage_starts_only_when_every_step_before_it_has_closed() -> None:
    statuses = {name: "waiting" for stage in STAGES for name in stage}
    assert next_steps(statuses) == STAGES[0], "the ledger comes first"
    for stage, later in zip(STAGES, [*STAGES[1:], {}], strict=True):
        assert next_steps(statuses) == stage
        statuses |= dict.fromkeys(stage, "ready")
        for done in stage:
            assert next_steps(statuses) == {}
            statuses[done] = "running"
            assert next_steps(statuses) == {}
            statuses[done] = "succeeded"
        assert next_steps(statuses) == later


def test_a_stage_whose_steps_an_operation_has_not_is_passed_over() -> None:
    statuses = {"ledger": "succeeded", "postgres": "succeeded", "verify": "waiting", "receipt": "waiting"}
    assert next_steps(statuses) == {"verify": "verify"}


def test_every_kind_of_work_has_a_queue() -> None:
    assert {kind for stage in STAGES for kind in stage.values()} <= set(QUEUES)


def learned(supersedes: UUID | None = None) -> MemoryLearned:
    return MemoryLearned(
        content_type="fact",
        scope="global",
        project_id=None,
        origin="extracted",
        importance=5,
        taboo=False,
        supersedes=supersedes,
        conversation_id=None,
        spoken_at=None,
    )


def test_a_memory_is_what_its_events_say() -> None:
    old = uuid4()
    memory = fold([(learned(old), AT)])
    assert memory is not None
    assert (memory.supersedes, memory.version, memory.created_at) == (old, 1, AT)
    repointed = fold([(learned(old), AT), (MemoryRepointed(supersedes=None), AT)])
    assert repointed is not None
    assert (repointed.supersedes, repointed.version, repointed.updated_at) == (None, 2, AT)
    assert fold([(learned(), AT), (MemoryErased(operation_id=uuid4()), AT)]) is None


@given(st.integers(1, 8), st.data())
def test_what_stands_before_an_erased_unit_is_the_nearest_that_stays(length: int, data: st.DataObject) -> None:
    chain = [uuid4() for _ in range(length)]
    before = {memory: (chain[place - 1] if place else None) for place, memory in enumerate(chain)}
    gone = data.draw(st.sets(st.sampled_from(chain), min_size=1))
    erased = {memory: before[memory] for memory in gone}
    start = data.draw(st.sampled_from(sorted(gone)))
    stays = [memory for memory in chain[: chain.index(start)] if memory not in gone]
    assert surviving_predecessor(erased, start) == (stays[-1] if stays else None)


def test_a_ring_of_supersession_ends() -> None:
    one, two = uuid4(), uuid4()
    assert surviving_predecessor({one: two, two: one}, one) is None


def test_changing_nothing_is_no_event_and_an_event_carries_every_switch() -> None:
    assert switches.change(Switches(), {"summary_enabled": True}) is None
    event = switches.change(Switches(), {"summary_enabled": False})
    assert event is not None
    assert switches.apply(event) == Switches(summary_enabled=False)
    assert set(asdict(event)) == set(asdict(Switches()))


@given(st.integers(0, 200), st.randoms(use_true_random=False))
def test_retries_wait_at_most_their_cap(attempt: int, random_: random.Random) -> None:
    seconds = full_jitter(attempt, random_=random_)
    assert 0 <= seconds <= min(RETRY_CAP_SECONDS, 0.2 * 2 ** min(attempt, 16))


@pytest.mark.parametrize("code", sorted(SENTENCES))
def test_every_reason_is_a_code_and_a_sentence(code: str) -> None:
    assert describe(code) == f"{code}: {SENTENCES[code]}"
    assert SENTENCES[code].endswith(".")
