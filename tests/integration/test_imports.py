"""A package to bring back: looked at, asked for, applied, given up (X-09)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from services.memory_center import upload
from shared.kernel.database_errors import DatabaseUnavailable
from shared.portability import import_package
from shared.portability.packages.limits import MIB
from shared.portability.revoke import revoke_expired_imports
from shared.portability.rules.imports import AT_ONCE
from shared.portability.sql import import_events, import_writing
from shared.runtime import heartbeat
from tests.support.backing import Backing
from tests.support.dumping import dump, restore
from tests.support.importing import (
    IMPORT,
    ZIP,
    Elsewhere,
    asked,
    brought,
    compared,
    elsewhere,
    empty_package,
    preview,
    repacked,
    sent,
)
from tests.support.memories import written
from tests.support.packages import Package, download, export, packed
from tests.support.restoring import replay
from tests.support.small_api import assert_problem
from tests.support.tables import each
from tests.support.workbench import Person, Workbench
from workers.importer import tasks

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    person = bench.person("ada")
    person.say(person.conversation(title="Lunch"), PEANUTS)
    written(person, "I cycle to work.")
    bench.work()
    return person


@pytest.fixture
def package(ada: Person) -> Package:
    return packed(ada)


@pytest.fixture
def both(bench: Workbench, package: Package, backing: Backing) -> Iterator[Elsewhere]:
    """This installation, and one with nobody in it; the package was made here."""
    with elsewhere(bench, backing) as found:
        yield found


@pytest.fixture
def there(both: Elsewhere) -> Person:
    """Somebody at the other installation, of whom there is nothing."""
    return both.there.person("ada")


def files(bench: Workbench) -> list[str]:
    return sorted(path.name for path in bench.settings.exports_dir.rglob("*") if path.is_file())


def nothing_is_left(bench: Workbench) -> bool:
    """Return whether no trace of a package is left once the workers are done."""
    bench.work()
    rows = bench.count(
        "select (select count(*) from imports) + (select count(*) from vector_refs where store = 'files')"
    )
    return not files(bench) and rows == 0


def test_an_import_is_foreseen_accepted_and_applied(package: Package, there: Person) -> None:
    bench = there.bench
    foreseen = preview(there, package.raw)
    counts = package.manifest["content"]["counts"]
    assert foreseen == {
        "source": "memory-center",
        "format": "zip",
        "schema_version": 1,
        "scope": "user",
        "counts": counts,
        "new": {kind: count for kind, count in counts.items() if kind != "settings"},
        "present": {"settings": 1},
        "erased": {},
        "switched_off": {},
        "withheld": {},
        "returning": [],
        "settings": "kept",
    }
    assert nothing_is_left(bench)
    assert there.get("/api/v1/memory/long_term") == []

    answer = sent(there, package.raw)
    assert answer.status_code == 202
    op_id = answer.json()["op_id"]
    assert answer.json() == {"status": "accepted", "op_id": op_id, "receipt_id": None}
    assert answer.headers["location"] == f"/api/v1/memory/ops/{op_id}"
    assert there.operation(op_id)["status"] == "pending"
    assert there.get("/api/v1/memory/long_term") == []
    bench.work()

    operation = there.operation(op_id)
    assert (operation["type"], operation["status"], operation["progress"]) == ("import", "succeeded", 1)
    assert operation["steps"][0]["counts"] == foreseen["new"] | {"present": 1}
    assert there.memories() == ["I cycle to work.", "I'm allergic to peanuts."]
    assert compared(packed(there)) == compared(package)


def test_what_came_is_found_and_its_vectors_are_there(package: Package, there: Person) -> None:
    brought(there, package.raw)
    [conversation] = [one["id"] for one in there.get("/api/v1/conversations")]
    assert there.search("Which nuts may I not eat?")[0] == "I'm allergic to peanuts."
    refs = "select count(*) from vector_refs where state = 'written' and item_kind = '{}'"
    assert there.bench.count(refs.format("episode")) == 1
    assert there.bench.count(refs.format("memory")) == 2
    body = {"query": "peanuts", "conversation_id": conversation}
    context = there.post("/api/v1/recall", body, status=200)
    assert "peanuts" in json.dumps(context)


def test_one_json_document_is_imported_as_well(bench: Workbench, ada: Person, both: Elsewhere, there: Person) -> None:
    both.work_at(bench)
    op_id = export(ada, format="json")
    bench.work()
    document = download(ada, op_id).content
    package = packed(ada)
    both.work_at(both.there)
    answer = sent(there, document, headers={"Content-Type": "application/json"})
    assert answer.status_code == 202, answer.text
    there.bench.work()
    assert compared(packed(there)) == compared(package)


def test_importing_twice_changes_nothing(package: Package, there: Person) -> None:
    brought(there, package.raw)
    before = packed(there)
    counts = package.manifest["content"]["counts"]
    foreseen = preview(there, package.raw)
    assert (foreseen["new"], foreseen["present"]) == ({}, counts)
    assert brought(there, package.raw) == {"present": sum(counts.values())}
    assert compared(packed(there)) == compared(before)


def test_the_same_package_under_the_same_key_is_imported_once(bench: Workbench, ada: Person) -> None:
    raw = empty_package()
    answers = [sent(ada, raw, headers=ZIP | {"Idempotency-Key": "k"}) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert bench.count("select count(*) from imports") == 1
    assert_problem(sent(ada, empty_package(), headers=ZIP | {"Idempotency-Key": "k"}), 409, "idempotency_conflict")
    assert nothing_is_left(bench)


def test_who_does_it_is_on_record(bench: Workbench, ada: Person) -> None:
    op_id = asked(ada, empty_package())
    bench.work()
    with bench.database.begin() as tx:
        rows = tx.rows(
            "select type, actor from events where stream = :stream order by version", stream=f"operation:{op_id}"
        )
    assert [tuple(row.values()) for row in rows] == [
        ("ImportAccepted", "person"),
        ("ImportCompleted", "system:importer"),
    ]


def test_nobody_imports_for_somebody_else_and_services_name_whom(bench: Workbench, ada: Person) -> None:
    raw = empty_package()
    assert_problem(sent(bench.person(), raw, user_id=ada.user_id), 404, "not_found")
    assert_problem(bench.api.post(IMPORT, content=raw, headers=ZIP | bench.service), 422, "user_id_required")
    answer = bench.api.post(IMPORT, content=raw, params={"user_id": ada.user_id}, headers=ZIP | bench.service)
    assert answer.status_code == 202
    op_id = answer.json()["op_id"]
    eve = bench.person()
    assert_problem(bench.api.get(f"/api/v1/memory/ops/{op_id}", headers=eve.headers), 404, "not_found")
    assert_problem(download(ada, op_id), 404, "not_found")


@each(
    ("raw", "status", "code"),
    [
        (b"", 422, "package_unknown_format"),
        (b"hello", 422, "package_unknown_format"),
        (b"PK\x03\x04 and no more", 422, "package_malformed"),
        (b"[]", 422, "package_unknown_format"),
    ],
)
@each("dry_run", [False, True])
def test_what_is_no_package_is_refused_and_leaves_nothing(
    bench: Workbench, ada: Person, raw: bytes, status: int, code: str, *, dry_run: bool
) -> None:
    assert_problem(sent(ada, raw, dry_run=dry_run), status, code)
    assert bench.count("select count(*) from operations where type = 'import'") == 0
    assert nothing_is_left(bench)


def test_a_damaged_package_is_refused_with_its_place_and_no_content(
    bench: Workbench, ada: Person, package: Package
) -> None:
    said = package.raw.replace(b"conversations/", b"../versations/")
    refused = sent(ada, said)
    assert refused.status_code == 422
    assert "peanuts" not in refused.text
    assert refused.json()["code"].startswith("package_")
    for cut in (10, len(package.raw) // 2, len(package.raw) - 1):
        assert_problem(sent(ada, package.raw[:cut]), 422, sent(ada, package.raw[:cut]).json()["code"])
    assert bench.count("select count(*) from imports") == 0


def _history(change: Callable[[list[Any]], list[Any]]) -> Callable[[str, list[Any]], list[Any]]:
    return lambda path, records: change(records) if path == "history.jsonl" else records


def _in_a_ring(path: str, records: list[Any]) -> list[Any]:
    if path != "memories.jsonl":
        return records
    ids = [one["id"] for one in records]
    return [one | {"supersedes_id": other} for one, other in zip(records, ids[1:] + ids[:1], strict=True)]


def _confirmed_first(records: list[Any]) -> list[Any]:
    return [one | {"type": "MemoryConfirmed", "data": {}} if one["type"] == "MemoryLearned" else one for one in records]


@each(
    ("change", "code"),
    [
        (_history(lambda records: [one for one in records if one["type"] != "ConversationCreated"]), "schema_mismatch"),
        (_history(lambda records: [one | {"version": one["version"] + 1} for one in records]), "schema_mismatch"),
        (_history(_confirmed_first), "schema_mismatch"),
        (_in_a_ring, "references_missing"),
    ],
)
def test_histories_that_do_not_hold_together_are_refused(ada: Person, package: Package, change: Any, code: str) -> None:
    assert_problem(sent(ada, repacked(package, change)), 422, f"package_{code}")


def test_what_is_too_large_is_refused_however_it_comes(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    retention = bench.api.app.state.retention  # type: ignore[attr-defined]
    small = retention.model_copy(update={"imports": retention.imports.model_copy(update={"package": MIB})})
    monkeypatch.setitem(bench.api.app.state._state, "retention", small)  # type: ignore[attr-defined]
    large = b"x" * (MIB + 1)
    assert_problem(sent(ada, large), 413, "package_too_large")

    def parts() -> Iterator[bytes]:
        for _ in range(9):
            yield large[: MIB // 8]

    assert_problem(bench.api.post(IMPORT, content=parts(), headers=ada.headers | ZIP), 413, "package_too_large")
    assert nothing_is_left(bench)


def test_what_is_announced_as_something_else_is_refused(bench: Workbench, ada: Person) -> None:
    answer = sent(ada, empty_package(), headers={"Content-Type": "text/plain"})
    assert_problem(answer, 415, "unsupported_media_type")
    octets = sent(ada, empty_package(), headers={"Content-Type": "application/octet-stream"})
    assert octets.status_code == 202


def test_nobody_fills_the_disk_with_packages(bench: Workbench, ada: Person) -> None:
    for _ in range(AT_ONCE):
        asked(ada, empty_package())
    refused = sent(ada, empty_package())
    assert_problem(refused, 429, "too_many_imports")
    assert refused.headers["retry-after"]
    assert len(files(bench)) == AT_ONCE
    assert nothing_is_left(bench)


def test_a_process_takes_in_a_few_packages_at_once(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "_places", type("Full", (), {"acquire": lambda *_, **__: False})())
    assert_problem(sent(ada, empty_package()), 503, "busy")


def test_an_upload_that_takes_too_long_is_ended(bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "UPLOAD_SECONDS", 0.0)
    assert_problem(sent(ada, empty_package()), 408, "upload_too_slow")
    assert nothing_is_left(bench)


def test_what_lies_on_disk_is_sealed(bench: Workbench, ada: Person, package: Package) -> None:
    with bench.database.begin() as tx:
        tx.run("delete from exports")
    asked(ada, package.raw)
    for path in bench.settings.exports_dir.rglob("*.sealed"):
        assert b"conversations/" not in path.read_bytes()
        assert path.stat().st_mode & 0o777 == 0o600


def test_an_upload_that_fails_leaves_nothing(bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise OSError(28, "canary")

    with monkeypatch.context() as patched:
        patched.setattr(upload.Sealer, "write", fail)
        answer = sent(ada, empty_package())
    assert answer.status_code == 500
    assert "canary" not in answer.text
    assert nothing_is_left(bench)


def test_a_package_that_was_never_accepted_is_swept(bench: Workbench, ada: Person) -> None:
    from shared.erasure.discard_vectors import queue_abandoned
    from shared.kernel import subjects

    with bench.database.begin() as tx:
        upload = import_package.begin_upload(tx, subjects.find_or_create(tx, ada.user_id))
    with bench.process.packages.writing(upload.file.namespace, upload.file.file_key) as file:
        file.write(b"of a process that died")
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() - interval '1 hour' where state = 'intended'")
        assert queue_abandoned(tx) == 1
    assert nothing_is_left(bench)


class Killed(BaseException):
    """The worker's process ends here."""


