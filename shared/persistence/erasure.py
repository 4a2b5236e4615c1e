"""What forgetting does to every table, and the proof that nothing is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from shared.domain.ids import Namespace
from shared.persistence.database import Transaction
from shared.persistence.operations import Target

BATCH: Final = 5_000
"""Rows one statement deletes, so that no transaction outlives its time limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """How the rows of one kind of item go.

    `contents` names the content table and its key. `in_conversation` says which rows belong to the
    cleared part of a conversation; kinds without it go by their hides alone. `leaves` is what is
    kept of an erased row while its conversation lives.
    """

    kind: str
    name: str
    contents: tuple[str, str] | None = None
    in_conversation: str | None = None
    leaves: str | None = None


TABLES: Final = (
    Table(kind="feedback", name="feedback", contents=("feedback_contents", "feedback_id"), in_conversation="at_seq"),
    Table(
        kind="summary", name="summaries", contents=("summary_contents", "summary_id"), in_conversation="covered_from"
    ),
    Table(kind="episode", name="episodes", in_conversation="first_seq"),
    Table(kind="memory", name="memories", contents=("memory_contents", "memory_id")),
    Table(
        kind="message",
        name="messages",
        contents=("message_contents", "message_id"),
        in_conversation="seq",
        leaves="""
          insert into erased_messages (id, subject_id, generation, conversation_id, seq, turn, client_key)
          select id, subject_id, generation, conversation_id, seq, turn, client_key from doomed on conflict do nothing
        """,
    ),
)


PERSONAL: Final = {
    "erased_messages": "true",
    "debug_records": "true",
    "idempotency_keys": "true",
    "conversations": "true",
    "events": "stream not like 'operation:%' and stream not like 'settings:%'",
}
"""What else goes with a whole generation of a person, and which of its rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doomed:
    """What must be gone from one store outside PostgreSQL."""

    namespace: Namespace
    keys: tuple[UUID, ...]
    conversation_ids: tuple[UUID, ...]
    message_ids: tuple[UUID, ...]
    whole_namespace: bool


def erase_batch(tx: Transaction, target: Target) -> int:
    """Delete up to `BATCH` rows per table; returns how many went. Repeat until it returns 0."""
    gone = 0
    for table in TABLES:
        for condition, values in _conditions(table, target):
            gone += _delete(tx, table, condition, values, keep_tombstone=target.scope not in ("conversation", "user"))
    return gone


def finish(tx: Transaction, target: Target) -> None:
    """Delete what is not an item: titles, traces, tombstones, streams of a forgotten generation."""
    tx.run(
        """
        delete from unlearnable_spans u where subject_id = :subject
          and not exists (select from messages m where m.id = u.message_id)
        """,
        subject=target.subject_id,
    )
    if target.scope == "user":
        values = {"subject": target.subject_id, "generation": target.generation}
        tx.run(
            """
            delete from conversation_contents where conversation_id in (
              select id from conversations where subject_id = :subject and generation <= :generation)
            """,
            **values,
        )
        for table, condition in PERSONAL.items():
            tx.run(
                f"delete from {table} where subject_id = :subject and generation <= :generation and {condition}",  # noqa: S608
                **values,
            )
        return
    if target.scope in ("conversation", "clear"):
        values = {"conversation": target.conversation_id, "through": target.through}
        tx.run(
            "delete from conversation_contents where conversation_id = :conversation and at_seq <= :through", **values
        )
        tx.run("delete from debug_records where conversation_id = :conversation", conversation=target.conversation_id)
    if target.scope == "conversation":
        conversation = {"conversation": target.conversation_id}
        tx.run("delete from conversation_contents where conversation_id = :conversation", **conversation)
        tx.run("delete from erased_messages where conversation_id = :conversation", **conversation)
        tx.run(
            """
            update conversations set erased_at = coalesce(erased_at, now()), project_id = null
            where id = :conversation
            """,
            **conversation,
        )


def residue(tx: Transaction, target: Target) -> dict[str, int]:
    """Count what is left in PostgreSQL, by table; an empty dict is the proof that nothing is.

    Content cannot be left without its item: the tables reference each other.
    """
    found: dict[str, int] = {}
    for table in TABLES:
        for condition, values in _conditions(table, target):
            count = tx.value(f"select count(*) from {table.name} where {condition}", **values)  # noqa: S608
            if count:
                found[table.name] = found.get(table.name, 0) + count
    if target.scope == "user":
        values = {"subject": target.subject_id, "generation": target.generation}
        for name, condition in PERSONAL.items():
            whose = "subject_id = :subject and generation <= :generation"
            count = tx.value(f"select count(*) from {name} where {whose} and {condition}", **values)  # noqa: S608
            if count:
                found[name] = count
    if target.scope in ("conversation", "clear"):
        titles = tx.value(
            "select count(*) from conversation_contents where conversation_id = :conversation and at_seq <= :through",
            conversation=target.conversation_id,
            through=target.through,
        )
        if titles:
            found["conversation_contents"] = titles
    return found


KEYS_OF_TARGET: Final = """
  select v.pk from vector_refs v where :everything and v.namespace = :namespace
  union select v.pk from hides h join vector_refs v on h.kind = v.item_kind and h.item_id = v.item_id
    where h.op_id = :operation
  union select v.pk from vector_refs v where v.conversation_id = :conversation and v.first_seq <= :through
