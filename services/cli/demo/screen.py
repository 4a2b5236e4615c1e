"""What the demo says: short headings, tables within 100 columns, and a progress bar in words for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.table import Table
from rich.text import Text

WIDTH: Final = 100

_STEPS: Final = {
    "postgres": "records",
    "milvus": "search index",
    "mem0": "long-term memory",
    "rederive": "what still stands",
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
    """Prints to this terminal, or plainly when it is none."""

    def __init__(self, console: Console | None = None) -> None:
        if isinstance(sys.stdout.encoding, str) and hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(errors="replace")
        self._console = console or Console(highlight=False, emoji=False)
        if not self._console.is_terminal or self._console.width > WIDTH:
            self._console.width = WIDTH

    def heading(self, text: str) -> None:
        self._console.print(f"\n[bold]{escape(text)}[/]")

    def say(self, text: str) -> None:
        self._console.print(f"  {text}", markup=False)

    def good(self, text: str) -> None:
        self._console.print(Text.assemble("  ", ("✓ ", "green"), text))

    def bad(self, text: str) -> None:
        self._console.print(Text.assemble("  ", ("✗ ", "bold red"), text))

    def last_line(self, text: str) -> None:
        self._console.file.write(f"\n{text}\n")
        self._console.file.flush()

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True) -> None:
        """Print a table whose first column is words and, with `numbers`, whose others are right-aligned."""
        table = _table()
        for position, name in enumerate(columns):
            table.add_column(name, justify="right" if numbers and position else "left", overflow="fold")
        for row in rows:
            table.add_row(*(escape(cell) for cell in row))
        self._console.print(table)

    def memories(self, name: str, memories: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> None:
        """Print what is remembered about a person, each with its quote inside what was said (message id → text)."""
        table = _table()
        table.add_column(f"{name}: what is remembered", ratio=9)
        table.add_column("type", no_wrap=True, width=10)
        table.add_column("learned from", ratio=10)
        for memory in memories:
            kind = "taboo" if memory["taboo"] else memory["content_type"]
            table.add_row(Text(memory["content"]), Text(kind), _origin(memory, said))
        self._console.print(table)

    def follow(self, states: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Show an operation's progress until `states` ends; return the last state."""
        return self._bar(states) if self._console.is_terminal else self._plainly(states)

    def _bar(self, states: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
        last: Mapping[str, Any] = {}
        columns = (TextColumn("  "), BarColumn(20), TaskProgressColumn(), TextColumn("{task.description}"))
        with Progress(*columns, console=self._console) as progress:
            task = progress.add_task("Hidden ✓", total=1.0)
            for last in states:
                progress.update(task, completed=last["progress"], description=escape(_in_words(last)))
        return last

    def _plainly(self, states: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
        last: Mapping[str, Any] = {}
        said: object = None
        for last in states:
            # A line for every step that ends and every new reason to wait, not for every tick of a countdown.
            news = (last["progress"], last["last_error"], last["status"])
            if news != said:
                said = news
                self.say(f"{last['progress']:4.0%}  {_in_words(last)}")
        return last


def _table() -> Table:
    return Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", expand=False)


def _origin(memory: Mapping[str, Any], said: Mapping[str, str]) -> Text:
    """Return what was said with the quote underlined; without colours the quote stands between “ ”."""
    source = memory["sources"][0] if memory["sources"] else None
    if source is None or source["message_id"] not in said:
        return Text("")
    text, start, end = said[source["message_id"]], source["quote_start"], source["quote_end"]
    if start is None or end is None:
        return Text(text, style="dim")
    return Text.assemble((text[:start], "dim"), "“", text[start:end], "”", (text[end:], "dim"))


def _in_words(operation: Mapping[str, Any]) -> str:
    steps = [f"{_STEPS.get(step['name'], step['name'])} {_MARKS[step['status']]}" for step in operation["steps"]]
    waiting = [step for step in operation["steps"] if step["last_error"] and step["status"] != "succeeded"]
    words = " · ".join(("hidden ✓", *steps))
    return f"{words}\n        {_reason(waiting[0])}" if waiting else words


def _reason(step: Mapping[str, Any]) -> str:
    code, _, sentence = str(step["last_error"]).partition(": ")
    reason = _WHY.get(code, sentence.rstrip(".") or code)
    if step["next_retry_at"] is None:
        return f"{reason}. Trying again"
    wait = datetime.fromisoformat(step["next_retry_at"]) - datetime.now(UTC)
    return f"{reason}. Trying again in {max(0.0, wait.total_seconds()):.1f} s"
