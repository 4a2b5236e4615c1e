"""Packages in a bucket, through the whole product: taken along, forgotten, brought back (MC-12, X-09)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from deploy.embedded.data_directory import DataDirectory
from services.cli.doctor.bucket import bucket as doctor_bucket
from services.cli.doctor.finding import Finding
from services.cli.doctor.patient import Patient
from services.memory_center import upload
from shared.outbox.job_kinds import ERASE_FILES, EXPORT_BUILD
from shared.runtime.heartbeat import Heartbeat
from shared.stores.sealed import bucket
from shared.stores.sealed.bucket_client import Bucket
from shared.stores.sealed.bucket_place import BucketPlace
from shared.stores.sealed.sealing import CHUNK
from tests.support.backing import Backing
from tests.support.bucket_servers import BucketServer, Connection, answering, raw_server
from tests.support.importing import asked, brought, preview, sent
from tests.support.packages import Package, download, export, packed
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench, test_settings, workbench
from workers.exporter import tasks as exporter
from workers.scheduler.orphan_files import remove_orphan_files

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
LONG = "Lorem ipsum dolor sit amet. " * 700


@pytest.fixture
def place(bucket_server: BucketServer) -> BucketPlace:
    return bucket_server.bucket(versioned=True)


@pytest.fixture
def held(bucket_server: BucketServer, place: BucketPlace) -> Callable[[], list[str]]:
    return lambda: bucket_server.held(place)


@pytest.fixture
def bench(backing: Backing, database_url: str, place: BucketPlace) -> Iterator[Workbench]:
    with workbench(test_settings(backing, database_url, **settings_of(place))) as opened:
        yield opened


def settings_of(place: BucketPlace) -> dict[str, str | None]:
    return {
        "files_s3_bucket": place.bucket,
        "files_s3_endpoint": place.endpoint,
        "files_s3_prefix": place.prefix,
        "files_s3_access_key": place.access_key,
        "files_s3_secret_key": place.secret_key,
    }


@pytest.fixture
def ada(bench: Workbench) -> Person:
    person = bench.person()
    person.say(person.conversation(title="Lunch"), PEANUTS)
    bench.work()
    return person


def test_a_package_is_downloaded_by_ranges_and_a_forget_empties_the_bucket(
    bench: Workbench, ada: Person, held: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bucket, "READ_AHEAD", 100_000)
    ada.say(ada.conversation(title="Long"), *[(f"{number} {LONG}", "Well.") for number in range(12)])
    op_id = export(ada, format="json")
    bench.work_once([EXPORT_BUILD])
    assert len(held()) == 1
    assert not list(bench.settings.exports_dir.rglob("*.sealed"))
    whole = download(ada, op_id).content
    assert len(whole) > 2 * bucket.READ_AHEAD
    assert b"peanuts" in whole
    parts = [download(ada, op_id, Range=f"bytes={start}-{start + 69_999}") for start in range(0, len(whole), 70_000)]
    assert {part.status_code for part in parts} == {206}
    assert b"".join(part.content for part in parts) == whole
    assert download(ada, op_id, Range="bytes=-10").content == whole[-10:]

    forgotten = ada.forget("user")

    assert_problem(download(ada, op_id), 410, "export_gone")
    bench.work()
    operation = ada.operation(forgotten)
    assert operation["status"] == "succeeded"
    [verified] = [step for step in operation["steps"] if step["name"] == "verify"]
    assert verified["counts"]["files_residue"] == 0
    assert held() == []


def test_what_lies_in_the_bucket_is_sealed(ada: Person, bucket_server: BucketServer, place: BucketPlace) -> None:
    package = packed(ada)
    package.check()
    [name] = bucket_server.held(place)
    raw = bucket_server.client.get_object(Bucket=place.bucket, Key=name)["Body"].read()
    assert b"peanuts" not in raw
    assert b"conversations/" not in raw
    assert name == f"{place.prefix}{ada.bench.namespace(ada)}/{name[-43:]}"


def test_a_package_is_brought_back_from_the_bucket(
    bench: Workbench, ada: Person, held: Callable[[], list[str]]
) -> None:
    package = packed(ada)
    ada.forget("user")
    bench.work()
    assert held() == []
    assert preview(ada, package.raw)["new"]["message"] == 2
    bench.work()
    assert held() == []

    assert brought(ada, package.raw, restore_forgotten=True)["message"] == 2

    assert held() == []
    assert packed(ada).every("message") == package.every("message")


def test_a_package_that_is_refused_leaves_nothing_in_the_bucket(
    bench: Workbench, ada: Person, held: Callable[[], list[str]]
) -> None:
    assert_problem(sent(ada, b"no package"), 422, "package_unknown_format")
    bench.work()
    assert held() == []


def test_a_package_that_waits_goes_with_its_person(
    bench: Workbench, ada: Person, held: Callable[[], list[str]]
) -> None:
    op_id = asked(ada, packed(ada).raw)
    assert len(held()) == 2
    ada.forget("user")
    bench.work()
    assert held() == []
    assert ada.operation(op_id)["status"] == "cancelled"


def test_what_nobody_announced_is_swept_from_the_bucket(
    bench: Workbench, ada: Person, held: Callable[[], list[str]], bucket_server: BucketServer, place: BucketPlace
) -> None:
    op_id = export(ada)
    bench.work()
    [kept] = held()
    process = bench.process
    with process.packages.writing(bench.namespace(ada), uuid4()) as file:
        file.write(b"of a writer that was paused")
    unfinished = f"{place.prefix}{bench.namespace(ada)}/{uuid4()}.sealed"
    bucket_server.client.create_multipart_upload(Bucket=place.bucket, Key=unfinished)
    assert len(held()) == 3

    assert remove_orphan_files(bench.database, process.packages, process.files) == 2

    assert held() == [kept]
    assert Package(download(ada, op_id).content).every("message")


class Slow:
    """A bucket each of whose calls takes 8 s, by the clock that heartbeats have here; logs the calls, and the beats."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.log: list[str] = []
        self._now = 0.0
        for call in ("begin", "add", "complete"):
            monkeypatch.setattr(Bucket, call, self._logged(getattr(Bucket, call), call, 8.0))
        for module, keep in ((exporter, "keep_exporting"), (upload, "keep_uploading")):
            monkeypatch.setattr(module, keep, self._logged(getattr(module, keep), "beat", 0.0))
            monkeypatch.setattr(module, "Heartbeat", lambda keep: Heartbeat(keep, now=lambda: self._now))

    def _logged(self, real: Callable[..., Any], name: str, seconds: float) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            self.log.append(name)
            self._now += seconds
            return real(*given)

        return called


