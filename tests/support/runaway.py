"""What tests run in a process of its own: work that never ends by itself, and work that fails."""

from __future__ import annotations

import os
import re
import time


class Runaway:
    """Made in a child by `shared.runtime.apart.session`."""

    def __init__(self, *, fails: bool = False) -> None:
        if fails:
            raise ValueError("canary")

    def pid(self) -> int:
        """Return the child's process id."""
        return os.getpid()

    def matches(self) -> bool:
        """Match for longer than anybody lives, which no signal handler of Python's interrupts."""
        return re.match(r"(a+)+$", "a" * 60 + "b") is not None

    def sleeps(self) -> None:
        """Wait without using the processor."""
        time.sleep(600)

    def fails(self) -> None:
        """Raise an error with content in it."""
        raise ValueError("canary")
