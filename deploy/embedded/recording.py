"""Records the processes of a launch for the next launcher, `doctor` and a second `up`, and measures their memory."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

import psutil  # type: ignore[import-untyped,unused-ignore]  # its stubs are a separate, optional package

from deploy.embedded.data_directory import DataDirectory, Run, RunningProcess, end_leftovers, started_process


def record(
    directory: DataDirectory, stack: str, url: str, ports: Mapping[str, int], children: Mapping[str, tuple[int, int]]
) -> None:
    """Write `run.json` for this process.

    Args:
        children: pid and stop signal by name; children that have ended are left out.
    """
    found = {name: started_process(pid, stop_signal) for name, (pid, stop_signal) in children.items()}
    running = {name: process for name, process in found.items() if process is not None}
    with contextlib.suppress(OSError):  # a full disk must not end running processes
        directory.write_run(Run(pid=os.getpid(), stack=stack, url=url, ports=ports, processes=running))


def end_leftovers_of_last_run(directory: DataDirectory) -> list[str]:
    """End processes a killed launcher left running, and return their names."""
    run = directory.run()
    if run is None:
        return []
    ended = end_leftovers(run)
    directory.remove_run()
    return ended


def resident_bytes(pid: int | None = None) -> int:
    """Return the memory in bytes of a launcher and its descendants, each shared page counted once.

    Many processes share PostgreSQL's buffers and the embedder's model. If the system does not report shared pages, they
    count once per process.

    Args:
        pid: of the launcher; None for this process.
    """
    total = 0
    with contextlib.suppress(psutil.Error):
        launcher = psutil.Process(pid)
        for process in (launcher, *launcher.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += _proportional(process)
    return total


def _proportional(process: psutil.Process) -> int:
    """Return a process's private memory plus its proportional share of shared pages, in bytes."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    rss: int = process.memory_info().rss
    return rss


def parents() -> list[RunningProcess]:
    """Return the parent process, or all ancestors up to `make` if this process was started by it."""
    with contextlib.suppress(psutil.Error):
        ancestors = psutil.Process().parents()
        names = [ancestor.name() for ancestor in ancestors]
        makes = [position for position, name in enumerate(names) if name in {"make", "gmake"}]
        watched = ancestors[: makes[0] + 1] if makes else ancestors[:1]
        return [RunningProcess(pid=ancestor.pid, started=ancestor.create_time()) for ancestor in watched]
    return []
