# Made from _async by generate.py.
"""What was said."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from memory_center_client._sync.operations import Operation
from memory_center_client._sync.transport import Pages, Transport, json_of
from memory_center_client.errors import Conflict, TimedOut, TurnIsOpen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from memory_center_client import schemas
    from memory_center_client.options import ConversationChanges, ConversationOptions

PAGE = 200
LOOK_SECONDS: Final = 0.2


class Conversations:
    """Conversations of a person."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, **options: Unpack[ConversationOptions]) -> str:
        """Begin a conversation; return its id."""
        created = self._transport.post("conversations", options)
        return str(created["id"])

    def find_or_create(self, external_id: str, **options: Unpack[ConversationOptions]) -> str:
        """Return the id of the conversation that your program calls this; begin it if there is none.

        Args:
            external_id: unique among the person's conversations; a title may change, this does not.
            options: of a new conversation.

        Raises:
            ValueError: the id is empty.
        """
        if not external_id:
            raise ValueError("an external id is needed")
        for _ in range(2):  # another may begin it in between
            for found in self.list(external_id=external_id):
                if found["external_id"] == external_id:  # a server that does not know the filter lists all
                    return found["id"]
            try:
                return self.create(**{**options, "external_id": external_id})
            except Conflict as taken:
                if taken.code != "external_id_taken":
                    raise
        raise TimedOut("it was begun and forgotten at the same time")

    def list(self, *, external_id: str | None = None) -> Pages[schemas.ConversationOut]:
        """Return all conversations, the one spoken in last first.

        Args:
            external_id: only the one that your program calls this.
        """
        query = {} if external_id is None else {"external_id": external_id}
        return Pages(self._transport, "conversations", query)

    def get(self, conversation_id: str) -> schemas.ConversationOut:
        """Return a conversation."""
        conversation: schemas.ConversationOut = self._transport.get(f"conversations/{conversation_id}")
        return conversation

    def update(self, conversation_id: str, **changes: Unpack[ConversationChanges]) -> schemas.ConversationOut:
        """Change its title, or whether it is learned from."""
        answer = self._transport.send("PATCH", f"conversations/{conversation_id}", body=changes)
        conversation: schemas.ConversationOut = json_of(answer)
        return conversation

    def end_session(self, conversation_id: str) -> schemas.SessionEndedOut:
        """End the session, as when the person leaves: its messages are learned from at once."""
        answer = self._transport.send("POST", f"conversations/{conversation_id}/session-end")
        ended: schemas.SessionEndedOut = json_of(answer)
        return ended

    def delete(self, conversation_id: str, *, undo_seconds: int = 0) -> Operation:
        """Forget a conversation and everything learned from it."""
        accepted = self._transport.delete(f"conversations/{conversation_id}", undo_seconds=undo_seconds)
        return Operation(self._transport, accepted)


class Messages:
    """Messages of a conversation."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def record(self, conversation_id: str, messages: Sequence[schemas.MessageIn]) -> Sequence[schemas.RecordedOut]:
        """Record messages in their order: `{"role": "user", "content": "…"}`.

        A message with a `client_message_id` that is there already is not recorded again.
        """
        body = {"conversation_id": conversation_id, "messages": [*messages]}
        recorded = self._transport.post("messages", body)
        found: Sequence[schemas.RecordedOut] = recorded["messages"]
        return found

    def list(self, conversation_id: str) -> Iterator[schemas.MessageOut]:
        """Yield the messages of a conversation, the newest first."""
        before: int | None = None
        while True:
            page = self._transport.get("messages", conversation_id=conversation_id, limit=PAGE, before_seq=before)
            for message in reversed(page):
                yield message
            if len(page) < PAGE:
                return
            before = page[0]["seq"]

    def get(self, message_id: str) -> schemas.MessageOut:
        """Return a message."""
        message: schemas.MessageOut = self._transport.get(f"messages/{message_id}")
        return message

    def wait(self, message_id: str, timeout: float = 60) -> schemas.WhatBecameOut:
        """Return what was learned from a message, once all of it is.

        Args:
            timeout: in seconds.

        Raises:
            TurnIsOpen: nothing answered the message yet, and its session goes on.
            TimedOut: it is learned from later.
        """
        deadline = time.monotonic() + timeout
        while True:
            became = self.derived(message_id)
            if became["turn_open"]:
                raise TurnIsOpen("record an answer, or end the session")
            if not became["awaited"]:
                return became
            if time.monotonic() + LOOK_SECONDS > deadline:
                raise TimedOut("it is learned from later")
            time.sleep(LOOK_SECONDS)

    def derived(self, message_id: str) -> schemas.WhatBecameOut:
        """Return what was learned from a message, or that it still waits."""
        became: schemas.WhatBecameOut = self._transport.get(f"memory/messages/{message_id}/derived")
        return became
