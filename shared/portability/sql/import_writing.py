"""Writes the records an import creates: rows, contents, lineage, never-learn spans (X-09)."""

# ruff: noqa: S608 # statements are put together from constants of this module

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

_WHERE: Final = {
    "conversation": ("conversations", ("conversation", "erased_conversation")),
    "message": ("messages", ("message", "erased_message", "named_message")),
    "feedback": ("feedback", ("feedback",)),
    "memory": ("memories", ("memory",)),
}
"""Kind of item → its table, and the kinds of record with its ids."""


def here(kind: str, value: str) -> str:
    """Return SQL for the local id of an item the package refers to; outside the package the same id, unless it is
    foreign.

    Knowing the id of another person's item must not give access to it.
    """
    table, records = _WHERE[kind]
    kinds = ", ".join(f"'{record}'" for record in records)
    return f"""coalesce(
      (select x.here from incoming x where x.kind in ({kinds}) and x.id = {value} limit 1),
      case when not exists (select from {table} o where o.id = {value} and o.subject_id <> :subject)
        then {value} end)"""


CONVERSATION: Final = here("conversation", "i.conversation_id")
CLIENT_KEY: Final = f"""case when r.client_message_id is not null then sha256(:outer || sha256(:inner
  || convert_to('message' || chr(31) || {CONVERSATION} || chr(31) || r.client_message_id, 'UTF8'))) end"""
"""HMAC-SHA256, as `Subject.digest`, so that a message sent again by a client is recognised."""

_REMEMBERED: Final = """coalesce((
  select c.remember from incoming x join conversations c on c.id = x.here
  where x.kind = 'conversation' and x.id = i.conversation_id and x.fate = 'present'), true)"""
"""Messages imported into an existing conversation follow its setting."""

_SUPERSEDES: Final = """
  with recursive bridges(step, id, next, moved) as (
    select 0, i.id, (i.record ->> 'supersedes_id')::uuid, true from incoming i
    where i.kind = 'memory' and i.fate is not null and i.fate <> 'present'
    union all
    select n.step + 1, n.id, n.next, n.moved from (
      select b.step, b.id, a.asks, first_value(b.next) over w as next, not first_value(a.asks) over w as moved,
             bool_or(b.moved) over () as goes_on
      from bridges b cross join (values (false), (true)) as a(asks)
      window w as (partition by case when a.asks then b.next else b.id end order by a.asks)
    ) as n where n.asks and n.goes_on and n.step < 32
  )
  select i.id, x.here from incoming i
  left join bridges b on b.id = (i.record ->> 'supersedes_id')::uuid and b.step = (select max(step) from bridges)
  join incoming x on x.kind = 'memory' and (x.fate is null or x.fate = 'present')
    and x.id = case when b.id is null then (i.record ->> 'supersedes_id')::uuid else b.next end
  where i.kind = 'memory' and i.fate is null
"""
"""What each memory supersedes; memories that are not imported are bridged, like erased ones (0012).

Every step doubles the length of the bridges by joining each with the one that starts at its end. A chain of any length
takes few steps, and each memory stays one row.
"""

