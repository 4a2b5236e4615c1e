"""How much a package may hold, whatever it claims (X-09); together this bounds the memory and time of reading one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What is accepted at most; the defaults hold ten thousand conversations."""

    package_bytes: int = 256 * MIB
    unpacked_bytes: int = 1024 * MIB
    ratio: int = 200
    """Unpacked to packed, of what unpacks to more than `ratio_from_bytes`: ours reach about 30."""
    ratio_from_bytes: int = 64 * MIB
    entries: int = 60_000
    """Files in a zip, or in the JSON document."""
    identified: int = 1_000_000
    """Records with an id: the ids are kept while a package is checked, some 100 bytes each."""
    record_bytes: int = 2 * MIB
    manifest_bytes: int = 16 * MIB
    foreign_record_bytes: int = 16 * MIB
    """A conversation of another product is one JSON object."""

    @property
    def directory_bytes(self) -> int:
        """The most a zip's directory may take."""
        return 200 * self.entries + 64 * KIB


DEFAULT: Final = Limits()
