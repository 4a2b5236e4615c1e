"""The bundled reader in this process, opened once."""

from __future__ import annotations

from functools import cache

from shared.language.reader.engine import Reader
from shared.language.reader.reading import LocalReadings


@cache
def bundled() -> LocalReadings:
    """Return it."""
    return LocalReadings(Reader())
