"""The versions of each person's consent; one row a version, the newest holds."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from typing import Final
from uuid import UUID

from sqlalchemy import bindparam, literal_column, select

from shared.consent.rules.consents import SCOPES, Consent, Scope
from shared.consent.sql.tables import visible_consents
from shared.kernel.database import Row, Transaction
from shared.kernel.subjects import Subject

_FIELDS: Final = ("id", "grant_id", "version", *SCOPES, "text_version", "locale", "channel", "granted_at", "revoked_at")
_V: Final = visible_consents.c
_CONSENTS: Final = select(*(_V[name] for name in _FIELDS)).where(_V.subject_id == bindparam("subject"))
_GIVEN_HERE: Final = _CONSENTS.where(~_V.imported)
_CURRENT: Final = _GIVEN_HERE.order_by(_V.version.desc()).limit(literal_column("1"))  # the plan knows the number
_HISTORY: Final = _CONSENTS.add_columns(_V.imported).order_by(_V.imported, _V.version.desc(), _V.id.desc())
_BY_ID: Final = _GIVEN_HERE.where(_V.id == bindparam("id"))


def current(tx: Transaction, subject_id: UUID) -> Consent | None:
    """Return the version that holds; None if the person never consented here."""
    row = tx.row(_CURRENT, subject=subject_id)
    return as_consent(row) if row else None


def history(tx: Transaction, subject_id: UUID) -> list[tuple[Consent, bool]]:
    """Return all versions, newest first, each with whether it came with an import."""
    return [(as_consent(row), row["imported"]) for row in tx.rows(_HISTORY, subject=subject_id)]


def read(tx: Transaction, subject_id: UUID, consent_id: UUID) -> Consent | None:
    """Return one version that was given here."""
    row = tx.row(_BY_ID, subject=subject_id, id=consent_id)
    return as_consent(row) if row else None


def withdrawn_by(tx: Transaction, subject_id: UUID, grant_id: UUID, scopes: Collection[Scope]) -> UUID | None:
    """Return the operation that withdrew all of these scopes from a grant, if they are withdrawn."""
    found: UUID | None = tx.value(
        """
        select operation_id from visible_consents
        where subject_id = :subject and grant_id = :grant and withdrawn @> cast(:scopes as text[])
        order by version limit 1
        """,
        subject=subject_id,
        grant=grant_id,
        scopes=sorted(scopes),
    )
    return found


def keeping_since(tx: Transaction, subject_id: UUID) -> UUID | None:
    """Return the version since which the person has agreed, without a gap, that something is kept with threads or in
    the profile; None if they do not.
    """
    found: UUID | None = tx.value(
        """
        with here as (
          select id, version, save_to_thread or save_to_profile as keeps from visible_consents
          where subject_id = :subject and not imported
        )
        select id from here where version > coalesce((select max(version) from here where not keeps), 0)
        order by version limit 1
        """,
        subject=subject_id,
    )
    return found


def add(
    tx: Transaction, subject: Subject, consent: Consent, *, operation_id: UUID | None, withdrawn: Collection[Scope] = ()
) -> None:
    """Insert a version. `withdrawn`: the scopes its operation withdrew."""
    tx.run(
        """
        insert into profile_consents (id, subject_id, generation, grant_id, version, create_task, save_to_thread,
                                      save_to_profile, training_use_allowed, text_version, locale, channel, granted_at,
                                      revoked_at, operation_id, withdrawn)
        values (:id, :subject, :generation, :grant_id, :version, :create_task, :save_to_thread, :save_to_profile,
                :training_use_allowed, :text_version, :locale, :channel, :granted_at, :revoked_at, :operation,
                :withdrawn)
        """,
        subject=subject.id,
        generation=subject.generation,
        operation=operation_id,
        withdrawn=sorted(withdrawn),
        **asdict(consent),
    )


def delete_all(tx: Transaction) -> None:
    """Empty the read model before it is rebuilt from events; imported versions have none and remain."""
    tx.run("delete from profile_consents where not imported")


def as_consent(row: Row) -> Consent:
    return Consent(**{name: row[name] for name in _FIELDS})


def newest_version(tx: Transaction, subject: Subject) -> int:
    """Return the number of the newest version given here; 0 if there is none."""
    number: int = tx.value(
        """
        select coalesce(max(version), 0) from profile_consents
        where subject_id = :subject and generation = :generation and not imported
        """,
        subject=subject.id,
        generation=subject.generation,
    )
    return number


def last_withdrawal(tx: Transaction, subject_id: UUID, scope: Scope) -> UUID | None:
    """Return the newest version that withdrew a scope; ids are in the order of time."""
    found: UUID | None = tx.value(
        """
        select id from visible_consents where subject_id = :subject and not imported and :scope = any(withdrawn)
        order by version desc limit 1
        """,
        subject=subject_id,
        scope=scope,
    )
    return found
