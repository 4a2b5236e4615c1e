"""Packages that must not be imported, each made from a good one, with the one code it is refused with (X-09)."""

from __future__ import annotations

import io
import json
import re
import stat
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from shared.portability.packages.reading import DEFAULT, Limits, PackageRefused, open_package
from shared.portability.packages.refusals import Code
from tests.support.handmade_packages import (
    ASKED,
    EPISODES,
    FOLDER,
    GONE,
    HEAD,
    HOME,
    LUNCH,
    MESSAGES,
    RATED,
    RECEIPT_FILE,
    Draft,
    draft,
    good_json,
    good_zip,
    id_,
    zip_of,
)
from tests.support.tables import each

ROOT = Path(__file__).parents[2]
HOME_MESSAGES = f"conversations/{HOME}/messages.jsonl"
FEEDBACK = f"{FOLDER}/feedback.jsonl"

Spoil = Callable[[Draft], Any]


def refusal(data: bytes, limits: Limits = DEFAULT) -> PackageRefused:
    """Return why a package is refused."""
    with pytest.raises(PackageRefused) as caught:
        open_package(io.BytesIO(data), limits).check()
    return caught.value


def _source(**members: Any) -> Spoil:
    def spoil(package: Draft) -> None:
        [source] = json.loads(package.lines["memories.jsonl"][1])["provenance"]
        package.change("memories.jsonl", 1, provenance=[source | members])

    return spoil


def _learned(**members: Any) -> Spoil:
    def spoil(package: Draft) -> None:
        told = [json.loads(line) for line in package.lines["history.jsonl"]]
        place = next(place for place, one in enumerate(told) if one["type"] == "MemoryLearned")
        package.change("history.jsonl", place, data=told[place]["data"] | members)

    return spoil


def _receipt_entry(**members: Any) -> Spoil:
    def spoil(package: Draft) -> None:
        first, second = json.loads(package.lines[RECEIPT_FILE][0])["entries"]
        package.change(RECEIPT_FILE, 0, entries=[first | members, second])

    return spoil


def _replaced(path: str, number: int, old: bytes, new: bytes) -> Spoil:
    def spoil(package: Draft) -> None:
        assert old in package.lines[path][number]
        package.put(path, number, package.lines[path][number].replace(old, new, 1))

    return spoil


def _first_listed(**members: Any) -> Spoil:
    return lambda package: package.declare(lambda manifest: manifest["content"]["files"][0].update(members))


def _content(**members: Any) -> Spoil:
    return lambda package: package.declare(lambda manifest: manifest["content"].update(members))


def _swapped(package: Draft) -> None:
    lines = package.lines[MESSAGES]
    lines[0], lines[1] = lines[1], lines[0]


def _twice(path: str) -> Spoil:
    return lambda package: package.lines[path].append(package.lines[path][-1])


def _list_twice(manifest: Any) -> None:
    manifest["content"]["files"].append(manifest["content"]["files"][-1])
    manifest["content"]["counts"]["settings"] += 1


def _list_in_another_order(manifest: Any) -> None:
    manifest["content"]["files"].reverse()


def _list_what_is_not_there(manifest: Any) -> None:
    listed = next(file for file in manifest["content"]["files"] if file["path"] == "lineage.jsonl")
    receipt = f"receipts/{id_(777)}.json"
    manifest["content"]["files"].append({**listed, "path": receipt, "kind": "receipt", "records": 1})
    manifest["content"]["files"].sort(key=lambda file: file["path"])
    manifest["content"]["counts"]["receipt"] += 1


def _do_not_list(manifest: Any) -> None:
    manifest["content"]["files"] = [one for one in manifest["content"]["files"] if one["path"] != "lineage.jsonl"]
    del manifest["content"]["counts"]["edge"]


def _one_record_more(manifest: Any) -> None:
    for file in manifest["content"]["files"]:
        if file["path"] == "lineage.jsonl":
            file["records"] += 1
    manifest["content"]["counts"]["edge"] += 1


def _one_record_less(manifest: Any) -> None:
    for file in manifest["content"]["files"]:
        if file["path"] == "lineage.jsonl":
            file["records"] -= 1
    manifest["content"]["counts"]["edge"] -= 1


def _renamed(package: Draft) -> None:
    raw = package.lines[RECEIPT_FILE][0]
    package.drop(RECEIPT_FILE).add(f"receipts/{id_(777)}.json", "receipt", raw)


def _of_kind(path: str, kind: str) -> Spoil:
    return lambda package: package.kinds.update({path: kind})


MALFORMED = "package_malformed"
SCHEMA = "package_schema_mismatch"
UNSTORABLE = "package_text_unstorable"
MISSING = "package_references_missing"
DIGEST = "package_digest_mismatch"
TWICE = "package_duplicate_id"
TOO_LARGE = "package_record_too_large"

