"""Results on standard output: tables on a terminal, lines with tabs elsewhere, JSON when asked for."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from services.cli.terminal import clean, print_json

_ID: Final = 36
_DASHES: Final = 4
_WIDE: Final = 72
"""From so many columns on ids stay in one piece, to be copied."""


class Screen:
    """What one command prints.

    Args:
        as_json: print documents and nothing else.
        console: where to; default: standard output.
    """

    def __init__(self, *, as_json: bool = False, console: Console | None = None) -> None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # what a locale cannot write is no reason to stop
        self.as_json = as_json
        self._console = console or Console(highlight=False, emoji=False, markup=False)
        self.is_plain = not self._console.is_terminal

    def document(self, document: Any) -> None:
        """Print a document, if JSON was asked for."""
        if self.as_json:
            print_json(document)

    def say(self, text: str = "", *, style: str = "") -> None:
        """Print a line for people."""
        if not self.as_json:
            self._print(text, style)

    def heading(self, text: str) -> None:
        """Print what comes below."""
        self.say()
        self.say(text, style="bold")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, numbers: Sequence[int] = ()) -> None:
        """Print rows: on a terminal below their names, elsewhere with tabs between the cells and no names.

        Args:
            numbers: the columns that are numbers.
        """
        if self.as_json:
            return
        shown = [[clean(cell) for cell in row] for row in rows]
        if self.is_plain:
            for row in shown:
                self._print("\t".join(row))
            return
        if not shown:
            return
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold dim", show_header=any(columns))
        for place, name in enumerate(columns):
            is_id = all(_is_id(row[place]) for row in shown) and self._console.width >= _WIDE
            table.add_column(
                name,
                justify="right" if place in numbers else "left",
                overflow="fold",
                no_wrap=is_id,
                min_width=_ID if is_id else None,
            )
        for row in shown:
            table.add_row(*map(Text, row))
        self._console.print(table)

    def _print(self, text: str, style: str = "") -> None:
        if self.is_plain:
            self._console.file.write(f"{text}\n")  # rich would fold lines and make spaces of tabs
        else:
            self._console.print(Text(text, style=style))


def _is_id(cell: str) -> bool:
    return len(cell) == _ID and cell.count("-") == _DASHES
