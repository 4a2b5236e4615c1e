"""Adds memories to requests, and has their messages recorded."""

from __future__ import annotations

import asyncio
import json
import re
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final, Literal
from urllib.parse import unquote

from starlette.requests import Request
from starlette.responses import Response

from services.proxy.asked import CREDENTIALS, Asked, Fail, Refused, asked_of, taken_out
from services.proxy.forms import CONTINUED, REFERENCE, Form
from services.proxy.forwarding import Heard, Upstream, body_of, path_of
from services.proxy.injecting import INSTRUCTIONS, place_of, question_of, role_of, text_of
from services.proxy.keeping import Keeping, Spoken, digest_of
from services.proxy.memory import Away, Context, Memory
from services.proxy.refusals import problem

GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
SHARED: Final = re.compile(r"GET /models(/.+)?|POST /embeddings")
"""What else persons may ask with the operator's key. Everything below other paths, such as files, batches and stored
answers, belongs to all who share the key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """How a proxy is set up.

    Args:
        gateway: the address of Memory Center.
        upstream: the address of the API, with `/v1`.
        upstream_key: replaces the caller's `Authorization`; None passes it on.
        patience: seconds a request waits for memory.
        fail: what happens when memory is away: the request goes on without (`open`), or is a 503 (`closed`).
    """

    gateway: str
    upstream: str
    upstream_key: str | None = None
    patience: float = 0.5
    fail: Fail = "open"


@dataclass(slots=True)
class Given:
    """What became of memory for a request."""

    status: str
    asked: Asked | None = None
    conversation_id: str | None = None
    items: int = 0
    milliseconds: int = 0
    confirmed: bool = False

    def headers(self) -> dict[str, str]:
        found = {
            "Memory-Status": self.status,
            "Memory-Items": str(self.items),
            "Memory-Milliseconds": str(self.milliseconds),
        }
        if self.asked is not None and self.asked.writes and self.asked.conversation is None:
            found["Memory-Recorded"] = "no_conversation"
        if self.conversation_id is not None:
            found["Memory-Conversation"] = self.conversation_id
        return found


class Proxy:
    """Answers requests as the upstream does, with memory."""

    def __init__(self, setup: Setup, memory: Memory, keeping: Keeping, upstream: Upstream) -> None:
        self._setup, self._memory, self._keeping, self._upstream = setup, memory, keeping, upstream

    async def talk(self, request: Request, form: Form) -> Response:
        """Answer a request that gets memory."""
        raw = await body_of(request)
        body = _document(raw)
        if self._setup.upstream_key is not None and body is not None and _continues(body):
            return problem(
                422,
                "validation_failed",
                "With the operator's key stored answers cannot be continued.",
            )
        if body is None or form.messages(body) is None:
            return await self._passed(request, raw, body, "off")  # the upstream says what is wrong with it
        try:
            named = taken_out(body)
            asked = self._asked(request, named)
            given, changed = await self._given(asked, form, body)
            sent = _written(changed) if named or changed is not body else raw
            heard = self._recorded(given, form, body)
        except Refused as refused:
            return problem(refused.status, refused.code, refused.title)
        except Away:
            return problem(503, "memory_unavailable", "Memory cannot be reached, and this request may not go without.")
        except RecursionError:
            return problem(422, "validation_failed", "The body is nested too deeply.")
        return await self._upstream.answer(request, sent, given.headers(), heard)

    async def other(self, request: Request) -> Response:
        """Answer any other request, which gets no memory."""
        raw = await body_of(request)
        wanted = f"{request.method} {unquote(path_of(request))}"
        if self._setup.upstream_key is not None and not SHARED.fullmatch(wanted):
            return problem(404, "not_found", "With the operator's key there are only models and embeddings here.")
        return await self._passed(request, raw, _document(raw), "not_supported")

    async def _passed(self, request: Request, raw: bytes, body: dict[str, Any] | None, status: str) -> Response:
        try:
            named = taken_out(body) if body is not None else {}
            if self._setup.upstream_key is not None:  # whoever uses the operator's key must be somebody
                async with asyncio.timeout(max(2.0, self._setup.patience)):
                    await self._memory.person(self._asked(request, named))
                if status == "off" and body is None:  # it may continue another person's stored answer
                    return problem(422, "validation_failed", "With the operator's key the body must be a JSON object.")
            elif status == "off" and CREDENTIALS in request.headers:
                await self._unreadable(self._asked(request, named))
            sent = _written(body) if named and body is not None else raw
        except Refused as refused:
            return problem(refused.status, refused.code, refused.title)
        except (Away, TimeoutError):
            return problem(503, "memory_unavailable", "Memory cannot be reached to say whose request this is.")
        return await self._upstream.answer(request, sent, Given(status=status).headers())

    async def _unreadable(self, asked: Asked) -> None:
        """Check a request that asks for memory and has a body into which none can be put.

        Raises:
            Away: memory is away, and the request may not go without.
            Refused: credentials are refused, or the request may not go without memory.
        """
        if asked.mode == "off":
            return
        try:
            async with asyncio.timeout(self._setup.patience):
                await self._memory.person(asked)
        except (Away, TimeoutError):
            if asked.fail == "closed":
                raise Away from None
        if asked.fail == "closed" and asked.reads:
            raise Refused(422, "validation_failed", "Memory cannot be put into this body, and it may not go without.")

    def _asked(self, request: Request, named: dict[str, str]) -> Asked:
        needs_person = self._setup.upstream_key is not None
        return asked_of(request.headers, named, fail=self._setup.fail, needs_person=needs_person)

    async def _given(self, asked: Asked, form: Form, body: dict[str, Any]) -> tuple[Given, dict[str, Any]]:
        """Return what became of memory, and the body with it, which is the same one if nothing was put in.

        Raises:
            Away: memory is away, and the request may not go without.
            Refused: credentials or names are refused.
        """
        began = time.monotonic()
        given, changed = Given(status="off", asked=asked), body
        if asked.mode == "off" and self._setup.upstream_key is None:
            return given, changed
        question = question_of(form.messages(body) or []) or ""  # a tool's result alone asks nothing new
        try:
            async with asyncio.timeout(self._setup.patience):
                await self._memory.person(asked)
                given.confirmed = True
                if asked.mode != "off":
                    given.conversation_id = await self._memory.conversation(asked)
                if not asked.reads:
                    await self._unless_forgotten(asked, given)
                else:
                    context = await self._context(asked, question, given)
                    given.status = "switched_off" if context.off else "given"
                    if not context.off:
                        given.items = context.items
                        changed = form.with_memory(body, context.prompt, context.stable_bytes)
        except (Away, TimeoutError):
            if asked.fail == "closed" or (self._setup.upstream_key is not None and not given.confirmed):
                raise Away from None
            given.status = "unavailable"
        given.milliseconds = round((time.monotonic() - began) * 1000)
        return given, changed

    async def _unless_forgotten(self, asked: Asked, given: Given) -> None:
        """Begin a named conversation anew if it was forgotten, for requests that do not read it."""
        found = given.conversation_id
        if found is None or await self._memory.is_there(asked, found):
            return
        if found == asked.conversation_id:
            raise Refused(HTTPStatus.NOT_FOUND, "not_found", "There is no such conversation.")
        given.conversation_id = await self._memory.conversation(asked, instead_of=found)

    async def _context(self, asked: Asked, question: str, given: Given) -> Context:
        """Return the context; a named conversation that was forgotten begins anew."""
        try:
            return await self._memory.context(asked, question, given.conversation_id)
        except Refused as refused:
            if refused.status not in GONE or given.conversation_id in (None, asked.conversation_id):
                raise
            given.conversation_id = await self._memory.conversation(asked, instead_of=given.conversation_id)
            return await self._memory.context(asked, question, given.conversation_id)

    def _recorded(self, given: Given, form: Form, body: dict[str, Any]) -> Heard | None:
        """Queue the newest message of the user as they wrote it; return what queues the answer to it."""
        messages, before = form.messages(body) or [], form.before(body)
        asked, place = given.asked, place_of(messages)
        if asked is None or not asked.writes or asked.conversation is None:
            return None

        def keep(role: Literal["user", "assistant"], text: str, digest: str, *, completed: bool = True) -> None:
            self._keeping.keep(
                Spoken(
                    asked=asked,
                    conversation_id=given.conversation_id,
                    role=role,
                    text=text,
                    digest=digest,
                    completed=completed,
                )
            )

        if place is not None:
            # Roles and words only: with other marks for the provider's cache it is still the same message.
            until = [[role_of(one), text_of(one)] for one in _without_instructions(messages[: place + 1])]
            keep("user", text_of(messages[place]), digest_of([*before, *until]))
        all_of_it = digest_of([*before, *_without_instructions(messages)])
        return Heard(form.words, lambda text, complete: keep("assistant", text, all_of_it, completed=complete))


def _without_instructions(messages: list[Any]) -> list[Any]:
    """Return messages without instructions, which may hold the time of day: that makes no new request."""
    return [one for one in messages if role_of(one) not in INSTRUCTIONS]


def _continues(body: dict[str, Any]) -> bool:
    """Return whether a request goes on from something the upstream stored, which cannot tell people apart."""
    if any(body.get(name) for name in CONTINUED):
        return True
    said = body.get("input")
    return isinstance(said, list) and any(isinstance(one, dict) and one.get("type") == REFERENCE for one in said)


def _document(raw: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _written(body: dict[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON allows only as an escape
        return json.dumps(body, allow_nan=False).encode()
    except ValueError:
        raise Refused(422, "validation_failed", "The body has a number that JSON cannot hold.") from None
