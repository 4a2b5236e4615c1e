"""What a person types before everything is erased."""

from __future__ import annotations

from typing import Final

CONFIRMATIONS: Final = frozenset({"FORGET EVERYTHING", "忘掉一切"})
"""Checked on the server, not only in a dialog."""
