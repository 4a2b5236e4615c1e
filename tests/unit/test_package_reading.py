"""Our packages are read as they were written, in bounded memory; whatever is sent, nothing else comes out (X-09)."""

from __future__ import annotations

import io
import json
import time
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.kernel.records import Record
from shared.ledger.rules import canonical
from shared.portability.packages.packing import File, Tally, line, pack_json, pack_zip
from shared.portability.packages.parsing import record_of
from shared.portability.packages.reading import Package, PackageRefused, open_package
from shared.portability.packages.records import Message, forms
from shared.portability.packages.refusals import Code
from tests.support.depth import examples
from tests.support.handmade_packages import (
    FOLDER,
    HOME,
    LUNCH,
    MESSAGES,
    PEANUTS,
    Draft,
    draft,
    every_record,
    files,
    good_json,
    good_zip,
    id_,
    manifest_of,
    message,
    zip_of,
)

Format = Literal["zip", "json"]
GOOD = {"zip": good_zip(), "json": good_json(), "stored": zip_of(draft().members(), zipfile.ZIP_STORED)}
RECORDS = every_record()


def opened(data: bytes) -> Package:
    return open_package(io.BytesIO(data))


def everything(package: Package) -> list[Record]:
    return [record for kind in forms() for record in package.records(kind)]


EVERYTHING = everything(opened(GOOD["zip"]))


# --- What was written is read


@pytest.mark.parametrize("format_", ["zip", "json"])
def test_what_was_packed_is_read_again(format_: str) -> None:
    package = opened(GOOD[format_])
    assert (package.source, package.format, package.schema_version) == ("memory-center", format_, 1)
    assert package.content is not None
    assert package.content.scope == "user"
    assert package.check() == Counter(kind for kind, _, _ in RECORDS)
    assert set(forms()) == {kind for kind, _, _ in RECORDS}
    for kind in forms():
        entries = list(package.entries(kind))
        assert [entry.record for entry in entries] == [record for kind_, _, record in RECORDS if kind_ == kind]
        for entry in entries:
            in_folder = {f"conversations/{one}/": one for one in (LUNCH, HOME)}
            place = next((one for folder, one in in_folder.items() if entry.path.startswith(folder)), None)
            assert entry.conversation_id == place
    assert [entry.line for entry in package.entries("memory")] == [1, 2, 3]
    assert list(package.records("message")) == list(package.records("message"))


@pytest.mark.parametrize("format_", ["zip", "json"])
def test_what_was_read_packs_to_the_same_bytes(format_: Format) -> None:
    package = opened(GOOD[format_])

    def again() -> Iterator[File]:
        for file in files():
            entries = [entry.record for entry in package.entries(file.kind) if entry.path == file.path]
            yield File(path=file.path, kind=file.kind, records=entries)

    sink = io.BytesIO()
    if format_ == "zip":
        pack_zip(sink, again(), ["# What is remembered\n", "中文\n"], manifest_of("zip"), Tally())
    else:
        pack_json(sink, again(), manifest_of("json"), Tally())
    assert sink.getvalue() == GOOD[format_]


def test_a_draft_that_nobody_spoiled_is_the_package() -> None:
    """Else the corpus would be refused for what its drafts do by themselves."""
    assert draft().json() == GOOD["json"]
    with zipfile.ZipFile(io.BytesIO(GOOD["zip"])) as archive:
        assert draft().members() == {path: archive.read(path) for path in archive.namelist()}
    assert everything(opened(draft().zip())) == EVERYTHING


def test_who_unpacks_and_packs_again_may_add_folders_and_another_order() -> None:
    members = sorted(draft().members().items(), reverse=True)
    again = zip_of([("conversations/", b""), (f"{FOLDER}/", b""), *members], zipfile.ZIP_STORED)
    package = opened(again)
    package.check()
    assert everything(package) == EVERYTHING


def test_space_between_the_records_of_a_document_means_nothing() -> None:
    spaced = GOOD["json"].replace(b",\n", b" ,\r\n\t\n").replace(b'{"files":{', b' \n{ "files" : { ')
    package = opened(spaced)
    package.check()
    assert everything(package) == everything(opened(GOOD["json"]))


def only_lunch() -> Draft:
    """Return the package of one conversation."""
    package = draft()
    for path in list(package.lines):
        if not path.startswith(FOLDER) and path != "history.jsonl":
            package.drop(path)
    package.lines["history.jsonl"] = package.lines["history.jsonl"][:2]
    return package.declare(lambda made: made["content"].update(scope="conversation", conversation_id=str(LUNCH)))


def a_selection() -> Draft:
    """Return a package of a message and a memory."""
    package = draft()
    for path in list(package.lines):
        if path not in (MESSAGES, "memories.jsonl", "history.jsonl"):
            package.drop(path)
    package.lines[MESSAGES] = package.lines[MESSAGES][2:3]
    package.lines["memories.jsonl"] = package.lines["memories.jsonl"][1:2]
    package.lines["history.jsonl"] = package.lines["history.jsonl"][4:6]
    return package.declare(lambda made: made["content"].update(scope="selection"))


