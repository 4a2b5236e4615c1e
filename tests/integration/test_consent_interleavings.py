"""Whoever recalls while somebody withdraws: nothing that was withdrawn before is given (FC-05)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from services.recall import routed
from shared.contexts import known
from shared.kernel.database import Database, Transaction
from tests.evaluation import consent as evaluation
from tests.support.backing import Backing
from tests.support.depth import examples
from tests.support.workbench import Workbench, test_settings, workbench


@pytest.fixture
def database(database_url: str) -> Database:
    return Database(database_url, application="interleavings", pool_size=10)


@pytest.fixture
def finclaw(backing: Backing, database_url: str) -> Iterator[Workbench]:
    with workbench(test_settings(backing, database_url, policy_file=evaluation.FINCLAW)) as bench:
        yield bench


def test_no_interleaving_leaks(finclaw: Workbench) -> None:
    tally = evaluation.interleave(finclaw, people=10, wanted=examples(40), seed=3)
    assert (tally.leaks, tally.interleavings >= 40) == (0, True)
    assert min(tally.given, tally.withdrawals, tally.broken_off) > 3, "something was there to be leaked"


def test_a_leak_would_be_found(finclaw: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "allowed", lambda *_: True)
    unblock = "update user_contexts set consent_blocked = false where subject_id = :subject and consent_blocked"

    def unblocked(tx: Transaction, subject_id: UUID, **named: Any) -> object:
        tx.run(unblock, subject=subject_id)
        return known.known_for(tx, subject_id, **named)

    monkeypatch.setattr(routed, "known_for", unblocked)
    tally = evaluation.interleave(finclaw, people=10, wanted=30, seed=3)
    assert tally.leaks > 0


def test_drift_is_found_at_the_edges_and_nowhere_else(database: Database) -> None:
    found = evaluation.drift(database, evaluation.histories(40, 5))
    database.close()
    assert (found["precision"], found["recall"]) == (1, 1)


def test_nine_paths_are_the_same_for_everybody(finclaw: Workbench) -> None:
    assert evaluation.boundaries(finclaw, profiles=8) == "9/9"
