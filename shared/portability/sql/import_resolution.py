"""Decide for each imported record: create, already present, or previously erased (X-09). Null means create."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from shared.consent.rules.switches import Switches
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.ledger import forgotten
from shared.ledger.rules import TAKEN_BYTES
from shared.portability.rules.imports import SWITCH_OF, Fate
from shared.portability.sql import import_fates, import_ids


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
    for decision in import_fates.decisions():
        tx.run(decision, **whose)
    tx.run(_EVIDENCE_OF_ERASED)
    tx.run(_MADE_FROM_ERASED, subject=subject.id)
    off = [kind for kind, switch in SWITCH_OF.items() if not getattr(switches, switch)]
    tx.run("update incoming set fate = 'switched_off' where kind = any(:off) and fate is null", off=off)
    tx.run(_NOT_REMEMBERED)
    tx.run("update incoming set fate = 'withheld' where withheld and fate is null")
    tx.run(_WITHOUT_PARTS)
    return [
        Returning(op_id=row["op_id"], at=everything[row["op_id"]], records=row["records"])
        for row in tx.rows(_RETURNING)
    ]


def leave_out_unconsented(tx: Transaction, *, profile: bool, threads: bool) -> None:
    """Leave out contexts and drift that a person who was asked here did not consent to, or withdrew (FC-02).

    Where nobody has to consent they come for who was never asked, and are loaded only once consent is given.
    """
    tx.run(
        """
        update incoming set fate = 'switched_off' where fate is null and (
          (kind = 'context' and record ->> 'scope' = 'profile' and not :profile)
          or (kind = 'context' and record ->> 'scope' = 'thread' and not :threads)
          or (kind in ('drift', 'thread_note') and not (:profile or :threads)))
        """,
        profile=profile,
        threads=threads,
    )


def _mark_forgotten(tx: Transaction, subject: Subject, *, restore: bool) -> dict[UUID, datetime]:
    """Mark records that the ledger lists as forgotten.

    Only the ledger knows items without a tombstone, or missing from a restored backup. Returns the time of each forget
    of everything, by operation.
    """
    said = forgotten.forgotten(tx, subject)
    for kind, item in import_ids.kinds().items():
        if kind in ("erased_conversation", "erased_message"):  # they are tombstones already
            continue
        listed = _Listed(
            wanted=said.items.get(item.name, set()),
            cleared=said.cleared if kind == "conversation" else {},
            spans=said.spans if kind == "message" else {},
            everything=said.everything if item.recorded else [],
            restore=restore,
        )
        for ids in import_ids.batches(tx, kind) if listed.any() else ():
            digests = {id_: _digests(subject, kind, item.name, id_, here) for id_, here in ids.items()}
            told = [mark for id_, its in digests.items() if (mark := listed.mark(id_, its)) is not None]
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
    return {one.op_id: one.at for one in said.everything}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listed:
    """What the ledger lists of one kind, by digest.

    Args:
        wanted: items that were forgotten.
        cleared: through which seq a conversation was cleared.
        spans: passages that must not be learned from.
        everything: the forgets of everything, with the beginnings of what they took.
        restore: whether items that only these took are imported.
    """

    wanted: Collection[str]
    cleared: Mapping[str, int]
    spans: Mapping[str, Collection[tuple[int, int]]]
    everything: Sequence[forgotten.Everything]
    restore: bool

    def any(self) -> bool:
        return bool(self.wanted or self.cleared or self.spans or self.everything)

    def mark(self, id_: UUID, digests: Collection[str]) -> dict[str, Any] | None:
        """Return what is listed of an item, None if it is not."""
        through = max((self.cleared[one] for one in digests if one in self.cleared), default=None)
        unlearnable = sorted(span for one in digests for span in self.spans.get(one, ()))
        gone = any(one in self.wanted for one in digests)
        beginnings = {bytes.fromhex(one)[:TAKEN_BYTES] for one in digests}
        taken_by = next((one.op_id for one in self.everything if not one.taken.isdisjoint(beginnings)), None)
        if not (gone or through is not None or unlearnable or taken_by):
            return None
        return {
            "id": str(id_),
            "gone": gone or (taken_by is not None and not self.restore),
            "cleared": through,
            "never_learn": unlearnable,
            "taken_by": str(taken_by) if taken_by else None,
        }


def _digests(subject: Subject, kind: str, named: str, id_: UUID, here: UUID) -> set[str]:
    """Return the digests under which the ledger may list an item, for all its possible ids."""
    return {subject.digest(named, one).hex() for one in {str(id_), str(here), import_ids.other(subject, kind, id_)}}


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
    select i.kind, i.id from incoming i join message_contents c on c.message_id = i.here and c.subject_id = :subject
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
_WITHOUT_PARTS: Final = """
  with kept as (
    select d.id from incoming d cross join lateral jsonb_array_elements_text(d.record -> 'parts') as p(memory_id)
    join incoming m on m.kind = 'memory' and m.id = p.memory_id::uuid
    where d.kind = 'document' and coalesce(m.fate, 'present') = 'present'
  )
  update incoming d set fate = coalesce(
    (select m.fate from incoming m where m.kind = 'memory' and m.id = (d.record -> 'parts' ->> 0)::uuid), 'erased')
  where d.kind = 'document' and d.fate is null and d.id not in (select id from kept)
"""
"""Of a document whose parts all stay away nothing comes, its title neither."""
_NOT_REMEMBERED: Final = """
  with unremembered as (
    select i.id from incoming i join conversations o on o.id = i.here
    where i.kind = 'conversation' and i.fate = 'present' and not o.remember
  )
  update incoming i set fate = 'switched_off' where i.fate is null and (
    (i.kind in ('episode', 'summary') and i.conversation_id in (select id from unremembered))
    or (i.kind = 'memory' and i.record -> 'provenance' <> '[]' and not exists (
      select from incoming_edges e
      join incoming s on s.id = e.source_id and s.kind in (e.source_kind, 'named_message')
      where e.derived_kind = 'memory' and e.derived_id = i.id
        and (s.conversation_id is null or s.conversation_id not in (select id from unremembered)))
      and exists (select from incoming_edges e where e.derived_kind = 'memory' and e.derived_id = i.id)))
"""
"""What was made only from what comes into conversations that the person does not want remembered (X-08)."""
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