RECORDS: dict[str, tuple[str, Spoil]] = {
    # What is not JSON, or not as we write it
    "half a record": (MALFORMED, lambda p: p.put(MESSAGES, 1, p.lines[MESSAGES][1][:40])),
    "no record": (MALFORMED, lambda p: p.put(MESSAGES, 1, b"")),
    "two records in the place of one": (MALFORMED, lambda p: p.put(MESSAGES, 1, b"{} {}")),
    "words": (MALFORMED, lambda p: p.put(MESSAGES, 1, b"Hello, I am a message.")),
    "a list instead of an object": (SCHEMA, lambda p: p.put(MESSAGES, 1, b"[]")),
    "a text instead of an object": (SCHEMA, lambda p: p.put(MESSAGES, 1, b'"{}"')),
    "null": (SCHEMA, lambda p: p.put(MESSAGES, 1, b"null")),
    "a member twice": (MALFORMED, _replaced(MESSAGES, 0, b"{", b'{"version":1,')),
    "a member twice, further in": (MALFORMED, _replaced("history.jsonl", 1, b'"data":{', b'"data":{"seq":1,')),
    "not a number": (MALFORMED, _replaced(MESSAGES, 0, b'"seq":1', b'"seq":NaN')),
    "infinity": (MALFORMED, _replaced(MESSAGES, 0, b'"seq":1', b'"seq":Infinity')),
    "infinity where anything may be": (MALFORMED, _replaced("history.jsonl", 1, b'"seq":1', b'"seq":-Infinity')),
    "a number that overflows": (SCHEMA, _replaced(MESSAGES, 0, b'"seq":1', b'"seq":1e999')),
    "a number without end": (MALFORMED, _replaced(MESSAGES, 0, b'"seq":1', b'"seq":' + b"9" * 5000)),
    "a number no column holds": (SCHEMA, lambda p: p.change(MESSAGES, 3, seq=2**63)),
    "a counter no column holds": (SCHEMA, lambda p: p.change(MESSAGES, 0, version=2**31)),
    "lists without end": (TOO_LARGE, lambda p: p.put(MESSAGES, 1, b"[" * 100_000 + b"]" * 100_000)),
    "objects without end": (TOO_LARGE, lambda p: p.put(MESSAGES, 1, b'{"a":' * 100_000 + b"1" + b"}" * 100_000)),
    "data nested deeply": (SCHEMA, _replaced("history.jsonl", 1, b'"seq":1', b'"seq":' + b"[" * 300 + b"]" * 300)),
    "a line too long": (TOO_LARGE, lambda p: p.change(MESSAGES, 1, content="a" * 3_000_000)),
    "a byte order mark": (MALFORMED, lambda p: p.put(MESSAGES, 1, b"\xef\xbb\xbf" + p.lines[MESSAGES][1])),
    "bytes that are no UTF-8": (MALFORMED, _replaced(MESSAGES, 0, b"peanuts", b"pe\xffnuts")),
    "a surrogate in UTF-8": (MALFORMED, _replaced(MESSAGES, 0, b"peanuts", b"pe\xed\xa0\x80nuts")),
    "a NUL byte": (MALFORMED, _replaced(MESSAGES, 0, b"peanuts", b"pe\x00nuts")),
    "another spelling of a letter": (SCHEMA, _replaced(MESSAGES, 0, b"peanuts", rb"pe\u0061nuts")),
    "another spelling of a number": (SCHEMA, _replaced(MESSAGES, 0, b'"seq":1', b'"seq":1.0')),
    "members in another order": (SCHEMA, lambda p: p.put(HEAD, 0, _reversed(p.lines[HEAD][0]))),
    # Texts
    "half a surrogate pair": (UNSTORABLE, _replaced(MESSAGES, 0, b"peanuts", rb"pe\ud83dnuts")),
    "the other half": (UNSTORABLE, _replaced("memories.jsonl", 1, b"peanuts", rb"pe\udf75nuts")),
    "a NUL character": (UNSTORABLE, lambda p: p.change(MESSAGES, 0, content="pea\x00nuts")),
    "a NUL character in a title": (UNSTORABLE, lambda p: p.change(HEAD, 0, title="\x00")),
    "a NUL character in data": (UNSTORABLE, _replaced("history.jsonl", 1, b'"user"', rb'"us\u0000er"')),
    # The schema
    "an unknown member": (SCHEMA, _replaced(MESSAGES, 0, b"{", b'{"aaa":1,')),
    "a missing member": (SCHEMA, _replaced(MESSAGES, 0, b'"completed":true,', b"")),
    "a text for a number": (SCHEMA, lambda p: p.change(MESSAGES, 0, seq="1")),
    "a truth for a number": (SCHEMA, lambda p: p.change(MESSAGES, 0, seq=True)),
    "a number for a truth": (SCHEMA, lambda p: p.change(MESSAGES, 0, completed=1)),
    "no id": (SCHEMA, lambda p: p.change(MESSAGES, 0, id="42")),
    "an id spelled otherwise": (SCHEMA, lambda p: p.change(MESSAGES, 0, id=str(ASKED).upper())),
    "an unknown role": (SCHEMA, lambda p: p.change(MESSAGES, 0, role="wizard")),
    "a record of another kind": (SCHEMA, lambda p: p.put(MESSAGES, 0, p.lines["memories.jsonl"][0])),
    # Times
    "a time without a zone": (SCHEMA, lambda p: p.change(MESSAGES, 0, spoken_at="2026-01-02T12:00:00")),
    "a time in another zone": (SCHEMA, lambda p: p.change(MESSAGES, 0, spoken_at="2026-01-02T12:00:00+08:00")),
    "a time as a number": (SCHEMA, lambda p: p.change(MESSAGES, 0, spoken_at=1767355200)),
    "a time before all times": (SCHEMA, lambda p: p.change(MESSAGES, 0, spoken_at="0001-01-01T00:00:00+23:00")),
    "a time long ago": (SCHEMA, lambda p: p.change(MESSAGES, 0, spoken_at="1899-12-31T23:59:59Z")),
    "a time far ahead": (SCHEMA, lambda p: p.change(MESSAGES, 0, recorded_at="3000-01-01T00:00:00Z")),
    "a source's time far ahead": (SCHEMA, _source(spoken_at="9999-12-31T23:59:59Z")),
    # The limits of the API
    "a message too long": (SCHEMA, lambda p: p.change(MESSAGES, 0, content="a" * 32_001)),
    "a memory too long": (SCHEMA, lambda p: p.change("memories.jsonl", 0, content="a" * 32_001)),
    "a memory of spaces": (SCHEMA, lambda p: p.change("memories.jsonl", 0, content=" \n\t")),
    "a title too long": (SCHEMA, lambda p: p.change(HEAD, 0, title="a" * 201)),
    "no title, but when it was given": (SCHEMA, lambda p: p.change(HEAD, 0, title=None)),
    "a name too long": (SCHEMA, lambda p: p.change(MESSAGES, 0, name="a" * 101)),
    "a hint too long": (SCHEMA, lambda p: p.change(MESSAGES, 3, task_hint="a" * 201)),
    "an empty client id": (SCHEMA, lambda p: p.change(MESSAGES, 3, client_message_id="")),
    "a comment too long": (SCHEMA, lambda p: p.change(FEEDBACK, 0, comment="a" * 4_001)),
    "a rating too high": (SCHEMA, lambda p: p.change(FEEDBACK, 0, rating=6)),
    "evidence too long": (SCHEMA, lambda p: p.change("feedback.jsonl", 0, evidence_ref="a" * 201)),
    "a project with spaces": (
        SCHEMA,
        lambda p: p.change(f"conversations/{HOME}/conversation.json", 0, project_id="a flat"),
    ),
    "a type in capitals": (SCHEMA, lambda p: p.change("memories.jsonl", 0, content_type="Fact")),
    "an importance of eleven": (SCHEMA, lambda p: p.change("memories.jsonl", 0, importance=11)),
    "a threshold of nothing": (SCHEMA, lambda p: p.change("settings.json", 0, preference_learning_threshold=0)),
    "a confidence above one": (SCHEMA, lambda p: p.change("traits.jsonl", 0, confidence=1.5)),
    "a topic that is no digest": (SCHEMA, lambda p: p.change("preference_signals.jsonl", 0, topic="peanuts")),
    # What does not fit within itself
    "a negative place": (SCHEMA, lambda p: p.change(MESSAGES, 0, seq=-1)),
    "no place": (SCHEMA, lambda p: p.change(MESSAGES, 0, seq=0)),
    "spans out of order": (SCHEMA, lambda p: p.change(MESSAGES, 0, never_learn=[[4, 10], [0, 3]])),
    "more spans than letters": (
        SCHEMA,
        lambda p: p.change(MESSAGES, 0, never_learn=[[2 * one, 2 * one + 1] for one in range(32_001)]),
    ),
    "a span before the text": (SCHEMA, lambda p: p.change(MESSAGES, 0, never_learn=[[-4, 10]])),
    "a span that ends before it begins": (SCHEMA, lambda p: p.change(MESSAGES, 0, never_learn=[[4, 3]])),
    "a quote without its place": (SCHEMA, _source(quote_start=None, quote_end=None)),
    "half a place of a quote": (SCHEMA, _source(quote_end=None)),
    "a global memory of a project": (SCHEMA, lambda p: p.change("memories.jsonl", 0, project_id="flat")),
    "a memory that supersedes itself": (SCHEMA, lambda p: p.change("memories.jsonl", 0, supersedes_id=str(id_(200)))),
    "a summary from its end to its beginning": (
        SCHEMA,
        lambda p: p.change(f"{FOLDER}/summary.json", 0, covered_from=3),
    ),
    "words of nobody": (SCHEMA, lambda p: p.change(EPISODES, 0, user_message_id=None)),
    "an unknown event": (SCHEMA, lambda p: p.change("history.jsonl", 0, type="MoonLanding")),
    "an event of something else": (SCHEMA, lambda p: p.change("history.jsonl", 0, type="MemoryConfirmed", data={})),
    "an event that says more": (SCHEMA, lambda p: p.change("history.jsonl", 5, data={"secret": "words"})),
    "an event of a type in words": (SCHEMA, _learned(content_type="my secret: 17")),
    "an event of a project in words": (SCHEMA, _learned(scope="project", project_id="my flat")),
    "an event made in many ways": (SCHEMA, _learned(method="a" * 201)),
    "an event that says less": (SCHEMA, lambda p: p.change("history.jsonl", 1, data={})),
    "settings of an item": (SCHEMA, lambda p: p.change("history.jsonl", 7, item_id=str(LUNCH))),
    "a receipt that was changed": (SCHEMA, _receipt_entry(hash="00" * 32)),
    "a receipt of no digits": (SCHEMA, _receipt_entry(signature="xyz")),
    "a receipt of something else": (SCHEMA, lambda p: p.change(RECEIPT_FILE, 0, receipt_id=str(id_(777)))),
    # What does not fit its conversation
    "a message past the end": (SCHEMA, lambda p: p.change(MESSAGES, 3, seq=6)),
    "a message of a turn to come": (SCHEMA, lambda p: p.change(MESSAGES, 3, turn=4)),
    "a message that was cleared": (SCHEMA, lambda p: p.change(HEAD, 0, cleared_through=1, title_at_seq=2)),
    "an erased message past the end": (SCHEMA, lambda p: p.change(f"{FOLDER}/erased.jsonl", 0, seq=6)),
    "a summary past the end": (SCHEMA, lambda p: p.change(f"{FOLDER}/summary.json", 0, covered_through=6)),
    "an episode of a turn to come": (SCHEMA, lambda p: p.change(EPISODES, 1, turn=4)),
    # Order and ids
    "messages out of order": ("package_out_of_order", _swapped),
    "memories out of order": ("package_out_of_order", lambda p: p.lines["memories.jsonl"].reverse()),
    "history out of order": ("package_out_of_order", lambda p: p.lines["history.jsonl"].reverse()),
    "two messages in one place": (TWICE, lambda p: p.change(MESSAGES, 1, seq=1)),
    "a message in two conversations": (TWICE, lambda p: p.change(HOME_MESSAGES, 0, id=str(ASKED))),
    "a message that was erased": (TWICE, lambda p: p.change(f"{FOLDER}/erased.jsonl", 0, id=str(ASKED))),
    "a client id twice": (TWICE, lambda p: p.change(MESSAGES, 1, client_message_id="m-1")),
    "a memory twice": (TWICE, _twice("memories.jsonl")),
    "an edge twice": (TWICE, _twice("lineage.jsonl")),
    "an event twice": (TWICE, _twice("history.jsonl")),
    "feedback in two files": (TWICE, lambda p: p.change("feedback.jsonl", 0, id=str(RATED))),
    "an episode twice": (TWICE, lambda p: p.change(EPISODES, 1, id=json.loads(p.lines[EPISODES][0])["id"])),
    "two episodes of a turn": (TWICE, lambda p: p.change(EPISODES, 1, turn=1)),
    "a conversation that was erased": (TWICE, lambda p: p.change("erased_conversations.jsonl", 0, id=str(LUNCH))),
    # References
    "another conversation's message": (MISSING, lambda p: p.change(MESSAGES, 0, conversation_id=str(HOME))),
    "another conversation in the folder": (MISSING, lambda p: p.change(HEAD, 0, id=str(HOME))),
    "a folder without its conversation": (MISSING, lambda p: p.drop(HEAD)),
    "an episode of no message": (MISSING, lambda p: p.change(EPISODES, 0, user_message_id=str(GONE))),
    "an episode of another's message": (MISSING, lambda p: p.change(EPISODES, 0, user_message_id=str(id_(105)))),
    "another conversation's feedback": (MISSING, lambda p: p.change(FEEDBACK, 0, conversation_id=str(HOME))),
    "feedback on another's message": (MISSING, lambda p: p.change(FEEDBACK, 0, message_id=str(id_(105)))),
    "a trait with unknown evidence": (MISSING, lambda p: p.change("traits.jsonl", 0, supporting=[str(GONE)])),
    "an observation without its message": (
        MISSING,
        lambda p: p.change("trait_observations.jsonl", 0, message_id=str(GONE)),
    ),
    "a signal without feedback": (MISSING, lambda p: p.change("preference_signals.jsonl", 0, feedback_id=str(GONE))),
    "a signal of no conversation": (
        MISSING,
        lambda p: p.change("preference_signals.jsonl", 0, conversation_id=str(GONE), at_seq=1),
    ),
    "a source that is not there": (MISSING, _source(message_id=str(GONE))),
    "a source said elsewhere": (MISSING, _source(conversation_id=str(HOME))),
    "a place taken of nothing": (MISSING, lambda p: p.change("memories.jsonl", 1, supersedes_id=str(GONE))),
    "a contradiction of nothing": (MISSING, lambda p: p.change("memories.jsonl", 2, contradicts_id=str(GONE))),
    "lineage of nothing": (MISSING, lambda p: p.change("lineage.jsonl", 4, derived_id=str(GONE))),
    "lineage from nothing": (MISSING, lambda p: p.change("lineage.jsonl", 4, source_id=str(GONE))),
    "history of no memory": (MISSING, lambda p: p.change("history.jsonl", 6, item_id=str(id_(299)))),
    "history of no conversation": (MISSING, lambda p: p.change("history.jsonl", 2, item_id=str(id_(99)))),
    "a memory without history": (MISSING, lambda p: p.drop("history.jsonl", 6)),
    "a receipt under another name": (MISSING, _renamed),
    # The manifest
    "a later version": (
        "package_version_unsupported",
        lambda p: p.declare(lambda manifest: manifest.update(schema_version=2)),
    ),
    "a version in words": (
        "package_version_unsupported",
        lambda p: p.declare(lambda manifest: manifest.update(schema_version="1")),
    ),
    "something else's manifest": (
        "package_unknown_format",
        lambda p: p.declare(lambda manifest: manifest.update(schema_name="webapp")),
    ),
    "an unknown member of the manifest": (SCHEMA, lambda p: p.declare(lambda manifest: manifest.update(more=1))),
    "an unknown member of its content": (SCHEMA, _content(more=1)),
    "an unknown scope": (SCHEMA, _content(scope="galaxy")),
    "a conversation of everything": (SCHEMA, _content(conversation_id=str(LUNCH))),
    "everything of a conversation": (SCHEMA, _content(scope="conversation", conversation_id=str(LUNCH))),
    "a selection of settings": (SCHEMA, _content(scope="selection")),
    "other counts": (DIGEST, _content(counts={})),
    "another digest": (DIGEST, _first_listed(sha256="00" * 32)),
    "another size": (DIGEST, _first_listed(bytes=1)),
    "an empty file": (SCHEMA, _first_listed(bytes=0)),
    "a record more than there is": (DIGEST, lambda p: p.declare(_one_record_more)),
    "a record less than there is": (DIGEST, lambda p: p.declare(_one_record_less)),
    "no records": (SCHEMA, lambda p: p.lines["lineage.jsonl"].clear()),
    "a file of another kind": (SCHEMA, _of_kind(MESSAGES, "memory")),
    "a file of an unknown kind": (SCHEMA, _of_kind(MESSAGES, "poem")),
    "a file above": (SCHEMA, _first_listed(path="../conversation.json")),
    "another format": (SCHEMA, lambda p: p.declare(lambda manifest: manifest["export"].update(format="markdown"))),
    "a file listed twice": ("package_duplicate_entry", lambda p: p.declare(_list_twice)),
    "a list in another order": ("package_out_of_order", lambda p: p.declare(_list_in_another_order)),
    "a file that is not there": ("package_file_missing", lambda p: p.declare(_list_what_is_not_there)),
    "no settings": ("package_file_missing", lambda p: p.drop("settings.json")),
    "a file that is not listed": ("package_file_unlisted", lambda p: p.declare(_do_not_list)),
    "settings the manifest denies": (DIGEST, lambda p: p.change("settings.json", 0, privacy_mode_enabled=True)),
    "a NUL character in the manifest": (
        UNSTORABLE,
        lambda p: p.declare(lambda manifest: manifest["export"].update(user_id="a\x00da")),
    ),
}


