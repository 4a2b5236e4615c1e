"""PostgreSQL and Milvus Lite of one run, to be killed, stopped and restarted; see `restoring` for wiping PostgreSQL.

PostgreSQL commits reach the operating system before they are acknowledged (`synchronous_commit=on`), so that a killed
server loses nothing; only power loss would, which no test can cause.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from pathlib import Path
from typing import Literal, TypeAlias

import psutil
import psycopg
from pydantic import SecretStr

from deploy.embedded.servers import MilvusLite, PostgresServer, Server, ServerStartError, TcpServer
from migrations.upgrade import upgrade
from shared.runtime.settings import Settings

Name: TypeAlias = Literal["postgres", "milvus"]

PASSWORD = "only-for-tests"
SIGNING_KEY = "signing-key-for-tests-0123456789-0123456789"
RESTART_SECONDS = 30.0

AUDIT = """
create table chaos_closed_again (step_id bigint);
create function chaos_audit() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into chaos_closed_again values (new.id);
  return null;
end $$;
create trigger chaos_audit after update on operation_steps for each row
  when (old.status = 'succeeded' and new.finished_at is distinct from old.finished_at)
  execute function chaos_audit();
"""
"""Notes a step that is closed twice: repeating is harmless by design, so nothing else shows an ignored lease."""


class Servers:
    """The servers of one run, below `directory`."""

    def __init__(self, directory: Path, *, connections: int = 200) -> None:
        self.directory = directory
        self.postgres = PostgresServer(
            directory / "postgres",
            password=PASSWORD,
            durable=False,
            settings={"synchronous_commit": "on", "max_connections": str(connections)},
        )
        self.milvus = MilvusLite(directory / "milvus")
        self.down: set[Name] = set()

    def start(self) -> None:
        for server in (self.postgres, self.milvus):
            server.start()
            if isinstance(server, TcpServer):
                server._chosen_port = server.port  # it comes back where it was
        upgrade(self.postgres.url())
        with psycopg.connect(self.postgres.url()) as connection:
            connection.execute(AUDIT)

    def settings(self, **more: object) -> Settings:
        """Return what every process of the product is told."""
        values: dict[str, object] = {
            "database_url": SecretStr(self.postgres.url()),
            "broker_url": SecretStr("redis://127.0.0.1:1/0"),
            "milvus_uri": self.milvus.url(),
            "milvus_flavour": "lite",
            "data_dir": self.directory / "data",
            "signing_key": SecretStr(SIGNING_KEY),
            "service_key": SecretStr("mc_service_for-tests-0123456789"),
            "worker_threads": 2,
            "person_requests_per_minute": 0,
            "service_requests_per_minute": 0,
            "ledger_key": SecretStr("ledger-key-for-tests-0123456789"),
        }
        return Settings(**{**values, **more})  # type: ignore[arg-type]

    def kill(self, name: Name) -> None:
        """SIGKILL it; it stays away until `heal`."""
        if name not in self.down:
            for process in self._processes(name):
                with contextlib.suppress(psutil.Error):
                    process.kill()
            self.down.add(name)

    def pause(self, name: Name, seconds: float) -> None:
        """SIGSTOP it with its children, and continue it by itself some seconds later."""
        processes = self._processes(name)
        for process in processes:
            with contextlib.suppress(psutil.Error):
                process.send_signal(signal.SIGSTOP)
        resume = threading.Timer(seconds, self._continue, [processes])
        resume.daemon = True
        resume.start()

    def heal(self) -> None:
        """Restart whatever was killed."""
        for name in sorted(self.down):
            server: Server = getattr(self, name)
            deadline = time.monotonic() + RESTART_SECONDS
            while True:
                server.stop()
                try:
                    server.start()
                    break
                except ServerStartError:  # PostgreSQL waits for the backends of the one that died
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.1)
            self.down.discard(name)

    def stop(self) -> None:
        for server in (self.postgres, self.milvus):
            server.stop()

    def _processes(self, name: Name) -> list[psutil.Process]:
        server: Server = getattr(self, name)
        assert server.pid is not None
        first = psutil.Process(server.pid)
        return [first, *first.children(recursive=True)]

    @staticmethod
    def _continue(processes: list[psutil.Process]) -> None:
        for process in processes:
            with contextlib.suppress(psutil.Error, ProcessLookupError):
                os.kill(process.pid, signal.SIGCONT)
