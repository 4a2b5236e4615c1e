"""Keeps children running: starts them in order, restarts crashed ones with backoff, and stops everything.

`step` never blocks, so one thread can supervise every child and still react to a signal at once; readiness checks run
on other threads.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Literal

from deploy.embedded import processes
from deploy.embedded.processes import Child, Running

FORKSERVER = "forkserver"
"""The child that forks the others."""
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30.0
HEALTHY_SECONDS = 10.0
"""A child that ran at least this long is restarted after the shortest delay: its work resumes within one lease."""
READY_WITHIN_SECONDS = 120.0
FAILURES_BEFORE_GIVING_UP = 5
PRODUCT_PATIENCE_SECONDS = 10.0
SERVER_PATIENCE_SECONDS = 10.0
HURRIED_PATIENCE_SECONDS = {"product": 0.0, "server": 2.0}
_POLL_SECONDS = 0.02


def restart_delay(failures: int) -> float:
    """Return the seconds to wait before restart number `failures`: 0.5, 1, 2 … 30."""
    return float(min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2.0 ** min(failures - 1, 16)))


class Phase(Enum):
    """The state of a child."""

    WAITING = auto()  # until its dependencies are ready
    STARTING = auto()  # running, not ready yet
    READY = auto()
    RESTING = auto()  # crashed, restarted after a delay
    DONE = auto()  # a once child that succeeded


@dataclass(slots=True)
class _Supervised:
    child: Child
    phase: Phase = Phase.WAITING
    process: Running | None = None
    started_at: float = 0.0
    due_at: float = 0.0
    failures: int = 0
    was_ready: bool = False
    begun: bool = False
    question: Future[bool] | None = None


@dataclass(slots=True)
class Supervisor:
    """Runs children through `start` and reports each event to `say` in one line.

    `ended` receives the pid of a child that has ended; `changed` is called when a child started or ended. `failure` is
    set to one line if the first start cannot succeed; the caller then stops everything.
    """

    start: Callable[[Child], Running]
    say: Callable[[str], None]
    ended: Callable[[int], None] = lambda _pid: None
    changed: Callable[[], None] = lambda: None
    clock: Callable[[], float] = time.monotonic
    failure: str | None = None
    _children: dict[str, _Supervised] = field(default_factory=dict)
    _questions: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(8, "ready"))

    def add(self, children: Iterable[Child]) -> None:
        """Supervise more children from the next step on."""
        for child in children:
            self._children[child.name] = _Supervised(child)

    def phase(self, name: str) -> Phase:
        return self._children[name].phase

    def all_ready(self) -> bool:
        """Return whether every child has been ready, and every `once` child has succeeded."""
        return all(each.was_ready for each in self._children.values())

    def running(self) -> dict[str, tuple[Child, int]]:
        """Return each running child and its pid, by name."""
        return {
            name: (each.child, each.process.pid)
            for name, each in self._children.items()
            if each.process is not None and each.process.poll() is None
        }

    def step(self) -> None:
        """Detect ended children, start those that are due, and check readiness. Does not block."""
        for each in self._children.values():
            if each.process is not None and (code := each.process.poll()) is not None:
                self._after_end(each, code)
            match each.phase:
                case Phase.WAITING if self._may_start(each):
                    self._start(each)
                case Phase.RESTING if self.clock() >= each.due_at:
                    self._start(each)
                case Phase.STARTING if each.begun:
                    self._ask(each)
                case Phase.STARTING if self._were_ready(each.child.after):
                    self._begin(each)
                case _:
                    pass

    def _may_start(self, each: _Supervised) -> bool:
        if each.child.forkserver is not None and not self._were_ready([FORKSERVER]):
            return False
        return each.child.begin is not None or self._were_ready(each.child.after)

    def _were_ready(self, names: Iterable[str]) -> bool:
        found = [self._children.get(name) for name in names]
        return all(one is not None and one.was_ready for one in found)

    def _begin(self, each: _Supervised) -> None:
        each.begun, each.started_at = True, self.clock()
        if each.child.begin is not None:
            each.child.begin()

    def _start(self, each: _Supervised) -> None:
        each.started_at = self.clock()
        each.question, each.begun = None, each.child.begin is None
        try:
            each.process = self.start(each.child)
        except (OSError, RuntimeError) as problem:
            self._after_failure(each, f"could not start ({str(problem).splitlines()[0]})")
            return
        each.phase = Phase.STARTING
        self.changed()

    def _ask(self, each: _Supervised) -> None:
        if each.child.once or each.process is None:
            return
        if each.question is None:
            each.question = self._questions.submit(each.child.is_ready, each.process.pid)
        elif each.question.done():
            # A failed check counts as not ready; if it keeps failing, the child is not ready in time.
            answered_yes = each.question.exception() is None and each.question.result()
            each.question = None
            if answered_yes:
                self._become_ready(each)
        if not each.was_ready and self.clock() - each.started_at > READY_WITHIN_SECONDS:
            name, log = each.child.name, each.child.log.name
            self.failure = f"{name} is not ready after {READY_WITHIN_SECONDS:.0f} s; see logs/{log}"

    def _become_ready(self, each: _Supervised) -> None:
        each.phase = Phase.READY
        took = self.clock() - each.started_at
        self.say(f"{each.child.name} is ready{' again' if each.was_ready else f' ({took:.1f} s)'}")
        each.was_ready = True

    def _after_end(self, each: _Supervised, code: int) -> None:
        process, each.process = each.process, None
        if process is not None:
            processes.signal_group(process, signal.SIGKILL)  # end the rest of its group
            self.ended(process.pid)
        if each.child.once:
            self._after_once(each, code)
        else:
            self._after_failure(each, f"stopped ({processes.describe_exit(code)})")
        self.changed()

    def _after_once(self, each: _Supervised, code: int) -> None:
        if code == 0:
            each.phase = Phase.DONE
            self._announce_done(each)
            each.was_ready = True
        else:
            each.phase = Phase.RESTING
            each.due_at = float("inf")
            name, log = each.child.name, each.child.log.name
            self.failure = f"{name} failed ({processes.describe_exit(code)}); see logs/{log}"

    def _announce_done(self, each: _Supervised) -> None:
        self.say(f"{each.child.name} done ({self.clock() - each.started_at:.1f} s)")

    def _after_failure(self, each: _Supervised, what: str) -> None:
        now = self.clock()
        each.failures = 1 if now - each.started_at >= HEALTHY_SECONDS else each.failures + 1
        name, log = each.child.name, each.child.log.name
        if not each.was_ready and each.failures >= FAILURES_BEFORE_GIVING_UP:
            self.failure = f"{name} {what}, {each.failures} times; see logs/{log}"
        delay = restart_delay(each.failures)
        each.phase, each.due_at = Phase.RESTING, now + delay
        self.say(f"{name} {what}, restarting in {delay:g} s; see logs/{log}")

    def stop(self, hurried: Callable[[], bool] = lambda: False) -> None:
        """End every child: products first, then servers, each tier together; then SIGKILL.

        Once `hurried` returns true, products get no more time and servers two seconds.
        """
        self._questions.shutdown(wait=False, cancel_futures=True)
        self._stop_tier("product", PRODUCT_PATIENCE_SECONDS, hurried)
        self._stop_tier("server", SERVER_PATIENCE_SECONDS, hurried)

    def _stop_tier(self, tier: Literal["product", "server"], patience: float, hurried: Callable[[], bool]) -> None:
        stopping = [each for each in self._children.values() if each.child.tier == tier and each.process is not None]
        processes_and_signals = [(each.process, each.child.stop_signals) for each in stopping if each.process]
        for process, signals in processes_and_signals:
            processes.signal_group(process, signals[0])
        deadline, insist_at = self.clock() + patience, self.clock() + patience / 2
        in_a_hurry = False
        while any(process.poll() is None for process, _ in processes_and_signals) and self.clock() < deadline:
            if hurried() and not in_a_hurry:
                in_a_hurry, insist_at = True, self.clock()
                deadline = min(deadline, self.clock() + HURRIED_PATIENCE_SECONDS[tier])
            if self.clock() >= insist_at:
                insist_at = float("inf")
                for process, signals in processes_and_signals:
                    if process.poll() is None:
                        processes.signal_group(process, signals[-1])
            time.sleep(_POLL_SECONDS)
        for process, _ in processes_and_signals:
            processes.signal_group(process, signal.SIGKILL)
            while process.poll() is None:
                time.sleep(_POLL_SECONDS)
            self.ended(process.pid)
        for each in stopping:
            each.process, each.phase = None, Phase.WAITING