def _reversed(raw: bytes) -> bytes:
    members = json.loads(raw)
    return json.dumps(dict(reversed(members.items())), ensure_ascii=False, separators=(",", ":")).encode()


@each("format_", ["zip", "json"])
@each("case", RECORDS)
def test_a_bad_record_or_manifest_is_refused(case: str, format_: str) -> None:
    code, spoil = RECORDS[case]
    spoiled = draft()
    spoil(spoiled)
    assert refusal(spoiled.zip() if format_ == "zip" else spoiled.json()).code == code


@each(
    ("spoil", "path", "line"),
    [
        (lambda p: p.put(MESSAGES, 1, b"{"), MESSAGES, 2),
        (lambda p: p.change(MESSAGES, 3, seq=-1), MESSAGES, 4),
        (lambda p: p.change("memories.jsonl", 2, contradicts_id=str(GONE)), "memories.jsonl", 3),
        (lambda p: p.declare(lambda manifest: manifest.update(more=1)), "manifest.json", None),
        (lambda p: p.declare(_list_what_is_not_there), f"receipts/{id_(777)}.json", None),
    ],
)
def test_a_refusal_says_where_and_never_what(spoil: Spoil, path: str, line: int | None) -> None:
    spoiled = draft()
    spoil(spoiled)
    refused = refusal(spoiled.zip())
    assert (refused.path, refused.line) == (path, line)
    assert "peanuts" not in repr(refused)
    assert refused.__cause__ is None