def test_an_export_beats_between_the_calls_of_a_slow_bucket(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    op_id = export(ada)
    log = Slow(monkeypatch).log
    ada.bench.work()
    assert ada.operation(op_id)["status"] == "succeeded"
    assert log == ["begin", "beat", "beat", "add", "complete"]


def test_an_upload_beats_between_the_calls_of_a_slow_bucket(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Slow(monkeypatch).log
    assert_problem(sent(ada, b"x" * 80 * CHUNK), 422, "package_unknown_format")  # sealed, a little more than a part
    assert [log[0], log[1], *log[-4:]] == ["begin", "beat", "add", "beat", "add", "complete"]


class Killed(BaseException):
    """The worker's process ends here."""


@pytest.mark.parametrize("place_of_death", ["pack_zip", "finish_export"])
def test_an_export_whose_worker_dies_leaves_one_object_and_no_upload(
    bench: Workbench,
    ada: Person,
    held: Callable[[], list[str]],
    monkeypatch: pytest.MonkeyPatch,
    place_of_death: str,
) -> None:
    op_id = export(ada)

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(exporter, place_of_death, die)
        patched.setattr(Bucket, "erase", lambda *_: set())  # a process that dies cleans nothing up
        with pytest.raises(Killed):
            bench.work_once()
    [left] = held()
    with bench.database.begin() as tx:
        tx.run("update outbox set lease_until = now() - interval '1 s' where state = 'leased'")

    bench.work()

    assert ada.operation(op_id)["status"] == "succeeded"
    Package(download(ada, op_id).content).check()
    [kept] = held()
    assert kept != left


def test_while_the_bucket_is_away_a_forget_waits_and_a_person_is_asked_to_come_back(
    backing: Backing, database_url: str, place: BucketPlace, ada: Person, held: Callable[[], list[str]]
) -> None:
    op_id, raw = export(ada), packed(ada).raw
    with answering(503, "SlowDown") as endpoint:
        away = settings_of(place) | {"files_s3_endpoint": endpoint}
        with workbench(test_settings(backing, database_url, **away)) as bench:
            there = bench.person(ada.user_id)
            assert_problem(download(there, op_id), 503, "busy")
            assert_problem(sent(there, raw), 503, "busy")
            forgotten = there.forget("user")
            assert_problem(download(there, op_id), 410, "export_gone")
            bench.work_once()
            bench.work_once([ERASE_FILES])
            step = next(step for step in there.operation(forgotten)["steps"] if step["name"] == "files")
            assert step["status"] != "succeeded"
            assert there.operation(forgotten)["last_error"].startswith("files_unavailable")
    assert held()
    with workbench(test_settings(backing, database_url, ledger_start="empty", **settings_of(place))) as bench:
        bench.hurry()
        bench.work()
        assert bench.person(ada.user_id).operation(forgotten)["status"] == "succeeded"
    assert held() == []


def test_a_bucket_that_denies_deleting_is_said_to_be_misconfigured(
    bench: Workbench, ada: Person, bucket_server: BucketServer, place: BucketPlace
) -> None:
    packed(ada)
    bucket_server.deny(place, "s3:DeleteObject", "s3:DeleteObjectVersion")
    forgotten = ada.forget("user")
    bench.work_once()
    bench.work_once()
    operation = ada.operation(forgotten)
    assert operation["status"] != "succeeded"
    assert operation["last_error"].startswith("store_misconfigured")


def found_by_doctor(monkeypatch: pytest.MonkeyPatch, place: BucketPlace) -> list[Finding]:
    for name, value in settings_of(place).items():
        monkeypatch.setenv(f"MEMORY_CENTER_{name.upper()}", value or "")
    nobody = Patient(directory=DataDirectory(Path("nowhere")), run=None, secrets=None, urls={})
    return list(doctor_bucket(nobody))


def test_doctor_tries_a_bucket_out_and_leaves_nothing(
    bucket_server: BucketServer, place: BucketPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    [finding] = found_by_doctor(monkeypatch, place)
    assert (finding.level, finding.part) == ("ok", "bucket")
    assert bucket_server.held(place) == []


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"secret_key": "wrong"}, "denies"),
        ({"bucket": "test-nowhere"}, "no such bucket"),
        ({"endpoint": "http://127.0.0.1:1"}, "does not answer"),
        ({"bucket": "not/a-name"}, "MEMORY_CENTER_FILES_S3_BUCKET: "),
    ],
)
def test_doctor_says_what_is_wrong_with_a_bucket(
    place: BucketPlace, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, str], says: str
) -> None:
    [finding] = found_by_doctor(monkeypatch, replace(place, **wrong))
    assert finding.level == "fail"
    assert says in finding.seen
    assert place.secret_key not in finding.seen


