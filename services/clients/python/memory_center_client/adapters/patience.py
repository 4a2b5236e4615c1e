"""How long an agent waits for memory, and what it does without."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Final, Literal

import anyio

from memory_center_client.errors import MemoryCenterError, TimedOut

if TYPE_CHECKING:
    from memory_center_client.schemas import ContextOut

PATIENCE_SECONDS: Final = 2.0
log = logging.getLogger("memory_center_client")


async def prompt_of(recall: Awaitable[ContextOut], *, patience: float, fail: Literal["open", "closed"]) -> str:
    """Return the prompt of a context.

    Args:
        patience: seconds to wait for it.
        fail: `open`: without memory the prompt is empty, and a warning is logged.

    Raises:
        MemoryCenterError: with `closed`: memory cannot be reached, is late, or refuses.
    """
    try:
        with anyio.move_on_after(patience):
            return (await recall)["prompt"]
        raise TimedOut("memory took too long")
    except MemoryCenterError as problem:
        if fail == "closed":
            raise
        log.warning("going on without memory: %s", problem)
        return ""
