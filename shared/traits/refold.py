"""What becomes of traits when something they rest on is forgotten or comes back, and when their person decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.items import Forgotten
from shared.kernel.subjects import Subject
from shared.traits.portray import portray
from shared.traits.rules.confidence import BEHAVIOR_ITEMS
from shared.traits.rules.types import Observation
from shared.traits.save import Saved, retell, reword, save
from shared.traits.sql import asking, observations, refusals, writing

FEWEST_SOURCES: Final = BEHAVIOR_ITEMS


def forget_evidence(tx: Transaction, subject: Subject, forgotten: Forgotten) -> dict[str, Sequence[UUID]]:
    """Fold the traits that lose evidence again without it; return those to erase, with fewer than three sources left.

    A trait that loses only what spoke against it stays.

    Parents follow their children. Traits are erased rather than dissolved: what was inferred from something forgotten
    must not stay. If the person named a memory, what its messages show of their behavior goes, too.
    """
    if forgotten.scope == "user":
        return {}  # everything goes
    beside = observations.of_memories(tx, forgotten.hidden.get("memory", []))
    beside += observations.beside_memories(tx, forgotten.named)
    gone = observations.among(
        tx,
        [*forgotten.hidden.get(observations.ITEM, []), *beside],
        subject=subject,
        conversation_id=forgotten.conversation_id if forgotten.scope in ("conversation", "clear") else None,
        through=forgotten.through,
    )
    hidden = set(forgotten.hidden.get("trait", []))
    if not gone and not hidden:
        return {}
    seen = observations.visible(tx, subject)
    left = Counter(one.key for one in seen if one.shows and one.id not in gone)
    lost = set(gone.values())
    kept = writing.kept(tx, subject)
    never = {key for key in lost - _only_against(seen, gone) if left[key] < FEWEST_SOURCES}
    never |= {key for key, one in kept.items() if one.id in hidden}
    made = portray(tx, subject, now=tx.now(), without=gone.keys(), never=never)
    saved = save(tx, subject, made, cycle_id=None, language=lambda: "en")
    told = {*saved.changed, *(one.id for key, one in kept.items() if key in lost)}
    retell(tx, subject, [(kept[key].id, trait) for key, trait in made.items() if key in kept and kept[key].id in told])
    return {observations.ITEM: beside, "trait": [one for one in saved.unsupported if one not in hidden]}


def _only_against(seen: Sequence[Observation], gone: Collection[UUID]) -> set[str]:
    """Return the keys of which nothing goes but what spoke against them."""
    going = [one for one in seen if one.id in gone]
    return {one.key for one in going if not one.shows} - {one.key for one in going if one.shows}


def fold_after_undo(tx: Transaction, subject: Subject, operation_id: UUID) -> None:
    """Fold all traits again, now that what an operation hid is visible again."""
    refusals.allow_of(tx, operation_id)
    asking.undo_start(tx, subject, operation_id=operation_id)
    fold_stored(tx, subject, all_again=True)


def fold_imported(tx: Transaction, subject: Subject) -> None:
    """Compute imported traits from the evidence that came with them, and write their histories.

    Those that nothing here supports do not come: their evidence was forgotten, or their person said they are not so.
    """
    writing.remove(tx, fold_stored(tx, subject, all_again=True).unsupported)


def fold_stored(tx: Transaction, subject: Subject, *, all_again: bool = False, decided: bool = False) -> Saved:
    """Fold the stored traits again; no new one begins. Return what changed.

    Args:
        all_again: write their evidence and histories anew, because some may lack what is visible again.
        decided: as for `save`.
    """
    kept = writing.kept(tx, subject)
    made = portray(tx, subject, now=tx.now())
    saved = save(tx, subject, made, cycle_id=None, language=lambda: "en", decided=decided)
    if all_again:
        for key, one in kept.items():
            if key in made and not one.hidden:  # a wording that came from elsewhere may tell of evidence that did not
                reword(tx, one.id, made[key], lambda: "en")
        ours = [key for key, one in kept.items() if key in made and not one.hidden]
        writing.set_details(tx, {key: one.id for key, one in kept.items()}, [made[key] for key in ours])
        retell(tx, subject, [(kept[key].id, made[key]) for key in ours])
    return saved
