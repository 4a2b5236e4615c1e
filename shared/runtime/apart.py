"""Work in a process of its own, which the kernel stops when its processor time is over, whatever it is doing.

Reading what people wrote means regular expressions. Python cannot interrupt one, and no other thread of its process
runs meanwhile. So it is done in a child: forked from a process that has the rules loaded (milliseconds), killed when
nobody waits for it any more. What it read is gone with it. This module is loaded in the child; it needs the standard
library alone.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any, Concatenate, Final, Generic, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")

CPU_SECONDS: Final = 2.0
"""Processor time of one child, in user and system mode (X-06)."""
WALL_SECONDS: Final = 20.0
"""How long one session lasts at most: on a busy machine its processor time comes late."""
_NICER: Final = 5
"""Children yield to whoever answers other requests."""
_LOOK_SECONDS: Final = 0.05
"""How often a waiting caller looks whether it is still wanted."""

_PROCESSES: Final = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload([__name__, "shared.models.descriptions.loaded"])


class Stopped(Exception):
    """Nobody waits for the work any more; it was ended."""


class TookTooLong(Exception):
    """The work used up its time and was ended."""


class ChildFailed(Exception):
    """The work failed in a way it should not have; the name of the error's class, never its text."""


class Session(Generic[T]):
    """An object that lives in a child; `call` runs its methods there."""

    def __init__(self, process: Any, connection: Connection, stop: threading.Event) -> None:
        self._process = process
        self._connection = connection
        self._stop = stop
        self._until = time.monotonic() + WALL_SECONDS

    def call(self, method: Callable[Concatenate[T, P], R], *args: P.args, **named: P.kwargs) -> R:
        """Run a method of the object and return what it returns.

        Raises:
            Stopped: nobody waits any more.
            TookTooLong: the child's time is over.
            ChildFailed: the method raised.
        """
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # it ended; `answer` says why
            self._connection.send((method.__name__, args, named))
        answer: R = self.answer()
        return answer

    def answer(self) -> Any:
        """Return the child's next answer; raises as `call`."""
        while not self._connection.poll(_LOOK_SECONDS):
            if self._stop.is_set():
                raise Stopped
            if time.monotonic() > self._until:
                raise TookTooLong
        try:
            failed, answer = self._connection.recv()
        except (EOFError, ConnectionResetError):
            self._process.join(1)
            if self._process.exitcode == -signal.SIGPROF:
                raise TookTooLong from None
            raise ChildFailed(f"exit {self._process.exitcode}") from None
        if failed:
            raise ChildFailed(failed)
        return answer


@contextmanager
def session(stop: threading.Event, make: Callable[P, T], *args: P.args, **named: P.kwargs) -> Iterator[Session[T]]:
    """Make an object in a child, which ends with the block.

    Args:
        stop: set when nobody waits any more.
        make: a class or function a child can import, with what it needs.

    Raises:
        Stopped, TookTooLong, ChildFailed: as `Session.call`.
    """
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=_serve, args=(theirs, CPU_SECONDS, make, args, named), daemon=True)
    process.start()
    theirs.close()
    try:
        child = Session[T](process, ours, stop)
        child.answer()  # it was made
        yield child
    finally:
        process.kill()
        process.join()
        ours.close()
        process.close()


def _serve(
    connection: Connection,
    cpu_seconds: float,
    make: Callable[..., Any],
    args: tuple[Any, ...],
    named: dict[str, Any],
) -> None:
    """Make an object and answer for it until the other side hangs up."""
    os.nice(_NICER)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then hangs up
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)  # nobody handles SIGPROF: it ends the process
    try:
        made = make(*args, **named)
        answer: Any = None
        while True:
            connection.send(("", answer))
            method, arguments, named = connection.recv()
            answer = getattr(made, method)(*arguments, **named)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:  # noqa: BLE001 # whatever it is, only its name leaves: its text may hold content
        with contextlib.suppress(OSError):
            connection.send((type(error).__name__, None))
