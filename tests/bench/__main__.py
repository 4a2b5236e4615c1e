"""Measure, print `BENCH {json}`, write docs/benchmarks.md: `python -m tests.bench [--quick] [--only KEY …]`."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy.embedded.servers import MilvusLite
from tests.bench import accepting, beside_mem0, forgetting, learning, resuming, steps, waking
from tests.bench.corpus import Corpus, corpus
from tests.bench.installation import Installation, Milvus, Servers, installation, servers
from tests.bench.measuring import say
from tests.bench.report import write

RUNS, QUICK_RUNS = 5, 2
BUSY = 0.5
"""A load average above this says that something else runs."""

Results = dict[str, Any]


@dataclass
class Bench:
    """One run: what to measure on what, and what came out."""

    directory: Path
    servers: Servers
    quick: bool
    only: frozenset[str]
    results: Results = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @property
    def runs(self) -> int:
        return QUICK_RUNS if self.quick else RUNS

    def wants(self, *keys: str) -> bool:
        return not self.only or not self.only.isdisjoint(keys)

    def on(self, place: Callable[[Bench], None], *groups: tuple[str, ...]) -> None:
        """Measure somewhere, if something there is wanted; a place that does not start keeps nobody from the rest."""
        if not any(self.wants(*keys) for keys in groups):
            return
        try:
            place(self)
        except Exception:  # noqa: BLE001 - the traceback is the report
            traceback.print_exc()
            self.failed.append(place.__name__)

    def measure(self, keys: tuple[str, ...], work: Callable[[], Results]) -> None:
        """Measure some keys, if they are wanted; a failure is told and does not keep the others from being measured."""
        if not self.wants(*keys):
            return
        say(f"measuring {', '.join(keys)}")
        try:
            found = work()
        except Exception:  # noqa: BLE001 - the traceback is the report
            traceback.print_exc()
            self.failed += keys
            return
        for key, value in found.items():
            if isinstance(value, dict) and isinstance(self.results.get(key), dict):
                self.results[key] |= value
            else:
                self.results[key] = value
        if not (self.quick or self.only):
            write(self.results)  # at once: a run that is cut short says what it measured


ON_LITE = {
    "commit_to_claim": ("commit_to_claim_p50_ms", "commit_to_claim_p99_ms"),
    "steps": ("steps_vs_procrastinate", "steps_vs_dbos", "steps_vs_celery"),
    "accept": ("accept_vs_insert_p50",),
    "growth": ("message_growth",),
    "message": ("message_forget_ms",),
    "mem0": ("forget_user_vs_mem0",),
    "items": ("per_item_growth",),
    "turn": ("turn_growth",),
    "resume": ("resume_p99_s",),
    "pinned": ("claim_p99_pinned_ms",),
}
ON_SERVER = {"message": ("message_forget_ms",), "mem0": ("mem0_server_left",)}
KEYS = sorted({key for keys in (*ON_LITE.values(), *ON_SERVER.values()) for key in keys})


def on_lite(bench: Bench) -> None:
    """Measure everything that one machine's own stack is asked for."""
    directory, quick = bench.directory, bench.quick
    with (
        MilvusLite(directory / "milvus") as lite,
        _product(bench, Milvus(uri=lite.url(), flavour="lite"), broker=0) as (product, people),
    ):
        # In this order: what asks for a small store before what fills it, and dead rows last.
        bench.measure(ON_LITE["commit_to_claim"], lambda: waking.idle(product, directory, quick=quick))
        bench.measure(ON_LITE["steps"], lambda: steps.measure(product, bench.servers, runs=bench.runs, quick=quick))
        bench.measure(ON_LITE["accept"], lambda: accepting.measure(product, people, quick=quick))
        bench.measure(ON_LITE["growth"], lambda: forgetting.by_neighbours(product, people, quick=quick))
        bench.measure(
            ON_LITE["mem0"],
            lambda: beside_mem0.measure(product, people, directory, runs=bench.runs, quick=quick),
        )
        bench.measure(
            ON_LITE["message"],
            lambda: {"message_forget_ms": {"lite": forgetting.one_message(product, people, quick=quick)}},
        )
        bench.measure(ON_LITE["turn"], lambda: learning.by_memories(product, people, quick=quick))
        bench.measure(ON_LITE["items"], lambda: forgetting.by_items(product, people, runs=bench.runs, quick=quick))
        bench.measure(ON_LITE["resume"], lambda: resuming.measure(product, directory, quick=quick))
        bench.measure(ON_LITE["pinned"], lambda: waking.pinned(product, directory, quick=quick))


def on_server(bench: Bench) -> None:
    """Measure what a real Milvus server changes."""
    from tests.support.milvus_servers import milvus_standalone  # its wheel is imported on use

    directory, quick = bench.directory, bench.quick
    with milvus_standalone(directory) as server:
        milvus = Milvus(uri=server.uri, flavour="server", token=server.token)
        bench.measure(ON_SERVER["mem0"], lambda: beside_mem0.left_on_server(milvus, directory, quick=quick))
        if bench.wants(*ON_SERVER["message"]):
            with _product(bench, milvus, broker=1) as (product, people):
                bench.measure(
                    ON_SERVER["message"],
                    lambda: {"message_forget_ms": {"server": forgetting.one_message(product, people, quick=quick)}},
                )


@contextmanager
def _product(bench: Bench, milvus: Milvus, *, broker: int) -> Iterator[tuple[Installation, Corpus]]:
    directory = bench.directory / f"product-{milvus.flavour}"
    with installation(bench.servers, milvus, directory, broker=broker) as product, corpus(product) as people:
        yield product, people


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench-erasure", description="Measure erasure beside its peers.")
    parser.add_argument("--quick", action="store_true", help="small sizes: does it work, not how fast it is")
    parser.add_argument("--without-server", action="store_true", help="on Milvus Lite alone; the page says so")
    parser.add_argument("--only", action="append", default=[], choices=KEYS, help="one result; may be repeated")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that everything started here ends
    load = os.getloadavg()[0]
    if load > BUSY:
        say(f"this machine is busy (load {load:.1f}): the numbers will be worse than they are")
    with ExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(prefix="memory-center-bench-", ignore_cleanup_errors=True)
        directory = Path(stack.enter_context(temporary))
        on = stack.enter_context(servers(directory))
        bench = Bench(directory, on, chosen.quick, frozenset(chosen.only), {"load_before": load})
        bench.on(on_lite, *ON_LITE.values())
        if not chosen.without_server:
            bench.on(on_server, *ON_SERVER.values())
    if bench.quick or bench.only or bench.failed:
        say("docs/benchmarks.md is not complete: only a full run in which nothing failed makes it so")
    if bench.failed:
        say(f"not measured: {', '.join(bench.failed)}")
    print("BENCH " + json.dumps(bench.results), flush=True)
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
