"""For whom a request is served, and whether their client can ask them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias, cast

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from memory_center_client import AsyncMemoryCenter, AsyncTransport, MemoryCenterError

Mode: TypeAlias = Literal["elicit", "web", "off"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server is set up; it is the lifespan's state.

    Args:
        center: a client of the gateway, of nobody in particular.
        token_of: returns the person's token, over stdio; over HTTP each request brings its own.
        web: the web app's address, for people whose client cannot ask them.
        mode: whether forgetting and correcting ask through the client, in the web app only, or are not offered.
    """

    center: AsyncMemoryCenter
    token_of: Callable[[], str] | None
    web: str
    mode: Mode = "elicit"


@dataclass(frozen=True, slots=True)
class Serving:
    """One request."""

    settings: Settings
    can_ask: bool

    @classmethod
    def of(cls, context: Context) -> Self:
        """Return what is known of a request."""
        settings = cast("Settings", context.request_context.lifespan_context)
        capabilities = context.client_capabilities
        can_ask = settings.mode == "elicit" and capabilities is not None and capabilities.elicitation is not None
        return cls(settings, can_ask)

    def gateway(self) -> AsyncTransport:
        """Return a client that acts with the caller's own token, and no other."""
        if self.settings.token_of is not None:
            return self.settings.center.for_user(None, token=self.settings.token_of()).transport
        found = get_access_token()
        assert found is not None  # noqa: S101 # the HTTP server refuses requests without
        return self.settings.center.for_user(None, token=found.token).transport


def gateway_of(context: Context) -> AsyncTransport:
    """Return a client that acts with the token of the caller of a request."""
    return Serving.of(context).gateway()


async def done(request: Awaitable[Any]) -> Any:
    """Await a request to the gateway; a refusal is the tool's error: a code and a title, without content."""
    try:
        return await request
    except MemoryCenterError as refused:
        raise ToolError(str(refused)) from None
