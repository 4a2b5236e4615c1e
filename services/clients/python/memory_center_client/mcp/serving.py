"""For whom a request is served, and whether their client can ask them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias, cast

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from memory_center_client import AsyncMemoryCenter, AsyncTransport, MemoryCenterError
from memory_center_client.mcp.answers import SWITCHED_OFF

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
        elicitation = context.client_capabilities.elicitation if context.client_capabilities else None
        # A client that names no mode can show a form; one that names only addresses cannot.
        has_forms = elicitation is not None and (elicitation.form is not None or elicitation.url is None)
        return cls(settings, settings.mode == "elicit" and has_forms)

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


async def may_read(gateway: AsyncTransport) -> bool:
    """Return whether the person lets assistants use their memories."""
    settings = await done(gateway.get("memory/settings"))
    return bool(settings["injection_enabled"] and settings["longterm_enabled"])


def is_withheld(memory: Mapping[str, Any]) -> bool:
    """Return whether the person paused or archived a memory: they see it, and no assistant does."""
    return bool(memory["disabled"] or memory["archived"])


def is_elsewhere(memory: Mapping[str, Any], project_id: str | None) -> bool:
    """Return whether a memory belongs to a project that is not this one."""
    return memory["scope"] != "global" and memory["project_id"] != project_id


async def check_readable(gateway: AsyncTransport, memory: Mapping[str, Any], project_id: str | None = None) -> None:
    """Check that an assistant may be given a memory.

    Raises:
        ToolError: the person switched that off, paused or archived the memory, or it belongs to another project.
    """
    if not await may_read(gateway):
        raise ToolError(SWITCHED_OFF)
    if is_withheld(memory):
        raise ToolError("The person paused or archived this memory.")
    if is_elsewhere(memory, project_id):
        raise ToolError("This memory belongs to a project: name it as project_id.")


async def done(request: Awaitable[Any]) -> Any:
    """Await a request to the gateway; a refusal is the tool's error: a code and a title, without content."""
    try:
        return await request
    except MemoryCenterError as refused:
        raise ToolError(str(refused)) from None
