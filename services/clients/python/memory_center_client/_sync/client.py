# Made from _async by generate.py.
"""The client of one person's memory."""

from __future__ import annotations

import json
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Final, Self

import httpx2

from memory_center_client._sync.account import (
    Exports,
    Imports,
    Preferences,
    Settings,
    Tokens,
)
from memory_center_client._sync.conversations import Conversations, Messages
from memory_center_client._sync.forgetting import Forgetting
from memory_center_client._sync.memories import Documents, Memories, Traits
from memory_center_client._sync.operations import Operations, Receipts
from memory_center_client._sync.transport import CONNECT_SECONDS, Transport
from memory_center_client.errors import Unauthenticated
from memory_center_client.tokens import Token

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from memory_center_client import schemas
    from memory_center_client.options import FeedbackOptions, RecallOptions, SearchOptions

LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
IDLE_SECONDS: Final = 3
"""Servers close idle connections after 5 s or more; what is sent just then is lost."""


class MemoryCenter:
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
        token: Token | None = None,
        *,
        user_id: str | None = None,
        timeout: float = 30,
        retries: int = 2,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._http = httpx2.Client(
            base_url=url.rstrip("/"),
            timeout=httpx2.Timeout(timeout, connect=min(CONNECT_SECONDS, timeout)),
            limits=httpx2.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=IDLE_SECONDS),
            trust_env=httpx2.URL(url).host not in LOCAL,  # no proxy reaches this machine
            transport=transport,
            cookies=CookieJar(
                DefaultCookiePolicy(allowed_domains=[])
            ),  # one person's may not go with another's request
        )
        self.transport = Transport(self._http, token, user_id, retries)
        self._token, self._retries = token, retries
        self._use(self.transport)

    def _use(self, transport: Transport) -> None:
        self.conversations = Conversations(transport)
        self.messages = Messages(transport)
        self.memories = Memories(transport)
        self.documents = Documents(transport)
        self.traits = Traits(transport)
        self.forget = Forgetting(transport)
        self.operations = Operations(transport)
        self.receipts = Receipts(transport)
        self.settings = Settings(transport)
        self.preferences = Preferences(transport)
        self.exports = Exports(transport)
        self.imports = Imports(transport)
        self.tokens = Tokens(transport)

    def for_user(self, user_id: str | None, *, token: Token | None = None) -> Self:
        """Return a client for another person; it shares the connections of this one.

        Args:
            user_id: whose memory it is, for a service key; None with a person's own token.
            token: default: the token of this client.
        """
        other = object.__new__(type(self))
        other._http, other._token, other._retries = self._http, token or self._token, self._retries
        other.transport = Transport(self._http, other._token, user_id, self._retries)
        other._use(other.transport)
        return other

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def whose(self) -> str | None:
        """Return whose token it is; None if it is refused, or is a service's key, which is nobody's."""
        try:
            return str((self.transport.get("session"))["user_id"])
        except Unauthenticated:
            return None

    def recall(self, query: str = "", **options: Unpack[RecallOptions]) -> schemas.ContextOut:
        """Return the context for a question: `prompt` goes to the model, `items` cites where all of it comes from."""
        context: schemas.ContextOut = self.transport.post("recall", {"query": query, **options})
        return context

    def search(self, query: str, **options: Unpack[SearchOptions]) -> schemas.SearchOut:
        """Return memories by meaning, best first."""
        found: schemas.SearchOut = self.transport.post("memory/search", {"query": query, **options})
        return found

    def feedback(self, **said: Unpack[FeedbackOptions]) -> str:
        """Record what the person thinks of an answer; return its id."""
        recorded = self.transport.post("feedback", said)
        return str(recorded["id"])

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield `changes` (areas to read again) and `operation` (its state) as they happen, as long as one listens."""
        for event in self.transport.stream_events("memory/events"):
            yield event.event, json.loads(event.data)
