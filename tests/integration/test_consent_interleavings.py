"""Whoever recalls while somebody withdraws: nothing that was withdrawn before is given (FC-05)."""

from __future__ import annotations

import pytest

from shared.contexts import known
from shared.kernel.database import Database
from tests.evaluation import consent as evaluation
from tests.support.backing import Backing
from tests.support.workbench import test_settings, workbench


@pytest.fixture
def database(database_url: str) -> Database:
    return Database(database_url, application="interleavings", pool_size=10)


def test_no_interleaving_leaks(database: Database) -> None:
    tally = evaluation.interleave(database, people=10, wanted=100, seed=3)
    database.close()
    assert (tally.leaks, tally.interleavings >= 100) == (0, True)
    assert min(tally.given, tally.withdrawals, tally.broken_off) > 10, "something was there to be leaked"


def test_a_leak_would_be_found(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "allowed", lambda *_: True)
    blocked = "update user_contexts set consent_blocked = false"

    def unblocked(*given: object, **named: object) -> object:
        given[0].run(blocked)  # type: ignore[attr-defined]
        return known.known_for(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(evaluation, "known_for", unblocked)
    tally = evaluation.interleave(database, people=10, wanted=60, seed=3)
    database.close()
    assert tally.leaks > 0


def test_drift_is_found_at_the_edges_and_nowhere_else(database: Database) -> None:
    found = evaluation.drift(database, evaluation.histories(40, 5))
    database.close()
    assert (found["precision"], found["recall"]) == (1, 1)


def test_nine_paths_are_the_same_for_everybody(backing: Backing, database_url: str) -> None:
    with workbench(test_settings(backing, database_url, policy_file=evaluation.FINCLAW)) as bench:
        assert evaluation.boundaries(bench, profiles=8) == "9/9"