# --- Zips


def _entry(path: str, **members: Any) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("placeholder")
    entry.filename = path  # as it is, whatever ZipInfo thinks of it
    for name, value in members.items():
        setattr(entry, name, value)
    return entry


def _with(path: str | zipfile.ZipInfo, data: bytes = b"x") -> bytes:
    return zip_of([*draft().members().items(), (path, data)])


def _without(path: str) -> bytes:
    members = draft().members()
    del members[path]
    return zip_of(members)


def _holding(path: str, data: bytes) -> bytes:
    return zip_of(draft().members() | {path: data})


def _patched(path: str, offset: int, form: str, value: int, *, data: bytes | None = None) -> bytes:
    """Change a number in a file's entry of the directory."""
    spoiled = bytearray(data or good_zip())
    name = path.encode()
    start = -1
    while True:
        start = spoiled.index(b"PK\x01\x02", start + 1)
        if spoiled[start + 46 : start + 46 + len(name)] == name:
            struct.pack_into(form, spoiled, start + offset, value)
            return bytes(spoiled)


def _flipped(path: str) -> bytes:
    stored = bytearray(zip_of(draft().members(), zipfile.ZIP_STORED))
    stored[stored.index(draft().members()[path][:40]) + 20] ^= 1
    return bytes(stored)


