"""The ledger in a bucket that all hosts write: one object per entry, each created once and never replaced."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, Protocol

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

_CHAIN: Final = "chain/"
_BRANCHES: Final = "branches/"
_PROBE: Final = "conditional-writes"
ENTRY_MAX: Final = 32 * 1024 * 1024
"""Bytes read of an object; the entry of a forget of a million items has 11 million."""


READ_AT_ONCE: Final = 8
"""Requests: each waits for the bucket much longer than it takes a processor."""
PAGE: Final = 64
KEPT: Final = 1_000
"""Entries that are not read again: whoever catches up looks twice, and objects are never replaced."""


class Objects(Protocol):
    """The calls of a bucket that the ledger needs; every method raises an OSError if the bucket is away."""

    def create(self, name: str, data: bytes) -> bool:
        """Create an object; return False if there is one of that name already."""

    def whole(self, name: str, most: int) -> bytes:
        """Return an object; if it has more than `most` bytes, one more than those."""

    def names(self, prefix: str, *, after: str = "", limit: int | None = None) -> list[str]:
        """Return the names of objects under a prefix in order, those behind `after` only."""

    def keeps_days(self) -> int | None:
        """Return for how many days a lock keeps a new object from deletion; None without a lock."""


class LedgerObjects:
    """The chain as objects `chain/<seq>`: of two writers, the bucket lets one create the next number.

    Safe to share between threads and hosts. Every method raises `LedgerUnavailable` if the bucket is away or refuses.

    Args:
        bucket: reserved for the ledger of one installation; its objects should be kept from deletion by a lock.
        where: the place, for operators.
    """

    at_once: int = 10
    look_seconds: float = 5.0
    examine_seconds: float | None = None

    def __init__(self, bucket: Objects, where: str) -> None:
        self._bucket = bucket
        self.where = where
        self._newest = ""
        self._verified = START
        self._lately_read: dict[str, Entry] = {}
        self._refuses_twins = False

    def is_there(self) -> bool:
        """Return whether there is an entry."""
        with _translated():
            return bool(self._bucket.names(_CHAIN, limit=1))

    def version(self) -> str:
        """Return the name of the newest object; costs one list request for what is newer than the last time."""
        with _translated():
            newer = self._bucket.names(_CHAIN, after=self._newest)
        if newer:
            self._newest = max(self._newest, newer[-1])
        return self._newest

    def append(self, entries: Sequence[Entry], *, branch: bytes = b"") -> None:
        """Create an object per entry, in order, so that there is never a gap."""
        with _translated():
            self._require_conditional_writes()
            for entry in entries:
                data = canonical(to_document(entry)).encode()
                name = _name(entry.seq, branch)
                # A repeated request, whose first answer was lost, finds its own object there.
                if not self._bucket.create(name, data) and self._bucket.whole(name, len(data)) != data:
                    raise LedgerUnavailable

    def keeps_days(self) -> int | None:
        """Return for how many days a lock keeps entries from deletion; None without a lock."""
        with _translated():
            return self._bucket.keeps_days()

    def beyond(self, head: Head) -> list[Entry] | None:
        after = self.after(head)
        return None if after is None else longest_chain(after, head.hash)

    def after(self, head: Head) -> list[Entry] | None:
        with _translated():
            if head.hash != GENESIS and head != self._verified:
                if self._entry_hash(_name(head.seq)) != head.hash:
                    return None
                self._verified = head
            names = self._bucket.names(_CHAIN, after=_name(head.seq) if head.seq else "")
            known = self._lately_read
            known = {**known, **dict(self._read_all([name for name in names if name not in known]))}
            self._lately_read = dict(list(known.items())[-KEPT:])
            return [known[name] for name in names if name in known]

    def read(self) -> Iterator[Entry]:
        with _translated():
            for folder in (_CHAIN, _BRANCHES):
                yield from (entry for _, entry in self._read_all(self._bucket.names(folder)))

    def _read_all(self, names: Sequence[str]) -> Iterator[tuple[str, Entry]]:
        """Yield the entries of these objects in order, with their names; what is no entry is left out."""
        with ThreadPoolExecutor(READ_AT_ONCE) as readers:
            for start in range(0, len(names), PAGE):
                page = names[start : start + PAGE]
                for name, entry in zip(page, readers.map(self._entry, page), strict=True):
                    if entry is not None:
                        yield name, entry

    def _entry_hash(self, name: str) -> bytes | None:
        entry = self._entry(name)
        return None if entry is None else entry.hash

    def _entry(self, name: str) -> Entry | None:
        try:
            data = self._bucket.whole(name, ENTRY_MAX)
            return from_document(json.loads(data)) if len(data) <= ENTRY_MAX else None
        except (NotAnEntry, ValueError, FileNotFoundError):
            return None

    def _require_conditional_writes(self) -> None:
        """Refuse a server that ignores the condition: there, two writers would replace each other's entries."""
        if not self._refuses_twins:
            for _ in range(2):
                if not self._bucket.create(_PROBE, b"created once"):
                    self._refuses_twins = True
                    return
            raise LedgerUnavailable


def _name(seq: int, branch: bytes = b"") -> str:
    folder = f"{_BRANCHES}{branch.hex()}/" if branch else _CHAIN
    return f"{folder}{seq:020d}.json"


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except OSError:
        raise LedgerUnavailable from None
