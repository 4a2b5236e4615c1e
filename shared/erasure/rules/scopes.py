"""What a forget takes with it, and when it is done."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from shared.outbox.job_kinds import (
    ERASE_FILES,
    ERASE_MEM0,
    ERASE_MILVUS,
    ERASE_POSTGRES,
    RECORD_ACCEPTED,
    RECORD_VERIFIED,
    REDERIVE,
    VERIFY,
)

Scope: TypeAlias = Literal["message", "conversation", "user", "clear", "selection"]

CONFIRMATIONS: Final = frozenset({"FORGET EVERYTHING", "忘掉一切"})
"""What a person types before everything goes; checked here, not only in a dialog."""

UNDO_SECONDS_MAX: Final = 60
"""For longer nothing can be undone: meanwhile derivations wait, and what is forgotten is still there."""

STAGES: Final = (
    {"ledger": RECORD_ACCEPTED},
    {"postgres": ERASE_POSTGRES, "milvus": ERASE_MILVUS, "mem0": ERASE_MEM0, "files": ERASE_FILES},
    {"rederive": REDERIVE},
    {"verify": VERIFY},
    {"receipt": RECORD_VERIFIED},
)
"""Step name → outbox kind. A stage starts when the one before has closed; its steps run independently, so that a store
that is down never holds up another."""

OPERATION_TYPES: Final[dict[Scope, str]] = {
    "message": "forget_message",
    "conversation": "forget_conversation",
    "user": "forget_user",
    "clear": "forget_clear",
    "selection": "forget_selection",
}

KINDS_LEARNED_FROM_A_TURN: Final = ("episode", "memory")
"""What goes when any message of its turn goes, whichever side it was mapped to (decision 23)."""


def next_steps(statuses: dict[str, str]) -> dict[str, str]:
    """Return the steps that may start now, with their outbox kinds.

    Args:
        statuses: every step of one operation with its status.
    """
    for stage in STAGES:
        if waiting := {name: kind for name, kind in stage.items() if statuses.get(name) == "waiting"}:
            return waiting
        if any(statuses.get(name, "succeeded") != "succeeded" for name in stage):
            return {}
    return {}
