"""From the commit of a row to its claim: on an idle system, and over rows that cannot be vacuumed away."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from shared.kernel.database import Database
from shared.kernel.new_ids import new_id
from shared.outbox.sql import outbox
from shared.outbox.sql.outbox import Work
from tests.bench.installation import Installation
from tests.bench.measuring import percentile, say, significant, spread, wait_until
from tests.bench.noop import KIND

SAMPLES = 400
WARM_UP = 200
RATE = 300
PINNED_MINUTES = 30
PINNED_SECONDS = 30
DEAD_AT_ONCE = 20_000


class Notes:
    """What the worker wrote down about rows: number → (attempt, claim begun, claimed), in monotonic nanoseconds."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / f"notes-{new_id()}"
        self.path.touch()

    def payload(self, number: int, **more: Any) -> dict[str, Any]:
        return {"note": str(self.path), "number": number, **more}

    def lines(self) -> list[tuple[int, int, int, int]]:
        found = [line.split() for line in self.path.read_text().splitlines()]
        return [(int(number), int(attempt), int(began), int(claimed)) for number, attempt, began, claimed in found]

    def wait_for(self, count: int, *, seconds: float) -> list[tuple[int, int, int, int]]:
        wait_until(lambda: len(self.lines()) >= count, seconds=seconds, what=f"{count} claims", poll=0.2)
        return self.lines()


def queue(database: Database, payloads: list[dict[str, Any]]) -> int:
    """Commit rows as the product does; return when, in monotonic nanoseconds."""
    with database.begin() as tx:
        outbox.add(tx, new_id(), [Work(kind=KIND, payload=payload) for payload in payloads])
    return time.monotonic_ns()


def idle(installation: Installation, directory: Path, *, quick: bool) -> dict[str, Any]:
    """Queue one row after the other, each on an idle system: processes that still open their stores are not."""
    _commit_to_claim(installation, directory, samples=WARM_UP, pause=(0.03, 0.09))
    waits = _commit_to_claim(installation, directory, samples=60 if quick else SAMPLES, pause=(0.03, 0.09))
    say(f"commit to claim: p50 {percentile(waits, 0.5):.2f} ms, p99 {percentile(waits, 0.99):.2f} ms")
    return {
        "commit_to_claim_p50_ms": significant(percentile(waits, 0.5)),
        "commit_to_claim_p99_ms": significant(percentile(waits, 0.99)),
        "commit_to_claim_samples": len(waits),
    }


def _commit_to_claim(
    installation: Installation, directory: Path, *, samples: int, pause: tuple[float, float]
) -> list[float]:
    notes, chance = Notes(directory), random.Random(1)
    committed: dict[int, int] = {}
    with installation.database() as database:
        queue(database, [notes.payload(-1)])
        notes.wait_for(1, seconds=30)
        for number in range(samples):
            time.sleep(chance.uniform(*pause))
            committed[number] = queue(database, [notes.payload(number)])
        found = notes.wait_for(samples + 1, seconds=60)
    return [(claimed - committed[number]) / 1e6 for number, _, _, claimed in found if number >= 0]


def pinned(installation: Installation, directory: Path, *, quick: bool) -> dict[str, Any]:
    """Measure claims while a snapshot keeps every dead row of half an hour in place.

    The dead rows are produced faster than half an hour: each goes through the same states by the same columns.
    """
    rows = RATE * 60 * PINNED_MINUTES // (50 if quick else 1)
    seconds = 3 if quick else PINNED_SECONDS
    with _snapshot(installation.database_url):
        _kill_rows(installation, rows)
        claims, waits = _at_rate(installation, directory, seconds=seconds)
        table = installation.sql.execute(
            "select n_dead_tup, pg_relation_size('outbox') from pg_stat_user_tables where relname = 'outbox'"
        ).fetchone()
    assert table is not None
    say(f"pinned: claim p99 {percentile(claims, 0.99):.2f} ms over {rows} dead rows")
    return {
        "claim_p99_pinned_ms": significant(percentile(claims, 0.99)),
        "claim_pinned_ms": spread(claims),
        "commit_to_claim_pinned_ms": spread(waits),
        "pinned_how": {
            "dead_rows": rows,
            "dead_versions": int(table[0]),
            "table_mib": round(int(table[1]) / 2**20),
            "rate": RATE,
            "measured_seconds": seconds,
            "samples": len(claims),
        },
    }


@contextmanager
def _snapshot(url: str) -> Iterator[None]:
    with psycopg.connect(url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.execute("select count(*) from outbox")
        yield


def _kill_rows(installation: Installation, rows: int) -> None:
    """Let rows be added, marked, claimed and closed, in large batches; other processes never see them."""
    for start in range(0, rows, DEAD_AT_ONCE):
        count = min(DEAD_AT_ONCE, rows - start)
        with installation.sql.transaction():
            made = installation.sql.execute(
                """
                insert into outbox (subject_id, kind, payload)
                select gen_random_uuid(), %s, %s from generate_series(1, %s) returning id
                """,
                [KIND, json.dumps({}), count],
            ).fetchall()
            ids = [row[0] for row in made]
            for change in (
                "update outbox set published_at = now() where id = any(%s)",
                """
                update outbox set state = 'leased', lease_token = lease_token + 1, attempt = attempt + 1,
                  lease_until = now() + interval '15 s' where id = any(%s)
                """,
                "delete from outbox where id = any(%s)",
            ):
                installation.sql.execute(change.encode(), [ids])


def _at_rate(installation: Installation, directory: Path, *, seconds: int) -> tuple[list[float], list[float]]:
    """Queue rows at a fixed rate, each by itself; return how long claiming took, and how long until it had been."""
    notes = Notes(directory)
    committed: dict[int, int] = {}
    count = RATE * seconds
    with installation.database() as database:
        queue(database, [notes.payload(-1)])
        notes.wait_for(1, seconds=30)
        began = time.monotonic()
        for number in range(count):
            time.sleep(max(0.0, began + number / RATE - time.monotonic()))
            committed[number] = queue(database, [notes.payload(number)])
        kept_rate = count / (time.monotonic() - began)
        found = notes.wait_for(count + 1, seconds=120)
    say(f"pinned: queued at {kept_rate:.0f} rows/s")
    numbered = [line for line in found if line[0] >= 0]
    claims = [(claimed - begun) / 1e6 for _, _, begun, claimed in numbered]
    return claims, [(claimed - committed[number]) / 1e6 for number, _, _, claimed in numbered]
