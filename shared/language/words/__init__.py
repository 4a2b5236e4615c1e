"""Words, characters and patterns as data: what the rules look for, in files that need no Python to read or extend.

A `.toml` file has the lists of the module with its name, for regular expressions and for sets of characters; line
breaks in them mean nothing. A `.txt` file has one set of words, or pairs of them (`translations.txt`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = Path(__file__).parent
_REFERENCE: Final = re.compile(r"\{([a-z_]+)\}")


def word_lists(module: str, section: str = "", **parts: str) -> Mapping[str, str]:
    """Return the texts of a file, or of a section of it, without their line breaks: alternatives as `a|b|c`.

    Args:
        module: the name of the file, `words/<module>.toml`, and of the module that reads it.
        section: the name of a table in it.
        parts: more texts, by name. `{name}` in a text is replaced by the text of that name, here or in the file.

    Raises:
        FileNotFoundError: there is no such file.
        KeyError: the file has no such section, or a text refers to a name that nothing has.

    """
    tables = word_tables(module)
    found = {name: text for name, text in (tables[section] if section else tables).items() if isinstance(text, str)}
    known = {**tables, **found, **parts}

    def complete(text: str) -> str:
        return _REFERENCE.sub(lambda reference: complete(known[reference[1]]), text.replace("\n", ""))

    return {name: complete(text) for name, text in found.items()}


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
