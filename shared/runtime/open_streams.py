"""How many streams each person has open: counted in Valkey for all processes, in this one while Valkey is away."""

from __future__ import annotations

import time
from typing import Final
from uuid import uuid4

import anyio
import structlog
from redis.asyncio import Redis

from shared.runtime import logging
from shared.runtime.rates import names_in_valkey
from shared.runtime.settings import Settings

COUNTED_SECONDS: Final = 45.0
"""How long a stream counts after it was last renewed: those of a process that died stop counting by themselves."""
RENEWED_SECONDS: Final = 15.0
_VALKEY_SECONDS: Final = 0.2
"""Maximum time a stream waits for Valkey."""


class OpenStreams:
    """Valkey sees a keyed digest, never the person's name. Each call connects anew: streams begin and end seldom."""

    def __init__(self, settings: Settings) -> None:
        self.here: dict[str, str] = {}
        """The streams of this process: id → the person's key."""
        self._name = names_in_valkey(settings)
        self._url = settings.broker_url.get_secret_value()
        self._renew_at = time.monotonic() + RENEWED_SECONDS

    async def enter(self, user_id: str, *, most: int) -> str | None:
        """Count a new stream of a person; return its id, or None if `most` are open already."""
        key, stream = f"memory-center:streams:{self._name(user_id)}", uuid4().hex
        if sum(one == key for one in self.here.values()) >= most:
            return None
        self.here[stream] = key
        if await self._counted(key, stream) > most:
            await self.leave(stream)
            return None
        return stream

    async def leave(self, stream: str) -> None:
        """Count a stream no more."""
        key = self.here.pop(stream)
        with anyio.CancelScope(shield=True):  # it ends because its client left, which cancels whatever it awaits
            try:
                async with self._valkey() as valkey:
                    await valkey.zrem(key, stream)
            except Exception as error:  # noqa: BLE001 # any failure: it stops counting when its time is over
                _left_out(error)

    async def renew(self) -> None:
        """Let the streams of this process count on; any of them may call this at any time."""
        if time.monotonic() < self._renew_at:
            return
        self._renew_at = time.monotonic() + RENEWED_SECONDS
        until = time.time() + COUNTED_SECONDS
        try:
            async with self._valkey() as valkey, valkey.pipeline(transaction=False) as sent:
                for stream, key in self.here.items():
                    sent.zadd(key, {stream: until})
                    sent.expire(key, int(COUNTED_SECONDS))
                await sent.execute()
        except Exception as error:  # noqa: BLE001 # as in `leave`
            _left_out(error)

    def _valkey(self) -> Redis:
        return Redis.from_url(self._url, socket_timeout=_VALKEY_SECONDS, socket_connect_timeout=_VALKEY_SECONDS)

    async def _counted(self, key: str, stream: str) -> int:
        """Add a stream; return how many the person has, 0 if Valkey does not say."""
        now = time.time()
        try:
            async with self._valkey() as valkey, valkey.pipeline(transaction=True) as sent:
                sent.zremrangebyscore(key, "-inf", now)
                sent.zadd(key, {stream: now + COUNTED_SECONDS})
                sent.expire(key, int(COUNTED_SECONDS))
                sent.zcard(key)
                *_, count = await sent.execute()
        except Exception as error:  # noqa: BLE001 # serving must not depend on Valkey
            _left_out(error)
            return 0
        return int(count)


def _left_out(error: Exception) -> None:
    structlog.get_logger().warning("streams.counted_here", **logging.failure(error))
