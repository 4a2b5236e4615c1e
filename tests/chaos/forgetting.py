"""What people ask to have forgotten, and what they undo."""

from __future__ import annotations

from typing import Any

from tests.chaos import invariants
from tests.chaos.invariants import Violated
from tests.chaos.model import Conversation, Forget, Message, Person
from tests.chaos.people import PAGE, People


class Forgetting(People):
    """People who forget, in every way there is; from the answer on nothing of it may be shown."""

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
            # The answer to closing an account goes with it, since its key names the person.
            if again != 202 or (same["op_id"] != op_id and not closes):
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
