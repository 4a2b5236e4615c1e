"""For how long a forget can be undone."""

from __future__ import annotations

from typing import Final

UNDO_SECONDS_MAX: Final = 60
"""The longest window; meanwhile derivations wait and forgotten data is still stored."""
