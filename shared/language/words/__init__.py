"""Words, characters and patterns as data: what the rules look for, in files that need no Python to read or extend.

A `.toml` file has the lists of the module with its name, for regular expressions and for sets of characters; line
breaks in them mean nothing. A `.txt` file has one set of words.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent


def word_lists(module: str, section: str = "") -> Mapping[str, str]:
    """Return the texts of a file, or of a section of it, without their line breaks: alternatives as `a|b|c`.

    Args:
        module: the name of the file, `words/<module>.toml`, and of the module that reads it.
        section: the name of a table in it.

    Raises:
        FileNotFoundError: there is no such file.
        KeyError: the file has no such section.

    """
    tables = word_tables(module)
    found = tables[section] if section else tables
    return {name: text.replace("\n", "") for name, text in found.items() if isinstance(text, str)}


@cache
def word_tables(module: str) -> Mapping[str, Any]:
    """Return all of `words/<module>.toml`, for what is no text: numbers by word, lists.

    Raises:
        FileNotFoundError: there is no such file.

    """
    return tomllib.loads((_FOLDER / f"{module}.toml").read_text(encoding="utf-8"))


def word_set(name: str) -> frozenset[str]:
    """Return the words of `words/<name>.txt`, which white space separates.

    Raises:
        FileNotFoundError: there is no such file.

    """
    return frozenset((_FOLDER / f"{name}.txt").read_text(encoding="utf-8").split())
