"""A client for Memory Center: memory for assistants that people can see, control and provably erase.

    with MemoryCenter("http://localhost:8765", token) as memory:
        context = memory.recall("May I eat peanuts?")

`AsyncMemoryCenter` has the same methods to await. Answers are plain dictionaries as the API documents them; their types
are in `memory_center_client.schemas`.
"""

from memory_center_client._async.client import AsyncMemoryCenter
from memory_center_client._async.operations import AsyncOperation
from memory_center_client._async.transport import AsyncDownload, AsyncTransport
from memory_center_client._sync.client import MemoryCenter
from memory_center_client._sync.operations import Operation
from memory_center_client._sync.transport import Download, Transport
from memory_center_client.codes import Code
from memory_center_client.errors import (
    ApiError,
    Changed,
    Conflict,
    ConnectionFailed,
    Forbidden,
    Gone,
    MemoryCenterError,
    NotFound,
    OperationFailed,
    ReceiptInvalid,
    ServerFailed,
    TimedOut,
    TooManyRequests,
    TurnIsOpen,
    Unauthenticated,
    UnexpectedAnswer,
    ValidationFailed,
)

__all__ = [
    "ApiError",
    "AsyncDownload",
    "AsyncMemoryCenter",
    "AsyncOperation",
    "AsyncTransport",
    "Changed",
    "Code",
    "Conflict",
    "ConnectionFailed",
    "Download",
    "Forbidden",
    "Gone",
    "MemoryCenter",
    "MemoryCenterError",
    "NotFound",
    "Operation",
    "OperationFailed",
    "ReceiptInvalid",
    "ServerFailed",
    "TimedOut",
    "TooManyRequests",
    "Transport",
    "TurnIsOpen",
    "Unauthenticated",
    "UnexpectedAnswer",
    "ValidationFailed",
]
