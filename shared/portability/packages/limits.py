"""Size limits of packages, which bound the memory and time of reading one (X-09)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Maximum sizes; the defaults fit ten thousand conversations."""

    package_bytes: int = 256 * MIB
    unpacked_bytes: int = 1024 * MIB
    ratio: int = 200
    """Maximum compression ratio above `ratio_from_bytes` unpacked; our packages reach about 30."""
    ratio_from_bytes: int = 64 * MIB
    entries: int = 60_000
    """Files in a zip or in the JSON document."""
    identified: int = 1_000_000
    """Records with an id; ids are kept in memory during a check, about 100 bytes each."""
    record_bytes: int = 2 * MIB
    manifest_bytes: int = 16 * MIB
    foreign_record_bytes: int = 16 * MIB
    """Larger, because a conversation of another product is one JSON object."""

    @property
    def directory_bytes(self) -> int:
        """Maximum size of a zip's directory."""
        return 200 * self.entries + 64 * KIB


DEFAULT: Final = Limits()
