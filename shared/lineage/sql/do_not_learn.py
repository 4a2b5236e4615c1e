"""Spans of messages that must never be learned from again: the memories made from them were deleted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias
from uuid import UUID

from shared.kernel.database import Transaction

Span: TypeAlias = tuple[UUID, int, int]
"""A message, and the half-open character offsets of a quote in it."""

WHOLE_MESSAGE: Final = 2_147_483_647
"""The end offset of a quote that covers the whole message."""


def spans(tx: Transaction, message_ids: Sequence[UUID]) -> dict[UUID, list[tuple[int, int]]]:
    """Return the spans of these messages that must not be learned from."""
    rows = tx.rows(
        "select message_id, quote_start, quote_end from unlearnable_spans where message_id = any(:ids)",
        ids=list(message_ids),
    )
    found: dict[UUID, list[tuple[int, int]]] = {}
    for row in rows:
        found.setdefault(row["message_id"], []).append((row["quote_start"], row["quote_end"]))
    return found


def quoting(tx: Transaction, memory_ids: Sequence[UUID]) -> set[UUID]:
    """Return those of these announced memories that quote a span that must not be learned from."""
    rows = tx.rows(
        """
        select distinct l.derived_id as id from lineage l
        join unlearnable_spans u on l.source_kind = 'message' and u.message_id = l.source_id
          and coalesce(l.quote_start, 0) < u.quote_end and coalesce(l.quote_end, 2147483647) > u.quote_start
        where l.derived_kind = 'memory' and l.derived_id = any(:ids) and not l.context
        """,
        ids=list(memory_ids),
    )
    return {row["id"] for row in rows}


def are_undoable(tx: Transaction, message_ids: Sequence[UUID]) -> bool:
    """Return whether a forget that can still be undone excluded spans of these messages from learning."""
    found: bool = tx.value(
        """
        select exists (
          select from unlearnable_spans u join operations o on o.id = u.op_id
          where u.message_id = any(:ids) and o.status = 'pending' and o.not_before > clock_timestamp())
        """,
        ids=list(message_ids),
    )
    return found


def mark_quotes_of(tx: Transaction, memory_ids: Sequence[UUID], *, operation_id: UUID) -> None:
    """Exclude the quotes of deleted memories from learning; their messages remain."""
    tx.run(
        """
        insert into unlearnable_spans (message_id, quote_start, quote_end, op_id, subject_id)
        select source_id, coalesce(quote_start, 0), coalesce(quote_end, 2147483647), :operation, subject_id from lineage
        where derived_kind = 'memory' and derived_id = any(:ids) and source_kind = 'message' and not context
        on conflict do nothing
        """,
        ids=list(memory_ids),
        operation=operation_id,
    )


def mark(tx: Transaction, subject_id: UUID, quotes: Sequence[Span], *, operation_id: UUID) -> None:
    """Exclude quotes from learning."""
    tx.run(
        """
        insert into unlearnable_spans (message_id, quote_start, quote_end, op_id, subject_id)
        select message_id, quote_start, quote_end, :operation, :subject
        from unnest(cast(:messages as uuid[]), cast(:starts as integer[]), cast(:ends as integer[]))
          as s(message_id, quote_start, quote_end)
        on conflict do nothing
        """,
        operation=operation_id,
        subject=subject_id,
        messages=[message_id for message_id, _, _ in quotes],
        starts=[start for _, start, _ in quotes],
        ends=[end for _, _, end in quotes],
    )


def unmark(tx: Transaction, operation_id: UUID) -> None:
    """Remove the marks of an operation that was undone."""
    tx.run("delete from unlearnable_spans where op_id = :operation", operation=operation_id)


def learned_from(tx: Transaction, quotes: Sequence[Span]) -> list[UUID]:
    """Return the memories that quote exactly one of these spans."""
    rows = tx.rows(
        """
        select distinct l.derived_id as id from lineage l
        join unnest(cast(:messages as uuid[]), cast(:starts as integer[]), cast(:ends as integer[]))
          as s(message_id, quote_start, quote_end) on l.source_kind = 'message' and l.source_id = s.message_id
        where l.derived_kind = 'memory' and not l.context and coalesce(l.quote_start, 0) = s.quote_start
          and coalesce(l.quote_end, 2147483647) = s.quote_end
        """,
        messages=[message_id for message_id, _, _ in quotes],
        starts=[start for _, start, _ in quotes],
        ends=[end for _, _, end in quotes],
    )
    return [row["id"] for row in rows]
