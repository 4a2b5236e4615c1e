"""People take turns: who has little to do waits for nobody's thousand rows."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

from shared.outbox.job_kinds import ERASE_MILVUS, ERASE_POSTGRES, INDEX_EPISODE, LEARN_MEMORY, QUEUES
from shared.outbox.sql.scheduling import Due
from workers.scheduler.fairness import KEPT, KEPT_ALL, Turns, ahead

LEARNER = ahead(QUEUES[LEARN_MEMORY])


def rows(person: UUID, ids: range, *, kind: str = LEARN_MEMORY, priority: int = 0) -> list[Due]:
    return [Due(id=each, kind=kind, expiries=0, priority=priority, subject_id=person) for each in ids]


def taken(turns: Turns) -> list[int]:
    return [row.id for row in turns.take()]


def test_a_person_with_one_row_is_next_whoever_has_a_thousand_waiting() -> None:
    turns, many, one = Turns(), uuid4(), uuid4()
    turns.add(rows(many, range(1_000)))
    assert taken(turns) == list(range(LEARNER))
    turns.add(rows(one, range(5_000, 5_001)))
    assert taken(turns) == []  # workers have enough before them
    turns.unclaimed(list(range(2, LEARNER)))  # two were claimed
    assert sorted(taken(turns)) == [LEARNER, 5_000]


def test_people_with_many_rows_take_turns_and_each_ones_rows_keep_their_order() -> None:
    turns = Turns()
    for each in range(3):
        turns.add(rows(uuid4(), range(100 * each, 100 * each + 5)))
    order: list[int] = []
    while turns.are_waiting():
        order += taken(turns)
        turns.unclaimed([])
    assert sorted(order) == [100 * each + n for each in range(3) for n in range(5)]
    assert {row // 100 for row in order[:3]} == {0, 1, 2}
    assert all(
        [row for row in order if row // 100 == each] == sorted(row for row in order if row // 100 == each)
        for each in range(3)
    )


def test_a_row_that_killed_its_worker_takes_nobodys_place() -> None:
    turns = Turns()
    turns.add([replace(row, expiries=3) for row in rows(uuid4(), range(LEARNER))])
    assert taken(turns) == list(range(LEARNER))  # they go to quarantine
    turns.add(rows(uuid4(), range(100, 101)))
    assert taken(turns) == [100]


def test_the_urgent_comes_first_and_queues_do_not_wait_for_each_other() -> None:
    turns, person = Turns(), uuid4()
    turns.add(rows(person, range(50)))
    turns.add(rows(person, range(100, 102), kind=ERASE_MILVUS, priority=0))
    turns.add(rows(uuid4(), range(200, 202), kind=ERASE_POSTGRES, priority=10))
    turns.add(rows(person, range(300, 301), kind=INDEX_EPISODE))
    first = taken(turns)
    assert first[:2] == [200, 201]
    assert {100, 101, 300} < set(first)
    assert len([row for row in first if row < 50]) == LEARNER


def test_a_row_is_told_once_unless_it_is_offered_again_because_nobody_came() -> None:
    turns, person = Turns(), uuid4()
    waiting = rows(person, range(LEARNER + 1))
    turns.add(waiting)
    turns.add(waiting)
    assert taken(turns) == list(range(LEARNER))
    turns.unclaimed(turns.told())
    assert taken(turns) == []  # the broker lost them: nobody claims any
    turns.add(waiting[:LEARNER])  # PostgreSQL offers them again
    assert sorted(taken(turns)) == sorted([LEARNER, *range(LEARNER - 1)])


def test_no_person_fills_the_memory() -> None:
    turns, person = Turns(), uuid4()
    turns.add(rows(person, range(KEPT + 500)))
    assert len(turns.waiting()) == KEPT


def test_nor_does_everybody_together() -> None:
    turns = Turns()
    for number in range(KEPT_ALL // 10_000 + 1):
        turns.add(rows(uuid4(), range(number * 10_000, (number + 1) * 10_000)))
    assert len(turns.waiting()) == KEPT_ALL
    assert turns.take()  # and what was kept is served
