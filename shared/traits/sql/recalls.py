"""Which traits an assistant was told about since the reflection before: being used makes a trait last (TR-06)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject


def recalled(tx: Transaction, subject: Subject) -> dict[str, frozenset[UUID]]:
    """Return the reflections that found each trait used since the one before, by key."""
    rows = tx.rows(
        """
        select t.trait_key, array_agg(r.cycle_id) as cycles from trait_recalls r join traits t on t.id = r.trait_id
        where t.subject_id = :subject and t.generation = :generation and r.cycle_id is not null group by t.trait_key
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return {row["trait_key"]: frozenset(row["cycles"]) for row in rows}


def note_recalled(tx: Transaction, trait_ids: Sequence[UUID]) -> None:
    """Note that the assistant was told about these traits."""
    tx.run(
        """
        insert into trait_recalls (trait_id) select t.id from visible_traits t where t.id = any(:ids)
        on conflict do nothing
        """,
        ids=list(trait_ids),
    )


def count_recalled(tx: Transaction, subject: Subject, cycle_id: UUID) -> int:
    """Let a reflection count the traits that were used since the one before; return how many."""
    return tx.run(
        """
        update trait_recalls r set cycle_id = :cycle from visible_traits t
        where t.id = r.trait_id and t.subject_id = :subject and t.generation = :generation and r.cycle_id is null
        """,
        cycle=cycle_id,
        subject=subject.id,
        generation=subject.generation,
    )
