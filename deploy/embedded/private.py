"""Folders, logs and sockets that only this account may read, whatever its umask is."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import stat
from pathlib import Path
from typing import BinaryIO

FOLDER_MODE = 0o700
UMASK = 0o077
"""The umask of every product process: files are 0600, folders 0700."""

_SOCKET_PATH_BYTES = 100  # the kernel takes 107 on Linux and 103 on macOS


class NotPrivateError(RuntimeError):
    """A folder that must be private belongs to another account; the message is one line."""


def make_folder(folder: Path) -> None:
    """Create a folder that only this account may enter, or make an existing one private.

    Raises:
        OSError: it cannot be created, or belongs to another account.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    if stat.S_IMODE(folder.stat().st_mode) != FOLDER_MODE:
        folder.chmod(FOLDER_MODE)


def appending(log: Path) -> BinaryIO:
    """Open a log for appending, readable by this account only; its mode is corrected if necessary."""
    file = open(log, "ab", opener=_private)  # noqa: SIM115  # pathlib has no opener; the caller closes it
    if stat.S_IMODE(os.fstat(file.fileno()).st_mode) != 0o600:  # noqa: PLR2004  # a mode
        os.fchmod(file.fileno(), 0o600)
    return file


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def socket_in(folder: Path, name: str = "socket") -> Path:
    """Return the path of the Unix socket of a server with the private folder `folder`.

    The kernel limits the length of such a path. If it would be too long, the socket is in a private folder below /tmp,
    which `prepare_socket` creates; its name depends only on `folder`.
    """
    path = folder.resolve() / name
    if len(os.fsencode(path)) <= _SOCKET_PATH_BYTES:
        return path
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    # Not TMPDIR: `doctor` and others must find it in any environment.
    return Path("/tmp").resolve() / f"memory-center-{os.geteuid()}" / digest  # noqa: S108 # `prepare_socket` looks whose it is


def prepare_socket(path: Path) -> None:
    """Create the private folder of a socket.

    Raises:
        NotPrivateError: the folder belongs to another account.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    found = path.parent.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise NotPrivateError(f"{path.parent} belongs to another account; choose a shorter --data-dir")
    make_folder(path.parent)


def answers(path: Path, timeout: float = 0.5) -> bool:
    """Return whether something accepts connections at a Unix socket."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(timeout)
        probe.connect(str(path))
        return True
    return False
