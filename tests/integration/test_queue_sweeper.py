"""The sweeper goes on whatever fails; each part of a round fails on its own."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from shared.persistence.database import DatabaseUnavailable, SubjectBusy
from shared.persistence.locks import CollectionBusy
from tests.support.workbench import Workbench
from workers.sweeper import __main__ as sweeper

PARTS = ["abandoned", "idempotency_keys", "traces", "flush"]


class Parts:
    """A round of which one part fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, failing: str, error: Exception) -> None:
        self.done: list[str] = []
        self._failing, self._error = failing, error
        monkeypatch.setattr(sweeper, "queue_abandoned", lambda _tx: self._do("abandoned"))
        monkeypatch.setattr(sweeper.idempotency, "expire", lambda _tx: self._do("idempotency_keys"))
        monkeypatch.setattr(sweeper.traces, "expire", lambda _tx: self._do("traces"))

    def flush(self) -> None:
        self._do("flush")

    def _do(self, part: str) -> int:
        if part == self._failing:
            raise self._error
        self.done.append(part)
        return 1


@pytest.mark.parametrize("failing", PARTS)
@pytest.mark.parametrize(
    ("error", "event"),
    [
        (DatabaseUnavailable("canary"), "sweep.postponed"),
        (SubjectBusy("canary"), "sweep.postponed"),
        (CollectionBusy("canary"), "sweep.postponed"),
        (ValueError("canary"), "sweep.failed"),
    ],
)
def test_a_part_that_fails_keeps_no_other_from_being_done(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch, failing: str, error: Exception, event: str
) -> None:
    parts = Parts(monkeypatch, failing, error)
    with capture_logs() as logs:
        sweeper.sweep(bench.database, parts)  # type: ignore[arg-type]
    assert parts.done == [part for part in PARTS if part != failing]
    assert [line["part"] for line in logs if line["event"] == event] == [failing]
    assert "canary" not in str([{**line, "exc_info": None} for line in logs])
