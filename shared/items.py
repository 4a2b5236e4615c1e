"""Every kind of thing a person has. A new one is its folder and a line here."""

from __future__ import annotations

from shared.conversations.kinds import CONVERSATION, EPISODE, MESSAGE, SUMMARY
from shared.kernel.items import register
from shared.memories.kinds import MEMORY
from shared.portability.kinds import EXPORT, IMPORT
from shared.preferences.kinds import FEEDBACK, SIGNAL


def register_kinds() -> None:
    """Tell the registry; every process does so where it starts. Doing it again changes nothing."""
    # In the order in which rows are erased: what is made of others goes before them.
    register(SIGNAL, FEEDBACK, SUMMARY, EPISODE, MEMORY, MESSAGE, EXPORT, IMPORT, CONVERSATION)
