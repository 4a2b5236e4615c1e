"""Downloading a package: what breaks off goes on, and nothing takes its name before it is whole."""

from __future__ import annotations

import hashlib
import os
import time
from io import BufferedRandom
from pathlib import Path
from typing import Final

import httpx

from services.cli.person.client import Answered, Center, Wire, unreachable
from services.cli.refusal import NOT_FOUND, USAGE, Refusal
from services.cli.terminal import Advance, progress, said

TRIES: Final = 5
"""So often in a row without a single byte."""
_PAUSE_SECONDS: Final = 1.0


def download(center: Center, package: Wire, target: Path, *, quiet: bool) -> None:
    """Write a package to a file that only this account can read.

    What came before a connection broke stays in `FILE.part`, also when the command ends; the next one goes on there.

    Args:
        package: what the API says of it: `op_id`, `bytes`, `sha256`.
        quiet: show no bar.

    Raises:
        Refusal: it was withdrawn (4); it cannot be written (2); the API stayed away (3); its bytes are not those
            that were promised (1).
    """
    part = target.with_name(f"{target.name}.part")
    size, digest = int(package["bytes"]), str(package["sha256"])
    try:
        with open(os.open(part, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:  # noqa: PTH123 # with its mode
            with progress(target.name, total=size, unit="bytes", quiet=quiet) as advance:
                _fetch(
                    center, f"memory/exports/{package['op_id']}/package", file, size=size, tag=digest, advance=advance
                )
            if _digest_of(file) != digest:
                part.unlink()
                raise Refusal(said("the package arrived damaged; try again", "数据包传输有误，请重试"))
            os.fsync(file.fileno())
        part.replace(target)
    except Answered as answered:
        if answered.exit_code == NOT_FOUND:  # withdrawn: what is here of it goes as well
            part.unlink(missing_ok=True)
        raise
    except OSError as problem:
        raise Refusal(f"{target}: {problem.strerror or type(problem).__name__}", USAGE) from None


def _fetch(center: Center, path: str, file: BufferedRandom, *, size: int, tag: str, advance: Advance) -> None:
    """Append what is missing, in as many connections as it takes."""
    lost = 0
    if file.seek(0, os.SEEK_END) > size:
        file.truncate(0)
    while (start := file.seek(0, os.SEEK_END)) < size:
        advance(start)
        away = _go_on(center, path, file, start=start, tag=tag, advance=advance)
        if file.seek(0, os.SEEK_END) > start:
            lost = 0
            continue
        lost += 1
        if lost == TRIES:
            raise away or Refusal(said("the package is shorter than it should be", "数据包比应有的短"))
        time.sleep(_PAUSE_SECONDS)


def _go_on(
    center: Center, path: str, file: BufferedRandom, *, start: int, tag: str, advance: Advance
) -> Refusal | None:
    """Append what one connection brings; return why it ended before the end, if somebody said.

    Raises:
        Answered: there is no such package any more, or it is not theirs.
    """
    try:
        with center.download(path, start=start, tag=tag) as answer:
            if answer.status_code != httpx.codes.PARTIAL_CONTENT:  # it is another one now: from its beginning
                file.truncate(0)
                file.seek(0)
            for chunk in answer.iter_raw():
                file.write(chunk)
                advance(file.tell())
    except httpx.TransportError as problem:
        return unreachable(center.url, problem)
    except Answered as answered:
        if answered.status < httpx.codes.INTERNAL_SERVER_ERROR:
            raise
        return answered
    return None


def _digest_of(file: BufferedRandom) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()
