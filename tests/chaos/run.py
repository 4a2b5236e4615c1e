"""One run: its servers, its actors, its client, and the steps it took."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from shared.runtime.authentication import mint_person_token
from tests.chaos.actors import Actor, Answer, Died, Nursery
from tests.chaos.invariants import Violated
from tests.chaos.model import Person
from tests.chaos.servers import SIGNING_KEY, Servers

PATIENCE_SECONDS = 60.0
STOPPED_SECONDS = 1.2
"""How long an actor stands still: past its lease of a second, within the deadline of its announced writes."""
TOLERATED = frozenset({"DatabaseUnavailable", "SubjectBusy", "CollectionBusy", "StoreUnavailable", "BrokerUnavailable"})
"""What a task may raise: its rows come again."""

SHARP = (
    ("before insert", 1),
    ("after insert", 1),
    ("before delete", 1),
    ("after delete", 1),
    ("after announcing", 1),
    ("after announcing", 1),
)
"""Where what is outside and what is known of it differ; aimed at, because they are few among many commits."""


@dataclass
class Counts:
    """What happened in a run."""

    steps: int = 0
    kills: int = 0
    stops: int = 0
    server_faults: int = 0
    closed: int = 0
    undone: int = 0
    orphans: int = 0
    losses: int = 0
    restores: int = 0
    done_again: int = 0
    reflections: int = 0
    traits: int = 0
    """The most that there were when everything had settled."""
    kills_by_boundary: dict[str, int] = field(default_factory=dict)


@dataclass
class Played:
    """What became of one seed."""

    name: str
    counts: Counts
    seconds: float
    violation: str | None = None
    trail: list[str] = field(default_factory=list)


class Run:
    """The plumbing of a run; what it does is decided elsewhere.

    Args:
        prepare: changes the product in every actor before it is used.
    """

    def __init__(self, seed: int, servers: Servers, *, log: Path, prepare: Callable[[], None]) -> None:
        self.random = random.Random(seed)
        self.servers = servers
        self.counts = Counts()
        self.trail: list[str] = []
        self.broker: list[tuple[str, list[int]]] = []
        """What the scheduler published and nobody took yet."""
        self.settings = servers.settings(lease_seconds=1.0, store_timeout_seconds=1.0)
        self._nursery = Nursery(self.settings, log=log, prepare=prepare)
        self._actors: list[Actor] = []
        self._still: list[tuple[Actor, float]] = []
        self._usual: dict[str, float] = {}
        self.backups_made = 0
        self._keys = 0
        self._connection: psycopg.Connection[Any] | None = None

    def note(self, words: str) -> None:
        """Add a line to the step list; ids and numbers only."""
        self.trail.append(f"{self.counts.steps:5} {words}")

    # Actors

    def idle(self, role: str) -> Actor:
        """Return an actor of this role that has nothing to do, born if necessary."""
        for actor in self._actors:
            if actor.role == role and actor.alive and not actor.busy:
                return actor
        actor = self._nursery.actor(role)
        self._actors.append(actor)
        if role == "worker":
            actor.begin("warm_up")
            actor.answer()
        return actor

    def tell(self, role: str, command: str, **values: Any) -> Any:
        """Let an actor do something in peace and return its value, again when a server was away.

        Raises:
            Violated: it raises what only a defect explains.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            actor = self.idle(role)
            actor.begin(command, **values)
            answer = actor.answer()
            assert answer is not None
            if answer.error is None:
                return answer.value
            if answer.error not in TOLERATED or time.monotonic() > deadline:
                raise Violated("no-defects", f"{role} {command} raised {answer.error}")
            self.servers.heal()
            self.go_on()
            time.sleep(0.1)

    def some_faults(self, what: str, *, kill: float, stop: float) -> dict[str, Any]:
        """Draw whether and where an actor dies or stops; `what` it does says how many boundaries are usual."""
        drawn, place, sharp = self.random.random(), self.random.random(), self.random.random() < 0.4
        faults: dict[str, Any] = {"stop_inside": self.random.random() < 0.1}
        at = 1 + int(place * self._usual.get(what, 10.0))
        if sharp and what.startswith("work "):
            faults["on"], at = SHARP[int(place * len(SHARP))]
        if drawn < kill:
            return faults | {"kill_at": at}
        if drawn < kill + stop:
            return faults | {"stop_at": at}
        return {}

    def finish(self, actor: Actor, what: str) -> bool:
        """Wait for an actor; return whether it did its work. One that stopped goes on by itself later."""
        try:
            answer = actor.answer()
        except Died:
            self.killed(actor, what)
            return False
        if answer is None:
            self._stopped(actor, what)
            return False
        self._usual[what] = 0.8 * self._usual.get(what, 10.0) + 0.2 * max(answer.boundaries, 2)
        if answer.error is not None:
            self.note(f"  {what}: {answer.error}")
            if answer.error not in TOLERATED:
                raise Violated("no-defects", f"{actor.role} raised {answer.error}")
        return answer.error is None

    def _stopped(self, actor: Actor, what: str) -> None:
        assert actor.end is not None
        self.counts.stops += 1
        self.note(f"  {what}: {actor.role} {actor.pid} stopped {actor.end[2]} ({actor.end[1]})")
        self._still.append((actor, time.monotonic()))

    def killed(self, actor: Actor, what: str) -> None:
        """Count an actor that died."""
        where = actor.end[2] if actor.end else "anywhere"
        self.counts.kills += 1
        self.counts.kills_by_boundary[where] = self.counts.kills_by_boundary.get(where, 0) + 1
        self.note(f"  {what}: {actor.role} {actor.pid} killed {where}")
        self._actors.remove(actor)

    def go_on(self, *, all_of_them: bool = False, hurried: float = 0.1) -> None:
        """Let actors that stood still long enough continue, some earlier, and hear those that finished meanwhile."""
        for actor, since in list(self._still):
            elapsed = time.monotonic() - since
            if all_of_them or elapsed > STOPPED_SECONDS or self.random.random() < hurried:
                self._still.remove((actor, since))
                if elapsed > STOPPED_SECONDS + 0.5 and actor.end and actor.end[2].startswith("before insert"):
                    # Held up too long by others: bytes a paused process writes past its deadline are swept, not proven.
                    actor.kill()
                    self.killed(actor, "overdue")
                else:
                    self.note(f"  {actor.role} {actor.pid} goes on after {elapsed:.1f} s")
                    actor.resume()
        for actor in [one for one in self._actors if one.busy and not one.stopped]:
            if all_of_them or actor.wait(0):
                self.finish(actor, "late")

    def overdue(self) -> bool:
        """Return whether somebody stood still for long enough."""
        return any(time.monotonic() - since > 1.5 * STOPPED_SECONDS for _, since in self._still)

    def bury(self) -> None:
        """Pass over whoever was killed."""
        self._actors = [one for one in self._actors if one.alive]

    def kill_whoever_works(self) -> None:
        """SIGKILL everybody who is at something, standing still included."""
        self._still.clear()
        for actor in [one for one in self._actors if one.busy]:
            actor.kill()
            self.killed(actor, "restore")

    def ask_once(self, person: Person, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a request in peace and return the answer, whatever it is; 503 when the process stumbled."""
        headers = {"Authorization": f"Bearer {mint_person_token(SIGNING_KEY, person.user_id)}"}
        actor = self.idle("api")
        actor.begin("request", method=method, path=f"/api/v1{path}", body=body, headers=headers)
        answer = actor.answer()
        assert answer is not None
        assert answer.error is None, answer.error
        return int(answer.value[0]), answer.value[1]

    def working(self) -> list[Actor]:
        """Return the workers that are at it, standing still included."""
        return [one for one in self._actors if one.role == "worker" and one.busy]

    def rest(self) -> None:
        """Let everybody finish."""
        while any(one.busy for one in self._actors):
            self.go_on(all_of_them=True)

    # The client

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
        """Send a request as a person until it is answered; one with `what` may meet a kill or a stop first.

        A client whose server died or hangs sends the same again, with the same Idempotency-Key. With `gives_up` it
        does not: (0, None) then.
        """
        headers = {"Authorization": f"Bearer {mint_person_token(SIGNING_KEY, person.user_id)}"}
        if key is not None:
            headers["Idempotency-Key"] = key
        faults = self.some_faults(what, kill=0.15, stop=0.03) if what else {}
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            actor = self.idle("api")
            request = {"method": method, "path": f"/api/v1{path}", "body": body, "headers": headers}
            answer = self._answered(actor, request, faults, what or path)
            faults = {}
            if answer is None:
                if gives_up and not actor.alive:
                    return 0, None
                continue
            if what:
                self._usual[what] = 0.8 * self._usual.get(what, 10.0) + 0.2 * max(answer.boundaries, 2)
            assert answer.error is None, answer.error
            status, said = answer.value
            if status == 500:
                raise Violated("no-defects", f"{method} {path.split('?', maxsplit=1)[0]} answered 500")
            if status != 503:
                return int(status), said
            if time.monotonic() > deadline:
                raise Violated("converges", f"{method} {path.split('?', maxsplit=1)[0]} answers 503 for a minute")
            self.servers.heal()
            self.go_on()
            time.sleep(0.05)

    def _answered(self, actor: Actor, request: dict[str, Any], faults: dict[str, Any], what: str) -> Answer | None:
        """Return the answer of an API process, or None when it died or stopped first."""
        try:
            actor.begin("request", faults=faults, **request)
            answer = actor.answer()
        except Died:
            self.killed(actor, what)
            return None
        if answer is None:
            self._stopped(actor, what)
        return answer

    def get(self, person: Person, path: str, *, expect: int = 200) -> Any:
        status, said = self.ask(person, "GET", path)
        if status != expect:
            raise Violated("answers", f"GET {path.split('?', maxsplit=1)[0]} answered {status}, not {expect}")
        return said

    # PostgreSQL, as its owner

    def sql(self) -> psycopg.Connection[Any]:
        """Return a connection that sees everything; PostgreSQL is brought back for it."""
        if self._connection is not None and not self._connection.closed:
            try:
                self._connection.execute("select 1")
            except psycopg.Error:
                self._connection.close()
            else:
                return self._connection
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            self.servers.heal()
            try:
                self._connection = psycopg.connect(self.servers.postgres.url(), autocommit=True, connect_timeout=5)
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return self._connection

    def close(self) -> None:
        for actor in self._actors:
            actor.kill()
        self._nursery.close()
        if self._connection is not None:
            self._connection.close()
