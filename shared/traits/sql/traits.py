"""Traits as their person and an assistant are shown them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, case, exists, select, text

from shared.kernel.database import Row, Transaction
from shared.traits.rules.confidence import PRESENT, Stage, Subtype
from shared.traits.sql.tables import trait_contexts, visible_traits

AS_DERIVED: Final = select(
    visible_traits.c.id,
    visible_traits.c.stage.label("label"),
    visible_traits.c.text.label("content"),
    visible_traits.c.created_at.label("made_at"),
)
"""Visible rows as what was derived from a message."""


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
    qualified: str | None
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


_T: Final = visible_traits.c
_THEIRS: Final = select(
    *(_T[name] for name in StoredTrait.__dataclass_fields__ if name not in ("contexts", "children", "parents"))
).where(_T.subject_id == bindparam("subject"))
_BY_ID: Final = _THEIRS.where(_T.id == bindparam("id"))
_TOLD: Final = _THEIRS.where(text("stage in ('emerging', 'established', 'core') and not overruled")).order_by(
    case({"core": 1, "preference": 2, "behavior": 3}, value=_T.subtype), _T.confidence.desc(), _T.id
)


def read(tx: Transaction, subject_id: UUID, trait_id: UUID) -> StoredTrait | None:
    """Return a visible trait of this person."""
    found = _stored(tx, tx.rows(_BY_ID, subject=subject_id, id=trait_id))
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
    found = _THEIRS.order_by(_T.id.desc()).limit(limit)
    if subtype is not None:
        found = found.where(_T.subtype == subtype)
    if stages is not None:
        found = found.where(_T.stage.in_(stages))
    if context is not None:
        differs = exists().where(trait_contexts.c.trait_id == _T.id, trait_contexts.c.label == context)
        found = found.where((_T.context == context) | differs)
    if after is not None:
        found = found.where(_T.id < after)
    return _stored(tx, tx.rows(found, subject=subject_id))


def told(tx: Transaction, subject_id: UUID) -> list[StoredTrait]:
    """Return the traits that an assistant may be told about, surest first, without what is below and above them."""
    return [StoredTrait(**row) for row in tx.rows(_TOLD, subject=subject_id)]


def counts(tx: Transaction) -> dict[tuple[str, str], int]:
    """Return the number of traits by subtype and stage, for metrics."""
    rows = tx.rows("select subtype, stage, count(*) as count from visible_traits group by subtype, stage")
    return {(row["subtype"], row["stage"]): row["count"] for row in rows}


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
