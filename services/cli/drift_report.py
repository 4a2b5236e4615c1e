"""`memory-center drift-report`: how often people's views changed, in numbers only (FC-08)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from services.cli.exit_codes import USAGE, Refusal
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir, database_url
from services.cli.manual import DATABASE, manual
from services.cli.terminal import print_json

HELP = manual(
    [("drift-report", "the last four weeks"), ("drift-report --weeks 12 --json", "for scripts")],
    exits={0: "done", USAGE: "no database was named"},
    environment=DATABASE,
    notes="Counts of signals, alerts and people, by week and kind; nothing of what anybody said.",
)

Weeks = Annotated[int, typer.Option("--weeks", min=1, max=520, help="How many, this one included.")]


def drift_report(weeks: Weeks = 4, data_dir: DataDir = DEFAULT_DATA_DIR, as_json: AsJson = False) -> None:
    """Count the signals that people's views changed, by week and kind."""
    from shared.drift.sql import drift  # slow to import
    from shared.kernel.database import Database  # same

    url = database_url(data_dir)
    if url is None:
        raise Refusal("set MEMORY_CENTER_DATABASE_URL, or start the installation with `memory-center up`", USAGE)
    database = Database(url, application="memory-center drift-report", pool_size=1)
    try:
        found = database.transact(lambda tx: drift.report(tx, weeks=weeks - 1))
    finally:
        database.close()
    if as_json:
        print_json([{**asdict(one), "week": f"{one.week:%Y-%m-%d}"} for one in found])
        return
    if not found:
        print("No signals.")
    for one in found:
        counts = f"{one.signals} signals, {one.alerts} alerts, {one.people} people"
        print(f"{one.week:%Y-%m-%d}  {one.signal_kind:40s} {counts}")
