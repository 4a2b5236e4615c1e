"""The item kinds of drift: what a thread held, and signals that a view changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

from shared.drift.packages import DRIFT as DRIFT_IN_PACKAGES
from shared.drift.packages import NOTES
from shared.drift.sql import drift, tables
from shared.kernel.database import Transaction
from shared.kernel.items import Forgotten, ItemKind
from shared.kernel.subjects import Subject


def forget_drift(tx: Transaction, subject: Subject, forgotten: Forgotten) -> Mapping[str, Sequence[UUID]]:
    """Return the signals that compare something that is about to be forgotten: they end with it."""
    gone = [id_ for kind in ("feedback", "thread_note") for id_ in forgotten.hidden.get(kind, ())]
    found = drift.comparing(tx, subject, gone) if gone else []
    if forgotten.conversation_id is not None and forgotten.scope in ("conversation", "clear"):
        found += drift.of_conversation(tx, subject, forgotten.conversation_id, through=forgotten.through)
    return {"drift": found} if found else {}


THREAD_NOTE: Final = ItemKind(
    name="thread_note",
    record="thread_note",
    table=tables.thread_notes,
    visible=tables.visible_thread_notes,
    contents=(tables.thread_note_contents.c.note_id,),
    in_conversation=tables.thread_notes.c.at_seq,
    in_lineage=True,
    recorded=True,
    in_packages=NOTES,
)
DRIFT: Final = ItemKind(
    name="drift",
    record="drift",
    table=tables.persona_drift,
    visible=tables.visible_drift,
    contents=(tables.persona_drift_contents.c.drift_id,),
    in_lineage=True,
    recorded=True,
    on_forget=forget_drift,
    in_packages=DRIFT_IN_PACKAGES,
)
