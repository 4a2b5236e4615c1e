"""The two containers of our packages: a zip, or one JSON document with the files as members (MC-12)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, Protocol

from shared.portability.packages.archives import CHUNK, PATH_MAX, Archive, Read
from shared.portability.packages.limits import Limits
from shared.portability.packages.manifest import Manifest
from shared.portability.packages.package import PackageFormat
from shared.portability.packages.packing import MANIFEST, SUMS, VIEW
from shared.portability.packages.refusals import PackageRefused, placed
from shared.portability.packages.scanning import Scanner


class Container(Protocol):
    """The manifest and files of records."""

    format: PackageFormat
    manifest: bytes

    def paths(self) -> set[str]:
        """Return the paths of the record files."""
        ...

    def lines(self, path: str) -> Iterator[bytes]:
        """Yield the records of a file as raw bytes."""
        ...

    def check(self, manifest: Manifest) -> None:
        """Check the container's own data against the manifest."""
        ...


class ZipContainer:
    """A zip with line-based files."""

    format: PackageFormat = "zip"

    def __init__(self, archive: Archive, limits: Limits) -> None:
        self._archive = archive
        self._limits = limits
        archive.check_size(list(archive.sizes))
        for path in (MANIFEST, SUMS, VIEW):
            if path not in archive.sizes:
                raise PackageRefused("package_file_missing", path)
        self.manifest = self._only_line(MANIFEST, limits.manifest_bytes)

    def paths(self) -> set[str]:
        return set(self._archive.sizes) - {MANIFEST, SUMS, VIEW}

    def lines(self, path: str) -> Iterator[bytes]:
        return self._lines(path, self._limits.record_bytes)

    def check(self, manifest: Manifest) -> None:
        view = manifest.export.view
        if view is None or view.path != VIEW:
            raise PackageRefused("package_schema_mismatch", MANIFEST)
        for file in (*manifest.content.files, view):
            if self._archive.sizes[file.path] != file.bytes:
                raise PackageRefused("package_digest_mismatch", file.path)
        if self._digest(VIEW) != view.sha256:
            raise PackageRefused("package_digest_mismatch", VIEW)
        sums = {file.path: file.sha256 for file in (*manifest.content.files, view)}
        sums[MANIFEST] = hashlib.sha256(self.manifest + b"\n").hexdigest()
        expected = (f"{digest}  {path}".encode() for path, digest in sorted(sums.items()))
        found = self._lines(SUMS, self._limits.record_bytes)
        number = 0
        for number, line in enumerate(found, start=1):
            if line != next(expected, None):
                raise PackageRefused("package_digest_mismatch", SUMS, number)
        if number != len(sums):
            raise PackageRefused("package_digest_mismatch", SUMS)

    def _only_line(self, path: str, most: int) -> bytes:
        lines = list(islice(self._lines(path, most), 2))
        if len(lines) != 1 or len(lines[0]) + 1 != self._archive.sizes[path]:
            raise PackageRefused("package_malformed", path)
        return lines[0]

    def _lines(self, path: str, most: int) -> Iterator[bytes]:
        with self._archive.reading(path) as read:
            yield from placed(_split(read, most), path)

    def _digest(self, path: str) -> str:
        digest = hashlib.sha256()
        with self._archive.reading(path) as read:
            while data := read(CHUNK):
                digest.update(data)
        return digest.hexdigest()


def _split(read: Read, most: int) -> Iterator[bytes]:
    """Yield lines without their line feeds; the last line must end with one too."""
    rest = bytearray()
    while data := read(CHUNK):
        *lines, last = data.split(b"\n")
        for line in lines:
            rest += line
            if len(rest) > most:
                raise PackageRefused("package_record_too_large")
            yield bytes(rest)
            rest.clear()
        rest += last
        if len(rest) > most:
            raise PackageRefused("package_record_too_large")
    if rest:
        raise PackageRefused("package_malformed")


class JsonContainer:
    """One document: `files` maps paths to a list of records or a single record; `manifest` comes last."""

    format: PackageFormat = "json"

    def __init__(self, file: BinaryIO, limits: Limits) -> None:
        self._file = file
        self._limits = limits
        self._starts: dict[str, int] = {}
        scanner = self._scanner_at(0)
        scanner.take("{")
        _expect(scanner, "files")
        self._index(scanner)
        scanner.take(",")
        _expect(scanner, "manifest")
        self.manifest = scanner.value(limits.manifest_bytes)
        scanner.take("}")
        scanner.end()

    def paths(self) -> set[str]:
        return set(self._starts)

    def lines(self, path: str) -> Iterator[bytes]:
        return placed(_members(self._scanner_at(self._starts[path]), path), path)

    def check(self, manifest: Manifest) -> None:
        if manifest.export.view is not None:
            raise PackageRefused("package_schema_mismatch", MANIFEST)

    def _index(self, scanner: Scanner) -> None:
        """Find the start of each file."""
        scanner.take("{")
        if scanner.took("}"):
            return
        while True:
            path = scanner.key()
            if len(path) > PATH_MAX:
                raise PackageRefused("package_unsafe_path", line=len(self._starts) + 1)
            if path in self._starts:
                raise PackageRefused("package_duplicate_entry", line=len(self._starts) + 1)
            if len(self._starts) == self._limits.entries:
                raise PackageRefused("package_too_many_entries")
            self._starts[path] = scanner.place()
            for _ in placed(_members(scanner, path), None):
                pass
            if not scanner.took(","):
                scanner.take("}")
                return

    def _scanner_at(self, start: int) -> Scanner:
        self._file.seek(start)
        return Scanner(self._file.read, value_bytes=self._limits.record_bytes)


def _expect(scanner: Scanner, name: str) -> None:
    if scanner.key() != name:
        raise PackageRefused("package_malformed")


def _members(scanner: Scanner, path: str) -> Iterator[bytes]:
    """Yield the records of a file: the members of a list, or the single record."""
    if path.endswith(".jsonl"):
        yield from scanner.members()
    else:
        yield scanner.value()
