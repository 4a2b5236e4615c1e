"""What a forget takes with it, and when it is done."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Scope: TypeAlias = Literal["message", "conversation", "user", "clear", "selection"]

CONFIRMATIONS: Final = frozenset({"FORGET EVERYTHING", "忘掉一切"})
"""What a person types before everything goes; checked here, not only in a dialog."""

UNDO_SECONDS_MAX: Final = 60
"""For longer nothing can be undone: meanwhile derivations wait, and what is forgotten is still there."""

OPERATION_TYPES: Final[dict[Scope, str]] = {
    "message": "forget_message",
    "conversation": "forget_conversation",
    "user": "forget_user",
    "clear": "forget_clear",
    "selection": "forget_selection",
}

KINDS_LEARNED_FROM_A_TURN: Final = ("episode", "memory")
"""What goes when any message of its turn goes, whichever side it was mapped to (decision 23)."""
