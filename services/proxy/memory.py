"""What the proxy asks of the gateway: whose a token is, a context, a conversation for a name."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from memory_center_client import (
    ApiError,
    AsyncMemoryCenter,
    ConnectionFailed,
    ServerFailed,
    TimedOut,
    TooManyRequests,
    UnexpectedAnswer,
)
from services.proxy.asked import Asked, Refused

if TYPE_CHECKING:
    from memory_center_client.schemas import MessageIn

T = TypeVar("T")

KNOWN_MAX: Final = 10_000
CONFIRMED_SECONDS: Final = 60.0
"""How long a token counts as confirmed; what it may see is decided with each request for memory."""
QUESTION_MAX: Final = 4_000
FORGETS: Final = frozenset({"forget_user", "forget_conversation", "forget_clear"})
SKEW_SECONDS: Final = 60.0
"""How far the clocks of the proxy and of the gateway may differ."""


class Away(Exception):
    """The gateway cannot answer now.

    Args:
        passing: another try can help: it could not be reached, or is busy.
    """

    def __init__(self, *, passing: bool = True) -> None:
        super().__init__()
        self.passing = passing


@dataclass(frozen=True, slots=True)
class Context:
    """What is remembered for a question.

    Args:
        stable_bytes: how much of the prompt rarely changes, in UTF-8.
        off: the person switched it off.
    """

    prompt: str
    stable_bytes: int
    items: int
    off: bool


class Memory:
    """What the proxy asks the gateway, for whoever sent a request.

    Args:
        center: has no credentials of its own.
    """

    def __init__(self, center: AsyncMemoryCenter) -> None:
        self._center = center
        self._persons: _Known[tuple[str, float]] = _Known()
        self._named: _Known[str] = _Known()

    async def person(self, asked: Asked) -> str:
        """Return whose memory a request is about, if its credentials are good for it.

        Raises:
            Away: the gateway cannot answer now.
            Refused: it refuses the credentials.
        """
        token = _digest(asked.token, asked.user_id or "")
        known = self._persons.get(token)
        if known is not None and time.monotonic() - known[1] < CONFIRMED_SECONDS:
            return known[0]
        with _refusals():
            found = await self._of(asked).transport.get("session" if asked.user_id is None else "memory/settings")
            person = str(found["user_id"])
        self._persons.put(token, (person, time.monotonic()))
        return person

    async def context(self, asked: Asked, question: str, conversation_id: str | None) -> Context:
        """Return what is remembered for a question.

        Raises:
            Away, Refused: as `person`, and for what the headers name.
        """
        with _refusals():
            found = await self._of(asked).recall(
                storable(question)[:QUESTION_MAX],
                layers=["stable", "retrieved"] if question else ["stable"],
                conversation_id=conversation_id,
                project_id=asked.project_id,
            )
            return Context(
                prompt=found["prompt"],
                stable_bytes=found["stable_prefix_bytes"],
                items=len(found["items"]),
                off="injection_off" in found["diagnostics"]["reasons"],
            )

    async def conversation(self, asked: Asked, *, instead_of: str | None = None) -> str | None:
        """Return the id of the conversation a request names; None if it names none.

        A name of the client's own means the same conversation, in the project of the request, until it is forgotten. A
        request that only reads makes none: to it a new name names nothing.

        Args:
            instead_of: the id the name had, which is there no more.

        Raises:
            Away, Refused: as `context`.
        """
        if asked.conversation_id is not None:
            return asked.conversation_id
        name = asked.conversation
        if name is None:
            return None
        key = _digest("proxy", await self.person(asked), asked.project_id or "", name)
        if (found := self._named.get(key)) is not None and found != instead_of:
            return found
        with _refusals():
            named = f"proxy-{key}"
            conversations = self._of(asked).conversations
            if asked.writes:
                ids = [await conversations.find_or_create(named, project_id=asked.project_id)]
            else:
                ids = [one["id"] async for one in conversations.list(external_id=named)]
        if not ids:
            return None
        self._named.put(key, ids[0])
        return ids[0]

    async def is_there(self, asked: Asked, conversation_id: str) -> bool:
        """Return whether a conversation exists and was not forgotten.

        Raises:
            Away, Refused: as `context`.
        """
        try:
            with _refusals():
                await self._of(asked).conversations.get(conversation_id)
        except Refused as refused:
            if refused.status not in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
                raise
            return False
        return True

    async def record(self, asked: Asked, conversation_id: str, message: MessageIn) -> None:
        """Record a message.

        Raises:
            Away, Refused: as `context`.
        """
        with _refusals():
            await self._of(asked).messages.record(conversation_id, [message])

    async def forgot_since(self, asked: Asked, seconds: float) -> bool:
        """Return whether conversations, or everything, were forgotten within so many seconds, and not given back.

        A token that may not list operations cannot find out: for it the answer is no.

        Raises:
            Away: as `person`.
        """
        after = datetime.now(UTC) - timedelta(seconds=seconds + SKEW_SECONDS)
        try:
            with _refusals():
                async for one in self._of(asked).operations.list():
                    if datetime.fromisoformat(one["created_at"]) < after:
                        return False
                    if one["type"] in FORGETS and one["status"] != "cancelled":
                        return True
        except Refused:
            return False
        return False

    def _of(self, asked: Asked) -> AsyncMemoryCenter:
        return self._center.for_user(asked.user_id, token=asked.token)


@contextlib.contextmanager
def _refusals() -> Iterator[None]:
    """Tell what the caller did wrong from a gateway that cannot answer."""
    try:
        yield
    except (ConnectionFailed, TimedOut):
        raise Away from None
    except (ServerFailed, TooManyRequests) as busy:
        raise Away(passing=busy.status != HTTPStatus.INTERNAL_SERVER_ERROR) from None
    except ApiError as refused:
        if not refused.title:  # somebody between us and the gateway said so
            raise Away(passing=False) from None
        raise Refused(refused.status, refused.code, refused.title) from None
    except (UnexpectedAnswer, KeyError, TypeError):
        raise Away(passing=False) from None


class _Known(Generic[T]):
    """The last things that were found out."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, T] = OrderedDict()

    def get(self, key: str) -> T | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: str, value: T) -> None:
        self._kept[key] = value
        self._kept.move_to_end(key)
        while len(self._kept) > KNOWN_MAX:
            self._kept.popitem(last=False)


def storable(text: str) -> str:
    """Return a text as a database can hold it: halves of surrogate pairs joined or replaced, and no NUL."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")


def _digest(*words: str) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()
