"""What a detector returns."""

from __future__ import annotations

from dataclasses import dataclass

from shared.kernel.sensitivity import Category


@dataclass(frozen=True, slots=True)
class Found:
    """A sensitive fragment: half-open character offsets, never the fragment itself."""

    category: Category
    start: int
    end: int
