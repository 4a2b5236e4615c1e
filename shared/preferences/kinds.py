"""The item kinds of feedback and of preference signals."""

from __future__ import annotations

from typing import Final

from shared.kernel.items import ItemKind

SIGNAL: Final = ItemKind(
    name="signal",
    record="preference_signal",
    table="preference_signals",
    visible="visible_preference_signals",
    contents=(("preference_signal_contents", "signal_id"),),
    in_conversation="at_seq",
    in_lineage=True,
    selectable=True,
    recorded=True,
    summary="select id, label, null as content, recorded_at as made_at from visible_preference_signals",
)
FEEDBACK: Final = ItemKind(
    name="feedback",
    record="feedback",
    table="feedback",
    visible="visible_feedback",
    contents=(("feedback_contents", "feedback_id"),),
    in_conversation="at_seq",
    in_lineage=True,
    selectable=True,
    recorded=True,
    summary="select id, coalesce(action, 'rating') as label, null as content, recorded_at as made_at"
    " from visible_feedback",
)
