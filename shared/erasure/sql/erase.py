"""Delete a target's rows from every table, and prove that none are left."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.ids import Namespace
from shared.kernel.items import ItemKind, erased_kinds, kinds
from shared.outbox.sql.operations import Target

ENTITIES: Final = "mem0_entities"
"""Store name under which keys of mem0's entities are announced; they belong to a namespace, not to an item."""

BATCH: Final = 5_000
"""Rows deleted per statement, so that no transaction exceeds its time limit."""


OTHER_TABLES: Final = {
    "erased_messages": "true",
    "debug_records": "true",
    "idempotency_keys": "true",
    "imported_receipts": "true",
    "unlearnable_traits": "true",
    "preference_hints": "true",
    "events": "stream not like 'operation:%' and (:closes or stream not like 'settings:%')",
}
"""Tables erased with a generation of a person that hold no kind of item, each with a condition; settings stay with the
account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreTarget:
    """What must be gone from one external store; the fields equal those of the stores' `ErasureTarget`."""

    namespace: Namespace
    keys: tuple[UUID, ...]
    entity_keys: tuple[UUID, ...]
    entities: bool
    conversation_ids: tuple[UUID, ...]
    within_conversations: tuple[UUID, ...]
    message_ids: tuple[UUID, ...]
    whole_namespace: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Rows deleted by one call, by table, and whether there may be more."""

    rows: Mapping[str, int]
    full: bool


def erase_batch(tx: Transaction, target: Target) -> Batch:
    """Delete up to `BATCH` rows per table and reason; repeat while `full` is returned."""
    gone: Counter[str] = Counter()
    full = False
    for which in _which(target):
        deleted = _delete(tx, which, target, keep_tombstones=target.scope not in ("conversation", "user"))
        gone.update(deleted)
        full = full or max(deleted.values()) >= BATCH
    return Batch(rows=gone, full=full)


def finish(tx: Transaction, target: Target) -> None:
    """Delete what is not an item: titles, traces, tombstones, event streams of a forgotten generation."""
    deletions = [
        """delete from unlearnable_spans u where subject_id = :subject
             and not exists (select from messages m where m.id = u.message_id)"""
    ]
    if target.scope == "user":
        deletions.append(
            """delete from conversation_contents where conversation_id in (
                 select id from conversations where subject_id = :subject and generation <= :generation)"""
        )
        deletions += [f"delete from {table} where {whose}" for table, whose in _personal()]  # noqa: S608
    if target.scope == "clear":
        deletions.append(f"delete from conversation_contents where {TITLES}")  # noqa: S608
    if target.scope == "conversation":
        deletions += [
            "delete from conversation_contents where conversation_id = :conversation",
            "delete from erased_messages where conversation_id = :conversation",
            """update conversations set erased_at = coalesce(erased_at, now()), project_id = null
               where id = :conversation""",
        ]
    if target.scope in ("conversation", "clear"):
        deletions.append("delete from debug_records where conversation_id = :conversation")
    *others, last = deletions
    together = ", ".join(f"deletion_{place} as ({one})" for place, one in enumerate(others))
    tx.run(f"with {together} {last}" if others else last, **_values(target))


def residue(tx: Transaction, target: Target) -> dict[str, int]:
    """Count the rows left in PostgreSQL, by table; an empty dict proves that none are left.

    Content cannot outlive its item because of foreign keys.
    """
    counts = " union all ".join(
        f"select '{name}' as name, count(*) from {name} where {whose}"  # noqa: S608
        for name, whose in _everything(target)
    )
    rows = tx.rows(
        f"select name, sum(count)::bigint as count from ({counts}) as left_over group by name having sum(count) > 0",  # noqa: S608
        **_values(target),
    )
    return {row["name"]: row["count"] for row in rows}


KEYS_OF_TARGET: Final = """
  select v.pk from vector_refs v where :everything and v.namespace = :namespace
  union select v.pk from hides h join vector_refs v on h.kind = v.item_kind and h.item_id = v.item_id
    where h.op_id = :operation
  union select v.pk from vector_refs v where v.conversation_id = :conversation and v.first_seq <= :through
