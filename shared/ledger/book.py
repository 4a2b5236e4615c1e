"""The ledger outside the database: what a restored backup is compared with (P4, X-03)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Protocol

from shared.ledger.rules import Entry, Head


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
