"""What the proxy asks of the gateway: whose a token is, a context, a conversation for a name."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

import httpx

from services.proxy.asked import Asked, BadHeader

T = TypeVar("T")

KNOWN_MAX: Final = 10_000
CONFIRMED_SECONDS: Final = 60.0
"""How long a token counts as confirmed; what it may see is decided with each request for memory."""
QUESTION_MAX: Final = 4_000


class Away(Exception):
    """The gateway cannot answer now.

    Args:
        passing: another try can help: it could not be reached, or is busy.
    """

    def __init__(self, *, passing: bool = True) -> None:
        super().__init__()
        self.passing = passing


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


class Memory:
    """A client of the gateway."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http
        self._persons: _Known[tuple[str, float]] = _Known()
        self._named: _Known[str] = _Known()

    async def person(self, asked: Asked) -> str:
        """Return whose memory a request is about, if its credentials are good for it.

        Raises:
            Away: the gateway cannot answer now.
            BadHeader: it refuses the credentials.
        """
        token = _digest(asked.authorization, asked.user_id or "")
        known = self._persons.get(token)
        if known is not None and time.monotonic() - known[1] < CONFIRMED_SECONDS:
            return known[0]
        if asked.user_id is None:
            found = await self._send("GET", "session", asked)
        else:
            found = await self._send("GET", "memory/settings", asked, query={"user_id": asked.user_id})
        person = str(found["user_id"])
        self._persons.put(token, (person, time.monotonic()))
        return person

    async def context(self, asked: Asked, question: str, conversation_id: str | None) -> Context:
        """Return what is remembered for a question.

        Raises:
            Away, BadHeader: as `person`, and for what the headers name.
        """
        body = {
            "query": storable(question)[:QUESTION_MAX],
            "layers": ["stable", "retrieved"],
            "conversation_id": conversation_id,
            "project_id": asked.project_id,
        }
        found = await self.post("recall", asked, body)
        reasons = found["diagnostics"]["reasons"]
        return Context(
            prompt=found["prompt"],
            stable_bytes=found["stable_prefix_bytes"],
            items=len(found["items"]),
            off="injection_off" in reasons,
        )

    async def conversation(self, asked: Asked, *, instead_of: str | None = None) -> str | None:
        """Return the id of the conversation a request names; None if it names none.

        A name of the client's own opens one in the project of the request. The same name means the same conversation
        while this process runs, and for a day after its first use.

        Args:
            instead_of: the id the name had, which is there no more.

        Raises:
            Away, BadHeader: as `context`.
        """
        name = asked.conversation
        if name is None:
            return None
        with contextlib.suppress(ValueError):
            return str(UUID(name))
        key = _digest("proxy", await self.person(asked), asked.project_id or "", name)
        if (found := self._named.get(key)) is not None and found != instead_of:
            return found
        once = key if instead_of is None else _digest(key, instead_of)
        made = await self.post("conversations", asked, {"project_id": asked.project_id}, key=once)
        self._named.put(key, str(made["id"]))
        return str(made["id"])

    async def is_there(self, asked: Asked, conversation_id: str) -> bool:
        """Return whether a conversation exists and was not forgotten.

        Raises:
            Away: as `context`.
        """
        about = {"user_id": asked.user_id} if asked.user_id is not None else None
        try:
            await self._send("GET", f"conversations/{conversation_id}", asked, query=about)
        except BadHeader:
            return False
        return True

    async def post(self, path: str, asked: Asked, body: dict[str, Any], *, key: str | None = None) -> dict[str, Any]:
        """Send a request for the person of another one, and return the answer.

        Raises:
            Away, BadHeader: as `context`.
        """
        told = {name: one for name, one in body.items() if one is not None}
        if asked.user_id is not None:
            told["user_id"] = asked.user_id
        return await self._send("POST", path, asked, body=told, key=key)

    async def _send(
        self,
        method: str,
        path: str,
        asked: Asked,
        *,
        query: dict[str, str] | None = None,
        body: dict[str, Any] | None = None,
        key: str | None = None,
    ) -> dict[str, Any]:
        headers = {"Authorization": asked.authorization, **({"Idempotency-Key": key} if key else {})}
        try:
            answer = await self._http.request(method, f"/api/v1/{path}", params=query, json=body, headers=headers)
        except httpx.HTTPError as error:
            raise Away from error
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status_code == HTTPStatus.TOO_MANY_REQUESTS:
            raise Away(passing=answer.status_code != HTTPStatus.INTERNAL_SERVER_ERROR)
        try:
            document: dict[str, Any] = answer.json()
            if answer.status_code >= HTTPStatus.BAD_REQUEST:
                raise BadHeader(answer.status_code, str(document["code"]), str(document["title"]))
        except (ValueError, KeyError, TypeError):
            raise Away(passing=False) from None
        return document


class _Known(Generic[T]):
    """The last things that were found out."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, T] = OrderedDict()

    def get(self, key: str) -> T | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: str, value: T) -> None:
        self._kept[key] = value
        self._kept.move_to_end(key)
        while len(self._kept) > KNOWN_MAX:
            self._kept.popitem(last=False)


def storable(text: str) -> str:
    """Return a text as a database can hold it: halves of surrogate pairs joined or replaced, and no NUL."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")


def _digest(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()
