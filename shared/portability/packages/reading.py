"""Opens a package to import: our own, or an export of mem0, ChatGPT or Claude (X-09).

Packages are untrusted, whoever made them, and are never unpacked to disk. Memory is bounded by `Limits`, not by the
package's content.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import BinaryIO, Final

from shared.portability.packages.archives import Archive, read_fully
from shared.portability.packages.foreign import open_foreign_json, open_foreign_zip
from shared.portability.packages.limits import DEFAULT, Limits
from shared.portability.packages.own import is_ours, open_own_json, open_own_zip
from shared.portability.packages.package import Entry, Package
from shared.portability.packages.packing import MANIFEST
from shared.portability.packages.refusals import PackageRefused

__all__ = ["DEFAULT", "Entry", "Limits", "Package", "PackageRefused", "open_package"]

_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_SPACE: Final = b" \t\r\n"
_LOOK: Final = 4096


def open_package(file: BinaryIO, limits: Limits = DEFAULT, *, now: datetime | None = None) -> Package:
    """Detect the format of a file, and read its metadata.

    Args:
        file: open for reading, seekable; it must stay open while the package is used.
        limits: maximum sizes.
        now: date for records of foreign exports without one; default: the current time.

    Raises:
        PackageRefused: the format is unknown, or it is unsafe or too large. Only `Package.check` checks consistency.
    """
    if file.seek(0, io.SEEK_END) > limits.package_bytes:
        raise PackageRefused("package_too_large")
    file.seek(0)
    start = read_fully(file, _LOOK)
    moment = now or datetime.now(UTC)
    if start.startswith(_ZIP):
        archive = Archive(file, limits)
        if MANIFEST in archive.sizes:
            return open_own_zip(archive, limits)
        return open_foreign_zip(archive, limits, now=moment)
    text = start.lstrip(_SPACE)
    if text[:1] not in (b"{", b"["):
        raise PackageRefused("package_unknown_format")
    if is_ours(text):
        return open_own_json(file, limits)
    return open_foreign_json(file, limits, now=moment)
