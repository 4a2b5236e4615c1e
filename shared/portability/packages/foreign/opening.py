"""Detects the product of an export from its first object; all others must have the same format."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, BinaryIO, Final

from shared.portability.packages.archives import Archive, Read
from shared.portability.packages.foreign import chatgpt, claude, mem0
from shared.portability.packages.foreign.making import Made
from shared.portability.packages.limits import Limits
from shared.portability.packages.package import Entry, Package, PackageFormat, Source
from shared.portability.packages.records import Conversation, Memory, Message, forms
from shared.portability.packages.refusals import PackageRefused, placed
from shared.portability.packages.rules import keeps_rules
from shared.portability.packages.scanning import Scanner, parsed

_CONVERSATIONS: Final = re.compile(r"(?:[^/]+/)?(conversations(?:-\d{3})?\.json)")
_MEMORIES: Final = re.compile(r"(?:[^/]+/)?(memories\.json)")
_RESULTS: Final = "results"

_MAKERS: Final[dict[Source, Callable[..., Made]]] = {
    "mem0": mem0.made_of,
    "chatgpt": chatgpt.made_of,
    "claude": claude.made_of,
}

Opening = Callable[[], AbstractContextManager[Read]]


def open_foreign_zip(archive: Archive, limits: Limits, *, now: datetime) -> Package:
    """Open a zip exported by ChatGPT or Claude; other files in it are not read.

    Raises:
        PackageRefused: it has no conversations or memories in a known format.
    """
    files: dict[str, Opening] = {}
    paths = []
    for path in archive.sizes:
        if found := _CONVERSATIONS.fullmatch(path) or _MEMORIES.fullmatch(path):
            if found[1] in files:
                raise PackageRefused("package_duplicate_entry", found[1])
            files[found[1]] = _opening(archive, path)
            paths.append(path)
    archive.check_size(paths)
    package = ForeignPackage("zip", files, limits, now)
    if package.source == "mem0":
        raise PackageRefused("package_unknown_format")
    return package


def open_foreign_json(file: BinaryIO, limits: Limits, *, now: datetime) -> Package:
    """Open a JSON document of mem0, ChatGPT or Claude.

    Raises:
        PackageRefused: it has nothing in a known format.
    """

    def opening() -> AbstractContextManager[Read]:
        file.seek(0)
        return nullcontext(file.read)

    return ForeignPackage("json", {"": opening}, limits, now)


def _opening(archive: Archive, path: str) -> Opening:
    return lambda: archive.reading(path)


class ForeignPackage(Package):
    """An export of another product.

    Args:
        format_: its container format.
        files: by the name used in a refusal.
        limits: maximum sizes.
        now: date of records without one.
    """

    def __init__(self, format_: PackageFormat, files: Mapping[str, Opening], limits: Limits, now: datetime) -> None:
        self.format = format_
        self._files = files
        self._limits = limits
        self._now = now
        first = next((document for _, _, document in self._documents()), None)
        if first is None or (source := _source_of(first)) is None:
            raise PackageRefused("package_unknown_format")
        self.source = source
        self._made_of = _MAKERS[source]

    def entries(self, kind: str) -> Iterator[Entry]:
        if forms()[kind] not in _KIND:  # each pass reads the whole file again
            return
        for path, number, made in self._made():
            for entry in _entries(made, path, number):
                if type(entry.record) is forms()[kind]:
                    yield entry

    def check(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        ids: defaultdict[str, set[int]] = defaultdict(set)
        people: set[str] = set()
        for path, number, made in self._made():
            if made.person is not None:
                people.add(made.person)
            if len(people) > 1:
                raise PackageRefused("package_several_people", path or None, number)
            for entry in _entries(made, path, number):
                kind = _KIND[type(entry.record)]
                if not keeps_rules(entry.record):
                    raise PackageRefused("package_schema_mismatch", path or None, number)
                if entry.record.id.int in ids[kind]:
                    raise PackageRefused("package_duplicate_id", path or None, number)
                ids[kind].add(entry.record.id.int)
                counts[kind] += 1
                if counts.total() > self._limits.identified:
                    raise PackageRefused("package_too_many_entries")
        return counts

    def _made(self) -> Iterator[tuple[str, int, Made]]:
        for path, number, document in self._documents():
            try:
                yield path, number, self._made_of(document, now=self._now)
            except PackageRefused as refused:
                raise refused.at(path or None, number) from None

    def _documents(self) -> Iterator[tuple[str, int, Any]]:
        for path, opening in self._files.items():
            with opening() as read:
                scanner = Scanner(read, value_bytes=self._limits.foreign_record_bytes)
                documents = placed(map(parsed, _objects(scanner)), path or None)
                for number, document in enumerate(documents, start=1):
                    yield path, number, document


_Foreign = Conversation | Message | Memory
_KIND: Final[dict[type, str]] = {Conversation: "conversation", Message: "message", Memory: "memory"}


def _entries(made: Made, path: str, number: int) -> Iterator[Any]:
    """Yield the records made from one object, each with the object's position."""
    head = made.conversation
    records: list[_Foreign] = [*([head] if head else []), *made.messages, *made.memories]
    for record in records:
        yield Entry(record, head.id if head else None, path, number)


def _source_of(document: Any) -> Source | None:
    if not isinstance(document, dict):
        return None
    if chatgpt.is_conversation(document):
        return "chatgpt"
    if claude.is_conversation(document) or claude.is_memory(document):
        return "claude"
    return "mem0" if mem0.is_memory(document) else None


def _objects(scanner: Scanner) -> Iterator[bytes]:
    """Yield the members of a list, or of the `results` list of an object."""
    if scanner.peek() == "[":
        yield from scanner.members()
    else:
        scanner.take("{")
        if not scanner.took("}"):
            yield from _results(scanner)
    scanner.end()


def _results(scanner: Scanner) -> Iterator[bytes]:
    seen = set()
    while True:
        name = scanner.key()
        if name in seen:
            raise PackageRefused("package_malformed")
        seen.add(name)
        if name == _RESULTS and scanner.peek() == "[":
            yield from scanner.members()
        else:
            scanner.value()
        if not scanner.took(","):
            scanner.take("}")
            return
