"""Records messages in the background; they wait while the gateway cannot be reached."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import structlog

from services.proxy.asked import Asked, BadHeader
from services.proxy.memory import Away, Memory, storable

if TYPE_CHECKING:
    from memory_center_client.schemas import MessageIn

log = structlog.get_logger()

WAITING_MAX: Final = 1_000
"""Messages that wait; more are dropped, and counted."""
WAITS_SECONDS: Final = 3_600.0
"""How long a message waits while the gateway is away."""
FAILURES_MAX: Final = 3
"""How often the gateway may fail over one message."""
PAUSE_SECONDS: Final = 0.25
PAUSE_SECONDS_MAX: Final = 15.0
MESSAGE_MAX: Final = 32_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A message to keep.

    Args:
        conversation_id: None if the name could not be looked up yet.
        digest: of the messages it came with: the same request again is kept once.
    """

    asked: Asked
    conversation_id: str | None
    role: Literal["user", "assistant"]
    text: str
    digest: str
    completed: bool = True
    since: float = field(default_factory=time.monotonic)


def digest_of(messages: Sequence[Any]) -> str:
    """Return what distinguishes a request from another one with the same last words."""
    return hashlib.sha256(json.dumps(messages, sort_keys=True).encode()).hexdigest()


class Keeping:
    """A queue of messages to record."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._waiting: asyncio.Queue[Spoken] = asyncio.Queue(WAITING_MAX)
        self.dropped = 0

    def keep(self, spoken: Spoken) -> None:
        """Queue a message; what does not fit is dropped, and counted."""
        if not spoken.text.strip():
            return
        try:
            self._waiting.put_nowait(spoken)
        except asyncio.QueueFull:
            self._drop("full")

    async def keep_on(self) -> None:
        """Send what waits, one after the other, for as long as the process runs."""
        while True:
            spoken = await self._waiting.get()
            try:
                await self._kept(spoken)
            except Exception as error:  # noqa: BLE001 # one message must not hold up all others
                self._drop(type(error).__name__)
            finally:
                self._waiting.task_done()

    async def all_kept(self) -> None:
        """Wait until nothing waits any more."""
        await self._waiting.join()

    async def _kept(self, spoken: Spoken) -> None:
        pause, failures = PAUSE_SECONDS, 0
        while time.monotonic() - spoken.since < WAITS_SECONDS and failures < FAILURES_MAX:
            try:
                await self._sent(spoken)
            except Away as away:
                failures += not away.passing
                await asyncio.sleep(pause)
                pause = min(PAUSE_SECONDS_MAX, 2 * pause)
                continue
            except BadHeader as refused:  # forgotten meanwhile, or not this person's: it is not kept
                log.warning("proxy.not_kept", code=refused.code)
            return
        self._drop("away")

    async def _sent(self, spoken: Spoken) -> None:
        conversation_id = spoken.conversation_id or await self._memory.conversation(spoken.asked)
        named = f"{conversation_id}\0{spoken.role}\0{spoken.digest}"
        assert conversation_id is not None  # noqa: S101 # only what names one is kept
        message: MessageIn = {
            "role": spoken.role,
            "content": storable(spoken.text)[:MESSAGE_MAX],
            "completed": spoken.completed,
            "client_message_id": hashlib.sha256(named.encode()).hexdigest(),
        }
        await self._memory.record(spoken.asked, conversation_id, message)

    def _drop(self, why: str) -> None:
        self.dropped += 1
        log.warning("proxy.dropped", dropped=self.dropped, reason=why)
