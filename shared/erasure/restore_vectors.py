"""Rewrite lost copies: read, announce new keys, (write to the store,) let the new keys replace the lost ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.conversations.index_episode import EpisodePlan, announce_episode
from shared.conversations.sql import turns
from shared.erasure.sql import reconciling
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.ids import MemoryId
from shared.kernel.locks import enter_fence
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import vector_keys
from shared.memories.index import announce_copies
from shared.memories.sql import memories
from shared.outbox.sql.leasing import Lease


@dataclass(frozen=True, slots=True, kw_only=True)
class LostEpisode:
    """An episode whose vector is lost, planned under a new key."""

    lost: UUID
    plan: EpisodePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class LostMemory:
    """A memory that mem0 no longer holds, with its text."""

    lost: UUID
    lease: Lease
    subject: Subject
    memory_id: MemoryId
    text: str


def lost_episodes(tx: Transaction, lease: Lease, keys: Sequence[UUID], *, terms: Terms) -> list[LostEpisode]:
    """Return the episodes to embed for these keys, without those forgotten by now."""
    subject = _enter(tx, lease.subject_id)
    found = []
    for lost, (_, episode_id) in sorted(vector_keys.visible(tx, keys).items()):
        if turn := turns.sources(tx, reconciling.messages_of_episode(tx, episode_id)):
            plan = EpisodePlan(
                lease=lease, subject=subject, episode_id=episode_id, key=new_id(), turn=turn, terms=terms
            )
            found.append(LostEpisode(lost=lost, plan=plan))
    return found


def lost_memories(tx: Transaction, lease: Lease, keys: Sequence[UUID]) -> list[LostMemory]:
    """Return the memories to write for these keys, without those forgotten by now."""
    subject = _enter(tx, lease.subject_id)
    found = []
    for lost, (_, memory_id) in sorted(vector_keys.visible(tx, keys).items()):
        if memory := memories.read(tx, subject.id, memory_id):
            found.append(
                LostMemory(lost=lost, lease=lease, subject=subject, memory_id=memory.id, text=memory.text),
            )
    return found


def announce_lost_episode(tx: Transaction, episode: LostEpisode) -> bool:
    """Announce a new key for the same episode; False if the episode is gone and nothing may be written."""
    return _stands(tx, episode.plan.subject, episode.lost) and announce_episode(tx, episode.plan)


def announce_lost_memory(tx: Transaction, memory: LostMemory, keys: Sequence[UUID], kind: str) -> bool:
    """Announce the keys mem0 is about to write; False if the memory is gone and nothing may be written.

    Args:
        kind: "memory", or "entity" for mem0's rows of the names in it.
    """
    if not _stands(tx, memory.subject, memory.lost):
        return False
    announce_copies(tx, memory.subject, memory.memory_id, keys, kind, step_id=memory.lease.id)
    return True


def confirm_restored(tx: Transaction, lease: Lease, restored: Mapping[UUID, UUID]) -> int:
    """Replace lost keys, whose absence was proven, by the written ones; return how many were replaced.

    Keys of items forgotten meanwhile are left out: that forget knows them and erases them.

    Args:
        restored: lost key → written key.

    Raises:
        IntentsLost: a key was given up meanwhile.
    """
    _enter(tx, lease.subject_id)
    standing = vector_keys.visible(tx, list(restored))
    vector_keys.confirm(tx, [restored[lost] for lost in standing])
    vector_keys.delete(tx, list(standing))
    vector_keys.end_intents(tx, [key for lost, key in restored.items() if lost not in standing])
    return len(standing)


def _enter(tx: Transaction, subject_id: UUID) -> Subject:
    enter_fence(tx, subject_id)
    subject = subjects.read(tx, subject_id)
    assert subject is not None  # noqa: S101 # subjects are never deleted
    return subject


def _stands(tx: Transaction, subject: Subject, lost: UUID) -> bool:
    """Whether the item of a lost key is readable and its person's namespace is unchanged."""
    return _enter(tx, subject.id).namespace == subject.namespace and bool(vector_keys.visible(tx, [lost]))
