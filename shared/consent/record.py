"""Record what a person consents to, and what they withdraw: a new version each time (FC-02)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID, uuid4

from shared.consent.rules.consents import SCOPES, Consent, Scope
from shared.consent.sql import consents
from shared.kernel import event_log
from shared.kernel.database import Transaction
from shared.kernel.events import ConsentGranted, ConsentRecorded, ConsentRevoked, ConsentScopeRevoked
from shared.kernel.ids import OperationId
from shared.kernel.new_ids import new_id
from shared.kernel.subjects import Subject
from shared.outbox.job_kinds import CONSENT_GRANT, RECORD_ACCEPTED
from shared.outbox.sql import operations
from shared.outbox.sql.targets import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """A new version, and the operation that has it recorded in the ledger.

    Args:
        withdrawal: the operation that erases what rested on scopes that ended.
    """

    consent: Consent
    operation_id: OperationId
    receipt_id: UUID
    withdrawal: OperationId | None = None


def record_grant(
    tx: Transaction,
    subject: Subject,
    scopes: Collection[Scope],
    *,
    text_version: str,
    locale: str,
    channel: str,
    actor: str,
) -> Granted:
    """Add a version with these scopes, and queue its signed record: who, when, which wording, locale and channel.

    Call it under the fence.
    """
    consent_id, operation_id, receipt_id = new_id(), OperationId(new_id()), uuid4()
    consent = Consent(
        id=consent_id,
        grant_id=consent_id,
        version=consents.newest_version(tx, subject) + 1,
        **{scope: scope in scopes for scope in SCOPES},
        text_version=text_version,
        locale=locale,
        channel=channel,
        granted_at=tx.now(),
        revoked_at=None,
    )
    consents.add(tx, subject, consent, operation_id=operation_id)
    target = Target(
        operation_id=operation_id,
        subject_id=subject.id,
        scope="consent",
        generation=subject.generation,
        namespace=subject.namespace,
        noted={"consent": said_of(consent)},
    )
    operations.accept(
        tx,
        subject,
        target,
        ConsentRecorded(consent_id=consent_id, version=consent.version),
        actor=actor,
        hidden={},
        type_=CONSENT_GRANT,
        ready={"ledger": RECORD_ACCEPTED},
        waiting=[],
        receipt_id=receipt_id,
    )
    event = ConsentGranted(
        consent_id=consent_id,
        version=consent.version,
        scopes=sorted(consent.scopes),
        text_version=text_version,
        locale=locale,
        channel=channel,
        at=consent.granted_at,
        operation_id=operation_id,
    )
    event_log.append(tx, subject, subject.id, [event], actor=actor)
    return Granted(consent=consent, operation_id=operation_id, receipt_id=receipt_id)


def record_withdrawal(
    tx: Transaction, subject: Subject, consent: Consent, scopes: Collection[Scope], *, operation_id: UUID, actor: str
) -> Consent:
    """Add a version without these scopes; with all of them, the person withdrew everything (decision 15).

    Args:
        operation_id: the operation that erases what rested on them.
    """
    left, everything = consent.without(scopes), set(scopes) == set(SCOPES)
    version = consent.holding(
        left,
        id_=new_id(),
        version=consents.newest_version(tx, subject) + 1,
        revoked_at=tx.now() if everything else None,
    )
    consents.add(tx, subject, version, operation_id=operation_id, withdrawn=scopes)
    kind = ConsentRevoked if everything else ConsentScopeRevoked
    event = kind(
        consent_id=version.id,
        version=version.version,
        scopes=[str(scope) for scope in sorted(scopes)],
        at=tx.now(),
        operation_id=operation_id,
    )
    event_log.append(tx, subject, subject.id, [event], actor=actor)
    return version


def said_of(consent: Consent) -> dict[str, object]:
    """Return what the ledger records of a version: no name, no text, no preference."""
    return {
        "consent": str(consent.id),
        "version": consent.version,
        "scopes": sorted(consent.scopes),
        "text_version": consent.text_version,
        "locale": consent.locale,
        "channel": consent.channel,
    }
