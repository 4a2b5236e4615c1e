"""The server over standard input and output, for one person."""

from __future__ import annotations

from collections.abc import Callable

from memory_center_client import AsyncMemoryCenter, MemoryCenterError
from memory_center_client.mcp.server import memory_server
from memory_center_client.mcp.serving import Mode, Settings


class NotAPerson(Exception):
    """The token is refused, is a service's, or the gateway is away."""


async def run(gateway_url: str, token_of: Callable[[], str], *, web: str, mode: Mode) -> None:
    """Serve until standard input ends.

    Args:
        token_of: returns a token that is good now; a client may run for days.

    Raises:
        NotAPerson: before anything is served.
    """
    async with AsyncMemoryCenter(gateway_url, token_of()) as center:
        try:
            person = await center.whose()
        except MemoryCenterError:
            person = None
        if person is None:
            raise NotAPerson
        await memory_server(Settings(center=center, token_of=token_of, web=web, mode=mode)).run_stdio_async()
