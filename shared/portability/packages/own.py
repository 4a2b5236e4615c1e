"""Reads our own packages (X-09): their content must match the manifest exactly."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from shared.kernel.records import Record
from shared.portability.packages.archives import Archive
from shared.portability.packages.checking import Checker
from shared.portability.packages.containers import Container, JsonContainer, ZipContainer
from shared.portability.packages.layout import Place, may_hold, place_of
from shared.portability.packages.limits import Limits
from shared.portability.packages.manifest import SCHEMA, SCHEMA_VERSION, Content, Manifest, PackedFile
from shared.portability.packages.package import OURS, Entry, Package, Source
from shared.portability.packages.packing import MANIFEST
from shared.portability.packages.parsing import record_of
from shared.portability.packages.records import forms
from shared.portability.packages.refusals import PackageRefused
from shared.portability.packages.scanning import BYTES_PER_PART, parsed

_OURS: Final = re.compile(rb'\{\s*"files"\s*:')


def is_ours(start: bytes) -> bool:
    """Return whether a JSON document begins like ours."""
    return _OURS.match(start) is not None


def open_own_zip(archive: Archive, limits: Limits) -> Package:
    """Open a zip that has a manifest.

    Raises:
        PackageRefused: as `open_package`.
    """
    return OwnPackage(ZipContainer(archive, limits), limits)


def open_own_json(file: BinaryIO, limits: Limits) -> Package:
    """Open a document that begins like ours.

    Raises:
        PackageRefused: as `open_package`.
    """
    return OwnPackage(JsonContainer(file, limits), limits)


class OwnPackage(Package):
    """A package written by an export of this product, here or elsewhere."""

    source: Source = OURS
    content: Content

    def __init__(self, container: Container, limits: Limits) -> None:
        self._container = container
        self._limits = limits
        self._manifest = _manifest(container.manifest, limits)
        self.format = container.format
        self.schema_version = self._manifest.schema_version
        self.content = self._manifest.content
        if self._manifest.export.format != self.format:
            raise _mismatch()
        self._places = {file.path: _place(file, self.content) for file in self.content.files}
        if len(self._places) < len(self.content.files):
            raise PackageRefused("package_duplicate_entry", MANIFEST)
        if list(self._places) != sorted(self._places):
            raise PackageRefused("package_out_of_order", MANIFEST)
        _check_counts(self.content)
        _check_scope(self.content, self._places)
        _check_listed(self._places, container.paths())

    def entries(self, kind: str) -> Iterator[Entry]:
        form = forms()[kind]
        for file in self.content.files:
            if file.kind == kind:
                for number, raw in enumerate(self._container.lines(file.path), start=1):
                    yield self._entry(file, form, raw, number)

    def check(self) -> Counter[str]:
        self._container.check(self._manifest)
        checker = Checker(self.content, self._limits)
        for kind in forms():
            for file in self.content.files:
                if file.kind == kind:
                    self._check_file(file, checker)
        checker.finish()
        return Counter(self.content.counts)

    def _check_file(self, file: PackedFile, checker: Checker) -> None:
        form, place = forms()[file.kind], self._places[file.path]
        digest, size, number = hashlib.sha256(), 0, 0
        checker.begin(place)
        for number, raw in enumerate(self._container.lines(file.path), start=1):
            if number > file.records:
                raise PackageRefused("package_digest_mismatch", file.path, number)
            checker.take(self._entry(file, form, raw, number))
            digest.update(raw)
            digest.update(b"\n")
            size += len(raw) + 1
        if (number, size, digest.hexdigest()) != (file.records, file.bytes, file.sha256):
            raise PackageRefused("package_digest_mismatch", file.path)

    def _entry(self, file: PackedFile, form: type[Record], raw: bytes, number: int) -> Entry:
        try:
            record = record_of(form, raw)
        except PackageRefused as refused:
            raise refused.at(file.path, number) from None
        return Entry(record, self._places[file.path].conversation_id, file.path, number)


def _manifest(raw: bytes, limits: Limits) -> Manifest:
    if raw.count(b"{") + raw.count(b"[") > limits.manifest_bytes // BYTES_PER_PART:
        raise PackageRefused("package_record_too_large", MANIFEST)
    try:
        _check_version(raw)
        manifest = record_of(Manifest, raw)
    except PackageRefused as refused:
        raise refused.at(MANIFEST) from None
    if len(manifest.content.files) > limits.entries:
        raise PackageRefused("package_too_many_entries", MANIFEST)
    return manifest


def _check_version(raw: bytes) -> None:
    said: Any = parsed(raw)
    if not isinstance(said, dict) or said.get("schema_name") != SCHEMA:
        raise PackageRefused("package_unknown_format")
    version = said.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise PackageRefused("package_version_unsupported")


def _place(file: PackedFile, content: Content) -> Place:
    place = place_of(file.path, file.kind)
    is_single = file.path.endswith(".json")
    if place is None or not may_hold(content.scope, file.kind) or (is_single and file.records != 1):
        raise _mismatch()
    if file.records < 1 or file.bytes < 1:
        raise _mismatch()
    return place


def _check_counts(content: Content) -> None:
    counts: Counter[str] = Counter()
    for file in content.files:
        counts[file.kind] += file.records
    if dict(counts) != content.counts:
        raise PackageRefused("package_digest_mismatch", MANIFEST)


def _check_scope(content: Content, places: dict[str, Place]) -> None:
    """Check that every folder has its conversation, and that a conversation's package has no other."""
    folders = {place.conversation_id for place in places.values()} - {None}
    heads = {place.conversation_id for path, place in places.items() if path.endswith("/conversation.json")}
    is_one = content.scope == "conversation"
    if is_one != (content.conversation_id is not None):
        raise _mismatch()
    if is_one and heads != {content.conversation_id}:
        raise PackageRefused("package_references_missing", MANIFEST)
    if content.scope != "selection" and folders != heads:
        raise PackageRefused("package_references_missing", MANIFEST)
    if content.scope == "user" and "settings.json" not in places:
        raise PackageRefused("package_file_missing", "settings.json")


def _check_listed(listed: dict[str, Place], there: set[str]) -> None:
    for path in listed:
        if path not in there:
            raise PackageRefused("package_file_missing", path)
    if len(there) > len(listed):
        raise PackageRefused("package_file_unlisted")  # without its name, which may be anything


def _mismatch() -> PackageRefused:
    return PackageRefused("package_schema_mismatch", MANIFEST)
