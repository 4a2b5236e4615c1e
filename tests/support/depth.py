"""How many examples a property test tries."""

from __future__ import annotations

from hypothesis import settings

USUAL = 100


def examples(usual: int) -> int:
    """Return how many examples to try: `usual` in `make test`, ten times as many in `make test-full`."""
    return usual * settings().max_examples // USUAL
