"""The item kinds of drift: what a thread held, and signals that a view changed."""

from __future__ import annotations

from typing import Final

from shared.drift.packages import DRIFT as DRIFT_IN_PACKAGES
from shared.drift.packages import NOTES
from shared.drift.sql import drift, tables
from shared.kernel.items import ItemKind

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
    on_forget=drift.end_forgotten,
    in_packages=DRIFT_IN_PACKAGES,
)
