"""How a command says no: one line and an exit code, never a traceback."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

USAGE = 2
UNEXPECTED = 70  # EX_SOFTWARE


class Refusal(Exception):
    """A command cannot do what was asked; `exit_code` is for scripts."""

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class OneLineErrors(TyperGroup):
    """Shows a `Refusal`, and anything nobody expected, as one line; `MEMORY_CENTER_DEBUG=1` brings tracebacks back."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Refusal as refusal:
            sys.stderr.write(f"memory-center: {refusal}\n")
            raise typer.Exit(refusal.exit_code) from None
        except (typer.Exit, typer.Abort):
            raise
        except Exception as problem:
            if os.environ.get("MEMORY_CENTER_DEBUG"):
                raise
            if hasattr(problem, "format_message"):  # how typer, with and without click, says what was typed wrong
                sys.stderr.write(f"memory-center: {problem.format_message()}\n")
                raise typer.Exit(getattr(problem, "exit_code", USAGE)) from None
            text = (str(problem).splitlines() or [""])[0]
            name = type(problem).__name__
            sys.stderr.write(f"memory-center: {name}: {text} (MEMORY_CENTER_DEBUG=1 shows where)\n")
            raise typer.Exit(UNEXPECTED) from None
