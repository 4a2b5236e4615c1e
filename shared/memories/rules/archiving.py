"""Which memory units rest in the archive (LT-10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

IMPORTANCE_MAX: Final = 7
"""What matters more is never archived for having been quiet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePolicy:
    """After how many days a unit goes to the archive.

    Args:
        unused_days: since anything happened to it: it was learned, changed, said again, brought back. Only for what was
            never consolidated (L1), and not for taboos, confirmed or paused ones, open contradictions, or an importance
            above `IMPORTANCE_MAX`.
        superseded_days: since a newer one took its place, whatever it is.
    """

    unused_days: float = 180.0
    superseded_days: float = 90.0
