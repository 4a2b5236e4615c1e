"""The client of one person's memory."""

from __future__ import annotations

import json
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Final, Self

import httpx2

from memory_center_client._async.account import (
    AsyncExports,
    AsyncImports,
    AsyncPreferences,
    AsyncSettings,
    AsyncTokens,
)
from memory_center_client._async.conversations import AsyncConversations, AsyncMessages
from memory_center_client._async.forgetting import AsyncForgetting
from memory_center_client._async.memories import AsyncDocuments, AsyncMemories, AsyncTraits
from memory_center_client._async.operations import AsyncOperations, AsyncReceipts
from memory_center_client._async.transport import CONNECT_SECONDS, AsyncTransport
from memory_center_client.errors import Unauthenticated
from memory_center_client.tokens import AsyncToken

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Unpack

    from memory_center_client import schemas
    from memory_center_client.options import FeedbackOptions, RecallOptions, SearchOptions

LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
IDLE_SECONDS: Final = 3
"""Servers close idle connections after 5 s or more; what is sent just then is lost."""


class AsyncMemoryCenter:
    """A client of one person's memory; a context manager.

    Args:
        url: the address of Memory Center.
        token: the person's token, or a function that returns one which is good now; or a service key.
        user_id: whose memory it is, for a service key.
        timeout: of one request, in seconds.
        retries: how often a request is repeated whose answer was lost or which was refused for the moment; it takes
            effect once.
        transport: how requests are sent; default: over the network.
    """

    def __init__(
        self,
        url: str,
        token: AsyncToken | None = None,
        *,
        user_id: str | None = None,
        timeout: float = 30,
        retries: int = 2,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx2.AsyncClient(
            base_url=url.rstrip("/"),
            timeout=httpx2.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
            limits=httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=IDLE_SECONDS),
            trust_env=httpx2.URL(url).host not in LOCAL,  # no proxy reaches this machine
            transport=transport,
            cookies=CookieJar(
                DefaultCookiePolicy(allowed_domains=[])
            ),  # one person's may not go with another's request
        )
        self.transport = AsyncTransport(self._http, token, user_id, retries)
        self._token, self._retries = token, retries
        self._use(self.transport)

    def _use(self, transport: AsyncTransport) -> None:
        self.conversations = AsyncConversations(transport)
        self.messages = AsyncMessages(transport)
        self.memories = AsyncMemories(transport)
        self.documents = AsyncDocuments(transport)
        self.traits = AsyncTraits(transport)
        self.forget = AsyncForgetting(transport)
        self.operations = AsyncOperations(transport)
        self.receipts = AsyncReceipts(transport)
        self.settings = AsyncSettings(transport)
        self.preferences = AsyncPreferences(transport)
        self.exports = AsyncExports(transport)
        self.imports = AsyncImports(transport)
        self.tokens = AsyncTokens(transport)

    def for_user(self, user_id: str | None, *, token: AsyncToken | None = None) -> Self:
        """Return a client for another person; it shares the connections of this one.

        Args:
            user_id: whose memory it is, for a service key; None with a person's own token.
            token: default: the token of this client.
        """
        other = object.__new__(type(self))
        other._http, other._token, other._retries = self._http, token or self._token, self._retries
        other.transport = AsyncTransport(self._http, other._token, user_id, self._retries)
        other._use(other.transport)
        return other

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def whose(self) -> str | None:
        """Return whose token it is; None if it is refused, or is a service's key, which is nobody's."""
        try:
            return str((await self.transport.get("session"))["user_id"])
        except Unauthenticated:
            return None

    async def recall(self, query: str = "", **options: Unpack[RecallOptions]) -> schemas.ContextOut:
        """Return the context for a question: `prompt` goes to the model, `items` cites where all of it comes from."""
        context: schemas.ContextOut = await self.transport.post("recall", {"query": query, **options})
        return context

    async def search(self, query: str, **options: Unpack[SearchOptions]) -> schemas.SearchOut:
        """Return memories by meaning, best first."""
        found: schemas.SearchOut = await self.transport.post("memory/search", {"query": query, **options})
        return found

    async def feedback(self, **said: Unpack[FeedbackOptions]) -> str:
        """Record what the person thinks of an answer; return its id."""
        recorded = await self.transport.post("feedback", said)
        return str(recorded["id"])

    async def events(self) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Yield `changes` (areas to read again) and `operation` (its state) as they happen, as long as one listens."""
        async for event in self.transport.stream_events("memory/events"):
            yield event.event, json.loads(event.data)
