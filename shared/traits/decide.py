"""What a person decides about a trait: that it is right, where it holds, how it is worded, whether it may return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound, TraitChanged
from shared.kernel.events import Event, TraitConfined, TraitConfirmed, TraitEdited
from shared.kernel.locks import enter_fence, one_at_a_time
from shared.kernel.subjects import Subject
from shared.traits.refold import fold_stored
from shared.traits.rules.types import Context
from shared.traits.sql import asking, refusals, traits, writing


def decide(
    tx: Transaction,
    subject: Subject,
    trait_id: UUID,
    *,
    actor: str,
    version: int | None = None,
    confirmed: bool | None = None,
    text: str | None = None,
    context: Context | None = None,
    anywhere: bool = False,
) -> None:
    """Change a trait as its person says. A confirmed or reworded trait no longer decays.

    Args:
        version: the version the person saw; None for any.
        text: a new wording, which replaces the old one; it confirms the trait.
        context: the only context in which it holds; with `anywhere` instead wherever it was seen.

    Raises:
        NotFound: the trait is not this person's.
        TraitChanged: it changed since.
        SubjectBusy: the fence could not be acquired in time.
    """
    one_at_a_time(tx, "reflection", str(subject.id))
    enter_fence(tx, subject.id)
    stored = traits.read(tx, subject.id, trait_id)
    if stored is None:
        raise NotFound("trait")
    if version is not None and version != stored.version:
        raise TraitChanged
    now = tx.now()
    happened: list[Event] = []
    decision = writing.kept(tx, subject)[stored.trait_key].decision
    if text is not None and text != stored.text:
        writing.edit_text(tx, trait_id, text)
        happened.append(TraitEdited(at=now))
        confirmed = True
    if confirmed is not None and confirmed != (decision.confirmed_at is not None):
        decision = replace(decision, confirmed_at=now if confirmed else None)
        happened.append(TraitConfirmed(at=now, confirmed=confirmed))
    if (context is not None or anywhere) and context != decision.context:
        decision = replace(decision, context=context)
        happened.append(TraitConfined(at=now, context=context))
    if not happened:
        return
    writing.decide(tx, trait_id, decision)
    event_log.append(tx, subject, trait_id, happened, actor=actor)
    saved = fold_stored(tx, subject, decided=True)
    # This one is in the answer; the next reflection ends it.
    writing.remove(tx, [one for one in saved.unsupported if one != trait_id])


def allow_again(tx: Transaction, subject: Subject, keys: Sequence[str]) -> int:
    """Allow refused traits to be inferred again, from what is said from now on; return how many were refused."""
    one_at_a_time(tx, "reflection", str(subject.id))
    enter_fence(tx, subject.id)
    allowed = sum(refusals.allow(tx, subject, key) > 0 for key in keys)
    if allowed:
        asking.start_anew(tx, subject)
    return allowed
