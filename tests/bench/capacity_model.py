"""What many people need, from what one message, question and forget cost. Pure arithmetic; assumptions are fields."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from shared.erasure.rules.slices import KEYS_A_SLICE, SLICES_MAX

DAY: Final = 86_400
MONTH: Final = 30.4 * DAY


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What something cost: transactions, bytes of log and of storage, seconds of processor by role."""

    commits: float = 0.0
    wal: float = 0.0
    stored: float = 0.0
    cpu: Mapping[str, float] = field(default_factory=dict)

    def times(self, factor: float) -> Cost:
        return Cost(
            commits=self.commits * factor,
            wal=self.wal * factor,
            stored=self.stored * factor,
            cpu={role: seconds * factor for role, seconds in self.cpu.items()},
        )

    def less(self, other: Cost) -> Cost:
        return Cost(
            commits=max(0.0, self.commits - other.commits),
            wal=max(0.0, self.wal - other.wal),
            stored=max(0.0, self.stored - other.stored),
            cpu={role: max(0.0, seconds - other.cpu.get(role, 0.0)) for role, seconds in self.cpu.items()},
        )


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Measured: of an idle second, a message, a question, a forget; vectors a message; bytes rewritten a second.

    `piece`: bytes that a message adds to the largest table or partition that a purge rewrites.
    """

    idle: Cost
    message: Cost
    question: Cost
    forget: Cost
    vectors: float
    piece: float
    rewriting: float


@dataclass(frozen=True, kw_only=True)
class Habits:
    """What people do. All assumed.

    Args:
        messages_a_day: of both sides, per person.
        questions_a_message: how often an assistant asks for context, per message.
        peak: how much more happens in the busiest hour than on average.
        months: how long it has been collected.
    """

    messages_a_day: float = 10.0
    questions_a_message: float = 0.5
    forgets_a_year: float = 6.0
    peak: float = 3.0
    months: float = 12.0


@dataclass(frozen=True, kw_only=True)
class Machines:
    """What machines do. All assumed but what `Costs` holds; a host is one machine that runs our processes."""

    busy: float = 0.5
    """How much of its processors a machine should use at the peak."""
    host_cores: int = 8
    postgres_cores: int = 16
    postgres_commits: float = 8_000
    """A second, with one synchronous standby."""
    postgres_stored: float = 2e12
    """Bytes on one primary that can still be restored within an hour."""
    postgres_wal: float = 60e6
    """Bytes a second, archived and replicated."""
    postgres_connections: int = 500
    host_connections: int = 110
    """`memory-center doctor` adds it up."""
    milvus_memory: float = 48e9
    """Usable bytes of a query node."""
    vector_bytes: float = 384 * 4 * 1.6
    """With the index and the row."""
    lite_vectors: float = 1e6
    """Milvus Lite compares with every vector of a collection."""
    ledger_entries: float = 200.0
    """A second: the chain is one, and each batch waits for its disk or bucket."""
    reconciled: float = 20_000
    """Keys compared a second."""
    lock_seconds: float = 1.0
    """Longest that a request should wait for a purge."""


@dataclass(frozen=True, kw_only=True)
class Needs:
    """What so many people need, and the number of people at which each limit is reached."""

    users: int
    messages_peak: float
    questions_peak: float
    forgets_peak: float
    hosts: int
    host_cores: float
    embedder_share: float
    postgres_primaries: int
    postgres_by: str
    stored_tb: float
    wal_mb: float
    vectors: float
    milvus_nodes: int
    connections: int
    ledger_entries: float
    reconcile_hours: float
    purge_seconds: float
    limits: Mapping[str, float]


def model(costs: Costs, users: int, habits: Habits | None = None, machines: Machines | None = None) -> Needs:
    """Return what `users` people need at the peak, and after `habits.months` of collecting."""
    habits, machines = habits or Habits(), machines or Machines()
    messages = users * habits.messages_a_day / DAY * habits.peak
    questions = messages * habits.questions_a_message
    forgets = users * habits.forgets_a_year / 365 / DAY * habits.peak

    def a_second(of: str) -> float:
        return sum(
            rate * float(getattr(cost, of))
            for rate, cost in ((messages, costs.message), (questions, costs.question), (forgets, costs.forget))
        )

    def cores(*roles: str) -> float:
        spent = ((messages, costs.message), (questions, costs.question), (forgets, costs.forget))
        return sum(rate * cost.cpu.get(role, 0.0) for rate, cost in spent for role in roles)

    ours = cores("gateway", "workers", "embedder")
    hosts_used = ours / (machines.host_cores * machines.busy)
    hosts = max(1, math.ceil(hosts_used))
    said = users * habits.messages_a_day / DAY * habits.months * MONTH
    stored, vectors = said * costs.message.stored, said * costs.vectors
    needs = {
        "processors": cores("postgres") / (machines.postgres_cores * machines.busy),
        "transactions": a_second("commits") / machines.postgres_commits,
        "log": a_second("wal") / machines.postgres_wal,
        "bytes": stored / machines.postgres_stored,
    }
    largest = max(needs, key=lambda name: needs[name])
    locked = said * costs.piece / costs.rewriting
    compared = vectors / min(SLICES_MAX, max(1.0, vectors / KEYS_A_SLICE))
    connections = hosts * machines.host_connections
    reached = {
        "one worker": ours / machines.busy,
        "Milvus Lite": vectors / machines.lite_vectors,
        "purge locks": locked / machines.lock_seconds,
        "reconciliation": compared / machines.reconciled / 3_600,
        "connections": hosts_used * machines.host_connections / machines.postgres_connections,
        "one primary": needs[largest],
        "one ledger": forgets * 2 / machines.ledger_entries,
        "one Milvus node": vectors * machines.vector_bytes / machines.milvus_memory,
    }
    return Needs(
        users=users,
        messages_peak=messages,
        questions_peak=questions,
        forgets_peak=forgets,
        hosts=hosts,
        host_cores=ours,
        embedder_share=cores("embedder") / ours if ours else 0.0,
        postgres_primaries=max(1, math.ceil(needs[largest])),
        postgres_by=largest,
        stored_tb=stored / 1e12,
        wal_mb=a_second("wal") / 1e6,
        vectors=vectors,
        milvus_nodes=max(1, math.ceil(vectors * machines.vector_bytes / machines.milvus_memory)),
        connections=connections,
        ledger_entries=forgets * 2,
        reconcile_hours=compared / machines.reconciled / 3_600,
        purge_seconds=locked,
        limits={name: users / share for name, share in reached.items() if share > 0},
    )
