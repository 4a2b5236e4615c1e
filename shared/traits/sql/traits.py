"""Traits as rows: what reflections computed, and what their person decided about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import select

from shared.kernel.database import Row, Transaction
from shared.kernel.subjects import Subject
from shared.traits.rules.numbers import PRESENT, Stage, Subtype
from shared.traits.rules.types import Decision, Trait
from shared.traits.sql.tables import visible_traits

AS_DERIVED: Final = select(
    visible_traits.c.id,
    visible_traits.c.stage.label("label"),
    visible_traits.c.text.label("content"),
    visible_traits.c.created_at.label("made_at"),
)
"""Visible rows as what was derived from a message."""

COMPUTED: Final = (
    "subtype",
    "stage",
    "confidence",
    "base_confidence",
    "valid_from",
    "valid_until",
    "context",
    "importance",
    "first_observed",
    "last_reinforced",
    "reinforcement_count",
    "contradiction_count",
    "derived_from",
    "overruled",
)
"""The columns that a portrait determines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A stored trait, hidden or not, as `save` compares it."""

    id: UUID
    key: str
    hidden: bool
    decision: Decision
    version: int
    computed: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTrait:
    """A visible trait with its wording."""

    id: UUID
    trait_key: str
    subtype: Subtype
    stage: Stage
    confidence: float | None
    base_confidence: float | None
    valid_from: datetime | None
    valid_until: datetime | None
    context: str
    importance: int
    first_observed: datetime
    last_reinforced: datetime
    reinforcement_count: int
    contradiction_count: int
    derived_from: str
    overruled: bool
    confirmed_at: datetime | None
    chosen_context: str | None
    version: int
    created_at: datetime
    updated_at: datetime
    text: str
    edited: bool
    contexts: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    children: tuple[UUID, ...] = ()
    parents: tuple[UUID, ...] = ()

    @property
    def used(self) -> bool:
        """Whether an assistant may be told about it."""
        return self.stage in PRESENT and not self.overruled


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The version of a row, and when it was made and changed."""

    version: int
    created_at: datetime
    updated_at: datetime


def times(tx: Transaction) -> dict[UUID, Times]:
    """Return the version and times of every trait."""
    rows = tx.rows("select id, version, created_at, updated_at from traits")
    return {row["id"]: Times(**{name: row[name] for name in ("version", "created_at", "updated_at")}) for row in rows}


def computed(trait: Trait) -> dict[str, Any]:
    """Return a trait's computed columns."""
    return {
        "subtype": trait.subtype,
        "stage": trait.stage,
        "confidence": _rounded(trait.confidence),
        "base_confidence": _rounded(trait.base),
        "valid_from": trait.window[0] if trait.window else None,
        "valid_until": trait.window[1] if trait.window else None,
        "context": trait.context,
        "importance": IMPORTANCE[trait.subtype],
        "first_observed": trait.first_observed,
        "last_reinforced": trait.last_reinforced,
        "reinforcement_count": trait.reinforcements,
        "contradiction_count": trait.contradictions,
        "derived_from": trait.derived_from,
        "overruled": trait.overruled,
    }


IMPORTANCE: Final[Mapping[Subtype, int]] = {"behavior": 5, "preference": 7, "core": 8}
"""How important a trait is for recall, by how much it rests on."""


def _rounded(value: float | None) -> float | None:
    """Return a number that the database gives back unchanged, so that nothing differs after an export and import."""
    return None if value is None else round(value, 6)


def kept(tx: Transaction, subject: Subject) -> dict[str, Kept]:
    """Return all stored traits of a person's current generation by key."""
    rows = tx.rows(
        f"""
        select t.id, t.trait_key, t.confirmed_at, t.chosen_context, t.version,
               {", ".join(f"t.{one}" for one in COMPUTED)},
               not exists (select from visible_traits v where v.id = t.id) as hidden
        from traits t where t.subject_id = :subject and t.generation = :generation
        """,  # noqa: S608 # columns of this module
        subject=subject.id,
        generation=subject.generation,
    )
    return {
        row["trait_key"]: Kept(
            id=row["id"],
            key=row["trait_key"],
            hidden=row["hidden"],
            decision=Decision(confirmed_at=row["confirmed_at"], context=row["chosen_context"]),
            version=row["version"],
            computed={name: row[name] for name in COMPUTED},
        )
        for row in rows
    }


