"""What an attacker without credentials does to others: `python -m tests.bench.hostile [--tree CHECKOUT]`.

Starts the web service of a checkout (this one by default; another to compare with) and measures, over loopback:

- whether others are answered while the attacker holds idle connections, and how quickly;
- the server's CPU time per hostile body: `POST /api/v1/session` with 1.8 MB of unknown members.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil

from tests.support.milvus_servers import free_port, wait_until

IDLE = 530
REQUESTS = 50
BODIES = 10
BODY_BYTES = 1_800_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree", type=Path, default=Path(__file__).parents[2], help="a checkout of the product")
    tree: Path = parser.parse_args().tree.resolve()
    port = free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "MEMORY_CENTER_DATABASE_URL": "postgresql://nowhere",
        "MEMORY_CENTER_BROKER_URL": "redis://nowhere",
        "MEMORY_CENTER_MILVUS_URI": "http://nowhere",
        "MEMORY_CENTER_SIGNING_KEY": "a signing key of at least 32 bytes",
        "MEMORY_CENTER_SERVICE_KEY": "a service key nobody guesses",
        "MEMORY_CENTER_PORT": str(port),
    }
    command = [sys.executable, "-m", "services.web"]
    server = subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: _answers(port), seconds=60, what="the server")
        print(f"{tree}")
        print(f"without an attacker: {_others(url)}")
        with ExitStack() as held:
            for _ in range(IDLE):
                held.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            time.sleep(0.5)
            print(f"beside {IDLE} idle connections: {_others(url)}")
        time.sleep(1)
        print(f"one hostile body: {_hostile_bodies(url, psutil.Process(server.pid))}")
    finally:
        server.terminate()
        server.wait(30)


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 0.5).close()
    except OSError:
        return False
    return True


def _others(url: str) -> str:
    """Ask as other people do, over a connection each."""
    milliseconds, refused = [], 0
    for _ in range(REQUESTS):
        began = time.perf_counter()
        try:
            answer = httpx.get(f"{url}/api/v1/session", timeout=10, trust_env=False)
            refused += answer.status_code != httpx.codes.UNAUTHORIZED  # nobody is signed in: that is the answer
        except httpx.HTTPError:
            refused += 1
        milliseconds.append((time.perf_counter() - began) * 1000)
    longest, median = max(milliseconds), statistics.median(milliseconds)
    return f"{REQUESTS - refused} of {REQUESTS} answered, median {median:.1f} ms, longest {longest:.1f} ms"


def _hostile_bodies(url: str, server: psutil.Process) -> str:
    members = {f"m{number:06}": 1 for number in range(BODY_BYTES // 13)}
    body = json.dumps(members).encode()
    before = sum(server.cpu_times()[:2])
    statuses = set()
    for _ in range(BODIES):
        try:
            answer = httpx.post(
                f"{url}/api/v1/session",
                content=body,
                headers={"Content-Type": "application/json"},
                timeout=60,
                trust_env=False,
            )
            statuses.add(str(answer.status_code))
        except httpx.HTTPError as problem:
            statuses.add(type(problem).__name__)
    spent = sum(server.cpu_times()[:2]) - before
    answered = ", ".join(sorted(statuses))
    return f"{len(body):,} bytes, {spent / BODIES * 1000:.1f} ms of the server's CPU, answered {answered}"


if __name__ == "__main__":
    main()
