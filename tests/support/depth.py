"""How many examples a property test tries."""

from __future__ import annotations

from hypothesis import settings

USUAL = 50


def examples(usual: int) -> int:
    """Return how many examples to try: `usual` in `make test`, twenty times as many in `make test-full`."""
    return usual * settings().max_examples // USUAL
