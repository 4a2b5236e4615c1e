"""Interface of the stores outside PostgreSQL. They contain copies; PostgreSQL decides what may be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias
from uuid import UUID

CollectionLock: TypeAlias = Callable[[str], AbstractContextManager[None]]
"""Holds the lock for changing the collection with this name (see `shared.kernel.locks`)."""

VisibleKeys: TypeAlias = Callable[[Sequence[UUID]], set[UUID]]
"""Returns those of the given store keys whose item may be read now, from PostgreSQL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeVector:
    """One vector of one episode: ids and numbers, never text (MC-04)."""

    key: UUID
    namespace: UUID
    conversation_id: UUID
    episode_id: UUID
    message_ids: tuple[UUID, ...]
    vector: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A search result: a hint that must still be joined with visible rows. `item` is the item's id, if the store knows
    it.
    """

    key: UUID
    score: float
    item: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureTarget:
    """What must be gone from a store.

    `keys` are the announced store keys of items, `entity_keys` those of mem0's entities; `entities` says whether any
    entity was ever announced in the namespace. The other fields say where unannounced copies could be: the
    `whole_namespace`, all of `conversation_ids`, or rows made from `message_ids` inside `within_conversations`.
    """

    namespace: UUID
    keys: tuple[UUID, ...] = ()
    entity_keys: tuple[UUID, ...] = ()
    entities: bool = True
    conversation_ids: tuple[UUID, ...] = ()
    within_conversations: tuple[UUID, ...] = ()
    message_ids: tuple[UUID, ...] = ()
    whole_namespace: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Residue:
    """Number of copies a strongly consistent read still found, by part of the store."""

    found: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.found.values())


class ErasableStore(Protocol):
    """A store that can erase, and verify that it did. Results are in the order of the targets."""

    name: str

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        """Remove every copy of the targets; safe to repeat. Return the number of keys requested for deletion.

        Without `search`, copies that only a read can find may remain: unannounced copies, and links to erased rows.
        This saves a read that usually finds nothing, for callers that check the residue next.
        """

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        """Count remaining copies at strong consistency: by key and, with `search`, by namespace or source.

        A search reads all people's rows, a read by key only the keys; one final search proves the whole erasure.
        """


class StoreUnavailable(Exception):
    """The store did not answer in time or refused the connection; the call may be retried."""

    def __init__(self, store: str) -> None:
        super().__init__(f"{store} is unavailable")
        self.store = store


class WriteTooLate(StoreUnavailable):
    """The write's intent expired before the store was called; this says nothing about the store's health."""


class StoreFailed(Exception):
    """The store's library failed unexpectedly; the call may be retried. Contains the error's type, never its
    message.
    """

    def __init__(self, store: str, type_name: str) -> None:
        super().__init__(f"{store} failed with {type_name}")
        self.store = store
        self.type_name = type_name


class StoreMisconfigured(Exception):
    """The store rejects us permanently: authentication, schema or dimension. A retry cannot help."""

    def __init__(self, store: str, reason: str) -> None:
        super().__init__(f"{store}: {reason}")
        self.store = store


class FenceLost(Exception):
    """The sources of a write were erased before it was announced; nothing may be written."""
