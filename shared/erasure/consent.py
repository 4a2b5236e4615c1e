"""Consent and what rests on it: a grant rewrites the profile, a withdrawal erases what it covered (FC-02, FC-05)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from shared.consent.record import Granted, record_grant, record_withdrawal, said_of
from shared.consent.rules.consents import SCOPES, Consent, Scope, agreed
from shared.consent.rules.policy import Terms
from shared.consent.sql import consents
from shared.contexts.candidates import revoke_candidates
from shared.contexts.check import checked
from shared.contexts.rules.fields import may_hold, newest_of_each, rewritten
from shared.contexts.sql import candidates, contexts
from shared.conversations.sql import messages
from shared.drift.sql import drift
from shared.erasure.accept import ForgetRequest, accept_forget, fenced, merged
from shared.kernel import event_log, items
from shared.kernel.database import Transaction
from shared.kernel.errors import ConsentTextUnknown, ConsentVersionConflict, NotFound
from shared.kernel.events import ContextBlocked, ContextSaved
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.lineage.sql import lineage
from shared.outbox.job_kinds import LEARN_MEMORY, MEMORY_INDEX, TRAIT_REFLECT
from shared.outbox.sql import outbox
from shared.preferences.sql import support


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a person agrees to, and what they say about themselves.

    Args:
        scopes: those the person mentions; the others stay as they were (`agreed`).
        preferences: fields of the profile; None deletes one, and those that are missing stay.
        explicit_prompt_shown: the person was asked about their positions in so many words.
        text_version: of the wording they saw; None means the current one.
        channel: whether the person's own client or a service sent it.
    """

    scopes: Mapping[Scope, bool]
    preferences: Mapping[str, str | None]
    explicit_prompt_shown: bool
    text_version: str | None
    locale: str
    channel: str


def grant_consent(tx: Transaction, subject: Subject, grant: Grant, *, terms: Terms, actor: str) -> Granted:
    """Record a new version of a person's consent, and write the profile anew from it.

    Scopes that end are withdrawn with it, and what rested on them goes, by an operation of its own. A profile that
    changed is erased like anything forgotten, also by an operation of its own.

    Raises:
        ConsentTextUnknown: the wording they saw is not the current one; or it is not named, and what they agreed to
            before was another.
        ContextTooLarge: the profile has more than 8 KiB.
        SubjectBusy: the fence could not be taken in time.
    """
    if grant.text_version not in (None, terms.consent.text_version):
        raise ConsentTextUnknown(terms.consent.text_version)
    subject = fenced(tx, subject)
    before = consents.current(tx, subject.id)
    other = before is not None and before.revoked_at is None and before.text_version != terms.consent.text_version
    if grant.text_version is None and other:
        raise ConsentTextUnknown(terms.consent.text_version)
    scopes, withdrawal = agreed(grant.scopes, before, terms.consent), None
    if before is not None and (dropped := before.scopes - scopes):
        withdrawal = ForgetRequest(actor=actor)
        withdraw(tx, subject, dropped, withdrawal, terms=terms)
    if terms.consent.covers_memories and (before is None or not before.save_to_profile):
        _learn_nothing_said_before(tx, subject)  # consenting again restores nothing
    granted = record_grant(
        tx,
        subject,
        scopes,
        text_version=terms.consent.text_version,
        locale=grant.locale,
        channel=grant.channel,
        actor=actor,
    )
    if granted.consent.save_to_profile:
        _rewrite_profile(tx, subject, grant, granted.consent, first=before is None, actor=actor)
    return replace(granted, withdrawal=withdrawal.operation_id if withdrawal else None)


def withdraw_consent(
    tx: Transaction,
    subject: Subject,
    consent_id: UUID,
    scope: Scope | None,
    request: ForgetRequest,
    *,
    terms: Terms,
) -> UUID:
    """Withdraw one scope of a consent, or all; return the operation that erases what rested on it.

    Withdrawing again answers the same operation.

    Raises:
        NotFound: the consent is not this person's.
        ConsentVersionConflict: a later grant replaced it.
        SubjectBusy: the fence could not be taken in time.
    """
    subject = fenced(tx, subject)
    named, current = consents.read(tx, subject.id, consent_id), consents.current(tx, subject.id)
    if named is None or current is None:
        raise NotFound("consent")
    if named.grant_id != current.grant_id:
        raise ConsentVersionConflict(current.id)
    scopes = (scope,) if scope else SCOPES
    if earlier := consents.withdrawn_by(tx, subject.id, current.grant_id, scopes):
        return earlier
    withdraw(tx, subject, scopes, request, terms=terms)
    return request.operation_id


def withdraw(
    tx: Transaction, subject: Subject, scopes: Collection[Scope], request: ForgetRequest, *, terms: Terms
) -> None:
    """Withdraw scopes of the consent that holds: from this commit on, no prompt is given what rested on them.

    Call it under the closed fence. Task contexts stay until their day is over; telemetry holds nothing of the person.
    """
    current = consents.current(tx, subject.id)
    if current is None:
        return
    version = record_withdrawal(tx, subject, current, scopes, operation_id=request.operation_id, actor=request.actor)
    if not version.save_to_thread and "save_to_thread" in scopes:
        for id_ in contexts.block(tx, subject):
            event_log.append(tx, subject, id_, [ContextBlocked()], actor=request.actor)
    if "training_use_allowed" in scopes:
        revoke_candidates(tx, subject, actor=request.actor)
        if version.save_to_profile or version.save_to_thread:
            contexts.exclude_from_training(tx, subject)
    if terms.consent.covers_memories and "save_to_profile" in scopes:
        _learn_nothing_said_before(tx, subject)
    gone = _resting_on(tx, subject, scopes, version, terms)
    accept_forget(
        tx,
        subject,
        request,
        "revocation",
        gone,
        preferences=False,
        noted={"consent": {**said_of(version), "withdrawn": sorted(scopes)}},
    )


