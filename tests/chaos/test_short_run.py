"""A short seeded run, so that every change meets kills, stops and restarts; `make chaos` plays the long one."""

from __future__ import annotations

import pytest

from tests.chaos import lanes

STEPS = 120
SEEDS_TO_NOTICE = 10


@pytest.mark.timeout(240)
def test_kills_stops_and_restarts_restore_nothing_forgotten_and_lose_nothing_else() -> None:
    played = list(lanes.play([1, 2], steps=STEPS, lanes=2))
    for one in played:
        assert one.violation is None, "\n".join([*one.trail, f"{one.name}: {one.violation}"])
    assert sum(one.counts.steps for one in played) == 2 * STEPS
    assert sum(one.counts.kills for one in played) > 0
    assert sum(one.counts.restores for one in played) >= len(played)


@pytest.mark.timeout(240)
def test_a_product_that_breaks_its_promises_is_noticed() -> None:
    """A harness that cannot fail is worthless."""
    seeds = range(1, SEEDS_TO_NOTICE + 1)
    played = lanes.play(seeds, steps=STEPS, lanes=2, breaking="everything")
    violation = next((one.violation for one in played if one.violation), None)
    played.close()
    assert violation is not None
    assert not violation.startswith("harness")
