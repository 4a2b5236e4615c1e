"""What a launch runs: written down for the next launcher, `doctor` and a second `up`, and measured."""

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
        children: by name, its pid and the signal that stops it; one that is gone already is left out.
    """
    found = {name: started_process(pid, stop_signal) for name, (pid, stop_signal) in children.items()}
    running = {name: process for name, process in found.items() if process is not None}
    with contextlib.suppress(OSError):  # a full disk must not end what runs
        directory.write_run(Run(pid=os.getpid(), stack=stack, url=url, ports=ports, processes=running))


def end_leftovers_of_last_run(directory: DataDirectory) -> list[str]:
    """End what a killed launcher left running, and return its names."""
    run = directory.run()
    if run is None:
        return []
    ended = end_leftovers(run)
    directory.remove_run()
    return ended


def resident_bytes(pid: int | None = None) -> int:
    """Return the memory a launcher, by default this process, and all below it hold, each shared page counted once.

    PostgreSQL's buffers and the embedder's model are shared by many processes; where the system does not tell which
    pages are shared, they count once per process.
    """
    total = 0
    with contextlib.suppress(psutil.Error):
        launcher = psutil.Process(pid)
        for process in (launcher, *launcher.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                total += _proportional(process)
    return total


def _proportional(process: psutil.Process) -> int:
    """Return a process's own pages, and of each shared one its share."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    rss: int = process.memory_info().rss
    return rss


def parents() -> list[RunningProcess]:
    """Return the process that started this one, and those between it and `make` if that is where it began."""
    with contextlib.suppress(psutil.Error):
        ancestors = psutil.Process().parents()
        names = [ancestor.name() for ancestor in ancestors]
        makes = [position for position, name in enumerate(names) if name in {"make", "gmake"}]
        watched = ancestors[: makes[0] + 1] if makes else ancestors[:1]
        return [RunningProcess(pid=ancestor.pid, started=ancestor.create_time()) for ancestor in watched]
    return []
