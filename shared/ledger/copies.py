"""The ledger in two places, so that a disk restored as a whole is noticed: what one lacks the other has."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain

from shared.ledger.book import Book
from shared.ledger.rules import START, Entry, Head, longest_chain


class LedgerCopies:
    """A book and its copy elsewhere. Nothing is recorded unless both have it; both are read.

    Every method raises `LedgerUnavailable` if one of them is away: then a restored backup would not be noticed.

    Args:
        book: written first.
        copy: on another disk.
    """

    def __init__(self, book: Book, copy: Book) -> None:
        self._books = (book, copy)
        self.where = f"{book.where} and {copy.where}"
        self.at_once = min(book.at_once, copy.at_once)
        self.look_seconds = min(book.look_seconds, copy.look_seconds)
        self.examine_seconds = book.examine_seconds

    def is_there(self) -> bool:
        there = [book.is_there() for book in self._books]  # both are asked: one that is away must say so
        return any(there)

    def version(self) -> Hashable:
        return tuple(book.version() for book in self._books)

    def append(self, entries: Sequence[Entry], *, branch: bytes = b"") -> None:
        """Append to each what it lacks of these entries, and of those before them: it may have been restored."""
        for book in self._books:
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

    def _fill(self, book: Book) -> None:
        written = {entry.hash for entry in book.read()}
        whole = longest_chain(list(self.read()), START.hash)
        book.append([entry for entry in whole if entry.hash not in written])
