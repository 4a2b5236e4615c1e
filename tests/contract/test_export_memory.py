"""An export holds no more in memory for a long conversation than for a short one."""

from __future__ import annotations

import tracemalloc
from typing import Final

import pytest

from tests.support.packages import download, export
from tests.support.workbench import Person, Workbench

MEGABYTE: Final = 1024 * 1024


def with_messages(bench: Workbench, person: Person, count: int) -> None:
    """Let a person have said much, without the API."""
    conversation = person.conversation(title="Long")
    with bench.database.begin() as tx:
        tx.run(
            """
            with made as (
              insert into messages (id, subject_id, generation, conversation_id, seq, turn, session, role, completed,
                                    summarize, index_episode, learn, spoken_at)
              select gen_random_uuid(), c.subject_id, c.generation, c.id, n, n, 1, 'user', true, true, true, true, now()
              from conversations c, generate_series(1, :count) as n where c.id = :id returning id, subject_id, seq
            )
            insert into message_contents (message_id, subject_id, text)
            select id, subject_id, repeat(seq || ' ', 40) from made
            """,
            count=count,
            id=conversation,
        )
        tx.run("update conversations set next_seq = :next where id = :id", next=count + 1, id=conversation)


def peak_of_an_export(bench: Workbench, person: Person) -> float:
    """Return the most memory Python held at once while a package was written, in MB."""
    op_id = export(person, format="zip")
    tracemalloc.start()
    try:
        bench.work_once(["export.build"])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert person.operation(op_id)["status"] == "succeeded"
    assert int(download(person, op_id, Range="bytes=0-0").headers["content-range"].split("/")[1]) > 0
    return peak / MEGABYTE


@pytest.mark.parametrize("messages", [4_000, pytest.param(50_000, marks=pytest.mark.full)])
def test_a_long_conversation_takes_no_more_memory_than_a_short_one(bench: Workbench, messages: int) -> None:
    short, long = bench.person(), bench.person()
    with_messages(bench, short, 400)
    with_messages(bench, long, messages)

    of_short, of_long = peak_of_an_export(bench, short), peak_of_an_export(bench, long)

    assert of_long < of_short + 4, (of_short, of_long)
    assert of_long < 30, (of_short, of_long)
