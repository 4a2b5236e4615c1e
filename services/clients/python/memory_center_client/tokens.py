"""Who a client is: a token, or a function that returns one which is good now."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

Token: TypeAlias = str | Callable[[], str]
AsyncToken: TypeAlias = str | Callable[[], Awaitable[str]]