@pytest.mark.parametrize("format_", ["zip", "json"])
def test_a_conversation_and_a_selection_are_packages_too(format_: str) -> None:
    for made, scope, counts in (
        (
            only_lunch(),
            "conversation",
            {
                "conversation": 1,
                "message": 4,
                "erased_message": 1,
                "summary": 1,
                "episode": 2,
                "feedback": 1,
                "event": 2,
            },
        ),
        (a_selection(), "selection", {"message": 1, "memory": 1, "event": 2}),
    ):
        package = opened(made.zip() if format_ == "zip" else made.json())
        assert package.check() == counts
        assert package.content is not None
        assert package.content.scope == scope


def test_the_conversation_is_the_one_the_manifest_says() -> None:
    other = only_lunch().declare(lambda made: made["content"].update(conversation_id=str(HOME)))
    with pytest.raises(PackageRefused) as caught:
        opened(other.zip()).check()
    assert caught.value.code == "package_references_missing"


def test_a_forgotten_message_may_still_be_named_by_feedback_and_an_episode() -> None:
    package = draft()
    package.change(f"{FOLDER}/feedback.jsonl", 0, message_id=str(id_(999)))
    package.change(f"{FOLDER}/episodes.jsonl", 0, user_message_id=str(id_(999)), user_message=None)
    opened(package.zip()).check()


TEXTS = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",)), max_size=200)


@settings(deadline=None)
@given(text=TEXTS, name=st.none() | st.text(st.characters(categories=("L",)), min_size=1))
def test_whatever_can_be_stored_is_read_as_it_was_written(text: str, name: str | None) -> None:
    record = message(id_(1), LUNCH, 1, text, name=name)
    assert record_of(Message, line(record)[:-1]) == record


def test_a_text_may_spell_a_nul_out() -> None:
    record = message(id_(1), LUNCH, 1, r"Write \u0000, or \\u0000, or \ud800.")
    assert record_of(Message, line(record)[:-1]) == record


@pytest.mark.parametrize("format_", ["zip", "json"])
def test_a_file_may_give_its_bytes_in_small_pieces(format_: str) -> None:
    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            return super().read(7 if size is None or size < 0 else min(size, 7))

    package = open_package(Slow(GOOD[format_]))
    package.check()
    assert everything(package) == EVERYTHING


def test_an_error_of_the_disk_is_no_fault_of_the_package() -> None:
    class Broken(io.BytesIO):
        works = True

        def read(self, size: int | None = -1, /) -> bytes:
            if not self.works:
                raise OSError(5, "Input/output error")
            return super().read(size)

    for data in (GOOD["zip"], GOOD["json"]):
        file = Broken(data)
        package = open_package(file)
        file.works = False
        with pytest.raises(OSError, match="Input/output"):
            package.check()
        with pytest.raises(OSError, match="Input/output"):
            open_package(file)

    class Ending(Broken):
        def read(self, size: int | None = -1, /) -> bytes:
            self.works = self.tell() == 0
            return super().read(size)

    with pytest.raises(OSError, match="Input/output"):
        open_package(Ending(GOOD["zip"]))


# --- Memory


def peak_of(data: bytes) -> tuple[int, Code | None]:
    """Return how much memory reading takes at most, in bytes, and why it was refused, if it was."""
    file = io.BytesIO(data)
    tracemalloc.start()
    try:
        package = open_package(file)
        package.check()
        for kind in forms():
            for _ in package.records(kind):
                pass
    except PackageRefused as refused:
        return tracemalloc.get_traced_memory()[1], refused.code
    else:
        return tracemalloc.get_traced_memory()[1], None
    finally:
        tracemalloc.stop()


def many_messages(format_: Format, count: int, text: str) -> bytes:
    def made() -> Iterator[File]:
        for file in files():
            if file.path == MESSAGES:
                several = [message(id_(10_000 + seq), LUNCH, seq, text, turn=1) for seq in range(1, count + 1)]
                yield File(path=MESSAGES, kind="message", records=several)
            elif file.path.endswith("conversation.json") and file.path.startswith(FOLDER):
                [head] = file.records
                yield File(path=file.path, kind=file.kind, records=[head.model_copy(update={"next_seq": count + 1})])
            elif file.kind in ("settings", "conversation"):
                yield file

    sink = io.BytesIO()
    if format_ == "zip":
        pack_zip(sink, made(), [], manifest_of("zip"), Tally())
    else:
        pack_json(sink, made(), manifest_of("json"), Tally())
    return sink.getvalue()


