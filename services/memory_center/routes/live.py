"""Live changes for a person: positions, areas and operations, never content (MC-08)."""

from __future__ import annotations

import signal
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Annotated, Final

import anyio
import anyio.to_thread
from fastapi import Depends, Header, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from services.api import Body, Caller, CurrentCaller, UserIdQuery
from services.memory_center.change_feed import News, Watch
from services.memory_center.routes.operations import operation_out
from shared.kernel.database import Transaction
from shared.kernel.database_errors import DatabaseUnavailable
from shared.outbox.change_scopes import Area
from shared.outbox.sql import changes
from shared.outbox.sql.changes import Known, Look
from shared.runtime.open_streams import OpenStreams
from shared.runtime.problems import ApiProblem, ProblemKind
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["operations"])

STREAMS_MAX: Final = 8
"""Streams per person."""
LOOKS_AT_ONCE: Final = 4
"""Most database connections used for polling at once, each for some milliseconds."""
SECONDS_MAX: Final = 600
"""Longest duration of a stream; its client then reconnects with its credentials."""
BUSY_SECONDS: Final = 0.3
IDLE_SECONDS: Final = 1.0
AWAY_SECONDS: Final = 5.0
"""Polling intervals while work is running, while idle, and while the database is down."""

TOO_MANY_STREAMS: Final = ProblemKind(
    status=429,
    code="too_many_streams",
    title="This person has too many open event streams.",
    detail="Close another page, or try again in a moment.",
    headers={"Retry-After": "5"},
)

Resumed = Annotated[
    int | None,
    Header(
        alias="Last-Event-ID",
        ge=0,
        lt=2**63,
        description="The id of the last event you received; the stream resumes after it.",
    ),
]
Seconds = Annotated[
    int,
    Query(ge=0, le=SECONDS_MAX, description="Maximum duration of the stream; 0: respond once, for polling clients."),
]


class ChangesOut(Body):
    """`data` of `event: changes`."""

    position: int
    areas: list[Area]


class Pulse:
    """Asks once for all streams of this process at whose person nothing is going on: each would ask every second.

    Whichever of them wakes first asks, so it needs no task of its own. Used in one event loop only.
    """

    def __init__(self, looking: anyio.CapacityLimiter, counts: OpenStreams) -> None:
        self._looking, self._counts = looking, counts
        self._waiting: dict[anyio.Event, Known] = {}
        self._next = 0.0
        self._was_away = False

    async def stirs(self, caller: Caller, known: Known, *, until: float) -> bool:
        """Return True once anything may have happened for a person; False if the time is up or the process stops."""
        stirred = anyio.Event()
        self._waiting[stirred] = known
        try:
            while not stirred.is_set():
                if time.monotonic() + IDLE_SECONDS > until or _stopping():
                    return False
                with anyio.move_on_after(IDLE_SECONDS):
                    await stirred.wait()
                    break
                await self._counts.renew()
                if time.monotonic() >= self._next:
                    self._next = time.monotonic() + IDLE_SECONDS
                    await self._ask(caller)
            return True
        finally:
            del self._waiting[stirred]

    async def _ask(self, caller: Caller) -> None:
        asked = dict(self._waiting)

        def read(tx: Transaction) -> set[str]:
            return changes.stirred(tx, list(set(asked.values())))

        try:
            stirred = await anyio.to_thread.run_sync(caller.transact, read, limiter=self._looking)
        except DatabaseUnavailable:
            self._was_away, self._next = True, time.monotonic() + AWAY_SECONDS
            return
        for event, known in asked.items():
            if self._was_away or known.user_id in stirred:  # it may be another database since
                event.set()
        self._was_away = False


class Streams:
    """The streams of one process: how many poll at once, and who polls for the idle ones."""

    def __init__(self, counts: OpenStreams) -> None:
        self.counts = counts
        self.looking = anyio.CapacityLimiter(LOOKS_AT_ONCE)
        self.pulse = Pulse(self.looking, counts)


