"""Reads consents for packages, and writes those of a package as history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from shared.kernel.database import Row, Transaction


def consents(tx: Transaction, subject_id: UUID) -> Iterator[Row]:
    """Yield all versions of a person's consent."""
    return tx.stream(
        """
        select id, grant_id, version, create_task, save_to_thread, save_to_profile, training_use_allowed, text_version,
               locale, channel, granted_at, revoked_at, imported
        from visible_consents where subject_id = :subject order by id
        """,
        subject=subject_id,
    )


WRITE_CONSENTS: Final = """
  insert into profile_consents (id, subject_id, generation, grant_id, version, create_task, save_to_thread,
                                save_to_profile, training_use_allowed, text_version, locale, channel, granted_at,
                                revoked_at, imported)
  select i.here, :subject, :generation, (i.record ->> 'grant_id')::uuid, (i.record ->> 'version')::integer,
         (i.record ->> 'create_task')::boolean, (i.record ->> 'save_to_thread')::boolean,
         (i.record ->> 'save_to_profile')::boolean, (i.record ->> 'training_use_allowed')::boolean,
         i.record ->> 'text_version', i.record ->> 'locale', i.record ->> 'channel',
         (i.record ->> 'granted_at')::timestamptz, (i.record ->> 'revoked_at')::timestamptz, true
  from incoming i where i.kind = 'consent' and i.fate is null
  on conflict do nothing"""
