"""A package as it is read: what it says of itself, its records, and whether they hold together (X-09)."""

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
    """A record and where it stands.

    Summaries, episodes and erased messages do not name their conversation: the folder they are in does.
    """

    record: Record
    conversation_id: UUID | None
    path: str
    line: int


class Package(ABC):
    """A package that was opened. Its file must stay open; one reader at a time.

    `records` and `entries` may be asked again and again; each reads the file anew. What they raise (`PackageRefused`)
    they raise while they are iterated; after `check` succeeded on the same bytes they raise nothing.
    """

    source: Source
    format: PackageFormat
    schema_version: int | None = None
    """Of our own packages."""
    content: Content | None = None
    """Of our own packages: what the manifest says is in it."""

    @abstractmethod
    def entries(self, kind: str) -> Iterator[Entry]:
        """Yield the records of a kind (see `shared.portability.packages.records.KINDS`) in the order of their files."""

    @abstractmethod
    def check(self) -> Counter[str]:
        """Read everything once, in bounded memory, and return how many records of each kind there are.

        Raises:
            PackageRefused: something is missing, damaged, not as its schema says, or refers to what is not there.
        """

    def records(self, kind: str) -> Iterator[Record]:
        """Yield the records of a kind without their places."""
        return (entry.record for entry in self.entries(kind))
