"""What forgetting does to every table, and the proof that nothing is left."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from shared.domain.ids import Namespace
from shared.persistence.database import Row, Transaction
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
    "events": "stream not like 'operation:%' and (:closes or stream not like 'settings:%')",
}
"""What else goes with a whole generation of a person, and which of its rows; settings stay with the account."""


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
        tx.run(
            """
            delete from conversation_contents where conversation_id in (
              select id from conversations where subject_id = :subject and generation <= :generation)
            """,
            subject=target.subject_id,
            generation=target.generation,
        )
        for table, whose, values in _personal(target):
            tx.run(f"delete from {table} where {whose}", **values)  # noqa: S608
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
    for name, whose, values in _everything(target):
        if count := tx.value(f"select count(*) from {name} where {whose}", **values):  # noqa: S608
            found[name] = found.get(name, 0) + count
    return found


KEYS_OF_TARGET: Final = """
  select v.pk from vector_refs v where :everything and v.namespace = :namespace
  union select v.pk from hides h join vector_refs v on h.kind = v.item_kind and h.item_id = v.item_id
    where h.op_id = :operation
  union select v.pk from vector_refs v where v.conversation_id = :conversation and v.first_seq <= :through
"""
"""The announced keys of a target: of its namespace, of what it hid, or of what lived in its conversation."""


def announced(tx: Transaction, target: Target) -> dict[str, dict[str, int]]:
    """Return how many keys of the target were announced to each store outside PostgreSQL."""
    rows = tx.rows(
        f"select store, count(*) as keys from vector_refs where pk in ({KEYS_OF_TARGET}) group by store",  # noqa: S608
        **_target_values(target),
    )
    return {row["store"]: {"keys": row["keys"]} for row in rows}


TARGETS: Final = """
  jsonb_to_recordset(cast(:targets as jsonb)) as t(place integer, scope text, everything boolean, namespace uuid,
    operation uuid, conversation uuid, "after" bigint, through bigint)
"""
REFS_OF_TARGETS: Final = f"""
  select t.place, refs.* from {TARGETS} cross join lateral (
    {KEYS_OF_TARGET.replace("v.pk", "v.pk, v.store, v.state, v.deadline").replace(":", "t.")}
  ) as refs
"""  # noqa: S608 # constants of this module
"""`KEYS_OF_TARGET` for many targets at once, by their places."""


def doomed(tx: Transaction, targets: Sequence[Target], store: str) -> list[Doomed]:
    """Return what must be gone from a store: announced keys, and where an unannounced copy could hide.

    Complete because an intent is committed before its write, and the target before this is read.
    """
    wanted = _as_rows(targets)
    keys = tx.rows(
        f"select place, pk as id from ({REFS_OF_TARGETS}) as r where store = :store",  # noqa: S608
        targets=wanted,
        store=store,
    )
    messages = tx.rows(
        f"""
        select t.place, m.id from {TARGETS} cross join lateral (
          select item_id as id from hides
            where t.scope in ('message', 'selection') and op_id = t.operation and kind = 'message'
          union all select id from messages
            where t.scope = 'clear' and conversation_id = t.conversation and seq > t.after and seq <= t.through
          union all select id from erased_messages
            where t.scope = 'clear' and conversation_id = t.conversation and seq > t.after and seq <= t.through
        ) as m
        """,  # noqa: S608
        targets=wanted,
    )
    return [
        Doomed(
            namespace=target.namespace,
            keys=of_keys,
            conversation_ids=(target.conversation_id,)
            if target.scope == "conversation" and target.conversation_id
            else (),
            message_ids=of_messages,
            whole_namespace=target.scope == "user",
        )
        for target, of_keys, of_messages in zip(
            targets, _by_place(keys, len(targets)), _by_place(messages, len(targets)), strict=True
        )
    ]


def _by_place(rows: Sequence[Row], places: int) -> list[tuple[UUID, ...]]:
    ids: list[list[UUID]] = [[] for _ in range(places)]
    for row in rows:
        ids[row["place"]].append(row["id"])
    return [tuple(of_place) for of_place in ids]


def unfinished_writes(tx: Transaction, targets: Sequence[Target]) -> list[float]:
    """Return for how many seconds an announced write of each target may still arrive; 0 when none can.

    Entity rows belong to a namespace, not to one memory: any of them may carry the target's wording.
    """
    rows = tx.rows(
        f"""
        select place, extract(epoch from max(deadline) - clock_timestamp())::float8 as seconds from (
          select place, deadline from ({REFS_OF_TARGETS}) as r
            where state = 'intended' and deadline > clock_timestamp()
          union all select t.place, e.deadline from {TARGETS} join vector_refs e on e.namespace = t.namespace
            where e.item_kind = 'entity' and e.state = 'intended' and e.deadline > clock_timestamp()
        ) as unfinished group by place
        """,  # noqa: S608
        targets=_as_rows(targets),
    )
    seconds = {row["place"]: max(0.0, row["seconds"]) for row in rows}
    return [seconds.get(place, 0.0) for place in range(len(targets))]


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


def _as_rows(targets: Sequence[Target]) -> str:
    """Return targets as rows of `TARGETS`."""
    return json.dumps(
        [
            {"place": place, "scope": target.scope, "after": target.after, **_target_values(target)}
            for place, target in enumerate(targets)
        ],
        default=str,
    )


def _everything(target: Target) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield every table with which of its rows belong to the target."""
    for table in TABLES:
        for condition, values in _conditions(table, target):
            yield table.name, condition, values
    if target.scope == "user":
        yield from _personal(target)
    if target.close_account:
        yield "user_settings", "subject_id = :subject", {"subject": target.subject_id}
    if target.scope in ("conversation", "clear"):
        titles = {"conversation": target.conversation_id, "through": target.through}
        yield "conversation_contents", "conversation_id = :conversation and at_seq <= :through", titles


def _personal(target: Target) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the tables of `PERSONAL` with which of their rows go."""
    for table, condition in PERSONAL.items():
        values: dict[str, Any] = {"subject": target.subject_id, "generation": target.generation}
        if ":closes" in condition:
            values["closes"] = target.close_account
        yield table, f"subject_id = :subject and generation <= :generation and {condition}", values


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