def insert(
    tx: Transaction,
    subject: Subject,
    trait_id: UUID,
    key: str,
    values: Mapping[str, Any],
    *,
    decision: Decision = Decision(),  # noqa: B008 # frozen
    times: Times | None = None,
) -> None:
    """Insert the row of a trait; `add_text` adds its wording."""
    tx.run(
        f"""
        insert into traits (id, subject_id, generation, trait_key, confirmed_at, chosen_context, version, created_at,
                            updated_at, {", ".join(COMPUTED)})
        values (:id, :subject, :generation, :key, :confirmed_at, :chosen_context, :version, coalesce(:created, now()),
                coalesce(:updated, now()), {", ".join(f":{one}" for one in COMPUTED)})
        """,  # noqa: S608 # columns of this module
        id=trait_id,
        subject=subject.id,
        generation=subject.generation,
        key=key,
        confirmed_at=decision.confirmed_at,
        chosen_context=decision.context,
        version=times.version if times else 1,
        created=times.created_at if times else None,
        updated=times.updated_at if times else None,
        **values,
    )


def update(tx: Transaction, trait_id: UUID, values: Mapping[str, Any]) -> None:
    """Update what a portrait determines."""
    tx.run(
        f"""
        update traits set {", ".join(f"{one} = :{one}" for one in COMPUTED)}, version = version + 1, updated_at = now()
        where id = :id
        """,  # noqa: S608 # columns of this module
        id=trait_id,
        **values,
    )


def decide(tx: Transaction, trait_id: UUID, decision: Decision) -> None:
    """Store what the person decided."""
    tx.run(
        """
        update traits set confirmed_at = :confirmed_at, chosen_context = :context, version = version + 1,
          updated_at = now() where id = :id
        """,
        id=trait_id,
        confirmed_at=decision.confirmed_at,
        context=decision.context,
    )


def add_text(tx: Transaction, trait_id: UUID, text: str) -> None:
    tx.run("insert into trait_contents (trait_id, text, edited) values (:id, :text, false)", id=trait_id, text=text)


def edit_text(tx: Transaction, trait_id: UUID, text: str) -> None:
    """Replace the wording by the person's own; the earlier one is not kept."""
    tx.run("update trait_contents set text = :text, edited = true where trait_id = :id", id=trait_id, text=text)


def reword(tx: Transaction, trait_id: UUID, text: str) -> None:
    """Replace the wording of a trait that now differs by context, unless its person worded it."""
    tx.run("update trait_contents set text = :text where trait_id = :id and not edited", id=trait_id, text=text)


def set_details(tx: Transaction, ids: Mapping[str, UUID], traits: Iterable[Trait]) -> None:
    """Replace contexts, evidence and children of these traits.

    Args:
        ids: the id of every stored trait by key.
    """
    given = list(traits)
    of = {trait.key: str(ids[trait.key]) for trait in given}
    tx.run("delete from trait_contexts where trait_id = any(cast(:ids as uuid[]))", ids=list(of.values()))
    tx.run("delete from trait_evidence where trait_id = any(cast(:ids as uuid[]))", ids=list(of.values()))
    tx.run(
        """
        delete from lineage where derived_kind = 'trait' and source_kind = 'trait'
          and derived_id = any(cast(:ids as uuid[]))
        """,
        ids=list(of.values()),
    )
    contexts = [
        {"trait": of[trait.key], "label": label, "tendency": one.key, "confidence": _rounded(one.confidence)}
        for trait in given
        for label, one in trait.contexts.items()
    ]
    tx.run(
        """
        insert into trait_contexts (trait_id, label, tendency, confidence)
        select trait, label, tendency, confidence
        from jsonb_to_recordset(:rows) as c(trait uuid, label text, tendency text, confidence double precision)
        """,
        rows=json.dumps(contexts),
    )
    evidence: list[dict[str, str | None]] = [
        {"trait": of[trait.key], "observation": str(one), "side": "supporting", "grade": grade}
        for trait in given
        for one, grade in trait.supporting
    ]
    evidence += [
        {"trait": of[trait.key], "observation": str(one), "side": "contradicting", "grade": None}
        for trait in given
        for one in trait.contradicting
    ]
    tx.run(
        """
        insert into trait_evidence (trait_id, observation_id, side, grade)
        select trait, observation, side, grade
        from jsonb_to_recordset(:rows) as e(trait uuid, observation uuid, side text, grade text)
        """,
        rows=json.dumps(evidence),
    )
    children = [
        {"trait": of[trait.key], "child": str(ids[child])}
        for trait in given
        for child in trait.children
        if child in ids
    ]
    tx.run(
        """
        insert into lineage (derived_kind, derived_id, source_kind, source_id, edge, subject_id, generation)
        select 'trait', c.trait, 'trait', c.child, 'supported_by', t.subject_id, t.generation
        from jsonb_to_recordset(:rows) as c(trait uuid, child uuid) join traits t on t.id = c.trait
        on conflict do nothing
        """,
        rows=json.dumps(children),
    )


