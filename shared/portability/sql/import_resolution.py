"""Decide for each imported record: create, already present, or previously erased (X-09). Null means create."""

# ruff: noqa: S608 # statements are put together from constants of this module

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from shared.consent.rules.switches import Switches
from shared.kernel import items
from shared.kernel.database import Transaction
from shared.kernel.items import ItemKind
from shared.kernel.subjects import Subject
from shared.ledger import forgotten
from shared.ledger.rules import TAKEN_BYTES
from shared.portability.rules.imports import SWITCH_OF, Fate

ALSO_NAMED: Final = {
    "erased_conversation": "conversation",
    "erased_message": "message",
    "named_message": "message",
}
"""Kinds of record that refer to an item outside the package → the kind of that item."""


def _kinds() -> dict[str, ItemKind]:
    """Return the item kind whose ids each kind of record uses."""
    also = {record: items.kind_of(name) for record, name in ALSO_NAMED.items()}
    return {**items.recorded_as(), **also}


BATCH: Final = 5_000
"""Ids checked per batch for a new id and against the ledger."""


def rename_taken(tx: Transaction, subject: Subject) -> int:
    """Give records whose ids belong to somebody else other ids, which are always the same; return how many.

    An id that was replaced in an earlier import is replaced again, even if its first owner no longer exists. Otherwise
    the record could be imported twice, or return after it was forgotten.
    """
    if tx.run(_NAMED):
        tx.run("analyze incoming")  # without statistics, PostgreSQL would assume one row of the new kind and rescan it
    return sum(_rename(tx, subject, kind) for kind in _kinds())


_NAMED: Final = """
  insert into incoming (kind, id, record, here, withheld)
  select 'named_message', n.id, '{"named_only": true}', n.id, false
  from (
    select p.message_id as id from incoming i
    cross join lateral jsonb_to_recordset(i.record -> 'provenance') as p(message_id uuid) where i.kind = 'memory'
    union
    select (i.record ->> 'message_id')::uuid from incoming i where i.kind = 'feedback'
  ) as n
  where n.id is not null and not exists (select from incoming m where m.kind = 'message' and m.id = n.id)
"""
"""Messages outside the package that its records were derived from; they may have been forgotten here."""


def _rename(tx: Transaction, subject: Subject, kind: str) -> int:
    renamed = 0
    after: UUID | None = None
    while ids := list(_next_ids(tx, kind, after)):
        renamed += tx.run(
            f"""
            update incoming i set here = o.here
            from jsonb_to_recordset(:others) as o(id uuid, here uuid)
            where i.kind = :kind and i.id = o.id
              and ({_is_anywhere(kind, "i.id", "<> :subject")} or {_is_anywhere(kind, "o.here", "= :subject")})
            """,
            kind=kind,
            subject=subject.id,
            others=json.dumps([{"id": str(id_), "here": _other(subject, kind, id_)} for id_ in ids]),
        )
        after = ids[-1]
    return renamed


def _next_ids(tx: Transaction, kind: str, after: UUID | None) -> dict[UUID, UUID]:
    """Return the next ids in the package, with their local ids."""
    rows = tx.rows(
        """
        select id, here from incoming where kind = :kind and (cast(:after as uuid) is null or id > :after)
        order by id limit :limit
        """,
        kind=kind,
        after=after,
        limit=BATCH,
    )
    return {row["id"]: row["here"] for row in rows}


