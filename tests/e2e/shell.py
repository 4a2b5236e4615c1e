"""Somebody at a shell: what a command prints and how it ends, through pipes and at a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e import forked
from tests.e2e.conftest import Stack

COMMAND = Path(sys.executable).with_name("memory-center")


@dataclass
class Person:
    """Somebody at a shell of this machine."""

    stack: Stack
    name: str
    conversations: list[str]

    def environment(self, **more: str) -> dict[str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MEMORY_CENTER_")}
        own = {"MEMORY_CENTER_DATA_DIR": str(self.stack.data_dir), "MEMORY_CENTER_USER": self.name}
        return {**clean, "LC_ALL": "C.UTF-8", **own, **more}

    def run(self, *words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        return forked.run(words, stdin=stdin, environment=self.environment(**environment), timeout=120)

    def says(self, *words: str, code: int = 0, stdin: str = "", **environment: str) -> str:
        """Return what a command printed, once it ended as expected."""
        done = self.run(*words, stdin=stdin, **environment)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        return done.stdout

    def refused(self, *words: str, code: int, stdin: str = "", **environment: str) -> str:
        """Return the one line that says why a command was refused."""
        done = self.run(*words, stdin=stdin, **environment)
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        *progress, line = done.stderr.splitlines()
        assert all("%" in one for one in progress), done.stderr
        return line

    def document(self, *words: str, code: int = 0, stdin: str = "", **environment: str) -> Any:
        return json.loads(self.says(*words, "--json", code=code, stdin=stdin, **environment))

    def documents(self, *words: str, **environment: str) -> list[Any]:
        return [json.loads(line) for line in self.says(*words, "--json", **environment).splitlines()]

    def remembers(self) -> list[str]:
        return [one["content"] for one in self.document("memories", "--all")["items"]]


class Terminal:
    """A command at a terminal, as somebody sits in front of it."""

    def __init__(self, person: Person, words: Sequence[str], **environment: str) -> None:
        self._ours, theirs = pty.openpty()
        self._process = subprocess.Popen(
            [COMMAND, *words],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=person.environment(TERM="xterm-256color", COLUMNS="100", LINES="40", **environment),
        )
        os.close(theirs)
        self.shown = ""
        self._read = b""

    def wait_for(self, text: str, *, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} did not appear: {self.shown!r}"
            assert self._take() or text in self.shown, f"{text!r} never appeared: {self.shown!r}"

    @property
    def has_colours(self) -> bool:
        return re.search(rb"\x1b\[[0-9;]*3[0-7]m", self._read) is not None

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode())

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        while self._take():
            pass
        os.close(self._ours)
        return self._process.wait(60)

    def _take(self) -> bool:
        """Read a little; whether there may be more."""
        if not select.select([self._ours], [], [], 0.2)[0]:
            return self._process.poll() is None
        try:
            chunk = os.read(self._ours, 65536)
        except OSError:  # Linux says so when nobody is left at the other end
            return False
        self._read += chunk
        self.shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self._read.decode(errors="replace"))
        return bool(chunk)
