"""What only this account may read, whatever its umask is: folders, logs and sockets."""

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
"""What every process of ours starts with: its files are 0600, its folders 0700."""

_SOCKET_PATH_BYTES = 100  # the kernel takes 107 on Linux and 103 on macOS


class NotPrivateError(RuntimeError):
    """A folder that must be this account's alone is another's; the message is one line."""


def make_folder(folder: Path) -> None:
    """Make a folder that only this account may enter, also if it is there and was open to others.

    Raises:
        OSError: it cannot be made, or belongs to somebody else.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    if stat.S_IMODE(folder.stat().st_mode) != FOLDER_MODE:
        folder.chmod(FOLDER_MODE)


def appending(log: Path) -> BinaryIO:
    """Open a log for appending; it is made, or mended, so that only this account can read it."""
    file = open(log, "ab", opener=_private)  # noqa: SIM115  # pathlib has no opener; the caller closes it
    if stat.S_IMODE(os.fstat(file.fileno()).st_mode) != 0o600:  # noqa: PLR2004  # a mode
        os.fchmod(file.fileno(), 0o600)
    return file


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def socket_in(folder: Path, name: str = "socket") -> Path:
    """Return where a server with the private folder `folder` has its Unix socket.

    The kernel limits how long such a path may be. Where it would be longer, the socket is in a private folder below
    /tmp, which `prepare_socket` makes; its name depends on `folder` alone.
    """
    path = folder.resolve() / name
    if len(os.fsencode(path)) <= _SOCKET_PATH_BYTES:
        return path
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    # Not TMPDIR: `doctor` and others must find it, whatever their environment says.
    return Path("/tmp").resolve() / f"memory-center-{os.geteuid()}" / digest  # noqa: S108 # `prepare_socket` looks whose it is


def prepare_socket(path: Path) -> None:
    """Make the private folder of a socket.

    Raises:
        NotPrivateError: somebody else made it first.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=FOLDER_MODE)
    found = path.parent.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise NotPrivateError(f"{path.parent} belongs to another account; choose a shorter --data-dir")
    make_folder(path.parent)


def answers(path: Path, timeout: float = 0.5) -> bool:
    """Say whether something accepts connections at a Unix socket."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(timeout)
        probe.connect(str(path))
        return True
    return False
