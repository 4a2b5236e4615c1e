"""Packs files of records into a zip or a JSON document, with a manifest of the content (MC-12, X-09).

The same records give the same bytes, except for the manifest's `export`. Memory holds only one line, and one row per
file for the manifest.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Protocol

from shared.kernel.records import Record
from shared.ledger.rules import canonical
from shared.portability.packages.manifest import PackedFile

MANIFEST: Final = "manifest.json"
SUMS: Final = "SHA256SUMS"
VIEW: Final = "README.md"

BEGINNING: Final = (1980, 1, 1, 0, 0, 0)  # the earliest date of a zip; the manifest has the real one
_UNIX: Final = 3
PRIVATE: Final = 0o100600 << 16


class Sink(Protocol):
    """Target a package is written to sequentially."""

    def write(self, data: bytes, /) -> int: ...

    def flush(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A file with records of one kind: a single one in `.json`, one per line in `.jsonl`. Empty files are not
    written.
    """

    path: str
    kind: str
    records: Iterable[Record]

    @property
    def is_list(self) -> bool:
        return self.path.endswith(".jsonl")


@dataclass(slots=True)
class Tally:
    """What was packed so far."""

    counts: Counter[str] = field(default_factory=Counter)
    files: list[PackedFile] = field(default_factory=list)
    view: PackedFile | None = None


ManifestOf = Callable[[Tally], Record]


def line(record: Record) -> bytes:
    """Serialise a record: canonical JSON and a line feed."""
    return canonical(record.model_dump(mode="json")).encode() + b"\n"


class _Measured:
    """Forwards bytes, and computes their number and digest."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._write(data)
        self._digest.update(data)
        self.size += len(data)

    def as_file(self, path: str, kind: str, records: int) -> PackedFile:
        return PackedFile(path=path, kind=kind, records=records, bytes=self.size, sha256=self._digest.hexdigest())


def pack_zip(sink: Sink, files: Iterable[File], view: Iterable[str], manifest_of: ManifestOf, tally: Tally) -> None:
    """Write a zip of all files, a human-readable view, the manifest, and SHA256SUMS for `sha256sum -c`."""
    with zipfile.ZipFile(sink, "w", compression=zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # a stream suffices
        sums: list[PackedFile] = []
        for file in files:
            for begun in _begun(file):
                with _entry(archive, file.path) as entry:
                    packed = _pack(file, begun, entry, tally)
                tally.files.append(packed)
                sums.append(packed)
        with _entry(archive, VIEW) as entry:
            for text in view:
                entry.write(text.encode())
            tally.view = entry.as_file(VIEW, "view", 0)
        sums.append(tally.view)
        with _entry(archive, MANIFEST) as entry:
            entry.write(line(manifest_of(tally)))
            sums.append(entry.as_file(MANIFEST, "manifest", 1))
        with _entry(archive, SUMS) as entry:
            for one in sorted(sums, key=lambda one: one.path):
                entry.write(f"{one.sha256}  {one.path}\n".encode())


def pack_json(sink: Sink, files: Iterable[File], manifest_of: ManifestOf, tally: Tally) -> None:
    """Write one JSON document: `files` maps each path to its record or list of records, followed by `manifest`."""
    sink.write(b'{"files":{')
    before = b""
    for file in files:
        for begun in _begun(file):
            sink.write(before + b'"' + file.path.encode() + (b'":[' if file.is_list else b'":'))
            between = _Commas(sink)
            measured = _Measured(between.write_line)
            tally.files.append(_pack(file, begun, measured, tally))
            sink.write(b"]" if file.is_list else b"")
            before = b",\n"
    sink.write(b'},\n"manifest":' + line(manifest_of(tally)).rstrip() + b"}\n")


def pack_view(sink: Sink, view: Iterable[str]) -> None:
    """Write only the human-readable view."""
    for text in view:
        sink.write(text.encode())


class _Commas:
    """Writes lines as members of a JSON list."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._before = b""

    def write_line(self, text: bytes) -> None:
        self._sink.write(self._before + text.rstrip(b"\n"))
        self._before = b",\n"


def _begun(file: File) -> Iterator[Iterator[Record]]:
    """Yield the file's records once, or nothing if it has none."""
    records = iter(file.records)
    for first in records:
        yield chain([first], records)
        return


def _pack(file: File, records: Iterator[Record], target: _Measured, tally: Tally) -> PackedFile:
    before = tally.counts[file.kind]
    for record in records:
        target.write(line(record))
        tally.counts[file.kind] += 1
    return target.as_file(file.path, file.kind, tally.counts[file.kind] - before)


@contextmanager
def _entry(archive: zipfile.ZipFile, path: str) -> Iterator[_Measured]:
    info = zipfile.ZipInfo(path, date_time=BEGINNING)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = _UNIX
    info.external_attr = PRIVATE
    with archive.open(info, "w", force_zip64=True) as entry:
        yield _Measured(entry.write)