"""
"""The announced keys of a target: of its namespace, of what it hid, or of what lived in its conversation."""


def doomed(tx: Transaction, target: Target, store: str) -> Doomed:
    """Return what must be gone from a store: announced keys, and where an unannounced copy could hide.

    Complete because an intent is committed before its write, and the target before this is read.
    """
    rows = tx.rows(
        f"select pk from vector_refs where store = :store and pk in ({KEYS_OF_TARGET})",  # noqa: S608
        store=store,
        **_target_values(target),
    )
    return Doomed(
        namespace=target.namespace,
        keys=tuple(row["pk"] for row in rows),
        conversation_ids=(target.conversation_id,) if target.scope == "conversation" and target.conversation_id else (),
        message_ids=tuple(_message_ids(tx, target)),
        whole_namespace=target.scope == "user",
    )


def unfinished_writes(tx: Transaction, target: Target) -> float:
    """Return for how many seconds an announced write of the target may still arrive; 0 when none can.

    Entity rows belong to a namespace, not to one memory: any of them may carry the target's wording.
    """
    seconds = tx.value(
        f"""
        select extract(epoch from max(deadline) - clock_timestamp())::float8 from vector_refs
        where state = 'intended' and deadline > clock_timestamp()
          and (pk in ({KEYS_OF_TARGET}) or (item_kind = 'entity' and namespace = :namespace))
        """,  # noqa: S608
        **_target_values(target),
    )
    return max(0.0, seconds or 0.0)


def forget_keys(tx: Transaction, target: Target) -> None:
    """Drop the announced keys of the target once their absence was proven, and every edge of what they were."""
    if target.scope == "user":
        tx.run(
            "delete from lineage where subject_id = :subject and generation <= :generation",
            subject=target.subject_id,
            generation=target.generation,
        )
    tx.run(f"delete from vector_refs where pk in ({KEYS_OF_TARGET})", **_target_values(target))  # noqa: S608


def _target_values(target: Target) -> dict[str, Any]:
    inside = target.scope in ("conversation", "clear")
    return {
        "everything": target.scope == "user",
        "namespace": target.namespace,
        "operation": target.operation_id,
        "conversation": target.conversation_id if inside else None,
        "through": target.through if inside else None,
    }


def _message_ids(tx: Transaction, target: Target) -> list[UUID]:
    if target.scope in ("message", "selection"):
        rows = tx.rows(
            "select item_id as id from hides where op_id = :operation and kind = 'message'",
            operation=target.operation_id,
        )
    elif target.scope == "clear":
        rows = tx.rows(
            """
            select id from messages where conversation_id = :conversation and seq > :after and seq <= :through
            union all
            select id from erased_messages where conversation_id = :conversation and seq > :after and seq <= :through
            """,
            conversation=target.conversation_id,
            after=target.after,
            through=target.through,
        )
    else:
        rows = []
    return [row["id"] for row in rows]


def _conditions(table: Table, target: Target) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield which rows of a table belong to the target."""
    if target.scope == "user":
        yield (
            "subject_id = :subject and generation <= :generation",
            {"subject": target.subject_id, "generation": target.generation},
        )
        return
    yield (
        "id in (select item_id from hides where op_id = :operation and kind = :kind)",
        {"operation": target.operation_id, "kind": table.kind},
    )
    if target.scope in ("conversation", "clear") and table.in_conversation:
        yield (
            f"conversation_id = :conversation and {table.in_conversation} <= :through",
            {"conversation": target.conversation_id, "through": target.through},
        )


def _delete(tx: Transaction, table: Table, condition: str, values: dict[str, Any], *, keep_tombstone: bool) -> int:
    parts = [f"doomed as (select * from {table.name} where {condition} limit {BATCH})"]  # noqa: S608
    if table.leaves and keep_tombstone:
        parts.append(f"kept as ({table.leaves})")
    if table.in_conversation:
        edges = "delete from lineage l using doomed where l.derived_kind = :table_kind and l.derived_id = doomed.id"
        parts.append(f"unlinked as ({edges})")
        values = {**values, "table_kind": table.kind}
    if table.contents:
        contents, key = table.contents
        parts.append(f"emptied as (delete from {contents} c using doomed where c.{key} = doomed.id)")  # noqa: S608
    parts.append(f"gone as (delete from {table.name} t using doomed where t.id = doomed.id returning t.id)")  # noqa: S608
    count: int = tx.value(f"with {', '.join(parts)} select count(*) from gone", **values)  # noqa: S608
    return count
