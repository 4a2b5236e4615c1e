"""The traits that a person said are not so: none of them is inferred again (TR-11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject


def refused(tx: Transaction, subject: Subject) -> set[str]:
    """Return the keys that the person said are not so."""
    rows = tx.rows(
        "select distinct trait_key from unlearnable_traits where subject_id = :subject and generation = :generation",
        subject=subject.id,
        generation=subject.generation,
    )
    return {row["trait_key"] for row in rows}


def refuse(tx: Transaction, subject: Subject, keys: Sequence[str], *, operation_id: UUID) -> None:
    """Never infer these traits again, until the person allows it or the operation is undone."""
    tx.run(
        """
        insert into unlearnable_traits (subject_id, generation, trait_key, op_id)
        select :subject, :generation, key, :operation from unnest(cast(:keys as text[])) as k(key)
        on conflict do nothing
        """,
        subject=subject.id,
        generation=subject.generation,
        keys=list(keys),
        operation=operation_id,
    )


def allow(tx: Transaction, subject: Subject, key: str) -> int:
    """Allow a trait to be inferred again; return how many marks there were."""
    return tx.run(
        "delete from unlearnable_traits where subject_id = :subject and trait_key = :key", subject=subject.id, key=key
    )


def allow_of(tx: Transaction, operation_id: UUID) -> None:
    """Remove the marks of an operation that is undone."""
    tx.run("delete from unlearnable_traits where op_id = :operation", operation=operation_id)


def noted(subject: Subject, keys: Sequence[str]) -> dict[str, list[str]]:
    """Return what the ledger records of a refusal: keyed digests, from which a replay finds the keys again."""
    return {"refused": sorted(_digest(subject, key) for key in keys)}


def keys_of(subject: Subject, recorded: Mapping[str, Sequence[str]], keys: Sequence[str]) -> list[str]:
    """Return which of these keys a refusal recorded."""
    wanted = set(recorded.get("refused", ()))
    return [key for key in keys if _digest(subject, key) in wanted]


def _digest(subject: Subject, key: str) -> str:
    return subject.digest("trait_key", key).hex()
