"""What people say to their assistants, and what they and their assistants see."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.chaos import invariants
from tests.chaos.invariants import Violated
from tests.chaos.model import Conversation, Message, Person, World
from tests.chaos.run import Run
from tests.chaos.statements import said_by

PEOPLE = 3
CONVERSATIONS = 4
PAGE = 200


class People:
    """Everybody in a run, and one method for each thing they can do beside forgetting."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.random = run.random
        self._accounts = count()
        self.world = World([Person(f"person-{number}", next(self._accounts)) for number in range(PEOPLE)])
        self._clients = 0

    @property
    def people(self) -> list[Person]:
        """Everybody who has an account."""
        return self.world.people

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

    def reflect(self) -> None:
        """Somebody asks for a reflection."""
        person = self.random.choice(self.people)
        body = {"reason": "working_memory"}
        status, _ = self.run.ask(person, "POST", "/memory/reflections", body, key=self.run.key(), what="reflect")
        if status != 202 and (person.longterm or status != 409):
            self._expect(status, 202, "POST /memory/reflections")
        self.run.note(f"reflect {person.user_id} -> {status}")

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
