"""The `memory-center` command in this process: a process of its own spends two seconds on importing."""

from __future__ import annotations

import os
from collections.abc import Mapping

from typer.testing import CliRunner, Result

from services.cli.main import app


def memory_center(*arguments: str, told: Mapping[str, str] | None = None, stdin: str = "") -> Result:
    """Run the command; of the variables `MEMORY_CENTER_*` it sees only those in `told`."""
    hidden = {name: None for name in os.environ if name.startswith("MEMORY_CENTER_")}
    return CliRunner().invoke(app, list(arguments), env={**hidden, **(told or {})}, input=stdin, catch_exceptions=False)
