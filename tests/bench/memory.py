"""How much memory a process holds, and what it held at most: the kernel's own count, which misses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import psutil

from tests.bench.measuring import wait_until

MIB: Final = 2**20
STEADY_SECONDS, STEADY_LOOKS = 3.0, 6
"""So long its memory is the same, looked at so many times, when a process is at rest."""

_FORGET_PEAK: Final = "5"
"""What `/proc/…/clear_refs` is told to begin the peak anew (proc(5))."""


class Peak:
    """The most memory a process held since this was made, in MiB resident."""

    def __init__(self, pid: int) -> None:
        self._folder = Path(f"/proc/{pid}")
        self._process = psutil.Process(pid)
        self._children = len(self._process.children(recursive=True))
        (self._folder / "clear_refs").write_text(_FORGET_PEAK)

    @property
    def mib(self) -> float:
        if len(self._process.children(recursive=True)) != self._children:
            raise RuntimeError("a part of it became another process: its memory would not be counted")
        for line in (self._folder / "status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("the kernel does not say")


def resident(pid: int) -> float:
    """Return how many MiB a process holds now."""
    return float(psutil.Process(pid).memory_info().rss) / MIB


def at_rest(pid: int) -> float:
    """Wait until a process that has just begun takes no more; return how many MiB it holds then."""
    seen = [0.0]

    def steady() -> bool:
        seen.append(resident(pid))
        return max(seen[-STEADY_LOOKS:]) - min(seen[-STEADY_LOOKS:]) < 1

    wait_until(steady, seconds=60, what="a process that takes no more memory", poll=STEADY_SECONDS / STEADY_LOOKS)
    return seen[-1]
