"""`make bench-live`: what open pages of people at whom nothing happens cost the database.

Each page holds a stream of live changes. Before they were asked for together, each cost a statement a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from urllib.parse import urlsplit

import httpx
import psutil
import psycopg

from services.memory_center.routes.live import STREAMS_MAX
from tests.e2e.conftest import Stack, running_installation

SETTLE_SECONDS = 15.0
MEASURE_SECONDS = 20.0


async def opened(host: str, port: int, token: str) -> asyncio.StreamWriter:
    """Open a stream and read its first event."""
    reader, writer = await asyncio.open_connection(host, port)
    request = f"GET /api/v1/memory/events HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
    writer.write(request.encode())
    await reader.readuntil(b"event: changes")
    return writer


def commits(stack: Stack) -> int:
    """Return how many transactions of its database have ended; a read alone is one too."""
    password, port = stack.secrets["postgres_password"], stack.run["ports"]["postgres"]
    with psycopg.connect(f"postgresql://memory_center:{password}@127.0.0.1:{port}/memory_center") as connection:
        row = connection.execute(
            "select xact_commit + xact_rollback from pg_stat_database where datname = 'memory_center'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def rate(stack: Stack) -> tuple[float, float]:
    """Return transactions a second, and the gateway's share of a processor, while nothing happens."""
    time.sleep(SETTLE_SECONDS)
    gateway = psutil.Process(stack.pid("gateway"))
    used, before, began = sum(gateway.cpu_times()[:2]), commits(stack), time.monotonic()
    time.sleep(MEASURE_SECONDS)
    seconds = time.monotonic() - began
    return (commits(stack) - before) / seconds, (sum(gateway.cpu_times()[:2]) - used) / seconds


async def measured(stack: Stack, pages: int) -> dict[str, object]:
    without, _ = await asyncio.to_thread(rate, stack)
    place = urlsplit(stack.url)
    assert place.hostname is not None
    assert place.port is not None
    writers: list[asyncio.StreamWriter] = []
    async with httpx.AsyncClient(base_url=stack.url) as api:
        key = {"Authorization": f"Bearer {stack.secrets['service_key']}"}
        for number in range(-(-pages // STREAMS_MAX)):
            body = {"user_id": f"person-{number}"}
            await api.post("/api/v1/conversations", json=body, headers=key)
            token = (await api.post("/api/v1/tokens", json=body, headers=key)).json()["token"]
            more = range(min(STREAMS_MAX, pages - len(writers)))
            writers += [await opened(place.hostname, place.port, token) for _ in more]
    during, share = await asyncio.to_thread(rate, stack)
    for writer in writers:
        writer.close()
    return {
        "pages": pages,
        "statements_per_second": round(during - without, 1),
        "without_pages": round(without, 1),
        "gateway_cpu": round(share, 3),
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("pages", type=int, nargs="?", default=2_000)
    pages = options.parse_args().pages
    os.environ |= {f"MEMORY_CENTER_CONNECTIONS{name}": str(2 * pages + 64) for name in ("", "_PER_ADDRESS")}
    with running_installation() as stack:
        print(f"BENCH_LIVE {json.dumps(asyncio.run(measured(stack, pages)))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
