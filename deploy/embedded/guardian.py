"""Stops a launcher's children if the launcher dies without stopping them.

Run as `python -I -S guardian.py MARKER PATIENCE`. Standard input is a pipe whose write end only the launcher has: `+PID
SIGNAL[,SIGNAL…]` registers a process group, `-PID` removes it. At end of file, which the kernel delivers however the
launcher ended, all remaining groups are stopped. Only light modules are imported, because this process lives as long as
the stack.
"""

from __future__ import annotations

import os
import signal
import sys
import time

_MARKER_NAME = b"MEMORY_CENTER_LAUNCH="
_SECOND_WARNING = 0.6  # share of the patience after which the last stop signal is sent; SIGKILL follows at the end
_POLL_SECONDS = 0.05


def _stat(pid: int) -> tuple[str, int, str] | None:
    """Return a process's state, group and start time; None if it is gone or there is no /proc."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123  # pathlib would double this process's size
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return fields[0].decode(), int(fields[2]), fields[19].decode()


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208  # as above
    except OSError:
        return []


def _living_groups() -> set[int] | None:
    """Return the groups with a member that is not a zombie; None without /proc."""
    pids = _pids()
    if not pids:
        return None
    stats = (_stat(pid) for pid in pids)
    return {stat[1] for stat in stats if stat is not None and stat[0] not in "ZX"}


def _marked_groups(marker: str) -> set[int]:
    """Return the groups of processes with this launch's marker; they may not have been registered."""
    wanted = _MARKER_NAME + marker.encode()
    found = set()
    for pid in _pids():
        if pid == os.getpid():
            continue
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123  # as above
                marked = wanted in file.read().split(b"\0")
        except OSError:
            continue
        if marked and (stat := _stat(pid)) is not None and stat[1] != os.getpgrp():
            found.add(stat[1])
    return found


def _signal_group(group: int, number: int) -> bool:
    try:
        os.killpg(group, number)
    except OSError:
        return False
    return True


def _still_alive(groups: set[int]) -> set[int]:
    living = _living_groups()
    if living is None:
        return {group for group in groups if _signal_group(group, 0)}
    return groups & living


def stop(charges: dict[int, list[int]], marker: str, patience: float) -> None:
    """Stop every registered group and every process with the marker; SIGKILL after `patience` seconds."""
    for group in _marked_groups(marker):
        charges.setdefault(group, [signal.SIGTERM])
    for group, signals in charges.items():
        _signal_group(group, signals[0])
    began = time.monotonic()
    warned = False
    left = _still_alive(set(charges))
    while left and time.monotonic() - began < patience:
        if not warned and time.monotonic() - began > patience * _SECOND_WARNING:
            warned = True
            for group in left:
                _signal_group(group, charges[group][-1])
        time.sleep(_POLL_SECONDS)
        left = _still_alive(left)
    for group in left | _marked_groups(marker):
        _signal_group(group, signal.SIGKILL)


def main() -> None:
    """Register the groups named on standard input until it ends, then stop the remaining ones."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # only the end of the launcher ends this process
    marker, patience = sys.argv[1], float(sys.argv[2])
    charges: dict[int, tuple[str | None, list[int]]] = {}
    for line in sys.stdin:
        pid, _, signals = line[1:].strip().partition(" ")
        if line.startswith("+"):
            stat = _stat(int(pid))
            charges[int(pid)] = (stat[2] if stat else None, [int(number) for number in signals.split(",")])
        else:
            charges.pop(int(pid), None)
    # If the leader's pid now belongs to a younger process, the group is not the registered one.
    living = {
        pid: signals
        for pid, (started, signals) in charges.items()
        if (stat := _stat(pid)) is None or started is None or stat[2] == started
    }
    stop(living, marker, patience)


if __name__ == "__main__":
    main()
