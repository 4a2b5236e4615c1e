"""Which messages belong together: a turn runs up to the next completed assistant message of its session."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """Where a conversation stands: the number of its newest turn, and whether messages still join it."""

    turn: int = 0
    is_open: bool = False
    has_user_message: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What recording one message means for turns.

    `completes` is true when the message ends a turn that holds a user message: that turn becomes an
    episode and is learned from. A turn that never gets there waits for the session's end.
    """

    state: TurnState
    completes: bool


def place(state: TurnState, *, role: str, completed: bool) -> Placed:
    """Put the next message of a session into its turn."""
    if not state.is_open:
        state = TurnState(turn=state.turn + 1, is_open=True)
    if role == "user":
        state = replace(state, has_user_message=True)
    if role == "assistant" and completed:
        return Placed(state=replace(state, is_open=False), completes=state.has_user_message)
    return Placed(state=state, completes=False)
