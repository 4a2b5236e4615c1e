"""Uploaded documents on the real parts: recalled, cited, listed, exported, forgotten; never evidence (TR-12)."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from services.memory_center import document_reading
from shared.documents.prepare import PARTS_MAX, Prepared
from shared.documents.rules.parts import Part
from shared.erasure.rebuild import rebuild_read_models
from tests.support.dumping import dump
from tests.support.importing import brought
from tests.support.packages import packed
from tests.support.pdfs import encrypted, pdf
from tests.support.restoring import answers, replay, restored, url
from tests.support.workbench import Person, Workbench
from tests.unit.test_documents import private_key

DOCUMENTS = "/api/v1/documents"
HOUSE = pdf(
    "The boiler of the house was made in 1987 and leaks.",
    "The roof was renewed by Quillfeather and Sons.",
    title="Hush-hush",
)
NAMED = {"Content_Disposition": 'attachment; filename="House"'}


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def sent(person: Person, data: bytes, media_type: str = "application/pdf", **headers: str) -> Any:
    named = {"Content-Type": media_type, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return person.bench.api.post(DOCUMENTS, content=data, headers={**person.headers, **named})


def added(person: Person, data: bytes = HOUSE, media_type: str = "application/pdf", **headers: str) -> dict[str, Any]:
    """Upload a document and let the workers run; return it."""
    answer = sent(person, data, media_type, **(headers or (NAMED if data == HOUSE else {})))
    assert answer.status_code == 201, answer.text
    person.bench.work()
    found: dict[str, Any] = answer.json()
    return found


def forgotten(person: Person, document: dict[str, Any], **query: Any) -> str:
    answer = person.bench.api.delete(f"{DOCUMENTS}/{document['id']}", params=query, headers=person.headers)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["op_id"])


def recalled(person: Person, question: str) -> dict[str, Any]:
    found: dict[str, Any] = person.post("/api/v1/recall", {"query": question}, status=200)
    return found


def test_a_document_is_recalled_and_cited_by_page(ada: Person) -> None:
    document = added(ada)
    assert (document["title"], document["pages"], document["parts"]) == ("House", 2, 2)
    found = recalled(ada, "Who renewed the roof?")
    [part] = [one for one in found["items"] if "roof" in one["content"]]
    assert part["provenance"]["document"] == {"id": document["id"], "title": "House", "page": 2}
    assert f"[Document#{part['id']} p. 2] (House, " in found["prompt"]
    searched = ada.post("/api/v1/memory/search", {"query": "boiler"}, status=200)["items"]
    assert "1987" in searched[0]["content"]


def test_a_document_is_listed_with_its_parts_and_not_among_memories(ada: Person) -> None:
    document = added(ada)
    assert ada.get(DOCUMENTS) == [document] == [ada.get(f"{DOCUMENTS}/{document['id']}")]
    parts = ada.get(f"{DOCUMENTS}/{document['id']}/parts")
    assert [(one["position"], one["page"]) for one in parts] == [(1, 1), (2, 2)]
    assert ada.get(f"{DOCUMENTS}/{document['id']}/parts", after=1) == parts[1:]
    assert ada.get("/api/v1/memory/long_term") == []
    assert len(ada.get("/api/v1/memory/long_term", content_type="document")) == 2
    assert ada.get("/api/v1/memory/overview")["memories"] == 0
    assert recalled(ada, "What is the capital of France?")["left_out"] == []


def test_pages_of_documents_follow_each_other(ada: Person) -> None:
    for number in range(3):
        sent(ada, b"A note.", "text/plain", Content_Disposition=f"attachment; filename=Note{number}")
    first = ada.bench.api.get(DOCUMENTS, params={"limit": 2}, headers=ada.headers)
    rest = ada.bench.api.get(first.links["next"]["url"], headers=ada.headers)
    assert [one["title"] for one in (*first.json(), *rest.json())] == ["Note2", "Note1", "Note0"]


@pytest.mark.parametrize(
    ("disposition", "title"),
    [
        ('attachment; filename="my house.txt"', "my house.txt"),
        ("attachment; filename*=UTF-8''%E6%88%BF%E5%AD%90.txt", "房子.txt"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ("inline", "–"),
        ("attachment; filename*=\"UTF-8''", "–"),
        ("attachment; filename*0*", "–"),
        ("attachment; name*", "–"),
        ("attachment; filename=", "–"),
    ],
)
def test_the_title_is_the_files_name_and_never_of_its_text(ada: Person, disposition: str, title: str) -> None:
    document = added(ada, b"The first line\nand more", "text/plain", Content_Disposition=disposition)
    assert document["title"] == title


def test_what_is_never_remembered_is_cut_out(bench: Workbench, ada: Person) -> None:
    added(ada, b"# Wifi\n\nThe password is hunter2swordfish, and the router stands in the hall.", "text/markdown")
    [part] = ada.get("/api/v1/memory/long_term", content_type="document")
    assert "router stands in the hall" in part["content"]
    assert bench.holds("hunter2swordfish") == []
    key = "\n".join(private_key(50))
    added(ada, f"The server stands in the cellar.\n{key}".encode(), "text/plain")
    assert [line for line in key.split("\n")[1:-1] if bench.holds(line)] == []


def test_forgetting_a_document_erases_all_of_it_everywhere(bench: Workbench, ada: Person) -> None:
    document, other = added(ada), added(ada, b"The garden has three plum trees.", "text/plain")
    operation = forgotten(ada, document)
    assert [one["id"] for one in ada.get(DOCUMENTS)] == [other["id"]]
    assert "Quillfeather" not in str(recalled(ada, "Who renewed the roof?"))
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("Quillfeather") == bench.holds("House") == bench.holds("Hush") == []
    assert bench.count("select count(*) from document_parts") == 1
    receipt = bench.api.get(f"/api/v1/receipts/{ada.operation(operation)['receipt_id']}").json()
    assert "document" in str(receipt)
    assert "plum" in str(recalled(ada, "Which trees stand in the garden?")["items"])


def test_a_forgotten_document_can_be_brought_back_while_there_is_time(ada: Person) -> None:
    document = added(ada)
    operation = forgotten(ada, document, undo_seconds=60)
    assert ada.get(DOCUMENTS) == []
    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    assert ada.get(DOCUMENTS) == [document]


def test_a_part_can_be_forgotten_and_the_rest_stays(bench: Workbench, ada: Person) -> None:
    document = added(ada)
    [first, second] = ada.get(f"{DOCUMENTS}/{document['id']}/parts")
    assert bench.api.delete(f"/api/v1/memory/long_term/{second['memory_id']}", headers=ada.headers).status_code == 202
    bench.work()
    assert ada.get(f"{DOCUMENTS}/{document['id']}/parts") == [first]
    assert ada.get(f"{DOCUMENTS}/{document['id']}")["parts"] == 1
    assert bench.holds("Quillfeather") == []


def test_the_last_part_takes_the_document_along(bench: Workbench, ada: Person) -> None:
    document = added(
        ada, b"Quillfeather has an illness.", "text/plain", Content_Disposition="a; filename=Quillfeather.txt"
    )
    [part] = ada.get(f"{DOCUMENTS}/{document['id']}/parts")
    undone = ada.forget("selection", ids=[part["memory_id"]], undo_seconds=60)
    assert ada.get(DOCUMENTS) == []
    ada.post(f"/api/v1/memory/ops/{undone}/cancel", {}, status=200)
    assert ada.get(DOCUMENTS) == [document]

    operation = ada.forget("selection", ids=[part["memory_id"]])
    bench.work()

    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.holds("Quillfeather") == []


def test_a_document_is_found_by_its_name_when_what_to_forget_is_described(bench: Workbench, ada: Person) -> None:
    added(ada, b"He needs rest for a week.", "text/plain", Content_Disposition="a; filename=Quillfeather.txt")
    found = ada.post("/api/v1/memory/forget/find", {"description": "everything about Quillfeather"}, status=200)
    assert [(one["content"], one["sure"]) for one in found["candidates"]] == [("He needs rest for a week.", True)]

    ada.forget("selection", token=found["token"])
    bench.work()

    assert ada.get(DOCUMENTS) == []
    assert bench.holds("Quillfeather") == []


@pytest.mark.parametrize("most", [300, pytest.param(PARTS_MAX, marks=pytest.mark.full)])
def test_a_document_of_very_many_parts_is_stored_in_time(bench: Workbench, ada: Person, most: int) -> None:
    part = f"{'The rent is due on the third. ' * 12}"
    text = "\n\n".join(f"# Chapter {number}\n\n{part}" for number in range(most))
    answer = sent(ada, text.encode(), "text/markdown")
    assert answer.status_code == 201, answer.text
    assert most * 0.9 < answer.json()["parts"] <= most
    assert len(ada.get(f"{DOCUMENTS}/{answer.json()['id']}/parts", limit=200)) == 200


def test_several_at_once_are_all_read(ada: Person) -> None:
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: sent(ada, HOUSE).status_code, range(4)))
    assert answers == [201] * 4


def test_files_that_take_long_to_read_make_nothing_else_wait(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(
        document_reading, "read", lambda *_: done.wait(30) and Prepared(pages=None, parts=[Part(text="x", page=None)])
    )
    monkeypatch.setattr(document_reading, "PATIENCE_SECONDS", 30.0)
    people = [bench.person() for _ in range(12)]
    with ThreadPoolExecutor(60) as threads:
        waiting = [threads.submit(sent, person, b"%PDF-") for person in people for _ in range(5)]
        refused = [next(as_completed(waiting)).result() for _ in range(1)]
        assert people[0].get(DOCUMENTS) == []
        done.set()
        answers = Counter(one.result().status_code for one in waiting)
    assert refused[0].status_code == 503
    assert answers == {201: 48, 503: 12}, "each has four places"


def test_a_repeated_upload_is_answered_without_reading_it_again(ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    key = {"Idempotency_Key": "one"}
    first = sent(ada, HOUSE, **NAMED, **key)
    monkeypatch.setattr(document_reading, "read", None)
    again = sent(ada, HOUSE, **NAMED, **key)
    assert (again.status_code, again.json()) == (201, first.json())
    renamed = sent(ada, HOUSE, Content_Disposition='attachment; filename="Barn"', **key)
    assert (renamed.status_code, renamed.json()["code"]) == (409, "idempotency_conflict")


def test_what_was_written_from_a_part_goes_with_the_document(bench: Workbench, ada: Person) -> None:
    document = added(ada)
    [_, second] = ada.get(f"{DOCUMENTS}/{document['id']}/parts")
    path = f"/api/v1/memory/long_term/{second['memory_id']}"
    edited = bench.api.patch(path, json={"content": "The roof is by Quillfeather."}, headers=ada.headers)
    assert edited.status_code == 200
    forgotten(ada, document)
    bench.work()
    assert bench.holds("Quillfeather") == []


def test_an_edited_part_stays_in_its_place(bench: Workbench, ada: Person) -> None:
    document = added(ada)
    parts = f"{DOCUMENTS}/{document['id']}/parts"
    [_, roof] = ada.get(parts)
    path = f"/api/v1/memory/long_term/{roof['memory_id']}"
    important = bench.api.patch(path, json={"importance": 9}, headers=ada.headers).json()["id"]
    put_right = {"content": "The roof was renewed by Quillfeather and Daughters."}
    path = f"/api/v1/memory/long_term/{important}"
    latest = bench.api.patch(path, json=put_right, headers=ada.headers).json()["id"]
    bench.work()
    assert [(one["memory_id"], one["page"], one["content"]) for one in ada.get(parts)][1:] == [
        (latest, 2, put_right["content"])
    ]
    assert {one["validity"] for one in ada.get("/api/v1/memory/long_term")} == {"superseded"}
    [found] = [one for one in recalled(ada, "Who renewed the roof?")["items"] if "Daughters" in one["content"]]
    assert found["provenance"]["document"]["page"] == 2


def test_forgetting_everything_takes_documents_along(bench: Workbench, ada: Person) -> None:
    added(ada)
    ada.forget("user")
    assert ada.get(DOCUMENTS) == []
    bench.work()
    assert bench.holds("Quillfeather") == []
    assert bench.count("select count(*) from documents") == bench.count("select count(*) from document_parts") == 0


def test_a_package_brings_documents_back_to_the_byte(bench: Workbench, ada: Person) -> None:
    added(ada)
    before = packed(ada)
    assert [one["title"] for one in before.every("document")] == ["House"]
    ada.forget("user")
    bench.work()
    brought(ada, before.raw, restore_forgotten=True)
    after = packed(ada)
    for kind in ("document", "memory"):
        assert after.every(kind) == before.every(kind)
    assert "Quillfeather" in str(recalled(ada, "Who renewed the roof?")["items"])
    forgotten(ada, ada.get(DOCUMENTS)[0])
    bench.work()
    assert bench.holds("Quillfeather") == []


def test_a_part_that_came_without_its_document_is_a_memory_like_others(bench: Workbench, ada: Person) -> None:
    document = added(ada)
    [_, second] = ada.get(f"{DOCUMENTS}/{document['id']}/parts")
    alone = packed(ada, "selection", ids=[second["memory_id"]])
    ada.forget("user")
    bench.work()
    brought(ada, alone.raw, restore_forgotten=True)
    assert ada.get(DOCUMENTS) == []
    assert [one["id"] for one in ada.get("/api/v1/memory/long_term")] != []
    assert "[Memory#" in recalled(ada, "Who renewed the roof?")["prompt"]


def test_a_rebuild_keeps_documents_and_their_parts(bench: Workbench, ada: Person) -> None:
    document = added(ada)
    bench.database.transact(rebuild_read_models, patient=True)
    assert ada.get(f"{DOCUMENTS}/{document['id']}") == document


def test_a_restored_backup_does_not_bring_a_document_back(bench: Workbench, ada: Person, tmp_path: Path) -> None:
    document = added(ada)
    dump(url(bench), tmp_path / "backup")
    forgotten(ada, document)
    bench.work()
    restored(bench, tmp_path / "backup")
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    assert ada.get(DOCUMENTS) == []
    bench.work()
    assert bench.holds("Quillfeather") == []


def test_a_document_is_no_evidence_and_contradicts_nothing(bench: Workbench, ada: Person) -> None:
    added(ada, b"I am allergic to walnuts. I always compare prices in four shops.", "text/plain")
    ada.say(ada.conversation(), ("I'm not allergic to walnuts.", "Noted."))
    bench.work()
    [document] = ada.get(DOCUMENTS)
    [part] = ada.get(f"{DOCUMENTS}/{document['id']}/parts")
    edit = {"content": part["content"].replace("four", "five")}
    edited = bench.api.patch(f"/api/v1/memory/long_term/{part['memory_id']}", json=edit, headers=ada.headers)
    assert edited.status_code == 200, edited.text
    ada.post("/api/v1/memory/long_term/confirm", {"memory_id": edited.json()["id"]}, status=200)
    ada.post("/api/v1/memory/reflections", {"reason": "working_memory"}, status=202)
    bench.work()
    assert bench.count("select count(*) from trait_observations where source_kind <> 'message'") == 0
    assert bench.count("select count(*) from memories where contradicts is not null") == 0
    assert bench.count("select count(*) from memories where supersedes is not null") == 1, "the edited part"


@pytest.mark.parametrize(
    ("data", "media_type", "status", "code"),
    [
        (encrypted("x"), "application/pdf", 422, "document_encrypted"),
        (pdf(""), "application/pdf", 422, "document_without_text"),
        (b"%PDF-1.4 nothing", "application/pdf", 422, "document_malformed"),
        (b"\x00", "text/plain", 422, "document_not_text"),
        (b"", "text/plain", 422, "document_empty"),
        (b"{}", "application/json", 415, "unsupported_media_type"),
        (b"x" * (10 * 2**20 + 1), "text/plain", 413, "body_too_large"),
        (b"word " * 500_000, "text/plain", 422, "document_too_long"),
    ],
)
def test_bad_files_are_refused_and_nothing_is_kept(
    bench: Workbench, ada: Person, data: bytes, media_type: str, status: int, code: str
) -> None:
    answer = sent(ada, data, media_type)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert bench.count("select count(*) from documents") == bench.count("select count(*) from memories") == 0


def test_another_persons_documents_are_not_there(bench: Workbench, ada: Person) -> None:
    document, eve = added(ada), bench.person("eve")
    for path in (document["id"], f"{document['id']}/parts", uuid4()):
        assert bench.api.get(f"{DOCUMENTS}/{path}", headers=eve.headers).status_code == 404
    assert bench.api.delete(f"{DOCUMENTS}/{document['id']}", headers=eve.headers).status_code == 404
    assert eve.get(DOCUMENTS) == []
    assert "Quillfeather" not in str(recalled(eve, "Who renewed the roof?"))


def test_with_memory_off_no_document_is_kept(ada: Person) -> None:
    ada.bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": False}, headers=ada.headers)
    answer = sent(ada, HOUSE)
    assert (answer.status_code, answer.json()["code"]) == (409, "longterm_off")


def test_with_memory_off_no_document_comes_with_a_package_its_title_neither(bench: Workbench, ada: Person) -> None:
    added(ada, b"My notes.", "text/plain")
    package = packed(ada).raw
    eve = bench.person()
    bench.api.patch("/api/v1/memory/settings", json={"longterm_enabled": False}, headers=eve.headers)
    brought(eve, package)
    assert eve.get(DOCUMENTS) == []
    assert bench.count("select count(*) from documents") == 1, "ada's"