def _other_name_inside() -> bytes:
    spoiled = bytearray(good_zip())
    spoiled[spoiled.index(b"settings.json")] ^= 1
    return bytes(spoiled)


FLAGS, METHOD, CRC, PACKED, UNPACKED, OFFSET = 8, 10, 16, 20, 24, 42
GOOD = good_zip()
END = len(GOOD) - 22

ZIPS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "nothing": ("package_unknown_format", lambda: b""),
    "spaces": ("package_unknown_format", lambda: b" \n" * 3000),
    "a letter": ("package_unknown_format", lambda: b"Dear Memory Center, please remember that I like tea."),
    "a tarball": ("package_unknown_format", lambda: b"\x1f\x8b\x08\x00" + bytes(100)),
    "a zip behind something else": ("package_unknown_format", lambda: b"#!/bin/sh\n" + GOOD),
    "an empty zip": ("package_unknown_format", lambda: zip_of({})),
    "a zip of other things": ("package_unknown_format", lambda: zip_of({"a.txt": b"a"})),
    "a zip of our zip": ("package_unknown_format", lambda: zip_of({"export.zip": GOOD})),
    "no manifest": ("package_unknown_format", lambda: _without("manifest.json")),
    "only its first bytes": (MALFORMED, lambda: GOOD[:4]),
    "an end without its directory": (MALFORMED, lambda: b"PK\x03\x04" + GOOD[END:]),
    "a directory elsewhere": (MALFORMED, lambda: GOOD[:END] + GOOD[END:][:16] + struct.pack("<L", 2**32 - 2) + b"\0\0"),
    "a directory of another size": (
        MALFORMED,
        lambda: GOOD[: END + 12] + struct.pack("<L", len(GOOD)) + GOOD[END + 16 :],
    ),
    "parts of several disks": (
        MALFORMED,
        lambda: b"PK\x03\x04" + b"PK\x06\x07" + struct.pack("<LQL", 1, 0, 2) + GOOD[END:],
    ),
    "a check sum that is wrong": (MALFORMED, lambda: _patched("settings.json", CRC, "<L", 1)),
    "a wrong check sum of the manifest": (MALFORMED, lambda: _patched("manifest.json", CRC, "<L", 1)),
    "a byte changed": (MALFORMED, lambda: _flipped("settings.json")),
    "a start that is elsewhere": (MALFORMED, lambda: _patched("settings.json", OFFSET, "<L", 7)),
    "a start past the end": (MALFORMED, lambda: _patched("settings.json", OFFSET, "<L", 2**32 - 2)),
    "another name inside": (MALFORMED, _other_name_inside),
    "more unpacked than said": (DIGEST, lambda: _patched("settings.json", UNPACKED, "<L", 10)),
    "less unpacked than said": (DIGEST, lambda: _patched("settings.json", UNPACKED, "<L", 10_000)),
    "a manifest larger than said": (MALFORMED, lambda: _patched("manifest.json", UNPACKED, "<L", 10)),
    "a manifest smaller than said": (MALFORMED, lambda: _patched("manifest.json", UNPACKED, "<L", 100_000)),
    "less packed than said": (MALFORMED, lambda: _patched("settings.json", PACKED, "<L", 3)),
    "a password": ("package_encrypted", lambda: _patched("settings.json", FLAGS, "<H", 1)),
    "a stronger password": ("package_encrypted", lambda: _patched("settings.json", FLAGS, "<H", 0x41)),
    "a hidden directory": ("package_encrypted", lambda: _patched("settings.json", FLAGS, "<H", 0x2000)),
    "bzip2": ("package_unsupported_compression", lambda: zip_of(draft().members(), zipfile.ZIP_BZIP2)),
    "lzma": ("package_unsupported_compression", lambda: zip_of(draft().members(), zipfile.ZIP_LZMA)),
    "zstandard": ("package_unsupported_compression", lambda: _patched("settings.json", METHOD, "<H", 93)),
    "patched data": ("package_unsupported_compression", lambda: _patched("settings.json", FLAGS, "<H", 0x20)),
    "a path above": ("package_unsafe_path", lambda: _with("../../etc/cron.d/evil")),
    "a path above, further in": ("package_unsafe_path", lambda: _with("conversations/../../evil")),
    "a path that ends above": ("package_unsafe_path", lambda: _with("conversations/..")),
    "an absolute path": ("package_unsafe_path", lambda: _with("/etc/passwd")),
    "a backslash": ("package_unsafe_path", lambda: _with("..\\evil")),
    "a drive": ("package_unsafe_path", lambda: _with("C:evil.txt")),
    "a path of no name": ("package_unsafe_path", lambda: _with(_entry(""))),
    "an empty segment": ("package_unsafe_path", lambda: _with("conversations//evil")),
    "a segment of a dot": ("package_unsafe_path", lambda: _with("./settings.json")),
    "a NUL in a path": ("package_unsafe_path", lambda: _with(_entry("settings.json\x00.txt"))),
    "a line feed in a path": ("package_unsafe_path", lambda: _with("settings\n.json")),
    "a path too long": ("package_unsafe_path", lambda: _with("a" * 256)),
    "a link": (
        "package_unsafe_path",
        lambda: _with(_entry("evil", external_attr=(stat.S_IFLNK | 0o777) << 16), b"/etc/passwd"),
    ),
    "a device": ("package_unsafe_path", lambda: _with(_entry("evil", external_attr=(stat.S_IFCHR | 0o666) << 16))),
    "an entry twice": ("package_duplicate_entry", lambda: _with("settings.json")),
    "the manifest twice": ("package_duplicate_entry", lambda: _with("manifest.json", b"{}\n")),
    "a folder that holds something": (MALFORMED, lambda: _with("folder/", b"x")),
    "a file nobody listed": ("package_file_unlisted", lambda: _with("notes.txt")),
    "a zip in the zip": ("package_file_unlisted", lambda: _with("more.zip", GOOD)),
    "no check sums": ("package_file_missing", lambda: _without("SHA256SUMS")),
    "no view": ("package_file_missing", lambda: _without("README.md")),
    "no messages": ("package_file_missing", lambda: _without(MESSAGES)),
    "another view": (DIGEST, lambda: _holding("README.md", b"x" * len(draft().view))),
    "other check sums": (DIGEST, lambda: _holding("SHA256SUMS", draft().members()["SHA256SUMS"].replace(b"a", b"b"))),
    "more check sums": (DIGEST, lambda: _holding("SHA256SUMS", draft().members()["SHA256SUMS"] + b"x\n")),
    "less check sums": (
        DIGEST,
        lambda: _holding("SHA256SUMS", draft().members()["SHA256SUMS"].rsplit(b"\n", 2)[0] + b"\n"),
    ),
    "a manifest that is no JSON": (MALFORMED, lambda: _holding("manifest.json", b"schema_version: 1\n")),
    "a manifest that is a list": ("package_unknown_format", lambda: _holding("manifest.json", b"[]\n")),
    "a manifest of nothing": (MALFORMED, lambda: _holding("manifest.json", b"")),
    "two manifests in one": (MALFORMED, lambda: _holding("manifest.json", b"{}\n{}\n")),
    "a manifest without its end": (MALFORMED, lambda: _holding("manifest.json", b"{}")),
    "a file without its last line feed": (
        DIGEST,
        lambda: _holding(MESSAGES, draft().members()[MESSAGES][:-1]),
    ),
    "a blank line more": (DIGEST, lambda: _holding(MESSAGES, draft().members()[MESSAGES] + b"\n")),
}


