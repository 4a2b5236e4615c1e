"""How far learning is behind what somebody said, by person and by message."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from shared.outbox.claim import claim_work, give_up, postpone
from shared.outbox.job_kinds import LEARN_MEMORY
from tests.support.backing import Backing
from tests.support.workbench import Person, Workbench, test_settings, workbench

LEARNING = "/api/v1/memory/learning"
TURNS = [
    ("I'm allergic to peanuts.", "Noted."),
    ("我住在上海。", "上海很美。"),
    ("I grew up in Berlin.", "A fine city."),
]
NOTHING = {"messages": 0, "since": None}


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def ahead(person: Person, message: str) -> Any:
    return person.get(f"/api/v1/memory/messages/{message}/derived")["ahead"]


def test_what_was_said_waits_in_its_order_and_nobody_else_counts(bench: Workbench, ada: Person) -> None:
    lin = bench.person()
    lin.say(lin.conversation(), *TURNS)
    assert ada.get(LEARNING) == NOTHING
    began = datetime.now(UTC)
    said = ada.say(ada.conversation(), *TURNS)

    behind = ada.get(LEARNING)

    assert behind["messages"] == 3  # theirs, not the answers
    assert abs(datetime.fromisoformat(behind["since"]) - began).total_seconds() < 60
    assert [ahead(ada, question)["messages"] for question, _ in said] == [0, 1, 2]
    assert ahead(ada, said[0][0])["since"] == behind["since"]
    bench.work()
    assert ada.get(LEARNING) == NOTHING
    assert ahead(ada, said[2][0]) is None


def test_what_is_tried_again_waits_since_it_was_said_and_what_failed_is_not_ahead(
    bench: Workbench, ada: Person
) -> None:
    [(question, _)] = ada.say(ada.conversation(), TURNS[0])
    since = ada.get(LEARNING)["since"]
    for until in ("is postponed", "has failed"):
        with bench.database.begin() as tx:
            tx.run("update outbox set available_at = now() where last_error is not null")
            rows = tx.rows("select id from outbox where kind = :kind", kind=LEARN_MEMORY)
            [lease] = claim_work(tx, [row["id"] for row in rows], lease_seconds=15)
        assert ada.get(LEARNING) == {"messages": 1, "since": since}, until  # it is being learned from
        with bench.database.begin() as tx:
            if until == "is postponed":
                postpone(tx, lease, code="mem0_unavailable", delay_seconds=60)
            else:
                give_up(tx, lease, code="store_misconfigured")
        waits = until == "is postponed"
        assert ada.get(LEARNING) == ({"messages": 1, "since": since} if waits else NOTHING)
        assert (ahead(ada, question) is not None) == waits


def test_turns_that_wait_for_company_are_not_late(backing: Backing, database_url: str) -> None:
    with workbench(test_settings(backing, database_url, learn_every_turns=3, learn_idle_seconds=300)) as slow:
        ada = slow.person()
        [(question, _)] = ada.say(ada.conversation(), TURNS[0])
        assert ada.get(LEARNING) == NOTHING
        assert ahead(ada, question) is None
