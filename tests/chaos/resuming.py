"""How long work waits when its worker is killed: production leases, the real scheduler, broker and worker take over.

Victims are forked processes that claim one row each with the product's own `LeasedWork`, keep its lease alive by the
product's own heartbeat, and hang inside the work. Then the scheduler and another worker start, and the victims are
killed one after the other. What is measured is the time from SIGKILL to the next claim of that row.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from deploy.embedded.servers import ValkeyServer
from shared.runtime.authentication import mint_person_token
from shared.runtime.settings import Settings
from tests.chaos.actors import Actor, Died, Nursery
from tests.chaos.invariants import Violated
from tests.chaos.servers import PASSWORD, SIGNING_KEY, Servers

PROMISED_SECONDS = 16.0
SPREAD_SECONDS = 75.0
POLL_SECONDS = 0.02


def measure(victims: int, *, seed: int, directory: Path) -> list[float]:
    """Return the seconds from each kill to the next claim.

    Raises:
        Violated: a row was not claimed again.
    """
    with ExitStack() as stack:
        servers = Servers(directory, connections=5 * victims + 100)
        stack.callback(servers.stop)
        servers.start()
        valkey = ValkeyServer(directory / "valkey", password=PASSWORD).start()
        stack.callback(valkey.stop)
        settings = servers.settings(broker_url=valkey.url(), worker_threads=4)
        nursery = Nursery(settings, log=directory / "actors.log")
        stack.callback(nursery.close)
        held = _hold(nursery, settings, victims)
        stack.enter_context(_processes(settings, directory))
        return _kill(held, settings, random.Random(seed))


def _hold(nursery: Nursery, settings: Settings, victims: int) -> dict[int, Actor]:
    """Let every victim claim one row; return them by row."""
    api = nursery.actor("api")
    headers = {"Authorization": f"Bearer {mint_person_token(SIGNING_KEY, 'person')}"}

    def ask(path: str, body: Any) -> Any:
        api.begin("request", method="POST", path=f"/api/v1{path}", body=body, headers=headers)
        answer = api.answer()
        assert answer is not None
        assert answer.value is not None, answer.error
        return answer.value[1]

    conversation = ask("/conversations", {})["id"]
    turn = [{"role": "user", "content": "I like tea."}, {"role": "assistant", "content": "Noted."}]
    for _ in range(victims):
        ask("/messages", {"conversation_id": conversation, "messages": turn})
    api.kill()
    with _connected(settings) as connection:
        connection.execute("delete from outbox where kind <> 'memory.learn'")
        ids = [row[0] for row in connection.execute("select id from outbox order by id").fetchall()]
    held = {}
    for row_id in ids:
        # One after the other: so many processes opening their stores at once would time out.
        actor = nursery.actor("worker")
        actor.begin("warm_up")
        actor.answer()
        actor.begin("work", faults={"hang_at": 1, "on": "after announcing"}, queue="learner", ids=[row_id])
        actor.waits()
        held[row_id] = actor
    return held


def _kill(held: dict[int, Actor], settings: Settings, random_: random.Random) -> list[float]:
    """Kill the victims at moments of their own; return how long each row then waited."""
    with _connected(settings) as connection:
        tokens = dict(connection.execute("select id, lease_token from outbox").fetchall())
        started = time.monotonic()
        due = sorted((started + random_.uniform(0, SPREAD_SECONDS), row_id) for row_id in held)
        killed: dict[int, float] = {}
        waited: dict[int, float] = {}
        while len(waited) < len(held):
            now = time.monotonic()
            while due and due[0][0] <= now:
                _, row_id = due.pop(0)
                held[row_id].kill()
                killed[row_id] = time.monotonic()
            found = dict(connection.execute("select id, lease_token from outbox").fetchall())
            for row_id, at in killed.items():
                if row_id not in waited and found.get(row_id, tokens[row_id] + 1) > tokens[row_id]:
                    waited[row_id] = time.monotonic() - at
            if now > started + SPREAD_SECONDS + 60:
                raise Violated("converges", f"{len(held) - len(waited)} rows of killed workers were never claimed")
            time.sleep(POLL_SECONDS)
    return sorted(waited.values())


@contextmanager
def _processes(settings: Settings, directory: Path) -> Iterator[None]:
    """Run the product's scheduler and one worker."""
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    for name in type(settings).model_fields:
        value = getattr(settings, name)
        if value is not None:
            secret = getattr(value, "get_secret_value", None)
            environment[f"MEMORY_CENTER_{name.upper()}"] = str(secret() if secret else value)
    with ExitStack() as stack:
        for module in ("workers", "workers.scheduler"):
            log = stack.enter_context((directory / f"{module}.log").open("ab"))
            ready = directory / f"{module}.ready"
            environment["MEMORY_CENTER_READY_FILE"] = str(ready)
            process = subprocess.Popen([sys.executable, "-m", module], env=environment, stdout=log, stderr=log)
            stack.callback(process.wait)
            stack.callback(process.kill)
            deadline = time.monotonic() + 60
            while not ready.exists():
                if process.poll() is not None or time.monotonic() > deadline:
                    raise RuntimeError(f"{module} did not start")
                time.sleep(0.05)
        yield


@contextmanager
def _connected(settings: Settings) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(settings.database_url.get_secret_value(), autocommit=True) as connection:
        yield connection


def percentile(values: list[float], share: float) -> float:
    """Return the smallest value that a share of the sorted values does not exceed."""
    return values[min(len(values) - 1, int(share * len(values)))]


__all__ = ["PROMISED_SECONDS", "Died", "measure", "percentile"]
