"""Packages without a database: sealing, packing, the view for people, their schemas."""

from __future__ import annotations

import io
import json
import os
import subprocess
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.memory_center.downloading import part_of
from shared.kernel.records import Record
from shared.portability.packages.manifest import schemas
from shared.portability.packages.packing import File, Tally, line, pack_json, pack_view, pack_zip
from shared.portability.packages.records import ErasedMessage, Memory, Message, Receipt, Source, Summary, SwitchStates
from shared.portability.packages.view import View, escaped, quoted
from shared.portability.packages.words import WORDS
from shared.portability.rules.exports import covers
from shared.runtime.problems import ApiProblem
from shared.stores.sealed.folder import FolderFiles
from shared.stores.sealed.sealing import CHUNK, TAG, Damaged, Sealer, unsealed
from tests.support.packages import Package

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas" / "export"
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
ID = UUID("0192f0c1-0000-7000-8000-000000000001")


# --- Sealing


def sealed(data: bytes, key: bytes, name: UUID, *, at_once: int = 10_000) -> bytes:
    sink = io.BytesIO()
    sealer = Sealer(sink, key, name)
    for start in range(0, len(data), at_once):
        sealer.write(data[start : start + at_once])
    sealer.close()
    return sink.getvalue()


def opened(held: bytes, key: bytes, name: UUID, size: int, start: int = 0, end: int | None = None) -> bytes:
    end = size if end is None else end
    return b"".join(unsealed(io.BytesIO(held), name, size, start=start, end=end, key=lambda: key))


