"""What a client that watches is told next, of what each look at the database shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import get_args
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory_center.change_feed import Watch
from shared.kernel.events import EVENTS
from shared.kernel.ids import OperationId
from shared.outbox.change_scopes import ALL, OF_EVENTS, OF_WORK, Area
from shared.outbox.job_kinds import INDEX_EPISODE, QUEUES
from shared.outbox.sql.changes import EVENTS_MAX, WORK_MAX, Look, Moved
from shared.outbox.sql.operations import Operation

ADA, LIN = UUID(int=1), UUID(int=2)
AT = datetime(2026, 11, 22, tzinfo=UTC)


def event(position: int, type_: str = "MemoryLearned", stream: str = "memory:m") -> Moved:
    return Moved(position=position, stream=stream, type=type_)


def look(
    *moved: Moved,
    settled: int = 0,
    last: int = 1_000,
    subject_id: UUID | None = ADA,
    work: dict[int, str] | None = None,
    due: bool = False,
    operations: tuple[Operation, ...] = (),
) -> Look:
    return Look(
        subject_id=subject_id,
        settled=settled,
        last=last,
        moved=tuple(sorted(moved, key=lambda one: -one.position)),
        work=work or {},
        due=due,
        operations=operations,
    )


def operation(number: int = 1, status: str = "running", version: int = 1) -> Operation:
    return Operation(
        id=OperationId(UUID(int=number)),
        type="forget",
        scope="message",
        status=status,
        progress=0.5,
        retry_count=0,
        last_error=None,
        receipt_id=None,
        unrecallable_at=AT,
        erased_at=None,
        purged_at=None,
        not_before=None,
        version=version,
        created_at=AT,
        updated_at=AT,
        steps=(),
    )


def test_every_event_and_all_outside_work_without_one_has_its_areas() -> None:
    assert set(OF_EVENTS) == set(EVENTS.values())
    assert all(areas <= set(ALL) for areas in OF_EVENTS.values())
    unshown = {event.__name__ for event, areas in OF_EVENTS.items() if not areas}
    assert unshown == {"TaskStarted", "TaskEnded", "DriftObserved", "CandidateMade", "CandidateRevoked"}
    assert get_args(Area) == ALL
    assert set(OF_WORK) <= set(QUEUES)


def test_a_new_client_is_told_where_things_stand_and_of_no_area() -> None:
    news = Watch(None).notice(look(event(7), event(5), settled=4))

    assert (news.position, news.areas, news.resume_from) == (7, (), 4)


def test_an_event_is_told_of_once() -> None:
    watch = Watch(None)
    watch.notice(look(event(5), settled=4))

    assert watch.notice(look(event(5), event(6), settled=4)).areas == ("memories",)
    assert watch.notice(look(event(5), event(6), settled=4)).areas == ()


def test_an_event_that_commits_after_a_later_one_is_not_missed() -> None:
    watch = Watch(None)
    watch.notice(look(event(5), event(7), settled=4))

    late = watch.notice(look(event(5), event(6, "SettingsChanged", "settings:s"), event(7), settled=4))

    assert late.areas == ("settings",)
    assert late.position == 7


def test_a_client_that_comes_back_is_told_what_moved_meanwhile() -> None:
    watch = Watch(5)
    assert watch.since == 5

    news = watch.notice(look(event(9, "MessageRecorded", "conversation:c"), settled=4))

    assert (news.position, news.areas, news.resume_from) == (9, ("conversations",), 5)


def test_a_client_from_before_a_restore_reads_everything_again() -> None:
    watch = Watch(500)

    news = watch.notice(look(settled=40, last=42))

    assert (news.areas, news.position, news.resume_from) == (ALL, 40, 40)
    assert watch.since == 40
    assert watch.notice(look(event(43), settled=40, last=43)).areas == ("memories",)


def test_more_than_can_be_looked_at_moves_everything() -> None:
    watch = Watch(None)
    watch.notice(look())

    assert watch.notice(look(*(event(n) for n in range(1, EVENTS_MAX + 1)))).areas == ALL


def test_an_account_that_was_closed_and_opened_again_is_somebody_new() -> None:
    watch = Watch(None)
    watch.notice(look())

    assert watch.notice(look(subject_id=LIN)).areas == ALL
    assert watch.notice(look(subject_id=LIN)).areas == ()


def test_work_that_ended_without_an_event_is_told_of() -> None:
    watch = Watch(None)
    assert watch.notice(look(work={1: INDEX_EPISODE, 2: "erase.mem0"}, due=True)).busy

    assert watch.notice(look(work={2: "erase.mem0"}, due=True)).areas == ("conversations",)
    assert watch.notice(look()) == replace(watch.notice(look()), areas=(), busy=False)


def test_of_too_much_work_none_is_said_to_have_ended() -> None:
    watch = Watch(None)
    watch.notice(look(work={1: INDEX_EPISODE}))

    assert watch.notice(look(work=dict.fromkeys(range(2, WORK_MAX + 2), INDEX_EPISODE))).areas == ()
    assert watch.notice(look(work={})).areas == ("conversations",)


def test_an_operation_is_told_of_whenever_it_changes_and_once_when_it_ends() -> None:
    watch = Watch(None)
    assert watch.notice(look(operations=(operation(),))).operations == (operation(),)
    assert watch.watched == [operation().id]

    assert watch.notice(look(operations=(operation(),))).operations == ()
    changed = watch.notice(look(operations=(operation(version=2),)))
    assert (changed.operations, changed.areas, changed.busy) == ((operation(version=2),), ("operations",), True)
    ended = watch.notice(look(operations=(operation(status="succeeded", version=3),)))
    assert (ended.operations[0].status, ended.busy) == ("succeeded", False)
    assert watch.notice(look(operations=(operation(status="succeeded", version=3),))).operations == ()


def test_a_new_client_is_not_told_of_what_ended_before_and_one_that_comes_back_is() -> None:
    done = operation(status="succeeded")
    ended = event(9, "OperationSucceeded", f"operation:{done.id}")

    assert Watch(None).notice(look(ended, operations=(done,))).operations == ()
    assert Watch(5).notice(look(ended, operations=(done,))).operations == (done,)
    assert Watch(5).notice(look(operations=(done,))).operations == ()


@given(
    commits=st.lists(st.integers(min_value=0, max_value=3), min_size=1, max_size=30),
    drops=st.sets(st.integers(min_value=0, max_value=40)),
)
@pytest.mark.parametrize("lag", [1, 3])
def test_no_change_is_missed_whatever_the_commit_order_and_number_of_reconnects(
    lag: int, commits: list[int], drops: set[int]
) -> None:
    """Position n commits at look n + commits[n]; everything is settled `lag` + 3 looks after it was given."""
    visible_at = {n + 1: n + delay for n, delay in enumerate(commits)}
    watch, told = Watch(0), set[int]()
    for now in range(len(commits) + 10):
        settled = max((n for n in visible_at if n - 1 <= now - 3 - lag), default=0)
        since = settled if watch.since is None else watch.since
        shown = [event(n) for n, at in visible_at.items() if at <= now and n > since]
        news = watch.notice(look(*shown, settled=settled, last=len(commits)))
        if news.areas:
            told |= {one.position for one in shown}
        if now in drops:
            watch = Watch(news.resume_from)

    assert told == set(visible_at)
