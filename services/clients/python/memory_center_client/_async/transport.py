"""Requests, repeated where that is safe."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterable, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Final, Generic, TypeVar
from uuid import uuid4

import anyio
import httpx2

from memory_center_client.errors import ConnectionFailed, TimedOut, UnexpectedAnswer, api_error
from memory_center_client.retry_after import seconds_of
from memory_center_client.tokens import AsyncToken, acurrent

T = TypeVar("T")

API: Final = "/api/v1/"
REPEATED: Final = frozenset(
    {
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)
PAUSE_SECONDS: Final = 0.25
PAUSE_SECONDS_MAX: Final = 30.0
"""Who is asked to wait longer gets the refusal."""
CONNECT_SECONDS: Final = 5
EVENTS_TIMEOUT: Final = httpx2.Timeout(45, connect=CONNECT_SECONDS)
"""Of a stream of events, which is quiet for 15 seconds at most."""


class AsyncTransport:
    """Sends requests for one person.

    Args:
        http: has the address of Memory Center as its base URL.
        token: goes with every request; None: nothing does.
        user_id: whom a service key acts for; None with a person's own token.
        retries: how often a request is repeated whose answer was lost, or which was refused for the moment.
    """

    def __init__(self, http: httpx2.AsyncClient, token: AsyncToken | None, user_id: str | None, retries: int) -> None:
        self.http = http
        self._token = token
        self._about = {} if user_id is None else {"user_id": user_id}
        self._retries = retries

    async def get(self, path: str, **query: Any) -> Any:
        """Return the JSON answer of a path below `/api/v1/`. None in a query counts as left out."""
        return json_of(await self.send("GET", path, query=query))

    async def page(self, path: str, **query: Any) -> tuple[list[Any], str | None]:
        """Return a page of a list, and the `cursor` of the next; None after the last."""
        answer = await self.send("GET", path, query=query)
        following = answer.links.get("next", {}).get("url")
        return json_of(answer), httpx2.URL(following).params.get("cursor") if following else None

    async def post(self, path: str, body: Mapping[str, Any] | None = None, *, key: str | None = None) -> Any:
        """Send a JSON body, and return the JSON answer. None in the body counts as left out.

        Args:
            key: requests under the same one have one effect within a day; default: each call has its own.
        """
        headers = {"Idempotency-Key": key} if key is not None else {}
        return json_of(await self.send("POST", path, body=_given(body or {}), headers=headers))

    async def delete(self, path: str, **query: Any) -> Any:
        """Delete something; return the JSON answer, or None if there is none."""
        answer = await self.send("DELETE", path, query=query)
        return json_of(answer) if answer.content else None

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        content: bytes | AsyncIterable[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> httpx2.Response:
        """Send a request; a repeated one has the same idempotency key, and one effect.

        The person is named in the body if there is one, else in the query.

        Args:
            content: a body that is no JSON; one in pieces is sent once.
            timeout: of this request, in seconds; default: the client's.

        Raises:
            ApiError: Memory Center refused.
            ConnectionFailed, TimedOut: it cannot be reached.
        """
        given: dict[str, Any] = {"params": _given({**(self._about if body is None else {}), **(query or {})})}
        if body is not None:
            given["content"] = _encoded({**self._about, **body})
        if content is not None:
            given["content"] = content
        if timeout is not None:
            given["timeout"] = httpx2.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout))
        repeats = self._retries if content is None or isinstance(content, bytes) else 0
        once = {"Idempotency-Key": str(uuid4())} if method not in ("GET", "PUT") else {}
        if body is not None:
            once["Content-Type"] = "application/json"
        for tried in range(repeats + 1):
            every = {**await self._credentials(), **once, **(headers or {})}
            try:
                answer = await self.http.request(method, API + path, headers=every, **given)
            except httpx2.TransportError as problem:
                if tried == repeats:
                    raise _failed(problem) from None
                await anyio.sleep(_pause(tried))
                continue
            if answer.is_success:
                return answer
            pause = _pause(tried, answer.headers.get("Retry-After"))
            if tried == repeats or answer.status_code not in REPEATED or pause > PAUSE_SECONDS_MAX:
                raise _refused(answer)
            await anyio.sleep(pause)
        raise AssertionError

    async def stream_events(self, path: str, **query: Any) -> AsyncIterator[httpx2.ServerSentEvent]:
        """Yield server-sent events; after a lost connection, those since the last."""
        last = ""
        failures = 0
        while True:
            headers = {**await self._credentials(), **({"Last-Event-ID": last} if last else {})}
            try:
                async with self.http.sse(
                    API + path, params=_given({**self._about, **query}), headers=headers, timeout=EVENTS_TIMEOUT
                ) as source:
                    pause = _pause(failures, source.response.headers.get("Retry-After"))
                    may_pass = source.response.status_code in REPEATED and pause <= PAUSE_SECONDS_MAX
                    if may_pass and failures < self._retries:
                        failures += 1
                        await anyio.sleep(pause)
                        continue
                    if not source.response.is_success:
                        await source.response.aread()
                        raise _refused(source.response)
                    async for event in source:
                        failures, last = 0, event.id or last
                        yield event
            except httpx2.TransportError as problem:
                failures += 1
                if failures > self._retries:
                    raise _failed(problem) from None
            await anyio.sleep(_pause(failures))

    @asynccontextmanager
    async def download(self, path: str, *, start: int = 0, sha256: str | None = None) -> AsyncIterator[AsyncDownload]:
        """Open a download.

        Args:
            start: leave out the bytes before this place, if the file is still the one with this digest.

        Raises:
            ApiError: Memory Center refused.
            ConnectionFailed, TimedOut: it cannot be reached, or the connection was lost.
        """
        try:
            headers = {**await self._credentials(), "Accept-Encoding": "identity"}
            if start:
                headers |= {"Range": f"bytes={start}-", "If-Range": f'"{sha256}"'}
            async with self.http.stream("GET", API + path, params=self._about, headers=headers) as answer:
                if not answer.is_success:
                    await answer.aread()
                    raise _refused(answer)
                went_on = answer.status_code == HTTPStatus.PARTIAL_CONTENT
                yield AsyncDownload(start if went_on else 0, answer.aiter_bytes())
        except httpx2.TransportError as problem:
            raise _failed(problem) from None

    async def _credentials(self) -> dict[str, str]:
        if self._token is None:
            return {}
        token = await acurrent(self._token)
        return {"Authorization": f"Bearer {token}"}


class AsyncDownload:
    """The bytes of a file in pieces: `async for piece in …`.

    Args:
        start: the place in the file of the first piece; 0 unless the download went on where another ended.
    """

    def __init__(self, start: int, pieces: AsyncIterator[bytes]) -> None:
        self.start = start
        self._pieces = pieces

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._pieces


class AsyncPages(Generic[T]):
    """A list that is read as it is gone through: `async for item in …`, or `.pages()` for whole pages."""

    def __init__(self, transport: AsyncTransport, path: str, query: Mapping[str, Any]) -> None:
        self._transport, self._path, self._query = transport, path, query

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page:
                yield item

    async def pages(self) -> AsyncIterator[list[T]]:
        """Yield page after page."""
        page, cursor = await self._transport.page(self._path, **self._query)
        yield page
        while cursor is not None:
            page, cursor = await self._transport.page(self._path, **{**self._query, "cursor": cursor})
            yield page


def _given(members: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


def _encoded(body: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # half of a surrogate pair, for the server to refuse: this error would hold the text
        return json.dumps(body).encode()


def _pause(tried: int, asked_for: str | None = None) -> float:
    """Return how many seconds to wait: what the server asks for, else twice as long each time; never all at once."""
    if (seconds := seconds_of(asked_for)) is not None:
        return seconds + random.uniform(0, PAUSE_SECONDS)  # noqa: S311 # no secret
    return PAUSE_SECONDS * 2**tried * random.uniform(0.5, 1)  # noqa: S311 # same


def _failed(problem: httpx2.TransportError) -> ConnectionFailed | TimedOut:
    kind = type(problem).__name__
    return TimedOut(kind) if isinstance(problem, httpx2.TimeoutException) else ConnectionFailed(kind)


def _refused(answer: httpx2.Response) -> Exception:
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    return api_error(answer.status_code, problem if isinstance(problem, dict) else {})


def json_of(answer: httpx2.Response) -> Any:
    """Return what an answer holds.

    Raises:
        UnexpectedAnswer: it is not JSON.
    """
    try:
        return answer.json()
    except ValueError:
        raise UnexpectedAnswer("the answer is not JSON") from None
