"""A forget reaches into packages: what covers it cannot be read from that commit on (MC-12, P1, P4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO
from uuid import UUID

import pytest

from shared.portability import export_package
from shared.runtime import heartbeat
from shared.stores.sealed.folder import FolderFiles
from tests.support.dumping import dump, restore
from tests.support.memories import deleted, written
from tests.support.packages import Package, download, export, packed
from tests.support.restoring import replay
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench
from workers.exporter import tasks

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")
LONG = "".join(f"{number} peanuts; " for number in range(2_000))


@pytest.fixture
def ada(bench: Workbench) -> Person:
    person = bench.person()
    person.say(person.conversation(title="Lunch"), PEANUTS)
    person.say(person.conversation(title="Home"), BERLIN)
    bench.work()
    return person


def conversation_of(person: Person, title: str) -> str:
    [found] = [one["id"] for one in person.get("/api/v1/conversations") if one["title"] == title]
    return str(found)


def message_in(person: Person, title: str) -> str:
    said = person.get("/api/v1/messages", conversation_id=conversation_of(person, title))
    return str(said[0]["id"])


def memory_of(person: Person, text: str) -> str:
    [found] = [one["id"] for one in person.get("/api/v1/memory/long_term") if text in one["content"]]
    return str(found)


FORGETS: dict[str, Callable[[Person, str], str]] = {
    "message": lambda person, title: person.forget("message", message_id=message_in(person, title)),
    "conversation": lambda person, title: person.forget("conversation", conversation_id=conversation_of(person, title)),
    "clear": lambda person, title: person.post(
        "/api/v1/clear", {"conversation_id": conversation_of(person, title)}, status=202
    )["op_id"],
    "memory": lambda person, title: deleted(
        person, memory_of(person, {"Lunch": "peanuts", "Home": "Berlin"}[title])
    ).json()["op_id"],
    "user": lambda person, _: person.forget("user"),
    "account": lambda person, _: person.forget("user", close_account=True),
}


def test_feedback_about_what_is_forgotten_elsewhere_is_in_no_package(bench: Workbench, ada: Person) -> None:
    canary = "canary: far too long"
    about = {"message_id": message_in(ada, "Lunch"), "related_object_ref": memory_of(ada, "Berlin")}
    ada.post("/api/v1/feedback", {"action": "reject", "comment": canary, **about})
    op_id = export(ada, scope="conversation", conversation_id=conversation_of(ada, "Lunch"), format="json")
    bench.work()
    assert canary in download(ada, op_id).text

    FORGETS["conversation"](ada, "Home")

    assert download(ada, op_id).status_code in (404, 410)


def status_of(bench: Workbench, op_id: str) -> str:
    """Return an operation's status, whoever may still ask for it."""
    with bench.database.begin() as tx:
        found: str = tx.value("select status from operations where id = :id", id=op_id)
    return found


def assert_gone(person: Person, op_id: str) -> None:
    """A package is gone; to whoever closed their account it never was."""
    answer = download(person, op_id)
    if answer.status_code == 404:
        assert person.bench.count("select count(*) from subjects where user_id is null and subject_key is null") > 0
    else:
        assert_problem(answer, 410, "export_gone")


def packages_left(bench: Workbench) -> int:
    return sum(path.is_file() for path in bench.settings.exports_dir.rglob("*"))


@pytest.mark.few(3)
@pytest.mark.parametrize("forget", FORGETS)
def test_any_forget_takes_a_package_of_everything(bench: Workbench, ada: Person, forget: str) -> None:
    op_id = export(ada)
    bench.work()
    assert download(ada, op_id).status_code == 200

    forgotten = FORGETS[forget](ada, "Lunch")

    assert_problem(download(ada, op_id), 410, "export_gone")
    assert_problem(bench.api.get(f"/api/v1/memory/exports/{op_id}", headers=ada.headers), 410, "export_gone")
    assert bench.count("select count(*) from exports") == 0  # the key went in the same commit

    bench.work()

    assert_gone(ada, op_id)
    assert status_of(bench, forgotten) == "succeeded"
    assert packages_left(bench) == 0
    assert bench.count("select count(*) from vector_refs where store = 'files'") == 0
    with bench.database.begin() as tx:
        receipt_id = tx.value("select receipt_id from operations where id = :id", id=forgotten)
    receipt = bench.api.get(f"/api/v1/receipts/{receipt_id}").json()
    assert receipt["entries"][-1]["body"]["counts"]["verify"]["files_residue"] == 0


