"""The proxy: `/openai/v1/chat/completions` with memory; every other path below `/openai/v1/` passes through."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Final

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from services.proxy.answers import Words
from services.proxy.asked import Asked, BadHeader, Fail, asked_of
from services.proxy.injecting import place_of, question_of, with_memory
from services.proxy.memory import Away, Memory, Spoken

BODY_MAX: Final = 20_000_000
UPSTREAM_TIMEOUT: Final = httpx.Timeout(600, connect=10)
GATEWAY_TIMEOUT: Final = httpx.Timeout(10, connect=2)
HOP_BY_HOP: Final = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "host",
        "content-length",
        "accept-encoding",
    }
)
METHODS: Final = ["GET", "POST", "DELETE"]


class TooLarge(Exception):
    """The body is larger than the proxy accepts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How a proxy is set up.

    Args:
        gateway: the address of Memory Center.
        upstream: the address of the API, with `/v1`.
        upstream_key: replaces the caller's `Authorization`; None passes it on.
        patience: seconds a request waits for memory.
        fail: what happens when memory is away: the request goes on without (`open`), or is a 503 (`closed`).
    """

    gateway: str
    upstream: str
    upstream_key: str | None = None
    patience: float = 0.5
    fail: Fail = "open"


@dataclass(slots=True)
class Given:
    """What became of memory for a request."""

    status: str
    asked: Asked | None = None
    conversation_id: str | None = None
    items: int = 0
    milliseconds: int = 0

    def headers(self) -> dict[str, str]:
        found = {
            "Memory-Status": self.status,
            "Memory-Items": str(self.items),
            "Memory-Milliseconds": str(self.milliseconds),
        }
        if self.asked is not None and self.asked.writes and self.conversation_id is None:
            found["Memory-Recorded"] = "no_conversation"
        if self.conversation_id is not None:
            found["Memory-Conversation"] = self.conversation_id
        return found


def proxy_app(
    setup: Setup,
    *,
    gateway: httpx.AsyncBaseTransport | None = None,
    upstream: httpx.AsyncBaseTransport | None = None,
) -> Starlette:
    """Return the application.

    Args:
        gateway, upstream: transports; default: the network.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with (
            httpx.AsyncClient(base_url=setup.gateway, timeout=GATEWAY_TIMEOUT, transport=gateway) as to_gateway,
            httpx.AsyncClient(timeout=UPSTREAM_TIMEOUT, transport=upstream) as to_upstream,
        ):
            memory = Memory(to_gateway)
            app.state.proxy = Proxy(setup, memory, to_upstream)
            keeping = asyncio.create_task(memory.keep_on())
            try:
                yield
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(memory.all_kept(), 5)
            finally:
                keeping.cancel()

    return Starlette(
        routes=[
            Route("/openai/v1/chat/completions", _chat, methods=["POST"]),
            Route("/openai/v1/{path:path}", _pass, methods=METHODS),
        ],
        exception_handlers={TooLarge: _too_large},
        lifespan=lifespan,
    )


async def _too_large(_: Request, __: Exception) -> Response:
    return _problem(413, "body_too_large", f"At most {BODY_MAX} bytes.")


async def _chat(request: Request) -> Response:
    proxy: Proxy = request.app.state.proxy
    return await proxy.chat(request)


async def _pass(request: Request) -> Response:
    proxy: Proxy = request.app.state.proxy
    return await proxy.passed(request, await _body(request), Given(status="not_supported"))


