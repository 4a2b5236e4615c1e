"""What exporting and importing an account takes: prints `BENCH_EXPORT {json}` and writes a page.

python -m tests.bench.exporting [--quick] [--without-import]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from uuid import UUID
from zipfile import ZipFile

import httpx

from deploy.embedded.servers import MilvusLite
from tests.bench import beside_psql
from tests.bench.beside_mem0 import mem0
from tests.bench.corpus import Corpus, Person, Size, corpus
from tests.bench.exported_page import TARGET_MIB, Results, largest_peak, write
from tests.bench.installation import Installation, Milvus, Servers, installation, servers
from tests.bench.measuring import say, significant, wait_until
from tests.bench.memory import MIB, Peak, at_rest

FEW, MANY = 10_000, 100_000
"""Messages. A fifth as many memories, half as many episodes."""
FORMATS: Final = ("zip", "json")
RUNS: Final = 3
"""Of each export, of `psql` and of mem0; the middle one is reported, and the largest peak."""
LONGEST_SECONDS: Final = 1800.0
POLL_SECONDS: Final = 0.05

Idle = dict[str, float]
"""MiB by process."""


class Asking:
    """One person's requests; packages are streamed, which the benchmark's usual caller does not."""

    def __init__(self, product: Installation, user_id: str) -> None:
        self.product = product
        url, token = product.way_in(user_id)
        headers = {"Authorization": f"Bearer {token}"}
        self._client = httpx.Client(base_url=url, headers=headers, timeout=LONGEST_SECONDS)

    def get(self, path: str) -> Any:
        return self._client.get(path).raise_for_status().json()

    def export(self, kind: str) -> str:
        """Ask for everything in a format; return the operation's id."""
        answer = self._client.post(
            "/api/v1/memory/export", json={"scope": "user", "confirmation": True, "format": kind}
        )
        return str(answer.raise_for_status().json()["op_id"])

    def download(self, op_id: str, to: Path) -> None:
        with (
            self._client.stream("GET", f"/api/v1/memory/exports/{op_id}/package") as answer,
            to.open("wb") as file,
        ):
            for chunk in answer.raise_for_status().iter_raw():
                file.write(chunk)

    def bring(self, package: Path, *, dry_run: bool) -> Any:
        """Upload a package; return what the answer says."""
        query, headers = {"dry_run": dry_run}, {"Content-Type": "application/zip", "Idempotency-Key": package.name}
        with package.open("rb") as file:
            answer = self._client.post("/api/v1/memory/import", params=query, content=file, headers=headers)
        return answer.raise_for_status().json()

    def finished(self, op_id: str) -> None:
        """Wait until an operation succeeded, without costing the product much."""

        def succeeded() -> bool:
            if (status := self.product.status(op_id)) == "failed":
                raise RuntimeError(f"operation {op_id} failed; see {self.product.directory / 'logs'}")
            return status == "succeeded"

        wait_until(succeeded, seconds=LONGEST_SECONDS, what="the end of an operation", poll=POLL_SECONDS)


def export(asking: Asking, kind: str, idle: Idle, to: Path) -> Results:
    """Export everything of a person and download it; `idle` is what processes held when they had begun, in MiB."""
    product = asking.product
    peaks = {name: Peak(product.pid(name)) for name in idle}
    began = time.monotonic()
    op_id = asking.export(kind)
    asking.finished(op_id)
    took = time.monotonic() - began
    above = peaks["worker"].mib - idle["worker"]
    counts = asking.get(f"/api/v1/memory/ops/{op_id}")["steps"][0]["counts"]
    began = time.monotonic()
    asking.download(op_id, to)
    downloaded = time.monotonic() - began
    size = to.stat().st_size
    assert size == counts.pop("bytes")
    records, unpacked = sum(counts.values()), _unpacked(to)
    say(f"{kind}: {records:,} records, {size / MIB:.0f} MiB in {took:.1f} s, {above:.0f} MiB above idle")
    return {
        "records": records,
        "counts": counts,
        "seconds": significant(took, 3),
        "records_per_s": significant(records / took, 3),
        "mib": significant(size / MIB, 3),
        "unpacked_mib": significant(unpacked / MIB, 3),
        "unpacked_mib_per_s": significant(unpacked / MIB / took, 3),
        "above_idle_mib": significant(above, 3),
        "download_s": significant(downloaded, 3),
        "download_mib_per_s": significant(size / MIB / downloaded, 3),
        "download_above_idle_mib": significant(peaks["gateway"].mib - idle["gateway"], 3),
    }


def _unpacked(package: Path) -> int:
    """Return how many bytes a package's files have."""
    if package.suffix != ".zip":
        return package.stat().st_size
    with ZipFile(package) as archive:
        return sum(entry.file_size for entry in archive.infolist())


