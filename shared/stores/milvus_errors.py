"""Converts failures of pymilvus and grpc into the port's two errors: retryable and permanent."""

from __future__ import annotations

import re

import grpc
from pymilvus import MilvusException
from pymilvus.exceptions import DataNotMatchException, ParamError

from shared.stores.port import StoreMisconfigured, StoreUnavailable

STORE = "milvus"

_NOT_LOADED = 101
_OTHER_DIMENSIONS = re.compile(r"dimension mismatch|mismatch in its core dimension")
"""Message for a search with a vector of the wrong length; neither servers nor Lite have a code for it."""
_PERMANENT = {
    6: "the request does not fit the schema",  # Milvus Lite; servers use 1100
    100: "the collection is missing",
    700: "the index is missing",
    1100: "the request does not fit the schema",
    1101: "the request does not fit the schema",
    1400: "not authenticated",
    1401: "permission denied",
}
_PERMANENT_RPC = {
    grpc.StatusCode.UNAUTHENTICATED: "not authenticated",
    grpc.StatusCode.PERMISSION_DENIED: "permission denied",
    grpc.StatusCode.INVALID_ARGUMENT: "the request does not fit the schema",
    grpc.StatusCode.UNIMPLEMENTED: "the server does not know this call",
}


class NotLoaded(StoreUnavailable):
    """The collection exists but is not loaded."""


def translated(error: Exception) -> StoreUnavailable | StoreMisconfigured:
    """Return the port's error for one of pymilvus or grpc, without its message."""
    if isinstance(error, grpc.RpcError):
        code = error.code() if callable(getattr(error, "code", None)) else None
        reason = _PERMANENT_RPC.get(code)
        return StoreMisconfigured(STORE, reason) if reason else StoreUnavailable(STORE)
    if isinstance(error, ParamError | DataNotMatchException):
        return StoreMisconfigured(STORE, "the request does not fit the schema")
    if not isinstance(error, MilvusException):
        return StoreUnavailable(STORE)
    if error.code == _NOT_LOADED or "not loaded" in str(error.message):
        return NotLoaded(STORE)
    if isinstance(error.__cause__, grpc.RpcError):
        return translated(error.__cause__)
    reason = _PERMANENT.get(error.code) if isinstance(error.code, int) else None
    if _OTHER_DIMENSIONS.search(str(error.message)):
        reason = "the collection's vectors have another number of dimensions"
    return StoreMisconfigured(STORE, reason) if reason else StoreUnavailable(STORE)
