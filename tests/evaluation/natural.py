"""Natural histories: one person's weeks with an assistant in each file, by authors who wrote nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.evaluation.authors import DATA, lines_of

HISTORIES: Final = DATA / "histories"


@dataclass(slots=True, kw_only=True)
class History:
    """One person's weeks with an assistant, and what a careful reader would keep of them at the end.

    `days` are (date, turns). Keys are pieces of what was said, alternatives in a list: a record of the thing holds one
    alternative of each.
    """

    name: str
    days: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    keep: list[tuple[str, str, list[list[str]]]] = field(default_factory=list)
    """(type, statement, keys); the type ends with ! for safety facts."""
    gone: list[tuple[str, list[list[str]]]] = field(default_factory=list)
    never: list[tuple[str, list[list[str]]]] = field(default_factory=list)
    ask: list[tuple[str, list[list[str]]]] = field(default_factory=list)
    forget: list[tuple[str, list[str], list[str]]] = field(default_factory=list)
    """(request, what must go, what must stay)."""


def histories() -> list[History]:
    """Return all natural histories."""
    return [_history(path) for path in sorted(HISTORIES.glob("h*.txt"))]


def verdicts_in(path: Path) -> dict[tuple[str, str], str]:
    """Return what a careful reader said of memories, by where they are from and their text; line breaks are ⏎."""
    found: dict[tuple[str, str], str] = {}
    for line in lines_of(path) if path.is_file() else ():
        name, verdict, text = line.split(" | ", 2)
        found[name, text] = verdict
    return found


def _history(path: Path) -> History:
    found = History(name=path.stem)
    judging = False
    for line in lines_of(path):
        if line.startswith("==="):
            judging = line == "=== judge"
            if not judging:
                found.days.append((line.removeprefix("=== "), []))
        elif not judging:
            found.days[-1][1].append(("user" if line[0] == "u" else "assistant", line[3:].replace("⏎", "\n")))
        else:
            kind, *fields = (part.strip() for part in line.split(" | "))
            keys = [[one.strip() for one in part.split(" / ")] for part in fields[1:]]
            if kind.startswith("keep "):
                found.keep.append((kind.removeprefix("keep "), fields[0], keys))
            elif kind == "forget":
                go, stay = ([one.strip() for one in part.split(" ; ") if one.strip()] for part in [*fields[1:], ""][:2])
                found.forget.append((fields[0], go, stay))
            else:
                {"gone": found.gone, "never": found.never, "ask": found.ask}[kind].append((fields[0], keys))
    return found
