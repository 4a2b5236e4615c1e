"""What another program keeps with a memory: a flat object, which is content like its words (X-10)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from shared.kernel import limits

Value: TypeAlias = str | bool | int | float
Metadata: TypeAlias = Mapping[str, Value]
"""Keys are `limits.METADATA_KEY`; at most `limits.METADATA_MAX` bytes as JSON."""

_KEY: Final = re.compile(limits.METADATA_KEY, re.ASCII)


def is_metadata(value: object) -> bool:
    """Return whether a parsed JSON value is metadata: a flat object of texts, numbers and booleans, small enough."""
    return (
        isinstance(value, Mapping)
        and all(isinstance(key, str) and _KEY.match(key) for key in value)
        and all(_is_value(one) for one in value.values())
        and len(json.dumps(dict(value), ensure_ascii=False).encode(errors="surrogatepass")) <= limits.METADATA_MAX
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
    return kept


def _is_value(value: object) -> bool:
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))
