"""Reasons to refuse a package (X-09). A refusal names the place, never the content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, TypeVar

_Value = TypeVar("_Value")

Code: TypeAlias = Literal[
    "package_unknown_format",  # neither ours nor a format in docs/import.md
    "package_version_unsupported",  # ours, but of an unsupported version
    "package_too_large",
    "package_too_large_unpacked",
    "package_too_many_entries",  # files or records
    "package_record_too_large",  # a line, a record or the manifest: too long, too deep, or too many parts
    "package_malformed",  # truncated, damaged, or not JSON in UTF-8
    "package_encrypted",
    "package_unsupported_compression",
    "package_unsafe_path",
    "package_duplicate_entry",
    "package_file_missing",
    "package_file_unlisted",
    "package_digest_mismatch",  # sizes, counts or digests differ from the manifest
    "package_schema_mismatch",  # a record violates its schema or the API's limits
    "package_text_unstorable",  # a NUL character or an unpaired surrogate
    "package_out_of_order",
    "package_duplicate_id",
    "package_references_missing",
    "package_several_people",
]


class PackageRefused(Exception):
    """A package cannot be imported; none of it was.

    Args:
        code: a stable reason.
        path: the file in the package, if its name is a known one.
        line: the record's number in that file, or the entry's number in the zip, from 1.
    """

    def __init__(self, code: Code, path: str | None = None, line: int | None = None) -> None:
        super().__init__(code, path, line)
        self.code: Code = code
        self.path = path
        self.line = line

    def at(self, path: str | None, line: int | None = None) -> PackageRefused:
        """Return the same refusal with a place, unless it already has one."""
        return PackageRefused(self.code, self.path or path, line if self.line is None else self.line)


def placed(values: Iterable[_Value], path: str | None) -> Iterator[_Value]:
    """Yield the records of a file, and add path and number to a refusal raised meanwhile."""
    number = 1
    try:
        for value in values:
            yield value
            number += 1
    except PackageRefused as refused:
        raise refused.at(path, number) from None
