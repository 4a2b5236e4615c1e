"""The text below a command's options in its help: examples, exit codes, environment."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from services.cli.exit_codes import EXIT_CODES

_COLUMNS: Final = 76

ENVIRONMENT: Final = {
    "MEMORY_CENTER_URL": "where it runs, as --url",
    "MEMORY_CENTER_USER": "whose memory, as --user",
    "MEMORY_CENTER_TOKEN": "a person's token, or the service key; without it one is made from the data directory",
    "MEMORY_CENTER_DATA_DIR": "the installation's data directory, as --data-dir",
    "LC_ALL, LC_MESSAGES, LANG": "zh… speaks Chinese; help is English",
    "NO_COLOR": "no colours",
}
"""Environment variables of a person's commands."""

SERVED: Final = {name: ENVIRONMENT[name] for name in ("MEMORY_CENTER_URL", "MEMORY_CENTER_DATA_DIR")}
"""Environment variables of commands that serve others, whose requests say who they are."""

DATABASE: Final = {
    "MEMORY_CENTER_DATABASE_URL": "the database; without it the running installation's",
    "MEMORY_CENTER_DATA_DIR": "the installation's data directory, as --data-dir",
}
DIRECTORY: Final = {"MEMORY_CENTER_DATA_DIR": "the installation's data directory, as --data-dir"}
"""Environment variables of operators' commands."""


def manual(
    examples: Sequence[tuple[str, str]],
    *,
    exits: Mapping[int, str] | None = EXIT_CODES,
    environment: Mapping[str, str] | None = None,
    notes: str = "",
) -> str:
    """Return a command's epilog.

    Args:
        examples: arguments after `memory-center`, and what they do.
        exits: exit code → meaning; None if the help describes them already.
        environment: variable → meaning.
        notes: a paragraph before the examples.
    """
    parts = [notes] if notes else []
    parts.append(_section("Examples", [f"  memory-center {command}\n      {what}" for command, what in examples]))
    if exits:
        parts.append(_section("Exit codes", _defined({str(code): what for code, what in exits.items()})))
    if environment:
        parts.append(_section("Environment", _defined(environment)))
    return "\n\n".join(parts)


def of_person(examples: Sequence[tuple[str, str]], notes: str = "") -> str:
    """Return the epilog of a command that acts for a person."""
    return manual(examples, environment=ENVIRONMENT, notes=notes)


def _section(title: str, lines: Iterable[str]) -> str:
    return "\n".join([f"[bold]{title}[/]", *(line.replace("[", r"\[") for line in lines)])


def _defined(meanings: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each name with its meaning; a long meaning is wrapped and indented."""
    width = max(map(len, meanings))
    for name, meaning in meanings.items():
        yield textwrap.fill(
            meaning,
            _COLUMNS,
            initial_indent=f"  {name:<{width}}  ",
            subsequent_indent=" " * (width + 4),
            break_on_hyphens=False,
        )


OVERVIEW: Final = manual(
    [
        ("up", "start everything on this machine"),
        ("memories", "what is remembered"),
        ('forget --description "everything about Frank" --follow', "forget it, and see it proven"),
        ("export -o my-memory.zip", "take it along"),
        ("COMMAND --help", "all about one command"),
        ("--install-completion bash", "complete commands and options in the shell; also zsh, fish"),
    ],
    environment=ENVIRONMENT,
)
