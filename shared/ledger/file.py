"""The ledger's copy outside the database: one line per entry, only ever appended, forced to disk."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from shared.ledger.rules import GENESIS, Entry, NotAnEntry, canonical, from_document, to_document

NAME: Final = "ledger.jsonl"
_TAIL: Final = 64 * 1024
"""Bytes read from the end at first; four times as many until the wanted entry is among them."""


class LedgerUnavailable(Exception):
    """The file cannot be read or written; the call may be repeated."""

    code = "ledger_unavailable"


class LedgerFile:
    """A file that several processes may append to while they hold the ledger's lock.

    A process that was stopped may append late, after others went on: its lines continue nothing, and nobody follows
    them. A line cut short by a crash is passed over. Every method raises `LedgerUnavailable` where the disk fails.

    Args:
        directory: where the file is, made when the first entry is written.
        name: of the file, for copies.
    """

    def __init__(self, directory: Path, name: str = NAME) -> None:
        self.path = directory / name

    def is_there(self) -> bool:
        """Return whether there is a file that can be read."""
        try:
            self.path.open("rb").close()
        except OSError:
            return False
        return True

    def append(self, entries: Sequence[Entry]) -> None:
        """Write entries and wait until the disk has them."""
        lines = "".join(f"{canonical(to_document(entry))}\n" for entry in entries).encode()
        try:
            is_new = not self.path.exists()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "ab", opener=_private) as file:
                # In one write, on a line of its own: what a crash cut short before stays a line nobody can read.
                file.write(lines if self._ends_a_line() else b"\n" + lines)
                file.flush()
                os.fsync(file.fileno())
            if is_new:
                _sync_directory(self.path.parent)
        except OSError:
            raise LedgerUnavailable from None

    def beyond(self, head: bytes) -> list[Entry] | None:
        """Return the entries that continue the chain after the one with the hash `head`, in order.

        None when the file does not hold that entry: it was lost, or is not of this installation.
        """
        after = self.after(head)
        return None if after is None else _longest(after, head)

    def after(self, head: bytes) -> list[Entry] | None:
        """Return every entry that stands below the one with the hash `head`, whether the chain leads there or not."""
        lines = self._lines_after(head)
        return None if lines is None else list(_entries(lines))

    def chain(self) -> list[Entry]:
        """Return the whole chain from its first entry on; what continues nothing is left out.

        An entry that was changed or left out breaks it there: nothing continues from the one before.
        """
        return self.beyond(GENESIS) or []

    def read(self) -> Iterator[Entry]:
        """Yield every entry that can be read, in the order of the file."""
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


def _longest(entries: Sequence[Entry], head: bytes) -> list[Entry]:
    """Return the longest chain after `head`; of equals the one written first. A line written twice is one entry."""
    following: dict[bytes, dict[bytes, Entry]] = {}
    for entry in entries:
        following.setdefault(entry.prev_hash, {}).setdefault(entry.hash, entry)
    reached: dict[bytes, Entry] = {}
    last, level = head, [head]
    while level:
        last = level[0]
        new = [entry for one in level for entry in following.pop(one, {}).values() if entry.hash not in reached]
        reached |= {entry.hash: entry for entry in new}
        level = [entry.hash for entry in new]
    chain: list[Entry] = []
    while last != head:
        chain.append(reached[last])
        last = reached[last].prev_hash
    return chain[::-1]


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync_directory(directory: Path) -> None:
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
