"""Full names of people, if a sentence introduces them; first names, brands, pets and characters do not count."""

from __future__ import annotations

from collections.abc import Iterator

from shared.language.sensitivity import chinese_names, english_names
from shared.language.sensitivity.spans import Found


def names(text: str) -> Iterator[Found]:
    """Find full names."""
    for start, end in (*english_names.names(text), *chinese_names.names(text)):
        yield Found("name", start, end)
