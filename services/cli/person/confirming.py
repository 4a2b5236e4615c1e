"""Confirmation before irreversible actions, the same for every command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from services.cli.exit_codes import UNCONFIRMED, Refusal
from services.cli.person.client import Wire
from services.cli.person.screen import Screen
from services.cli.terminal import ask, is_attended, said


def agreed(
    screen: Screen, question: str, *, nothing: str, yes: bool, explain: Callable[[], None] | None = None
) -> None:
    """Ask the user for confirmation.

    Args:
        question: the question, without how to answer.
        nothing: the result without confirmation, such as `nothing was forgotten`.
        yes: it was confirmed beforehand; nobody is asked.
        explain: explains the consequences, if a user can be asked.

    Raises:
        Refusal: nobody can be asked (5), or they refused (1).
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
    """If the confirmation in the block is refused and JSON was requested, print `document` with `accepted` null."""
    try:
        yield
    except Refusal:
        screen.document({**document, "accepted": None})
        raise


def need_somebody(screen: Screen, *, nothing: str, option: str) -> None:
    """Refuse if nobody can be asked: there is no terminal, or the output is JSON for a program.

    Args:
        nothing: the result in this case.
        option: the option that confirms instead.

    Raises:
        Refusal: nobody can be asked (5).
    """
    if screen.as_json or not is_attended():
        raise Refusal(
            said(
                f"{nothing}: nobody is there to ask; {option} confirms it",
                f"{nothing}：没有终端，无法询问；可用 {option} 确认",
            ),
            UNCONFIRMED,
        )


def says_yes(question: str) -> bool:
    """Ask the user, and return whether they agree."""
    return is_yes(ask(question + said(" yes or no: ", "输入 yes 或 no：")))


def is_yes(answer: str) -> bool:
    """Return whether an answer agrees."""
    return answer.lower() in {"y", "yes", "是", "好"}
