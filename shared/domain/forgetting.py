"""What a forget takes with it, and when it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from uuid import UUID

from shared.domain.work import ERASE_MEM0, ERASE_MILVUS, ERASE_POSTGRES, REDERIVE, VERIFY

Scope: TypeAlias = Literal["message", "conversation", "user", "clear", "selection"]

CONFIRMATIONS: Final = frozenset({"FORGET EVERYTHING", "忘掉一切"})
"""What a person types before everything goes; checked here, not only in a dialog."""

ERASE_STEPS: Final = {"postgres": ERASE_POSTGRES, "milvus": ERASE_MILVUS, "mem0": ERASE_MEM0}
"""Steps that run at once and independently: a store that is down never holds up another."""

FINAL_STEPS: Final = {"rederive": REDERIVE, "verify": VERIFY}
"""Steps that run in this order when every erase step has closed."""

ALL_STEPS: Final = {**ERASE_STEPS, **FINAL_STEPS}

OPERATION_TYPES: Final[dict[Scope, str]] = {
    "message": "forget_message",
    "conversation": "forget_conversation",
    "user": "forget_user",
    "clear": "forget_clear",
    "selection": "forget_selection",
}

KINDS_LEARNED_FROM_A_TURN: Final = ("episode", "memory")
"""What goes when any message of its turn goes, whichever side it was mapped to (decision 23)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMember:
    """A message of the turn a forgotten message belongs to."""

    message_id: UUID
    role: str


def messages_to_forget(named: UUID, turn: Sequence[TurnMember], *, cascade: bool) -> tuple[UUID, ...]:
    """Return the messages that go when `named` is forgotten: itself, or with `cascade` its whole turn."""
    return tuple(member.message_id for member in turn) if cascade else (named,)


def next_steps(statuses: dict[str, str]) -> tuple[str, ...]:
    """Return the names of the steps that may start now.

    Args:
        statuses: every step of one operation with its status.
    """
    for name in (*FINAL_STEPS,):
        if statuses.get(name) == "waiting":
            before = [status for other, status in statuses.items() if other != name and _precedes(other, name)]
            return (name,) if all(status == "succeeded" for status in before) else ()
    return ()


def progress(statuses: dict[str, str]) -> float:
    """Return the closed share of an operation's steps, 0…1."""
    closed = sum(status == "succeeded" for status in statuses.values())
    return closed / len(statuses) if statuses else 1.0


def _precedes(step: str, later: str) -> bool:
    order = [*ALL_STEPS]
    return order.index(step) < order.index(later)
