"""A ledger that somebody changed is noticed while the product runs: log, `/readyz` and an alarm metric."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from shared.kernel.database import Transaction
from shared.ledger.book import Book, LedgerFile
from shared.ledger.sql import entries
from shared.runtime.restore_watch import RestoreWatch
from shared.runtime.telemetry import LEDGER_ALARMS
from tests.support.log_lines import captured_log
from tests.support.milvus_servers import wait_until
from tests.support.restoring import url
from tests.support.workbench import Workbench

SECONDS = 30.0
LIMITS = ("transaction_timeout", "idle_in_transaction_session_timeout")


def without_line(path: Path, place: int) -> None:
    lines = path.read_text().splitlines(keepends=True)
    del lines[place]
    path.write_text("".join(lines))


def in_the_database(bench: Workbench, statement: str) -> None:
    with psycopg.connect(url(bench)) as owner:
        owner.execute("set session_replication_role = replica")
        owner.execute(statement.encode())


def some_forgets(bench: Workbench) -> Path:
    """Forget two messages, and return the ledger's file: four entries."""
    ada = bench.person()
    for pair in ada.say(ada.conversation(), ("I live in Berlin.", "OK."), ("I love jazz.", "OK.")):
        ada.forget("message", message_id=pair[0], cascade=True)
        bench.work()
    path = bench.process.ledger_book.path
    assert len(path.read_text().splitlines()) == 4
    return path


def alarms(damage: str) -> float:
    return float(LEDGER_ALARMS.labels(damage)._value.get())


def test_a_long_ledger_may_be_read_longer_than_transactions_may_take(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = list[str]()

    def restored(tx: Transaction, book: Book) -> bool:
        del book
        limits.extend(tx.value(f"select current_setting('{name}')") for name in LIMITS)
        return False

    some_forgets(bench)
    monkeypatch.setattr(entries, "is_restored", restored)
    watch = RestoreWatch(url(bench), bench.process.ledger_book)
    watch.close()
    assert limits == ["0", "0"]


def test_every_change_is_found_when_the_whole_ledger_is_read(bench: Workbench, tmp_path: Path) -> None:
    path = some_forgets(bench)
    shutil.copy(path, tmp_path / "whole")

    def is_a_folder(file: Path) -> None:
        file.unlink()
        file.mkdir()

    changes: list[tuple[str, Callable[[Path], object], str | None]] = [
        ("nothing", lambda _: None, None),
        ("a line nobody can read", lambda file: file.write_text(file.read_text() + "{cut sh"), None),
        (
            "an earlier entry",
            lambda file: file.write_text(file.read_text().replace("accepted", "verified", 1)),
            "changed_file",
        ),
        ("without the first", lambda file: without_line(file, 0), "changed_file"),
        ("without the last", lambda file: without_line(file, -1), "lost_entries"),
        ("empty", lambda file: file.write_text(""), "lost_entries"),
        ("gone", Path.unlink, "lost_entries"),
        ("a folder", is_a_folder, "unreadable"),
    ]
    for what, change, damage in changes:
        change(path)
        watch = RestoreWatch(url(bench), LedgerFile(path.parent))
        try:
            assert watch.damage == damage, what
            stopped = {"empty": "ledger_missing", "gone": "ledger_missing", "a folder": "ledger_unavailable"}
            assert watch.problem == stopped.get(what), "other damage stops nothing"
        finally:
            watch.close()
            if path.is_dir():
                path.rmdir()
            shutil.copy(tmp_path / "whole", path)
    for statement in (
        "update ledger set body = replace(body, 'accepted', 'verified') where seq = 1",
        "delete from ledger where seq = 2",
    ):
        in_the_database(bench, statement)
        watch = RestoreWatch(url(bench), LedgerFile(path.parent))
        assert watch.damage == "changed_database", statement
        watch.close()


def test_the_running_product_says_that_its_ledger_lost_an_entry_and_that_it_is_back(bench: Workbench) -> None:
    path = some_forgets(bench)

    def part() -> str:
        return str(bench.api.get("/readyz").json()["parts"]["ledger"])

    assert part() == "ok"
    before = alarms("lost_entries")
    with captured_log() as log:
        whole = path.read_text()
        without_line(path, -1)
        wait_until(lambda: part() == "damaged", seconds=SECONDS, what="the alarm")
        answer = bench.api.get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
        assert alarms("lost_entries") > before
        path.write_text(whole)
        wait_until(lambda: part() == "ok", seconds=SECONDS, what="the all-clear")
    # The worker of this process watches as well.
    told = {(line["event"], line["level"], line.get("code")) for line in log.all if "ledger" in line["event"]}
    assert told == {("ledger.damaged", "error", "lost_entries"), ("ledger.whole_again", "info", None)}
