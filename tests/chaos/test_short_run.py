"""A short seeded run, so that every change meets kills, stops and restarts; `make chaos` plays the long one."""

from __future__ import annotations

import pytest

from tests.chaos import lanes

STEPS = 150


@pytest.mark.timeout(240)
def test_killed_stopped_and_restarted_nothing_forgotten_comes_back_and_nothing_else_is_lost() -> None:
    played = list(lanes.play([1, 2], steps=STEPS, lanes=2))
    for one in played:
        assert one.violation is None, "\n".join([*one.trail, f"{one.name}: {one.violation}"])
    assert sum(one.counts.steps for one in played) == 2 * STEPS
    assert sum(one.counts.kills for one in played) > 0


@pytest.mark.timeout(240)
def test_a_broken_promise_is_noticed() -> None:
    """A harness that cannot fail is worthless."""
    played = list(lanes.play([1, 2], steps=STEPS, lanes=2, breaking="verification"))
    assert any(one.violation for one in played)
