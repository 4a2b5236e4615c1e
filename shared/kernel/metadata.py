"""What another program keeps with a memory: a flat object, which is content like its words (X-10)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from shared.kernel import limits

Value: TypeAlias = str | bool | int | float
Metadata: TypeAlias = Mapping[str, Value]
"""Keys are `limits.METADATA_KEY`; at most `limits.METADATA_MAX` bytes as JSON."""

_KEY: Final = re.compile(limits.METADATA_KEY, re.ASCII)
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_SMALLEST: Final = 1e-15
_LARGEST: Final = 2**53
_NUMBER: Final = 36
"""Most characters of a float between the two, written out."""


def is_metadata(value: object) -> bool:
    """Return whether a parsed JSON value is metadata: a flat object of texts, numbers and booleans, small enough.

    PostgreSQL writes numbers out, so that 1e300 would come back as 301 digits: they are between 1e-15 and 2^53.
    """
    return (
        isinstance(value, Mapping)
        and all(isinstance(key, str) and _KEY.fullmatch(key) for key in value)
        and all(_is_value(one) for one in value.values())
        and sum(len(key) + 6 + _size(one) for key, one in value.items()) <= limits.METADATA_MAX
    )


def screened(metadata: Metadata, screen: Callable[[str], str | None]) -> Metadata | None:
    """Return the metadata without what must not be kept; None if that rejects all of it.

    A key and its value are judged together, because the one often says what the other is ("password: …").

    Args:
        screen: returns what may be kept of a text; None: nothing.
    """
    kept: dict[str, Value] = {}
    for key, value in metadata.items():
        said = f"{key}: {value}"
        left = screen(said)
        if left is None:
            return None
        if left == said:
            kept[key] = value
        elif left.startswith(f"{key}: "):
            kept[key] = left.removeprefix(f"{key}: ")
    while not is_metadata(kept):  # what stands for a fragment may be longer than it was
        kept.popitem()
    return kept


def _is_value(value: object) -> bool:
    if isinstance(value, str):
        return _UNSTORABLE.search(value) is None
    if isinstance(value, bool):
        return True
    return isinstance(value, int | float) and (value == 0 or _SMALLEST <= abs(value) <= _LARGEST)


def _size(value: Value) -> int:
    """Return the bytes of a value as JSON, with a number written out; never less than they are."""
    if isinstance(value, str):
        return len(json.dumps(value, ensure_ascii=False).encode())
    return _NUMBER if isinstance(value, float) else len(str(value))
