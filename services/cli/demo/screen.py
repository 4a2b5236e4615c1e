"""Output of the demo: short headings, tables within 100 columns, and a progress bar with step names."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.padding import Padding
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

WIDTH: Final = 100
_BAR_WIDTH: Final = 24

_STEPS: Final = {
    "postgres": "records",
    "milvus": "search index",
    "mem0": "long-term",
    "rederive": "re-derived",
    "verify": "verified",
}
_MARKS: Final = {"succeeded": "✓", "running": "…", "ready": "…", "failed": "✗", "cancelled": "✗", "waiting": "·"}
_WHY: Final = {
    "milvus_unavailable": "Could not reach the search index",
    "mem0_unavailable": "Could not reach the long-term memory",
    "database_unavailable": "Could not reach the database",
    "residue_found": "Copies were left after deleting; deleting again",
    "waiting_for_writes": "An announced write may still arrive",
}


class Screen:
    """Prints to a terminal, or as plain text elsewhere."""

    def __init__(self, console: Console | None = None) -> None:
        if isinstance(sys.stdout.encoding, str) and hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")
        self._console = console or Console(highlight=False, emoji=False)
        if not self._console.is_terminal or self._console.width > WIDTH:
            self._console.width = WIDTH

    def heading(self, text: str) -> None:
        self._console.print(f"\n[bold]{escape(text)}[/]")

    def say(self, text: str) -> None:
        self._indented(Text(text))

    def example(self, text: str) -> None:
        """Print one line, cut if it is too long."""
        self._console.print(Text(f"  {text}", style="dim"), no_wrap=True, overflow="ellipsis")

    def good(self, text: str) -> None:
        self._indented(Text.assemble(("✓ ", "green"), text))

    def bad(self, text: str) -> None:
        self._indented(Text.assemble(("✗ ", "bold red"), text))

    def _indented(self, text: Text) -> None:
        self._console.print(Padding(text, (0, 0, 0, 2), expand=False))

    def last_line(self, text: str) -> None:
        self._console.file.write(f"\n{text}\n")
        self._console.file.flush()

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True) -> None:
        """Print a table. The first column is text; with `numbers`, the others are right-aligned."""
        table = _table()
        for position, name in enumerate(columns):
            table.add_column(name, justify="right" if numbers and position else "left", overflow="fold")
        for row in rows:
            table.add_row(*(escape(cell) for cell in row))
        self._console.print(table)

    def memories(self, name: str, memories: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> None:
        """Print a person's memories, each with its quote marked in the message (message id → text)."""
        table = _table(expand=True)
        table.add_column(f"{name} · {len(memories)} memories", ratio=7, overflow="fold")
        table.add_column("type", no_wrap=True, width=18)
        table.add_column("learned from", ratio=9, overflow="fold")
        for memory in memories:
            kind = f"{memory['content_type']}{' (taboo)' if memory['taboo'] else ''}"
            table.add_row(Text(memory["content"]), Text(kind), _origin(memory, said))
        self._console.print(table)

    def follow(self, states: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Show an operation's progress until `states` ends; return the last state."""
        return self._bar(states) if self._console.is_terminal else self._plainly(states)

    def _bar(self, states: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
        last: Mapping[str, Any] = {}
        with Live(console=self._console, auto_refresh=False) as live:
            for last in states:
                live.update(_progress(last), refresh=True)
        return last

    def _plainly(self, states: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
        last: Mapping[str, Any] = {}
        said: object = None
        for last in states:
            # A line for each finished step and each new reason to wait, not for each tick of a countdown.
            news = (last["progress"], last["last_error"], last["status"])
            if news != said:
                said = news
                self.say(_steps(last))
                if reason := _reason(last):
                    self.say(f"  {reason}")
        return last


def _table(*, expand: bool = False) -> Table:
    return Table(box=None, padding=(0, 0, 0, 2), header_style="bold dim", expand=expand)


def _origin(memory: Mapping[str, Any], said: Mapping[str, str]) -> Text:
    """Return the message, dimmed, with the quote between “ ”."""
    source = memory["sources"][0] if memory["sources"] else None
    if source is None or source["message_id"] not in said:
        return Text("")
    text, start, end = said[source["message_id"]], source["quote_start"], source["quote_end"]
    if start is None or end is None:
        return Text(text, style="dim")
    return Text.assemble((text[:start], "dim"), "“", text[start:end], "”", (text[end:], "dim"))


def _progress(operation: Mapping[str, Any]) -> RenderableType:
    line = Table.grid(padding=(0, 2, 0, 0))
    bar = ProgressBar(1.0, operation["progress"], width=_BAR_WIDTH, complete_style="green", finished_style="green")
    line.add_row("", bar, f"{operation['progress']:.0%}", Text(_reason(operation)))
    return Group(line, Text(f"  {_steps(operation)}"))


def _steps(operation: Mapping[str, Any]) -> str:
    steps = (f"{_STEPS.get(step['name'], step['name'])} {_MARKS[step['status']]}" for step in operation["steps"])
    return " · ".join(("hidden ✓", *steps))


def _reason(operation: Mapping[str, Any]) -> str:
    """Return why and how long the first waiting step waits; empty if none does."""
    step = next((one for one in operation["steps"] if one["last_error"] and one["status"] != "succeeded"), None)
    if step is None:
        return ""
    code, _, sentence = str(step["last_error"]).partition(": ")
    reason = _WHY.get(code, sentence.rstrip(".") or code)
    if step["next_retry_at"] is None:
        return f"{reason}. Trying again"
    wait = datetime.fromisoformat(step["next_retry_at"]) - datetime.now(UTC)
    return f"{reason}. Trying again in {max(0.0, wait.total_seconds()):.1f} s"
