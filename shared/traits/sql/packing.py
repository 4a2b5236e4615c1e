"""Reads traits for packages, and writes those of a package. `incoming` holds its records (`shared.portability`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from shared.kernel.database import Row, Transaction


def reflections(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield a person's reflections."""
    return tx.stream(
        "select id, trigger, reason, at, counts from visible_reflections where subject_id = :subject order by id",
        subject=subject_id,
    )


def observations(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield a person's visible observations; those of a source that is not in packages are left out."""
    return tx.stream(
        """
        select id, trait_key, shows, form, context, conversation_id, at_seq,
               case when source_kind = 'message' then source_id end as message_id,
               case when source_kind = 'memory' then source_id end as memory_id,
               case when source_kind = 'feedback' then source_id end as feedback_id,
               sure, observed_at, cycle_id as reflection_id
        from visible_trait_observations where subject_id = :subject order by id
        """,
        subject=subject_id,
    )


def traits(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield a person's visible traits with their evidence."""
    return tx.stream(
        """
        select t.id, t.trait_key, t.text as content, t.edited, t.subtype as trait_subtype, t.stage as trait_stage,
               t.confidence, t.base_confidence, t.valid_from, t.valid_until, t.context, t.chosen_context,
               t.confirmed_at, t.importance, t.first_observed, t.last_reinforced, t.reinforcement_count,
               t.contradiction_count, t.derived_from, t.overruled, t.version, t.created_at, t.updated_at,
               coalesce((select jsonb_object_agg(c.label, jsonb_build_object('trait_key', c.tendency,
                           'confidence', c.confidence)) from visible_trait_contexts c where c.trait_id = t.id),
                        '{}') as contexts,
               array(select e.observation_id from visible_trait_evidence e
                     where e.trait_id = t.id and e.side = 'supporting' order by e.observation_id) as supporting,
               array(select e.observation_id from visible_trait_evidence e
                     where e.trait_id = t.id and e.side = 'contradicting' order by e.observation_id) as contradicting,
               array(select r.cycle_id from trait_recalls r
                     where r.trait_id = t.id and r.cycle_id is not null order by r.cycle_id) as recalled_in
        from visible_traits t where t.subject_id = :subject order by t.id
        """,
        subject=subject_id,
    )


WRITE_REFLECTIONS: Final = """
  insert into reflections (id, subject_id, generation, trigger, reason, at, counts)
  select i.here, :subject, :generation, i.record ->> 'trigger', i.record ->> 'reason',
         (i.record ->> 'at')::timestamptz, i.record -> 'counts'
  from incoming i where i.kind = 'reflection' and i.fate is null"""

WRITE_OBSERVATIONS: Final = """
  insert into trait_observations (id, subject_id, generation, conversation_id, at_seq, source_kind, source_id,
                                  trait_key, shows, form, context, sure, observed_at, cycle_id)
  select i.here, :subject, :generation, c.here, (i.record ->> 'at_seq')::bigint, s.kind, s.here,
         i.record ->> 'trait_key', (i.record ->> 'shows')::boolean, i.record ->> 'form', i.record ->> 'context',
         (i.record ->> 'sure')::float8,
         (i.record ->> 'observed_at')::timestamptz, r.here
  from incoming i
  join incoming s
    on s.id = coalesce(i.record ->> 'message_id', i.record ->> 'memory_id', i.record ->> 'feedback_id')::uuid
    and s.kind = case when i.record ->> 'message_id' is not null then 'message'
                      when i.record ->> 'memory_id' is not null then 'memory' else 'feedback' end
    and (s.fate is null or s.fate = 'present')
  left join incoming c on c.kind = 'conversation' and c.id = (i.record ->> 'conversation_id')::uuid
  left join incoming r on r.kind = 'reflection' and r.id = (i.record ->> 'reflection_id')::uuid
  where i.kind = 'observation' and i.fate is null
  on conflict do nothing"""

WRITE_TRAITS: Final = """
  insert into traits (id, subject_id, generation, trait_key, subtype, stage, confidence, base_confidence, valid_from,
                      valid_until, context, importance, first_observed, last_reinforced, reinforcement_count,
                      contradiction_count, derived_from, overruled, confirmed_at, chosen_context, version, created_at,
                      updated_at)
  select i.here, :subject, :generation, i.record ->> 'trait_key', i.record ->> 'trait_subtype',
         i.record ->> 'trait_stage', (i.record ->> 'confidence')::float8, (i.record ->> 'base_confidence')::float8,
         (i.record ->> 'valid_from')::timestamptz, (i.record ->> 'valid_until')::timestamptz, i.record ->> 'context',
         (i.record ->> 'importance')::integer, (i.record ->> 'first_observed')::timestamptz,
         (i.record ->> 'last_reinforced')::timestamptz, (i.record ->> 'reinforcement_count')::integer,
         (i.record ->> 'contradiction_count')::integer, i.record ->> 'derived_from',
         (i.record ->> 'overruled')::boolean, (i.record ->> 'confirmed_at')::timestamptz,
         i.record ->> 'chosen_context', (i.record ->> 'version')::integer, (i.record ->> 'created_at')::timestamptz,
         (i.record ->> 'updated_at')::timestamptz
  from incoming i where i.kind = 'trait' and i.fate is null
  on conflict do nothing"""

WRITE_RECALLS: Final = """
  insert into trait_recalls (trait_id, cycle_id)
  select t.id, r.here
  from incoming i join traits t on t.id = i.here and t.subject_id = :subject
  cross join lateral jsonb_array_elements_text(i.record -> 'recalled_in') as c(id)
  join incoming r on r.kind = 'reflection' and r.id = c.id::uuid and (r.fate is null or r.fate = 'present')
  where i.kind = 'trait' and i.fate is null
  on conflict do nothing"""

WRITE_WORDINGS: Final = """
  insert into trait_contents (trait_id, text, edited)
  select t.id, i.record ->> 'content', (i.record ->> 'edited')::boolean
  from incoming i join traits t on t.id = i.here and t.subject_id = :subject
  where i.kind = 'trait' and i.fate is null
  on conflict do nothing"""
