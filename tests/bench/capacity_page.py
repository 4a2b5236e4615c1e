"""docs/capacity.md, from one run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from string import Template
from typing import Any, Final

from tests.bench.capacity_model import Cost, Costs, Habits, Machines, Needs, model
from tests.bench.installation import REPOSITORY
from tests.bench.measuring import significant
from tests.bench.report import machine

PAGE: Final = REPOSITORY / "docs" / "capacity.md"
WORDING: Final = Path(__file__).with_name("capacity.md")
SIZES: Final = (10_000, 1_000_000, 100_000_000)
KEPT: Final = re.compile(r"<!-- costs: (\{.*\}) -->")
LIMITS: Final = {
    "one worker": "one processor is not enough for learning, embedding and answering",
    "Milvus Lite": "Milvus Lite compares with every vector, about a million",
    "purge locks": "a request waits more than 1 s for a purge: for the largest table, or partition, that it rewrites",
    "reconciliation": "the hourly comparison of a slice takes longer than an hour",
    "connections": "hosts open more connections than one PostgreSQL serves well",
    "one primary": "one PostgreSQL primary is not enough",
    "one ledger": "one chain of entries is not enough for all forgets",
    "one Milvus node": "the vectors do not fit one query node",
}


def write(costs: Costs, load: float) -> None:
    """Write the page anew."""
    needs = [model(costs, users) for users in SIZES]
    PAGE.write_text(
        Template(WORDING.read_text()).substitute(
            machine=machine(load, "onnxruntime"),
            costs=_costs(costs),
            vectors=f"{costs.vectors:.2f}",
            rewriting=f"{costs.rewriting / 1e6:,.0f}",
            piece=f"{costs.piece:,.0f}",
            idle=f"{sum(costs.idle.cpu.values()):.2f}",
            needs=_needs(needs),
            limits=_limits(needs[0]),
            habits=_assumed(Habits()),
            machines=_assumed(Machines()),
            json=json.dumps(asdict(costs)),
        )
    )


def read_costs() -> Costs:
    """Return the costs that the page was written from."""
    found = KEPT.search(PAGE.read_text())
    if found is None:
        raise SystemExit(f"{PAGE} names no costs: run `make bench-capacity`")
    kept: dict[str, Any] = json.loads(found.group(1))
    costs: dict[str, Any] = {name: Cost(**one) if isinstance(one, dict) else one for name, one in kept.items()}
    return Costs(**costs)


def _costs(costs: Costs) -> str:
    named = {"a message": costs.message, "a question": costs.question, "a forget": costs.forget}
    roles = [role for role in costs.message.cpu if role != "valkey"]
    head = ["", *roles, "transactions", "log", "stored"]
    rows = [head, ["---"] * len(head)]
    for name, cost in named.items():
        milliseconds = [f"{significant(cost.cpu.get(role, 0) * 1000, 2):g} ms" for role in roles]
        rows.append([name, *milliseconds, f"{cost.commits:.1f}", _bytes(cost.wal), _bytes(cost.stored)])
    return _table(rows)


def _needs(needs: list[Needs]) -> str:
    rows = [["", *(f"{one.users:,} people" for one in needs)], ["---"] * (len(needs) + 1)]
    lines: dict[str, Callable[[Needs], str]] = {
        "messages, questions, forgets a second at the peak": lambda one: (
            f"{one.messages_peak:,.1f}, {one.questions_peak:,.1f}, {one.forgets_peak:,.3f}"
        ),
        "processors for our processes at the peak, of which embedding and reading": lambda one: (
            f"{one.host_cores:,.1f}, {one.embedder_share:.0%}"
        ),
        "hosts of 8 processors, half used": lambda one: f"{one.hosts:,}",
        "connections to PostgreSQL without a pooler": lambda one: f"{one.connections:,}",
        "PostgreSQL primaries, decided by": lambda one: f"{one.postgres_primaries:,}, {one.postgres_by}",
        "stored after a year": lambda one: f"{one.stored_tb:,.2f} TB",
        "log at the peak": lambda one: f"{one.wal_mb:,.1f} MB/s",
        "vectors after a year; Milvus query nodes of 48 GB": lambda one: (
            f"{one.vectors / 1e6:,.0f} M; {one.milvus_nodes:,}"
        ),
        "ledger entries a second at the peak": lambda one: f"{one.ledger_entries:,.2f}",
        "comparing a slice with the stores, each hour, takes": lambda one: f"{60 * one.reconcile_hours:,.1f} min",
        "longest that a purge locks a table or partition": lambda one: f"{one.purge_seconds:,.1f} s",
    }
    rows += [[name, *(say(one) for one in needs)] for name, say in lines.items()]
    return _table(rows)


def _limits(needs: Needs) -> str:
    ordered = sorted(needs.limits.items(), key=lambda one: one[1])
    return _table(
        [
            ["at about", "reached first"],
            ["---", "---"],
            *([f"{significant(users, 2):,.0f} people", LIMITS[name]] for name, users in ordered),
        ]
    )


def _assumed(of: Habits | Machines) -> str:
    return ", ".join(f"`{name}` {value:,g}" for name, value in asdict(of).items())


def _bytes(count: float) -> str:
    return f"{count / 1000:.1f} kB"


def _table(rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
