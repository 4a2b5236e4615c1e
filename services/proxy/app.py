"""The proxy: `/openai/v1/chat/completions` and `/responses` with memory; other paths below `/openai/v1/` pass."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Final

import httpx
import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from memory_center_client import AsyncMemoryCenter
from services.proxy.forms import CHAT, RESPONSES, Form
from services.proxy.forwarding import TooLarge, Upstream
from services.proxy.keeping import Keeping
from services.proxy.memory import Memory
from services.proxy.proxy import Proxy, Setup
from services.proxy.refusals import problem

UPSTREAM_TIMEOUT: Final = httpx.Timeout(600, connect=10, pool=10)
IDLE_SECONDS: Final = 3.0
"""How long a connection is kept for the next request. Servers close theirs after 5 s or more, and what is sent just
then is lost."""
UPSTREAM_LIMITS: Final = httpx.Limits(
    max_connections=1_000, max_keepalive_connections=100, keepalive_expiry=IDLE_SECONDS
)
GATEWAY_LIMITS: Final = httpx2.Limits(max_connections=200, max_keepalive_connections=100, keepalive_expiry=IDLE_SECONDS)
GATEWAY_TIMEOUT: Final = 10
METHODS: Final = ["GET", "POST", "DELETE"]


def proxy_app(setup: Setup) -> Starlette:
    """Return the application."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        # No answer's cookie may go with somebody else's request.
        no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
        async with (
            AsyncMemoryCenter(
                setup.gateway,
                timeout=GATEWAY_TIMEOUT,
                retries=0,  # a request waits for memory for `patience` at most; messages are sent again by Keeping
                transport=httpx2.AsyncHTTPTransport(limits=GATEWAY_LIMITS),  # past any proxy
            ) as center,
            httpx.AsyncClient(timeout=UPSTREAM_TIMEOUT, limits=UPSTREAM_LIMITS, cookies=no_cookies) as to_upstream,
        ):
            memory = Memory(center)
            keeping = Keeping(memory)
            app.state.proxy = Proxy(setup, memory, keeping, Upstream(to_upstream, setup.upstream, setup.upstream_key))
            try:
                yield
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(keeping.all_kept(), 5)
            finally:
                keeping.give_up()

    return Starlette(
        routes=[
            Route("/openai/v1/chat/completions", partial(_talk, form=CHAT), methods=["POST"]),
            Route("/openai/v1/responses", partial(_talk, form=RESPONSES), methods=["POST"]),
            Route("/openai/v1/{path:path}", _other, methods=METHODS),
        ],
        exception_handlers={TooLarge: _too_large},
        lifespan=lifespan,
    )


async def _too_large(_: Request, error: Exception) -> Response:
    return problem(413, "body_too_large", str(error))


async def _talk(request: Request, *, form: Form) -> Response:
    proxy: Proxy = request.app.state.proxy
    return await proxy.talk(request, form)


async def _other(request: Request) -> Response:
    proxy: Proxy = request.app.state.proxy
    return await proxy.other(request)
