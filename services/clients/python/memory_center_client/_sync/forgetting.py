# Made from _async by generate.py.
"""Forgetting. Once a forget is accepted, no answer contains its items; the operation erases them everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memory_center_client._sync.operations import Operation
from memory_center_client._sync.transport import Transport

if TYPE_CHECKING:
    from typing import Any, Unpack

    from memory_center_client import schemas
    from memory_center_client.options import Target

FORGET = "memory/forget"


class Forgetting:
    """Forgets; each call returns the operation that erases and proves it.

    `undo_seconds` is how long the operation can still be cancelled; erasing begins after that.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def message(self, message_id: str, *, cascade: bool = False, undo_seconds: int = 0) -> Operation:
        """Forget a message and what was learned from it; with `cascade` its whole turn."""
        return self._forget("message", undo_seconds, message_id=message_id, cascade=cascade)

    def conversation(self, conversation_id: str, *, undo_seconds: int = 0) -> Operation:
        """Forget a conversation and what was learned from it."""
        return self._forget("conversation", undo_seconds, conversation_id=conversation_id)

    def selection(
        self, ids: Sequence[str] | None = None, *, token: str | None = None, undo_seconds: int = 0
    ) -> Operation:
        """Forget messages and memories by their ids, or what `find` found.

        Args:
            token: of `find`; without `ids`, what it marked as `sure` is forgotten.

        Raises:
            ValueError: neither is given; a `find` that found nothing has no token.
        """
        if ids is None and token is None:
            raise ValueError("nothing is selected: give ids, or the token of a find that found something")
        return self._forget("selection", undo_seconds, ids=None if ids is None else [*ids], token=token)

    def description(self, description: str, *, undo_seconds: int = 0) -> list[Operation]:
        """Forget all that a description surely means, in as many operations as it takes; `find` shows what it may mean
        besides.
        """
        operations: list[Operation] = []
        while True:
            found = self.find(description)
            if not any(one["sure"] for one in found["candidates"]):
                return operations
            operations.append(self.selection(token=found["token"], undo_seconds=undo_seconds))
            if not found["more"]:
                return operations

    def everything(self, *, confirmation: str, close_account: bool = False, undo_seconds: int = 0) -> Operation:
        """Forget all there is about the person.

        Args:
            confirmation: `FORGET EVERYTHING` or `忘掉一切`, as the person typed it.
            close_account: erase settings, name and key too.
        """
        return self._forget("user", undo_seconds, confirmation=confirmation, close_account=close_account)

    def find(self, description: str) -> schemas.FoundToForgetOut:
        """Return what a description means, for the person to choose from; nothing is forgotten yet."""
        found: schemas.FoundToForgetOut = self._transport.post(f"{FORGET}/find", {"description": description})
        return found

    def preview(self, ids: Sequence[str] | None = None, *, token: str | None = None) -> schemas.PreviewOut:
        """Return each item that forgetting a selection would erase."""
        body = {"ids": None if ids is None else [*ids], "token": token}
        preview: schemas.PreviewOut = self._transport.post(f"{FORGET}/preview", body)
        return preview

    def dry_run(self, **target: Unpack[Target]) -> schemas.DryRunOut:
        """Return how much a forget would erase."""
        counted: schemas.DryRunOut = self._transport.post(f"{FORGET}/dry-run", target)
        return counted

    def _forget(self, scope: str, undo_seconds: int, **target: Any) -> Operation:
        body = {"scope": scope, "undo_seconds": undo_seconds, **target}
        return Operation(self._transport, self._transport.post(FORGET, body))
