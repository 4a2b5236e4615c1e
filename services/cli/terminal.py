"""Output of commands: results to standard output, progress to standard error."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, Final

from services.cli.exit_codes import FAILED, Refusal

Advance = Callable[[float], None]
"""Takes the amount done so far, in the units of the total."""

_BLANK: Final = {"\n": " ", "\r": " ", "\t": " "}
_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_STEERS: Final = re.compile(f"[\x7f-\x9f{''.join(sorted(_BIDI))}]")
"""Characters JSON leaves unescaped, but a terminal interprets."""
_MINUTE: Final = 16
_PREFERRED: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def said(en: str, zh: str) -> str:
    """Return the text in the language of the environment: Chinese if it begins with zh, else English (X-12)."""
    return zh if is_chinese() else en


def is_chinese() -> bool:
    """Return whether the environment requests Chinese, by POSIX's order of variables."""
    wanted = next((os.environ[name] for name in _PREFERRED if os.environ.get(name)), "")
    return wanted.lower().startswith("zh")


def clean(text: object) -> str:
    """Return a text as one line that is safe for a terminal: without control and direction characters."""
    return "".join(_shown(letter) for letter in str(text))


def _shown(letter: str) -> str:
    if letter in _BLANK:
        return _BLANK[letter]
    return "\ufffd" if letter in _BIDI or unicodedata.category(letter) in ("Cc", "Cs") else letter


def moment(text: str | None) -> str:
    """Return a time from the API in local time, to the minute; empty if there is none."""
    if text is None:
        return ""
    with contextlib.suppress(ValueError):
        return datetime.fromisoformat(text).astimezone().isoformat(sep=" ")[:_MINUTE]
    return clean(text)


def size_of(count: float) -> str:
    """Return a number of bytes with its unit."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:  # noqa: PLR2004 # binary units
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def print_json(document: Any) -> None:
    """Print a JSON document in one line that is safe for a terminal: characters it would interpret are escaped."""
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not is_utf8)
    sys.stdout.write(_STEERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")
    sys.stdout.flush()


def note(line: str) -> None:
    """Write a line that is not a result to standard error."""
    with contextlib.suppress(OSError):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


@contextlib.contextmanager
def progress(doing: str, *, total: float | None = None, unit: str = "", quiet: bool = False) -> Iterator[Advance]:
    """Show a progress bar on standard error while the block runs, if it is a terminal.

    Args:
        doing: what is being done.
        total: the final amount; None if unknown.
        unit: `bytes`, or the name of what is counted.
        quiet: show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done: None  # noqa: ARG005 # nobody looks
        return
    from rich.console import Console  # slow to import, and only needed on a terminal
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    counted: ProgressColumn = TextColumn(f"{{task.completed:.0f}} {unit}") if unit else TaskProgressColumn()
    counted = DownloadColumn() if unit == "bytes" else counted
    bar = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        counted,
        TimeElapsedColumn(),
        console=Console(stderr=True, highlight=False),
        transient=True,
    )
    with bar:
        task = bar.add_task(doing, total=total)
        yield lambda done: bar.update(task, completed=done)


def is_attended() -> bool:
    """Return whether a user is present to answer questions."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str) -> str:
    """Ask the user, on standard error.

    Raises:
        Refusal: standard input was closed.
    """
    sys.stderr.write(question)
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer:
        raise Refusal(said("nothing was changed", "什么都没有改动"), FAILED)
    return answer.strip()