@pytest.mark.few(3)
@pytest.mark.parametrize("forget", ["message", "clear", "memory"])
@pytest.mark.parametrize("where", ["Lunch", "Home"])
def test_a_package_of_a_conversation_goes_with_what_it_may_hold(
    bench: Workbench, ada: Person, forget: str, where: str
) -> None:
    op_id = export(ada, "conversation", conversation_id=conversation_of(ada, "Lunch"))
    bench.work()
    FORGETS[forget](ada, where)
    stays = where == "Home" and forget != "memory"
    assert download(ada, op_id).status_code == (200 if stays else 410)
    bench.work()
    if stays:
        assert download(ada, op_id).status_code == 200
    else:
        assert_gone(ada, op_id)
    assert packages_left(bench) == stays


def test_a_package_of_a_selection_goes_with_any_forget(bench: Workbench, ada: Person) -> None:
    op_id = export(ada, "selection", ids=[memory_of(ada, "Berlin")])
    bench.work()
    FORGETS["message"](ada, "Lunch")
    assert_problem(download(ada, op_id), 410, "export_gone")


def test_nobody_elses_package_goes(bench: Workbench, ada: Person) -> None:
    eve = bench.person()
    op_id = export(eve)
    bench.work()
    ada.forget("user")
    bench.work()
    assert download(eve, op_id).status_code == 200


def test_undoing_a_forget_does_not_bring_a_package_back(bench: Workbench, ada: Person) -> None:
    op_id = export(ada)
    bench.work()
    forgotten = ada.forget("conversation", conversation_id=conversation_of(ada, "Lunch"), undo_seconds=60)
    ada.post(f"/api/v1/memory/ops/{forgotten}/cancel", {}, status=200)
    bench.work()
    assert_problem(download(ada, op_id), 410, "export_gone")
    assert packages_left(bench) == 0
    again = packed(ada)
    assert len(again.every("message")) == 4


def test_what_a_forget_would_take_names_the_package_and_takes_nothing(bench: Workbench, ada: Person) -> None:
    op_id = export(ada)
    bench.work()
    body = {"scope": "conversation", "conversation_id": conversation_of(ada, "Lunch")}
    foreseen = ada.post("/api/v1/memory/forget/dry-run", body, status=200)
    assert foreseen["counts"]["files"] == {"keys": 1}
    assert download(ada, op_id).status_code == 200


@pytest.mark.parametrize("forget", ["conversation", "memory", "account"])
def test_a_forget_cancels_an_export_that_waits(bench: Workbench, ada: Person, forget: str) -> None:
    op_id = export(ada)
    FORGETS[forget](ada, "Lunch")
    assert status_of(bench, op_id) == "cancelled"
    bench.work()
    assert status_of(bench, op_id) == "cancelled"
    assert_gone(ada, op_id)
    assert packages_left(bench) == 0


@pytest.mark.few(3)
@pytest.mark.parametrize("forget", ["message", "user"])
@pytest.mark.parametrize("moment", ["before the snapshot", "while writing", "after writing", "before finishing"])
def test_a_forget_during_an_export_leaves_nothing_of_it(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch, forget: str, moment: str
) -> None:
    op_id = export(ada)
    forgotten: list[str] = []

    def before(real: Callable[..., Any]) -> Callable[..., Any]:
        def first_forget(*given: Any, **named: Any) -> Any:
            if not forgotten:
                forgotten.append(FORGETS[forget](ada, "Lunch"))
            return real(*given, **named)

        return first_forget

    with monkeypatch.context() as patched:
        match moment:
            case "before the snapshot":
                patched.setattr(tasks.Exported, "__init__", before(tasks.Exported.__init__))
            case "while writing":
                patched.setattr(heartbeat, "SECONDS", 0.0)
                patched.setattr(tasks, "pack_zip", before(tasks.pack_zip))
            case "after writing":
                patched.setattr(tasks.Sealer, "close", before(tasks.Sealer.close))
            case _:
                patched.setattr(tasks, "finish_export", before(export_package.finish_export))
        bench.work_once(["export.build"])
    assert forgotten
    assert status_of(bench, op_id) == "cancelled"
    assert_gone(ada, op_id)

    with bench.database.begin() as tx:  # as time would
        tx.run("update vector_refs set deadline = now() where state = 'intended' and store = 'files'")
    bench.work()

    assert status_of(bench, forgotten[0]) == "succeeded"
    assert status_of(bench, op_id) == "cancelled"
    assert packages_left(bench) == 0
    assert bench.count("select count(*) from vector_refs where store = 'files'") == 0
    assert bench.count("select count(*) from events where type = 'ExportCompleted'") == 0


