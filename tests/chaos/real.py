"""The same state machine against a real installation: `memory-center up`, HTTP, Valkey, production leases.

Processes and servers are killed and stopped from outside, and the broker is emptied. PostgreSQL is never wiped.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import redis

from deploy.embedded.servers import milvus_uri
from services.cli.installation import running_database_url
from shared.runtime.authentication import mint_person_token
from shared.stores.inspection import COLLECTIONS, Inspection
from tests.chaos.invariants import Violated
from tests.chaos.model import Person
from tests.chaos.playing import Play
from tests.chaos.run import Counts, Played
from tests.chaos.settling import check_everything
from tests.e2e.conftest import READY_SECONDS, Stack, wait_for

PATIENCE_SECONDS = 120.0
CONVERGES_SECONDS = 240.0
"""An abandoned key is swept a minute after its deadline of 24 s, by a round every 20 s."""
PRODUCTS = ("forkserver", "gateway", "embedder", "worker", "eraser", "scheduler")
SERVERS = ("postgres", "valkey", "milvus")


class RealRun:
    """What `Run` is for forked actors, for an installation."""

    def __init__(self, seed: int, stack: Stack) -> None:
        self.random = random.Random(seed)
        self.counts = Counts()
        self.trail: list[str] = []
        self.broker: list[tuple[str, list[int]]] = []
        self.stack = stack
        self.files_dir = stack.data_dir / "files"
        self._keys = 0
        self._connection: psycopg.Connection[Any] | None = None

    def note(self, words: str) -> None:
        self.trail.append(f"{self.counts.steps:5} {words}")

    def go_on(self) -> None:
        """Nobody waits for anybody here."""

    def heal(self) -> None:
        """The launcher heals."""

    def key(self) -> str:
        self._keys += 1
        return f"key-{self._keys}"

    def ask(
        self,
        person: Person,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str | None = None,
        what: str | None = None,
        gives_up: bool = False,
    ) -> tuple[int, Any]:
        """Send a request until it is answered, with the same Idempotency-Key."""
        del what, gives_up
        token = mint_person_token(self.stack.secrets["signing_key"], person.user_id)
        headers = {"Authorization": f"Bearer {token}"} | ({"Idempotency-Key": key} if key else {})
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            with contextlib.suppress(httpx.HTTPError, OSError, KeyError, ValueError):
                url = f"{self.stack.url}/api/v1{path}"
                answer = httpx.request(method, url, json=body, headers=headers, timeout=15)
                if answer.status_code == 500:
                    raise Violated("no-defects", f"{method} {path.split('?', maxsplit=1)[0]} answered 500")
                if answer.status_code != 503:
                    return answer.status_code, answer.json()
            if time.monotonic() > deadline:
                raise Violated("converges", f"{method} {path.split('?', maxsplit=1)[0]} is not answered")
            time.sleep(0.1)

    def get(self, person: Person, path: str, *, expect: int = 200) -> Any:
        status, said = self.ask(person, "GET", path)
        if status != expect:
            raise Violated("answers", f"GET {path.split('?', maxsplit=1)[0]} answered {status}, not {expect}")
        return said

    def sql(self) -> psycopg.Connection[Any]:
        """Return a connection that sees everything, as soon as there is one."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            with contextlib.suppress(psycopg.Error, OSError, ValueError):
                if self._connection is None or self._connection.closed:
                    url = running_database_url(self.stack.data_dir)
                    self._connection = psycopg.connect(url or "", autocommit=True, connect_timeout=5)
                self._connection.execute("select 1")
                return self._connection
            self._connection = None
            if time.monotonic() > deadline:
                raise Violated("converges", "PostgreSQL does not come back")
            time.sleep(0.2)

    def rows(self) -> dict[str, list[tuple[str, str, str]]]:
        """Return what the stores hold."""
        inspection = Inspection(milvus_uri(self.stack.data_dir / "milvus"), timeout=30.0)
        try:
            return {
                name: [(str(row.key), str(row.namespace), row.text) for row in inspection.rows(name)]
                for name in COLLECTIONS
            }
        finally:
            inspection.close()