def _mark_forgotten(tx: Transaction, subject: Subject, *, restore: bool) -> dict[UUID, datetime]:
    """Mark records that the ledger lists as forgotten.

    Only the ledger knows items without a tombstone, or missing from a restored backup. Returns the time of each forget
    of everything, by operation.
    """
    said = forgotten.forgotten(tx, subject)
    for kind, item in _kinds().items():
        if kind in ("erased_conversation", "erased_message"):  # they are tombstones already
            continue
        named = item.name
        wanted = said.items.get(named, set())
        cleared = said.cleared if kind == "conversation" else {}
        spans = said.spans if kind == "message" else {}
        everything = said.everything if item.recorded else []
        after: UUID | None = None
        while (wanted or cleared or spans or everything) and (ids := _next_ids(tx, kind, after)):
            told = []
            for id_, here in ids.items():
                digests = _digests(subject, kind, named, id_, here)
                through = max((cleared[one] for one in digests if one in cleared), default=None)
                unlearnable = sorted(span for one in digests for span in spans.get(one, ()))
                gone = not digests.isdisjoint(wanted)
                beginnings = {bytes.fromhex(one)[:TAKEN_BYTES] for one in digests}
                taken_by = next((one.op_id for one in everything if not one.taken.isdisjoint(beginnings)), None)
                if gone or through is not None or unlearnable or taken_by:
                    told.append(
                        {
                            "id": str(id_),
                            "gone": gone or (taken_by is not None and not restore),
                            "cleared": through,
                            "never_learn": unlearnable,
                            "taken_by": str(taken_by) if taken_by else None,
                        }
                    )
            tx.run(
                """
                update incoming i set forgotten = t.gone, cleared = greatest(i.cleared, t.cleared),
                  never_learn = t.never_learn, taken_by = t.taken_by
                from jsonb_to_recordset(:told) as t(id uuid, gone boolean, cleared bigint, never_learn jsonb,
                                                    taken_by uuid)
                where i.kind = :kind and i.id = t.id
                """,
                kind=kind,
                told=json.dumps(told),
            )
            after = max(ids)
    return {one.op_id: one.at for one in said.everything}


def _digests(subject: Subject, kind: str, named: str, id_: UUID, here: UUID) -> set[str]:
    """Return the digests under which the ledger may list an item, for all its possible ids."""
    return {subject.digest(named, one).hex() for one in {str(id_), str(here), _other(subject, kind, id_)}}


def _is_anywhere(kind: str, id_: str, whose: str) -> str:
    """Return SQL that tests whether an item with this id exists, or its tombstone or history."""
    table = _kinds()[kind].table.name
    found = [f"exists (select from {table} t where t.id = {id_} and t.subject_id {whose})"]
    if table == "messages":
        found.append(f"exists (select from erased_messages t where t.id = {id_} and t.subject_id {whose})")
    if kind in ("conversation", "memory"):
        found.append(f"exists (select from events e where e.stream = '{kind}:' || {id_} and e.subject_id {whose})")
    return f"({' or '.join(found)})"


def _other(subject: Subject, kind: str, id_: UUID) -> str:
    return str(uuid5(subject.id, f"{_kinds()[kind].table.name}:{id_}"))


def _here(table: str, view: str | None) -> str:
    """Return SQL for the fate of records that are present or erased here, null for others."""
    seen = f"case when exists (select from {view} v where v.id = i.here) then 'present' else 'erased' end"
    return f"""when exists (select from {table} t where t.id = i.here and t.subject_id = :subject
      and t.generation = :generation) then {seen if view else "'present'"}
      when i.forgotten then 'erased'"""


def _gone(condition: str) -> str:
    return f"""exists (select from incoming c where c.kind = 'conversation' and c.id = i.conversation_id
      and (c.fate = 'erased' or {condition}))"""


def _gone_before(place: str) -> str:
    """Return SQL that tests whether the conversation was forgotten here, or its part with this seq."""
    return _gone(f"(i.record ->> '{place}')::bigint <= c.cleared")


def _is_erased(kind: str, member: str) -> str:
    return f"""exists (select from incoming s where s.kind = '{kind}' and s.fate = 'erased'
      and s.id = (i.record ->> '{member}')::uuid)"""


def _place_taken(*, elsewhere: str, condition: str) -> str:
    return f"""exists (select from incoming c join {elsewhere} o on o.conversation_id = c.here
      where c.kind = 'conversation' and c.id = i.conversation_id and c.fate = 'present' and {condition})"""


_IS_CONTINUED: Final = """exists (select from incoming c where c.kind = 'conversation' and c.id = i.conversation_id
      and c.fate = 'present')"""
