"""Long work says that it goes on: every few seconds, however often it is asked."""

from __future__ import annotations

import pytest

from shared.runtime.heartbeat import SECONDS, Heartbeat


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds

    def passes(self, seconds: float) -> None:
        self.seconds += seconds


class NotWanted(Exception):
    """Nobody waits for this work any more."""


def test_work_that_asks_often_keeps_only_every_few_seconds() -> None:
    clock, kept = Clock(), []
    heartbeat = Heartbeat(lambda: kept.append(clock()), now=clock)
    for _ in range(40):
        heartbeat()
        clock.passes(SECONDS / 8)
    assert kept == [100.0 + SECONDS * beats for beats in range(1, 5)]


def test_nothing_is_kept_before_the_first_interval_is_over() -> None:
    clock, kept = Clock(), []
    heartbeat = Heartbeat(lambda: kept.append(clock()), now=clock)
    assert not heartbeat.is_due
    clock.passes(SECONDS / 2)
    heartbeat()
    assert not kept
    clock.passes(SECONDS / 2)
    assert heartbeat.is_due
    heartbeat()
    assert kept
    assert not heartbeat.is_due


def test_the_interval_begins_when_keeping_is_done() -> None:
    clock, kept = Clock(), []

    def slowly() -> None:
        clock.passes(10 * SECONDS)
        kept.append(clock())

    heartbeat = Heartbeat(slowly, now=clock)
    clock.passes(SECONDS)
    heartbeat()
    heartbeat()
    assert len(kept) == 1


def test_work_hears_that_it_is_not_wanted_and_hears_it_again() -> None:
    clock = Clock()

    def refuse() -> None:
        raise NotWanted

    heartbeat = Heartbeat(refuse, now=clock)
    clock.passes(SECONDS)
    for _ in range(2):
        with pytest.raises(NotWanted):
            heartbeat()
