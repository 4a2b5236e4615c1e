"""What the reasons people pick for their feedback show of them (CN-06). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

REASONS: Final[Mapping[str, str]] = {
    "too_long": "asks-short-answers",
    "too_detailed": "asks-short-answers",
    "too_short": "asks-detailed-answers",
    "too_shallow": "asks-detailed-answers",
    "needs_sources": "asks-for-sources",
}
"""Reason from the list → behavior of the catalogue. Other reasons are about one answer only."""