"""An existing conversation already has, or will get, its own summary."""
_AT_SEQ: Final = "o.seq = (i.record ->> 'seq')::bigint"
_FATES: Final = {
    "conversation": _here("conversations", "visible_conversations"),
    "erased_conversation": _here("conversations", None),
    "message": f"""
      {_here("messages", "visible_messages")}
      when exists (select from erased_messages e where e.id = i.here and e.subject_id = :subject)
        or {_gone_before("seq")} or {_place_taken(elsewhere="messages", condition=_AT_SEQ)}
        or {_place_taken(elsewhere="erased_messages", condition=_AT_SEQ)} then 'erased'""",
    "erased_message": f"""
      {_here("messages", None)} {_here("erased_messages", None)}
      when {_gone("false")} then 'erased'""",
    "named_message": f"""
      {_here("messages", "visible_messages")}
      when exists (select from erased_messages e where e.id = i.here and e.subject_id = :subject) then 'erased'""",
    "summary": f"""
      {_here("summaries", "visible_summaries")}
      when {_gone_before("covered_from")} then 'erased'
      when {_IS_CONTINUED} then 'present'""",
    "episode": f"""
      {_here("episodes", "visible_episodes")}
      when {_gone_before("first_seq")} or {_is_erased("message", "user_message_id")}
        or {_is_erased("message", "assistant_message_id")} then 'erased'
      when {_place_taken(elsewhere="episodes", condition="o.turn = (i.record ->> 'turn')::bigint")} then 'present'""",
    "feedback": f"""
      {_here("feedback", "visible_feedback")}
      when {_gone_before("at_seq")} or {_is_erased("message", "message_id")}
        or {_is_erased("named_message", "message_id")} then 'erased'""",
    "preference_signal": f"""
      {_here("preference_signals", "visible_preference_signals")}
      when {_gone_before("at_seq")} or {_is_erased("feedback", "feedback_id")} then 'erased'""",
    "memory": f"""
      {_here("memories", "visible_memories")}
      when exists (select from events e where e.stream = 'memory:' || i.here and e.type = 'MemoryErased'
        and e.subject_id = :subject) then 'erased'""",
    "receipt": """
      when exists (select from operations o where o.receipt_id = i.id and o.subject_id = :subject)
        or exists (select from imported_receipts r where r.receipt_id = i.id and r.subject_id = :subject)
        then 'present'""",
}
"""By kind, in order of dependency."""


def _packed_fates() -> Iterator[tuple[str, str]]:
    """Yield the same for registered kinds."""
    for record, kind in items.packed_kinds().items():
        packed = kind.in_packages
        assert packed is not None  # noqa: S101 # only such are in it
        gone = [f"when {_is_erased(named, member)} then 'erased'" for member, named in packed.refers_to.items()]
        yield record, " ".join([_here(kind.table.name, None if kind.visible is None else kind.visible.name), *gone])


@dataclass(frozen=True, slots=True, kw_only=True)
class Returning:
    """Records that are imported although the person erased them when they forgot everything.

    Args:
        op_id: that forget, and `at` the time it was accepted.
        records: how many records return.
    """

    op_id: UUID
    at: datetime
    records: int


