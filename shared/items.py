"""Registration of all item kinds. A new kind needs its folder and a line here."""

from __future__ import annotations

from shared.consent.kinds import CONSENT
from shared.contexts.kinds import CANDIDATE, CONTEXT, TASK
from shared.conversations.kinds import CONVERSATION, EPISODE, MESSAGE, SUMMARY
from shared.documents.kinds import DOCUMENT
from shared.drift.kinds import DRIFT, THREAD_NOTE
from shared.kernel.items import register
from shared.memories.kinds import MEMORY
from shared.portability.kinds import EXPORT, IMPORT
from shared.preferences.kinds import FEEDBACK, SIGNAL
from shared.traits.kinds import OBSERVATION, REFLECTION, TRAIT


def register_kinds() -> None:
    """Register all kinds. Every process calls this at startup; calling it again changes nothing."""
    # In the order in which rows are erased: derived items before their sources.
    register(
        THREAD_NOTE,
        DRIFT,
        CANDIDATE,
        TASK,
        CONTEXT,
        CONSENT,
        REFLECTION,
        OBSERVATION,
        TRAIT,
        SIGNAL,
        FEEDBACK,
        SUMMARY,
        EPISODE,
        MEMORY,
        DOCUMENT,
        MESSAGE,
        EXPORT,
        IMPORT,
        CONVERSATION,
    )
