"""Results on standard output: tables on a terminal, tab-separated lines elsewhere, or JSON."""

from __future__ import annotations

import io
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from services.cli.person.words import word
from services.cli.terminal import clean, print_json

_SHORT: Final = 8
"""Characters of a short id, taken from its end because ids made in the same minute begin alike."""
_GAP: Final = 2
_ROOM: Final = 24
"""Least width of a readable text column; on narrower terminals the other cells are shown below it."""

_STYLES: Final = {
    "succeeded": "green",
    "running": "cyan",
    "pending": "yellow",
    "failed": "red",
    "cancelled": "dim",
    "contradicted": "yellow",
    "superseded": "dim",
    "constraint": "magenta",
    "preference": "cyan",
}


@dataclass(frozen=True)
class Cell:
    """A table cell with an optional colour."""

    text: str
    style: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Id(Cell):
    """An id, shortened unless full ids were requested."""

    style: str = "dim"


def named(name: str, text: str | None = None) -> Cell:
    """Return the display name of an API name, in its colour.

    Args:
        text: a different display name for this cell.
    """
    return Cell(word(name) if text is None else text, _STYLES.get(name, ""))


def dim(text: str) -> Cell:
    """Return a cell in a weaker colour."""
    return Cell(text, "dim")


def short(id_: str) -> str:
    """Return the short form of an id; every command accepts it."""
    return id_[-_SHORT:]


class Screen:
    """The output of one command.

    Args:
        as_json: print documents and nothing else.
        ids: show complete ids.
        console: where to print; default: standard output.
    """

    def __init__(self, *, as_json: bool = False, ids: bool = False, console: Console | None = None) -> None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # characters the locale cannot encode must not stop the command
        self.as_json = as_json
        self._ids = ids
        self._console = console or Console(highlight=False, emoji=False, markup=False)
        self.is_plain = not self._console.is_terminal

    def document(self, document: Any) -> None:
        """Print a document, if JSON was requested."""
        if self.as_json:
            print_json(document)

    def say(self, text: str = "", *, style: str = "") -> None:
        """Print a line for people."""
        if not self.as_json:
            self._print(text, style)

    def heading(self, text: str) -> None:
        """Print a heading."""
        self.say()
        self.say(text, style="bold")

    def id(self, id_: str) -> str:
        """Return an id in the form this command shows outside tables."""
        return id_ if self._ids else short(id_)

    def table(
        self,
        columns: Sequence[str],
        rows: Iterable[Sequence[Any]],
        *,
        numbers: Collection[int] = (),
        texts: Collection[int] = (0,),
    ) -> None:
        """Print rows: with column names on a terminal, tab-separated without names elsewhere.

        Args:
            numbers: indexes of the number columns.
            texts: indexes of the columns that may wrap; the others do not.
        """
        if self.as_json:
            return
        given = [list(row) for row in rows]
        length = self._id_length(given)
        shown = [[_cell(cell, length) for cell in row] for row in given]
        if self.is_plain:
            for row in shown:
                self._print("\t".join(one.plain for one in row))
        elif shown and self._is_wide_enough(columns, shown, numbers, texts):
            self._console.print(_table(columns, shown, numbers, texts))
        else:
            for row in shown:
                self._stack(columns, row, numbers, texts)

    def _id_length(self, rows: Sequence[Sequence[Any]]) -> int | None:
        """Return how many characters distinguish the ids of a table, at least the usual number; None: all."""
        if self._ids:
            return None
        ids = {str(cell) for row in rows for cell in row if isinstance(cell, Id)}
        longest = max(map(len, ids), default=0)
        return next((n for n in range(_SHORT, longest) if len({one[-n:] for one in ids}) == len(ids)), longest or None)

    def _is_wide_enough(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[Text]],
        numbers: Collection[int],
        texts: Collection[int],
    ) -> bool:
        # The heading of a number column may take several lines.
        names = [(name.split() or [""]) if place in numbers else [name] for place, name in enumerate(columns)]
        widths = [
            max(*map(cell_len, parts), *(row[place].cell_len for row in rows)) + _GAP
            for place, parts in enumerate(names)
        ]
        room = self._console.width - sum(width for place, width in enumerate(widths) if place not in texts)
        return room >= sum(min(width, _ROOM) for place, width in enumerate(widths) if place in texts)

    def _stack(
        self, columns: Sequence[str], row: Sequence[Text], numbers: Collection[int], texts: Collection[int]
    ) -> None:
        """Print a row on a narrow terminal: its text with the cells before it, the rest below, numbers with names."""
        first = min(texts)
        self._console.print(Text(" ").join(row[: first + 1]), overflow="fold")
        rest = [
            Text.assemble((f"{columns[place]} ", "dim"), cell) if place in numbers else cell
            for place, cell in enumerate(row)
            if cell.plain and place > first
        ]
        self._console.print(Padding(Text.assemble(*_between(rest)), (0, 0, 0, _GAP)), overflow="fold")

    def _print(self, text: str, style: str = "") -> None:
        if self.is_plain:
            self._console.file.write(f"{text}\n")  # rich would wrap lines and replace tabs by spaces
        else:
            self._console.print(Text(text, style=style))


def _between(cells: Sequence[Text]) -> Iterator[Text]:
    for place, cell in enumerate(cells):
        if place:
            yield Text(" · ", style="dim")
        yield cell


def _cell(cell: Any, length: int | None) -> Text:
    text = clean(cell)
    if isinstance(cell, Id) and length is not None:
        text = text[-length:]
    return Text(text, style=cell.style if isinstance(cell, Cell) else "")


def _table(
    columns: Sequence[str], rows: Sequence[Sequence[Text]], numbers: Collection[int], texts: Collection[int]
) -> Table:
    table = Table(box=None, padding=(0, _GAP, 0, 0), header_style="bold dim", show_header=any(columns))
    for place, name in enumerate(columns):
        table.add_column(
            name,
            justify="right" if place in numbers else "left",
            overflow="fold",
            no_wrap=place not in texts and place not in numbers,
        )
    for row in rows:
        table.add_row(*row)
    return table
