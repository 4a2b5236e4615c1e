"""What runs inside mem0 now: whom it may ask, what it may write, and why it must stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, ParamSpec, TypeAlias, TypeVar
from uuid import UUID

from shared.stores.milvus_errors import STORE
from shared.stores.port import StoreMisconfigured, StoreUnavailable, WriteTooLate

P = ParamSpec("P")
T = TypeVar("T")

Kind: TypeAlias = Literal["memory", "entity"]

Announce: TypeAlias = Callable[[Sequence[tuple[UUID, str]], str, Mapping[UUID, Sequence[UUID]]], float | None]
"""Commits the intent to write (key, text) pairs of a kind, "memory" or "entity"; may raise `FenceLost`.

The mapping names the memories each entity links and is empty for memories. A returned number (`time.monotonic()`)
is the moment after which the write must not start any more.
"""


@dataclass(slots=True)
class Call:
    """One use of mem0. mem0 swallows or rewraps errors, so the first one of the caller's own is kept here."""

    raised: Exception | None = field(default=None, kw_only=True)

    @property
    def failure(self) -> Exception | None:
        """Return what the caller must hear of, whatever mem0 made of it."""
        return self.raised

    def asking(self, ask: Callable[P, T]) -> Callable[P, T]:
        """Return `ask`, the caller's own function, such that what it raises is remembered."""

        def remembering(*args: P.args, **values: P.kwargs) -> T:
            try:
                return ask(*args, **values)
            except Exception as error:
                self.raised = self.raised or error
                raise

        return remembering


@dataclass(slots=True)
class WriteCall(Call):
    """What one `remember` may do, and why it must stop.

    mem0 repeats a refused write record by record and then swallows the error, so the first refusal is kept here:
    nothing is announced or written after it, and the store raises it once mem0 has returned.
    """

    namespace: UUID
    announce: Announce
    announced: dict[Kind, set[str]] = field(default_factory=lambda: {"memory": set(), "entity": set()})
    refusals: dict[Kind, Exception] = field(default_factory=dict)
    start_before: float | None = None

    @property
    def failure(self) -> Exception | None:
        """Return what the caller must hear of; an entity the store missed only costs ranking, so it does not count."""
        lost = (error for error in self.refusals.values() if not isinstance(error, StoreUnavailable))
        return self.raised or next(lost, None) or self.refusals.get("memory")

    def proceed(self, kind: Kind) -> None:
        """Raise what stopped an earlier write of this kind, or of any kind when the fence is lost."""
        if error := self.failure or self.refusals.get(kind):
            raise error

    @contextmanager
    def stopping(self, kind: Kind) -> Iterator[None]:
        """Remember the first error of the block as the reason to stop."""
        try:
            yield
        except Exception as error:
            self.refusals.setdefault(kind, error)
            raise

    def announcing(self, records: Sequence[tuple[UUID, str]], kind: Kind, links: Mapping[UUID, Sequence[UUID]]) -> None:
        """Announce records; the moment the announcement names holds for the write that follows it."""
        until = self.asking(self.announce)(records, kind, links)
        if until is not None:
            self.start_before = until
        self.announced[kind].update(str(key) for key, _ in records)

    def start(self) -> None:
        """Raise `WriteTooLate` when a write may not start any more; to be asked right before the store is."""
        if self.start_before is not None and time.monotonic() > self.start_before:
            self.raised = self.raised or WriteTooLate(STORE)
            raise self.raised


_current: ContextVar[WriteCall | None] = ContextVar("mem0_write_call", default=None)


@contextmanager
def writing(call: WriteCall) -> Iterator[WriteCall]:
    """Let mem0 write under `call` within this thread and block."""
    token = _current.set(call)
    try:
        yield call
    finally:
        _current.reset(token)


def current_call() -> WriteCall:
    """Return the running call; mem0 may not write outside one."""
    if (call := _current.get()) is None:
        raise StoreMisconfigured("mem0", "a write needs somebody to announce it to")
    return call


def running_call() -> WriteCall | None:
    """Return the running call, if mem0 is writing in this thread."""
    return _current.get()
