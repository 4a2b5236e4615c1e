"""What commands write: results to standard output, progress to standard error."""

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

from services.cli.refusal import FAILED, Refusal

Advance = Callable[[float], None]
"""Takes how much is done by now, in the units of the total."""

_BLANK: Final = {"\n": " ", "\r": " ", "\t": " "}
_BIDI: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_STEERS: Final = re.compile(f"[\x7f-\x9f{''.join(sorted(_BIDI))}]")
"""What JSON lets stand as it is, and a terminal obeys."""
_MINUTE: Final = 16
_PREFERRED: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def said(en: str, zh: str) -> str:
    """Return the words in the language of the environment: Chinese where it says zh, else English (X-12)."""
    return zh if is_chinese() else en


def is_chinese() -> bool:
    """Whether the environment asks for Chinese, as POSIX ranks its variables."""
    wanted = next((os.environ[name] for name in _PREFERRED if os.environ.get(name)), "")
    return wanted.lower().startswith("zh")


def clean(text: object) -> str:
    """Return a text as one line that does nothing to a terminal: no control characters, no turning of its direction."""
    return "".join(_shown(letter) for letter in str(text))


def _shown(letter: str) -> str:
    if letter in _BLANK:
        return _BLANK[letter]
    return "\ufffd" if letter in _BIDI or unicodedata.category(letter) in ("Cc", "Cs") else letter


def moment(text: str | None) -> str:
    """Return a time of the API as this machine's clock shows it, to the minute; empty when there is none."""
    if text is None:
        return ""
    with contextlib.suppress(ValueError):
        return datetime.fromisoformat(text).astimezone().isoformat(sep=" ")[:_MINUTE]
    return clean(text)


def size_of(count: float) -> str:
    """Return a number of bytes in words."""
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:  # noqa: PLR2004 # binary units
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def print_json(document: Any) -> None:
    """Print one JSON document in one line that does nothing to a terminal: what would steer it is escaped."""
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(document, ensure_ascii=not is_utf8)
    sys.stdout.write(_STEERS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")
    sys.stdout.flush()


def note(line: str) -> None:
    """Tell whoever watches something that is no result."""
    with contextlib.suppress(OSError):
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


@contextlib.contextmanager
def progress(doing: str, *, total: float | None = None, unit: str = "", quiet: bool = False) -> Iterator[Advance]:
    """Show a bar on standard error while the block runs, if that is a terminal; elsewhere nothing.

    Args:
        doing: what is being done.
        total: where it ends, in the units of what is told; None while nobody knows.
        unit: `bytes`, or what is counted.
        quiet: show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done: None  # noqa: ARG005 # nobody looks
        return
    from rich.console import Console  # slow to import; a terminal's pleasure
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
    """Whether somebody is there who can be asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str) -> str:
    """Ask whoever is there, on standard error.

    Raises:
        Refusal: they left.
    """
    sys.stderr.write(question)
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer:
        raise Refusal(said("nothing was changed", "什么都没有改动"), FAILED)
    return answer.strip()