def _learn_nothing_said_before(tx: Transaction, subject: Subject) -> None:
    outbox.drop_derivations(tx, subject.id, kinds=(LEARN_MEMORY, MEMORY_INDEX, TRAIT_REFLECT))
    messages.stop_learning(tx, subject)


def withdraw_again(
    tx: Transaction,
    subject: Subject,
    said: Mapping[str, Any],
    request: ForgetRequest,
    *,
    named: Mapping[str, Sequence[UUID]],
) -> None:
    """Repeat a withdrawal after a backup was restored.

    Args:
        said: what the ledger recorded of it.
        named: the items it erased that the backup holds.

    A grant that the backup lacks is not repeated: the person is asked again.
    """
    subject = fenced(tx, subject)
    scopes = [scope for scope in SCOPES if scope in said["withdrawn"]]
    if (current := consents.current(tx, subject.id)) is not None:
        record_withdrawal(tx, subject, current, scopes, operation_id=request.operation_id, actor=request.actor)
    if "save_to_thread" in scopes:
        contexts.block(tx, subject)
    if "training_use_allowed" in scopes:
        revoke_candidates(tx, subject, actor=request.actor)
        contexts.exclude_from_training(tx, subject)
    gone = {kind: list(ids) for kind, ids in named.items()}
    if "save_to_profile" in scopes:
        gone = merged(gone, {"context": contexts.ids_of_scope(tx, subject, "profile")})
    gone = merged(gone, lineage.derived_text(tx, gone))
    accept_forget(tx, subject, request, "revocation", gone, preferences=False, noted={"consent": dict(said)})


def _resting_on(
    tx: Transaction, subject: Subject, withdrawn: Collection[Scope], after: Consent, terms: Terms
) -> dict[str, Sequence[UUID]]:
    """Return the items to erase with the withdrawn scopes, by kind, including those imported before any consent."""
    gone: dict[str, Sequence[UUID]] = {}
    if "save_to_profile" in withdrawn and not after.save_to_profile:
        gone["context"] = contexts.ids_of_scope(tx, subject, "profile")
        if terms.consent.covers_memories:
            kinds = ("memory", "document", "trait", "observation")
            theirs = {kind: items.ids_of(tx, subject.id, kind, generation=subject.generation) for kind in kinds}
            # Feedback holds words of the answers and memories it is about.
            gone |= merged(theirs, lineage.derived_text(tx, theirs), support.everything(tx, subject))
    if {"save_to_profile", "save_to_thread"}.intersection(withdrawn) and not (
        after.save_to_profile or after.save_to_thread
    ):
        gone["drift"] = drift.ids_of(tx, subject)
    return {kind: ids for kind, ids in gone.items() if ids}


def going_with(tx: Transaction, subject: Subject, scope: Scope, *, terms: Terms) -> dict[str, int]:
    """Return how many items end if a scope is withdrawn, by kind: erased, or of threads no longer loaded.

    Of a scope that was never given too: what was kept before anybody had to be asked goes with a withdrawal.
    """
    current = consents.current(tx, subject.id)
    if current is None or current.revoked_at is not None:
        return {}
    after = current.holding(current.without([scope]), id_=current.id, version=current.version, revoked_at=None)
    resting = _resting_on(tx, subject, [scope], after, terms)
    # Drift is seen in exports only; what is being erased already goes anyway.
    counts = {kind: items.count_visible(tx, kind, ids) for kind, ids in resting.items() if kind != "drift"}
    if scope == "save_to_thread":
        counts["thread"] = contexts.count_loaded_threads(tx, subject)
    if scope == "training_use_allowed":
        counts["candidate"] = candidates.count_open(tx, subject)
    return {kind: count for kind, count in counts.items() if count}


def _rewrite_profile(
    tx: Transaction, subject: Subject, grant: Grant, consent: Consent, *, first: bool, actor: str
) -> None:
    stored = contexts.of_scope(tx, subject.id, "profile")
    before = newest_of_each([one.fields for one in stored])
    # Positions are written only if the person was asked about them; deleting one needs no question.
    given = {
        name: value
        for name, value in grant.preferences.items()
        if value is None or may_hold("profile", name, explicit_prompt_shown=grant.explicit_prompt_shown)
    }
    fields = rewritten(before, given)
    if fields == before:
        return
    if stored:
        accept_forget(
            tx,
            subject,
            ForgetRequest(actor=actor),
            "selection",
            {"context": [one.id for one in stored]},
            preferences=False,
        )
    if fields:
        context_id = new_id()
        contexts.add(
            tx,
            subject,
            context_id,
            "profile",
            checked(fields),
            written_by="onboarding" if first else "review",
            consent_id=consent.id,
        )
        saved = ContextSaved(scope="profile", written_by="onboarding" if first else "review")
        event_log.append(tx, subject, context_id, [saved], actor=actor)
