"""Real Milvus servers for tests: Milvus Lite 3 and the standalone server of the `milvus==2.3.5` wheel."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import grpc
from pymilvus.grpc_gen.common_pb2 import Status
from pymilvus.grpc_gen.milvus_pb2 import ConnectResponse
from pymilvus.grpc_gen.milvus_pb2_grpc import MilvusServiceServicer, add_MilvusServiceServicer_to_server

from deploy.embedded import processes
from deploy.embedded.servers import MilvusLite
from shared.stores.milvus import EpisodeStore
from shared.stores.port import StoreUnavailable

LITE_READY_SECONDS = 60.0
SERVER_READY_SECONDS = 180.0
_SERVER_ROLES = ("rootCoord", "proxy", "queryCoord", "queryNode", "indexCoord", "indexNode", "dataCoord", "dataNode")


def free_port() -> int:
    """Return a loopback port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(condition: Callable[[], bool], *, seconds: float, what: str) -> None:
    """Poll `condition` until it holds; raise TimeoutError naming `what` after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} was not reached within {seconds:.0f} s")
        time.sleep(0.05)


def answers(store: EpisodeStore) -> bool:
    """Return whether the server of a store answers it."""
    try:
        store.ping()
    except StoreUnavailable:
        return False
    return True


def _stands_still(pid: int) -> bool:
    """Return whether no thread of a process runs."""
    threads = Path(f"/proc/{pid}/task").glob("*/stat")
    return all(thread.read_text().rpartition(") ")[2][0] in "TtXZ" for thread in threads)


class LiteServer:
    """Milvus Lite in its own process, as the product runs it; may be stopped, killed, frozen and restarted."""

    flavour: Literal["lite"] = "lite"
    token = ""

    def __init__(self, data_dir: Path) -> None:
        self._server = MilvusLite(data_dir)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return self._server.url()

    def start(self) -> None:
        """Start, or start again at the same socket and data; return when it accepts connections."""
        self._server.prepare()
        child = self._server.child()
        process = self._process = processes.start(child)
        wait_until(
            lambda: process.poll() is not None or child.is_ready(process.pid),
            seconds=LITE_READY_SECONDS,
            what="Milvus Lite",
        )
        if process.poll() is not None:
            raise RuntimeError(f"Milvus Lite ended with {process.returncode}")

    def freeze(self) -> None:
        """Stop the process as a debugger would: the socket stays open and nothing answers.

        Returns once every thread stands still: on a busy machine one could answer another call before.
        """
        self._signal(signal.SIGSTOP)
        if (process := self._process) is not None:
            wait_until(lambda: _stands_still(process.pid), seconds=10, what="a stopped Milvus Lite")

    def thaw(self) -> None:
        """Continue after `freeze`."""
        self._signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it without any chance to save (kill -9)."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as an operator would; its data stays."""
        self._end(signal.SIGINT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def _end(self, number: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGCONT)
        process.send_signal(number)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=10)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()


@contextmanager
def milvus_lite(directory: Path | None = None) -> Iterator[LiteServer]:
    """Run Milvus Lite on an empty data directory below `directory` (default: a temporary one, removed after)."""
    base = Path(tempfile.mkdtemp(prefix="mc-lite-", dir=directory))
    try:
        data_dir = base / "milvus"
        data_dir.mkdir()
        with LiteServer(data_dir) as server:
            yield server
    finally:
        shutil.rmtree(base, ignore_errors=True)


class StandaloneServer:
    """The real Milvus 2.3.5 standalone server (embedded etcd and RocksMQ), one process, with authentication on."""

    flavour: Literal["server"] = "server"
    token = "root:Milvus"

    def __init__(self, data_dir: Path) -> None:
        # Imported here: the wheel is an optional test dependency and unpacks 100 MB on start.
        from milvus import MilvusServer, MilvusServerConfig

        self.data_dir = data_dir
        config = MilvusServerConfig(data_dir=str(data_dir))
        for role in _SERVER_ROLES:
            config.set(f"{role}.ip", "127.0.0.1")
        config.set("authorization_enabled", True)
        self._server = MilvusServer(config, wait_for_started=False)

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self._server.listen_port}"

    def start(self) -> None:
        """Start and return when its health endpoint says OK."""
        before = Path.cwd()
        try:
            with warnings.catch_warnings():
                # The wheel leaves sockets open that it looked for free ports with.
                warnings.simplefilter("ignore", ResourceWarning)
                self._server.start()
                gc.collect()
        finally:
            os.chdir(before)  # the wheel changes it and stays there when it fails
        self._server.wait_started(timeout=int(SERVER_READY_SECONDS * 1000))

    def stop(self) -> None:
        """End it; the process gets one second, then it is killed."""
        self._server.stop()


@contextmanager
def milvus_standalone(directory: Path | None = None) -> Iterator[StandaloneServer]:
    """Run Milvus 2.3.5 on an empty data directory below `directory` (default: a temporary one, removed after)."""
    base = Path(tempfile.mkdtemp(prefix="mc-milvus-", dir=directory))
    server = StandaloneServer(base)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(base, ignore_errors=True)


@contextmanager
def refusing_milvus() -> Iterator[str]:
    """Serve a Milvus that lets clients connect and then answers UNAVAILABLE, as a proxy without a backend does."""

    class Refusing(MilvusServiceServicer):  # type: ignore[misc]  # generated code is untyped
        def Connect(self, _request: object, _context: object) -> ConnectResponse:  # noqa: N802 - the name of the call
            return ConnectResponse(status=Status(code=0))

        def GetVersion(self, _request: object, context: grpc.ServicerContext) -> None:  # noqa: N802 - same
            context.abort(grpc.StatusCode.UNAVAILABLE, "no backend")

    server = grpc.server(ThreadPoolExecutor(2))
    add_MilvusServiceServicer_to_server(Refusing(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop(0).wait()
