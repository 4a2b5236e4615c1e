"""Circuit breaker: while a store is down, callers are refused at once, and one of them probes it from time to time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from shared.stores.port import StoreUnavailable, WriteTooLate

T = TypeVar("T")

FAILURES_TO_OPEN: Final = 3
PROBE_SECONDS: Final = 1.0


class Breaker:
    """Counts a store's failures in this process.

    Args:
        store: the store's name, carried by refusals.
        now: a monotonic clock, in seconds.
    """

    def __init__(self, store: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self.store = store
        self._now = now
        self._lock = threading.Lock()
        self._failures = 0
        self._failed_at = 0.0
        self._probe_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the store counts as down."""
        return self._failures >= FAILURES_TO_OPEN

    def pause_seconds(self) -> float:
        """Return for how many seconds callers are refused; 0 if they are not."""
        return max(0.0, self._probe_at - self._now()) if self.is_open else 0.0

    def call(self, function: Callable[..., T], *args: Any, **values: Any) -> T:
        """Call the store unless it is down; the first caller after a pause probes it.

        Raises:
            StoreUnavailable: the store did not answer, or was not called because it is down.
        """
        admitted = self._admit()
        try:
            answer = function(*args, **values)
        except StoreUnavailable as error:
            # Failures of other services, such as a language model, and writes that were too late do not count.
            if error.store == self.store and not isinstance(error, WriteTooLate):
                self._failed()
            raise
        with self._lock:
            if admitted >= self._failed_at:  # a call from before the outage proves nothing
                self._failures = 0
        return answer

    def _admit(self) -> float:
        with self._lock:
            if not self.is_open:
                return self._now()
            if self._now() < self._probe_at:
                raise StoreUnavailable(self.store)
            self._probe_at = self._now() + PROBE_SECONDS  # this caller probes; the others are refused meanwhile
            return self._now()

    def _failed(self) -> None:
        with self._lock:
            self._failures += 1
            self._failed_at = self._now()
            if self.is_open:
                self._probe_at = self._now() + PROBE_SECONDS


class _Guarded:
    def __init__(self, store: Any, breaker: Breaker) -> None:
        self._store, self._breaker = store, breaker

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._store, name)
        if not callable(member):
            return member
        return lambda *args, **values: self._breaker.call(member, *args, **values)


def guarded(store: T, breaker: Breaker) -> T:
    """Return the store with every call routed through the breaker."""
    return cast("T", _Guarded(store, breaker))
