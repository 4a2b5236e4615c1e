"""A package to take along: asked for, written, downloaded, gone when its time is over (MC-12)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest

from shared.kernel.database_errors import DatabaseUnavailable
from shared.portability.revoke import revoke_expired_exports
from shared.portability.rules.exports import AT_ONCE
from shared.runtime import heartbeat
from shared.stores.sealed.folder import FolderFiles
from tests.support.memories import written
from tests.support.packages import EXPORT, Package, download, export, packed
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench
from workers.exporter import tasks
from workers.scheduler.orphan_files import remove_orphan_files

EVERYTHING = {"scope": "user", "confirmation": True}
PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    person = bench.person()
    conversation = person.conversation(title="Lunch")
    person.say(conversation, PEANUTS)
    bench.work()
    return person


def asked(person: Person, body: dict[str, Any], **headers: str) -> Any:
    return person.bench.api.post(EXPORT, json=body, headers=person.headers | headers)


def files(bench: Workbench) -> list[str]:
    """Return the names of all files there are of packages."""
    return sorted(path.name for path in bench.settings.exports_dir.rglob("*") if path.is_file())


def test_an_export_is_accepted_written_and_downloaded(bench: Workbench, ada: Person) -> None:
    answer = asked(ada, EVERYTHING | {"format": "zip"})
    assert answer.status_code == 202
    op_id = answer.json()["op_id"]
    assert answer.json() == {"status": "accepted", "op_id": op_id, "receipt_id": None}
    assert answer.headers["location"] == f"/api/v1/memory/ops/{op_id}"
    assert_problem(download(ada, op_id), 409, "export_not_ready")
    assert ada.get(f"/api/v1/memory/exports/{op_id}")["ready"] is False

    bench.work()

    operation = ada.operation(op_id)
    assert (operation["type"], operation["status"], operation["progress"]) == ("export_user", "succeeded", 1)
    [step] = operation["steps"]
    assert (step["name"], step["counts"]["message"]) == ("package", 2)
    got = download(ada, op_id)
    assert got.headers["content-type"] == "application/zip"
    assert got.headers["content-disposition"].startswith('attachment; filename="memory-center-')
    assert got.headers["cache-control"] == "no-store"
    package = Package(got.content)
    package.check()
    assert sorted(one["content"] for one in package.every("message")) == sorted(PEANUTS)
    shown = ada.get(f"/api/v1/memory/exports/{op_id}")
    assert (shown["ready"], shown["bytes"]) == (True, len(got.content))
    assert got.headers["etag"] == f'"{shown["sha256"]}"'


def test_what_lies_on_disk_is_sealed(bench: Workbench, ada: Person) -> None:
    op_id = export(ada, format="markdown")
    bench.work()
    assert "peanuts" in download(ada, op_id).text
    [path] = [path for path in bench.settings.exports_dir.rglob("*") if path.is_file()]
    assert b"peanuts" not in path.read_bytes()
    assert b"Lunch" not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600


def test_asking_to_export_and_downloading_is_on_record(bench: Workbench, ada: Person) -> None:
    op_id = export(ada)
    bench.work()
    download(ada, op_id)
    download(ada, op_id, Range="bytes=10-")
    with bench.database.begin() as tx:
        rows = tx.rows(
            "select type, actor from events where stream = :stream order by version", stream=f"operation:{op_id}"
        )
    assert [tuple(row.values()) for row in rows] == [
        ("ExportAccepted", "person"),
        ("ExportCompleted", "system:exporter"),
        ("ExportDownloaded", "person"),
    ]


def test_a_download_of_all_but_the_first_byte_is_on_record_too(bench: Workbench, ada: Person) -> None:
    op_id = export(ada)
    bench.work()
    for _ in range(2):
        assert download(ada, op_id, Range="bytes=1-").status_code == 206
    assert bench.count("select count(*) from events where type = 'ExportDownloaded'") == 1


@each(
    "body",
    [
        {"scope": "conversation"},
        {"scope": "selection"},
        {"scope": "selection", "ids": []},
        {"scope": "user", "ids": ["0192f0c1-0000-7000-8000-000000000001"]},
        {"scope": "user", "conversation_id": "0192f0c1-0000-7000-8000-000000000001"},
        {"scope": "user", "format": "tar"},
        {"scope": "user", "language": "fr"},
        {"scope": "everything"},
    ],
)
def test_what_is_asked_for_wrongly_is_refused(ada: Person, body: dict[str, Any]) -> None:
    assert_problem(asked(ada, body), 422, "validation_failed")


@each("confirmation", [{}, {"confirmation": False}])
def test_everything_leaves_only_once_it_is_confirmed(bench: Workbench, ada: Person, confirmation: Any) -> None:
    for body, headers in (({}, ada.headers), ({"user_id": ada.user_id}, bench.service)):
        answer = bench.api.post(EXPORT, json={"scope": "user", **body, **confirmation}, headers=headers)
        assert_problem(answer, 422, "confirmation_required")
    for unclear in ("true", 1, "EXPORT EVERYTHING"):
        assert_problem(asked(ada, {"scope": "user", "confirmation": unclear}), 422, "validation_failed")
    assert bench.count("select count(*) from operations where type like 'export%%'") == 0


def test_nobody_exports_or_downloads_what_is_somebody_elses(bench: Workbench, ada: Person) -> None:
    eve = bench.person()
    conversation = ada.get("/api/v1/conversations")[0]["id"]
    memory = ada.get("/api/v1/memory/long_term")[0]["id"]
    op_id = export(ada)
    bench.work()

    assert_problem(asked(eve, {"scope": "conversation", "conversation_id": conversation}), 404, "not_found")
    assert_problem(asked(eve, {"scope": "selection", "ids": [memory]}), 404, "not_found")
    assert_problem(asked(eve, EVERYTHING | {"user_id": ada.user_id}), 404, "not_found")
    assert_problem(download(eve, op_id), 404, "not_found")
    path = f"/api/v1/memory/exports/{op_id}"
    assert_problem(bench.api.get(path, headers=eve.headers), 404, "not_found")
    assert Package(download(ada, op_id).content).every("memory")
    assert packed(eve).every("message") == []


def test_an_operation_that_is_no_export_has_no_package(bench: Workbench, ada: Person) -> None:
    op_id = ada.forget("user")
    assert_problem(download(ada, op_id), 404, "not_found")


def test_the_same_request_under_the_same_key_exports_once(ada: Person) -> None:
    answers = [asked(ada, EVERYTHING, **{"Idempotency-Key": "k"}) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert_problem(
        asked(ada, EVERYTHING | {"format": "markdown"}, **{"Idempotency-Key": "k"}), 409, "idempotency_conflict"
    )


def test_nobody_fills_the_disk_with_packages(ada: Person) -> None:
    for _ in range(AT_ONCE):
        export(ada)
    refused = asked(ada, EVERYTHING)
    assert_problem(refused, 429, "too_many_exports")
    assert refused.headers["retry-after"]


def test_parts_of_a_package_make_the_whole(bench: Workbench, ada: Person) -> None:
    said = "".join(f"{number} peanuts; " for number in range(2_000))
    for _ in range(8):
        ada.say(ada.conversation(), ("Well?", said))
    op_id = export(ada, format="json")
    bench.work()
    whole = download(ada, op_id)
    size, tag = len(whole.content), whole.headers["etag"]
    assert size > 3 * 64 * 1024
    assert whole.headers["accept-ranges"] == "bytes"

    cuts = [0, 1, 65_535, 65_536, 100_000, 131_073, size]
    parts = [download(ada, op_id, Range=f"bytes={a}-{b - 1}") for a, b in pairwise(cuts)]
    assert {part.status_code for part in parts} == {206}
    assert [part.headers["content-range"] for part in parts][:2] == [f"bytes 0-0/{size}", f"bytes 1-65534/{size}"]
    assert b"".join(part.content for part in parts) == whole.content
    assert download(ada, op_id, Range="bytes=-10").content == whole.content[-10:]
    assert download(ada, op_id, Range=f"bytes={size - 3}-{size + 100}").content == whole.content[-3:]
    assert download(ada, op_id, Range="bytes=70000-", **{"If-Range": tag}).content == whole.content[70_000:]
    for ignored in ("bytes=5-2", "bytes=0-1,4-5", "lines=1-2", "bytes=-", "bytes=1x-"):
        everything = download(ada, op_id, Range=ignored)
        assert (everything.status_code, everything.content) == (200, whole.content)
    assert download(ada, op_id, Range="bytes=0-1", **{"If-Range": '"another"'}).status_code == 200
    for beyond in (f"bytes={size}-", "bytes=-0"):
        refused = download(ada, op_id, Range=beyond)
        assert_problem(refused, 416, "range_not_satisfiable")
        assert refused.headers["content-range"] == f"bytes */{size}"


def test_a_file_that_was_changed_is_not_served(bench: Workbench, ada: Person) -> None:
    op_id = export(ada)
    bench.work()
    [path] = [path for path in bench.settings.exports_dir.rglob("*") if path.is_file()]
    sealed = bytearray(path.read_bytes())
    sealed[5] ^= 1
    path.write_bytes(sealed)
    assert download(ada, op_id).status_code == 500
    path.unlink()
    assert_problem(download(ada, op_id), 410, "export_gone")


def test_after_its_time_a_package_is_gone_and_its_file_too(bench: Workbench, ada: Person) -> None:
    op_id, later = export(ada), export(ada)
    bench.work()
    shown = ada.get(f"/api/v1/memory/exports/{op_id}")
    hours = bench.count(
        "select extract(epoch from expires_at - ready_at) / 3600 from exports where operation_id = %(id)s", id=op_id
    )
    assert (hours, shown["expires_at"] > shown["exported_at"]) == (24, True)
    with bench.database.begin() as tx:
        tx.run("update exports set expires_at = now() - interval '1 s' where operation_id = :id", id=op_id)

    assert_problem(download(ada, op_id), 410, "export_gone")  # before anybody swept

    assert bench.database.transact(revoke_expired_exports) == 1
    bench.work()
    assert_problem(download(ada, op_id), 410, "export_gone")
    assert ada.operation(op_id)["status"] == "succeeded"
    assert download(ada, later).status_code == 200
    assert len(files(bench)) == 1
    assert bench.count("select count(*) from vector_refs where store = 'files'") == 1


def test_files_nobody_announced_are_removed_and_packages_stay(bench: Workbench, ada: Person) -> None:
    op_id = export(ada)
    bench.work()
    [kept] = files(bench)
    folder = bench.settings.exports_dir / str(bench.namespace(ada))
    with bench.process.packages.writing(bench.namespace(ada), uuid4()) as file:
        file.write(b"of a writer that was paused")
    (folder / "something else").write_text("not ours")

    assert remove_orphan_files(bench.database, bench.process.packages, bench.process.files) == 1

    assert files(bench) == sorted([kept, "something else"])
    assert download(ada, op_id).status_code == 200


class Killed(BaseException):
    """The worker's process ends here."""