_WRITE: Final = {
    "conversations": """
      insert into conversations (id, subject_id, generation, project_id, remember, session, next_seq, turn, turn_open,
                                 turn_has_user, cleared_through, summary_version, created_at, updated_at)
      select i.here, :subject, :generation, r.* from incoming i cross join lateral jsonb_to_record(i.record) as r(
        project_id text, remember boolean, session integer, next_seq bigint, turn bigint, turn_open boolean,
        turn_has_user boolean, cleared_through bigint, summary_version integer, created_at timestamptz,
        updated_at timestamptz)
      where i.kind = 'conversation' and i.fate is null""",
    "titles": """
      insert into conversation_contents (conversation_id, title, at_seq)
      select i.here, i.record ->> 'title', (i.record ->> 'title_at_seq')::bigint from incoming i
      where i.kind = 'conversation' and i.fate is null and i.record ->> 'title' is not null
        and (i.record ->> 'title_at_seq')::bigint > coalesce(i.cleared, 0)""",
    "erased conversations": """
      insert into conversations (id, subject_id, generation, erased_at)
      select i.here, :subject, :generation, (i.record ->> 'erased_at')::timestamptz from incoming i
      where i.kind = 'erased_conversation' and i.fate is null on conflict do nothing""",
    "messages": f"""
      with said as (
        insert into messages (id, subject_id, generation, conversation_id, seq, turn, session, role, completed,
                              client_key, summarize, index_episode, learn, spoken_at, recorded_at)
        select i.here, :subject, :generation, {CONVERSATION}, r.seq, r.turn, r.session, r.role, r.completed,
               {CLIENT_KEY}, r.summarize and :summary_enabled and {_REMEMBERED},
               r.index_episode and :episodic_enabled and {_REMEMBERED},
               r.learn and :longterm_enabled and {_REMEMBERED}, r.spoken_at, r.recorded_at
        from incoming i cross join lateral jsonb_to_record(i.record) as r(
          seq bigint, turn bigint, session integer, role text, completed boolean, client_message_id text,
          summarize boolean, index_episode boolean, learn boolean, spoken_at timestamptz, recorded_at timestamptz)
        where i.kind = 'message' and i.fate is null
        on conflict do nothing returning id
      )
      insert into message_contents (message_id, version, text, name, task_hint, client_message_id)
      select i.here, r.version, r.content, r.name, r.task_hint, r.client_message_id
      from said join incoming i on i.kind = 'message' and i.here = said.id
      cross join lateral jsonb_to_record(i.record) as r(version integer, content text, name text, task_hint text,
        client_message_id text)""",
    "withheld": f"""
      insert into withheld (message_id, category, outcome, count, subject_id, generation, conversation_id, seq)
      select i.here, w.category, w.outcome, w.count, :subject, :generation, {CONVERSATION},
             (i.record ->> 'seq')::bigint
      from incoming i cross join lateral jsonb_to_recordset(i.record -> 'withheld') as w(category text, outcome text,
        count integer)
      where i.kind = 'message' and i.fate is null and i.record -> 'withheld' <> '[]'
      on conflict do nothing""",
    "spans": f"""
      insert into unlearnable_spans (message_id, quote_start, quote_end, op_id, subject_id)
      select i.here, (s.span -> 0)::integer, (s.span -> 1)::integer, :operation, :subject
      from incoming i cross join lateral jsonb_array_elements(i.record -> 'never_learn'
        || case when i.never_learn = '[]' or (i.record ->> 'version')::integer = 1 then i.never_learn
                else '[[0, {WHOLE_MESSAGE}]]' end) as s(span)
      where i.kind = 'message' and i.fate is null and (i.record -> 'never_learn' <> '[]' or i.never_learn <> '[]')
      on conflict do nothing""",
    "erased messages": f"""
      insert into erased_messages (id, subject_id, generation, conversation_id, seq, turn, erased_at)
      select i.here, :subject, :generation, {CONVERSATION}, r.seq, r.turn, r.erased_at
      from incoming i cross join lateral jsonb_to_record(i.record) as r(seq bigint, turn bigint, erased_at timestamptz)
      where i.kind = 'erased_message' and i.fate is null on conflict do nothing""",
    "forgotten messages": f"""
      insert into erased_messages (id, subject_id, generation, conversation_id, seq, turn, client_key)
      select i.here, :subject, :generation, c.here, r.seq, r.turn, {CLIENT_KEY}
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
    "summaries": f"""
      with kept as (
        insert into summaries (id, subject_id, generation, conversation_id, version, method, covered_from,
                               covered_through, covered_message_count, updated_at)
        select i.here, :subject, :generation, {CONVERSATION}, r.* from incoming i
        cross join lateral jsonb_to_record(i.record) as r(version integer, method text, covered_from bigint,
          covered_through bigint, covered_message_count integer, updated_at timestamptz)
        where i.kind = 'summary' and i.fate is null returning id
      )
      insert into summary_contents (summary_id, text)
      select i.here, i.record ->> 'text' from kept join incoming i on i.kind = 'summary' and i.here = kept.id""",
    "episodes": f"""
      insert into episodes (id, subject_id, generation, conversation_id, turn, first_seq, user_message_id,
                            assistant_message_id, created_at)
      select i.here, :subject, :generation, {CONVERSATION}, r.turn, r.first_seq,
             {here("message", "r.user_message_id")}, {here("message", "r.assistant_message_id")}, r.created_at
      from incoming i cross join lateral jsonb_to_record(i.record) as r(turn bigint, first_seq bigint,
        user_message_id uuid, assistant_message_id uuid, created_at timestamptz)
      where i.kind = 'episode' and i.fate is null on conflict do nothing""",
    "feedback": f"""
      insert into feedback (id, subject_id, generation, conversation_id, message_id, at_seq, action, rating,
                            rating_word, recorded_at)
      select i.here, :subject, :generation, {CONVERSATION}, {here("message", "r.message_id")}, r.at_seq, r.action,
             r.rating, r.rating_word, r.recorded_at
      from incoming i cross join lateral jsonb_to_record(i.record) as r(message_id uuid, at_seq bigint, action text,
        rating integer, rating_word text, recorded_at timestamptz)
      where i.kind = 'feedback' and i.fate is null""",
    "what feedback says": """
      insert into feedback_contents (feedback_id, evidence_ref, related_object_ref, comment, reason)
      select i.here, case when :privacy_mode_enabled then null else r.evidence_ref end, r.related_object_ref,
             case when :privacy_mode_enabled then null else r.comment end,
             case when :privacy_mode_enabled then null else r.reason end
      from incoming i cross join lateral jsonb_to_record(i.record) as r(evidence_ref text, related_object_ref text,
        comment text, reason text)
      where i.kind = 'feedback' and i.fate is null""",
    "signals": f"""
      insert into preference_signals (id, subject_id, generation, feedback_id, conversation_id, at_seq, action, topic,
                                      label, language, recorded_at)
      select i.here, :subject, :generation, {here("feedback", "r.feedback_id")}, {CONVERSATION}, r.at_seq, r.action,
             decode(r.topic, 'hex'), r.label, r.language, r.recorded_at
      from incoming i cross join lateral jsonb_to_record(i.record) as r(feedback_id uuid, at_seq bigint, action text,
        topic text, label text, language text, recorded_at timestamptz)
      where i.kind = 'preference_signal' and i.fate is null""",
    "quotes of signals": """
      insert into preference_signal_contents (signal_id, quote)
      select i.here, i.record ->> 'quote' from incoming i
      where i.kind = 'preference_signal' and i.fate is null and i.record ->> 'quote' is not null
        and not :privacy_mode_enabled""",
    "memories": f"""
      insert into memories (id, subject_id, generation, content_type, scope, project_id, origin, importance, taboo,
                            disabled, confirmed, archived, supersedes, contradicts, conversation_id, spoken_at, method,
                            level, version, last_supported_at, created_at, updated_at)
      select i.here, :subject, :generation, r.content_type, r.scope, r.project_id, r.origin, r.importance, r.taboo,
             r.disabled, r.confirmed, r.archived, b.here, {here("memory", "r.contradicts")},
             {here("conversation", "r.conversation_id")}, r.spoken_at, r.method, coalesce(r.level, 'L1'), r.version,
             r.last_supported_at, r.created_at, r.updated_at
      from incoming i cross join lateral jsonb_to_record(i.lived) as r(content_type text, scope text, project_id text,
        origin text, importance integer, taboo boolean, disabled boolean, confirmed boolean, archived boolean,
        contradicts uuid, conversation_id uuid, spoken_at timestamptz, method text, level text, version integer,
        last_supported_at timestamptz, created_at timestamptz, updated_at timestamptz)
      left join ({_SUPERSEDES}) as b on b.id = i.id
      where i.kind = 'memory' and i.fate is null""",
    "what memories say": """
      insert into memory_contents (memory_id, text, task_hint, emotion, metadata, external_id)
      select i.here, i.record ->> 'content', i.record ->> 'task_hint', nullif(i.record -> 'emotion', 'null'),
             nullif(i.record -> 'metadata', 'null'),
             case when i.record ->> 'validity' = 'superseded' or (
               not exists (select from visible_memories v where v.subject_id = :subject
                 and v.external_id = i.record ->> 'external_id')
               and not exists (select from incoming other where other.kind = 'memory' and other.fate is null
                 and other.record ->> 'external_id' = i.record ->> 'external_id'
                 and other.record ->> 'validity' <> 'superseded' and other.id > i.id))
               then i.record ->> 'external_id' end
      from incoming i
      where i.kind = 'memory' and i.fate is null""",
}
"""In order of dependency."""

_WRITE_LAST: Final = {
    "lineage": """
      insert into lineage (derived_kind, derived_id, source_kind, source_id, edge, quote_start, quote_end, context,
                           subject_id, generation)
      select coalesce(n.names ->> d.kind, d.kind), d.here, coalesce(n.names ->> s.kind, s.kind), s.here, e.edge,
             e.quote_start, e.quote_end, e.context, :subject, :generation
      from incoming_edges e cross join (select cast(:names as jsonb) as names) as n
      join incoming d on d.kind = e.derived_kind and d.id = e.derived_id and d.fate is null
      join incoming s on s.kind = e.source_kind and s.id = e.source_id and (s.fate is null or s.fate = 'present')
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
    values = _values(importing)
    for statement in _statements():
        names = {name for name in values if f":{name}" in statement}
        tx.run(statement, **{name: values[name] for name in names})


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
        "inner": bytes(byte ^ 0x36 for byte in padded),
        "outer": bytes(byte ^ 0x5C for byte in padded),
        "summary_enabled": switches.summary_enabled,
        "episodic_enabled": switches.episodic_enabled,
        "longterm_enabled": switches.longterm_enabled,
        "privacy_mode_enabled": switches.privacy_mode_enabled,
    }
