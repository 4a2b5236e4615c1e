"""Rate limits per caller: counted in Valkey for all processes, or in this process while Valkey is down."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
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
"""Maximum time a request waits for Valkey."""
_AWAY_SECONDS: Final = 5.0
"""How long Valkey is not called after a failure."""


class TooManyRequests(Exception):
    """The caller exceeded its limit; `retry_after_seconds` says when it may call again."""

    def __init__(self, retry_after_seconds: int) -> None:
        super().__init__("too many requests")
        self.retry_after_seconds = retry_after_seconds


def names_in_valkey(settings: Settings) -> Callable[[str], str]:
    """Return what gives the keyed digest under which Valkey knows somebody: it never sees a name."""
    key = hashlib.sha256(settings.signing_key.get_secret_value().encode()).digest()
    return lambda name: hashlib.blake2b(name.encode(), key=key, digest_size=16).hexdigest()


class Rates:
    """Counts requests per caller in windows of one minute. Valkey sees a keyed digest, never the caller's name."""

    def __init__(self, settings: Settings) -> None:
        self._items = {
            kind: RateLimitItemPerMinute(amount, namespace=f"memory-center:{kind}")
            for kind, amount in (
                ("person", settings.person_requests_per_minute),
                ("service", settings.service_requests_per_minute),
            )
            if amount
        }
        self._name = names_in_valkey(settings)
        self._connections = ConnectionPool.from_url(
            settings.broker_url.get_secret_value(),
            socket_timeout=_VALKEY_SECONDS,
            socket_connect_timeout=_VALKEY_SECONDS,
        )
        given: Any = {"connection_pool": self._connections}  # the library's annotations lack this argument
        valkey = RedisStorage("async+redis://", implementation="redispy", **given)
        self._shared = FixedWindowRateLimiter(valkey)
        self._here = FixedWindowRateLimiter(MemoryStorage())
        self._away_until = 0.0

    async def count(self, principal: Principal) -> None:
        """Count a request of this caller.

        Raises:
            TooManyRequests: the caller's limit for this minute is exceeded.
        """
        item = self._items.get(principal.kind)
        if item is None:
            return
        who = self._name(principal.subject)
        if time.monotonic() >= self._away_until:
            try:
                await _hit(self._shared, item, who)
            except TooManyRequests:
                raise
            except Exception as error:  # noqa: BLE001 # any failure: serving must not depend on Valkey
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
