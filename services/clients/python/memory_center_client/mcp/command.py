"""The command `memory-center-mcp`: the server over standard input and output, set up by the environment."""

from __future__ import annotations

import asyncio
import os
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from memory_center_client.mcp.serving import Mode

USAGE: Final = 2
"""Exit code of a command that was started wrongly."""
MODES: Final = ("elicit", "web", "off")


def main() -> int:
    """Serve the person whose token is in the environment; return the exit code.

    `MEMORY_CENTER_URL` and `MEMORY_CENTER_TOKEN` say where and who, `MEMORY_CENTER_WEB` where the web app is (default:
    the same address), `MEMORY_CENTER_MCP_FORGET` how assistants may forget and correct (`elicit`, `web` or `off`).
    """
    url, token = _given("URL").rstrip("/"), _given("TOKEN")
    mode = _given("MCP_FORGET") or "elicit"
    if find_spec("mcp") is None:
        return _refused("install memory-center-client[mcp]")
    if not _is_address(url) or not token or mode not in MODES:
        return _refused("set MEMORY_CENTER_URL, MEMORY_CENTER_TOKEN; MEMORY_CENTER_MCP_FORGET: elicit, web or off")
    if not (token.isascii() and token.isprintable()):
        return _refused("MEMORY_CENTER_TOKEN is no token")
    from memory_center_client.mcp.stdio import NotAPerson, run  # needs the extra

    try:
        asyncio.run(run(url, lambda: token, web=_given("WEB") or url, mode=cast("Mode", mode)))
    except NotAPerson:
        return _refused("a person's token is needed, and a running Memory Center")
    return 0


def _given(name: str) -> str:
    return os.environ.get(f"MEMORY_CENTER_{name}", "").strip()


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def _refused(why: str) -> int:
    sys.stderr.write(f"memory-center-mcp: {why}\n")
    return USAGE


if __name__ == "__main__":
    sys.exit(main())
