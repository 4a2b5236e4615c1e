"""Reads a thread's notes and drift for packages, and writes those of a package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from shared.kernel.database import Row, Transaction


def notes(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield the visible notes of a person's threads."""
    return tx.stream(
        """
        select id, conversation_id, at_seq, kind, object_type, object_ref, text, noted_at
        from visible_thread_notes where subject_id = :subject order by id
        """,
        subject=subject_id,
    )


def drift(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield a person's visible signals."""
    return tx.stream(
        """
        select id, drift_id, contents ->> 'object_ref' as object_ref,
               contents -> 'cognition_object' as cognition_object, signal_kind,
               contents -> 'prior_signal' as prior_signal, contents -> 'current_signal' as current_signal,
               contents ->> 'delta_summary' as delta_summary, triggers_alert, schema_version,
               case when prior_kind = 'feedback' then prior_id end as prior_feedback_id,
               case when prior_kind = 'thread_note' then prior_id end as prior_note_id,
               case when current_kind = 'feedback' then current_id end as current_feedback_id,
               case when current_kind = 'thread_note' then current_id end as current_note_id, observed_at
        from visible_drift where subject_id = :subject order by id
        """,
        subject=subject_id,
    )


WRITE_NOTES: Final = """
  with kept as (
    insert into thread_notes (id, subject_id, generation, conversation_id, at_seq, kind, object_type, scanned_at,
                              noted_at)
    select i.here, :subject, :generation, c.here, (i.record ->> 'at_seq')::bigint, i.record ->> 'kind',
           i.record ->> 'object_type', now(), (i.record ->> 'noted_at')::timestamptz
    from incoming i
    join incoming c on c.kind = 'conversation' and c.id = (i.record ->> 'conversation_id')::uuid
      and (c.fate is null or c.fate = 'present')
    where i.kind = 'thread_note' and i.fate is null and (i.record ->> 'at_seq')::bigint > coalesce(c.cleared, 0)
    on conflict do nothing returning id
  )
  insert into thread_note_contents (note_id, text, object_ref)
  select kept.id, i.record ->> 'text', i.record ->> 'object_ref'
  from kept join incoming i on i.kind = 'thread_note' and i.here = kept.id"""

WRITE_DRIFT: Final = """
  with arriving as (
    select i.here, i.record, p.kind as prior_kind, p.here as prior_id, c.kind as current_kind, c.here as current_id
    from incoming i
    join incoming p on p.id = coalesce(i.record ->> 'prior_feedback_id', i.record ->> 'prior_note_id')::uuid
      and p.kind = case when i.record ->> 'prior_note_id' is null then 'feedback' else 'thread_note' end
      and (p.fate is null or p.fate = 'present')
    join incoming c on c.id = coalesce(i.record ->> 'current_feedback_id', i.record ->> 'current_note_id')::uuid
      and c.kind = case when i.record ->> 'current_note_id' is null then 'feedback' else 'thread_note' end
      and (c.fate is null or c.fate = 'present')
    where i.kind = 'drift' and i.fate is null
      -- what was cleared here did not come, and nothing that compares it does
      and (p.kind <> 'thread_note' or exists (select from thread_notes n where n.id = p.here))
      and (c.kind <> 'thread_note' or exists (select from thread_notes n where n.id = c.here))
  ), kept as (
    insert into persona_drift (id, subject_id, generation, drift_id, signal_kind, triggers_alert, schema_version,
                               prior_kind, prior_id, current_kind, current_id, observed_at)
    select here, :subject, :generation, record ->> 'drift_id', record ->> 'signal_kind',
           (record ->> 'triggers_alert')::boolean, record ->> 'schema_version', prior_kind, prior_id, current_kind,
           current_id, (record ->> 'observed_at')::timestamptz
    from arriving
    on conflict do nothing returning id
  )
  insert into persona_drift_contents (drift_id, contents)
  select kept.id, jsonb_build_object('object_ref', a.record -> 'object_ref',
           'cognition_object', a.record -> 'cognition_object', 'prior_signal', a.record -> 'prior_signal',
           'current_signal', a.record -> 'current_signal', 'delta_summary', a.record -> 'delta_summary')
  from kept join arriving a on a.here = kept.id"""

WRITE_LINEAGE: Final = """
  insert into lineage (derived_kind, derived_id, source_kind, source_id, edge, subject_id, generation)
  select 'drift', d.id, s.kind, s.id, 'text_from', :subject, :generation
  from incoming i join persona_drift d on d.id = i.here and d.subject_id = :subject
  cross join lateral (values (d.prior_kind, d.prior_id), (d.current_kind, d.current_id)) as s(kind, id)
  where i.kind = 'drift' and i.fate is null
  on conflict do nothing"""
