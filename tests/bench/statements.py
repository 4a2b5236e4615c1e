"""What each SQL statement of a call takes, by the views and functions it reads."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import event

from shared.kernel.database import Database
from tests.bench.measuring import median

_READ: Final = re.compile(r"\b(?:visible_\w+|\w+_by_terms|superseded_memories)\b")


@dataclass
class Statements:
    """Statements that were run: how long each took in milliseconds, and one of each with its values."""

    took: dict[str, list[float]] = field(default_factory=dict)
    one_of: dict[str, tuple[str, Any]] = field(default_factory=dict)
    _alike: dict[str, list[str]] = field(default_factory=dict)

    def label(self, statement: str) -> str:
        """Return what a statement reads, and which of those that read the same it is; nothing if it reads no row."""
        reads = ", ".join(dict.fromkeys(_READ.findall(statement)))
        alike = self._alike.setdefault(reads, [])
        if statement not in alike:
            alike.append(statement)
        number = alike.index(statement)
        return f"{reads} ({number + 1})" if number else reads

    def medians(self) -> dict[str, float]:
        return {label: median(samples) for label, samples in self.took.items()}

    def explained(self, database: Database) -> dict[str, str]:
        """Run one of each again; return the plan PostgreSQL chose, with what it read."""
        plans: dict[str, str] = {}
        with database.engine.connect() as connection:
            cursor = connection.connection.cursor()
            for label, (statement, values) in self.one_of.items():
                cursor.execute(f"explain (analyze, buffers, costs off) {statement}", values)
                plans[label] = "\n".join(row[0] for row in cursor.fetchall())
        return plans


@contextmanager
def timed(database: Database) -> Iterator[Statements]:
    """Time every statement that runs over a database's pool inside the block, the driver's own part included."""
    found = Statements()

    def before(_connection: Any, _cursor: Any, _statement: str, _values: Any, context: Any, _many: bool) -> None:
        context.began = time.perf_counter()

    def after(_connection: Any, _cursor: Any, statement: str, values: Any, context: Any, _many: bool) -> None:
        took = (time.perf_counter() - context.began) * 1000
        if label := found.label(statement):
            found.took.setdefault(label, []).append(took)
            found.one_of[label] = (statement, values)

    event.listen(database.engine, "before_cursor_execute", before)
    event.listen(database.engine, "after_cursor_execute", after)
    try:
        yield found
    finally:
        event.remove(database.engine, "before_cursor_execute", before)
        event.remove(database.engine, "after_cursor_execute", after)
