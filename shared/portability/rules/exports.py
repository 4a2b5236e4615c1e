"""What a person takes with them: scopes, formats, and which forget ends a package (MC-12)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Scope: TypeAlias = Literal["user", "conversation", "selection"]
Format: TypeAlias = Literal["zip", "json", "markdown"]
Language: TypeAlias = Literal["en", "zh"]
Reason: TypeAlias = Literal["forgotten", "expired", "restored"]
"""Why a package cannot be had any more."""

OPERATION_TYPES: Final[dict[Scope, str]] = {
    "user": "export_user",
    "conversation": "export_conversation",
    "selection": "export_selection",
}

STEP: Final = "package"

AT_ONCE: Final = 10
"""So many packages of one person at once, those still being written included."""


def covers(exported: Scope, conversation_id: object, *, forgotten: str, forgotten_in: object) -> bool:
    """Return whether a package may hold something of what a forget takes.

    A conversation's package holds nothing but that conversation: forgetting in another one leaves it. A selection of
    memories or messages may reach into any, and so does whatever is not of one conversation.

    Args:
        exported, conversation_id: what the package is of.
        forgotten: the forget's scope.
        forgotten_in: its conversation, if it has one.
    """
    if exported != "conversation" or forgotten in ("user", "selection"):
        return True
    return forgotten_in is None or forgotten_in == conversation_id