"""
"""The announced keys of a target: those of its namespace, its hidden items or its conversation."""


def announced(tx: Transaction, target: Target) -> dict[str, dict[str, int]]:
    """Return how many keys of the target were announced to each external store."""
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
"""`KEYS_OF_TARGET` for many targets at once, by their position."""


def doomed(tx: Transaction, targets: Sequence[Target], stores: Sequence[str]) -> dict[str, list[StoreTarget]]:
    """Return by store what must be gone from it: announced keys, and where an unannounced copy could be.

    The result is complete: intents are committed before their writes, and the target before this query.
    """
    rows = tx.rows(
        f"""
        select place, store, array_agg(pk) as ids from ({REFS_OF_TARGETS}) as r group by place, store
        union all select t.place, 'message', array_agg(m.id) from {TARGETS} cross join lateral (
          select item_id as id from hides where t.scope = 'message' and op_id = t.operation and kind = 'message'
          union all select id from messages
            where t.scope = 'clear' and conversation_id = t.conversation and seq > t.after and seq <= t.through
          union all select id from erased_messages
            where t.scope = 'clear' and conversation_id = t.conversation and seq > t.after and seq <= t.through
        ) as m group by t.place
        union all select t.place, 'entity', null from {TARGETS}
          where exists (select from vector_refs e where e.namespace = t.namespace and e.store = '{ENTITIES}')
        """,  # noqa: S608 # constants of this module
        targets=_as_rows(targets),
    )
    found = {(row["place"], row["store"]): tuple(row["ids"] or ()) for row in rows}
    return {
        store: [
            StoreTarget(
                namespace=target.namespace,
                keys=found.get((place, store), ()),
                entity_keys=found.get((place, ENTITIES), ()),
                entities=(place, "entity") in found,
                conversation_ids=_conversation(target, ("conversation",)),
                within_conversations=_conversation(target, ("message", "clear")),
                message_ids=found.get((place, "message"), ()),
                whole_namespace=target.scope == "user",
            )
            for place, target in enumerate(targets)
        ]
        for store in stores
    }


def _conversation(target: Target, scopes: Sequence[str]) -> tuple[UUID, ...]:
    return (target.conversation_id,) if target.conversation_id and target.scope in scopes else ()


def unfinished_writes(tx: Transaction, targets: Sequence[Target]) -> list[float]:
    """Return for how many seconds an announced write of each target may still arrive; 0 if none can.

    Entity rows belong to a namespace, not to one memory, so any of them may contain the target's text. A forget
    repeated after a restore waits until the stores are compared, because they may hold the target under unknown keys.
    """
    rows = tx.rows(
        f"""
        select place, extract(epoch from max(deadline) - clock_timestamp())::float8 as seconds from (
          select place, deadline from ({REFS_OF_TARGETS}) as r
            where state = 'intended' and deadline > clock_timestamp()
          union all select t.place, e.deadline from {TARGETS} join vector_refs e on e.namespace = t.namespace
            where e.item_kind = 'entity' and e.state = 'intended' and e.deadline > clock_timestamp()
          union all select t.place, clock_timestamp() + interval '1 s' from {TARGETS}
            join operations o on o.id = t.operation and o.run > 0
            where exists (select from operations c where c.type in ('cleanup_reconcile', 'cleanup_orphans')
                            and c.status in ('pending', 'running', 'failed'))
        ) as unfinished group by place
        """,  # noqa: S608
        targets=_as_rows(targets),
    )
    seconds = {row["place"]: max(0.0, row["seconds"]) for row in rows}
    return [seconds.get(place, 0.0) for place in range(len(targets))]


def forget_keys(tx: Transaction, target: Target) -> None:
    """Delete the target's announced keys once their absence is proven, and its lineage edges."""
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


