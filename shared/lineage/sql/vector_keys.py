"""Keys announced to external stores: every key is recorded here before it is written there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from uuid import UUID

from sqlalchemy import Column, Label, case, exists

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.lineage.sql.tables import visible_vectors

FoundBy: TypeAlias = Literal["meaning", "words"]

START_WITHIN_SECONDS = 10.0
"""A store call that has not started within this time must not start."""

WRITE_SECONDS = 24.0
"""The deadline of an intent: time to start, one store call, and a margin. A paused process may write later still, but
that is never returned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A key that is about to be written to a store."""

    pk: UUID
    item_kind: str
    item_id: UUID
    conversation_id: UUID | None = None
    first_seq: int | None = None


def announce(tx: Transaction, subject: Subject, store: str, intents: Sequence[Intent], *, step_id: int) -> None:
    """Record intents; commit them before calling the store."""
    tx.run(
        """
        insert into vector_refs (pk, store, subject_id, namespace, item_kind, item_id, conversation_id, first_seq,
                                 step_id, state, deadline)
        select pk, :store, :subject, :namespace, item_kind, item_id, conversation_id, first_seq, :step, 'intended',
               clock_timestamp() + make_interval(secs => :seconds)
        from jsonb_to_recordset(:intents) as i(pk uuid, item_kind text, item_id uuid, conversation_id uuid,
                                               first_seq bigint)
        """,
        store=store,
        subject=subject.id,
        namespace=subject.namespace,
        step=step_id,
        seconds=WRITE_SECONDS,
        intents=json.dumps([_wire(intent) for intent in intents]),
    )


def keys_of_memories(tx: Transaction, memory_ids: Sequence[UUID]) -> list[UUID]:
    """Return the keys of the vectors of visible memories."""
    rows = tx.rows(
        "select pk from visible_vectors where item_kind = 'memory' and item_id = any(:ids)", ids=list(memory_ids)
    )
    return [row["pk"] for row in rows]


class IntentsLost(Exception):
    """An intent was given up as abandoned before its write was confirmed; the write must be repeated."""

    code = "write_given_up"
    seconds = 0.0


def confirm(tx: Transaction, pks: Sequence[UUID]) -> None:
    """Mark intents as written.

    Raises:
        IntentsLost: some were given up in the meantime; the transaction must not commit.
    """
    confirmed = tx.run(
        "update vector_refs set state = 'written' where pk = any(:pks) and state = 'intended'", pks=list(pks)
    )
    if confirmed != len(set(pks)):
        raise IntentsLost


def give_up(tx: Transaction, pks: Sequence[UUID]) -> list[UUID]:
    """Give up abandoned intents; return the keys that may be deleted from their store."""
    rows = tx.rows(
        """
        update vector_refs set state = 'erased' where pk = any(:pks) and state in ('intended', 'erased') returning pk
        """,
        pks=list(pks),
    )
    return [row["pk"] for row in rows]


def end_intents(tx: Transaction, pks: Sequence[UUID]) -> None:
    """End the deadline of intents whose items were not created: no further write will arrive under these keys."""
    tx.run("update vector_refs set deadline = now() where pk = any(:pks) and state = 'intended'", pks=list(pks))


def prolong(tx: Transaction, pks: Sequence[UUID]) -> bool:
    """Extend the deadlines of writes that take long; False if a key was given up."""
    prolonged = tx.run(
        """
        update vector_refs set deadline = clock_timestamp() + make_interval(secs => :seconds)
        where pk = any(:pks) and state = 'intended'
        """,
        pks=list(pks),
        seconds=WRITE_SECONDS,
    )
    return prolonged == len(set(pks))


def found_by(item_kind: str, item_id: Column[UUID]) -> Label[str]:
    """Return the column of how an item is found: "meaning" if it has a vector, "words" otherwise."""
    has_vector = exists().where(visible_vectors.c.item_kind == item_kind, visible_vectors.c.item_id == item_id)
    return case((has_vector, "meaning"), else_="words").label("found_by")


def is_written(tx: Transaction, item_kind: str, item_id: UUID) -> bool:
    """Return whether an item was written to a store, under any key."""
    found: bool = tx.value(
        """
        select exists (select from vector_refs where item_kind = :kind and item_id = :item and state = 'written')
        """,
        kind=item_kind,
        item=item_id,
    )
    return found


def visible(tx: Transaction, pks: Sequence[UUID]) -> dict[UUID, tuple[str, UUID]]:
    """Return the kind and id of the item for each of these keys whose item is visible."""
    rows = tx.rows("select pk, item_kind, item_id from visible_vectors where pk = any(:pks)", pks=list(pks))
    return {row["pk"]: (row["item_kind"], row["item_id"]) for row in rows}


def abandoned(
    tx: Transaction, *, older_seconds: float, limit: int, queued_as: str
) -> list[tuple[UUID, UUID, UUID, str]]:
    """Return intents long past their deadline that no forget will erase: (subject, namespace, key, store).

    Args:
        queued_as: the kind of the outbox rows that remove them; those that have one are left out.
    """
    rows = tx.rows(
        """
        select v.subject_id, v.namespace, v.pk, v.store from vector_refs v
        where v.state = 'intended' and v.item_kind <> 'entity'
          and v.deadline < now() - make_interval(secs => :older)
          and not exists (select from hides h where h.kind = v.item_kind and h.item_id = v.item_id)
          -- Those that a store refuses would hide all others.
          and not exists (select from outbox o
            where o.kind = :discards and o.dedupe_key = cast(v.pk as text) and o.state in ('ready', 'failed'))
        order by v.deadline limit :limit
        """,
        older=older_seconds,
        limit=limit,
        discards=queued_as,
    )
    return [(row["subject_id"], row["namespace"], row["pk"], row["store"]) for row in rows]


def replace(tx: Transaction, pks: Sequence[UUID]) -> None:
    """Stop serving written keys that newer keys replaced; delete them once their absence is verified."""
    tx.run("update vector_refs set state = 'erased' where pk = any(:pks) and state = 'written'", pks=list(pks))


def delete(tx: Transaction, pks: Sequence[UUID]) -> None:
    """Delete keys whose absence from their store was verified."""
    tx.run("delete from vector_refs where pk = any(:pks)", pks=list(pks))


def _wire(intent: Intent) -> dict[str, object]:
    return {
        "pk": str(intent.pk),
        "item_kind": intent.item_kind,
        "item_id": str(intent.item_id),
        "conversation_id": str(intent.conversation_id) if intent.conversation_id else None,
        "first_seq": intent.first_seq,
    }
