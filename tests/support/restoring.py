"""Restoring a backup below the running product, and replaying what was forgotten since."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from typer.testing import Result

from tests.support.commands import memory_center
from tests.support.dumping import restore
from tests.support.workbench import Person, Workbench


def replay(bench: Workbench, *options: str) -> Result:
    """Run the command against the restored database."""
    secret = bench.settings.ledger_key
    assert secret is not None
    told = {
        "MEMORY_CENTER_DATABASE_URL": bench.settings.database_url.get_secret_value(),
        "MEMORY_CENTER_LEDGER_KEY": secret.get_secret_value(),
        "MEMORY_CENTER_DATA_DIR": str(bench.settings.data_dir),
    }
    return memory_center("replay", *options, told=told)


def answers(bench: Workbench, person: Person, wanted: int) -> Any:
    """Ask until the API notices that its database is another one: it looks every second."""
    for _ in range(60):
        answer = bench.api.get("/api/v1/memory/long_term", headers=person.headers)
        if answer.status_code == wanted and (wanted != 503 or answer.json()["code"] == "replay_needed"):
            return answer.json()
        assert answer.status_code != 200, "served from a restored backup"
        time.sleep(0.1)
    raise AssertionError((answer.status_code, answer.text))


def restored(bench: Workbench, backup: Path) -> None:
    """Restore a backup below the running product, and let the worker find its lost connections out."""
    restore(url(bench), backup)
    for database in (bench.process.database, bench.process.locks):
        database.engine.dispose()


def url(bench: Workbench) -> str:
    return bench.settings.database_url.get_secret_value()
