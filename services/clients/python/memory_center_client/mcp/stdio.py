"""The server over standard input and output, for one person: the command `memory-center-mcp`."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Final, cast, get_args

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


USAGE: Final = 2
"""Exit code of a command that was started wrongly."""


def main() -> int:
    """Serve the person whose token is in the environment; return the exit code.

    `MEMORY_CENTER_URL` and `MEMORY_CENTER_TOKEN` say where and who, `MEMORY_CENTER_WEB` where the web app is (default:
    the same address), `MEMORY_CENTER_MCP_FORGET` how assistants may forget and correct (`elicit`, `web` or `off`).
    """
    url, token = _given("URL").rstrip("/"), _given("TOKEN")
    mode = _given("MCP_FORGET") or "elicit"
    if not url or not token or mode not in get_args(Mode):
        return _refused("set MEMORY_CENTER_URL, MEMORY_CENTER_TOKEN; MEMORY_CENTER_MCP_FORGET: elicit, web or off")
    try:
        asyncio.run(run(url, lambda: token, web=_given("WEB") or url, mode=cast("Mode", mode)))
    except NotAPerson:
        return _refused("a person's token is needed, and a running Memory Center")
    return 0


def _given(name: str) -> str:
    return os.environ.get(f"MEMORY_CENTER_{name}", "").strip()


def _refused(why: str) -> int:
    sys.stderr.write(f"memory-center-mcp: {why}\n")
    return USAGE


if __name__ == "__main__":
    sys.exit(main())
