"""Opening what somebody wants to import: our own packages, and the exports of mem0, ChatGPT and Claude (X-09).

Nothing in a package is believed, whatever made it, and nothing of it is unpacked to a file. Memory is bounded by
`Limits`, not by what the package holds.
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
    """Find out what a file is, and read what it says of itself.

    Args:
        file: open for reading, seekable; it must stay open as long as the package is used.
        limits: how much is accepted.
        now: what foreign exports without times are dated; by default the present.

    Raises:
        PackageRefused: it is none of the known formats, or unsafe, or more than is accepted. That it holds together
            says only `Package.check`.
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
