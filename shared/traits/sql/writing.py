"""Writes what reflections computed of traits, and what their person decided about them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import bindparam, exists, func, select

from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.language.script import Language, language_of
from shared.traits.rules.confidence import Subtype
from shared.traits.rules.types import Decision, Trait
from shared.traits.sql import tables

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
    "qualified",
    "overruled",
)
"""The columns that a portrait determines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A stored trait, hidden or not, as `save` compares it.

    Args:
        contexts: which tendency holds in each context, if they differ.
    """

    id: UUID
    key: str
    hidden: bool
    decision: Decision
    version: int
    computed: Mapping[str, Any]
    contexts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """The version of a row, and when it was made and changed."""

    version: int
    created_at: datetime
    updated_at: datetime


_T: Final = tables.traits.c
_KEPT: Final = (
    select(_T.id, _T.trait_key, _T.confirmed_at, _T.chosen_context, _T.version, *(_T[name] for name in COMPUTED))
    .add_columns((~exists().where(tables.visible_traits.c.id == _T.id)).label("hidden"))
    .where(_T.subject_id == bindparam("subject"), _T.generation == bindparam("generation"))
)
_INSERT: Final = tables.traits.insert().values(
    created_at=func.coalesce(bindparam("created", type_=_T.created_at.type), func.now()),
    updated_at=func.coalesce(bindparam("updated", type_=_T.updated_at.type), func.now()),
)
_UPDATE: Final = (
    tables.traits.update().where(_T.id == bindparam("of")).values(version=_T.version + 1, updated_at=func.now())
)


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
        "qualified": trait.qualified,
        "overruled": trait.overruled,
    }


IMPORTANCE: Final[Mapping[Subtype, int]] = {"behavior": 5, "preference": 7, "core": 8}
"""How important a trait is for recall, by how much it rests on."""


def _rounded(value: float | None) -> float | None:
    """Return a number that the database gives back unchanged, so that nothing differs after an export and import."""
    return None if value is None else round(value, 6)


def kept(tx: Transaction, subject: Subject) -> dict[str, Kept]:
    """Return all stored traits of a person's current generation by key."""
    rows = tx.rows(_KEPT, subject=subject.id, generation=subject.generation)
    contexts: defaultdict[UUID, dict[str, str]] = defaultdict(dict)
    for one in tx.rows(
        "select trait_id, label, tendency from trait_contexts where trait_id = any(:ids)",
        ids=[row["id"] for row in rows],
    ):
        contexts[one["trait_id"]][one["label"]] = one["tendency"]
    return {
        row["trait_key"]: Kept(
            id=row["id"],
            key=row["trait_key"],
            hidden=row["hidden"],
            decision=Decision(confirmed_at=row["confirmed_at"], context=row["chosen_context"]),
            version=row["version"],
            computed={name: row[name] for name in COMPUTED},
            contexts=contexts[row["id"]],
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
        _INSERT,
        id=trait_id,
        subject_id=subject.id,
        generation=subject.generation,
        trait_key=key,
        confirmed_at=decision.confirmed_at,
        chosen_context=decision.context,
        version=times.version if times else 1,
        created=times.created_at if times else None,
        updated=times.updated_at if times else None,
        **values,
    )


def update(tx: Transaction, trait_id: UUID, values: Mapping[str, Any]) -> None:
    """Update what a portrait determines."""
    tx.run(_UPDATE, of=trait_id, **values)


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
    """Replace the wording of a trait that now says something else, unless its person worded it."""
    tx.run("update trait_contents set text = :text where trait_id = :id and not edited", id=trait_id, text=text)


def language(tx: Transaction, trait_id: UUID) -> Language | None:
    """Return the language of a trait's wording; None if it is hidden."""
    text = tx.value("select text from visible_traits where id = :id", id=trait_id)
    return None if text is None else language_of(text)


def remove(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Delete traits that nothing supports, with their wordings and histories."""
    tx.run("delete from trait_recalls where trait_id = any(:ids)", ids=list(ids))
    tx.run("delete from trait_contexts where trait_id = any(:ids)", ids=list(ids))
    tx.run("delete from trait_evidence where trait_id = any(:ids)", ids=list(ids))
    tx.run(
        """
        delete from lineage where (derived_kind = 'trait' and derived_id = any(:ids))
          or (source_kind = 'trait' and source_id = any(:ids))
        """,
        ids=list(ids),
    )
    tx.run("delete from trait_contents where trait_id = any(:ids)", ids=list(ids))
    tx.run("delete from traits where id = any(:ids)", ids=list(ids))
    for trait_id in ids:
        event_log.delete_stream(tx, "trait", trait_id)


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


def lock_all(tx: Transaction) -> None:
    """Keep everybody else from changing traits until the transaction ends."""
    tx.run("lock table traits in share row exclusive mode")


def delete_rows(tx: Transaction, ids: Sequence[UUID]) -> None:
    """Delete these rows of the read model before they are rebuilt; wordings, recalls and observations remain."""
    tx.run("delete from trait_contexts where trait_id = any(:ids)", ids=list(ids))
    tx.run("delete from trait_evidence where trait_id = any(:ids)", ids=list(ids))
    tx.run("delete from traits where id = any(:ids)", ids=list(ids))