def test_a_forget_is_not_proven_while_an_export_may_still_write(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(ada)
    forgotten: list[str] = []
    real = tasks.pack_zip

    def forget_and_work(*given: Any) -> None:
        forgotten.append(FORGETS["message"](ada, "Lunch"))
        bench.work()
        shown = ada.operation(forgotten[0])
        assert shown["status"] == "running"
        assert shown["last_error"].startswith("waiting_for_writes")
        real(*given)

    monkeypatch.setattr(tasks, "pack_zip", forget_and_work)
    bench.work_once(["export.build"])
    assert forgotten
    with bench.database.begin() as tx:
        tx.run("update vector_refs set deadline = now() where state = 'intended'")
    bench.hurry()
    bench.work()
    assert ada.operation(forgotten[0])["status"] == "succeeded"


class ForgettingMeanwhile(FolderFiles):
    """Files that somebody forgets something of while the second chunk is read."""

    def __init__(self, root: Path, forget: Callable[[], object]) -> None:
        super().__init__(root)
        self._forget = forget

    @contextmanager
    def reading(self, namespace: UUID, key: UUID) -> Iterator[BinaryIO]:
        with super().reading(namespace, key) as file:
            read, chunks = file.read, iter([lambda: None, self._forget])

            class Reading:
                seek = file.seek

                @staticmethod
                def read(size: int) -> bytes:
                    next(chunks, lambda: None)()
                    return read(size)

            yield Reading()  # type: ignore[misc]


def test_a_forget_ends_a_download_where_it_is(bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    ada.say(conversation_of(ada, "Lunch"), *[("Well?", LONG)] * 6)
    op_id = export(ada, format="json")
    bench.work()
    whole = download(ada, op_id).content
    meanwhile = ForgettingMeanwhile(bench.settings.exports_dir, lambda: FORGETS["clear"](ada, "Lunch"))
    # Not `setattr`: undone, it would delete the attribute, which `state` keeps in a dictionary of its own.
    monkeypatch.setitem(bench.api.app.state._state, "packages", meanwhile)  # type: ignore[attr-defined]

    got = download(ada, op_id)

    assert int(got.headers["content-length"]) == len(whole)
    assert got.content == whole[:65_536]  # not the chunk either that was read meanwhile
    assert len(got.content) < len(whole)
    assert_problem(download(ada, op_id), 410, "export_gone")


def test_a_restored_backup_brings_no_package_back(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    op_id, waiting = export(ada), export(ada, format="json")
    bench.work_once()
    backup = tmp_path / "backup"
    dump(bench.settings.database_url.get_secret_value(), backup)
    files = {path: path.read_bytes() for path in bench.settings.exports_dir.rglob("*") if path.is_file()}
    ada.forget("message", message_id=message_in(ada, "Lunch"))
    bench.work()
    assert packages_left(bench) == 0
    for path, held in files.items():  # the files come back too
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(held)

    restore(bench.settings.database_url.get_secret_value(), backup)
    for database in (bench.process.database, bench.process.locks):
        database.engine.dispose()
    assert download(ada, op_id).status_code == 503
    told = replay(bench)
    assert (told.exit_code, told.stderr) == (0, "")
    bench.work()

    for one in (op_id, waiting):
        for _ in range(60):
            answer = download(ada, one)
            if answer.status_code != 503:
                break
            import time

            time.sleep(0.1)
        assert_problem(answer, 410, "export_gone")
    assert packages_left(bench) == 0


def test_what_was_written_after_the_forget_is_all_a_new_package_holds(bench: Workbench, ada: Person) -> None:
    export(ada)
    FORGETS["conversation"](ada, "Lunch")
    package = packed(ada)
    bench.work()
    assert all(b"peanuts" not in held for held in package.files.values())
    assert {one["title"] for one in package.every("conversation")} == {"Home"}
    written(ada, "I like tea.")
    ada.forget("user")
    after = packed(ada)
    assert (after.every("memory"), after.every("message")) == ([], [])
    assert Package(after.raw).records("settings.json")
