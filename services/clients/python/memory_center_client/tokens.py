"""Who a client is: a token, or a function that returns one which is good now."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TypeAlias

Token: TypeAlias = str | Callable[[], str]
AsyncToken: TypeAlias = str | Callable[[], str | Awaitable[str]]


def current(token: Token) -> str:
    """Return a token that is good now."""
    return token() if callable(token) else token


async def acurrent(token: AsyncToken) -> str:
    """Return a token that is good now; its function may be a coroutine or a plain one."""
    found = token() if callable(token) else token
    return await found if inspect.isawaitable(found) else found
