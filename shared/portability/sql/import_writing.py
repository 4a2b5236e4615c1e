"""Writes the records an import creates: rows, contents, lineage, never-learn spans (X-09)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from shared.consent.rules.switches import Switches
from shared.kernel.database import Transaction
from shared.kernel.items import packed_kinds, recorded_as
from shared.kernel.subjects import Subject
from shared.lineage.sql.do_not_learn import WHOLE_MESSAGE
from shared.portability.sql import import_references

_WRITE: Final = {
    "conversations": """
      insert into conversations (id, subject_id, generation, external_id, project_id, remember, session, next_seq, turn,
                                 turn_open, turn_has_user, cleared_through, summary_version, created_at, updated_at)
      select i.here, :subject, :generation,
             case when i.id = i.newest and not exists (
               select from visible_conversations v
               where v.subject_id = :subject and v.external_id = i.record ->> 'external_id')
             then i.record ->> 'external_id' end, r.*
      from (
        select i.id, i.here, i.record,
               first_value(i.id) over (partition by i.record ->> 'external_id' order by i.id desc) as newest
        from incoming i where i.kind = 'conversation' and i.fate is null
      ) as i cross join lateral jsonb_to_record(i.record) as r(
        project_id text, remember boolean, session integer, next_seq bigint, turn bigint, turn_open boolean,
        turn_has_user boolean, cleared_through bigint, summary_version integer, created_at timestamptz,
        updated_at timestamptz)""",
    "titles": """
      insert into conversation_contents (conversation_id, title, at_seq)
      select i.here, i.record ->> 'title', (i.record ->> 'title_at_seq')::bigint from incoming i
      where i.kind = 'conversation' and i.fate is null and i.record ->> 'title' is not null
        and (i.record ->> 'title_at_seq')::bigint > coalesce(i.cleared, 0)""",
    "erased conversations": """
      insert into conversations (id, subject_id, generation, erased_at)
      select i.here, :subject, :generation, (i.record ->> 'erased_at')::timestamptz from incoming i
      where i.kind = 'erased_conversation' and i.fate is null on conflict do nothing""",
    # A message sent again by a client is recognised by its key: HMAC-SHA256, as `Subject.digest`. What comes into an
    # existing conversation follows its setting, which `limit 1` has PostgreSQL look up by index.
    "messages": """
      with said as (
        insert into messages (id, subject_id, generation, conversation_id, seq, turn, session, role, completed,
                              client_key, summarize, index_episode, learn, spoken_at, recorded_at, names_task)
        select i.here, :subject, :generation, c.here, r.seq, r.turn, r.session, r.role, r.completed,
               case when r.client_message_id is not null then sha256(:outer || sha256(:inner
                 || convert_to('message' || chr(31) || c.here || chr(31) || r.client_message_id, 'UTF8'))) end,
               r.summarize and :summary_enabled and coalesce(existing.remember, true),
               r.index_episode and :episodic_enabled and coalesce(existing.remember, true),
               r.learn and :longterm_enabled and coalesce(existing.remember, true), r.spoken_at, r.recorded_at,
               r.names_task
        from incoming i cross join lateral jsonb_to_record(i.record) as r(
          seq bigint, turn bigint, session integer, role text, completed boolean, client_message_id text,
          summarize boolean, index_episode boolean, learn boolean, spoken_at timestamptz, recorded_at timestamptz,
          names_task boolean)
        left join incoming_references c on c.kind = 'conversation' and c.id = i.conversation_id
        left join lateral (
          select o.remember from incoming x join conversations o on o.id = x.here
          where x.kind = 'conversation' and x.id = i.conversation_id and x.fate = 'present' limit 1) as existing on true
        where i.kind = 'message' and i.fate is null
        on conflict do nothing returning id
      )
      insert into message_contents (message_id, subject_id, version, text, name, task_hint, client_message_id, metadata)
      select i.here, :subject, r.version, r.content, r.name, r.task_hint, r.client_message_id,
             nullif(i.record -> 'metadata', 'null')
      from said join incoming i on i.kind = 'message' and i.here = said.id
      cross join lateral jsonb_to_record(i.record) as r(version integer, content text, name text, task_hint text,
        client_message_id text)""",
    "withheld": """
      insert into withheld (message_id, category, outcome, count, subject_id, generation, conversation_id, seq)
      select i.here, w.category, w.outcome, w.count, :subject, :generation, c.here, (i.record ->> 'seq')::bigint
      from incoming i cross join lateral jsonb_to_recordset(i.record -> 'withheld') as w(category text, outcome text,
        count integer)
      left join incoming_references c on c.kind = 'conversation' and c.id = i.conversation_id
      where i.kind = 'message' and i.fate is null and i.record -> 'withheld' <> '[]'
      on conflict do nothing""",
    "spans": """
      insert into unlearnable_spans (message_id, quote_start, quote_end, op_id, subject_id)
      select i.here, (s.span -> 0)::integer, (s.span -> 1)::integer, :operation, :subject
      from incoming i cross join lateral jsonb_array_elements(i.record -> 'never_learn'
        || case when i.never_learn = '[]' or (i.record ->> 'version')::integer = 1 then i.never_learn
                else jsonb_build_array(jsonb_build_array(0, cast(:whole_message as integer))) end) as s(span)
      where i.kind = 'message' and i.fate is null and (i.record -> 'never_learn' <> '[]' or i.never_learn <> '[]')
      on conflict do nothing""",
    "erased messages": """
      insert into erased_messages (id, subject_id, generation, conversation_id, seq, turn, erased_at)
      select i.here, :subject, :generation, c.here, r.seq, r.turn, r.erased_at
      from incoming i cross join lateral jsonb_to_record(i.record) as r(seq bigint, turn bigint, erased_at timestamptz)
      left join incoming_references c on c.kind = 'conversation' and c.id = i.conversation_id
      where i.kind = 'erased_message' and i.fate is null on conflict do nothing""",
    "forgotten messages": """
      insert into erased_messages (id, subject_id, generation, conversation_id, seq, turn, client_key)
      select i.here, :subject, :generation, c.here, r.seq, r.turn,
             case when r.client_message_id is not null then sha256(:outer || sha256(:inner
               || convert_to('message' || chr(31) || c.here || chr(31) || r.client_message_id, 'UTF8'))) end
      from incoming i
      cross join lateral jsonb_to_record(i.record) as r(seq bigint, turn bigint, client_message_id text)
      join incoming c on c.kind = 'conversation' and c.id = i.conversation_id
        and coalesce(c.fate, 'present') = 'present'
      where i.kind = 'message' and i.fate = 'erased' and (i.forgotten or r.seq <= c.cleared)
        and not exists (select from messages o where o.id = i.here)
        and not exists (select from messages o where o.conversation_id = c.here and o.seq = r.seq)
        and not exists (select from erased_messages o where o.conversation_id = c.here and o.seq = r.seq)
      on conflict do nothing""",
    "places": """
      update conversations c set next_seq = greatest(c.next_seq, m.seq + 1), turn = greatest(c.turn, m.turn),
        session = greatest(c.session, m.session)
      from (
        select i.here, max((m.record ->> 'seq')::bigint) as seq, max((m.record ->> 'turn')::bigint) as turn,
               coalesce(max((m.record ->> 'session')::integer), 1) as session
        from incoming i join incoming m on m.conversation_id = i.id and m.kind in ('message', 'erased_message')
        where i.kind = 'conversation' and m.fate is null group by i.here
      ) as m
      where c.id = m.here and (c.next_seq <= m.seq or c.turn < m.turn or c.session < m.session)""",
    "summaries": """
      with kept as (
        insert into summaries (id, subject_id, generation, conversation_id, version, method, covered_from,
                               covered_through, covered_message_count, updated_at)
        select i.here, :subject, :generation, c.here, r.* from incoming i
        cross join lateral jsonb_to_record(i.record) as r(version integer, method text, covered_from bigint,
          covered_through bigint, covered_message_count integer, updated_at timestamptz)
        left join incoming_references c on c.kind = 'conversation' and c.id = i.conversation_id
        where i.kind = 'summary' and i.fate is null returning id
      )
      insert into summary_contents (summary_id, text)
      select i.here, i.record ->> 'text' from kept join incoming i on i.kind = 'summary' and i.here = kept.id""",
    "episodes": """
      insert into episodes (id, subject_id, generation, conversation_id, turn, first_seq, user_message_id,
                            assistant_message_id, created_at)
      select i.here, :subject, :generation, c.here, r.turn, r.first_seq, u.here, a.here, r.created_at
      from incoming i cross join lateral jsonb_to_record(i.record) as r(turn bigint, first_seq bigint,
        user_message_id uuid, assistant_message_id uuid, created_at timestamptz)
      left join incoming_references c on c.kind = 'conversation' and c.id = i.conversation_id
      left join incoming_references u on u.kind = 'message' and u.id = r.user_message_id
      left join incoming_references a on a.kind = 'message' and a.id = r.assistant_message_id
      where i.kind = 'episode' and i.fate is null on conflict do nothing""",
    "feedback": """
      insert into feedback (id, subject_id, generation, conversation_id, message_id, at_seq, action, rating,
                            rating_word, recorded_at)
      select i.here, :subject, :generation, c.here, m.here, r.at_seq, r.action, r.rating, r.rating_word, r.recorded_at
      from incoming i cross join lateral jsonb_to_record(i.record) as r(message_id uuid, at_seq bigint, action text,
        rating integer, rating_word text, recorded_at timestamptz)
      left join incoming_references c on c.kind = 'conversation' and c.id = i.conversation_id
      left join incoming_references m on m.kind = 'message' and m.id = r.message_id
      where i.kind = 'feedback' and i.fate is null""",
    "what feedback says": """
      insert into feedback_contents (feedback_id, evidence_ref, related_object_ref, comment, reason)
      select i.here, case when :privacy_mode_enabled then null else r.evidence_ref end, r.related_object_ref,
             case when :privacy_mode_enabled then null else r.comment end,
             case when :privacy_mode_enabled then null else r.reason end
      from incoming i cross join lateral jsonb_to_record(i.record) as r(evidence_ref text, related_object_ref text,
        comment text, reason text)
      where i.kind = 'feedback' and i.fate is null""",
    "signals": """
      insert into preference_signals (id, subject_id, generation, feedback_id, conversation_id, at_seq, action, topic,
                                      label, language, recorded_at)
      select i.here, :subject, :generation, f.here, c.here, r.at_seq, r.action, decode(r.topic, 'hex'), r.label,
             r.language, r.recorded_at
      from incoming i cross join lateral jsonb_to_record(i.record) as r(feedback_id uuid, at_seq bigint, action text,
        topic text, label text, language text, recorded_at timestamptz)
      left join incoming_references c on c.kind = 'conversation' and c.id = i.conversation_id
      left join incoming_references f on f.kind = 'feedback' and f.id = r.feedback_id
      where i.kind = 'preference_signal' and i.fate is null""",
    "quotes of signals": """
      insert into preference_signal_contents (signal_id, quote)
      select i.here, i.record ->> 'quote' from incoming i
      where i.kind = 'preference_signal' and i.fate is null and i.record ->> 'quote' is not null
        and not :privacy_mode_enabled""",
    "memories": """
      insert into memories (id, subject_id, generation, content_type, scope, project_id, origin, importance, taboo,
                            disabled, confirmed, archived, supersedes, contradicts, conversation_id, spoken_at, method,
                            level, version, last_supported_at, created_at, updated_at)
      select i.here, :subject, :generation, r.content_type, r.scope, r.project_id, r.origin, r.importance, r.taboo,
             r.disabled, r.confirmed, r.archived, before.here, against.here, c.here, r.spoken_at, r.method,
             coalesce(r.level, 'L1'), r.version, r.last_supported_at, r.created_at, r.updated_at
      from incoming i cross join lateral jsonb_to_record(i.lived) as r(content_type text, scope text, project_id text,
        origin text, importance integer, taboo boolean, disabled boolean, confirmed boolean, archived boolean,
        contradicts uuid, conversation_id uuid, spoken_at timestamptz, method text, level text, version integer,
        last_supported_at timestamptz, created_at timestamptz, updated_at timestamptz)
      left join incoming_references before on before.kind = 'predecessor' and before.id = i.id
      left join incoming_references against on against.kind = 'memory' and against.id = r.contradicts
      left join incoming_references c on c.kind = 'conversation' and c.id = r.conversation_id
      where i.kind = 'memory' and i.fate is null""",
    "what memories say": """
      insert into memory_contents (memory_id, subject_id, text, task_hint, emotion, metadata, external_id)
      select i.here, :subject, i.record ->> 'content', i.record ->> 'task_hint', nullif(i.record -> 'emotion', 'null'),
             nullif(i.record -> 'metadata', 'null'),
             case when i.record ->> 'validity' = 'superseded' or (i.id = i.newest
               and not exists (select from visible_memories v where v.subject_id = :subject
                 and v.external_id = i.record ->> 'external_id'))
               then i.record ->> 'external_id' end
      from (
        select i.id, i.here, i.record, first_value(i.id) over (partition by i.record ->> 'external_id'
                 order by i.record ->> 'validity' = 'superseded', i.id desc) as newest
        from incoming i where i.kind = 'memory' and i.fate is null
      ) as i""",
}
"""In order of dependency."""

_WRITE_LAST: Final = {
    "lineage": """
      insert into lineage (derived_kind, derived_id, source_kind, source_id, edge, quote_start, quote_end, context,
                           subject_id, generation)
      select coalesce(n.names ->> d.kind, d.kind), d.here, coalesce(n.names ->> e.source_kind, e.source_kind), s.here,
             e.edge, e.quote_start, e.quote_end, e.context, :subject, :generation
      from incoming_edges e cross join (select cast(:names as jsonb) as names) as n
      join incoming d on d.kind = e.derived_kind and d.id = e.derived_id and d.fate is null
      join incoming s on s.id = e.source_id
        and ((s.kind = e.source_kind and (s.fate is null or s.fate = 'present'))
          -- Only named in the package, and here already: a memory goes with its message wherever both came from.
          or (s.kind = 'named_message' and e.source_kind = 'message' and s.fate = 'present'))
      on conflict do nothing""",
    "receipts": """
      insert into imported_receipts (receipt_id, subject_id, generation, record)
      select i.id, :subject, :generation, i.record ->> 'document' from incoming i
      where i.kind = 'receipt' and i.fate is null""",
}
"""After all kinds of items: lineage may refer to any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportContext:
    """The owner of the new records, the operation, and the owner's switches."""

    subject: Subject
    operation_id: object
    switches: Switches


def write(tx: Transaction, importing: ImportContext) -> None:
    """Write all new records except events."""
    import_references.resolve(tx, importing.subject)
    values = _values(importing)
    for statement in _statements():
        tx.run(statement, **values)


def _statements() -> Iterator[str]:
    yield from _WRITE.values()
    for kind in packed_kinds().values():
        yield from kind.in_packages.write.values() if kind.in_packages else ()
    yield from _WRITE_LAST.values()


def _values(importing: ImportContext) -> dict[str, Any]:
    subject, switches = importing.subject, importing.switches
    padded = subject.key.ljust(64, b"\0")  # RFC 2104
    return {
        "subject": subject.id,
        "generation": subject.generation,
        "operation": importing.operation_id,
        "names": json.dumps({record: kind.name for record, kind in recorded_as().items()}),
        "whole_message": WHOLE_MESSAGE,
        "inner": bytes(byte ^ 0x36 for byte in padded),
        "outer": bytes(byte ^ 0x5C for byte in padded),
        "summary_enabled": switches.summary_enabled,
        "episodic_enabled": switches.episodic_enabled,
        "longterm_enabled": switches.longterm_enabled,
        "privacy_mode_enabled": switches.privacy_mode_enabled,
    }
