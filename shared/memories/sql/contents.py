"""SQL for what memories hold: words, task, emotion, and what another program keeps with them (X-10)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.emotions import Emotion
from shared.kernel.metadata import Metadata


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What the contents table keeps of a memory."""

    text: str
    task_hint: str | None = None
    emotion: Emotion | None = None
    metadata: Metadata | None = None
    external_id: str | None = None


def add_contents(tx: Transaction, subject_id: UUID, contents: Mapping[UUID, Content]) -> None:
    """Insert the contents of a person's memories."""
    tx.run_many(
        """
        insert into memory_contents (memory_id, subject_id, text, task_hint, emotion, metadata, external_id)
        values (:id, :subject, :text, :task_hint, :emotion, :metadata, :external_id)
        """,
        [
            {
                "id": memory_id,
                "subject": subject_id,
                "text": one.text,
                "task_hint": one.task_hint,
                "emotion": as_json(asdict(one.emotion)) if one.emotion else None,
                "metadata": as_json(one.metadata),
                "external_id": one.external_id,
            }
            for memory_id, one in contents.items()
        ],
    )


def called(tx: Transaction, subject_id: UUID, external_id: str) -> UUID | None:
    """Return the visible memory in force that another program calls this; the newest, should an undo bring back two."""
    row = tx.row(
        """
        select m.id from visible_memories m
        where m.subject_id = :subject and m.external_id = :external_id
          and m.id not in (select superseded_memories(:subject))
        order by m.id desc limit 1
        """,
        subject=subject_id,
        external_id=external_id,
    )
    return row["id"] if row else None


def as_json(value: Mapping[str, Any] | None) -> str | None:
    """Return an object as JSON for a parameter; None stays None."""
    return None if value is None else json.dumps(value, ensure_ascii=False)
