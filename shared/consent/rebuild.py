"""Rebuild the consents from events."""

from __future__ import annotations

from shared.consent.rules.consents import SCOPES, Consent
from shared.consent.sql import consents
from shared.kernel import event_log, subjects
from shared.kernel.database import Transaction
from shared.kernel.events import ConsentGranted, ConsentRevoked, ConsentScopeRevoked


def rebuild_consents(tx: Transaction) -> int:
    """Empty the consents and fold them again; return how many versions there are."""
    consents.delete_all(tx)
    count = 0
    for _, subject_id, generation, history in event_log.histories(tx, "consent"):
        subject = subjects.read(tx, subject_id)
        if subject is None or subject.generation != generation:
            continue
        current: Consent | None = None
        for event, _ in history:
            if isinstance(event, ConsentGranted):
                current = Consent(
                    id=event.consent_id,
                    grant_id=event.consent_id,
                    version=event.version,
                    **{scope: scope in event.scopes for scope in SCOPES},
                    text_version=event.text_version,
                    locale=event.locale,
                    channel=event.channel,
                    granted_at=event.at,
                    revoked_at=None,
                )
                consents.add(tx, subject, current, operation_id=event.operation_id)
            elif isinstance(event, ConsentScopeRevoked | ConsentRevoked) and current is not None:
                left = current.scopes - set(event.scopes)
                current = current.holding(
                    left,
                    id_=event.consent_id,
                    version=event.version,
                    revoked_at=event.at if isinstance(event, ConsentRevoked) else None,
                )
                withdrawn = [scope for scope in SCOPES if scope in event.scopes]
                consents.add(tx, subject, current, operation_id=event.operation_id, withdrawn=withdrawn)
            else:
                continue
            count += 1
    return count