PLACES: dict[str, tuple[Any, str]] = {
    "reading": (tasks, "open_package"),
    "setting down": (import_package, "stage_import"),
    "deciding": (import_package.import_resolution, "decide"),
    "writing": (import_writing, "write"),
    "queueing": (import_events, "queue"),
    "telling": (import_events, "tell"),
    "discarding": (import_package, "discard_package"),
    "closing": (import_package, "close_step"),
}


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("moment", "place"),
    [*(("before", place) for place in PLACES), *(("after", place) for place in ("writing", "telling", "closing"))],
)
def test_an_import_whose_worker_dies_starts_over(
    package: Package, there: Person, monkeypatch: pytest.MonkeyPatch, moment: str, place: str
) -> None:
    bench = there.bench
    op_id = asked(there, package.raw)
    module, name = PLACES[place]
    real: Callable[..., Any] = getattr(module, name)

    def die(*given: Any, **named: Any) -> Any:
        if moment == "after":
            real(*given, **named)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(module, name, die)
        with pytest.raises(Killed):
            bench.work_once(["import.apply"])
    assert there.get("/api/v1/conversations") == []
    assert bench.count("select count(*) from messages") == 0
    with bench.database.begin() as tx:
        tx.run("update outbox set lease_until = now() - interval '1 s' where state = 'leased'")
    bench.work()
    assert there.operation(op_id)["status"] == "succeeded"
    assert compared(packed(there)) == compared(package)


