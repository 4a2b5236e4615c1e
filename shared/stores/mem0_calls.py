"""Context of a running mem0 call: the caller's functions, the permitted writes, and the first failure."""

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

The mapping lists the memories each entity links to; it is empty for memories. A returned number is the time
(`time.monotonic()`) after which the write must not start.
"""


@dataclass(slots=True)
class Call:
    """One use of mem0. mem0 swallows or wraps errors, so the first one of the caller's functions is kept here."""

    raised: Exception | None = field(default=None, kw_only=True)
    vectors: Mapping[str, Sequence[float]] = field(default_factory=dict, kw_only=True)
    """Vectors of texts the caller has embedded already."""

    @property
    def failure(self) -> Exception | None:
        """Return the error to raise to the caller, whatever mem0 did with it."""
        return self.raised

    def asking(self, ask: Callable[P, T]) -> Callable[P, T]:
        """Wrap a function of the caller so that its exception is recorded."""

        def remembering(*args: P.args, **values: P.kwargs) -> T:
            try:
                return ask(*args, **values)
            except Exception as error:
                self.raised = self.raised or error
                raise

        return remembering


@dataclass(slots=True)
class WriteCall(Call):
    """One `remember` call: its permitted writes and its failures.

    mem0 repeats a refused write record by record and then swallows the error. So the first refusal is kept here:
    nothing is announced or written after it, and the store raises it once mem0 has returned.
    """

    namespace: UUID
    announce: Announce
    announced: dict[Kind, set[str]] = field(default_factory=lambda: {"memory": set(), "entity": set()})
    refusals: dict[Kind, Exception] = field(default_factory=dict)
    start_before: float | None = None

    @property
    def failure(self) -> Exception | None:
        """Return the error to raise to the caller; a missed entity only affects ranking, so it does not count."""
        lost = (error for error in self.refusals.values() if not isinstance(error, StoreUnavailable))
        return self.raised or next(lost, None) or self.refusals.get("memory")

    def proceed(self, kind: Kind) -> None:
        """Raise the error that stopped earlier writes of this kind, or the call's failure."""
        if error := self.failure or self.refusals.get(kind):
            raise error

    @contextmanager
    def stopping(self, kind: Kind) -> Iterator[None]:
        """Record the first error of the block as the reason to stop."""
        try:
            yield
        except Exception as error:
            self.refusals.setdefault(kind, error)
            raise

    def announcing(self, records: Sequence[tuple[UUID, str]], kind: Kind, links: Mapping[UUID, Sequence[UUID]]) -> None:
        """Announce records; the returned deadline applies to the following write."""
        until = self.asking(self.announce)(records, kind, links)
        if until is not None:
            self.start_before = until
        self.announced[kind].update(str(key) for key, _ in records)

    def start(self) -> None:
        """Raise `WriteTooLate` if the deadline to start a write has passed; call this right before the write."""
        if self.start_before is not None and time.monotonic() > self.start_before:
            self.raised = self.raised or WriteTooLate(STORE)
            raise self.raised


_current: ContextVar[WriteCall | None] = ContextVar("mem0_write_call", default=None)


@contextmanager
def writing(call: WriteCall) -> Iterator[WriteCall]:
    """Let mem0 write for `call` in this thread and block."""
    token = _current.set(call)
    try:
        yield call
    finally:
        _current.reset(token)


def current_call() -> WriteCall:
    """Return the running call; mem0 may only write during one."""
    if (call := _current.get()) is None:
        raise StoreMisconfigured("mem0", "a write needs somebody to announce it to")
    return call


def running_call() -> WriteCall | None:
    """Return the running call, if mem0 is writing in this thread."""
    return _current.get()
