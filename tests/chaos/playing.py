"""The state machine: what may happen next, and what each step means to the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.chaos import meddling, restoring
from tests.chaos.actors import Died
from tests.chaos.forgetting import Forgetting
from tests.chaos.model import Merged, Message
from tests.chaos.run import Run
from tests.chaos.statements import said_by

WORKERS = 3
TIME_PASSES = """
  update outbox set published_at = published_at - interval '20 s', available_at = available_at - interval '20 s',
    lease_until = lease_until - interval '20 s'
"""
"""A quarter of a minute goes by for everything that waits: leases expire, lost wake-ups are due again."""


class Play(Forgetting):
    """A run in progress: the people in it and the processes, and one method for each thing that can happen."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.backups: list[restoring.Backup] = []
        self.strays: set[str] = set()
        """Keys Milvus holds and nobody announced, through no fault of the product; reconciling removes them."""
        self.out_of_reach: set[str] = set()
        """Those of them a forget need not find before."""
        self.planted: set[str] = set()
        """Those of them no forget could find before."""
        self.lost: set[str] = set()
        """Keys Milvus should hold and does not, through no fault of the product; reconciling writes them again."""
        self.disturbed = False
        """Whether a backup was restored since the stores were last compared."""
        self._actions: list[tuple[float, Callable[[], None]]] = [
            (22, self.say),
            (3, self.open_conversation),
            (36, self.deliver),
            (3, self.duel),
            (13, self.publish),
            (4, self.time_passes),
            (5, self.recall),
            (4, self.forget_message),
            (2, self.forget_memory),
            (1, self.forget_conversation),
            (1.5, self.clear),
            (0.4, self.forget_user),
            (0.3, self.close_account),
            (3, self.send_again),
            (2, self.end_session),
            (2, self.reflect),
            (1.5, self.merge),
            (0.5, self.switch),
            (0.7, self.break_a_server),
            (1, self.sweep),
            (2.5, self.cancel),
            (1, self.meddle),
            (0.5, self.reconcile),
            (0.4, self.purge),
            (0.4, self.back_up),
            (0.15, self.restore),
        ]

    def step(self) -> None:
        """Do one thing."""
        self.run.counts.steps += 1
        weights = [weight for weight, _ in self._actions]
        [(_, action)] = self.random.choices(self._actions, weights)
        action()
        self.run.go_on()
        if self.run.servers.down and self.random.random() < 0.3:
            self.run.servers.heal()

    def merge(self) -> None:
        """A memory is worded from two turns, neither of which was learned from on its own."""
        person, first = self._somewhere()
        second = self.random.choice(person.living())
        if not person.longterm:
            return
        if first.open_turn or second.open_turn:
            return
        said = []
        for conversation in (first, second):
            statement = said_by("user", self.random)
            while not statement.learned:
                statement = said_by("user", self.random)
            drafts = []
            for role, one in (("user", statement), ("assistant", said_by("assistant", self.random))):
                self._clients += 1
                drafts.append((role, one, f"c{self._clients}"))
            said.append(self._record(person, conversation, drafts)[0])
        ids = [message.id for message in said]
        with self.run.sql().transaction():
            self.run.sql().execute(
                "delete from outbox where kind = 'memory.learn' and payload->'message_ids' ?| %s", (ids,)
            )
        text = " / ".join(message.statement.text for message in said)
        self.run.servers.heal()
        self.run.tell("worker", "merge", user_id=person.user_id, text=text, sources=ids)
        merged = Merged(text, (said[0], said[1]))
        said[0].merged = said[1].merged = merged
        person.merged.append(merged)
        self.run.note(f"merge {person.user_id} {ids}")

    def publish(self) -> None:
        """The scheduler publishes; it may die, and the broker may refuse."""
        actor = self.run.idle("scheduler")
        refuse = self.random.randint(1, 3) if self.random.random() < 0.1 else 0
        faults = self.run.some_faults("scheduler", kill=0.15, stop=0.02)
        actor.published = []
        self.run.note("scheduler")
        try:
            actor.begin("turn", faults=faults, later=self.random.choice((0.2, 1.1, 6.0)), refuse=refuse)
            self.run.finish(actor, "scheduler")
        except Died:
            self.run.killed(actor, "scheduler")
        self.run.broker += actor.published
        actor.published = []

    def deliver(self) -> None:
        """The broker hands a message to a worker: in any order, sometimes twice, sometimes never."""
        run = self.run
        if not run.broker:
            self.publish()
            return
        place = self.random.randrange(len(run.broker)) if self.random.random() < 0.5 else 0
        luck = self.random.random()
        queue, ids = run.broker[place] if luck < 0.1 else run.broker.pop(place)
        if luck > 0.95:
            run.note(f"lost a message for {queue}")
            return
        run.note(f"deliver {queue} {ids}")
        self.work(queue, ids, faults=run.some_faults(f"work {queue}", kill=0.3, stop=0.12))

    def duel(self) -> None:
        """Two workers do the same rows, because the first stood still past its lease."""
        erasing = [one for one in self.run.broker if one[0] not in ("indexer", "learner")]
        if not (published := erasing or self.run.broker):
            return
        queue, ids = self.random.choice(published)
        self.run.broker.remove((queue, ids))
        self.run.note(f"duel {queue} {ids}")
        faults = {"stop_inside": False, **self.run.some_faults(f"work {queue}", kill=0.0, stop=1.0)}
        self.work(queue, ids, faults=faults)

    def work(self, queue: str, ids: list[int], *, faults: dict[str, Any]) -> None:
        run = self.run
        worked_on = self._messages_of(ids) if "stop_at" in faults else []
        worker = run.idle("worker")
        what = f"work {queue}"
        try:
            worker.begin("work", faults=faults, queue=queue, ids=ids)
        except Died:
            run.killed(worker, what)
            return
        if not faults and self.random.random() < 0.05:
            worker.wait(self.random.random() * 0.08)
            worker.kill()
            run.killed(worker, what)
        elif faults or self.random.random() < 0.85 or len(run.working()) >= WORKERS:
            run.finish(worker, what)
        if worker.stopped and self.random.random() < 0.8:
            self.ambush(queue, ids, worked_on)

    def ambush(self, queue: str, ids: list[int], worked_on: list[Message]) -> None:
        """While a worker stands still: forget what it works on and erase that, or let another take its rows."""
        self.run.note("ambush")
        standing = [message for message in worked_on if not message.forgotten]
        if standing and self.random.random() < 0.7:
            message = self.random.choice(standing)
            self._forget_somehow(message, self.random.choice(("message", "turn", "clear", "conversation", "user")))
        else:
            self.run.sql().execute(TIME_PASSES)
        for _ in range(self.random.choice((0, 1, 2, 8))):  # eight rounds take a forget to its end
            if self.run.overdue():
                break  # what stands still holds everybody up, perhaps by a collection's lock
            actor = self.run.idle("scheduler")
            self.run.tell("scheduler", "turn", later=1.1, refuse=0)
            self.run.broker += actor.published
            actor.published = []
            for message_ in [one for one in self.run.broker if one[0] != "indexer" and one[0] != "learner"]:
                self.run.broker.remove(message_)
                self.work(*message_, faults={})
            if queue in ("indexer", "learner"):
                self.work(queue, ids, faults={})
        self.run.go_on(hurried=0.5)

    def _messages_of(self, ids: list[int]) -> list[Message]:
        """Return the messages that queued derivations are about."""
        rows = self.run.sql().execute(
            "select jsonb_array_elements_text(payload->'message_ids') from outbox where id = any(%s)", (ids,)
        )
        wanted = {row[0] for row in rows.fetchall()}
        return [message for person in self.people for message in person.messages() if message.id in wanted]

    def sweep(self) -> None:
        """The scheduler looks for keys whose writer died."""
        self._ask_for("sweep")

    def meddle(self) -> None:
        """Milvus holds what nobody announced, or loses what it should hold."""
        meddling.meddle(self)

    def reconcile(self) -> None:
        """The scheduler asks for a comparison of the stores; a worker will do it."""
        self._ask_for("reconcile")

    def purge(self) -> None:
        """The scheduler asks for a purge, if anything was forgotten; a worker will do it."""
        self._ask_for("purge")

    def _ask_for(self, what: str) -> None:
        actor = self.run.idle("worker")
        actor.begin(what)
        self.run.note(what)
        self.run.finish(actor, what)

    def back_up(self) -> None:
        """The operator dumps PostgreSQL."""
        restoring.back_up(self)

    def restore(self) -> None:
        """PostgreSQL is lost and comes back as it was in one of the dumps."""
        restoring.restore(self)

    def time_passes(self) -> None:
        self.run.note("time passes")
        self.run.sql().execute(TIME_PASSES)

    def break_a_server(self) -> None:
        run, how = self.run, self.random.choice(("kill postgres", "stop postgres", "kill milvus", "stop milvus"))
        what, name = how.split()
        run.counts.server_faults += 1
        run.note(how)
        if what == "kill":
            run.servers.kill(name)  # type: ignore[arg-type]
        else:
            run.servers.pause(name, self.random.uniform(0.1, 1.0))  # type: ignore[arg-type]
