"""Scopes and formats of exports, and which forget revokes a package (MC-12)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Scope: TypeAlias = Literal["user", "conversation", "selection"]
Format: TypeAlias = Literal["zip", "json", "markdown", "finclaw"]
Language: TypeAlias = Literal["en", "zh"]
Reason: TypeAlias = Literal["forgotten", "expired", "restored"]
"""Why a package was withdrawn."""

OPERATION_TYPES: Final[dict[Scope, str]] = {
    "user": "export_user",
    "conversation": "export_conversation",
    "selection": "export_selection",
}

STEP: Final = "package"

AT_ONCE: Final = 10
"""Maximum number of packages per person, including those being written."""


def covers(
    exported: Scope,
    conversation_id: object,
    *,
    format_: Format,
    forgotten: str,
    forgotten_in: object,
    feedback_goes: bool = False,
) -> bool:
    """Return whether a package may contain data that a forget erases.

    A conversation's package contains only that conversation, so a forget in another one does not affect it, unless
    feedback goes with it: that may have been given here about a memory from there. Selections and full exports may
    contain data of any conversation.

    Args:
        exported, conversation_id, format_: scope of the package, its conversation, and how it is laid out.
        forgotten: the forget's scope.
        forgotten_in: its conversation, if it has one.
        feedback_goes: whether it erases feedback, or what was learned from feedback.
    """
    if forgotten == "expiry":  # what was said for tasks is in no other layout
        return format_ == "finclaw"
    if exported != "conversation" or forgotten in ("user", "selection") or feedback_goes:
        return True
    return forgotten_in is None or forgotten_in == conversation_id
