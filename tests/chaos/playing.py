"""The state machine: what may happen next, and what each step means to the model."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from tests.chaos import invariants, meddling, restoring
from tests.chaos.actors import Died
from tests.chaos.invariants import Violated
from tests.chaos.model import Conversation, Forget, Merged, Message, Person, World
from tests.chaos.run import Run
from tests.chaos.statements import said_by

PEOPLE = 3
CONVERSATIONS = 4
WORKERS = 3
PAGE = 200
TIME_PASSES = """
  update outbox set published_at = published_at - interval '20 s', available_at = available_at - interval '20 s',
    lease_until = lease_until - interval '20 s'
"""
"""A quarter of a minute goes by for everything that waits: leases expire, lost wake-ups are due again."""


class Play:
    """A run in progress: the people in it, and one method for each thing that can happen."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.random = run.random
        self._accounts = count()
        self.world = World([Person(f"person-{number}", next(self._accounts)) for number in range(PEOPLE)])
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
        self._clients = 0
        self._actions: list[tuple[float, Callable[[], None]]] = [
            (22, self.say),
            (3, self.open_conversation),
            (36, self.deliver),
            (3, self.duel),
            (13, self.relay),
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

    @property
    def people(self) -> list[Person]:
        """Everybody who has an account."""
        return self.world.people

    def step(self) -> None:
        """Do one thing."""
        self.run.counts.steps += 1
        weights = [weight for weight, _ in self._actions]
        [(_, action)] = self.random.choices(self._actions, weights)
        action()
        self.run.go_on()
        if self.run.servers.down and self.random.random() < 0.3:
            self.run.servers.heal()

    # What people do

    def say(self) -> None:
        """One to four messages in one request; every one has a client's id, so that sending it again is harmless."""
        person, conversation = self._somewhere()
        roles = self.random.choice((["user", "assistant"], ["user", "assistant"] * 2, ["user"], ["assistant"]))
        drafts = []
        for role in roles:
            self._clients += 1
            drafts.append((role, said_by(role, self.random), f"c{self._clients}"))
        self._record(person, conversation, drafts)

    def _record(self, person: Person, conversation: Conversation, drafts: list[tuple[str, Any, str]]) -> list[Message]:
        body = {
            "conversation_id": conversation.id,
            "messages": [
                {"role": role, "content": said.text, "client_message_id": client_id} for role, said, client_id in drafts
            ],
        }
        key = self.run.key() if self.random.random() < 0.5 else None
        status, said = self.run.ask(person, "POST", "/messages", body, key=key, what="say")
        self._expect(status, 201, "POST /messages")
        recorded = []
        for (role, statement, client_id), one in zip(drafts, said["messages"], strict=True):
            message = conversation.say(one["id"], role, statement, client_id)
            message.unsure = not person.longterm
            recorded.append(message)
        self.run.note(f"say {person.user_id} {conversation.id} {[message.id for message in recorded]}")
        return recorded

    def open_conversation(self) -> None:
        person = self.random.choice(self.people)
        if len(person.living()) < CONVERSATIONS:
            self._open(person)

    def _open(self, person: Person) -> Conversation:
        status, said = self.run.ask(person, "POST", "/conversations", {}, key=self.run.key(), what="open")
        self._expect(status, 201, "POST /conversations")
        conversation = Conversation(said["id"])
        person.conversations.append(conversation)
        self.run.note(f"open {person.user_id} {conversation.id}")
        return conversation

    def send_again(self) -> None:
        """A client sends something again that it sent before, forgotten or not."""
        person = self.random.choice(self.people)
        if not (messages := person.messages_of_the_name()):
            return
        message = self.random.choice(messages)
        conversation = message.turn.conversation
        draft = {
            "role": message.role,
            "content": message.statement.text,
            "client_message_id": message.client_id,
        }
        body = {"conversation_id": conversation.id, "messages": [draft]}
        status, said = self.run.ask(person, "POST", "/messages", body, what="say again")
        self.run.note(f"again {message.id} -> {status}")
        if conversation.forgotten:
            if status not in (404, 410):
                raise Violated("no-resurrection", f"a forgotten conversation answered {status}")
            return
        self._expect(status, 201, "POST /messages again")
        [one] = said["messages"]
        if one["id"] != message.id or one["outcome"] not in ("repeated", "erased"):
            raise Violated("no-resurrection", f"sending {message.id} again was {one['outcome']}")

    def end_session(self) -> None:
        person, conversation = self._somewhere()
        path = f"/conversations/{conversation.id}/session-end"
        status, _ = self.run.ask(person, "POST", path, key=self.run.key(), what="session end")
        self._expect(status, 200, "session-end")
        conversation.end_session()
        self.run.note(f"session end {conversation.id}")

    def switch(self) -> None:
        """Turn long-term memory off or on again."""
        person = self.random.choice(self.people)
        self.switch_to(person, on=not person.longterm)

    def switch_to(self, person: Person, *, on: bool) -> None:
        person.doubt_what_is_not_learned_yet()
        status, _ = self.run.ask(person, "PATCH", "/memory/settings", {"longterm_enabled": on})
        self._expect(status, 200, "PATCH settings")
        person.longterm = on
        self.run.note(f"longterm {person.user_id} {'on' if on else 'off'}")

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

    # Forgetting

    def forget_message(self) -> None:
        person = self.random.choice(self.people)
        messages = [message for message in person.messages() if not message.forgotten]
        if not messages:
            return
        self._forget_message(person, self.random.choice(messages), cascade=self.random.random() < 0.5)

    def _forget_message(self, person: Person, message: Message, *, cascade: bool) -> None:
        body = {"scope": "message", "message_id": message.id, "cascade": cascade}
        gone = list(message.turn.messages) if cascade else [message]
        self._forget(person, "message", "POST", "/memory/forget", body, messages=gone)

    def forget_memory(self) -> None:
        person = self.random.choice(self.people)
        shown = self.run.get(person, f"/memory/long_term?limit={PAGE}")
        invariants.check_memories(person, shown, settled=False)
        if not shown:
            return
        memory = self.random.choice(shown)
        ids = {source["message_id"] for source in memory["sources"]}
        messages = [message for message in person.messages() if message.id in ids]
        self._forget(person, "memory", "DELETE", f"/memory/long_term/{memory['id']}", None, unlearnable=messages)

    def forget_conversation(self) -> None:
        person, conversation = self._somewhere()
        gone: dict[str, Any] = {"messages": conversation.messages(), "conversations": [conversation]}
        if self.random.random() < 0.5:
            forget = self._forget(person, "conversation", "DELETE", f"/conversations/{conversation.id}", None, **gone)
        else:
            body = {"scope": "conversation", "conversation_id": conversation.id}
            forget = self._forget(person, "conversation", "POST", "/memory/forget", body, **gone)
        if forget:
            conversation.open_turn = None

    def clear(self) -> None:
        self._clear(*self._somewhere())

    def _clear(self, person: Person, conversation: Conversation) -> None:
        gone = conversation.messages()
        if self._forget(person, "clear", "POST", "/clear", {"conversation_id": conversation.id}, messages=gone):
            conversation.open_turn = None

    def forget_user(self) -> None:
        self._forget_user(self.random.choice(self.people))

    def close_account(self) -> None:
        """Somebody forgets everything and leaves; who comes under that name after them is somebody new."""
        self._forget_user(self.random.choice(self.people), close_account=True)

    def _forget_user(self, person: Person, *, close_account: bool = False) -> None:
        confirmation = self.random.choice(("FORGET EVERYTHING", "忘掉一切"))
        body = {"scope": "user", "confirmation": confirmation, "close_account": close_account}
        gone = {"messages": person.messages(), "conversations": list(person.conversations)}
        self._forget(person, "user", "POST", "/memory/forget", body, closes=close_account, **gone)

    def close(self, person: Person) -> Person:
        """Let somebody's account be gone; return who has the name from now on."""
        return self.world.close(person, account=next(self._accounts))

    def _forget(
        self,
        person: Person,
        scope: str,
        method: str,
        path: str,
        body: dict[str, Any] | None,
        *,
        closes: bool = False,
        **gone: Any,
    ) -> Forget | None:
        """Ask for a forget, whatever happens to who answers; from then on nothing of it is shown."""
        undo_seconds = self.random.choice((0, 0, 1, 3)) if scope != "user" else 0
        if undo_seconds and body is None:
            path = f"{path}?undo_seconds={undo_seconds}"
        elif undo_seconds and body is not None:
            body = {**body, "undo_seconds": undo_seconds}
        key = self.run.key()
        # Nobody can look up afterwards whether an account was closed that they have no more.
        gives_up = self.random.random() < 0.3 and not closes
        status, said = self.run.ask(person, method, path, body, key=key, what=f"forget {scope}", gives_up=gives_up)
        if status == 0:
            op_id = self._operation_nobody_told_of(person)
            if op_id is None:
                self.run.note(f"forget {scope} {person.user_id} never happened")
                return None
        else:
            self._expect(status, 202, f"forget {scope}")
            op_id = said["op_id"]
        if op_id in person.forgets:
            raise Violated("one-operation", "a new forget answered with an old operation")
        forget = person.forget(op_id, scope, **gone)
        forget.undoable = bool(undo_seconds)
        forget.receipt_id = said.get("receipt_id") if said else None
        forget.closes = closes
        if closes:
            self.run.counts.closed += 1
            person = self.close(person)
        self.run.note(f"forget {scope} {person.user_id} {len(forget.messages)} messages: {op_id}")
        self.look(person, conversation=self._one_of(forget))
        if status and self.random.random() < 0.2:
            again, same = self.run.ask(person, method, path, body, key=key, what=f"forget {scope}")
            if again != 202 or same["op_id"] != op_id:
                raise Violated("one-operation", f"the same key answered {again} with another operation")
        return forget

    def _operation_nobody_told_of(self, person: Person) -> str | None:
        operations = self.run.get(person, "/memory/ops?limit=20")
        unknown = [one["id"] for one in operations if one["id"] not in person.forgets and "forget" in one["type"]]
        if len(unknown) > 1:
            raise Violated("one-operation", f"one request made {len(unknown)} operations")
        return unknown[0] if unknown else None

    @staticmethod
    def _one_of(forget: Forget) -> Conversation | None:
        return forget.messages[0].turn.conversation if forget.messages else None

    def cancel(self) -> None:
        """Undo a forget; what it may not undo any more stays forgotten."""
        person = self.random.choice(self.people)
        waiting = [one for one in person.forgets.values() if one.undoable and one.status == "accepted"]
        if not waiting:
            return
        forget = waiting[-1]
        status, _ = self.run.ask(person, "POST", f"/memory/ops/{forget.op_id}/cancel", what="cancel")
        self.run.note(f"cancel {forget.op_id} -> {status}")
        forget.undoable = False
        if status == 200:
            self.run.counts.undone += 1
            forget.undo()
            self.look(person, conversation=self._one_of(forget))
        elif status != 409:
            raise Violated("answers", f"cancel answered {status}")

    # What processes do

    def relay(self) -> None:
        """The relay publishes; it may die, and the broker may refuse."""
        actor = self.run.idle("relay")
        refuse = self.random.randint(1, 3) if self.random.random() < 0.1 else 0
        faults = self.run.some_faults("relay", kill=0.15, stop=0.02)
        actor.published = []
        self.run.note("relay")
        try:
            actor.begin("turn", faults=faults, later=self.random.choice((0.2, 1.1, 6.0)), refuse=refuse)
            self.run.finish(actor, "relay")
        except Died:
            self.run.killed(actor, "relay")
        self.run.broker += actor.published
        actor.published = []

    def deliver(self) -> None:
        """The broker hands a message to a worker: in any order, sometimes twice, sometimes never."""
        run = self.run
        if not run.broker:
            self.relay()
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
            actor = self.run.idle("relay")
            self.run.tell("relay", "turn", later=1.1, refuse=0)
            self.run.broker += actor.published
            actor.published = []
            for message_ in [one for one in self.run.broker if one[0] != "indexer" and one[0] != "learner"]:
                self.run.broker.remove(message_)
                self.work(*message_, faults={})
            if queue in ("indexer", "learner"):
                self.work(queue, ids, faults={})
        self.run.go_on(hurried=0.5)

    def _forget_somehow(self, message: Message, scope: str) -> None:
        conversation = message.turn.conversation
        person = next(one for one in self.people if conversation in one.conversations)
        gone = conversation.messages()
        match scope:
            case "message" | "turn":
                self._forget_message(person, message, cascade=scope == "turn")
            case "clear":
                self._clear(person, conversation)
            case "conversation":
                body = {"scope": "conversation", "conversation_id": conversation.id}
                taken: dict[str, Any] = {"messages": gone, "conversations": [conversation]}
                if self._forget(person, "conversation", "POST", "/memory/forget", body, **taken):
                    conversation.open_turn = None
            case _:
                self._forget_user(person, close_account=self.random.random() < 0.3)

    def _messages_of(self, ids: list[int]) -> list[Message]:
        """Return the messages that queued derivations are about."""
        rows = self.run.sql().execute(
            "select jsonb_array_elements_text(payload->'message_ids') from outbox where id = any(%s)", (ids,)
        )
        wanted = {row[0] for row in rows.fetchall()}
        return [message for person in self.people for message in person.messages() if message.id in wanted]

    def sweep(self) -> None:
        """The sweeper looks for keys whose writer died."""
        self._ask_for("sweep")

    def meddle(self) -> None:
        """Milvus holds what nobody announced, or loses what it should hold."""
        meddling.meddle(self)

    def reconcile(self) -> None:
        """The sweeper asks for a comparison of the stores; a worker will do it."""
        self._ask_for("reconcile")

    def purge(self) -> None:
        """The sweeper asks for a purge, if anything was forgotten; a worker will do it."""
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

    # What people see

    def recall(self) -> None:
        person = self.random.choice(self.people)
        living = person.conversations
        self.look(person, conversation=self.random.choice(living) if living else None)

    def look(self, person: Person, *, conversation: Conversation | None, settled: bool = False) -> None:
        """Read what a person and their assistant can read, and hold it against the model."""
        get = self.run.get
        shown = {one["id"] for one in get(person, f"/conversations?limit={PAGE}")}
        if shown != {one.id for one in person.living()}:
            raise Violated("unrecallable", "the list of conversations is not what stands")
        memories = get(person, f"/memory/long_term?limit={PAGE}")
        invariants.check_memories(person, memories, settled=settled)
        invariants.check_says_nothing_forgotten(person, [one["content"] for one in memories], "long_term")
        query: dict[str, Any] = {"query": self._question(person), "limit": 20}
        if conversation is not None:
            self._look_into(person, conversation, settled=settled)
            if not conversation.forgotten:
                query["conversation_id"] = conversation.id
        if not settled or self.random.random() < 0.3:
            status, found = self.run.ask(person, "POST", "/memory/search", query)
            self._expect(status, 200, "search")
            invariants.check_says_nothing_forgotten(person, found, "search")

    def _look_into(self, person: Person, conversation: Conversation, *, settled: bool) -> None:
        path = f"conversation_id={conversation.id}&limit={PAGE}"
        if conversation.forgotten:
            self.run.get(person, f"/messages?{path}", expect=404)
            return
        messages = self.run.get(person, f"/messages?{path}")
        invariants.check_messages(conversation, messages, newest=PAGE)
        episodes = self.run.get(person, f"/memory/episodes?{path}")
        invariants.check_episodes(conversation, episodes, settled=settled)
        invariants.check_says_nothing_forgotten(person, episodes, "episodes")

    def _question(self, person: Person) -> str:
        """Ask for something forgotten, if there is anything."""
        forgotten = [message for message in person.messages_of_the_name() if message.forgotten]
        return self.random.choice(forgotten).statement.text if forgotten else "tea"

    def _somewhere(self) -> tuple[Person, Conversation]:
        person = self.random.choice(self.people)
        living = person.living()
        return person, self.random.choice(living) if living else self._open(person)

    @staticmethod
    def _expect(status: int, wanted: int, what: str) -> None:
        if status != wanted:
            raise Violated("answers", f"{what} answered {status}, not {wanted}")
