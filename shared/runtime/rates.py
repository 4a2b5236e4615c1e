"""How often each caller may ask: counted in Valkey, so that every process counts the same; here while it is away."""

from __future__ import annotations

import hashlib
import time
from typing import Any, Final

import structlog
from limits import RateLimitItemPerMinute
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from redis.asyncio import ConnectionPool

from shared.runtime import logging
from shared.runtime.authentication import Principal
from shared.runtime.settings import Settings

_VALKEY_SECONDS: Final = 0.1
"""A request waits no longer for Valkey to count it."""
_AWAY_SECONDS: Final = 5.0
"""Valkey is not asked again for so long after it did not answer."""


class TooManyRequests(Exception):
    """This caller asked too often; `retry_after_seconds` says when it may again."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__("too many requests")
        self.retry_after_seconds = retry_after_seconds


class Rates:
    """Counts requests per caller in windows of a minute. Valkey sees a keyed digest, never who it is."""

    def __init__(self, settings: Settings) -> None:
        self._items = {
            kind: RateLimitItemPerMinute(amount, namespace=f"memory-center:{kind}")
            for kind, amount in (
                ("person", settings.person_requests_per_minute),
                ("service", settings.service_requests_per_minute),
            )
            if amount
        }
        self._key = hashlib.sha256(settings.signing_key.get_secret_value().encode()).digest()
        self._connections = ConnectionPool.from_url(
            settings.broker_url.get_secret_value(),
            socket_timeout=_VALKEY_SECONDS,
            socket_connect_timeout=_VALKEY_SECONDS,
        )
        given: Any = {"connection_pool": self._connections}  # its annotations do not name what it takes
        valkey = RedisStorage("async+redis://", implementation="redispy", **given)
        self._shared = FixedWindowRateLimiter(valkey)
        self._here = FixedWindowRateLimiter(MemoryStorage())
        self._away_until = 0.0

    async def count(self, principal: Principal) -> None:
        """Count a request of this caller.

        Raises:
            TooManyRequests: it is one too many for this minute.
        """
        item = self._items.get(principal.kind)
        if item is None:
            return
        who = hashlib.blake2b(principal.subject.encode(), key=self._key, digest_size=16).hexdigest()
        if time.monotonic() >= self._away_until:
            try:
                await _hit(self._shared, item, who)
            except TooManyRequests:
                raise
            except Exception as error:  # noqa: BLE001 # whatever is wrong with it: who is served must not depend on it
                self._away_until = time.monotonic() + _AWAY_SECONDS
                structlog.get_logger().warning("rates.counted_here", **logging.failure(error))
            else:
                return
        await _hit(self._here, item, who)

    async def close(self) -> None:
        """Release the connections; the next request opens new ones."""
        await self._connections.disconnect()


async def _hit(limiter: FixedWindowRateLimiter, item: RateLimitItemPerMinute, who: str) -> None:
    if not await limiter.hit(item, who):
        reset, _ = await limiter.get_window_stats(item, who)
        raise TooManyRequests(max(1, round(reset - time.time())))
