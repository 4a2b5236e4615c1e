"""Forget what was inferred about a person: one trait that is not so, or all of it (TR-10, GDPR 17 and 21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from shared.erasure.accept import ForgetRequest, accept_forget, fenced
from shared.erasure.forget import forget_together
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.subjects import Subject
from shared.lineage.sql.lineage import Items
from shared.traits.catalogue import entry_of, vocabulary
from shared.traits.sql import asking, observations, refusals, traits, writing


def forget_trait(tx: Transaction, subject: Subject, trait_id: UUID, request: ForgetRequest) -> None:
    """Forget a trait and every observation of it, and never infer it again until the person allows it.

    The messages stay. A trait that differs by context goes with both of its tendencies; a preference or core trait goes
    without the behaviors it rests on.

    Raises:
        NotFound: the trait is not this person's.
        SubjectBusy: the fence could not be taken in time.
    """
    subject = fenced(tx, subject)
    trait = traits.read(tx, subject.id, trait_id)
    if trait is None:
        raise NotFound("trait")
    keys = sorted({trait.trait_key, *(tendency for tendency, _ in trait.contexts.values())})
    refusals.refuse(tx, subject, keys, operation_id=request.operation_id)
    behaviors = [key for key in keys if entry_of(key).subtype == "behavior"]
    gone = {"trait": [trait_id], "observation": observations.of_keys(tx, subject, behaviors)}
    forget_together(tx, subject, gone, request, noted=refusals.noted(subject, keys))


def forget_everything_inferred(tx: Transaction, subject: Subject, request: ForgetRequest) -> None:
    """Forget all traits and observations of a person. What they say from now on may be observed again.

    Raises:
        SubjectBusy: as `forget_trait`.
    """
    subject = fenced(tx, subject)
    stored = writing.kept(tx, subject)
    gone = {
        "trait": [one.id for one in stored.values()],
        "observation": observations.all_ids(tx, subject),
    }
    asking.start_anew(tx, subject, operation_id=request.operation_id)
    forget_together(tx, subject, gone, request)


def forget_traits_again(
    tx: Transaction, subject: Subject, named: Items, noted: Mapping[str, Any], request: ForgetRequest
) -> None:
    """Repeat a forget of traits after a backup was restored, and refuse again what the person refused.

    Args:
        named: the traits and observations that the backup holds.
        noted: what the ledger records of the refusal.

    Raises:
        SubjectBusy: as `forget_trait`.
    """
    subject = fenced(tx, subject)
    stored_traits = writing.kept(tx, subject)
    known = {*vocabulary(), *stored_traits, *observations.keys(tx, subject)}
    keys = refusals.keys_of(subject, noted, sorted(known))
    refusals.refuse(tx, subject, keys, operation_id=request.operation_id)
    asking.start_anew(tx, subject, operation_id=request.operation_id)
    behaviors = [key for key in keys if entry_of(key).subtype == "behavior"]
    observed = sorted({*named.get("observation", []), *observations.of_keys(tx, subject, behaviors)})
    stored = [one.id for key, one in stored_traits.items() if key in keys]
    gone = {"trait": sorted({*named.get("trait", []), *stored}), "observation": observed}
    accept_forget(tx, subject, request, "selection", gone, preferences=False, noted=noted)