class Stream:
    """The events for one client. The first read of the database precedes the response, so that it can still fail."""

    def __init__(self, caller: Caller, streams: Streams, user_id: str, watch: Watch, seconds: int) -> None:
        self._caller, self._streams, self._user_id, self._watch = caller, streams, user_id, watch
        expires_at = caller.principal.expires_at
        valid = (expires_at - datetime.now(UTC)).total_seconds() if expires_at else SECONDS_MAX
        self._until = time.monotonic() + min(seconds, SECONDS_MAX, valid)
        self._news: News | None = None

    async def begin(self) -> None:
        """Read the database for the first time."""
        self._news = await self._look()

    async def events(self) -> AsyncIterator[ServerSentEvent]:
        """Yield events until the time is up or the process stops."""
        news = self._news
        assert news is not None  # noqa: S101 # it has begun
        yield _changes(news)
        while True:
            for operation in news.operations:
                yield ServerSentEvent(event="operation", data=operation_out(operation, self._caller.retention))
            pause = BUSY_SECONDS if news.busy else IDLE_SECONDS
            known = None if news.busy else self._watch.known(self._user_id)
            if known is not None:
                if not await self._streams.pulse.stirs(self._caller, known, until=self._until):
                    return
                pause = 0.0
            while True:
                if time.monotonic() + pause > self._until or _stopping():
                    return
                await anyio.sleep(pause)
                await self._streams.counts.renew()
                try:
                    news = await self._look()
                except DatabaseUnavailable:
                    pause = AWAY_SECONDS
                else:
                    break
            if news.areas:
                yield _changes(news)

    async def _look(self) -> News:
        return self._watch.notice(
            await anyio.to_thread.run_sync(self._caller.transact, self._read, limiter=self._streams.looking)
        )

    def _read(self, tx: Transaction) -> Look:
        watch = self._watch
        return changes.look(tx, self._user_id, since=watch.since, was=watch.subject_id, watched=watch.watched)


async def open_stream(
    request: Request,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    last_event_id: Resumed = None,
    seconds: Seconds = SECONDS_MAX,
) -> AsyncIterator[Stream]:
    """Yield the caller's stream; it counts against the limit until its response has ended.

    Raises:
        ApiProblem: 429 `too_many_streams`.
    """
    state = request.app.state
    if not hasattr(state, "streams") or state.streams.counts is not state.open_streams:  # the app was opened again
        state.streams = Streams(state.open_streams)
    streams: Streams = state.streams
    user = caller.user(user_id)
    counted = await streams.counts.enter(user, most=STREAMS_MAX)
    if counted is None:
        raise ApiProblem(TOO_MANY_STREAMS)
    try:
        stream = Stream(caller, streams, user, Watch(last_event_id), seconds)
        await stream.begin()
        yield stream
    finally:
        await streams.counts.leave(counted)


@router.get("/events", response_class=EventSourceResponse, responses={429: {"description": "See `code`."}})
async def watch_memory(stream: Annotated[Stream, Depends(open_stream)]) -> AsyncIterator[ServerSentEvent]:
    """Stream changes without content: which areas to read again, and the progress of operations.

    `event: changes` has `{"position", "areas"}`; the first is sent at once. `areas` are memories, conversations,
    operations, settings. `event: operation` has the response of `GET /api/v1/memory/ops/{op_id}`, at each change and
    once when the operation ends. With `Last-Event-ID` the first event lists the areas changed since. No change is
    missed; some may be reported twice.
    """
    async for event in stream.events():
        yield event


def _changes(news: News) -> ServerSentEvent:
    data = ChangesOut(position=news.position, areas=list(news.areas))
    return ServerSentEvent(event="changes", id=str(news.resume_from), data=data)


def _stopping() -> bool:
    """Return whether the server is stopping: it waits for open responses, and this one would not end by itself."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)  # a method of the server
    return bool(getattr(server, "should_exit", False))
