"""Rebuild the traits: what they are about and what their person decided from events, the rest from observations."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.event_log import Recorded
from shared.kernel.events import TraitConfined, TraitConfirmed, TraitErased, TraitObserved
from shared.kernel.subjects import Subject
from shared.traits.portray import portray
from shared.traits.rules.types import Context, Decision
from shared.traits.save import reword
from shared.traits.sql import writing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What the events of one trait say of it."""

    id: UUID
    key: str
    decision: Decision


def rebuild_traits(tx: Transaction) -> int:
    """Compute the traits again; return how many there are. Wordings and observations remain."""
    kept = writing.times(tx)
    people: dict[tuple[UUID, int], list[_Told]] = {}
    for trait_id, subject_id, generation, history in event_log.histories(tx, "trait"):
        told = _told(trait_id, history)
        if told is not None:
            people.setdefault((subject_id, generation), []).append(told)
    writing.lock_all(tx)
    count = 0
    for (subject_id, generation), all_told in people.items():
        subject = subjects.read(tx, subject_id)
        if subject is not None and subject.generation == generation:
            count += _rebuild_of(tx, subject, all_told, kept)
    return count


def _rebuild_of(tx: Transaction, subject: Subject, all_told: list[_Told], kept: dict[UUID, writing.Times]) -> int:
    made = portray(tx, subject, now=tx.now(), decisions={one.key: one.decision for one in all_told})
    stored = writing.kept(tx, subject).values()
    hidden = {one.id for one in stored if one.hidden}  # a forget that may still be undone decides
    shown = [one.id for one in stored if not one.hidden]
    all_told = [one for one in all_told if one.id not in hidden]
    ids = {one.key: one.id for one in all_told}
    writing.delete_rows(tx, shown)
    for one in all_told:
        if one.key in made:
            writing.insert(
                tx,
                subject,
                one.id,
                one.key,
                writing.computed(made[one.key]),
                decision=one.decision,
                times=kept.get(one.id),
            )
            reword(tx, one.id, made[one.key], lambda: "en")
    writing.set_details(tx, ids, [made[key] for key in ids if key in made])
    writing.remove(tx, sorted({*shown, *ids.values()} - {ids[key] for key in ids if key in made}))
    return sum(key in made for key in ids)


def _told(trait_id: UUID, history: list[Recorded]) -> _Told | None:
    key: str | None = None
    confirmed_at: datetime | None = None
    context: Context | None = None
    for event, _ in history:
        if isinstance(event, TraitObserved):
            key = event.trait_key
        elif isinstance(event, TraitConfirmed):
            confirmed_at = event.at if event.confirmed else None
        elif isinstance(event, TraitConfined):
            context = event.context  # type: ignore[assignment]  # only contexts are stored
        elif isinstance(event, TraitErased):
            return None
    return _Told(id=trait_id, key=key, decision=Decision(confirmed_at=confirmed_at, context=context)) if key else None