def test_doctor_says_in_a_line_that_something_else_than_s3_answers(
    place: BucketPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def page(connection: Connection) -> None:
        for _ in connection.requests():
            connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>")

    with raw_server(page) as endpoint:
        [finding] = found_by_doctor(monkeypatch, replace(place, endpoint=endpoint))
    assert finding.level == "fail"
    assert finding.seen == f"{place.bucket} at {endpoint}: what answers there is no S3 server, or a proxy before it"
    assert finding.remedy


def test_doctor_warns_of_a_server_that_lists_uploads_by_their_whole_name_only(
    place: BucketPlace, held: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Bucket.uploads
    monkeypatch.setattr(Bucket, "uploads", lambda self, prefix: [one for one in real(self, prefix) if one[0] == prefix])
    [finding] = found_by_doctor(monkeypatch, place)
    assert (finding.level, "whole name" in finding.seen, "lifecycle" in finding.remedy) == ("warn", True, True)
    assert held() == []


def test_a_person_is_asked_to_come_back_while_the_bucket_denies(
    backing: Backing, database_url: str, place: BucketPlace, ada: Person
) -> None:
    op_id, raw = export(ada), packed(ada).raw
    denied = settings_of(place) | {"files_s3_secret_key": "wrong"}
    with workbench(test_settings(backing, database_url, **denied)) as bench:
        there = bench.person(ada.user_id)
        assert_problem(download(there, op_id), 503, "busy")
        assert_problem(sent(there, raw), 503, "busy")


def test_doctor_says_when_nothing_can_be_erased(bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch) -> None:
    [finding] = found_by_doctor(monkeypatch, bucket_server.bucket(locked=True))
    assert finding.level == "fail"
    assert "denies" in finding.seen
