"""What the stores outside PostgreSQL promise. They hold copies; PostgreSQL decides what may be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias
from uuid import UUID

CollectionLock: TypeAlias = Callable[[str], AbstractContextManager[None]]
"""Given a collection's name, holds the right to change it (see `shared.kernel.locks`)."""

VisibleKeys: TypeAlias = Callable[[Sequence[UUID]], set[UUID]]
"""Given store keys, the ones whose item may be read now; PostgreSQL answers."""


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
    """A store's answer: a hint that must still be joined with visible rows. `item` is whose key it is, if it says."""

    key: UUID
    score: float
    item: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureTarget:
    """What must be gone from a store.

    `keys` are the announced store keys of items, `entity_keys` those of mem0's entities; `entities` tells whether any
    of these were ever announced in the namespace. The other members say where a copy that was never announced could
    hide: `whole_namespace` for a person, `conversation_ids`, or `within_conversations` what was made of `message_ids`.
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
    """How many copies a strongly consistent read still found, by the part of the store."""

    found: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        return sum(self.found.values())


class ErasableStore(Protocol):
    """A store that can forget, and can be asked whether it did. Answers are in the order of the targets."""

    name: str

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        """Remove every copy of the targets; safe to repeat. Return how many keys were asked to go.

        Without `search` what only reading finds may stay: copies nobody announced, links to what went. It saves a
        read that usually finds nothing, for callers who ask for the residue next and then know better.
        """

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        """Count what is left at strong consistency: by key and, with `search`, by namespace or source.

        A search looks at every row of everybody, a read by key at the keys only: one search, the last, proves it all.
        """


class StoreUnavailable(Exception):
    """The store did not answer in time or refused the connection; the call may be repeated."""

    def __init__(self, store: str) -> None:
        super().__init__(f"{store} is unavailable")
        self.store = store


class WriteTooLate(StoreUnavailable):
    """The write's intent ran out before the store was asked, which says nothing about the store's health."""


class StoreFailed(Exception):
    """The store's library failed unexpectedly; the call may be repeated. Carries the failure's type, never its text."""

    def __init__(self, store: str, type_name: str) -> None:
        super().__init__(f"{store} failed with {type_name}")
        self.store = store
        self.type_name = type_name


class StoreMisconfigured(Exception):
    """The store rejects us for good: authentication, schema or dimension. Repeating cannot help."""

    def __init__(self, store: str, reason: str) -> None:
        super().__init__(f"{store}: {reason}")
        self.store = store


class FenceLost(Exception):
    """The sources of a write vanished before it was announced; nothing may be written."""
