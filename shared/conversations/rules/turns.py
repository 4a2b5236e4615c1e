"""Group messages into turns: a turn ends with the next completed assistant message of its session."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnState:
    """The newest turn of a conversation: its number, and whether messages still join it."""

    turn: int = 0
    is_open: bool = False
    has_user_message: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """The turn state after recording one message.

    `completes` is true if the message ends a turn with a user message; that turn becomes an episode and is learned
    from. Other turns are processed when the session ends.
    """

    state: TurnState
    completes: bool


def place(state: TurnState, *, role: str, completed: bool) -> Placed:
    """Assign the next message of a session to a turn."""
    if not state.is_open:
        state = TurnState(turn=state.turn + 1, is_open=True)
    if role == "user":
        state = replace(state, has_user_message=True)
    if role == "assistant" and completed:
        return Placed(state=replace(state, is_open=False), completes=state.has_user_message)
    return Placed(state=state, completes=False)
