"""A store that is down is asked rarely, and everyone goes on when it is back."""

from __future__ import annotations

import pytest

from shared.stores.breaker import FAILURES_TO_OPEN, PROBE_SECONDS, Breaker, guarded
from shared.stores.port import StoreUnavailable


class Store:
    name = "milvus"

    def __init__(self) -> None:
        self.up = False
        self.asked = 0

    def ping(self) -> str:
        self.asked += 1
        if not self.up:
            raise StoreUnavailable("milvus")
        return "pong"


@pytest.fixture
def clock() -> list[float]:
    return [100.0]


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def breaker(clock: list[float]) -> Breaker:
    return Breaker("milvus", now=lambda: clock[0])


def fail(store: Store, breaker: Breaker, times: int) -> None:
    for _ in range(times):
        with pytest.raises(StoreUnavailable):
            guarded(store, breaker).ping()


def test_a_few_failures_open_it_and_then_the_store_is_not_asked(store: Store, breaker: Breaker) -> None:
    fail(store, breaker, FAILURES_TO_OPEN - 1)
    assert not breaker.is_open
    fail(store, breaker, 5)
    assert breaker.is_open
    assert store.asked == FAILURES_TO_OPEN


def test_one_caller_probes_after_the_pause_and_success_closes_it(
    store: Store, breaker: Breaker, clock: list[float]
) -> None:
    fail(store, breaker, FAILURES_TO_OPEN)
    assert breaker.pause_seconds() == pytest.approx(PROBE_SECONDS)
    clock[0] += PROBE_SECONDS
    fail(store, breaker, 3)
    assert store.asked == FAILURES_TO_OPEN + 1
    store.up = True
    clock[0] += PROBE_SECONDS
    assert guarded(store, breaker).ping() == "pong"
    assert not breaker.is_open
    assert breaker.pause_seconds() == 0


def test_other_errors_and_plain_attributes_pass_through(store: Store, breaker: Breaker) -> None:
    assert guarded(store, breaker).name == "milvus"
    with pytest.raises(AttributeError):
        guarded(store, breaker).nothing  # type: ignore[attr-defined]  # noqa: B018
