"""Runs `memory-center` in copies of a process that has imported it: importing takes most of a command's time."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

IMPORTED: Final = (
    "services.cli.main",
    "memory_center_client",
    "memory_center_client.schemas",
    "rich.progress",
    "rich.table",
)
_FORKING: Final = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload([*IMPORTED, __name__])


def run(
    words: Sequence[str], *, stdin: str, environment: Mapping[str, str], timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run a command as `subprocess.run` would, with text captured."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("stdin", "stdout", "stderr")]
        files[0].write_text(stdin, encoding="utf-8")
        command = _FORKING.Process(target=_command, args=(list(words), dict(environment), files))
        command.start()
        command.join(timeout)
        if command.exitcode is None:
            command.kill()
            command.join()
            raise subprocess.TimeoutExpired(list(words), timeout)
        shown = [file.read_text(encoding="utf-8") for file in files[1:]]
        return subprocess.CompletedProcess(list(words), command.exitcode, *shown)


def _command(words: list[str], environment: dict[str, str], files: list[Path]) -> None:
    for number, (file, mode) in enumerate(zip(files, ("r", "w", "w"), strict=True)):
        with file.open(mode) as opened:
            os.dup2(opened.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, mode, encoding="utf-8") for number, mode in enumerate(("r", "w", "w"))
    )
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["memory-center", *words]
    from services.cli.main import app  # imported before, by the process this is a copy of

    app()
