"""Seeds side by side: each in a process of its own, with servers of its own."""

from __future__ import annotations

import multiprocessing
import os
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Generator, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from tests.chaos.invariants import Violated
from tests.chaos.playing import Play
from tests.chaos.preparing import prepared
from tests.chaos.run import Played, Run
from tests.chaos.servers import Servers
from tests.chaos.settling import finish, settle, watch_successes

SETTLE_EVERY = 100
WATCH_EVERY = 10


def play(seeds: Sequence[int], *, steps: int, lanes: int, breaking: str | None = None) -> Generator[Played, None, None]:
    """Yield what became of each seed, as it ends."""
    return side_by_side([partial(_in_a_lane, seed, steps, breaking) for seed in seeds], lanes=lanes)


def side_by_side(plays: Sequence[Callable[[], Played]], *, lanes: int) -> Generator[Played, None, None]:
    """Yield what became of each play, as it ends; some at once, each in a process of its own."""
    waiting = list(plays)
    running: dict[Any, tuple[ForkProcess, Connection]] = {}
    context = multiprocessing.get_context("fork")
    try:
        while waiting or running:
            while waiting and len(running) < lanes:
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_send, args=(waiting.pop(0), theirs))
                process.start()
                theirs.close()
                running[ours] = (process, ours)
            for ready in wait(list(running)):
                process, connection = running.pop(ready)
                yield connection.recv()
                connection.close()
                process.join()
    finally:
        for process, _ in running.values():
            os.kill(process.pid or 0, signal.SIGTERM)
            process.join()


def _send(play_it: Callable[[], Played], result: Connection) -> None:
    signal.signal(signal.SIGTERM, _unwind)
    result.send(play_it())


def _in_a_lane(seed: int, steps: int, breaking: str | None) -> Played:
    with tempfile.TemporaryDirectory(prefix="memory-center-chaos-", ignore_cleanup_errors=True) as directory:
        root = Path(directory)
        root.chmod(0o755)  # PostgreSQL may run as another user
        return play_one(seed, root, steps=steps, breaking=breaking)


def _unwind(*_: object) -> None:
    raise SystemExit(1)


def play_one(seed: int, directory: Path, *, steps: int, breaking: str | None = None) -> Played:
    """Play one seed to its end, or to the first violation."""
    started = time.monotonic()
    servers = Servers(directory)
    servers.start()
    run = Run(seed, servers, log=directory / "actors.log", prepare=prepared(breaking))
    played = Played(f"seed {seed}", run.counts, 0.0, trail=run.trail)
    try:
        machine = Play(run)
        while run.counts.steps < steps:
            machine.step()
            if run.counts.steps == steps // 3:
                machine.back_up()
            if run.counts.steps == 2 * steps // 3:
                machine.restore()
            if run.counts.steps % WATCH_EVERY == 0:
                watch_successes(machine)
            if run.counts.steps % SETTLE_EVERY == 0:
                settle(machine)
        settle(machine)
        finish(machine)
    except Violated as violated:
        played.violation = str(violated)
    except Exception as error:  # noqa: BLE001 # a harness that stumbles is no success
        played.violation = f"harness: {type(error).__name__}"
        run.trail += traceback.format_exc().splitlines()
    finally:
        if played.violation and (log := directory / "actors.log").exists():
            run.trail += [f"  log: {line[:300]}" for line in log.read_text(errors="replace").splitlines()[-15:]]
        run.close()
        servers.stop()
    played.seconds = time.monotonic() - started
    return played
