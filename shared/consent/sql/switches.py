"""The stored switches of each person."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from uuid import UUID

from shared.consent.rules.switches import Switches
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

NAMES = tuple(field.name for field in fields(Switches))


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSwitches:
    """The switches of a person who changed at least one."""

    switches: Switches
    version: int
    updated_at: datetime


def read(tx: Transaction, subject_id: UUID) -> SavedSwitches | None:
    """Return a person's switches, or None if they never changed any."""
    row = tx.row(
        f"select {', '.join(NAMES)}, version, updated_at from visible_settings where subject_id = :subject",  # noqa: S608
        subject=subject_id,
    )
    if row is None:
        return None
    return SavedSwitches(
        switches=Switches(**{name: row[name] for name in NAMES}), version=row["version"], updated_at=row["updated_at"]
    )


def current(tx: Transaction, subject_id: UUID, *, defaults: Switches) -> Switches:
    """Return the effective switches: the person's, or else the deployment defaults."""
    saved = read(tx, subject_id)
    return saved.switches if saved else defaults


def save(
    tx: Transaction, subject: Subject, switches: Switches, *, version: int | None = None, at: datetime | None = None
) -> None:
    """Store the switches; `version` and `at` are given when events are replayed."""
    tx.run(
        f"""
        insert into user_settings (subject_id, user_id, {", ".join(NAMES)}, version, updated_at)
        values (:subject, :user_id, {", ".join(f":{name}" for name in NAMES)},
                coalesce(:version, 1), coalesce(:at, now()))
        on conflict (subject_id) do update set
          {", ".join(f"{name} = excluded.{name}" for name in NAMES)},
          version = coalesce(:version, user_settings.version + 1), updated_at = excluded.updated_at
        """,  # noqa: S608 # names come from the dataclass
        subject=subject.id,
        user_id=subject.user_id,
        version=version,
        at=at,
        **asdict(switches),
    )


def delete_all(tx: Transaction) -> None:
    """Empty the read model before it is rebuilt from events."""
    tx.run("delete from user_settings")
