"""Shell completion of commands and options: `--install-completion`, `--show-completion`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer
from typer import completion as shells

Shell = Literal["bash", "zsh", "fish"]

# Typer's own options detect the shell instead of taking its name; this call registers the shells.
shells.get_completion_inspect_parameters()

Install = Annotated[
    Shell | None,
    typer.Option(
        "--install-completion",
        callback=shells.install_callback,
        is_eager=True,
        expose_value=False,
        help="Let this shell complete commands and options, from its next start on.",
    ),
]
Show = Annotated[
    Shell | None,
    typer.Option(
        "--show-completion",
        callback=shells.show_callback,
        is_eager=True,
        expose_value=False,
        help="Print what that would install.",
    ),
]


def root(install: Install = None, show: Show = None) -> None:
    """See, control, take along and provably erase what an AI assistant remembers."""
