"""Scopes of a forget, and its constants."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Scope: TypeAlias = Literal["message", "conversation", "user", "clear", "selection", "revocation", "expiry"]

CONFIRMATIONS: Final = frozenset({"FORGET EVERYTHING", "忘掉一切"})
"""Phrases a person types before everything is erased; checked on the server, not only in a dialog."""

UNDO_SECONDS_MAX: Final = 60
"""Longest time to undo a forget; meanwhile derivations wait and forgotten data is still stored."""

OPERATION_TYPES: Final[dict[Scope, str]] = {
    "message": "forget_message",
    "conversation": "forget_conversation",
    "user": "forget_user",
    "clear": "forget_clear",
    "selection": "forget_selection",
    "revocation": "consent_revocation",
    "expiry": "context_expiry",
}

KINDS_LEARNED_FROM_A_TURN: Final = ("episode", "memory")
"""Kinds erased when any message of their turn is erased, whichever message they were mapped to (decision 23)."""
