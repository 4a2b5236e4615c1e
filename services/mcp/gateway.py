"""Requests to the gateway for one person: what a tool may do is decided there, never here."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from uuid import uuid4

import httpx

TIMEOUT: Final = httpx.Timeout(30, connect=5)


class Refused(Exception):
    """The gateway refused; the message holds a code and a title, never content."""

    def __init__(self, code: str, title: str, status: int) -> None:
        super().__init__(f"{code}: {title}")
        self.code = code
        self.status = status


class Gateway:
    """A client of the gateway for one person's token.

    Args:
        http: a client whose base address is the gateway's.
    """

    def __init__(self, http: httpx.AsyncClient, token: str) -> None:
        self._http, self._headers = http, {"Authorization": f"Bearer {token}"}

    async def get(self, path: str, **query: Any) -> Any:
        """Return the JSON answer of a path below `/api/v1/`.

        Raises:
            Refused: the gateway refused, or is away.
        """
        return (await self._send("GET", path, params=_given(query))).json()

    async def page(self, path: str, **query: Any) -> tuple[list[Any], str | None]:
        """Return a page of a list, and the cursor of the next; None after the last.

        Raises:
            Refused: as `get`.
        """
        answer = await self._send("GET", path, params=_given(query))
        following = answer.links.get("next", {}).get("url")
        return answer.json(), httpx.URL(following).params.get("cursor") if following else None

    async def post(self, path: str, body: Mapping[str, Any], *, once: str | None = None) -> Any:
        """Send a request and return its JSON answer.

        Args:
            once: requests with the same words have one effect within a day; default: each request has its own.

        Raises:
            Refused: as `get`.
        """
        told = _given(body)
        key = hashlib.sha256(json.dumps([once, told], sort_keys=True).encode()).hexdigest() if once else str(uuid4())
        return (await self._send("POST", path, json=told, headers={"Idempotency-Key": key})).json()

    async def whose(self) -> str | None:
        """Return whose token it is; None for a bad one, and for the service key, which is nobody's.

        Raises:
            Refused: the gateway is away.
        """
        try:
            session = await self.get("session")
        except Refused as refused:
            if refused.status == HTTPStatus.UNAUTHORIZED:
                return None
            raise
        return str(session["user_id"])

    async def _send(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **given: Any
    ) -> httpx.Response:
        try:
            answer = await self._http.request(
                method, f"/api/v1/{path}", headers={**self._headers, **(headers or {})}, **given
            )
        except httpx.HTTPError as error:
            raise Refused("unreachable", "Memory Center cannot be reached.", 0) from error
        if answer.status_code >= HTTPStatus.BAD_REQUEST:
            raise _refused(answer)
        return answer


def _given(query: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in query.items() if one is not None}


def _refused(answer: httpx.Response) -> Refused:
    try:
        problem = answer.json()
        return Refused(str(problem["code"]), str(problem["title"]), answer.status_code)
    except (ValueError, KeyError, TypeError):
        return Refused("unexpected_answer", "Memory Center answered unexpectedly.", answer.status_code)
