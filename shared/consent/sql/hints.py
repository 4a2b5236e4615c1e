"""When a person was last told that preferences can be set (FC-14)."""

from __future__ import annotations

from datetime import timedelta

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject


def take_turn(tx: Transaction, subject: Subject, every: timedelta) -> bool:
    """Return whether it is time to tell them, and note that they were told."""
    return (
        tx.run(
            """
            insert into preference_hints (subject_id, generation, hinted_at) values (:subject, :generation, now())
            on conflict (subject_id) do update
              set hinted_at = now(), generation = excluded.generation
              where preference_hints.hinted_at <= now() - :every
            """,
            subject=subject.id,
            generation=subject.generation,
            every=every,
        )
        == 1
    )
