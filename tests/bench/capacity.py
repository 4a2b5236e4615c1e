"""`make bench-capacity`: what a message, a question and a forget cost, and what that means for many people.

People of the natural histories live through their weeks on a real installation; what it costs while nothing happens is
taken off. Writes docs/capacity.md; `--users N` prints the model for N people from the costs last measured.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, Final

import psutil
import psycopg

from memory_center_client import MemoryCenter
from shared.erasure.sql import purging
from shared.items import register_kinds
from tests.bench.capacity_model import Cost, Costs, Habits, model
from tests.bench.capacity_page import PAGE, read_costs, write
from tests.bench.measuring import say, wait_until
from tests.e2e.conftest import Stack, running_installation
from tests.evaluation.natural import History, histories

IDLE_SECONDS: Final = 30.0
QUESTIONS: Final = 100
FORGETS: Final = 40
SCRATCH_ROWS: Final = 150_000
ROLES: Final = {
    "postgres": "postgres",
    "gateway": "gateway",
    "worker": "workers",
    "eraser": "workers",
    "scheduler": "workers",
    "embedder": "embedder",
    "milvus": "milvus",
    "valkey": "valkey",
}


@dataclass(frozen=True)
class Reading:
    """What has been spent so far."""

    at: float
    commits: float
    wal: float
    stored: float
    cpu: Mapping[str, float]


class Meter:
    """Reads what an installation has spent.

    Args:
        stack: the installation.
    """

    def __init__(self, stack: Stack) -> None:
        password, port = stack.secrets["postgres_password"], stack.run["ports"]["postgres"]
        url = f"postgresql://memory_center:{password}@127.0.0.1:{port}/memory_center"
        self.sql = psycopg.connect(url, autocommit=True)
        self._roots = {name: psutil.Process(stack.pid(name)) for name in ROLES}
        self._idle = Cost()

    def read(self) -> Reading:
        """Return what was spent until now."""
        self.sql.execute("select pg_stat_clear_snapshot()")
        row = self.sql.execute(
            """select s.xact_commit, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0'), pg_database_size(s.datname)
               from pg_stat_database s where datname = current_database()"""
        ).fetchone()
        assert row is not None
        cpu = dict.fromkeys(ROLES.values(), 0.0)
        for name, root in self._roots.items():
            cpu[ROLES[name]] += _spent(root)
        return Reading(time.monotonic(), float(row[0]), float(row[1]), float(row[2]), cpu)

    def idle(self) -> Cost:
        """Learn what a second costs while nothing happens."""
        before = self.read()
        time.sleep(IDLE_SECONDS)
        after = self.read()
        self._idle = _between(before, after).times(1 / (after.at - before.at))
        return self._idle

    @contextmanager
    def of(self, what: str, count: int) -> Iterator[list[Cost]]:
        """Measure what is done in the block; yields a list that the cost of one of `count` is put into."""
        found: list[Cost] = []
        before = self.read()
        yield found
        after = self.read()
        seconds = after.at - before.at
        found.append(_between(before, after).less(self._idle.times(seconds)).times(1 / count))
        say(f"{what}: {count} in {seconds:.0f} s")


def _spent(root: psutil.Process) -> float:
    """Return the seconds of processor time of a process and all it started, ended ones too."""
    spent = 0.0
    for one in (root, *root.children(recursive=True)):
        try:
            times = one.cpu_times()
        except psutil.NoSuchProcess:
            continue
        spent += times.user + times.system + times.children_user + times.children_system
    return spent


def _between(before: Reading, after: Reading) -> Cost:
    return Cost(
        commits=after.commits - before.commits,
        wal=after.wal - before.wal,
        stored=after.stored - before.stored,
        cpu={role: after.cpu[role] - before.cpu[role] for role in after.cpu},
    )


def say_everything(center: MemoryCenter, people: list[History]) -> tuple[int, dict[str, list[str]]]:
    """Let people live through their days; return how many messages that were, and the ids of what each said."""
    count = 0
    said: dict[str, list[str]] = {}
    for history in people:
        person = center.for_user(history.name)
        for _, turns in history.days:
            conversation = person.conversations.create()
            messages: Any = [{"role": role, "content": text} for role, text in turns]
            recorded = person.messages.record(conversation, messages)
            said.setdefault(history.name, []).extend(
                one["id"] for one, (role, _) in zip(recorded, turns, strict=True) if role == "user"
            )
            person.conversations.end_session(conversation)
            count += len(turns)
    return count, said


def quiet(meter: Meter) -> Callable[[], bool]:
    """Return what asks whether no work waits."""

    def nothing_waits() -> bool:
        row = meter.sql.execute(
            "select count(*) from outbox where state <> 'done' and available_at <= now() + interval '1 minute'"
        ).fetchone()
        return row == (0,)

    return nothing_waits


def rewritten_bytes_per_second(meter: Meter) -> float:
    """Return how fast PostgreSQL rewrites a table under an exclusive lock, as a purge does."""
    meter.sql.execute("drop table if exists bench_scratch")
    meter.sql.execute(
        "create table bench_scratch as select i as id, repeat(md5(i::text), 18) as text"
        f" from generate_series(1, {SCRATCH_ROWS}) i".encode()
    )
    row = meter.sql.execute("select pg_total_relation_size('bench_scratch')").fetchone()
    began = time.monotonic()
    meter.sql.execute("vacuum full bench_scratch")
    seconds = time.monotonic() - began
    meter.sql.execute("drop table bench_scratch")
    assert row is not None
    return float(row[0]) / seconds


def measured() -> tuple[Costs, float]:
    """Run an installation and return what things cost on it, and the load before."""
    register_kinds()
    load = os.getloadavg()[0]
    people = histories()
    with running_installation() as stack:
        meter = Meter(stack)
        idle = meter.idle()
        with MemoryCenter(stack.url, stack.secrets["service_key"], timeout=60) as center:
            vectors, before = _count(meter, "vector_refs"), purged_bytes(meter)
            messages = sum(len(turns) for history in people for _, turns in history.days)
            with meter.of("messages", messages) as message:
                count, said = say_everything(center, people)
                assert count == messages
                wait_until(quiet(meter), seconds=1_800, what="learning", poll=0.5)
            vectors, after = _count(meter, "vector_refs") - vectors, purged_bytes(meter)
            with meter.of("questions", QUESTIONS) as question:
                for number in range(QUESTIONS):
                    one = people[number % len(people)]
                    question_, _ = one.ask[number // len(people) % len(one.ask)]
                    center.for_user(one.name).recall(question_)
            with meter.of("forgets", FORGETS) as forget:
                started = []
                for number in range(FORGETS):
                    name = people[number % len(people)].name
                    started.append(center.for_user(name).forget.message(said[name].pop(), cascade=True))
                for operation in started:
                    operation.wait(300)
        costs = Costs(
            idle=idle,
            message=message[0],
            question=question[0],
            forget=forget[0],
            vectors=vectors / messages,
            piece=max(after[table] - before[table] for table in after) / messages,
            rewriting=rewritten_bytes_per_second(meter),
        )
        meter.sql.close()
    return costs, load


def purged_bytes(meter: Meter) -> dict[str, float]:
    """Return the bytes of each table that a purge rewrites, of a partitioned one those of a partition on average.

    Without those that keep what they hold for a day: they do not grow with what people have ever said.
    """
    rows = meter.sql.execute(
        """
        select name, coalesce((select avg(pg_total_relation_size(relid)) from pg_partition_tree(name::regclass)
          where isleaf), pg_total_relation_size(name::regclass))::float
        from unnest(%s::text[]) as name
        """,
        [[name for name in purging.tables() if name not in ("idempotency_keys", "debug_records")]],
    ).fetchall()
    return {str(name): float(size) for name, size in rows}


def _count(meter: Meter, table: str) -> int:
    row = meter.sql.execute(f"select count(*) from {table}".encode()).fetchone()
    assert row is not None
    return int(row[0])


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--users", type=int, help="only print the model for so many people")
    options.add_argument("--messages-per-day", type=float, default=Habits.messages_a_day)
    options.add_argument("--months", type=float, default=Habits.months)
    chosen = options.parse_args()
    habits = Habits(messages_a_day=chosen.messages_per_day, months=chosen.months)
    if chosen.users:
        print(json.dumps(asdict(model(read_costs(), chosen.users, habits)), indent=2))
        return 0
    costs, load = measured()
    write(costs, load)
    say(f"wrote {PAGE}")
    print(f"BENCH_CAPACITY {json.dumps(asdict(costs))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
