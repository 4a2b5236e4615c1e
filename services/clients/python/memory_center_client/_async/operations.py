"""What goes on after a request was accepted: an erasure, an export, an import."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Literal

import anyio

from memory_center_client._async.transport import AsyncPages, AsyncTransport
from memory_center_client.errors import NotFound, OperationFailed, TimedOut
from memory_center_client.receipts import verify

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from memory_center_client import schemas

LOOK_SECONDS: Final = 0.1
LOOK_SECONDS_MAX: Final = 2.0


class AsyncOperation:
    """An operation that was accepted. After a forget, no answer contains its items, whether or not you wait."""

    def __init__(self, transport: AsyncTransport, accepted: Mapping[str, Any]) -> None:
        self._transport = transport
        self.id: str = accepted["op_id"]
        self.receipt_id: str | None = accepted.get("receipt_id")

    async def state(self) -> schemas.OperationOut:
        """Return how far it is."""
        state: schemas.OperationOut = await self._transport.get(f"memory/ops/{self.id}")
        return state

    async def wait(self, timeout: float = 60, *, until: Literal["erased", "purged"] = "erased") -> None:
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
            state = await self._state_or_receipt()
            if state["status"] in ("failed", "cancelled"):
                raise OperationFailed(state["status"], state.get("last_error"))
            if state["status"] == "succeeded" and (until == "erased" or state["purged_at"] is not None):
                return
            if time.monotonic() + pause > deadline:
                raise TimedOut("the operation goes on")
            await anyio.sleep(pause)
            pause = min(LOOK_SECONDS_MAX, pause * 1.3)

    async def cancel(self) -> None:
        """Undo a forget in its undo window, or give up an export.

        Raises:
            Conflict: it is too late.
        """
        await self._transport.post(f"memory/ops/{self.id}/cancel")

    async def receipt(self) -> schemas.ReceiptOut:
        """Return the proof of a forget.

        Raises:
            ValueError: it is no forget.
        """
        if self.receipt_id is None:
            raise ValueError("this operation has no receipt")
        receipt: schemas.ReceiptOut = await self._transport.get(f"receipts/{self.receipt_id}")
        return receipt

    async def _state_or_receipt(self) -> Mapping[str, Any]:
        try:
            return await self.state()
        except NotFound:
            if self.receipt_id is None:
                raise
            return await self.receipt()  # the account was closed: its operations are nobody's any more


class AsyncOperations:
    """Operations of a person, newest first."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self) -> AsyncPages[schemas.OperationOut]:
        """Return all operations."""
        return AsyncPages(self._transport, "memory/ops", {})

    async def get(self, operation_id: str) -> schemas.OperationOut:
        """Return how far an operation is."""
        state: schemas.OperationOut = await self._transport.get(f"memory/ops/{operation_id}")
        return state

    async def cancel(self, operation_id: str) -> None:
        """Undo a forget in its undo window, or give up an export."""
        await self._transport.post(f"memory/ops/{operation_id}/cancel")

    async def retry(self, operation_id: str) -> None:
        """Try the failed steps of an operation again."""
        await self._transport.post(f"memory/ops/{operation_id}/retry")


class AsyncReceipts:
    """Proofs of erasure; they need no credentials and outlive the account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, receipt_id: str) -> schemas.ReceiptOut:
        """Return a receipt."""
        receipt: schemas.ReceiptOut = await self._transport.get(f"receipts/{receipt_id}")
        return receipt

    async def verify(self, receipt_id: str, *, public_keys: Collection[str]) -> schemas.ReceiptOut:
        """Return a receipt that proves an erasure.

        Args:
            public_keys: whose signature is expected, in hexadecimal; `memory-center receipt-key` prints it.

        Raises:
            ReceiptInvalid: it does not, or was signed by somebody else.
        """
        receipt = await self.get(receipt_id)
        verify(receipt, public_keys=public_keys)
        return receipt
