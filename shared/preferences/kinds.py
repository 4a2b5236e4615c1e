"""The item kinds of feedback and of preference signals."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind
from shared.preferences.sql import feedback, signals, tables

SIGNAL: Final = ItemKind(
    name="signal",
    record="preference_signal",
    table=tables.preference_signals,
    visible=tables.visible_preference_signals,
    contents=(tables.preference_signal_contents.c.signal_id,),
    in_conversation=tables.preference_signals.c.at_seq,
    in_lineage=True,
    selectable=True,
    recorded=True,
    summary=signals.AS_DERIVED,
)
FEEDBACK: Final = ItemKind(
    name="feedback",
    record="feedback",
    table=tables.feedback,
    visible=tables.visible_feedback,
    contents=(tables.feedback_contents.c.feedback_id,),
    in_conversation=tables.feedback.c.at_seq,
    in_lineage=True,
    selectable=True,
    recorded=True,
    summary=feedback.AS_DERIVED,
)
