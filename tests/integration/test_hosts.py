"""Several hosts on one database: one ledger for all, or none of them serves (X-03, X-05)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from pydantic import SecretStr

from services.cli.doctor.ledger import ledger as examined_ledger
from shared.kernel import hosts
from shared.ledger.book import LedgerFile
from shared.ledger.rules import check_chain
from shared.ledger.sql import entries as ledger
from shared.runtime.restore_watch import NotServing, RestoreWatch
from tests.support.backing import Backing
from tests.support.bucket_servers import ACCESS_KEY, SECRET_KEY, BucketServer
from tests.support.commands import memory_center
from tests.support.dumping import dump, restore
from tests.support.importing import Elsewhere
from tests.support.memories import written
from tests.support.milvus_servers import wait_until
from tests.support.recycling import Recycled
from tests.support.restoring import replay, url
from tests.support.workbench import TASKS, Person, Workbench, test_settings, workbench, worker_process

SECONDS = 30.0
PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")


@contextmanager
def two_hosts(backing: Backing, database_url: str, **more: Any) -> Iterator[Elsewhere]:
    """Open the product twice on one database, with a data directory each."""
    with workbench(test_settings(backing, database_url, host_id=uuid4(), **more)) as here:
        first = worker_process._installed[0]
        with workbench(test_settings(backing, database_url, host_id=uuid4(), **more)) as there:
            both = Elsewhere(here, there, {id(here): first, id(there): worker_process._installed[0]})
            try:
                yield both
            finally:
                both.work_at(there)
        worker_process._installed[:] = [first]


@pytest.fixture
def shared(
    recycled: Recycled,
    backing: Backing,
    bucket_server: BucketServer,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Elsewhere]:
    """Two hosts with one ledger and one place for packages. The Milvus of these tests is everybody's, although it is
    Lite.
    """
    monkeypatch.setattr(hosts, "OWN", hosts.OWN - {"lite"})
    recycled.close_product()  # it would be a third host
    buckets = {}
    for which in ("files", "ledger"):
        place = bucket_server.bucket()
        buckets |= {
            f"{which}_s3_bucket": place.bucket,
            f"{which}_s3_endpoint": place.endpoint,
            f"{which}_s3_access_key": SecretStr(ACCESS_KEY),
            f"{which}_s3_secret_key": SecretStr(SECRET_KEY),
        }
    with two_hosts(backing, database_url, **buckets) as both:
        yield both


def refusal(bench: Workbench, person: Person) -> str | None:
    """Return the code with which a host refuses to serve; None if it serves."""
    answer = bench.api.get("/api/v1/memory/long_term", headers=person.headers)
    if answer.status_code == 200:
        return None
    assert answer.status_code == 503, answer.text
    assert "Retry-After" in answer.headers
    return str(answer.json()["code"])


def until(bench: Workbench, person: Person, code: str | None) -> None:
    wait_until(lambda: refusal(bench, person) == code, seconds=SECONDS, what=f"{code} at a host")
    wait_until(lambda: bench.process.restore_watch.problem == code, seconds=SECONDS, what=f"{code} at its worker")
    ready = bench.api.get("/readyz")
    told = (ready.status_code, ready.json()["parts"]["ledger"])
    assert told == ((200, "ok") if code is None else (503, code))


def with_bucket(bench: Workbench) -> dict[str, str]:
    """Return the environment of a command of one host."""
    names = ("bucket", "endpoint", "access_key", "secret_key")
    told = {f"ledger_s3_{name}": getattr(bench.settings, f"ledger_s3_{name}") for name in names}
    told |= {name: getattr(bench.settings, name) for name in ("database_url", "ledger_key", "data_dir")}
    return {
        f"MEMORY_CENTER_{name.upper()}": value.get_secret_value() if isinstance(value, SecretStr) else str(value)
        for name, value in told.items()
    }


def test_a_restore_under_two_hosts_is_refused_by_both_and_replayed_from_either(
    shared: Elsewhere, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = shared.here, shared.there
    ada = here.person("ada")
    [(peanuts, _), _] = ada.say(ada.conversation(), PEANUTS, BERLIN)
    shared.work_at(here)
    here.work()
    dump(url(here), tmp_path / "backup")
    forgotten = ada.post(
        "/api/v1/memory/forget", {"scope": "message", "message_id": peanuts, "cascade": True}, status=202
    )
    shared.work_at(there)  # its ledger is written by the other host
    there.work()
    assert ada.operation(forgotten["op_id"])["status"] == "succeeded"

    restore(url(here), tmp_path / "backup")

    for host in (here, there):
        until(host, ada, "replay_needed")
    for name, value in with_bucket(there).items():
        monkeypatch.setenv(name, value)
    finding = examined_ledger(url(there), there.settings.data_dir)
    assert (finding.level, finding.remedy) == ("fail", "memory-center replay"), finding
    told = memory_center("replay", told=with_bucket(there))
    assert (told.exit_code, told.stderr) == (0, ""), told
    assert "Took over 2 entries: 1 forgets are done again" in told.stdout
    for host in (here, there):
        until(host, ada, None)
        for process in (host.process.database, host.process.locks):
            process.engine.dispose()
    shared.work_at(here)
    here.work()
    assert ada.memories() == ["I live in Berlin."]
    assert Person(there, "ada", ada.headers).search("peanuts") == ["I live in Berlin."]
    assert here.holds("peanuts") == []
    proof = there.api.get(f"/api/v1/receipts/{forgotten['receipt_id']}").json()
    assert [(e["body"]["kind"], e["body"]["run"]) for e in proof["entries"]] == [
        ("accepted", 0),
        ("verified", 0),
        ("accepted", 1),
        ("verified", 1),
    ]
    finding = examined_ledger(url(there), there.settings.data_dir)
    assert (finding.level, finding.seen.endswith("can delete entries")) == ("warn", True), finding


def test_hosts_with_a_ledger_each_do_not_serve_until_one_is_left(
    recycled: Recycled, backing: Backing, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recycled.close_product()
    monkeypatch.setattr(hosts, "OWN", hosts.OWN - {"lite"})
    with workbench(test_settings(backing, database_url, host_id=uuid4())) as here:
        ada = here.person("ada")
        written(ada, "I live in Berlin.")
        first = worker_process._installed[0]
        with workbench(test_settings(backing, database_url, host_id=uuid4())) as there:
            both = Elsewhere(here, there, {id(here): first, id(there): worker_process._installed[0]})
            for host in (here, there):
                until(host, ada, "ledger_not_shared")
                both.work_at(host)
                with psycopg.connect(url(host)) as owner:
                    ids = [row[0] for row in owner.execute("select id from outbox").fetchall()]
                assert ids, "work waits"
                for task in (TASKS["indexer"], TASKS["learner"]):
                    task(outbox_ids=ids)
                assert host.count("select count(*) from outbox where attempt = 0") == len(ids), "and is left waiting"
            finding = examined_ledger(url(here), here.settings.data_dir)
            assert (finding.level, finding.seen) == ("fail", "2 hosts do not share their ledger")
            both.work_at(there)
        worker_process._installed[:] = [first]
        until(here, ada, None)
        here.work()


def test_what_hosts_must_share_is_named() -> None:
    def host(number: int, **places: str) -> hosts.Host:
        values: dict[str, Any] = {"ledger": "bucket a", "packages": "bucket b", "vectors": "server", **places}
        return hosts.Host(id=UUID(int=number), version="1", **values)

    assert hosts.unshared([host(1, ledger="file", packages="folder", vectors="lite")]) is None, "it is alone"
    assert hosts.unshared([host(1), host(2)]) is None
    assert hosts.unshared([host(1, ledger="file"), host(2)]) == "ledger"
    assert hosts.unshared([host(1), host(2, ledger="bucket c")]) == "ledger"
    assert hosts.unshared([host(1, packages="folder"), host(2, packages="folder")]) == "packages"
    assert hosts.unshared([host(1), host(2, vectors="lite")]) == "vectors"


def test_a_ledger_that_is_gone_stops_everything_until_it_is_back_or_begun_anew(bench: Workbench) -> None:
    ada = bench.person()
    [(question, _)] = ada.say(ada.conversation(), BERLIN)
    ada.forget("message", message_id=question, cascade=True)
    bench.work()
    path = bench.process.ledger_book.path  # type: ignore[attr-defined]  # of one host it is a file
    kept = path.rename(path.with_name("elsewhere"))
    until(bench, ada, "ledger_missing")
    told = replay(bench)
    assert told.exit_code == 1
    assert "put the ledger back" in told.stderr
    watch = RestoreWatch(url(bench), LedgerFile(path.parent), start_empty=True)
    watch.check()
    watch.close()
    kept.rename(path)
    until(bench, ada, None)
    kept = path.rename(path.with_name("elsewhere"))
    told = memory_center(
        "replay",
        told={
            "MEMORY_CENTER_DATABASE_URL": url(bench),
            "MEMORY_CENTER_LEDGER_KEY": bench.settings.ledger_key.get_secret_value(),  # type: ignore[union-attr]
            "MEMORY_CENTER_DATA_DIR": str(bench.settings.data_dir),
            "MEMORY_CENTER_LEDGER_START": "empty",
        },
    )
    assert (told.exit_code, told.stderr) == (0, ""), told
    until(bench, ada, None)
    assert LedgerFile(path.parent).chain() == LedgerFile(path.parent, kept.name).chain()


def test_a_ledger_that_was_never_read_lets_nothing_be_served(bench: Workbench) -> None:
    path = bench.process.ledger_book.path  # type: ignore[attr-defined]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir()
    watch = RestoreWatch(url(bench), LedgerFile(path.parent))
    try:
        assert watch.problem == "ledger_unavailable"
        refusals = []
        for _ in range(2):
            with pytest.raises(NotServing) as refused:
                watch.check()
            refusals.append(refused.value)
        assert refusals[0] is not refusals[1], "one would keep the frames of all whom it refused"
        path.rmdir()
        watch.validate()
        path.mkdir()
        watch.validate()  # it was read once, and the connection is the same since
    finally:
        watch.close()
        path.rmdir()


def test_a_disk_restored_as_a_whole_is_noticed_by_the_ledgers_copy(
    recycled: Recycled, backing: Backing, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recycled.close_product()
    with workbench(test_settings(backing, database_url, ledger_copy_dir=tmp_path / "elsewhere")) as bench:
        ada = bench.person("ada")
        [(peanuts, _), (berlin, _)] = ada.say(ada.conversation(), PEANUTS, BERLIN)
        bench.work()
        ada.forget("message", message_id=berlin, cascade=True)
        bench.work()
        path = bench.settings.files_dir / "ledger.jsonl"
        old = path.read_bytes()
        dump(url(bench), tmp_path / "backup")
        ada.forget("message", message_id=peanuts, cascade=True)
        bench.work()
        assert ada.memories() == []

        path.write_bytes(old)
        restore(url(bench), tmp_path / "backup")
        for database in (bench.process.database, bench.process.locks):
            database.engine.dispose()

        until(bench, ada, "replay_needed")
        told = memory_center(
            "replay",
            told={
                "MEMORY_CENTER_DATABASE_URL": url(bench),
                "MEMORY_CENTER_LEDGER_KEY": bench.settings.ledger_key.get_secret_value(),  # type: ignore[union-attr]
                "MEMORY_CENTER_DATA_DIR": str(bench.settings.data_dir),
                "MEMORY_CENTER_LEDGER_COPY_DIR": str(tmp_path / "elsewhere"),
            },
        )
        assert (told.exit_code, told.stderr) == (0, ""), told
        assert "1 forgets are done again" in told.stdout
        until(bench, ada, None)
        bench.work()
        assert ada.memories() == []
        assert LedgerFile(path.parent).chain() == LedgerFile(tmp_path / "elsewhere").chain()
        monkeypatch.setenv("MEMORY_CENTER_LEDGER_COPY_DIR", str(tmp_path / "elsewhere"))
        health = examined_ledger(url(bench), bench.settings.data_dir)
        assert (health.level, "on one disk" in health.seen) == ("warn", True)


@pytest.fixture
def forked(bench: Workbench, tmp_path: Path) -> tuple[Person, dict[str, Any], dict[str, Any]]:
    """A restored backup that forgot something else than what was forgotten before, as two hosts with a file each did.

    Returns:
        Ada, who said two things, and the forgets of them: of the first history and of the second.
    """
    ada = bench.person("ada")
    [(peanuts, _), (berlin, _)] = ada.say(ada.conversation(), PEANUTS, BERLIN)
    bench.work()
    written(ada, "I love jazz.")
    path = bench.process.ledger_book.path  # type: ignore[attr-defined]
    ada.forget("conversation", conversation_id=ada.conversation())
    bench.work()
    before = path.read_bytes()
    dump(url(bench), tmp_path / "backup")

    def forget(message: str) -> dict[str, Any]:
        body = {"scope": "message", "message_id": message, "cascade": True}
        accepted: dict[str, Any] = ada.post("/api/v1/memory/forget", body, status=202)
        bench.work()
        return accepted

    first = forget(peanuts)
    branch = path.read_bytes().removeprefix(before)
    path.write_bytes(before)  # the ledger of a host that never heard of it
    restore(url(bench), tmp_path / "backup")
    for database in (bench.process.database, bench.process.locks):
        database.engine.dispose()
    until(bench, ada, None)
    second = forget(berlin)
    assert any("peanuts" in one for one in ada.memories()), "it is remembered again"
    with path.open("ab") as file:
        file.write(branch)
    return ada, first, second


def test_a_fork_is_merged_and_both_histories_are_forgotten(
    bench: Workbench, forked: tuple[Person, dict[str, Any], dict[str, Any]], tmp_path: Path
) -> None:
    ada, first, second = forked
    until(bench, ada, "replay_needed")
    told = replay(bench)
    assert told.exit_code == 1
    assert "replay --merge" in told.stderr
    told = replay(bench, "--merge")
    assert (told.exit_code, told.stderr) == (0, ""), told
    assert told.stdout.startswith("Took over 2 entries: 1 forgets are done again")
    assert told.stdout.endswith("Branches merged: 1.\n")
    until(bench, ada, None)
    bench.work()
    assert ada.memories() == ["I love jazz."]
    assert bench.holds("peanuts") == []
    assert bench.holds("Berlin") == []
    assert replay(bench, "--merge").stdout.startswith("Took over 0 entries"), "repeating it does nothing"
    book = bench.process.ledger_book
    with bench.database.begin() as tx:
        stored = list(ledger.after(tx, 0))
        assert ledger.damage(tx, book) is None
    check_chain(stored)
    assert [entry.kind for entry in stored].count("merged") == 1
    assert LedgerFile(book.path.parent).chain() == stored, "the chain that merged is the chain"  # type: ignore[attr-defined]
    public_key = stored[0].said["public_key"]
    for accepted in (first, second):
        path = tmp_path / "receipt.json"
        path.write_text(bench.api.get(f"/api/v1/receipts/{accepted['receipt_id']}").text)
        proven = memory_center(
            "verify-receipt",
            str(path),
            "--public-key",
            public_key,
            "--ledger",
            str(book.path),  # type: ignore[attr-defined]
        )
        assert (proven.exit_code, proven.stderr) == (0, ""), proven
        assert "in an unbroken chain" in proven.stdout
    assert examined_ledger(url(bench), bench.settings.data_dir).level == "ok"


def test_a_merge_that_broke_off_goes_on(
    bench: Workbench, forked: tuple[Person, dict[str, Any], dict[str, Any]]
) -> None:
    from shared.erasure.replay import Replay
    from shared.kernel.database import Database

    ada, _, _ = forked
    database = Database(url(bench), application="test")
    one = Replay(bench.process.ledger_book, bench.process.ledger_seal, merging=True)
    assert database.transact(one.step) == "forgotten again"
    database.close()
    with psycopg.connect(url(bench)) as owner:
        assert owner.execute("select count(*) from ledger where branch <> ''").fetchone() == (1,)
    told = replay(bench, "--merge")
    assert (told.exit_code, told.stderr) == (0, ""), told
    assert "Branches merged: 1." in told.stdout
    until(bench, ada, None)
    bench.work()
    assert ada.memories() == ["I love jazz."]


def test_a_look_at_a_long_ledger_reads_only_what_is_new(bench: Workbench, tmp_path: Path) -> None:
    """A host whose file lacks the newest entry reads all of it once, not at every look."""
    from tests.support.ledger_entries import chain

    ada = bench.person()
    [(question, _)] = ada.say(ada.conversation(), BERLIN)
    ada.forget("message", message_id=question, cascade=True)
    bench.work()
    book = LedgerFile(tmp_path)
    book.append(chain(20_000))
    watch = RestoreWatch(url(bench), book)
    try:
        began = time.process_time()
        for _ in range(10):
            watch._look()
        cheap = time.process_time() - began
        began = time.process_time()
        list(book.read())
        assert cheap / 10 < (time.process_time() - began) / 20, "a look costs a fraction of reading it"
    finally:
        watch.close()
