"""`memory-center migrate`: upgrade the database schema without starting anything else.

`migrate mem0` and `migrate openmemory` bring memories from there instead.
"""

from __future__ import annotations

import os
import subprocess
import sys

import typer

from services.cli.exit_codes import Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, running_database_url
from services.cli.manual import DATABASE, manual
from services.cli.moving import move
from services.cli.terminal import print_json, progress

HELP = manual(
    [
        ("migrate", "`up` does it on every start"),
        ("migrate mem0 --help", "bring memories from mem0; `migrate openmemory` from OpenMemory"),
    ],
    exits={
        0: "the database has the newest schema",
        1: "it failed; migrations that were completed stay applied: run it again",
        2: "no database was named",
    },
    environment=DATABASE,
)

_URL = "MEMORY_CENTER_DATABASE_URL"

app = typer.Typer(invoke_without_command=True)
app.command("mem0", epilog=move.MEM0_HELP)(move.mem0)
app.command("openmemory", epilog=move.OPEN_MEMORY_HELP)(move.open_memory)


@app.callback()
def migrate(context: typer.Context, data_dir: DataDir = DEFAULT_DATA_DIR, as_json: AsJson = False) -> None:
    """Upgrade the database named by MEMORY_CENTER_DATABASE_URL, or the running installation's.

    With a source, bring people's memories from there instead.
    """
    if context.invoked_subcommand is not None:
        return
    url = os.environ.get(_URL) or running_database_url(data_dir)
    if url is None:
        raise Refusal(f"set {_URL}, or start the installation: `memory-center up` migrates by itself", 2)
    command = [sys.executable, "-P", "-m", "migrations"]
    with progress("migrating", quiet=as_json):
        finished = subprocess.run(
            command, env={**os.environ, _URL: url}, stderr=subprocess.PIPE, text=True, errors="replace", check=False
        )
    if finished.returncode != 0:
        raise Refusal(f"the migration failed: {_reason(finished.stderr)}", 1)
    if as_json:
        print_json({"schema": "newest"})
        return
    print("The database has the newest schema.")


def _reason(output: str) -> str:
    """Return the line of a traceback with the error: the last that starts with an error's name."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.partition(":")[0].endswith(("Error", "Exception"))]
    return (errors or lines or ["no reason given"])[-1]