@each("case", ZIPS)
def test_a_bad_zip_is_refused(case: str) -> None:
    code, make = ZIPS[case]
    assert refusal(make()).code == code


@each("end", range(5, len(GOOD), len(GOOD) // 40))
def test_a_zip_that_was_cut_short_is_refused(end: int) -> None:
    assert refusal(GOOD[:end]).code == MALFORMED


@each("spoil", [lambda p: p.put(MESSAGES, 1, p.lines[MESSAGES][1] + b"\r"), _twice("settings.json")])
def test_lines_end_as_ours_do_and_of_what_is_one_there_is_one(spoil: Spoil) -> None:
    spoiled = draft()
    spoil(spoiled)
    assert refusal(spoiled.zip()).code == SCHEMA


def test_the_names_of_what_is_not_ours_are_not_repeated() -> None:
    for data in (
        _with("a secret.txt"),
        _with("/a secret"),
        _with(_entry("a secret", external_attr=stat.S_IFLNK << 16)),
    ):
        refused = refusal(data)
        assert refused.path is None
        assert "secret" not in repr(refused)


# --- JSON documents

JSON = good_json()
ENDLESS = b'{"files":{"settings.json":"' + b"a" * 3_000_000

JSONS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "a list": ("package_unknown_format", lambda: b"[]"),
    "a list of numbers": ("package_unknown_format", lambda: b"[1,2]"),
    "an empty object": ("package_unknown_format", lambda: b"{}"),
    "another object": ("package_unknown_format", lambda: b'{"name":"memory-center","version":1}'),
    "the manifest first": ("package_unknown_format", lambda: b'{"manifest":{},"files":{}}'),
    "a byte order mark before it": ("package_unknown_format", lambda: b"\xef\xbb\xbf" + JSON),
    "UTF-16": ("package_unknown_format", lambda: JSON.decode().encode("utf-16")),
    "no manifest": (MALFORMED, lambda: JSON[: JSON.index(b',\n"manifest"')] + b"}\n"),
    "another member": (MALFORMED, lambda: JSON.replace(b'},\n"manifest"', b'},\n"more":{},"manifest"')),
    "the manifest twice": (MALFORMED, lambda: JSON[:-2] + b',"manifest":{}}\n'),
    "garbage behind it": (MALFORMED, lambda: JSON + b"{}"),
    "a path too long": ("package_unsafe_path", lambda: JSON.replace(b'"settings.json"', b'"' + b"a" * 256 + b'"')),
    "a NUL behind it": (MALFORMED, lambda: JSON + b"\x00"),
    "a comma behind the last": (MALFORMED, lambda: JSON.replace(b'],\n"lineage', b',],\n"lineage')),
    "no comma": (MALFORMED, lambda: JSON.replace(b'],\n"lineage', b']\n"lineage')),
    "a file that is no list": (MALFORMED, lambda: JSON.replace(b'"lineage.jsonl":[', b'"lineage.jsonl":{"a":[')),
    "a name that is no text": (MALFORMED, lambda: JSON.replace(b'"lineage.jsonl":', b"7:")),
    "a name that is no UTF-8": (MALFORMED, lambda: JSON.replace(b'"lineage.jsonl":', b'"\xff":')),
    "a comment": (MALFORMED, lambda: JSON.replace(b'"lineage.jsonl":', b'/* lineage */"lineage.jsonl":')),
    "a file twice": (
        "package_duplicate_entry",
        lambda: JSON.replace(b'"feedback.jsonl":', b'"settings.json":{},"feedback.jsonl":'),
    ),
    "a manifest that is null": ("package_unknown_format", lambda: b'{"files":{},"manifest":null}'),
    "a text without end": (TOO_LARGE, lambda: ENDLESS),
    "a number without end": (MALFORMED, lambda: b'{"files":{"settings.json":' + b"9" * 3_000_000),
    "lists beside each other without end": (TOO_LARGE, lambda: b'{"files":{"a.jsonl":[[' + b"[]," * 1_000_000),
    "lists without end": (TOO_LARGE, lambda: b'{"files":{"a.jsonl":' + b"[" * 3_000_000),
}


@each("case", JSONS)
def test_a_bad_document_is_refused(case: str) -> None:
    code, make = JSONS[case]
    assert refusal(make()).code == code


@each("end", range(10, len(JSON) - 2, len(JSON) // 60))
def test_a_document_that_was_cut_short_is_refused(end: int) -> None:
    assert refusal(JSON[:end]).code == MALFORMED


# --- More than is accepted


@each(
    ("code", "limits", "make"),
    [
        ("package_too_large", Limits(package_bytes=1_000), good_zip),
        ("package_too_large", Limits(package_bytes=1_000), good_json),
        ("package_too_large_unpacked", Limits(unpacked_bytes=5_000), good_zip),
        (
            "package_too_large_unpacked",
            Limits(ratio_from_bytes=1_000_000),
            lambda: _holding("README.md", bytes(4_000_000)),
        ),
        ("package_too_many_entries", Limits(entries=5), good_zip),
        ("package_too_many_entries", Limits(entries=5), good_json),
        (
            "package_too_many_entries",
            Limits(entries=1),
            lambda: zip_of({f"{n}" + "x" * 200: b"" for n in range(5_000)}),
        ),
        ("package_too_many_entries", Limits(identified=3), good_zip),
        ("package_too_many_entries", Limits(identified=3), good_json),
        ("package_record_too_large", Limits(record_bytes=200), good_zip),
        ("package_record_too_large", Limits(record_bytes=200), good_json),
        ("package_record_too_large", Limits(manifest_bytes=1_000), good_zip),
        ("package_record_too_large", Limits(manifest_bytes=1_000), good_json),
    ],
)
def test_more_than_is_accepted_is_refused(code: str, limits: Limits, make: Callable[[], bytes]) -> None:
    assert refusal(make(), limits).code == code


def test_a_zip_that_unpacks_to_far_more_than_it_is_is_refused_before_it_is_unpacked() -> None:
    assert refusal(_holding("README.md", bytes(80 * 2**20))).code == "package_too_large_unpacked"


def test_a_directory_that_claims_too_much_is_never_read() -> None:
    """The claim is checked against what would be read, not against what the zip says it has."""
    huge = b"PK\x03\x04" + bytes(20 * 2**20) + GOOD[END:][:12] + struct.pack("<LL", 19 * 2**20, 4) + b"\0\0"
    assert refusal(huge).code == "package_too_many_entries"


def test_every_code_is_made_by_something_and_explained() -> None:
    """`package_several_people` is made by the corpus of other products' exports."""
    explained = re.findall(r"^\| `(package_\w+)` \|", (ROOT / "docs" / "import.md").read_text(), re.MULTILINE)
    assert sorted(explained) == sorted(get_args(Code))
    here = Path(__file__).read_text() + (Path(__file__).parent / "test_package_foreign.py").read_text()
    assert not [code for code in get_args(Code) if f'"{code}"' not in here]