class Proxy:
    """Adds memory to requests, and keeps what was said."""

    def __init__(self, setup: Setup, memory: Memory, upstream: httpx.AsyncClient) -> None:
        self._setup, self._memory, self._upstream = setup, memory, upstream

    async def chat(self, request: Request) -> Response:
        """Answer a chat request as the upstream does, with memory in it."""
        raw = await _body(request)
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError):
            return await self.passed(request, raw, Given(status="off"))  # the upstream says what is wrong with it
        if not isinstance(body, dict) or not isinstance(body.get("messages"), list):
            return await self.passed(request, raw, Given(status="off"))
        try:
            asked = asked_of(request.headers, body, fail=self._setup.fail)
            if asked is None:
                return await self.passed(request, raw, Given(status="off"))
            given, messages = await self._given(asked, body["messages"])
        except BadHeader as refused:
            return _problem(refused.status, refused.code, refused.title)
        except Away:
            return _problem(503, "memory_unavailable", "Memory cannot be reached, and this request may not go without.")
        spoken = self._recorded(given, body["messages"])
        sent = json.dumps({**body, "messages": messages}, ensure_ascii=False).encode()
        streamed = body.get("stream") is True
        return await self.passed(request, sent, given, spoken=spoken, words=Words(streamed=streamed))

    async def _given(self, asked: Asked, messages: list[Any]) -> tuple[Given, list[Any]]:
        """Return what became of memory, and the messages with it.

        Raises:
            Away: memory is away, and the request may not go without.
            BadHeader: credentials or names are refused.
        """
        began = time.monotonic()
        given, changed = Given(status="off", asked=asked), messages
        question = question_of(messages)
        try:
            async with asyncio.timeout(self._setup.patience):
                given.conversation_id = await self._memory.conversation(asked)
                if asked.reads and question is not None:
                    context = await self._memory.context(asked, question, given.conversation_id)
                    given.status = "switched_off" if context.off else "given"
                    if not context.off:
                        given.items = context.items
                        changed = with_memory(messages, context.prompt, context.stable_bytes)
        except (Away, TimeoutError):
            if asked.fail == "closed":
                raise Away from None
            given.status = "unavailable"
        given.milliseconds = round((time.monotonic() - began) * 1000)
        return given, changed

    def _recorded(self, given: Given, messages: list[Any]) -> Spoken | None:
        """Queue the newest message of the user as they wrote it; return where the answer will stand."""
        asked, place = given.asked, place_of(messages)
        if asked is None or not asked.writes or given.conversation_id is None or place is None:
            return None
        question = question_of(messages) or ""
        self._memory.keep(Spoken(asked, given.conversation_id, place, "user", question))
        return Spoken(asked, given.conversation_id, len(messages), "assistant", "", question=question)

    async def passed(
        self,
        request: Request,
        body: bytes,
        given: Given,
        *,
        spoken: Spoken | None = None,
        words: Words | None = None,
    ) -> Response:
        """Send a request to the upstream and let its answer pass, byte for byte."""
        path = request.url.path.removeprefix("/openai/v1")
        wanted = self._upstream.build_request(
            request.method,
            f"{self._setup.upstream.rstrip('/')}{path}",
            params=httpx.QueryParams(request.url.query),
            content=body,
            headers=self._headers(request),
        )
        try:
            answer = await _unless_left(request, self._upstream.send(wanted, stream=True))
        except httpx.HTTPError:
            return _problem(502, "upstream_unreachable", "The upstream cannot be reached.")
        if answer is None:
            return Response(status_code=HTTPStatus.NO_CONTENT)  # nobody is there to read it
        told = [(name, value) for name, value in answer.headers.multi_items() if name.lower() not in HOP_BY_HOP]
        found = StreamingResponse(self._stream(answer, spoken, words), status_code=answer.status_code)
        found.raw_headers = [
            *((name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in told),
            *((name.lower().encode(), value.encode()) for name, value in given.headers().items()),
        ]
        return found

    async def _stream(self, answer: httpx.Response, spoken: Spoken | None, words: Words | None) -> AsyncIterator[bytes]:
        try:
            async for chunk in answer.aiter_raw():
                if words is not None and spoken is not None:
                    words.see(chunk)
                yield chunk
        finally:
            if words is not None and spoken is not None and answer.status_code == HTTPStatus.OK:
                said = words.end()
                self._memory.keep(replace(spoken, text=said, completed=words.complete))
            with contextlib.suppress(httpx.HTTPError):
                await asyncio.shield(answer.aclose())

    def _headers(self, request: Request) -> list[tuple[str, str]]:
        """Return the caller's headers for the upstream: none about memory, and an answer that is not compressed."""
        kept = [
            (name, value)
            for name, value in request.headers.items()
            if name not in HOP_BY_HOP and not name.startswith("memory-")
        ]
        if self._setup.upstream_key is not None:
            kept = [(name, value) for name, value in kept if name != "authorization"]
            kept.append(("authorization", f"Bearer {self._setup.upstream_key}"))
        return [*kept, ("accept-encoding", "identity")]


async def _unless_left(request: Request, sending: Any) -> httpx.Response | None:
    """Wait for the upstream's answer; None if the client left before, and then the request is given up."""
    answering = asyncio.ensure_future(sending)
    while not answering.done():
        await asyncio.wait([answering], timeout=0.25)
        if not answering.done() and await request.is_disconnected():
            answering.cancel()
            with contextlib.suppress(asyncio.CancelledError, httpx.HTTPError):
                await answering
            return None
    found: httpx.Response = answering.result()
    return found


async def _body(request: Request) -> bytes:
    read = bytearray()
    async for chunk in request.stream():
        read += chunk
        if len(read) > BODY_MAX:
            raise TooLarge
    return bytes(read)


def _problem(status: int, code: str, title: str) -> Response:
    """Return a refusal in the form OpenAI's clients read, with our code."""
    body = {
        "type": f"urn:memory-center:problem:{code}",
        "title": title,
        "status": status,
        "code": code,
        "error": {"message": title, "type": "memory_center", "code": code, "param": None},
    }
    return JSONResponse(body, status_code=status, media_type="application/problem+json")
