"""No-op steps per second, end to end, ours beside procrastinate, DBOS and plain Celery."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import redis

from tests.bench.installation import REPOSITORY, Installation, Servers
from tests.bench.measuring import median, say, significant, wait_until
from tests.bench.noop import KIND
from tests.bench.peers.celery_tasks import QUEUE as PLAIN_QUEUE

PRODUCERS = 2
BATCH = 50
THREADS = 4
WARM_UP = 500
POLL_SECONDS = 0.02
DRAIN_SECONDS = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """One way to do steps: where its producers write, and how to see that nothing waits any more."""

    name: str
    url: str
    is_idle: Callable[[], bool]
    count: int


def throughput(contender: Contender, count: int) -> float:
    """Return steps per second, from the first producer's start to the end of the last step."""
    with ExitStack() as stack:
        producers = [stack.enter_context(_producer(contender, count // PRODUCERS)) for _ in range(PRODUCERS)]
        for producer in producers:
            _read(producer, "ready")
        began = time.monotonic()
        for producer in producers:
            assert producer.stdin is not None
            producer.stdin.write("go\n")
            producer.stdin.flush()
        for producer in producers:
            _read(producer, "done")
        wait_until(contender.is_idle, seconds=DRAIN_SECONDS, what=f"the end of {contender.name}'s steps", poll=0.02)
        return count / (time.monotonic() - began)


@contextmanager
def _producer(contender: Contender, count: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.bench.producers", contender.name, contender.url, str(count), str(BATCH)]
    with _process(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process


@contextmanager
def _process(command: list[str], **how: Any) -> Iterator[subprocess.Popen[Any]]:
    how["env"] = {**os.environ, "PYTHONPATH": str(REPOSITORY), **how.pop("env", {})}
    process = subprocess.Popen(command, cwd=REPOSITORY, **how)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def _read(process: subprocess.Popen[str], word: str) -> None:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    if line != word:
        raise RuntimeError(f"a producer or worker said {line!r} instead of {word!r}")


@contextmanager
def ours(installation: Installation, count: int) -> Iterator[Contender]:
    """Use the scheduler and the worker that run already."""

    def is_idle() -> bool:
        return _none(installation.sql, f"select 1 from outbox where kind = '{KIND}' limit 1")

    yield Contender(name="ours", url=installation.database_url, is_idle=is_idle, count=count)


@contextmanager
def procrastinate(on: Servers, count: int) -> Iterator[Contender]:
    """One worker with as many jobs at once as we have threads; finished jobs are deleted, as ours are."""
    from tests.bench.peers.procrastinate_jobs import synchronous_jobs

    url = on.new_database("procrastinate")
    with synchronous_jobs(url).open() as app:
        app.schema_manager.apply_schema()
    command = [sys.executable, "-m", "tests.bench.peers.procrastinate_jobs", url, str(THREADS)]
    with _process(command, stderr=subprocess.DEVNULL), psycopg.connect(url, autocommit=True) as sql:

        def is_idle() -> bool:
            return _none(sql, "select 1 from procrastinate_jobs where status in ('todo', 'doing') limit 1")

        yield Contender(name="procrastinate", url=url, is_idle=is_idle, count=count)


@contextmanager
def dbos(on: Servers, count: int) -> Iterator[Contender]:
    """One process; its queue looks ten times a second instead of once, without a limit on what it takes at once."""
    url = on.new_database("dbos")
    command = [sys.executable, "-m", "tests.bench.peers.dbos_workflows", url, "0.1", "64"]
    with _process(command, stdout=subprocess.PIPE, text=True) as worker:
        _read(worker, "ready")
        with psycopg.connect(url, autocommit=True) as sql:

            def is_idle() -> bool:
                unfinished = "status in ('ENQUEUED', 'PENDING') and queue_name is not null"
                return _none(sql, f"select 1 from dbos.workflow_status where {unfinished} limit 1")

            yield Contender(name="dbos", url=url, is_idle=is_idle, count=count)


@contextmanager
def celery(on: Servers, count: int) -> Iterator[Contender]:
    """The same pool with as many threads, on another number of the same Valkey, which keeps nothing on disk."""
    url = on.valkey.url(9)
    valkey = redis.Redis.from_url(url)
    options = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "ERROR"]
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "tests.bench.peers.celery_tasks",
        "worker",
        "--queues",
        PLAIN_QUEUE,
    ]
    with _process(
        [*command, "--pool", "threads", "--concurrency", str(THREADS), *options],
        env={"BENCH_BROKER": url},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ):

        def is_idle() -> bool:
            return valkey.llen(PLAIN_QUEUE) == 0 and valkey.hlen("unacked") == 0

        yield Contender(name="celery", url=url, is_idle=is_idle, count=count)


def _none(sql: psycopg.Connection, query: str) -> bool:
    return sql.execute(query.encode()).fetchone() is None


def measure(installation: Installation, on: Servers, *, runs: int, quick: bool) -> dict[str, Any]:
    """Let everybody do steps in turn, in each run; return rates and ratios."""
    rates: dict[str, list[float]] = {}
    share = 10 if quick else 1
    with ExitStack() as stack:
        contenders = [
            stack.enter_context(ours(installation, 10_000 // share)),
            stack.enter_context(procrastinate(on, 2_000 // share)),
            stack.enter_context(dbos(on, 2_000 // share)),
            stack.enter_context(celery(on, 4_000 // share)),
        ]
        for contender in contenders:
            throughput(contender, WARM_UP)
        for run in range(runs):
            for contender in contenders:
                rate = throughput(contender, contender.count)
                rates.setdefault(contender.name, []).append(rate)
                say(f"steps, run {run + 1}: {contender.name} {rate:.0f}/s")
    per_second = {name: significant(median(found)) for name, found in rates.items()}
    return {
        **{
            f"steps_vs_{peer}": significant(per_second["ours"] / per_second[peer], 3)
            for peer in ("procrastinate", "dbos", "celery")
        },
        "steps_per_second": per_second,
        "steps_how": {
            "producers": PRODUCERS,
            "batch": {"ours": BATCH, "procrastinate": BATCH, "dbos": BATCH, "celery": 1},
            "count": {contender.name: contender.count for contender in contenders},
            "at_once": {"ours": THREADS, "procrastinate": THREADS, "dbos": 64, "celery": THREADS},
        },
    }
