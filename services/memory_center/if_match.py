"""The If-Match header: change an item only if it is still the version the caller saw."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import Header

IfMatch: TypeAlias = Annotated[
    str | None, Header(alias="If-Match", max_length=200, description="The ETag of the version to change.")
]


def version_of(if_match: str | None, changed: type[Exception]) -> int | None:
    """Return the version an If-Match header names, None for any version.

    Args:
        changed: what to raise if the header cannot be a version, as for one that is not current.
    """
    if if_match is None or if_match.strip() == "*":
        return None
    tag = if_match.strip().removeprefix('"').removesuffix('"')
    if not (tag.isascii() and tag.isdigit()):
        raise changed
    return int(tag)
