"""Parses a record from its line; accepts only what `packing.line` writes (X-09)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from shared.kernel.records import Record
from shared.portability.packages.packing import line
from shared.portability.packages.refusals import PackageRefused
from shared.portability.packages.scanning import parsed

_Form = TypeVar("_Form", bound=Record)

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def record_of(form: type[_Form], raw: bytes) -> _Form:
    """Parse a record.

    It must equal our serialisation to the byte. This excludes duplicate members, times without a zone and numbers
    written as text, and a new export gives the same bytes.

    Raises:
        PackageRefused: `package_malformed`, `package_record_too_large` (nested too deeply), `package_text_unstorable`
            or `package_schema_mismatch`.
    """
    try:
        record = form.model_validate_json(raw)
        is_ours = line(record)[:-1] == raw
    except (
        ValidationError,
        ValueError,
        OverflowError,
        RecursionError,
    ):  # the latter three: extreme times and numbers
        is_ours = False
    if is_ours and b"\\u0000" not in raw:
        return record
    document = parsed(raw)
    if not all(map(is_storable, _texts(document))):
        raise PackageRefused("package_text_unstorable")
    if is_ours:  # it only contains an escaped NUL as text
        return record
    raise PackageRefused("package_schema_mismatch")


def is_storable(text: str) -> bool:
    """Return whether PostgreSQL can store a text."""
    return "\x00" not in text and not _SURROGATE.search(text)


def _texts(document: Any) -> Iterator[str]:
    waiting = [document]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict(members):
                yield from members
                waiting.extend(members.values())
            case list(members):
                waiting.extend(members)