@pytest.mark.parametrize("place", ["writing", "pack_zip", "half", "close", "finish_export"])
def test_an_export_whose_worker_dies_starts_over_and_leaves_one_file(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    op_id = export(ada)

    def die(*_: Any, **__: Any) -> Any:
        raise Killed

    with monkeypatch.context() as patched:
        match place:
            case "writing":
                patched.setattr(FolderFiles, "writing", die)
            case "half":
                patched.setattr(heartbeat, "SECONDS", 0.0)
                patched.setattr(tasks, "keep_exporting", die)
            case "close":
                patched.setattr(tasks.Sealer, "close", die)
            case _:
                patched.setattr(tasks, place, die)
        # A process that dies cleans nothing up.
        patched.setattr("pathlib.Path.unlink", lambda *_, **__: None)
        with pytest.raises(Killed):
            bench.work_once()
    assert len(files(bench)) == (place != "writing")
    assert_problem(download(ada, op_id), 409, "export_not_ready")
    with bench.database.begin() as tx:
        tx.run("update outbox set lease_until = now() - interval '1 s' where state = 'leased'")

    bench.work()

    assert ada.operation(op_id)["status"] == "succeeded"
    package = Package(download(ada, op_id).content)
    package.check()
    assert len(package.every("message")) == 2
    assert len(files(bench)) == 1
    assert bench.count("select count(*) from vector_refs where store = 'files'") == 1


@pytest.mark.parametrize("error", [OSError(28, "canary"), DatabaseUnavailable(), RuntimeError("canary")])
def test_an_export_that_fails_is_tried_again(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    op_id = export(ada)

    def fail(*_: Any, **__: Any) -> Any:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(tasks, "pack_zip", fail)
        bench.work_once()
    assert files(bench) == []
    [step] = ada.operation(op_id)["steps"]
    code = {OSError: "files_unavailable", DatabaseUnavailable: "database_unavailable"}.get(
        type(error), "internal_error"
    )
    assert step["last_error"].startswith(code)
    assert "canary" not in step["last_error"]
    bench.hurry()
    bench.work()
    assert download(ada, op_id).status_code == 200


def test_an_export_that_another_worker_took_over_is_written_once(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    op_id, real = export(ada), tasks.pack_zip
    stopped = [True]

    def while_stopped(*given: Any) -> None:
        if stopped.pop() if stopped else False:
            with bench.database.begin() as tx:
                tx.run("update outbox set lease_until = now() - interval '1 s' where state = 'leased'")
            for row_id, _ in bench.due():
                tasks.leased_work().run_each([row_id], tasks.build, kinds=tasks.WORK)
        real(*given)

    monkeypatch.setattr(tasks, "pack_zip", while_stopped)
    bench.work_once()
    bench.work()

    assert ada.operation(op_id)["status"] == "succeeded"
    Package(download(ada, op_id).content).check()
    assert len(files(bench)) == 1
    assert bench.count("select count(*) from events where type = 'ExportCompleted'") == 1


def test_services_export_for_people_they_name(bench: Workbench, ada: Person) -> None:
    written(ada, "I like tea.")
    body = EVERYTHING | {"user_id": ada.user_id}
    answer = bench.api.post(EXPORT, json=body, headers=bench.service)
    assert answer.status_code == 202
    bench.work()
    path = f"/api/v1/memory/exports/{answer.json()['op_id']}/package"
    assert bench.api.get(path, headers=bench.service).status_code == 200
