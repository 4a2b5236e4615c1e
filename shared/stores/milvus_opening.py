"""Opens a client of Milvus that fails at once where nothing listens, and never retries by itself."""

from __future__ import annotations

import socket
import time
from urllib.parse import urlsplit

import grpc
from pymilvus import MilvusClient, MilvusException

from shared.stores.milvus_errors import STORE, translated
from shared.stores.port import StoreUnavailable

_GRPC_OPTIONS = {
    # Find a restarted server within a second instead of grpc's two minutes.
    "grpc.initial_reconnect_backoff_ms": 200,
    "grpc.max_reconnect_backoff_ms": 1000,
    # pymilvus pings every 10 s, even when idle; a server that allows fewer pings closes the connection
    # ("too_many_pings"). Every call has a timeout, so pings are not needed to notice a dead server.
    "grpc.keepalive_time_ms": 330_000,
    "grpc.keepalive_permit_without_calls": 0,
}


def open_client(uri: str, token: str, deadline: float) -> MilvusClient:
    """Return a connected client that never retries by itself.

    Raises:
        StoreUnavailable, StoreMisconfigured: nothing answered until `deadline`, or the server refused us.
    """
    _knock(uri, deadline)
    try:
        client = MilvusClient(
            uri, token=token, timeout=seconds_left(deadline), dedicated=True, grpc_options=_GRPC_OPTIONS
        )
    except (MilvusException, grpc.RpcError) as error:
        raise translated(error) from None
    # pymilvus retries a refused call under a process-wide lock and past the timeout (3.7 s measured for 2 s). grpc
    # reconnects by itself and the outbox retries, so here the first error is final.
    client._handler._on_rpc_error = _give_up  # noqa: SLF001 - there is no public switch; a contract test checks it
    return client


def _knock(uri: str, deadline: float) -> None:
    """Fail at once if nothing listens; pymilvus would retry until the timeout and longer."""
    address = urlsplit(uri)
    try:
        if address.scheme == "unix":
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as knocking:
                knocking.settimeout(seconds_left(deadline))
                knocking.connect(address.path)
        elif address.hostname is not None:
            socket.create_connection((address.hostname, address.port or 19530), timeout=seconds_left(deadline)).close()
    except OSError:
        raise StoreUnavailable(STORE) from None


def _give_up(error: Exception) -> bool:
    if isinstance(error, grpc.RpcError):
        raise error
    return False


def seconds_left(deadline: float) -> float:
    """Return the seconds until `deadline`, with a minimum below which grpc would not try."""
    return max(deadline - time.monotonic(), 0.05)
