"""Records messages in the background; they wait while the gateway cannot be reached."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal

import structlog

from services.proxy.asked import Asked, Refused
from services.proxy.memory import Away, Memory, storable

if TYPE_CHECKING:
    from memory_center_client.schemas import MessageIn

log = structlog.get_logger()

WAITING_MAX: Final = 1_000
"""Messages that wait, of all people; more are dropped, and counted."""
WAITS_SECONDS: Final = 3_600.0
"""How long a message waits while the gateway is away."""
LATE_SECONDS: Final = 2.0
"""A message that waited longer may be older than a forget."""
FAILURES_MAX: Final = 3
"""How often the gateway may fail over one message."""
PAUSE_SECONDS: Final = 0.25
PAUSE_SECONDS_MAX: Final = 15.0
MESSAGE_MAX: Final = 32_000
AT_ONCE: Final = 16
"""Messages that are sent at the same time."""


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
    """Messages to record: each person's one after the other, up to `AT_ONCE` persons' at the same time."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._lines: dict[tuple[str, str | None], deque[Spoken]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self.waiting = self.dropped = 0

    def keep(self, spoken: Spoken) -> None:
        """Queue a message, as several if it is too long for one; if not all of it fits, it is dropped, and counted."""
        text = storable(spoken.text)
        parts = [text[start : start + MESSAGE_MAX] for start in range(0, len(text), MESSAGE_MAX)]
        parts = [part for part in parts if part.strip()]
        if self.waiting + len(parts) > WAITING_MAX:
            self._drop("full")
            return
        for number, part in enumerate(parts):
            self._queue(replace(spoken, text=part, digest=f"{spoken.digest} {number}" if number else spoken.digest))

    def _queue(self, spoken: Spoken) -> None:
        self.waiting += 1
        whose = (spoken.asked.token, spoken.asked.user_id)
        if (line := self._lines.get(whose)) is not None:
            line.append(spoken)
            return
        self._lines[whose] = deque([spoken])
        task = asyncio.create_task(self._send(whose))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def all_kept(self) -> None:
        """Wait until nothing waits any more."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def give_up(self) -> None:
        """Send nothing any more."""
        for task in self._tasks:
            task.cancel()

    async def _send(self, whose: tuple[str, str | None]) -> None:
        line = self._lines[whose]
        while line:
            try:
                await self._kept(line[0])
            except Exception as error:  # noqa: BLE001 # one message must not hold up the next
                self._drop(type(error).__name__)
            line.popleft()
            self.waiting -= 1
        del self._lines[whose]

    async def _kept(self, spoken: Spoken) -> None:
        pause, failures = PAUSE_SECONDS, 0
        while time.monotonic() - spoken.since < WAITS_SECONDS and failures < FAILURES_MAX:
            try:
                async with self._at_once:
                    await self._sent(spoken)
            except Away as away:
                failures += not away.passing
                await asyncio.sleep(pause)
                pause = min(PAUSE_SECONDS_MAX, 2 * pause)
                continue
            except Refused as refused:  # forgotten meanwhile, or not this person's: it is not kept
                log.warning("proxy.not_kept", code=refused.code)
            return
        self._drop("away")

    async def _sent(self, spoken: Spoken) -> None:
        waited = time.monotonic() - spoken.since
        # After a forget, a name means a new conversation: an older message must not be the first in it.
        is_late = spoken.conversation_id is None and waited > LATE_SECONDS
        if is_late and await self._memory.forgot_since(spoken.asked, waited):
            log.info("proxy.not_kept", code="forgotten")
            return
        conversation_id = spoken.conversation_id or await self._memory.conversation(spoken.asked)
        named = f"{conversation_id}\0{spoken.role}\0{spoken.digest}"
        assert conversation_id is not None  # noqa: S101 # only what names one is kept
        message: MessageIn = {
            "role": spoken.role,
            "content": spoken.text,
            "completed": spoken.completed,
            "client_message_id": hashlib.sha256(named.encode()).hexdigest(),
        }
        await self._memory.record(spoken.asked, conversation_id, message)

    def _drop(self, why: str) -> None:
        self.dropped += 1
        log.warning("proxy.dropped", count=self.dropped, reason=why)