@pytest.mark.parametrize("format_", ["zip", "json"])
def test_what_is_kept_of_a_package_is_its_ids(format_: Format) -> None:
    few, many = (many_messages(format_, count, PEANUTS * 80) for count in (100, 1_000))
    (less, fine), (more, fine_too) = peak_of(few), peak_of(many)
    assert fine is fine_too is None
    assert more < 3 * 2**20
    assert more - less < 900 * 500, "each message of 2 kB leaves no more than its id"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'{"files":' + b" " * (20 * 2**20), "package_malformed"),
        (b'{"files":{"settings.json":"' + b"a" * (20 * 2**20), "package_record_too_large"),
        (b'{"files":{"settings.json":[' + b"[]," * (7 * 2**20), "package_record_too_large"),
        (b"[" * (20 * 2**20), "package_record_too_large"),
        (b'{"results":"' + b'\\"' * (10 * 2**20), "package_record_too_large"),
    ],
    ids=["space", "a text", "lists", "nesting", "quotes"],
)
def test_what_has_no_end_is_not_read_to_its_end(data: bytes, code: str) -> None:
    peak, found = peak_of(data)
    assert found == code
    assert peak < 70 * 2**20


# --- Whatever is sent


def accepted(data: bytes) -> Package | None:
    """Return a package that passed its check; None if it was refused, which is all that else may happen, and soon."""
    begun = time.thread_time()
    try:
        package = opened(data)
        package.check()
    except PackageRefused:
        return None
    finally:
        assert time.thread_time() - begun < 2, "of this thread's own time, however busy the machine is"
    return package


OPERATIONS = ("replace", "insert", "remove", "repeat", "cut")
MUTATIONS = st.lists(
    st.tuples(st.sampled_from(OPERATIONS), st.floats(0, 1), st.binary(min_size=1, max_size=6), st.integers(1, 60)),
    min_size=1,
    max_size=3,
)


def mutated(data: bytes, mutations: list[tuple[str, float, bytes, int]]) -> bytes:
    spoiled = bytearray(data)
    for operation, where, payload, length in mutations:
        at = int(where * len(spoiled))
        match operation:
            case "replace":
                spoiled[at : at + len(payload)] = payload
            case "insert":
                spoiled[at:at] = payload
            case "remove":
                del spoiled[at : at + length]
            case "repeat":
                spoiled[at:at] = spoiled[at : at + length]
            case _:
                del spoiled[at:]
    return bytes(spoiled)


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("format_", ["zip", "stored", "json"])
@given(mutations=MUTATIONS)
def test_of_mutated_bytes_comes_a_refusal_or_the_same_package(
    format_: str, mutations: list[tuple[str, float, bytes, int]]
) -> None:
    if package := accepted(mutated(GOOD[format_], mutations)):
        assert everything(package) == EVERYTHING
        assert package.content == opened(GOOD[format_]).content


LINES = [(path, number) for path, lines in draft().lines.items() for number in range(len(lines))]


@settings(max_examples=examples(80), deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("format_", ["zip", "json"])
@given(place=st.sampled_from(LINES), mutations=MUTATIONS)
def test_a_mutated_record_is_refused_or_read_as_it_is_written(
    format_: str, place: tuple[str, int], mutations: list[tuple[str, float, bytes, int]]
) -> None:
    """Its digest fits: what is left are the rules."""
    spoiled = draft()
    path, number = place
    raw = mutated(spoiled.lines[path][number], mutations).replace(b"\n", b"")
    spoiled.put(path, number, raw)
    if package := accepted(spoiled.zip() if format_ == "zip" else spoiled.json()):
        entries = package.entries(spoiled.kinds[path])
        [record] = [entry.record for entry in entries if (entry.path, entry.line) == (path, number + 1)]
        assert line(record)[:-1] == raw


NAMES = ["files", "manifest", "results", "memory", "id", "mapping", "current_node", "uuid", "chat_messages", "user_id"]
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.just("2026-01-02T12:00:00Z"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=6),
    max_leaves=30,
)


@settings(max_examples=examples(200), deadline=None)
@given(document=ANYTHING)
def test_of_any_document_comes_a_refusal_or_records(document: Any) -> None:
    if package := accepted(json.dumps(document).encode()):
        assert package.source in ("mem0", "chatgpt", "claude")
        everything(package)


@settings(max_examples=examples(150), deadline=None)
@given(place=st.sampled_from(LINES), data=st.data(), value=ANYTHING)
def test_whatever_a_member_is_changed_to_is_refused_or_read_so(
    place: tuple[str, int], data: st.DataObject, value: Any
) -> None:
    path, number = place
    spoiled = draft()
    name = data.draw(st.sampled_from(sorted(json.loads(spoiled.lines[path][number]))))
    try:
        spoiled.change(path, number, **{name: value})
    except UnicodeEncodeError:  # half a surrogate pair cannot even be written
        return
    if package := accepted(spoiled.zip()):
        [entry] = [one for one in package.entries(spoiled.kinds[path]) if (one.path, one.line) == (path, number + 1)]
        assert canonical(entry.record.model_dump(mode="json")) == spoiled.lines[path][number].decode()
