"""Runs the SQL files of a migration: those in the folder beside it that has its name."""

from __future__ import annotations

from pathlib import Path

from alembic import op


def run(migration: str, *parts: str) -> None:
    """Run parts of a migration (`__file__`), each a file `<part>.sql`."""
    for part in parts:
        sql = (Path(migration).with_suffix("") / f"{part}.sql").read_text(encoding="utf-8")
        op.get_bind().exec_driver_sql(sql, execution_options={"no_parameters": True})
