"""What must hold, as dictionaries: who said what, what was forgotten, and what may still be remembered.

It knows no SQL, no queue and no store. A message is forgotten from the moment its forget was accepted; a turn that lost
a message is never derived from again.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tests.chaos.statements import Statement


@dataclass(eq=False)
class Message:
    """Something said. `unlearnable`: its memory was deleted, so it is never learned from again."""

    id: str
    role: str
    statement: Statement
    client_id: str
    turn: Turn
    forgotten_by: set[str] = field(default_factory=set)
    """Operations; a forget that is cancelled takes its id back."""
    unlearnable_by: set[str] = field(default_factory=set)
    merged: Merged | None = None
    unsure: bool = False
    """Long-term memory was off at some time between saying and learning: of its whole turn both outcomes are right."""

    @property
    def forgotten(self) -> bool:
        return bool(self.forgotten_by)


@dataclass(eq=False)
class Turn:
    """Messages that belong together. `ended`: it is derived from, if it is whole."""

    conversation: Conversation
    messages: list[Message] = field(default_factory=list)
    ended: bool = False

    @property
    def lost(self) -> bool:
        return any(message.forgotten for message in self.messages)

    @property
    def derivable(self) -> bool:
        return self.ended and not self.lost


@dataclass(eq=False)
class Merged:
    """One memory worded from two messages of different turns; it stands while both turns do."""

    text: str
    messages: tuple[Message, Message]

    @property
    def stands(self) -> bool:
        return all(not message.turn.lost and not message.unlearnable_by for message in self.messages)


@dataclass(eq=False)
class Conversation:
    """A conversation; `open_turn` is what the next message joins."""

    id: str
    turns: list[Turn] = field(default_factory=list)
    session_turns: list[Turn] = field(default_factory=list)
    open_turn: Turn | None = None
    forgotten_by: set[str] = field(default_factory=set)

    @property
    def forgotten(self) -> bool:
        return bool(self.forgotten_by)

    def messages(self) -> list[Message]:
        return [message for turn in self.turns for message in turn.messages]

    def say(self, message_id: str, role: str, statement: Statement, client_id: str) -> Message:
        """Put a message into its turn; an assistant's answer ends it."""
        if self.open_turn is None:
            self.open_turn = Turn(self)
            self.turns.append(self.open_turn)
            self.session_turns.append(self.open_turn)
        turn = self.open_turn
        message = Message(message_id, role, statement, client_id, turn)
        turn.messages.append(message)
        if role == "assistant":
            turn.ended = turn.ended or any(one.role == "user" for one in turn.messages)
            self.open_turn = None
        return message

    def end_session(self) -> None:
        """What was left unpaired ends too."""
        for turn in self.session_turns:
            turn.ended = True
        self.session_turns, self.open_turn = [], None


@dataclass(eq=False)
class Forget:
    """An accepted forget and what it took."""

    op_id: str
    scope: str
    person: Person
    messages: list[Message]
    conversations: list[Conversation]
    unlearnable: list[Message]
    undoable: bool = False
    status: str = "accepted"
    receipt_id: str | None = None
    closes: bool = False
    """The account goes, too."""
    again: bool = False
    """A replay did it again: what came after the backup is searched for in every store, too."""

    def canaries(self) -> set[str]:
        return {message.statement.canary for message in self.messages}

    def undo(self) -> None:
        """Give everything back that no other forget took."""
        self.status = "cancelled"
        for message in self.messages:
            message.forgotten_by.discard(self.op_id)
        for conversation in self.conversations:
            conversation.forgotten_by.discard(self.op_id)
        for message in self.unlearnable:
            message.unlearnable_by.discard(self.op_id)


@dataclass(eq=False)
class Person:
    """Someone and all their conversations, forgotten ones included.

    `account` tells who has a name from who had it before them and closed the account: `before`.
    """

    user_id: str
    account: int
    before: Person | None = None
    longterm: bool = True
    conversations: list[Conversation] = field(default_factory=list)
    merged: list[Merged] = field(default_factory=list)
    forgets: dict[str, Forget] = field(default_factory=dict)

    def living(self) -> list[Conversation]:
        return [one for one in self.conversations if not one.forgotten]

    def messages(self) -> list[Message]:
        return [message for conversation in self.conversations for message in conversation.messages()]

    def messages_of_the_name(self) -> list[Message]:
        """Return what was said under this name, by who had it before, too."""
        return self.messages() + (self.before.messages_of_the_name() if self.before else [])

    def forget(
        self,
        op_id: str,
        scope: str,
        *,
        messages: Iterable[Message] = (),
        conversations: Iterable[Conversation] = (),
        unlearnable: Iterable[Message] = (),
    ) -> Forget:
        """Take what an accepted forget takes."""
        accepted = Forget(op_id, scope, self, list(messages), list(conversations), list(unlearnable))
        for message in accepted.messages:
            message.forgotten_by.add(op_id)
        for conversation in accepted.conversations:
            conversation.forgotten_by.add(op_id)
        for message in accepted.unlearnable:
            message.unlearnable_by.add(op_id)
        self.forgets[op_id] = accepted
        return accepted

    def may_be_learned(self, message: Message) -> bool:
        """Whether a memory may be read that was learned from this message alone."""
        return message.statement.learned and not message.turn.lost and not message.unlearnable_by

    def must_be_learned(self, message: Message) -> bool:
        """Whether, when all work is done, a memory of this message must be there."""
        return (
            self.may_be_learned(message)
            and message.turn.ended
            and not any(one.unsure for one in message.turn.messages)
            and (message.merged is None or not message.merged.stands)
        )

    def doubt_what_is_not_learned_yet(self) -> None:
        """A switch moved: whatever was not checked since may have been learned or not."""
        for message in self.messages():
            message.unsure = True


@dataclass(eq=False)
class World:
    """Everybody, and every forget. A backup of the database goes with a copy of it."""

    people: list[Person]
    closed: list[Person] = field(default_factory=list)
    concern_nothing: dict[str, Forget] = field(default_factory=dict)
    """Forgets of what no restored backup holds: the ledger names them, the database does not."""
    seen_succeeded: set[str] = field(default_factory=set)

    def copy(self) -> World:
        return copy.deepcopy(self)

    def everybody(self) -> Iterator[Person]:
        """Yield who is there and who closed their account."""
        yield from self.people
        yield from self.closed

    def forgets(self) -> dict[str, Forget]:
        """Return the forgets the database must know, by operation."""
        return {op_id: forget for person in self.everybody() for op_id, forget in person.forgets.items()}

    def close(self, person: Person, *, account: int) -> Person:
        """Let go of an account; whoever comes under its name is somebody new, who is returned."""
        newcomer = Person(person.user_id, account, before=person)
        self.people[self.people.index(person)] = newcomer
        self.closed.append(person)
        return newcomer

    def forgotten(self) -> list[Message]:
        """Return every message that must be nowhere once all work is done."""
        of_people = [one for person in self.everybody() for one in person.messages() if one.forgotten]
        return of_people + [one for forget in self.concern_nothing.values() for one in forget.messages]
