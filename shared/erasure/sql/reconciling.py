"""Queries about the keys in external stores, and about the cleanups that repair differences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Select, Uuid, and_, cast, column, func, select, text
from sqlalchemy.dialects.postgresql import JSONB

from shared.erasure.rules.slices import Slice
from shared.kernel.database import Transaction
from shared.kernel.ids import OperationId
from shared.kernel.subjects import INSTALLATION
from shared.outbox.job_kinds import REMOVE_ORPHANS
from shared.outbox.sql.tables import operations


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one step of a cleanup does in the store it is named after: the outbox kind and its payload."""

    kind: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanupStep:
    """One store's part of a cleanup."""

    name: str
    status: str
    attempts: int
    counts: dict[str, int]
    last_error: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleanup:
    """A cleanup without its owner; `found_by` is the reconciliation that started it."""

    id: OperationId
    type: str
    status: str
    progress: float
    last_error: str | None
    found_by: UUID | None
    version: int
    created_at: datetime
    updated_at: datetime
    steps: tuple[CleanupStep, ...]


def add(
    tx: Transaction,
    subject_id: UUID,
    operation_id: OperationId,
    *,
    type_: str,
    parts: Mapping[str, Part],
    found_by: UUID | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Write a cleanup, its steps and their outbox rows in one statement.

    Args:
        parts: step name → work.
        about: kept with the operation.
    """
    tx.run(
        """
        with op as (
          insert into operations (id, subject_id, type, scope, target, payload, status)
          values (:id, :subject, :type, :scope, '{}', cast(:payload as jsonb), 'pending')
        ), wanted as (
          select * from jsonb_to_recordset(:parts) as s(name text, kind text, payload jsonb)
        ), steps as (
          insert into operation_steps (operation_id, name, status)
          select :id, name, 'ready' from wanted returning id, name
        )
        insert into outbox (operation_id, step_id, subject_id, kind, payload)
        select :id, steps.id, :subject, wanted.kind, wanted.payload from steps join wanted using (name)
        """,
        id=operation_id,
        subject=subject_id,
        type=type_,
        scope="installation" if subject_id == INSTALLATION else "user",
        payload=json.dumps({**(about or {}), **({"found_by": str(found_by)} if found_by else {})}),
        parts=json.dumps([{"name": name, "kind": part.kind, "payload": part.payload} for name, part in parts.items()]),
    )
    tx.queued = True


def unfinished_slices(tx: Transaction, type_: str, *, begun: bool = True) -> dict[Slice, OperationId]:
    """Return the unfinished comparisons of slices of the installation of this type, by what they are about.

    Args:
        begun: also those of which a store is, or was, looked at: they miss what came into it since.
    """
    rows = tx.rows(
        """
        select id, coalesce((payload ->> 'part')::int, 0) as part, coalesce((payload ->> 'of')::int, 1) as of
        from operations o
        where type = :type and subject_id = :subject and status in ('pending', 'running', 'failed')
          and not payload ? 'through'
          and (:begun or not exists (
            select from operation_steps s where s.operation_id = o.id and s.status in ('succeeded', 'running')))
        order by id
        """,
        type=type_,
        subject=INSTALLATION,
        begun=begun,
    )
    return {Slice(part=row["part"], of=row["of"]): row["id"] for row in rows}


def last_slice(tx: Transaction) -> Slice | None:
    """Return what the newest comparison of a slice was about, whether or not it is finished; None without one."""
    row = tx.row(
        """
        select (payload ->> 'part')::int as part, (payload ->> 'of')::int as of from operations
        where type = 'cleanup_reconcile' and (payload ->> 'of')::int > 1 and subject_id = :subject
        order by id desc limit 1
        """,
        subject=INSTALLATION,
    )
    return Slice(part=row["part"], of=row["of"]) if row else None


def about_how_many_keys(tx: Transaction) -> int:
    """Return an estimate of all announced keys, as PostgreSQL's statistics have it."""
    return max(0, int(tx.value("select reltuples from pg_class where oid = 'vector_refs'::regclass")))


def being_cleaned(tx: Transaction, type_: str, step: str, subject_ids: Sequence[UUID]) -> set[UUID]:
    """Return the people with an unfinished cleanup of this type and store."""
    rows = tx.rows(
        """
        select distinct o.subject_id from operations o join operation_steps s on s.operation_id = o.id
        where o.type = :type and o.status in ('pending', 'running', 'failed') and o.subject_id = any(:subjects)
          and s.name = :step
        """,
        type=type_,
        step=step,
        subjects=list(subject_ids),
    )
    return {row["subject_id"] for row in rows}


def unannounced(tx: Transaction, keys: Sequence[UUID]) -> set[UUID]:
    """Return which of these keys have no announcement, because there never was one or their absence was proven.

    Call this after reading the store: an intent is committed before its write, so such a key is then an orphan.
    """
    rows = tx.rows(
        """
        select key from unnest(cast(:keys as uuid[])) as found(key)
        where not exists (select from vector_refs v where v.pk = found.key)
        """,
        keys=list(keys),
    )
    return {row["key"] for row in rows}


def waiting_orphans(tx: Transaction) -> set[UUID]:
    """Return the keys whose removal is already queued."""
    rows = tx.rows(
        """
        select distinct cast(key as uuid) as key
        from outbox, jsonb_each(payload -> 'keys') as of_namespace(namespace, keys),
             jsonb_array_elements_text(of_namespace.keys) as named(key)
        where kind = :kind
        """,
        kind=REMOVE_ORPHANS,
    )
    return {row["key"] for row in rows}


def owners(tx: Transaction, namespaces: Sequence[UUID]) -> dict[UUID, UUID]:
    """Return the current owners of these namespaces: namespace → subject. Namespaces without owner are left out."""
    rows = tx.rows("select namespace, id from subjects where namespace = any(:namespaces)", namespaces=list(namespaces))
    return {row["namespace"]: row["id"] for row in rows}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page of keys ended: by namespace, then by key."""

    namespace: UUID
    key: UUID


def readable_keys(
    tx: Transaction, store: str, *, after: Place, high: UUID, limit: int
) -> tuple[dict[UUID, UUID], Place | None]:
    """Return keys written to a store whose item is readable, in order: key → subject, and where they ended.

    Args:
        after: where the previous page ended.
        high: the last namespace.
    """
    rows = tx.rows(
        """
        select r.namespace, v.pk, v.subject_id from vector_refs r join visible_vectors v on v.pk = r.pk
        where r.store = :store and r.namespace >= :namespace and r.namespace <= :high
          and (r.namespace, r.pk) > (:namespace, :key)
        order by r.namespace, r.pk limit :limit
        """,
        store=store,
        namespace=after.namespace,
        key=after.key,
        high=high,
        limit=limit,
    )
    ended = Place(rows[-1]["namespace"], rows[-1]["pk"]) if rows else None
    return {row["pk"]: row["subject_id"] for row in rows}, ended


def messages_of_episode(tx: Transaction, episode_id: UUID) -> list[UUID]:
    """Return the messages an episode was made from, visible or not."""
    rows = tx.rows(
        """
        select source_id from lineage
        where derived_kind = 'episode' and derived_id = :id and source_kind = 'message'
        """,
        id=episode_id,
    )
    return [row["source_id"] for row in rows]


_STEPS: Final = text("""
  select coalesce(jsonb_agg(jsonb_build_object('name', name, 'status', status, 'attempts', attempts,
    'counts', counts, 'last_error', last_error) order by id), '[]')
  from operation_steps where operation_id = operations.id
""").columns(column("steps", JSONB))
_CLEANUPS: Final = (
    select(
        *(operations.c[name] for name in Cleanup.__dataclass_fields__ if name not in ("found_by", "steps")),
        cast(operations.c.payload["found_by"].astext, Uuid).label("found_by"),
        _STEPS.scalar_subquery().label("steps"),
    )
    .where(operations.c.type.like(r"cleanup\_%"))
    .order_by(operations.c.id.desc())
)


def page(tx: Transaction, *, before: UUID | None, limit: int) -> list[Cleanup]:
    """Return a page of everybody's cleanups, newest first."""
    newest = _CLEANUPS.limit(limit)
    return _cleanups(tx, newest if before is None else newest.where(operations.c.id < before))


def following(tx: Transaction, reconciliation: UUID, known: Sequence[UUID] = ()) -> list[Cleanup]:
    """Return a reconciliation, the cleanups it started, other unfinished cleanups, and `known` ones; of the unfinished
    no purges, and no comparisons after forgets.
    """
    started = operations.c.payload["found_by"].astext == str(reconciliation)
    unfinished = and_(
        operations.c.status.in_(("pending", "running", "failed")),
        operations.c.type != "cleanup_purge",
        ~func.coalesce(operations.c.payload.has_key("through"), False),
    )
    return _cleanups(tx, _CLEANUPS.where(operations.c.id.in_([reconciliation, *known]) | started | unfinished))


def is_worked_on(tx: Transaction, operation_ids: Sequence[UUID]) -> bool:
    """Return whether a worker holds a lease on a row of these operations."""
    held: bool = tx.value(
        """
        select exists (select from outbox where operation_id = any(:ids) and state = 'leased' and lease_until > now())
        """,
        ids=list(operation_ids),
    )
    return held


def _cleanups(tx: Transaction, which: Select[Any]) -> list[Cleanup]:
    return [Cleanup(**{**row, "steps": tuple(CleanupStep(**step) for step in row["steps"])}) for row in tx.rows(which)]
