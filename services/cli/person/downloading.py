"""Download a package: interrupted downloads are resumed, and the file gets its name only when it is complete."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from io import BufferedRandom
from pathlib import Path
from typing import Final

from services.cli.exit_codes import NOT_FOUND, USAGE, Refusal
from services.cli.person.client import EXPORT_GONE, Answered, Center, Wire
from services.cli.terminal import Advance, progress, said

TRIES: Final = 5
"""Attempts in a row without receiving a byte."""
_PAUSE_SECONDS: Final = 1.0
_HAS_NO_SUCH: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})
"""Errors of a file system without hard links or modes, such as a memory stick's."""


def download(center: Center, package: Wire, target: Path, *, quiet: bool) -> None:
    """Write a package to a file that only this account can read.

    If the connection breaks, the partial download remains in `FILE.ID.part`, with the operation's id, even after the
    command ends; the next download resumes it.

    Args:
        package: the API's description: `op_id`, `bytes`, `sha256`.
        quiet: show no progress bar.

    Raises:
        Refusal: it was revoked (4); it cannot be written, or the file exists by now (2); the API was unreachable
            (3);
            the checksum is wrong (1).
    """
    part = _part_of(target, str(package["op_id"]))
    size, digest = int(package["bytes"]), str(package["sha256"])
    try:
        with open(part, "r+b", opener=_open_own) as file:
            with progress(target.name, total=size, unit="bytes", quiet=quiet) as advance:
                _fetch(center, str(package["op_id"]), file, size=size, sha256=digest, advance=advance)
            if _digest_of(file) != digest:
                part.unlink()
                raise Refusal(said("the package arrived damaged; try again", "数据包传输有误，请重试"))
            os.fsync(file.fileno())
        _name(part, target)
    except OSError as problem:
        raise Refusal(f"{target}: {problem.strerror or type(problem).__name__}", USAGE) from None


@contextmanager
def tidied(target: Path | None, op_id: str) -> Iterator[None]:
    """Delete a partial download if the block finds that its package was revoked; other refusals keep it.

    Raises:
        Refusal: it cannot be deleted (4).
    """
    try:
        yield
    except Answered as answered:
        if answered.code != EXPORT_GONE or target is None:
            raise
        part = _part_of(target, op_id)
        try:
            part.unlink(missing_ok=True)
        except OSError as problem:
            why = problem.strerror or type(problem).__name__
            raise Refusal(f"{answered}; {part}: {why}", NOT_FOUND) from None
        raise


def _part_of(target: Path, op_id: str) -> Path:
    return target.with_name(f"{target.name}.{op_id}.part")


def _open_own(path: str, flags: int) -> int:
    """Open or create a file of this account that nobody else can read; links are refused.

    Raises:
        Refusal: the name belongs to something else (2).
    """
    foreign = Refusal(said(f"{path} is no file of yours; remove it", f"{path} 不是你的文件，请先移走"), USAGE)
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise foreign from None
        raise
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
        os.close(descriptor)
        raise foreign
    try:
        os.fchmod(descriptor, 0o600)
    except OSError as problem:
        if problem.errno not in _HAS_NO_SUCH:  # a file system without modes: access depends on its mount options
            os.close(descriptor)
            raise
    return descriptor


def _name(part: Path, target: Path) -> None:
    """Give a complete file its name, if it is still free.

    Raises:
        Refusal: the name is taken; the file remains where it is (2).
    """
    taken = Refusal(
        said(f"{target} exists already; the package is in {part}", f"{target} 已经存在；数据包在 {part}"), USAGE
    )
    try:
        os.link(part, target)  # unlike a rename, this cannot replace an existing file
    except FileExistsError:
        raise taken from None
    except OSError as problem:
        if problem.errno not in _HAS_NO_SUCH:
            raise
        if os.path.lexists(target):
            raise taken from None
        part.replace(target)
    else:
        part.unlink()


def _fetch(center: Center, op_id: str, file: BufferedRandom, *, size: int, sha256: str, advance: Advance) -> None:
    """Append the missing part, over as many connections as needed."""
    lost = 0
    if file.seek(0, os.SEEK_END) > size:
        file.truncate(0)
    while (start := file.seek(0, os.SEEK_END)) < size:
        advance(start)
        away = _go_on(center, op_id, file, start=start, sha256=sha256, advance=advance)
        if file.seek(0, os.SEEK_END) > start:
            lost = 0
            continue
        lost += 1
        if lost == TRIES:
            raise away or Refusal(said("the package is shorter than it should be", "数据包比应有的短"))
        time.sleep(_PAUSE_SECONDS)


def _go_on(
    center: Center, op_id: str, file: BufferedRandom, *, start: int, sha256: str, advance: Advance
) -> Refusal | None:
    """Append data from one connection; return the error if it ended early with one.

    Raises:
        Answered: the package no longer exists, or belongs to another person.
    """
    try:
        with center.package(op_id, start=start, sha256=sha256) as download:
            if download.start != start:  # the package has changed: start again
                file.truncate(0)
                file.seek(0)
            for piece in download:
                file.write(piece)
                advance(file.tell())
    except Refusal as refusal:
        if isinstance(refusal, Answered) and refusal.status < HTTPStatus.INTERNAL_SERVER_ERROR:
            raise
        return refusal
    return None


def _digest_of(file: BufferedRandom) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()
