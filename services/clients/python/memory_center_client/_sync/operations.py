# Made from _async by generate.py.
"""What goes on after a request was accepted: an erasure, an export, an import."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Literal

from memory_center_client._sync.transport import Pages, Transport
from memory_center_client.errors import NotFound, OperationFailed, TimedOut
from memory_center_client.receipts import verify

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from memory_center_client import schemas

LOOK_SECONDS: Final = 0.1
LOOK_SECONDS_MAX: Final = 2.0


class Operation:
    """An operation that was accepted. After a forget, no answer contains its items, whether or not you wait."""

    def __init__(self, transport: Transport, accepted: Mapping[str, Any]) -> None:
        self._transport = transport
        self.id: str = accepted["op_id"]
        self.receipt_id: str | None = accepted.get("receipt_id")

    def state(self) -> schemas.OperationOut:
        """Return how far it is."""
        state: schemas.OperationOut = self._transport.get(f"memory/ops/{self.id}")
        return state

    def wait(self, timeout: float = 60, *, until: Literal["erased", "purged"] = "erased") -> None:
        """Return when it has ended.

        Args:
            timeout: in seconds.
            until: `erased`: from every database, and searched for there. `purged`: its leftover bytes on disk are
                overwritten too, which takes up to a quarter of an hour.

        Raises:
            OperationFailed: it failed or was undone.
            TimedOut: it has not ended in time; it goes on.
        """
        deadline = time.monotonic() + timeout
        pause = LOOK_SECONDS
        while True:
            state = self._state_or_receipt()
            if state["status"] in ("failed", "cancelled"):
                raise OperationFailed(state["status"], state.get("last_error"))
            if state["status"] == "succeeded" and (until == "erased" or state["purged_at"] is not None):
                return
            if time.monotonic() + pause > deadline:
                raise TimedOut("the operation goes on")
            time.sleep(pause)
            pause = min(LOOK_SECONDS_MAX, pause * 1.3)

    def cancel(self) -> None:
        """Undo a forget in its undo window, or give up an export.

        Raises:
            Conflict: it is too late.
        """
        self._transport.post(f"memory/ops/{self.id}/cancel")

    def receipt(self) -> schemas.ReceiptOut:
        """Return the proof of a forget.

        Raises:
            ValueError: it is no forget.
        """
        if self.receipt_id is None:
            raise ValueError("this operation has no receipt")
        receipt: schemas.ReceiptOut = self._transport.get(f"receipts/{self.receipt_id}")
        return receipt

    def _state_or_receipt(self) -> Mapping[str, Any]:
        try:
            return self.state()
        except NotFound:
            if self.receipt_id is None:
                raise
            return self.receipt()  # the account was closed: its operations are nobody's any more


class Operations:
    """Operations of a person, newest first."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> Pages[schemas.OperationOut]:
        """Return all operations."""
        return Pages(self._transport, "memory/ops", {})

    def get(self, operation_id: str) -> schemas.OperationOut:
        """Return how far an operation is."""
        state: schemas.OperationOut = self._transport.get(f"memory/ops/{operation_id}")
        return state

    def cancel(self, operation_id: str) -> None:
        """Undo a forget in its undo window, or give up an export."""
        self._transport.post(f"memory/ops/{operation_id}/cancel")

    def retry(self, operation_id: str) -> None:
        """Try the failed steps of an operation again."""
        self._transport.post(f"memory/ops/{operation_id}/retry")


class Receipts:
    """Proofs of erasure; they need no credentials and outlive the account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, receipt_id: str) -> schemas.ReceiptOut:
        """Return a receipt."""
        receipt: schemas.ReceiptOut = self._transport.get(f"receipts/{receipt_id}")
        return receipt

    def verify(self, receipt_id: str, *, public_keys: Collection[str]) -> schemas.ReceiptOut:
        """Return a receipt that proves an erasure.

        Args:
            public_keys: whose signature is expected, in hexadecimal; `memory-center receipt-key` prints it.

        Raises:
            ReceiptInvalid: it does not, or was signed by somebody else.
        """
        receipt = self.get(receipt_id)
        verify(receipt, public_keys=public_keys)
        return receipt