def decide(tx: Transaction, subject: Subject, switches: Switches, *, restore: bool) -> list[Returning]:
    """Set the fate of every record; return which created ones were erased when the person forgot everything.

    Args:
        switches: the person's choices; kinds that are off are not imported.
        restore: whether to import items erased by forgetting everything; if not, they stay erased.
    """
    whose = {"subject": subject.id, "generation": subject.generation}
    tx.run(
        """
        update incoming i set cleared = greatest((i.record ->> 'cleared_through')::bigint, (
          select c.cleared_through from conversations c where c.id = i.here and c.subject_id = :subject
            and c.generation = :generation))
        where i.kind = 'conversation'
        """,
        **whose,
    )
    everything = _mark_forgotten(tx, subject, restore=restore)
    for kind, fate in (*_FATES.items(), *_packed_fates()):
        tx.run(
            f"""
            update incoming i set fate = d.fate
            from (select i.id, case {fate} end as fate from incoming i where i.kind = :kind) as d
            where i.kind = :kind and i.id = d.id and d.fate is not null
            """,
            kind=kind,
            **whose,
        )
    tx.run(_EVIDENCE_OF_ERASED)
    tx.run(_MADE_FROM_ERASED)
    off = [kind for kind, switch in SWITCH_OF.items() if not getattr(switches, switch)]
    tx.run("update incoming set fate = 'switched_off' where kind = any(:off) and fate is null", off=off)
    tx.run("update incoming set fate = 'withheld' where withheld and fate is null")
    return [
        Returning(op_id=row["op_id"], at=everything[row["op_id"]], records=row["records"])
        for row in tx.rows(_RETURNING)
    ]


_RETURNING: Final = """
  select coalesce(i.taken_by, c.taken_by) as op_id, count(*) as records
  from incoming i left join incoming c on c.kind = 'conversation' and c.id = i.conversation_id
  where i.fate is null and not i.record ? 'named_only' and coalesce(i.taken_by, c.taken_by) is not null
  group by 1 order by 1
"""
"""Created records that a forget of everything erased, directly or with their conversation."""


_MADE_FROM_ERASED: Final = """
  with recursive gone(kind, id) as (
    select i.kind, i.id from incoming i where i.fate = 'erased'
    union all
    select i.kind, i.id from incoming i join message_contents c on c.message_id = i.here
    where i.kind = 'message' and i.fate = 'present' and c.version > (i.record ->> 'version')::integer
    union all
    select i.kind, i.id from incoming i
    cross join lateral jsonb_to_recordset(i.record -> 'provenance') as p(message_id uuid)
    join incoming s on s.kind = 'named_message' and s.id = p.message_id and s.fate = 'erased'
    where i.kind = 'memory' and i.fate is null
    union
    select d.kind, d.id from gone
    join incoming_edges e on e.source_kind = gone.kind and e.source_id = gone.id and e.edge = 'text_from'
    join incoming d on d.kind = e.derived_kind and d.id = e.derived_id and d.fate is null
  )
  update incoming i set fate = 'erased' from gone where i.kind = gone.kind and i.id = gone.id and i.fate is null
"""
"""Records derived from items forgotten here, entirely or in part."""
_EVIDENCE_OF_ERASED: Final = """
  with gone as (
    update incoming s set fate = 'erased'
    from incoming_edges e join incoming m on m.kind = 'memory' and m.id = e.derived_id and m.fate = 'erased'
    where e.derived_kind = 'memory' and e.source_kind = 'preference_signal' and s.kind = 'preference_signal'
      and s.id = e.source_id and s.fate is null
    returning s.record
  )
  update incoming f set fate = 'erased' from gone
  where f.kind = 'feedback' and f.id = (gone.record ->> 'feedback_id')::uuid and f.fate is null
"""
"""Forgetting a learned preference also forgets its feedback; otherwise the next feedback would teach it again."""


def tally(tx: Transaction) -> Iterator[tuple[str, Fate, int]]:
    """Yield kind, fate and count; edges and events have the fates of their items."""
    for row in tx.rows(
        """
        select kind, coalesce(fate, 'new') as fate, count(*) as count from incoming
        where not record ? 'named_only' group by 1, 2
        union all
        select 'edge', case when d.fate is not null then d.fate when s.fate is null or s.fate = 'present' then 'new'
                         else s.fate end, count(*)
        from incoming_edges e
        join incoming d on d.kind = e.derived_kind and d.id = e.derived_id
        join incoming s on s.kind = e.source_kind and s.id = e.source_id group by 1, 2
        union all
        select 'event', coalesce(i.fate, 'new'), count(*)
        from incoming_events e join incoming i on i.kind = e.kind and i.id = e.item_id group by 1, 2
        order by 1, 2
        """
    ):
        yield row["kind"], row["fate"], row["count"]
