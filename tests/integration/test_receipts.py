"""The ledger and its receipts (X-03): content-free, chained, signed, readable without an account, checked offline."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from typer.testing import Result

from services.cli.doctor.ledger import ledger as examined_ledger
from shared.ledger.book import LedgerFile
from shared.ledger.rules import check_chain
from shared.ledger.sql import entries as ledger
from shared.runtime.signing import Signer
from tests.support.commands import memory_center
from tests.support.ledger_entries import begun_again
from tests.support.workbench import Person, Workbench
from workers import process as worker_process

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
BERLIN = ("I live in Berlin.", "A fine city.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada-lovelace")


def receipt(bench: Workbench, receipt_id: str) -> Any:
    answer = bench.api.get(f"/api/v1/receipts/{receipt_id}")  # no credentials
    assert answer.status_code == 200, answer.text
    return answer.json()


def forget(ada: Person, **body: Any) -> dict[str, str]:
    accepted: dict[str, str] = ada.post("/api/v1/memory/forget", body, status=202)
    return accepted


def key(bench: Workbench) -> str:
    secret = bench.settings.ledger_key
    assert secret is not None
    return Signer(secret.get_secret_value()).public_key


def verify(*arguments: str, stdin: str = "", data_dir: str = "/nonexistent") -> Result:
    """Run the command offline: no server is told to it."""
    return memory_center("verify-receipt", *arguments, "--data-dir", data_dir, stdin=stdin)


def test_a_receipt_grows_from_accepted_to_proven_and_says_nothing_of_content(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(title="canary-title")
    [(question, _), _] = ada.say(conversation, PEANUTS, BERLIN)
    bench.work()
    accepted = forget(ada, scope="message", message_id=question, cascade=True)
    first = receipt(bench, accepted["receipt_id"])
    assert (first["status"], first["entries"]) == ("pending", [])

    bench.work()

    done = receipt(bench, accepted["receipt_id"])
    assert done["status"] == "succeeded"
    assert [entry["body"]["kind"] for entry in done["entries"]] == ["accepted", "verified"]
    proof = done["entries"][1]["body"]
    assert proof["operation"] == accepted["op_id"]
    assert {
        name: proof["counts"][name]["residue"] for name in ("postgres", "milvus", "mem0", "files")
    } == dict.fromkeys(("postgres", "milvus", "mem0", "files"), 0)
    assert proof["counts"]["postgres"]["erased"] == 4  # two messages, an episode, a memory
    assert "write_ahead_log_and_backups_age_out" in proof["remarks"]
    whole = json.dumps(done) + bench.process.ledger_book.path.read_text()
    for secret in ("peanuts", "canary", question, conversation):
        assert secret not in whole
    assert not re.search(r"(?<![0-9a-f])ada(?![0-9a-f])", whole)  # digests may hold these three letters


def test_every_forget_adds_two_links_to_one_chain_in_the_database_and_the_file(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    said = ada.say(conversation, PEANUTS, BERLIN, ("I love jazz.", "Good."))
    for question, _ in said[:2]:
        forget(ada, scope="message", message_id=question, cascade=True)
    bench.work()
    forget(ada, scope="user", confirmation="忘掉一切")
    bench.work()
    with bench.database.begin() as tx:
        stored = list(ledger.after(tx, 0))
    assert len(stored) == 6
    check_chain(stored)
    assert LedgerFile(bench.settings.files_dir).chain() == stored


def test_nothing_is_erased_before_the_ledger_has_it(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    bench.work()
    files = bench.settings.files_dir
    files.mkdir(parents=True, exist_ok=True)
    bench.process.ledger_book.path.mkdir()  # it cannot be written
    operation = forget(ada, scope="message", message_id=question, cascade=True)["op_id"]
    for _ in range(3):
        bench.work()
        bench.hurry()
    steps = {step["name"]: step for step in ada.operation(operation)["steps"]}
    assert steps["ledger"]["last_error"].startswith("ledger_unavailable")
    assert steps["postgres"]["status"] == "waiting"
    assert bench.holds("peanuts") != []
    assert ada.memories() == [], "hidden all the same"

    bench.process.ledger_book.path.rmdir()
    bench.hurry()
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"


def test_a_commit_that_failed_after_the_file_was_written_leaves_one_chain(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = ada.say(ada.conversation(), PEANUTS, BERLIN)
    bench.work()
    book = bench.process.ledger_book
    real, died = book.append, list[int]()

    def dies_afterwards(entries: Any) -> None:
        real(entries)
        died.append(len(entries))
        raise RuntimeError("the process dies between the file and the commit")

    for question, _ in said:
        forget(ada, scope="message", message_id=question, cascade=True)
    monkeypatch.setattr(book, "append", dies_afterwards)
    bench.work_once()
    assert died == [2]
    assert len(book.chain()) == 2
    monkeypatch.setattr(book, "append", real)
    bench.hurry()
    for _ in range(10):
        bench.work_once()
    with bench.database.begin() as tx:
        stored = list(ledger.after(tx, 0))
    assert [entry.kind for entry in stored].count("accepted") == 2, "adopted, not written twice"
    assert len(stored) == 4
    check_chain(stored)
    assert book.chain() == stored


def test_what_a_file_lost_is_written_again_from_the_database(bench: Workbench, ada: Person) -> None:
    said = ada.say(ada.conversation(), PEANUTS, BERLIN)
    forget(ada, scope="message", message_id=said[0][0], cascade=True)
    bench.work()
    path = bench.process.ledger_book.path
    path.write_text(path.read_text().splitlines(keepends=True)[0])
    forget(ada, scope="message", message_id=said[1][0], cascade=True)
    bench.work()
    assert len(bench.process.ledger_book.chain()) == 4
    check_chain(bench.process.ledger_book.chain())


def test_no_role_of_ours_changes_or_deletes_what_the_ledger_says(bench: Workbench) -> None:
    for statement in ("update ledger set body = ''", "delete from ledger", "truncate ledger"):
        with pytest.raises(Exception, match="permission denied"), bench.database.begin() as tx:
            tx.run(statement)


def test_closing_an_account_leaves_a_nameless_stub_and_a_receipt_its_holder_can_read(
    bench: Workbench, ada: Person
) -> None:
    conversation = ada.conversation()
    ada.say(conversation, PEANUTS)
    ada.bench.api.patch("/api/v1/memory/settings", json={"summary_enabled": False}, headers=ada.headers)
    bench.work()
    accepted = forget(ada, scope="user", confirmation="FORGET EVERYTHING", close_account=True)
    assert ada.operation(accepted["op_id"])["status"] == "pending", "whoever closes it watches it go"
    other = bench.person("grace")
    assert bench.api.get(f"/api/v1/memory/ops/{accepted['op_id']}", headers=other.headers).status_code == 404
    assert ada.get("/api/v1/memory/settings")["summary_enabled"] is True, "defaults: nothing is known of them"

    bench.work()

    assert receipt(bench, accepted["receipt_id"])["status"] == "succeeded"
    assert bench.api.get(f"/api/v1/memory/ops/{accepted['op_id']}", headers=ada.headers).status_code == 404
    assert bench.holds("ada-lovelace") == []
    assert bench.holds("peanuts") == []
    stubs = "select count(*) from subjects where user_id is null and subject_key is null and deleted_at is not null"
    assert bench.count(stubs) == 1
    ada.say(ada.conversation(), BERLIN)  # who comes back is somebody new
    bench.work()
    assert ada.memories() == ["I live in Berlin."]
    assert bench.count(stubs) == 1


def test_closing_an_account_spares_what_a_new_user_of_the_same_name_says(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), PEANUTS)
    bench.work()
    accepted = forget(ada, scope="user", confirmation="FORGET EVERYTHING", close_account=True)
    ada.say(ada.conversation(), BERLIN)  # before anything was erased
    bench.work()
    assert receipt(bench, accepted["receipt_id"])["status"] == "succeeded"
    assert ada.memories() == ["I live in Berlin."]


@pytest.fixture
def proof(bench: Workbench, ada: Person, tmp_path: Path) -> Path:
    said = ada.say(ada.conversation(), PEANUTS, BERLIN)
    accepted = [forget(ada, scope="message", message_id=question, cascade=True) for question, _ in said]
    bench.work()
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(receipt(bench, accepted[0]["receipt_id"])))
    return path


def test_a_receipt_is_verified_offline(bench: Workbench, proof: Path) -> None:
    book = str(bench.process.ledger_book.path)
    told = verify(str(proof), "--public-key", key(bench), "--ledger", book)
    assert (told.exit_code, told.stderr) == (0, ""), told
    assert told.stdout.startswith("PROVEN: forget_message accepted 20")
    assert "unbroken chain" in told.stdout
    assert verify("-", "--public-key", key(bench), stdin=proof.read_text()).exit_code == 0
    unknown = verify(str(proof))
    assert unknown.exit_code == 3
    assert "Pass --public-key" in unknown.stderr


@pytest.mark.few(3)
@pytest.mark.parametrize("what", ["count", "time", "hash", "signature", "swap", "receipt"])
def test_a_forged_receipt_is_noticed(bench: Workbench, proof: Path, what: str) -> None:
    document = json.loads(proof.read_text())
    entry = document["entries"][1]
    match what:
        case "count":
            entry["body"]["counts"]["milvus"]["erased"] += 1
        case "time":
            entry["body"]["verified_at"] = "2020-01-01T00:00:00.000Z"
        case "hash" | "signature":
            entry[what] = "00" + entry[what][2:] if not entry[what].startswith("00") else "11" + entry[what][2:]
        case "swap":
            document["entries"][1] = {**entry, "body": document["entries"][0]["body"]}
        case "receipt":
            document["receipt_id"] = "00000000-0000-0000-0000-000000000000"
    proof.write_text(json.dumps(document))
    told = verify(str(proof), "--public-key", key(bench))
    assert told.exit_code == 1, told
    assert "NOT PROVEN" in told.stderr
    assert told.stderr.count("\n") == 1


def test_a_receipt_signed_by_somebody_else_is_noticed(proof: Path) -> None:
    assert verify(str(proof), "--public-key", Signer("somebody else").public_key).exit_code == 1


def test_a_ledger_that_was_tampered_with_is_noticed(bench: Workbench, proof: Path, tmp_path: Path) -> None:
    lines = bench.process.ledger_book.path.read_text().splitlines()
    for place in range(len(lines)):
        forged = tmp_path / f"ledger-{place}.jsonl"
        forged.write_text("\n".join([*lines[:place], *lines[place + 1 :]]) + "\n")
        told = verify(str(proof), "--public-key", key(bench), "--ledger", str(forged))
        assert told.exit_code == (0 if place == len(lines) - 1 else 1), (place, told)
    book = bench.process.ledger_book.path
    book.write_text("\n".join([lines[0], '{"seq": 2, "ha', *lines[1:], '{"seq": 5']))  # as crashes leave it
    assert verify(str(proof), "--public-key", key(bench), "--ledger", str(book)).exit_code == 0


def test_an_erasure_that_began_again_after_a_restore_is_not_proven_yet(bench: Workbench, proof: Path) -> None:
    document = json.loads(proof.read_text())
    document["entries"].append(begun_again(bench.settings.ledger_key, document))
    proof.write_text(json.dumps(document))
    told = verify(str(proof), "--public-key", key(bench))
    assert (told.exit_code, told.stdout) == (4, ""), told


def test_a_replay_gives_the_book_what_it_lost(bench: Workbench, ada: Person, proof: Path) -> None:
    book = bench.process.ledger_book.path
    whole = book.read_text()
    book.write_text(whole.splitlines(keepends=True)[0])
    secret = bench.settings.ledger_key
    assert secret is not None
    told = memory_center(
        "replay",
        told={
            "MEMORY_CENTER_DATABASE_URL": bench.settings.database_url.get_secret_value(),
            "MEMORY_CENTER_LEDGER_KEY": secret.get_secret_value(),
            "MEMORY_CENTER_DATA_DIR": str(bench.settings.data_dir),
        },
    )
    assert told.exit_code == 0, told
    assert sorted(book.read_text().splitlines()) == sorted(whole.splitlines())


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", '{"entries": [{}], "receipt_id": "x"}'])
def test_what_is_no_receipt_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    told = verify(str(path))
    assert told.exit_code == 2, told
    assert told.stderr.count("\n") == 1
    assert verify(str(tmp_path / "missing.json")).exit_code == 2


def test_a_forget_that_is_not_proven_yet_is_not_taken_for_a_proof(
    bench: Workbench, ada: Person, tmp_path: Path
) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    accepted = forget(ada, scope="message", message_id=question)
    bench.work_once(kinds=["ledger.accepted"])
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(receipt(bench, accepted["receipt_id"])))
    assert verify(str(path), "--public-key", key(bench)).exit_code == 4


def test_a_receipt_nobody_was_given_is_a_404(bench: Workbench) -> None:
    answer = bench.api.get("/api/v1/receipts/00000000-0000-4000-8000-000000000000")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_without_its_key_a_worker_records_nothing_and_says_why(bench: Workbench, ada: Person) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    operation = forget(ada, scope="message", message_id=question)["op_id"]
    keyless = worker_process.Process(bench.settings.model_copy(update={"ledger_key": None}), application="keyless")
    installed = worker_process._installed[:]
    worker_process.install(keyless)
    try:
        bench.work_once(kinds=["ledger.accepted"])
    finally:
        worker_process._installed[:] = installed
        keyless.close()
    step = {one["name"]: one for one in ada.operation(operation)["steps"]}["ledger"]
    assert (step["status"], step["last_error"].split(":")[0]) == ("failed", "store_misconfigured")


@pytest.mark.parametrize("harm", ["none", "file_cut", "file_lost", "row_changed", "file_changed", "file_unreadable"])
def test_the_doctor_says_whether_the_ledger_is_whole(bench: Workbench, ada: Person, harm: str) -> None:
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    forget(ada, scope="message", message_id=question)
    bench.work()
    url, book = bench.settings.database_url.get_secret_value(), bench.process.ledger_book
    match harm:
        case "file_cut":
            book.path.write_text(book.path.read_text().splitlines(keepends=True)[0])
        case "file_lost":
            book.path.unlink()
        case "file_changed":
            book.path.write_text(book.path.read_text().replace('"erased":', '"found":', 1))
        case "file_unreadable":
            book.path.unlink()
            book.path.mkdir()
        case "row_changed":
            with psycopg.connect(url) as owner:
                owner.execute("update ledger set body = replace(body, 'forget_message', 'forget_user') where seq = 1")
    health = examined_ledger(url, bench.settings.data_dir)
    expected = {"none": "ok", "file_cut": "warn"}.get(harm, "fail")
    assert health.level == expected, health
