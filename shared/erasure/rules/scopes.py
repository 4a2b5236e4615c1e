"""Scopes of a forget, and the operation of each."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Scope: TypeAlias = Literal["message", "conversation", "user", "clear", "selection", "revocation", "expiry"]

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
