"""The answer to a request to forget: the operation that does it and where to follow it."""

from __future__ import annotations

from typing import Any

from fastapi import Response

from services.api import AcceptedOut
from shared.erasure.accept import ForgetRequest
from shared.runtime import telemetry


def answer_of(wanted_forget: ForgetRequest) -> dict[str, Any]:
    """Return the members of `AcceptedOut`, in the form in which a repeated request finds them again."""
    return {"op_id": str(wanted_forget.operation_id), "receipt_id": str(wanted_forget.receipt_id)}


def accepted(answer: dict[str, Any], response: Response, *, scope: str = "selection") -> AcceptedOut:
    """Count a forget that was accepted, and tell in the headers where its progress is."""
    out = AcceptedOut(**answer)
    telemetry.MEMORY_OP.labels(op="forget", scope=scope).inc()
    response.headers["Location"] = f"/api/v1/memory/ops/{out.op_id}"
    response.headers["Retry-After"] = "1"
    return out
