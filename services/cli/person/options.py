"""Options shared by all commands that act for a person."""

from __future__ import annotations

from typing import Annotated, Final

import typer

_WHERE: Final = "Where, and whose"

Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        envvar="MEMORY_CENTER_URL",
        help="Where it runs.",
        show_default="what `up` serves here",
        rich_help_panel=_WHERE,
    ),
]
User = Annotated[
    str | None,
    typer.Option(
        "--user", envvar="MEMORY_CENTER_USER", help="Whose memory.", show_default="me", rich_help_panel=_WHERE
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else; with --follow a document a line.")]
Ids = Annotated[bool, typer.Option("--ids", help="Show ids in full. Every command takes a short one, too.")]
Follow = Annotated[bool, typer.Option("--follow", "-f", help="Stay and show how far it is, until it has ended.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Project = Annotated[str | None, typer.Option("--project", help="Only of this project.")]