@given(
    size=st.sampled_from([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 7]),
    at_once=st.sampled_from([1_000, CHUNK, 5 * CHUNK]),
    cuts=st.tuples(st.integers(0, 4 * CHUNK), st.integers(0, 4 * CHUNK)),
)
def test_what_was_sealed_is_read_again_whole_and_in_parts(size: int, at_once: int, cuts: tuple[int, int]) -> None:
    data, key, name = os.urandom(size), os.urandom(32), uuid4()
    held = sealed(data, key, name, at_once=at_once)
    assert len(held) == size + TAG * max(1, -(-size // CHUNK))
    assert opened(held, key, name, size) == data
    start, end = sorted(min(cut, size) for cut in cuts)
    if start < end:
        assert opened(held, key, name, size, start, end) == data[start:end]


def test_each_part_of_a_file_is_where_it_was_sealed_and_nothing_is_missing() -> None:
    data, key, name = os.urandom(3 * CHUNK), os.urandom(32), uuid4()
    held, one = sealed(data, key, name), CHUNK + TAG
    flipped = bytearray(held)
    flipped[one + 5] ^= 1
    bad: dict[str, tuple[bytes, bytes, UUID, int]] = {
        "a changed byte": (bytes(flipped), key, name, len(data)),
        "chunks in another order": (held[one : 2 * one] + held[:one] + held[2 * one :], key, name, len(data)),
        "the last chunk cut off": (held[: 2 * one], key, name, 2 * CHUNK),
        "half a chunk": (held[:-100], key, name, len(data)),
        "a chunk added": (held + held[-one:], key, name, 4 * CHUNK),
        "another key": (held, os.urandom(32), name, len(data)),
        "another file's name": (held, key, uuid4(), len(data)),
        "nothing": (b"", key, name, len(data)),
    }
    for damage, given_ in bad.items():
        with pytest.raises(Damaged):
            opened(*given_)
            pytest.fail(damage)


def test_the_key_is_asked_for_with_every_chunk() -> None:
    data, key, name = os.urandom(3 * CHUNK), os.urandom(32), uuid4()
    held = io.BytesIO(sealed(data, key, name))
    answers = iter([key, key])

    class Withdrawn(Exception):
        pass

    def ask() -> bytes:
        for answer in answers:
            return answer
        raise Withdrawn

    got: list[bytes] = []
    with pytest.raises(Withdrawn):
        got.extend(unsealed(held, name, len(data), start=0, end=len(data), key=ask))
    chunks = unsealed(held, name, len(data), start=0, end=len(data), key=lambda: key)
    assert [next(chunks), next(chunks)] == [data[:CHUNK], data[CHUNK : 2 * CHUNK]]


# --- Files


def test_links_are_not_followed(tmp_path: Path) -> None:
    root, namespace, key = tmp_path / "exports", uuid4(), uuid4()
    files = FolderFiles(root)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    root.mkdir()
    (root / str(namespace)).symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(OSError), files.writing(namespace, key):
        pass
    assert list(elsewhere.iterdir()) == []
    other = uuid4()
    (root / str(other)).mkdir()
    (elsewhere / "secret").write_bytes(b"secret")
    (root / str(other) / f"{key}.sealed").symlink_to(elsewhere / "secret")
    with pytest.raises(OSError), files.reading(other, key):
        pass


# --- Packing


def some_files(count: int = 3) -> Iterator[File]:
    erased = [ErasedMessage(id=UUID(int=one), seq=one, turn=1, erased_at=NOON) for one in range(count)]
    yield File(path="a/erased.jsonl", kind="erased_message", records=iter(erased))
    yield File(path="a/none.jsonl", kind="erased_message", records=iter([]))
    summary = Summary(
        id=ID,
        text='摘要 with \u2028 and "quotes"\n',
        version=1,
        method="extractive",
        covered_from=1,
        covered_through=2,
        covered_message_count=2,
        updated_at=NOON.astimezone(timezone(timedelta(hours=8))),
    )
    yield File(path="b/summary.json", kind="summary", records=[summary])


class AsManifest(Record):
    content: dict[str, Any]
    export: dict[str, Any]


def manifest_of(tally: Tally) -> Record:
    files = [one.model_dump() for one in tally.files]
    content = {"counts": dict(tally.counts), "files": files}
    return AsManifest(content=content, export={"view": tally.view.model_dump() if tally.view else None})


def zipped() -> bytes:
    sink = io.BytesIO()
    pack_zip(sink, some_files(), ["# Title\n", "中文\n"], manifest_of, Tally())
    return sink.getvalue()


def test_a_zip_lists_and_proves_every_file_and_has_none_without_records() -> None:
    package = Package(zipped())
    package.check()
    assert set(package.files) == {"a/erased.jsonl", "b/summary.json", "README.md", "manifest.json", "SHA256SUMS"}
    assert package.view == "# Title\n中文\n"
    assert package.manifest["content"]["counts"] == {"erased_message": 3, "summary": 1}
    assert [one["seq"] for one in package.records("a/erased.jsonl")] == [0, 1, 2]


def test_the_same_records_give_the_same_bytes() -> None:
    assert zipped() == zipped()


def test_sha256sum_says_so_too(tmp_path: Path) -> None:
    zipfile.ZipFile(io.BytesIO(zipped())).extractall(tmp_path)
    checked = subprocess.run(
        ["/usr/bin/sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=tmp_path, capture_output=True, check=False
    )
    assert checked.returncode == 0, checked


def test_one_json_document_holds_what_the_zip_holds() -> None:
    sink = io.BytesIO()
    pack_json(sink, some_files(), manifest_of, Tally())
    document, package = json.loads(sink.getvalue()), Package(zipped())
    assert document["files"] == {
        "a/erased.jsonl": package.records("a/erased.jsonl"),
        "b/summary.json": package.records("b/summary.json")[0],
    }
    assert document["manifest"]["content"] == package.manifest["content"]
    for file in document["manifest"]["content"]["files"]:  # and the sums hold for it
        assert file["sha256"] == next(one["sha256"] for one in package.manifest["content"]["files"] if one == file)


def test_without_anything_a_document_is_still_one() -> None:
    sink = io.BytesIO()
    pack_json(sink, iter([]), manifest_of, Tally())
    assert json.loads(sink.getvalue())["files"] == {}
    sink = io.BytesIO()
    pack_view(sink, ["a", "ß"])
    assert sink.getvalue().decode() == "aß"


def test_times_are_written_in_utc_and_members_in_order() -> None:
    summary = next(iter(next(file for file in some_files() if file.kind == "summary").records))
    written = line(summary).decode()
    assert '"updated_at":"2026-01-02T12:00:00Z"' in written
    assert list(json.loads(written)) == sorted(json.loads(written))
    assert written.count("\n") == 1


# --- The view


HOSTILE = (
    "# no heading\n<script>alert(1)</script> [a](javascript:b) ![c](d) `code` **bold** | \\ &amp; ~~x~~\r\n> no\n- no"
)


@pytest.mark.parametrize("show", [escaped, quoted])
def test_nothing_a_person_wrote_is_markup(show: Any) -> None:
    shown = show(HOSTILE)
    for line_ in shown.splitlines():
        text = line_.removeprefix("> ")
        for place, character in enumerate(text):
            if character in "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~":
                assert text[place - 1] == "\\", (text, place)


@given(st.text())
def test_whatever_is_quoted_stays_inside_its_quotation(text: str) -> None:
    assert all(line_.startswith("> ") for line_ in quoted(text).split("\n")[:-1])
    assert "\n" not in escaped(text)


def test_what_could_reorder_a_line_is_taken_out() -> None:
    assert "\u202e" not in quoted("safe \u202e text")
    assert "\x07" not in escaped("bell \x07")


def a_memory(**more: Any) -> Memory:
    source = Source(
        message_id=ID,
        conversation_id=ID,
        role="user",
        turn=1,
        session=1,
        quote="I like tea",
        quote_start=0,
        quote_end=10,
        spoken_at=NOON,
    )
    values: dict[str, Any] = {
        "id": ID,
        "content": "Likes *tea*.",
        "content_type": "preference",
        "scope": "global",
        "project_id": None,
        "origin": "extracted",
        "importance": 5,
        "taboo": True,
        "disabled": False,
        "confirmed": True,
        "archived": False,
        "validity": "superseded",
        "supersedes_id": None,
        "contradicts_id": None,
        "conversation_id": None,
        "spoken_at": None,
        "method": "rules",
        "task_hint": None,
        "version": 1,
        "last_supported_at": None,
        "created_at": NOON,
        "updated_at": NOON,
        "provenance": [source],
    }
    return Memory(**{**values, **more})


def test_the_view_speaks_the_persons_language() -> None:
    en, zh = ("".join(View(language).memories(iter([a_memory()]))) for language in ("en", "zh"))
    assert "- **Likes \\*tea\\*\\.** (preference, no longer holds, safety, confirmed by you)" in en
    assert "said on 2026-01-02 12:00 UTC: I like tea" in en
    assert "- **Likes \\*tea\\*\\.** (偏好，已不再成立，安全，你已确认)" in zh
    assert "说于 2026-01-02 12:00 UTC" in zh
    assert "没有内容。" in "".join(View("zh").memories(iter([])))


def test_every_word_is_there_in_every_language() -> None:
    en, zh = WORDS["en"], WORDS["zh"]
    for name in en.__dataclass_fields__:
        ours, theirs = getattr(en, name), getattr(zh, name)
        if isinstance(ours, str):
            assert ours != theirs or name == "nothing"
            assert ours
            assert theirs
        else:
            assert set(ours) == set(theirs)
            assert all(theirs.values())
    assert set(en.switches) == set(SwitchStates.model_fields)


def test_what_was_forgotten_is_told_without_what_it_was() -> None:
    receipt = Receipt(
        receipt_id=ID,
        status="succeeded",
        type="forget_message",
        scope="message",
        unrecallable_at=NOON,
        erased_at=NOON,
        purged_at=None,
        entries=[],
    )
    shown = "".join(View("en").receipts(iter([receipt])))
    assert shown.endswith(f"- 2026-01-02 12:00 UTC · a message · `{ID}`\n")
    assert "".join(View("en").receipts(iter([]))) == ""


def test_a_message_shows_who_said_it_and_its_own_lines() -> None:
    message = Message(
        id=ID,
        conversation_id=ID,
        seq=1,
        turn=1,
        session=1,
        role="user",
        name="A_da",
        content="one\ntwo",
        task_hint=None,
        client_message_id=None,
        completed=True,
        version=1,
        summarize=True,
        index_episode=True,
        learn=True,
        never_learn=[],
        withheld=[],
        spoken_at=NOON,
        recorded_at=NOON,
    )
    assert View("en").message(message) == "\n**You A\\_da** · 2026-01-02 12:00 UTC\n\n> one\\\n> two\n"


# --- Schemas


def test_the_published_schemas_are_those_of_the_records() -> None:
    """Write them with `make openapi`."""
    published = {path.name.removesuffix(".schema.json"): json.loads(path.read_text()) for path in SCHEMAS.iterdir()}
    assert published == schemas()


# --- What a forget covers, and which part is asked for


@pytest.mark.parametrize(
    ("exported", "forgotten", "same", "covered"),
    [
        ("user", "message", False, True),
        ("selection", "clear", False, True),
        ("conversation", "message", True, True),
        ("conversation", "message", False, False),
        ("conversation", "conversation", False, False),
        ("conversation", "clear", True, True),
        ("conversation", "selection", False, True),
        ("conversation", "user", False, True),
    ],
)
def test_a_forget_covers_whatever_a_package_may_hold(exported: Any, forgotten: str, same: bool, covered: bool) -> None:
    forgotten_in = None if forgotten in ("user", "selection") else ID if same else uuid4()
    assert covers(exported, ID, format_="zip", forgotten=forgotten, forgotten_in=forgotten_in) is covered


def test_feedback_may_be_in_the_package_of_any_conversation() -> None:
    for goes in (True, False):
        found = covers("conversation", ID, format_="zip", forgotten="message", forgotten_in=uuid4(), feedback_goes=goes)
        assert found is goes


@pytest.mark.parametrize(("format_", "covered"), [("finclaw", True), ("zip", False), ("json", False)])
def test_what_expires_with_a_task_is_in_one_layout_only(format_: Any, covered: bool) -> None:
    assert covers("user", None, format_=format_, forgotten="expiry", forgotten_in=None) is covered


@given(size=st.integers(1, 10**6), first=st.integers(0, 10**6), last=st.integers(0, 10**6))
def test_a_range_names_bytes_that_are_there(size: int, first: int, last: int) -> None:
    try:
        part = part_of(size, f"bytes={first}-{last}")
    except ApiProblem:
        assert size <= first <= last
        return
    assert (part.start, part.end) == ((first, min(last + 1, size)) if first <= last else (0, size))
    assert 0 <= part.start < part.end <= size
