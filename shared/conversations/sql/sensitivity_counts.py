"""Counts of sensitive fragments kept out of long-term memory, never the fragments themselves (FC-10, MC-17)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.sensitivity import Category, Outcome

Outcomes = Mapping[tuple[Category, Outcome], int]
"""(category, `rejected` or `redacted`) → number of fragments."""


def record(tx: Transaction, counts: Mapping[UUID, Outcomes]) -> None:
    """Store how many fragments of visible messages were withheld; repeating it changes nothing.

    Args:
        counts: by message.
    """
    rows = [
        {"message_id": str(message_id), "category": category, "outcome": outcome, "count": count}
        for message_id, outcomes in counts.items()
        for (category, outcome), count in outcomes.items()
    ]
    if not rows:
        return
    tx.run(
        """
        insert into withheld (message_id, category, outcome, count, subject_id, generation, conversation_id, seq)
        select m.id, w.category, w.outcome, w.count, m.subject_id, m.generation, m.conversation_id, m.seq
        from jsonb_to_recordset(:rows) as w(message_id uuid, category text, outcome text, count integer)
        join visible_messages m on m.id = w.message_id
        on conflict (message_id, category, outcome) do update set count = excluded.count
        """,
        rows=json.dumps(rows),
    )