_SHOWN: Final = """
  select id, trait_key, subtype, stage, confidence, base_confidence, valid_from, valid_until, context, importance,
         first_observed, last_reinforced, reinforcement_count, contradiction_count, derived_from, overruled,
         confirmed_at, chosen_context, version, created_at, updated_at, text, edited
  from visible_traits t where subject_id = :subject
"""


def read(tx: Transaction, subject_id: UUID, trait_id: UUID) -> StoredTrait | None:
    """Return a visible trait of this person."""
    found = _stored(tx, tx.rows(f"{_SHOWN} and id = :id", subject=subject_id, id=trait_id))
    return found[0] if found else None


def page(
    tx: Transaction,
    subject_id: UUID,
    *,
    subtype: Subtype | None = None,
    stages: Sequence[Stage] | None = None,
    context: str | None = None,
    after: UUID | None = None,
    limit: int,
) -> list[StoredTrait]:
    """Return a page of a person's visible traits, newest first; a context also finds traits that differ by context."""
    rows = tx.rows(
        f"""{_SHOWN}
          and (cast(:subtype as text) is null or subtype = :subtype)
          and (cast(:stages as text[]) is null or stage = any(:stages))
          and (cast(:context as text) is null or context = :context
            or exists (select from trait_contexts c where c.trait_id = t.id and c.label = :context))
          and (cast(:after as uuid) is null or id < :after)
        order by id desc limit :limit""",
        subject=subject_id,
        subtype=subtype,
        stages=list(stages) if stages is not None else None,
        context=context,
        after=after,
        limit=limit,
    )
    return _stored(tx, rows)


def told(tx: Transaction, subject_id: UUID) -> list[StoredTrait]:
    """Return the traits that an assistant may be told about, surest first, without what is below and above them."""
    rows = tx.rows(
        f"""{_SHOWN} and stage in ('emerging', 'established', 'core') and not overruled
        order by array_position(array['core', 'preference', 'behavior'], subtype), confidence desc, id""",
        subject=subject_id,
    )
    return [StoredTrait(**row) for row in rows]


def counts(tx: Transaction) -> dict[tuple[str, str], int]:
    """Return the number of traits by subtype and stage, for metrics."""
    rows = tx.rows("select subtype, stage, count(*) as count from visible_traits group by subtype, stage")
    return {(row["subtype"], row["stage"]): row["count"] for row in rows}


def delete_all(tx: Transaction) -> None:
    """Empty the read model before it is rebuilt; wordings, recalls and observations remain."""
    tx.run("lock table traits in share row exclusive mode")
    tx.run("delete from trait_contexts")
    tx.run("delete from trait_evidence")
    tx.run("delete from traits")


def _stored(tx: Transaction, rows: Sequence[Row]) -> list[StoredTrait]:
    ids = [row["id"] for row in rows]
    contexts: dict[UUID, dict[str, tuple[str, float]]] = {}
    for row in tx.rows(
        "select trait_id, label, tendency, confidence from visible_trait_contexts where trait_id = any(:ids)", ids=ids
    ):
        contexts.setdefault(row["trait_id"], {})[row["label"]] = (row["tendency"], row["confidence"])
    links = tx.rows(
        """
        select l.derived_id, l.source_id from visible_lineage l
        join visible_traits child on child.id = l.source_id join visible_traits parent on parent.id = l.derived_id
        where l.derived_kind = 'trait' and l.source_kind = 'trait'
          and (l.derived_id = any(:ids) or l.source_id = any(:ids))
        order by l.source_id, l.derived_id
        """,
        ids=ids,
    )
    return [
        StoredTrait(
            **row,
            contexts=contexts.get(row["id"], {}),
            children=tuple(link["source_id"] for link in links if link["derived_id"] == row["id"]),
            parents=tuple(link["derived_id"] for link in links if link["source_id"] == row["id"]),
        )
        for row in rows
    ]
