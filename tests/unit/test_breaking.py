"""What chaos breaks on purpose can still be broken: `make test` does not run chaos, and names change."""

from __future__ import annotations

import subprocess
import sys

EVERYTHING = "from tests.chaos.breaking import BREAKAGES; BREAKAGES['everything']()"


def test_every_promise_can_be_broken_on_purpose() -> None:
    told = subprocess.run([sys.executable, "-c", EVERYTHING], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (0, "")
