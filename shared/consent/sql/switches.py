"""The stored switches of each person."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Final
from uuid import UUID

from sqlalchemy import DateTime, Integer, bindparam, func, select
from sqlalchemy.dialects.postgresql import insert

from shared.consent.rules.switches import Switches
from shared.consent.sql.tables import user_settings, visible_settings
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject

NAMES = tuple(field.name for field in fields(Switches))

_OF_PERSON: Final = select(
    *(visible_settings.c[name] for name in NAMES), visible_settings.c.version, visible_settings.c.updated_at
).where(visible_settings.c.subject_id == bindparam("subject"))
_GIVEN_VERSION: Final = bindparam("given_version", type_=Integer)
_GIVEN_TIME: Final = bindparam("given_time", type_=DateTime(timezone=True))
_ADD: Final = insert(user_settings).values(
    version=func.coalesce(_GIVEN_VERSION, 1), updated_at=func.coalesce(_GIVEN_TIME, func.now())
)
_SAVE: Final = _ADD.on_conflict_do_update(
    index_elements=[user_settings.c.subject_id],
    set_={name: _ADD.excluded[name] for name in (*NAMES, "updated_at")}
    | {"version": func.coalesce(_GIVEN_VERSION, user_settings.c.version + 1)},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSwitches:
    """The switches of a person who changed at least one."""

    switches: Switches
    version: int
    updated_at: datetime


def read(tx: Transaction, subject_id: UUID) -> SavedSwitches | None:
    """Return a person's switches, or None if they never changed any."""
    row = tx.row(_OF_PERSON, subject=subject_id)
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
        _SAVE,
        subject_id=subject.id,
        user_id=subject.user_id,
        given_version=version,
        given_time=at,
        **asdict(switches),
    )


def delete_all(tx: Transaction) -> None:
    """Empty the read model before it is rebuilt from events."""
    tx.run("delete from user_settings")
