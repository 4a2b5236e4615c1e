"""Errors of commands: one line and an exit code, never a traceback; and the exit codes of a person's commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import typer
from typer.core import TyperGroup

FAILED: Final = 1
USAGE: Final = 2
UNREACHABLE: Final = 3
NOT_FOUND: Final = 4
UNCONFIRMED: Final = 5
UNEXPECTED: Final = 70  # EX_SOFTWARE
INTERRUPTED: Final = 130  # 128 + SIGINT

EXIT_CODES: Final = {
    0: "done; without --follow: accepted, and going on",
    FAILED: "refused, or the operation failed",
    USAGE: "wrong usage, or no credentials",
    UNREACHABLE: "Memory Center cannot be reached, or is not ready",
    NOT_FOUND: "there is no such thing, or it is not yours, or it is gone",
    UNCONFIRMED: "needs a confirmation: nobody is there to ask, and --yes was not given; nothing was changed",
    INTERRUPTED: "interrupted with Ctrl-C; what was accepted goes on",
}
"""Of the commands that act for a person. Operators' commands describe their own in their help."""


class Refusal(Exception):
    """A command cannot do what was requested; `exit_code` is for scripts."""

    def __init__(self, message: str, exit_code: int = FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class OneLineErrors(TyperGroup):
    """Shows refusals and unexpected errors as one line; `MEMORY_CENTER_DEBUG=1` shows tracebacks."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        with _one_line():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        with _one_line():
            return super().invoke(ctx)


@contextmanager
def _one_line() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        _say(str(refusal))
        raise typer.Exit(refusal.exit_code) from None
    except (typer.Exit, typer.Abort, BrokenPipeError):
        raise
    except Exception as problem:
        if os.environ.get("MEMORY_CENTER_DEBUG"):
            raise
        if hasattr(problem, "format_message"):  # usage errors of typer, with and without click
            _say(problem.format_message())
            raise typer.Exit(getattr(problem, "exit_code", USAGE)) from None
        text = (str(problem).splitlines() or [""])[0]
        name = type(problem).__name__
        _say(f"{name}: {text} (MEMORY_CENTER_DEBUG=1 shows where)")
        raise typer.Exit(UNEXPECTED) from None


def _say(why: str) -> None:
    """Write the reason to standard error; in colour on a terminal, unless NO_COLOR is set."""
    who = typer.style("memory-center:", fg="red", bold=True)
    typer.echo(f"{who} {why}", err=True, color=False if os.environ.get("NO_COLOR") else None)
