"""An opened package: its metadata and records, and a check of its consistency (X-09)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple, TypeAlias
from uuid import UUID

from shared.kernel.records import Record
from shared.portability.packages.manifest import Content

Source: TypeAlias = Literal["memory-center", "mem0", "chatgpt", "claude"]
PackageFormat: TypeAlias = Literal["zip", "json"]

OURS: Final = "memory-center"


class Entry(NamedTuple):
    """A record and its position.

    Summaries, episodes and erased messages do not name their conversation; their folder does.
    """

    record: Record
    conversation_id: UUID | None
    path: str
    line: int


class Package(ABC):
    """An opened package. Its file must stay open; one reader at a time.

    `records` and `entries` may be called repeatedly; each call reads the file again. They raise `PackageRefused` during
    iteration, but never after `check` succeeded on the same bytes.
    """

    source: Source
    format: PackageFormat
    schema_version: int | None = None
    """Only for our own packages."""
    content: Content | None = None
    """Only for our own packages: the content listed in the manifest."""

    @abstractmethod
    def entries(self, kind: str) -> Iterator[Entry]:
        """Yield the records of a kind (see `shared.portability.packages.records.KINDS`) in the order of their files."""

    @abstractmethod
    def check(self) -> Counter[str]:
        """Read everything once, in bounded memory, and return the number of records by kind.

        Raises:
            PackageRefused: something is missing, damaged, against its schema, or refers to a missing record.
        """

    def records(self, kind: str) -> Iterator[Record]:
        """Yield the records of a kind without their positions."""
        return (entry.record for entry in self.entries(kind))
