"""What a person felt about what their traits rest on (TR-13)."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.emotions import Emotion


def of_traits(tx: Transaction, trait_ids: Sequence[UUID]) -> dict[UUID, Emotion]:
    """Return the mean of the feelings that came with the evidence of each trait, with the label told most often.

    The feelings are those of the memories read from the same messages, and of memories that are evidence themselves.
    Nothing is said of feelings at work, nor of a trait that holds at work (regulation (EU) 2024/1689, article 5(1)(f)).
    """
    rows = tx.rows(
        """
        with felt as (
          select distinct e.trait_id, m.id, m.emotion
          from visible_trait_evidence e
          join visible_traits t on t.id = e.trait_id and t.context <> 'work'
          left join lineage l on e.source_kind = 'message' and l.source_kind = 'message' and l.source_id = e.source_id
            and l.derived_kind = 'memory' and not l.context
          join visible_memories m on m.id = case e.source_kind when 'memory' then e.source_id else l.derived_id end
          left join visible_conversations c on c.id = coalesce(e.conversation_id, m.conversation_id)
          where e.trait_id = any(:ids) and e.side = 'supporting' and e.context <> 'work' and m.emotion is not null
            and c.project_id is null and m.project_id is null and not m.disabled
            and m.id not in (select superseded_memories(t.subject_id))
        )
        select trait_id, avg((emotion ->> 'valence')::float8) as valence,
               avg((emotion ->> 'arousal')::float8) as arousal,
               mode() within group (order by emotion ->> 'label') as label
        from felt group by trait_id
        """,
        ids=list(trait_ids),
    )
    return {
        row["trait_id"]: Emotion(valence=round(row["valence"], 3), arousal=round(row["arousal"], 3), label=row["label"])
        for row in rows
    }
