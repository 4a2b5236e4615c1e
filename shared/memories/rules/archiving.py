"""Rules for archiving memories (LT-10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

IMPORTANCE_MAX: Final = 7
"""A memory with a higher importance is never archived for lack of use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePolicy:
    """The number of days after which a memory is archived.

    Args:
        unused_days: since its last event (learned, changed, supported, restored), and since an assistant was given it.
            Applies only to L1 memories that are not taboo, confirmed, paused or disputed, with an importance of at most
            `IMPORTANCE_MAX`.
        superseded_days: since a newer memory superseded it; applies to all memories.
    """

    unused_days: float = 180.0
    superseded_days: float = 90.0