@pytest.mark.few(1)
@pytest.mark.parametrize("error", [OSError(5, "canary"), DatabaseUnavailable(), RuntimeError("canary")])
def test_an_import_that_fails_is_tried_again(
    package: Package, there: Person, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    bench = there.bench
    op_id = asked(there, package.raw)

    def fail(*_: Any, **__: Any) -> Any:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(import_writing, "write", fail)
        bench.work_once(["import.apply"])
    [step] = there.operation(op_id)["steps"]
    code = {OSError: "files_unavailable", DatabaseUnavailable: "database_unavailable"}.get(
        type(error), "internal_error"
    )
    assert step["last_error"].startswith(code)
    assert "canary" not in step["last_error"]
    bench.hurry()
    bench.work()
    assert there.memories() == ["I cycle to work.", "I'm allergic to peanuts."]


def test_an_import_that_another_worker_took_over_is_applied_once(
    package: Package, there: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, real = there.bench, import_package.stage_import
    op_id = asked(there, package.raw)
    stopped = [True]

    def while_stopped(*given: Any, **named: Any) -> None:
        real(*given, **named)
        if stopped.pop() if stopped else False:
            with bench.database.begin() as tx:
                tx.run("update outbox set lease_until = now() - interval '1 s' where state = 'leased'")
            for row_id, _ in bench.due(["import.apply"]):
                tasks.leased_work().run_each([row_id], tasks.bring, kinds=tasks.WORK)

    monkeypatch.setattr(import_package, "stage_import", while_stopped)
    bench.work_once(["import.apply"])
    bench.work()
    assert there.operation(op_id)["status"] == "succeeded"
    assert bench.count("select count(*) from events where type = 'ImportCompleted'") == 1
    assert compared(packed(there)) == compared(package)


def test_after_its_time_a_package_is_given_up(bench: Workbench, ada: Person) -> None:
    op_id = asked(ada, empty_package())
    with bench.database.begin() as tx:
        tx.run("update imports set created_at = now() - interval '25 hours'")
    assert bench.database.transact(lambda tx: revoke_expired_imports(tx, bench.settings.retention.imports.kept)) == 1
    assert nothing_is_left(bench)
    assert ada.operation(op_id)["status"] == "cancelled"
    assert bench.count("select count(*) from events where type = 'ImportWithdrawn'") == 1


def test_a_long_upload_is_kept_and_a_forget_ends_it(
    bench: Workbench, ada: Person, package: Package, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeat, "SECONDS", 0.0)
    assert sent(ada, package.raw).status_code == 202
    bench.work()
    real = upload.Sealer.close

    def forget_first(sealer: Any) -> bytes:
        ada.forget("user")
        return real(sealer)

    monkeypatch.setattr(upload.Sealer, "close", forget_first)
    assert_problem(sent(ada, package.raw), 409, "import_overtaken")
    monkeypatch.setattr(upload.Sealer, "close", real)
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() where state = 'intended'")
    bench.hurry()
    assert nothing_is_left(bench)


def test_a_restored_backup_imports_nothing(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    op_id = asked(ada, empty_package())
    backup = tmp_path / "backup"
    dump(bench.settings.database_url.get_secret_value(), backup)
    ada.forget("conversation", conversation_id=ada.get("/api/v1/conversations")[0]["id"])
    bench.work()
    restore(bench.settings.database_url.get_secret_value(), backup)
    for database in (bench.process.database, bench.process.locks):
        database.engine.dispose()
    told = replay(bench)
    assert (told.exit_code, told.stderr) == (0, "")
    bench.work()
    assert nothing_is_left(bench)
    assert bench.count("select count(*) from operations where id = %(id)s and status = 'cancelled'", id=op_id) == 1


def test_files_of_a_package_are_where_exports_are(bench: Workbench, ada: Person) -> None:
    asked(ada, empty_package())
    [name] = files(bench)
    assert (bench.settings.exports_dir / str(bench.namespace(ada)) / name).is_file()
