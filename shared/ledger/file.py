"""The ledger file outside the database: one line per entry, append-only, synced to disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from shared.ledger.book import LedgerUnavailable
from shared.ledger.rules import (
    GENESIS,
    START,
    Entry,
    Head,
    NotAnEntry,
    canonical,
    from_document,
    longest_chain,
    to_document,
)

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
