"""Network namespaces for hosts: each has a loopback of its own, and cables to the servers that all share.

A cable listens on a port in one network and connects to the same port in another, so every address is 127.0.0.1 and
means something else on each host. Linux and root only.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import secrets
import shutil
import socket
import subprocess
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

LOOPBACK: Final = "127.0.0.1"
OURS: Final = Path("/proc/self/ns/net")
_NETWORK: Final = 0x40000000
"""CLONE_NEWNET of setns(2)."""
CHUNK: Final = 65536
_IP: Final = shutil.which("ip") or "/usr/sbin/ip"
_NSENTER: Final = shutil.which("nsenter") or "/usr/bin/nsenter"


class Network:
    """A network namespace by name; None: the one this process started in."""

    def __init__(self, name: str | None) -> None:
        self._place = Path("/run/netns") / name if name else OURS
        self._thread = ThreadPoolExecutor(1, initializer=self._enter)

    def _enter(self) -> None:
        with self._place.open("rb") as place:
            if ctypes.CDLL(None, use_errno=True).setns(place.fileno(), _NETWORK):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def command(self, *command: str) -> list[str]:
        """Return a command that runs in this network."""
        return [_NSENTER, f"--net={self._place}", *command]

    def listening(self, port: int) -> socket.socket:
        """Listen on a port of this network's loopback; 0: on a free one."""
        return self._thread.submit(socket.create_server, (LOOPBACK, port), reuse_port=False).result()

    def connected(self, port: int) -> socket.socket:
        """Connect to a port of this network's loopback.

        Raises:
            OSError: nobody listens there.
        """
        made = self._thread.submit(socket.create_connection, (LOOPBACK, port), 5).result()
        made.setblocking(False)
        return made

    def close(self) -> None:
        self._thread.shutdown()


class Cables:
    """Relays connections between networks, in a thread of its own, until it is closed."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._servers: list[asyncio.Server] = []
        self._relays: set[asyncio.Task[None]] = set()
        self._plugged = True

    def lay(self, at: Network, to: Network, port: int, *, listen: int | None = None) -> int:
        """Let a port `at` a network be one `to` another; return the port that it listens on.

        Args:
            listen: the port at the one, if it is another; 0 for a free one.
        """
        listener = at.listening(port if listen is None else listen)

        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._relays.add(task)
            try:
                if self._plugged:
                    await _relayed(reader, writer, await self._far(to, port))
            except (OSError, asyncio.CancelledError):
                pass
            finally:
                self._relays.discard(task)
                writer.transport.abort()

        async def serve() -> None:
            self._servers.append(await asyncio.start_server(relay, sock=listener))

        self._run(serve())
        return int(listener.getsockname()[1])

    def pull(self) -> None:
        """Break all connections and let none begin until `plug`."""
        self._plugged = False
        self._run(self._break())

    def plug(self) -> None:
        """Let connections begin again."""
        self._plugged = True

    def close(self) -> None:
        """Break all connections, and listen no longer."""
        self.pull()
        self._run(self._unlay())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _far(self, to: Network, port: int) -> socket.socket:
        """Connect to a port; what arrives after this was cancelled is closed."""
        connecting = self._loop.run_in_executor(None, to.connected, port)
        try:
            return await asyncio.shield(connecting)
        except asyncio.CancelledError:
            connecting.add_done_callback(_close)
            raise

    async def _break(self) -> None:
        relays = list(self._relays)
        for relay in relays:
            relay.cancel()
        await asyncio.gather(*relays, return_exceptions=True)

    async def _unlay(self) -> None:
        for server in self._servers:
            server.close()
            await server.wait_closed()
        await self._loop.shutdown_default_executor()
        await asyncio.sleep(0)  # what was connected late is closed


def _close(connected: asyncio.Future[socket.socket]) -> None:
    if connected.exception() is None:
        connected.result().close()


async def _relayed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, far: socket.socket) -> None:
    far_reader, far_writer = await asyncio.open_connection(sock=far)
    try:
        async with asyncio.TaskGroup() as both:
            both.create_task(_pour(reader, far_writer))
            both.create_task(_pour(far_reader, writer))
    except* OSError:
        pass
    finally:
        far_writer.transport.abort()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hand on what arrives until the other side says no more."""
    while chunk := await reader.read(CHUNK):
        writer.write(chunk)
        await writer.drain()
    writer.write_eof()


@contextmanager
def network() -> Iterator[Network]:
    """Make a network with nothing but its loopback."""
    name = f"mc-{secrets.token_hex(4)}"
    subprocess.run([_IP, "netns", "add", name], check=True)
    try:
        subprocess.run([_IP, "netns", "exec", name, _IP, "link", "set", "lo", "up"], check=True)
        made = Network(name)
        yield made
        made.close()
    finally:
        subprocess.run([_IP, "netns", "del", name], check=True)
