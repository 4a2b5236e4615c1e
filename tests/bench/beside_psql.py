r"""A person's rows by `psql`'s \copy, from one moment's state: what somebody with the database's password would do."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from deploy.embedded.postgres import postgres_programs

ROWS: Final[Mapping[str, str]] = {
    "conversations": "subject_id = {whose}",
    "messages": "subject_id = {whose}",
    "message_contents": "subject_id = {whose}",
    "episodes": "subject_id = {whose}",
    "memories": "subject_id = {whose}",
    "memory_contents": "subject_id = {whose}",
    "lineage": "subject_id = {whose}",
    "events": "subject_id = {whose}",
}
"""What the package has records of, by table."""


def copy_out(url: str, subject_id: UUID, folder: Path) -> dict[str, Any]:
    """Write a person's rows into a folder, a file a table; return the seconds and bytes."""
    folder.mkdir()
    whose = f"'{subject_id}'"
    copies = "\n".join(
        rf"\copy (select * from {table} where {which.format(whose=whose)}) to '{folder / table}'"
        for table, which in ROWS.items()
    )
    script = f"begin isolation level repeatable read read only;\n{copies}\ncommit;\n"
    began = time.monotonic()
    subprocess.run(
        [postgres_programs() / "psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", url],
        input=script,
        text=True,
        check=True,
    )
    took = time.monotonic() - began
    return {"seconds": took, "bytes": sum(file.stat().st_size for file in folder.iterdir())}
