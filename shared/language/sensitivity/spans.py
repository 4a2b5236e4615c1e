"""The result of a detector."""

from __future__ import annotations

from dataclasses import dataclass

from shared.kernel.sensitivity import Category


@dataclass(frozen=True, slots=True)
class Found:
    """A sensitive fragment as half-open character offsets, never the text itself."""

    category: Category
    start: int
    end: int