OF_PERSON: Final = "subject_id = :subject and generation <= :generation"
HIDDEN: Final = "id in (select item_id from hides where op_id = :operation and kind = '{kind}')"
INSIDE: Final = "conversation_id = :conversation and {in_conversation} <= :through"
TITLES: Final = "conversation_id = :conversation and at_seq <= :through"


def _values(target: Target) -> dict[str, Any]:
    """Return the parameters of the conditions above and of `OTHER_TABLES`."""
    return {
        "subject": target.subject_id,
        "generation": target.generation,
        "operation": target.operation_id,
        "conversation": target.conversation_id,
        "through": target.through,
        "closes": target.close_account,
    }


def _which(target: Target) -> Iterator[list[tuple[ItemKind, str]]]:
    """Yield groups of item kinds to erase, each with the condition for its rows."""
    if target.scope == "user":
        yield [(kind, OF_PERSON) for kind in erased_kinds()]
        return
    yield [(kind, HIDDEN.format(kind=kind.name)) for kind in erased_kinds()]
    if target.scope in ("conversation", "clear"):
        yield [
            (kind, INSIDE.format(in_conversation=kind.in_conversation))
            for kind in erased_kinds()
            if kind.in_conversation
        ]


def _everything(target: Target) -> Iterator[tuple[str, str]]:
    """Yield every table with the condition for the target's rows."""
    for which in _which(target):
        yield from ((kind.table, condition) for kind, condition in which)
    if target.scope == "user":
        yield from _personal()
    if target.close_account:
        yield "user_settings", "subject_id = :subject"
    if target.scope in ("conversation", "clear"):
        yield "conversation_contents", TITLES


def _personal() -> Iterator[tuple[str, str]]:
    """Yield the tables erased only with a generation of a person, with the condition for their rows."""
    tables = {**dict.fromkeys((kind.table for kind in kinds() if kind.fate != "goes"), "true"), **OTHER_TABLES}
    yield from ((table, f"{OF_PERSON} and {condition}") for table, condition in tables.items())


def _delete(
    tx: Transaction, which: Sequence[tuple[ItemKind, str]], target: Target, *, keep_tombstones: bool
) -> Mapping[str, int]:
    """Delete up to `BATCH` rows of each table and their dependent rows in one statement; return counts by table."""
    parts: list[str] = []
    for kind, condition in which:
        name, doomed = kind.table, f"doomed_{kind.table}"
        parts.append(f"{doomed} as (select * from {name} where {condition} limit {BATCH})")  # noqa: S608
        if kind.tombstone and keep_tombstones:
            parts.append(f"kept_{name} as ({kind.tombstone})")
        if kind.in_conversation:
            edges = (
                f"delete from lineage l using {doomed} d where l.derived_kind = '{kind.name}' and l.derived_id = d.id"  # noqa: S608
            )
            parts.append(f"unlinked_{name} as ({edges})")
        if kind.name == "message":  # edges as evidence of items that stay
            edges = f"delete from lineage l using {doomed} d where l.source_kind = 'message' and l.source_id = d.id"  # noqa: S608
            parts.append(f"unsupported_{name} as ({edges} and l.edge = 'supported_by')")
        for contents, key in kind.contents:
            emptied = f"delete from {contents} c using {doomed} d where c.{key} = d.id"  # noqa: S608
            parts.append(f"emptied_{contents}_of_{name} as ({emptied})")
        parts.append(f"gone_{name} as (delete from {name} t using {doomed} d where t.id = d.id returning t.id)")  # noqa: S608
    counts = ", ".join(f"(select count(*) from gone_{kind.table}) as {kind.table}" for kind, _ in which)  # noqa: S608
    row = tx.row(f"with {', '.join(parts)} select {counts}", **_values(target))
    assert row is not None  # noqa: S101 # a select without a table has one row
    return dict(row)
