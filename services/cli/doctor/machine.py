"""Check the machine: Python, disk, ports."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Final

from deploy.embedded.launcher import DEFAULT_PORT
from deploy.embedded.ports import is_free
from services.cli.doctor.finding import Finding
from services.cli.doctor.patient import Patient

_GIBIBYTE: Final = 1024**3
_FULL_BYTES: Final = 200 * 1024**2
_MINIMUM_PYTHON: Final = (3, 11)


def python(_patient: Patient) -> Iterator[Finding]:
    """Compare the running Python with the oldest supported version."""
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[:2] < _MINIMUM_PYTHON:
        yield Finding("fail", "python", version, "Memory Center needs Python 3.11 or newer")
    else:
        yield Finding("ok", "python", version)


def disk(patient: Patient) -> Iterator[Finding]:
    """Check whether the data directory is writable, and how much space is free."""
    root = patient.directory.root
    there = next(path for path in (root, *root.parents) if path.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        yield Finding("fail", "data directory", f"{there} is not writable", "choose another with --data-dir")
        return
    free = shutil.disk_usage(there).free
    seen = f"{root} ({free / _GIBIBYTE:.1f} GiB free)" + ("" if root.exists() else ", made on the first start")
    if free < _FULL_BYTES:
        yield Finding("fail", "data directory", seen, "free some space: PostgreSQL stops when the disk is full")
    elif free < _GIBIBYTE:
        yield Finding("warn", "data directory", seen, "free some space soon")
    else:
        yield Finding("ok", "data directory", seen)


def ports(patient: Patient) -> Iterator[Finding]:
    """Report the ports in use, or whether the default port is free."""
    if patient.run is not None:
        listed = ", ".join(f"{name} {port}" for name, port in patient.run.ports.items())
        yield Finding("ok", "ports", listed)
    elif is_free(DEFAULT_PORT):
        yield Finding("ok", "ports", f"{DEFAULT_PORT} is free")
    else:
        yield Finding("warn", "ports", f"{DEFAULT_PORT} is in use", "`up` will choose a free one, or use --port")
