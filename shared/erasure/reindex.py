"""Rebuild the vector and word index from PostgreSQL, person by person, without downtime (CN-08).

Each item gets a new key, which is announced, written and proven, and replaces the old key in one transaction. Then the
old key is erased and its absence proven. A concurrent forget wins, as with any derivation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias
from uuid import UUID

from shared.conversations.sql import search_terms, turns
from shared.erasure.rules.slices import EVERYTHING
from shared.erasure.sql import reconciling, reindexing
from shared.erasure.sql.reconciling import Part
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.ids import OperationId
from shared.kernel.locks import enter_fence, one_at_a_time
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import INSTALLATION
from shared.lineage.sql import vector_keys
from shared.outbox.job_kinds import REINDEX
from shared.outbox.sql import reaper, steps
from shared.outbox.sql.leasing import Lease

TYPE: Final = "cleanup_reindex"
STORES: Final = ("milvus", "mem0")
PEOPLE_AT_ONCE: Final = 200

FoundBy: TypeAlias = Mapping[UUID, Sequence[int]]
"""Digests of words (`shared.language.terms`) by message or memory id."""


def queue_reindex(tx: Transaction, user_id: str | None = None) -> OperationId:
    """Queue a rebuild of the index for everybody, or for one person; return the unfinished one if there is one.

    Raises:
        NotFound: nothing was ever stored for this person.
    """
    if user_id is None:
        one_at_a_time(tx, TYPE, patient=True)
        if under_way := reconciling.unfinished_slices(tx, TYPE).get(EVERYTHING):
            reaper.retry_operation(tx, under_way)
            steps.reopen_failed(tx, under_way)
            return under_way
        operation_id = OperationId(new_id())
        part = Part(kind=REINDEX, payload={})
        reconciling.add(tx, INSTALLATION, operation_id, type_=TYPE, parts={"postgres": part})
        return operation_id
    subject = subjects.find(tx, user_id)
    if subject is None:
        raise NotFound("person")
    return _queue(tx, subject.id)


def queue_people(tx: Transaction, lease: Lease, after: UUID | None) -> list[UUID]:
    """Queue the next page of people and return them; an empty list means everybody is queued."""
    one_at_a_time(tx, TYPE, patient=True)
    people = reindexing.people(tx, after=after, limit=PEOPLE_AT_ONCE)
    under_way = reconciling.being_cleaned(tx, TYPE, STORES[0], people)
    for person in people:
        if person not in under_way:
            _queue(tx, person, found_by=lease.operation_id)
    return people


def confirm_replaced(
    tx: Transaction, lease: Lease, replaced: Mapping[UUID, UUID], messages: FoundBy, memories: FoundBy
) -> list[UUID]:
    """Replace old keys by written keys, and update the word index; return the old keys to erase now.

    Keys of items forgotten meanwhile are left out: that forget knows both keys and erases them.

    Args:
        replaced: old key → written key.
        messages: word digests of the messages of these episodes.
        memories: word digests of these memories.

    Raises:
        IntentsLost: a key was given up meanwhile.
    """
    enter_fence(tx, lease.subject_id)
    standing = vector_keys.visible(tx, list(replaced))
    vector_keys.confirm(tx, [replaced[old] for old in standing])
    vector_keys.replace(tx, list(standing))
    vector_keys.end_intents(tx, [key for old, key in replaced.items() if old not in standing])
    for kind, item_id in standing.values():
        if kind == "episode":
            _find_episode_by(tx, lease.subject_id, item_id, messages)
        elif item_id in memories:
            search_terms.forget_memories(tx, lease.subject_id, [item_id])
            search_terms.of_memories(tx, lease.subject_id, {item_id: memories[item_id]})
    return list(standing)


def _queue(tx: Transaction, subject_id: UUID, *, found_by: UUID | None = None) -> OperationId:
    operation_id = OperationId(new_id())
    parts = {store: Part(kind=REINDEX, payload={"store": store}) for store in STORES}
    reconciling.add(tx, subject_id, operation_id, type_=TYPE, parts=parts, found_by=found_by)
    return operation_id


def _find_episode_by(tx: Transaction, subject_id: UUID, episode_id: UUID, found_by: FoundBy) -> None:
    turn = turns.sources(tx, reconciling.messages_of_episode(tx, episode_id))
    if turn is not None:
        indexed = [message.id for message in turn.messages if message.id in found_by]
        search_terms.forget_messages(tx, subject_id, indexed)
        search_terms.of_messages(tx, subject_id, turn.messages, found_by)
