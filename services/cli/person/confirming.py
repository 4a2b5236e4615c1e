"""Asking before something is done that cannot be taken back, the same way for every command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.cli.person.client import Wire
from services.cli.person.screen import Screen
from services.cli.refusal import UNCONFIRMED, Refusal
from services.cli.terminal import ask, is_attended, said


def agreed(
    screen: Screen, question: str, *, nothing: str, yes: bool, explain: Callable[[], None] | None = None
) -> None:
    """Have it confirmed by whoever is there.

    Args:
        question: what is asked, without how to answer.
        nothing: what has happened when it is not confirmed, such as `nothing was forgotten`.
        yes: it was confirmed beforehand; nobody is asked.
        explain: says what it means, once somebody is there.

    Raises:
        Refusal: nobody is there to ask (5), or they said no (1).
    """
    if yes:
        return
    need_somebody(screen, nothing=nothing, option="--yes")
    if explain is not None:
        explain()
    if not says_yes(question):
        raise Refusal(nothing)


@contextmanager
def accepted_or_null(screen: Screen, document: Wire) -> Iterator[None]:
    """Print `document` with nothing accepted when what is confirmed in the block is refused, if JSON was asked for."""
    try:
        yield
    except Refusal:
        screen.document({**document, "accepted": None})
        raise


def need_somebody(screen: Screen, *, nothing: str, option: str) -> None:
    """Refuse where nobody can be asked: no terminal, or one that a program reads as JSON.

    Args:
        nothing: what has happened then.
        option: what confirms it there.

    Raises:
        Refusal: nobody can be asked (5).
    """
    if screen.as_json or not is_attended():
        raise Refusal(
            said(
                f"{nothing}: nobody is there to ask; {option} confirms it", f"{nothing}：无人可问；可用 {option} 确认"
            ),
            UNCONFIRMED,
        )


def says_yes(question: str) -> bool:
    """Ask whoever is there, and return whether they agree."""
    return is_yes(ask(question + said(" yes or no: ", "输入 yes 或 no：")))


def is_yes(answer: str) -> bool:
    """Whether an answer agrees; anything else does not."""
    return answer.lower() in {"y", "yes", "是", "好"}