class RealPlay(Play):
    """People do the same things; processes do theirs by themselves."""

    def __init__(self, run: RealRun) -> None:
        super().__init__(run)  # type: ignore[arg-type]  # what people do needs no more than this
        self.installation = run
        theirs = {self.publish, self.deliver, self.duel, self.time_passes, self.sweep, self.merge, self.break_a_server}
        theirs |= {self.meddle, self.reconcile, self.purge, self.back_up, self.restore}
        self._actions = [(weight, action) for weight, action in self._actions if action not in theirs]
        self._actions += [(10, self.disturb), (8, self.wait)]

    def step(self) -> None:
        self.run.counts.steps += 1
        [(_, action)] = self.random.choices(self._actions, [weight for weight, _ in self._actions])
        action()

    def wait(self) -> None:
        """Let the workers work."""
        time.sleep(self.random.uniform(0.1, 1.5))

    def disturb(self) -> None:
        """Kill or stop a process or a server from outside, or empty the broker."""
        run, how = self.installation, self.random.random()
        if how < 0.1:
            ports, secrets = run.stack.run["ports"], run.stack.secrets
            with contextlib.suppress(redis.RedisError):
                redis.Redis(port=ports["valkey"], password=secrets["valkey_password"]).flushall()
            run.counts.server_faults += 1
            run.note("flush valkey")
            return
        name = self.random.choice(SERVERS if self.random.random() < 0.4 else PRODUCTS)
        pid = run.stack.pid(name)
        if not pid:
            return
        with contextlib.suppress(psutil.Error):
            first = psutil.Process(pid)
            processes = [first, *first.children(recursive=True)]
            if how < 0.6:
                for process in processes:
                    process.kill()
                run.counts.kills += name in PRODUCTS
                run.note(f"kill {name}")
            else:
                seconds = self.random.uniform(0.5, 5.0 if name in SERVERS else 13.0)
                for process in processes:
                    process.suspend()
                threading.Timer(seconds, _resume, [processes]).start()
                run.counts.stops += name in PRODUCTS
                run.note(f"stop {name} for {seconds:.1f} s")
            run.counts.server_faults += name in SERVERS

    def settle(self) -> None:
        """Wait until nothing waits, then check everything."""
        run = self.installation
        run.note("settle")
        for person in self.people:
            if not person.longterm:
                self.switch_to(person, on=True)
        deadline = time.monotonic() + CONVERGES_SECONDS
        while waiting := self._waiting():
            if time.monotonic() > deadline:
                raise Violated("converges", f"after {CONVERGES_SECONDS:.0f} s these wait: {waiting}")
            time.sleep(0.5)
        check_everything(self, run.rows(), run.files_dir)

    def _waiting(self) -> list[Any]:
        return (
            self.run.sql()
            .execute(
                """
                select kind, state, last_error, attempt from outbox where kind !~ '^(purge|reconcile)'
                union all
                select 'intent', state, store, 0 from vector_refs where state = 'intended' and item_kind <> 'entity'
                limit 5
                """
            )
            .fetchall()
        )


def _resume(processes: list[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            os.kill(process.pid, signal.SIGCONT)


def play(seed: int, *, steps: int) -> Played:
    """Play one seed against a real installation."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="memory-center-chaos-", ignore_cleanup_errors=True) as directory:
        data_dir = Path(directory)
        command = [sys.executable, "-m", "services.cli.main", "up", "--data-dir", directory, "--stop-with-parent"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack = Stack(data_dir, process)
        run = RealRun(seed, stack)
        played = Played(f"seed {seed} in real processes", run.counts, 0.0, trail=run.trail)
        try:
            wait_for(stack.is_ready, seconds=READY_SECONDS, what="readiness")
            machine = RealPlay(run)
            while run.counts.steps < steps:
                machine.step()
            machine.settle()
        except Violated as violated:
            played.violation = str(violated)
        except Exception as error:  # noqa: BLE001 # a harness that stumbles is no success
            played.violation = f"harness: {type(error).__name__}"
            run.trail += traceback.format_exc().splitlines()
        finally:
            stack.stop()
    played.seconds = time.monotonic() - started
    return played
