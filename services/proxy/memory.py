"""What the proxy asks of the gateway: a context, a conversation for a name, and to keep what was said."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

import httpx
import structlog

from services.proxy.asked import Asked, BadHeader

log = structlog.get_logger()

WAITING_MAX: Final = 1_000
"""Messages that wait to be kept while the gateway is away; more are dropped, and counted."""
TRIES: Final = 8
NAMES_MAX: Final = 10_000
MESSAGE_MAX: Final = 32_000


class Away(Exception):
    """The gateway cannot answer now."""


@dataclass(frozen=True, slots=True)
class Context:
    """What is remembered for a question.

    Args:
        stable_bytes: how much of the prompt rarely changes, in UTF-8.
        off: the person switched it off.
    """

    prompt: str
    stable_bytes: int
    items: int
    off: bool


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message to keep.

    Args:
        place: where it stands among the messages of its request.
        question: what it answers; the same words may answer several.
    """

    asked: Asked
    conversation_id: str
    place: int
    role: str
    text: str
    completed: bool = True
    question: str = ""


class Memory:
    """A client of the gateway, and what waits to be kept."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._named: OrderedDict[tuple[str, str | None, str], str] = OrderedDict()
        self._waiting: asyncio.Queue[Spoken] = asyncio.Queue(WAITING_MAX)
        self.dropped = 0

    async def context(self, asked: Asked, question: str, conversation_id: str | None) -> Context:
        """Return what is remembered for a question.

        Raises:
            Away: the gateway cannot answer now.
            BadHeader: it refuses the credentials, or what the headers name.
        """
        body = {
            "query": question[:4_000],
            "layers": ["stable", "retrieved"],
            "conversation_id": conversation_id,
            "project_id": asked.project_id,
        }
        found = await self._post("recall", asked, body)
        reasons = found["diagnostics"]["reasons"]
        return Context(
            prompt=found["prompt"],
            stable_bytes=found["stable_prefix_bytes"],
            items=len(found["items"]),
            off="injection_off" in reasons,
        )

    async def conversation(self, asked: Asked) -> str | None:
        """Return the id of the conversation a request names. A name of the client's own opens one.

        The same name means the same conversation while this process runs, and for a day after its first use.

        Raises:
            Away, BadHeader: as `context`.
        """
        name = asked.conversation
        if name is None:
            return None
        with contextlib.suppress(ValueError):
            return str(UUID(name))
        known = (hashlib.sha256(asked.authorization.encode()).hexdigest(), asked.user_id, name)
        if (found := self._named.get(known)) is not None:
            self._named.move_to_end(known)
            return found
        key = hashlib.sha256(
            "\0".join(("proxy", asked.user_id or "", asked.project_id or "", name)).encode()
        ).hexdigest()
        made: dict[str, Any] = await self._post("conversations", asked, {"project_id": asked.project_id}, key=key)
        self._named[known] = str(made["id"])
        while len(self._named) > NAMES_MAX:
            self._named.popitem(last=False)
        return str(made["id"])

    def keep(self, spoken: Spoken) -> None:
        """Queue a message; what does not fit is dropped, and counted."""
        if not spoken.text.strip():
            return
        try:
            self._waiting.put_nowait(spoken)
        except asyncio.QueueFull:
            self.dropped += 1
            log.warning("proxy.dropped", dropped=self.dropped)

    async def keep_on(self) -> None:
        """Send what waits, one after the other, for as long as the process runs."""
        while True:
            spoken = await self._waiting.get()
            try:
                await self._kept(spoken)
            finally:
                self._waiting.task_done()

    async def all_kept(self) -> None:
        """Wait until nothing waits any more."""
        await self._waiting.join()

    async def _kept(self, spoken: Spoken) -> None:
        digest = "\0".join((spoken.conversation_id, str(spoken.place), spoken.role, spoken.question, spoken.text))
        message = {
            "role": spoken.role,
            "content": spoken.text[:MESSAGE_MAX],
            "completed": spoken.completed,
            "client_message_id": hashlib.sha256(digest.encode()).hexdigest(),
        }
        body = {"conversation_id": spoken.conversation_id, "messages": [message]}
        for number in range(TRIES):
            try:
                await self._post("messages", spoken.asked, body)
            except Away:
                await asyncio.sleep(min(30.0, 0.25 * 2**number))
                continue
            except BadHeader as refused:  # forgotten meanwhile, or not this person's: it is not kept
                log.warning("proxy.not_kept", code=refused.code)
            return
        self.dropped += 1
        log.warning("proxy.dropped", dropped=self.dropped)

    async def _post(self, path: str, asked: Asked, body: dict[str, Any], *, key: str | None = None) -> dict[str, Any]:
        told = {name: one for name, one in body.items() if one is not None}
        if asked.user_id is not None:
            told["user_id"] = asked.user_id
        headers = {"Authorization": asked.authorization, **({"Idempotency-Key": key} if key else {})}
        try:
            answer = await self._http.post(f"/api/v1/{path}", json=told, headers=headers)
        except httpx.HTTPError as error:
            raise Away from error
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            raise Away
        try:
            document: dict[str, Any] = answer.json()
            if answer.status_code >= HTTPStatus.BAD_REQUEST:
                raise BadHeader(answer.status_code, str(document["code"]), str(document["title"]))
        except (ValueError, KeyError, TypeError):
            raise Away from None
        return document