def _middle(runs: list[Results]) -> Results:
    return sorted(runs, key=lambda one: float(one["seconds"]))[len(runs) // 2]


def exports(product: Installation, idle: Idle, persons: dict[int, Person], packages: Path) -> Results:
    """Export everybody in every format, the largest first: what a process keeps would hide how much it needed."""

    def several(kind: str, messages: int) -> Results:
        asking, to = Asking(product, persons[messages].user_id), packages / f"{messages}.{kind}"
        runs = [export(asking, kind, idle, to) for _ in range(RUNS)]
        return {**_middle(runs), "above_idle_mib": max(one["above_idle_mib"] for one in runs)}

    return {
        "idle_mib": {name: significant(held) for name, held in idle.items()},
        "export": {
            kind: {str(messages): several(kind, messages) for messages in sorted(persons, reverse=True)}
            for kind in FORMATS
        },
    }


def by_psql(product: Installation, person: Person, directory: Path) -> Results:
    r"""Copy a person's rows with psql."""
    row = product.sql.execute("select id from subjects where user_id = %s", [person.user_id]).fetchone()
    assert row is not None
    subject_id: UUID = row[0]
    runs = [beside_psql.copy_out(product.database_url, subject_id, directory / f"psql-{run}") for run in range(RUNS)]
    found = _middle(runs)
    say(f"psql: {found}")
    return {"seconds": significant(found["seconds"], 3), "mib": significant(found["bytes"] / MIB, 3)}


def by_mem0(milvus: Milvus, directory: Path, memories: int) -> Results:
    """Ask stock mem0 for as many memories as somebody has."""
    with mem0(milvus, directory, "tests.bench.peers.mem0_everything") as peer:
        peer.ask("load", "ada", memories)
        peer.ask("settle")
        runs = [peer.ask("get_all", "ada", memories, str(directory / "mem0.json")) for _ in range(RUNS)]
    found = _middle(runs)
    say(f"mem0: {found}")
    return {**found, "asked_for": memories}


def imported(product: Installation, idle: Idle, package: Path) -> Results:
    """Try a package in a dry run, then import it; the worker has nothing else to do until that is done."""
    asking = Asking(product, "ada")
    peaks = {name: Peak(product.pid(name)) for name in idle}
    began = time.monotonic()
    seen = asking.bring(package, dry_run=True)
    looked = time.monotonic() - began
    began = time.monotonic()
    op_id = asking.bring(package, dry_run=False)["op_id"]
    accepted = time.monotonic() - began
    asking.finished(op_id)
    took = time.monotonic() - began
    above = {name: significant(peak.mib - idle[name], 3) for name, peak in peaks.items()}
    records = sum(seen["counts"].values())
    say(f"import: {records:,} records in {took:.1f} s, {above} MiB above idle")
    return {
        "records": records,
        "dry_run_s": significant(looked, 3),
        "accepted_s": significant(accepted, 3),
        "seconds": significant(took, 3),
        "records_per_s": significant(records / took, 3),
        "unpacked_mib_per_s": significant(_unpacked(package) / MIB / took, 3),
        "above_idle_mib": above,
    }


def at_rest_all(product: Installation) -> Idle:
    """Return what the processes hold when they have begun, before they did anything."""
    return {name: at_rest(product.pid(name)) for name in ("worker", "gateway")}


def compared(product: Installation) -> None:
    """Wait for the comparison of all stores a scheduler begins with: it would mend what is half loaded."""

    def done() -> bool:
        row = product.sql.execute(
            "select exists (select from operations where type = 'cleanup_reconcile' and status = 'succeeded')"
            " and not exists (select from outbox where state <> 'failed')"
        ).fetchone()
        return row is not None and bool(row[0])

    wait_until(done, seconds=120, what="the first comparison of the stores", poll=0.5)


def load(people: Corpus, messages: int) -> Person:
    """Write a person with so many messages, and what was made of them; no export looks for vectors."""
    size = Size(turns=messages // 2, episodes=messages // 2, memories=messages // 5)
    return people.person(size, vectors=False)


@contextmanager
def _product(on: Servers, directory: Path, name: str, broker: int) -> Iterator[tuple[Installation, Idle]]:
    """Run an installation on a Milvus Lite of its own: none serves two. Yield it with what its processes hold idle."""
    with (
        MilvusLite(directory / f"milvus-{name}") as lite,
        installation(on, Milvus(uri=lite.url(), flavour="lite"), directory / name, broker=broker) as product,
    ):
        idle = at_rest_all(product)
        compared(product)
        yield product, idle


def measure(directory: Path, few: int, many: int, *, with_import: bool) -> Results:
    """Export in one installation, import in another one; peers on the same servers."""
    packages = directory / "packages"
    packages.mkdir()
    with servers(directory) as on:
        with _product(on, directory, "one", 0) as (product, idle):
            with corpus(product) as people:
                say("loading")
                persons = {messages: load(people, messages) for messages in (few, many)}
                people.settle()
            results = exports(product, idle, persons, packages)
            results["psql"] = by_psql(product, persons[many], directory)
            results["mem0"] = by_mem0(product.milvus, directory, many // 5)
        if with_import:
            with _product(on, directory, "two", 1) as (product, idle):
                results["import"] = imported(product, idle, packages / f"{many}.zip")
    return results


def main() -> int:
    parser = argparse.ArgumentParser(prog="make bench-export", description="Measure exporting and importing.")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything; writes no page")
    parser.add_argument("--without-import", action="store_true", help="export alone; the page says so")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that everything started here ends
    results: Results = {"load_before": os.getloadavg()[0]}
    part = 10 if chosen.quick else 1
    with tempfile.TemporaryDirectory(prefix="memory-center-bench-", ignore_cleanup_errors=True) as directory:
        results |= measure(Path(directory), FEW // part, MANY // part, with_import=not chosen.without_import)
    if not chosen.quick:
        write(results)
    print("BENCH_EXPORT " + json.dumps(results), flush=True)
    return 0 if largest_peak(results) <= TARGET_MIB else 1


if __name__ == "__main__":
    sys.exit(main())
