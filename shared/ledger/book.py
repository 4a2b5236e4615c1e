"""The ledger outside the database: what a restored backup is compared with (P4, X-03).

A file here, or two places; `shared.ledger.objects` keeps it in a bucket.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Hashable, Iterator, Sequence
from itertools import chain, dropwhile
from pathlib import Path
from typing import Final, Protocol

from shared.ledger.rules import (
    GENESIS,
    START,
    Entry,
    Head,
    NotAnEntry,
    Tampered,
    canonical,
    from_document,
    longest_chain,
    merged_branches,
    to_document,
)


class LedgerUnavailable(Exception):
    """The ledger outside the database cannot be read or written. The call can be repeated."""

    code = "ledger_unavailable"


class Book(Protocol):
    """A file (`LedgerFile`) or the objects of a bucket (`LedgerObjects`). Every method raises `LedgerUnavailable`."""

    where: str
    """Its place, for operators."""
    at_once: int
    """How many entries may be appended in one transaction, which waits for them."""
    look_seconds: float
    """How often it is compared with the database."""
    examine_seconds: float | None
    """Minimum seconds between readings of all its entries by every process; None: never, that is left to `doctor`."""

    def is_there(self) -> bool:
        """Return whether it holds anything at all."""

    def version(self) -> Hashable:
        """Return a value that changes when an entry was added. Cheap."""

    def append(self, entries: Sequence[Entry], *, branch: bytes = b"") -> None:
        """Append entries to the chain or to a branch, and wait until they survive a crash.

        Raises:
            LedgerUnavailable: also if another writer was faster; what it wrote is found by `beyond`.
        """

    def beyond(self, head: Head) -> list[Entry] | None:
        """Return the entries that continue the chain after `head`, in order; None if it does not hold that entry."""

    def after(self, head: Head) -> list[Entry] | None:
        """Return all entries below `head`, connected to it or not; None as `beyond`."""

    def read(self) -> Iterator[Entry]:
        """Yield every readable entry."""


NAME: Final = "ledger.jsonl"
_TAIL: Final = 64 * 1024
"""Bytes first read from the end of the file; multiplied by four until the wanted entry is found."""


class LedgerFile:
    """A file to which several processes of one host may append while they hold the ledger lock.

    A stopped process may append late, after others continued; no entry continues its lines, so they are ignored. Lines
    cut short by a crash are skipped. Every method raises `LedgerUnavailable` if the disk fails.

    Args:
        directory: contains the file; created with the first entry.
        name: the file name, which differs for copies.
    """

    at_once: int = 50
    look_seconds: float = 1.0
    examine_seconds: float | None = 60.0

    def __init__(self, directory: Path, name: str = NAME) -> None:
        self.path = directory / name
        self.where = str(self.path)

    def is_there(self) -> bool:
        """Return whether the file exists and is not empty."""
        return self.version() is not None

    def version(self) -> tuple[int, int, int] | None:
        """Return what changes when somebody writes to the file; None without a file, or with an empty one."""
        try:
            with self.path.open("rb") as file:
                found = os.fstat(file.fileno())
        except FileNotFoundError:
            return None
        except OSError:
            raise LedgerUnavailable from None
        return (found.st_ino, found.st_size, found.st_mtime_ns) if found.st_size else None

    def append(self, entries: Sequence[Entry], *, branch: bytes = b"") -> None:
        """Append entries and wait until they are synced to disk; lines of branches stand among the others."""
        del branch
        lines = "".join(f"{canonical(to_document(entry))}\n" for entry in entries).encode()
        try:
            is_new = not self.path.exists()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "ab", opener=_private) as file:
                # One write, starting on a new line: a line that a crash cut short before stays separate and unreadable.
                file.write(lines if self._ends_a_line() else b"\n" + lines)
                file.flush()
                os.fsync(file.fileno())
            if is_new:
                _sync_directory(self.path.parent)
        except OSError:
            raise LedgerUnavailable from None

    def beyond(self, head: Head) -> list[Entry] | None:
        """Return the longest chain of entries after the one with `head`, in order.

        None if the file does not contain that entry: it was lost, or the file belongs to another installation.
        """
        after = self.after(head)
        return None if after is None else longest_chain(after, head.hash)

    def after(self, head: Head) -> list[Entry] | None:
        """Return all entries below `head`, connected to it or not; None as `beyond`."""
        lines = self._lines_after(head.hash)
        return None if lines is None else list(_entries(lines))

    def chain(self) -> list[Entry]:
        """Return the whole chain from its first entry; entries that do not connect to it are omitted.

        A changed or missing entry ends the chain, because the next entry does not connect.
        """
        return self.beyond(START) or []

    def read(self) -> Iterator[Entry]:
        """Yield every readable entry in file order."""
        try:
            with self.path.open("rb") as file:
                yield from _entries(file)
        except FileNotFoundError:
            return
        except OSError:
            raise LedgerUnavailable from None

    def disk(self) -> int | None:
        """Return which disk the file is on; None without a file."""
        try:
            return self.path.stat().st_dev
        except OSError:
            return None

    def _lines_after(self, head: bytes) -> list[bytes] | None:
        marker = f'"hash":"{head.hex()}"'.encode()
        try:
            with self.path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                taken = min(_TAIL, size)
                while True:
                    file.seek(size - taken)
                    lines = file.read(taken).splitlines()
                    whole = taken == size
                    for place in reversed(range(len(lines))):
                        if marker in lines[place]:
                            return lines[place + 1 :]
                    if whole:
                        return lines if head == GENESIS else None
                    taken = min(taken * 4, size)
        except FileNotFoundError:
            return [] if head == GENESIS else None
        except OSError:
            raise LedgerUnavailable from None

    def _ends_a_line(self) -> bool:
        with self.path.open("rb") as file:
            if file.seek(0, os.SEEK_END) == 0:
                return True
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"


def _entries(lines: Sequence[bytes] | Iterator[bytes]) -> Iterator[Entry]:
    for line in lines:
        try:
            yield from_document(json.loads(line))
        except (NotAnEntry, ValueError):
            continue


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class LedgerCopies:
    """A book and its copy elsewhere. Nothing is recorded unless both have it; both are read.

    Every method raises `LedgerUnavailable` if one of them is away: then a restored backup would not be noticed. So is a
    copy without any entry, although the book has some: its disk is not mounted.

    Args:
        book: written last, so that a crash leaves no book without a copy.
        copy: on another disk.
        copy_begins: the copy may be empty, because it is the first time.
    """

    def __init__(self, book: Book, copy: Book, *, copy_begins: bool = False) -> None:
        self._both = (book, copy)
        self._copy_begins = copy_begins
        self.where = f"{book.where} and {copy.where}"
        self.at_once = min(book.at_once, copy.at_once)
        self.look_seconds = min(book.look_seconds, copy.look_seconds)
        self.examine_seconds = book.examine_seconds

    @property
    def _books(self) -> tuple[Book, Book]:
        book, copy = self._both
        if not copy.is_there() and not self._copy_begins and book.is_there():
            raise LedgerUnavailable
        return self._both

    def is_there(self) -> bool:
        there = [book.is_there() for book in self._books]  # both are asked: one that is away must say so
        return any(there)

    def version(self) -> Hashable:
        return tuple(book.version() for book in self._books)

    def append(self, entries: Sequence[Entry], *, branch: bytes = b"") -> None:
        """Append to each what it lacks of these entries, and of those before them: it may have been restored."""
        for book in reversed(self._books):
            if entries:
                before = Head(entries[0].seq - 1, entries[0].prev_hash)
                if book.after(before) is None:
                    self._fill(book)
                written = {entry.hash for entry in book.after(before) or ()}
                book.append([entry for entry in entries if entry.hash not in written], branch=branch)

    def beyond(self, head: Head) -> list[Entry] | None:
        after = self.after(head)
        return None if after is None else longest_chain(after, head.hash)

    def after(self, head: Head) -> list[Entry] | None:
        found = [after for book in self._books if (after := book.after(head)) is not None]
        return list({entry.hash: entry for entry in chain.from_iterable(found)}.values()) if found else None

    def read(self) -> Iterator[Entry]:
        seen: set[bytes] = set()
        for entry in chain.from_iterable(book.read() for book in self._books):
            if entry.hash not in seen:
                seen.add(entry.hash)
                yield entry

    def on_one_disk(self) -> bool:
        """Return whether both are files of one disk, which may be restored as a whole."""
        disks = [book.disk() for book in self._both if isinstance(book, LedgerFile)]
        return len(disks) == 2 and disks[0] is not None and disks[0] == disks[1]  # noqa: PLR2004 # of both

    def complete(self) -> None:
        """Let each have what the other has of the chain."""
        for book in self._books:
            self._fill(book)

    def _fill(self, book: Book) -> None:
        """Append what only the other has: branches, then the chain from the first entry on that is missing."""
        written, read = {entry.hash for entry in book.read()}, list(self.read())
        whole = longest_chain(read, START.hash)
        merging = [entry for entry in whole if entry.kind == "merged"]
        with contextlib.suppress(Tampered):  # both lack a part of a branch
            for branch in merged_branches({entry.hash for entry in whole}, merging, read):
                book.append([one for one in branch if one.hash not in written], branch=branch[-1].hash)
        book.append(list(dropwhile(lambda entry: entry.hash in written, whole)))
