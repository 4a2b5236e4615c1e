"""`memory-center up` on one machine: real servers, dummy products, and no process left behind however it ends."""

from __future__ import annotations

import contextlib
import fcntl
import http.client
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
import pytest

from deploy.embedded import ports
from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.servers import MilvusLite, PostgresServer, ServerStartError, ValkeyServer

LAUNCH = Path(__file__).parents[1] / "support" / "launch_dummies.py"
ALL_READY = ("gateway=http", "embedder=file", "worker=file", "eraser=file", "scheduler=file")
READY_SECONDS = 60


def eventually(condition: Callable[[], bool], seconds: float = 15, why: Callable[[], str] = str) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"did not happen in time {why()}"
        time.sleep(0.05)


def runs(pid: int) -> bool:
    """Say whether a process runs; one whose new parent has not noticed its end yet does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@dataclass
class Launched:
    """A launcher in a process of its own, with its output in a file."""

    process: subprocess.Popen[bytes]
    output: Path
    data: Path

    def said(self) -> str:
        return self.output.read_text()

    def says(self, text: str, seconds: float = READY_SECONDS) -> None:
        def heard() -> bool:
            assert self.process.poll() is None or text in self.said(), f"it ended, saying:\n{self.said()}"
            return text in self.said()

        eventually(heard, seconds, self.said)

    def pids(self) -> dict[str, int]:
        run = json.loads((self.data / "run.json").read_text())
        return {name: process["pid"] for name, process in run["processes"].items()}

    def port(self, name: str) -> int:
        return int(json.loads((self.data / "run.json").read_text())["ports"][name])

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


@contextlib.contextmanager
def launched(data: Path, *products: str, **environment: str) -> Iterator[Launched]:
    output = data.with_name(f"{data.name}-{time.monotonic_ns()}.out")
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, str(LAUNCH), str(data), *(products or ALL_READY)],
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**_clean_environment(), **environment},
            start_new_session=True,
        )
    try:
        yield Launched(process, output, data)
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
        process.wait()
        nothing_runs_with(data)


def _clean_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_CENTER_", "MAKE"))}


def nothing_runs_with(data: Path, seconds: float = 12) -> None:
    """Wait until no process has the data directory in its arguments, files or environment."""

    def of_ours() -> list[str]:
        found = []
        for process in psutil.process_iter(["pid", "cmdline", "status"]):
            with contextlib.suppress(psutil.Error):
                if process.info["status"] != psutil.STATUS_ZOMBIE and process.pid != os.getpid():
                    about = " ".join(process.info["cmdline"] or ()) + " ".join(process.environ().values())
                    if str(data) in about:
                        found.append(about[:200])
        return found

    eventually(lambda: not of_ours(), seconds, lambda: str(of_ours()))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_it_starts_says_where_everything_is_and_stops_without_a_trace(data: Path) -> None:
    with launched(data) as launcher:
        launcher.says("Ready in")
        said = launcher.said()
        assert f"http://127.0.0.1:{launcher.port('http')}" in said
        assert f"logs           {data / 'logs'}" in said
        assert "curl -s -H" in said
        assert re.search(r"\d+ MiB resident", said)
        assert set(launcher.pids()) == {
            *("guardian", "postgres", "valkey", "milvus"),
            *("gateway", "embedder", "worker", "eraser", "scheduler"),
        }
        for secret in ("secrets.json", "run.json"):
            assert (data / secret).stat().st_mode & 0o077 == 0
        for secret in json.loads((data / "secrets.json").read_text()).values():
            assert secret not in said + (data / "run.json").read_text()
            arguments = [psutil.Process(pid).cmdline() for pid in launcher.pids().values()]
            assert not any(secret in " ".join(each) for each in arguments)
        pids = launcher.pids()
        assert launcher.stop() == 0
        assert not any(runs(pid) for pid in pids.values())
        assert not (data / "run.json").exists()
        assert launcher.said().endswith("stopping\nstopped\n")


def test_only_the_owner_reaches_files_and_servers_whatever_the_umask_is(data: Path) -> None:
    """PostgreSQL and Valkey want a password; Milvus Lite knows none, so it has no port at all."""
    for folder in ("logs", "milvus"):  # as an older release, or a careless hand, left them
        (data / folder).mkdir(mode=0o755, parents=True)
    (data / "logs" / "gateway.log").touch(mode=0o644)
    with contextlib.ExitStack() as stack:
        before = os.umask(0)
        try:
            launcher = stack.enter_context(launched(data))
        finally:
            os.umask(before)
        launcher.says("Ready in")
        for path in (one for part in ("logs", "run", "files", "milvus", "valkey") for one in (data / part).rglob("*")):
            assert path.lstat().st_mode & 0o077 == 0, path
        for folder in ("logs", "run", "files", "milvus", "valkey", "postgres"):
            assert (data / folder).stat().st_mode & 0o077 == 0, folder
        assert data.stat().st_mode & 0o066 == 0
        pids = launcher.pids()
        assert not psutil.Process(pids["milvus"]).net_connections("inet")
        assert MilvusLite(data / "milvus").child().is_ready(pids["milvus"])
        for name in ("postgres", "valkey", "gateway"):
            listening = [
                connection.laddr.ip.removeprefix("::ffff:")
                for connection in psutil.Process(pids[name]).net_connections("inet")
                if connection.status == psutil.CONN_LISTEN
            ]
            assert listening == ["127.0.0.1"], name


def test_the_next_start_finds_the_data_and_the_secrets(data: Path) -> None:
    with launched(data, "gateway=http") as launcher:
        launcher.says("Ready in")
        secrets = DataDirectory(data).secrets()
        assert secrets is not None
        password = secrets.postgres_password
        url = PostgresServer(data / "postgres", password=password, port=launcher.port("postgres")).url()
        with psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        launcher.stop(signal.SIGINT)
    with launched(data, "gateway=http") as launcher:
        launcher.says("Ready in")
        assert DataDirectory(data).secrets() == secrets
        url = PostgresServer(data / "postgres", password=password, port=launcher.port("postgres")).url()
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_a_second_up_says_so_and_changes_nothing(data: Path) -> None:
    with launched(data) as first:
        first.says("Ready in")
        pids = first.pids()
        second = subprocess.run([sys.executable, str(LAUNCH), str(data)], capture_output=True, text=True, check=False)
        assert second.returncode == 3
        expected = f"is already running with {data} (pid {first.process.pid}) at http://127.0.0.1:{first.port('http')}"
        assert expected in second.stderr
        assert len(second.stderr.splitlines()) == 1
        assert first.pids() == pids
        command = [sys.executable, "-m", "services.cli.main", "up", "--data-dir", str(data)]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 3


def test_a_killed_launcher_leaves_nothing_and_the_next_one_starts(data: Path) -> None:
    with launched(data, "gateway=http", "worker=stubborn") as launcher:
        launcher.says("Ready in")
        launcher.process.kill()
        nothing_runs_with(data)
        assert (data / "run.json").exists()
    with launched(data) as launcher:
        launcher.says("Ready in")


def test_a_start_right_after_a_kill_waits_for_what_is_left(data: Path) -> None:
    with launched(data, "gateway=http", "worker=stubborn") as launcher:
        launcher.says("Ready in")
        worker = launcher.pids()["worker"]
        launcher.process.kill()
        with launched(data) as successor:
            successor.says("Ready in")
            assert not runs(worker)


def test_leftovers_without_a_guardian_are_ended_by_the_next_start(data: Path) -> None:
    with launched(data, "gateway=http", "worker=file") as launcher:
        launcher.says("Ready in")
        pids = launcher.pids()
        launcher.process.send_signal(signal.SIGSTOP)  # so that it cannot replace the guardian
        os.kill(pids["guardian"], signal.SIGKILL)
        launcher.process.kill()
        with launched(data) as successor:
            successor.says("Ready in")
            assert "ended what a killed launcher left running" in successor.said()
            assert not any(runs(pid) for pid in pids.values())


def test_a_launcher_killed_while_starting_leaves_nothing(data: Path) -> None:
    with launched(data) as launcher:
        eventually((data / "run.json").exists)
        launcher.process.kill()
        nothing_runs_with(data)
    with launched(data) as launcher:
        launcher.says("Ready in")


def test_a_killed_guardian_is_replaced(data: Path) -> None:
    with launched(data, "gateway=http") as launcher:
        launcher.says("Ready in")
        before = launcher.pids()["guardian"]
        os.kill(before, signal.SIGKILL)
        launcher.says("the guardian stopped, started another")
        eventually(lambda: launcher.pids().get("guardian", before) != before)
        launcher.process.kill()
        nothing_runs_with(data)


@pytest.mark.parametrize("name", ["worker", "postgres", "valkey", "milvus"])
def test_a_crashed_child_is_restarted_where_it_was(data: Path, name: str) -> None:
    with launched(data, "gateway=http", "worker=file") as launcher:
        launcher.says("Ready in")
        before, port = launcher.pids()[name], launcher.port(name) if name in ("postgres", "valkey") else None
        os.kill(before, signal.SIGKILL)
        launcher.says(f"{name} stopped (killed by SIGKILL), restarting in 0.5 s; see logs/{name}.log")
        launcher.says(f"{name} is ready again")
        assert launcher.pids()[name] != before
        if port is not None:
            assert launcher.port(name) == port
            socket.create_connection(("127.0.0.1", port), timeout=1).close()


def test_a_product_that_cannot_start_is_named_and_everything_stops(data: Path) -> None:
    with launched(data, "gateway=http", "worker=broken") as launcher:
        assert launcher.process.wait(READY_SECONDS) == 1
        assert "giving up: worker stopped (exit 1), 5 times; see logs/worker.log" in launcher.said()


def test_a_second_ctrl_c_hurries(data: Path) -> None:
    with launched(data, "gateway=http", "worker=stubborn") as launcher:
        launcher.says("Ready in")
        began = time.monotonic()
        launcher.process.send_signal(signal.SIGINT)
        launcher.says("stopping")
        assert launcher.stop(signal.SIGINT) == 0
        assert time.monotonic() - began < 6


def test_ctrl_c_in_a_terminal_reaches_the_launcher_and_stops_everything(data: Path) -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _IN_TERMINAL, str(LAUNCH), str(data), "gateway=http"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    )
    os.close(terminal)
    try:
        _read_until(controller, b"Ready in")
        os.write(controller, b"\x03")
        _read_until(controller, b"stopped\r\n")
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        os.close(controller)
    nothing_runs_with(data)


# Makes the pseudo terminal the controlling one, as a login shell's is, then becomes the launcher.
_IN_TERMINAL = (
    "import fcntl, os, sys, termios;"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)


def _read_until(terminal: int, text: bytes) -> bytes:
    fcntl.fcntl(terminal, fcntl.F_SETFL, fcntl.fcntl(terminal, fcntl.F_GETFL) | os.O_NONBLOCK)
    seen = bytearray()

    def found() -> bool:
        with contextlib.suppress(BlockingIOError, OSError):
            seen.extend(os.read(terminal, 65536))
        return text in seen

    eventually(found, READY_SECONDS, lambda: seen.decode(errors="replace"))
    return bytes(seen)


def test_a_killed_parent_takes_the_launcher_along_when_asked_to(data: Path) -> None:
    run_and_wait = "import subprocess, sys; subprocess.run([sys.executable, *sys.argv[1:]])"
    parent = subprocess.Popen(
        [sys.executable, "-c", run_and_wait, str(LAUNCH), str(data), "gateway=http"],
        env={**_clean_environment(), "MEMORY_CENTER_STOP_WITH_PARENT": "1"},
        stdout=subprocess.DEVNULL,
    )
    try:
        eventually(lambda: "gateway" in (data / "run.json").read_text() if (data / "run.json").exists() else False)
    finally:
        parent.kill()
        parent.wait()
    nothing_runs_with(data)
    assert not (data / "run.json").exists()


def test_a_taken_port_that_was_asked_for_is_refused_and_a_default_one_replaced(data: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = _cli("up", "--data-dir", str(data), "--port", str(port))
    assert (refused.returncode, refused.stderr) == (
        4, f"memory-center: port {port} on 127.0.0.1 (http) is in use; choose another\n",
    )  # fmt: skip
    with contextlib.ExitStack() as stack:
        if ports.is_free(8765):
            default = stack.enter_context(socket.create_server(("127.0.0.1", 8765)))
            default.listen()
        launcher = stack.enter_context(launched(data, "gateway=http"))
        launcher.says("Ready in")
        assert launcher.port("http") != 8765
        connection = http.client.HTTPConnection("127.0.0.1", launcher.port("http"), timeout=5)
        connection.request("GET", "/readyz")
        assert connection.getresponse().status == 200
        connection.close()


def test_two_installations_that_start_together_get_ports_of_their_own(tmp_path: Path) -> None:
    with launched(tmp_path / "one", "gateway=http") as one, launched(tmp_path / "two", "gateway=http") as two:
        one.says("Ready in")
        two.says("Ready in")
        assert not set(one.pids().values()) & set(two.pids().values())
        assert one.port("http") != two.port("http")


def test_the_external_stack_names_what_is_missing(data: Path) -> None:
    refused = _cli("up", "--stack", "external", "--data-dir", str(data), MEMORY_CENTER_BROKER_URL="redis://x")
    assert refused.returncode == 2
    missing = "MEMORY_CENTER_DATABASE_URL, MEMORY_CENTER_MILVUS_URI"
    assert refused.stderr == f"memory-center: --stack external needs {missing} in the environment\n"
    assert not data.exists()


def test_settings_of_outside_servers_are_not_mixed_with_servers_of_its_own(data: Path) -> None:
    refused = _cli("up", "--data-dir", str(data), MEMORY_CENTER_DATABASE_OWNER_URL="postgresql://other/memory")
    assert (refused.returncode, data.exists()) == (2, False)
    assert refused.stderr == "memory-center: MEMORY_CENTER_DATABASE_OWNER_URL: only for --stack external\n"


def test_the_external_stack_starts_only_our_own_processes(data: Path, tmp_path: Path) -> None:
    with PostgresServer(tmp_path / "postgres", password="secret", durable=False) as postgres:
        outside = {
            "MEMORY_CENTER_STACK": "external",
            "MEMORY_CENTER_DATABASE_URL": postgres.url(),
            "MEMORY_CENTER_BROKER_URL": "redis://127.0.0.1:1/0",
            "MEMORY_CENTER_MILVUS_URI": "http://127.0.0.1:1",
        }
        with launched(data, "gateway=http", "worker=file", **outside) as launcher:
            launcher.says("Ready in")
            assert set(launcher.pids()) == {"guardian", "gateway", "worker"}
            assert f":{postgres.port}/memory_center" in (data / "logs" / "worker.log").read_text()
            assert launcher.stop() == 0
        with psycopg.connect(postgres.url()) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)


def test_commands_refuse_in_one_line(data: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for arguments, code in (
        (("token", "--user", "ada", "--data-dir", str(data)), 2),
        (("token", "--data-dir", str(data)), 2),
        (("migrate", "--data-dir", str(data)), 2),
        (("up", "--port", "many"), 2),
        (("up", "--data-dir", str(tmp_path / "file" / "below")), 1),
    ):
        refused = _cli(*arguments)
        assert refused.returncode == code, arguments
        assert len(refused.stderr.splitlines()) == 1, refused.stderr
        assert refused.stderr.startswith("memory-center: ")


def test_damaged_secrets_are_not_replaced(data: Path) -> None:
    data.mkdir()
    (data / "secrets.json").write_text("{")
    refused = _cli("up", "--data-dir", str(data))
    assert refused.returncode == 2
    assert "restore it from a backup" in refused.stderr
    assert (data / "secrets.json").read_text() == "{"


def test_secrets_that_are_missing_beside_a_database_are_not_made_anew(data: Path) -> None:
    (data / "postgres").mkdir(parents=True)
    (data / "postgres" / "PG_VERSION").write_text("18\n")
    refused = _cli("up", "--data-dir", str(data))
    assert refused.returncode == 2
    assert "restore it from a backup" in refused.stderr
    assert not (data / "secrets.json").exists()


def test_the_doctor_examines_a_stopped_and_a_running_installation(data: Path) -> None:
    stopped = _cli("doctor", "--data-dir", str(data))
    assert stopped.returncode == 0, stopped.stdout
    assert f"not running → start it: memory-center up --data-dir {data}" in stopped.stdout
    assert not data.exists()
    with launched(data) as launcher:
        launcher.says("Ready in")
        running = _cli("doctor", "--data-dir", str(data))
        lines = {line.split()[1]: line for line in running.stdout.splitlines()}
        for part in ("launcher", "embedder", "mem0", "postgres", "valkey", "milvus", "gateway", "processes"):
            assert lines[part].startswith("ok"), running.stdout
        # The dummy migration made no tables; the real one is a command away.
        assert lines["schema"].startswith("fail")
        assert running.returncode == 1
        assert _cli("migrate", "--data-dir", str(data)).returncode == 0
        mended = _cli("doctor", "--data-dir", str(data))
        assert mended.returncode == 0, mended.stdout
        token = _cli("token", "--user", "ada", "--data-dir", str(data))
        assert token.stdout.count(".") == 2
        assert _cli("token", "--service", "--data-dir", str(data)).stdout.startswith("mc_service_")


def _cli(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "services.cli.main", *arguments],
        env={**_clean_environment(), **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


# --- The servers on their own, as the test-suite uses them


def test_two_servers_run_side_by_side_and_stop(tmp_path: Path) -> None:
    with (
        PostgresServer(tmp_path / "one", password="secret", durable=False, databases=("first", "second")) as one,
        PostgresServer(tmp_path / "two", password="secret", durable=False) as two,
    ):
        assert one.port != two.port
        with psycopg.connect(one.url("second")) as connection:
            assert connection.execute("SELECT datcollate, datlocale FROM pg_database").fetchone() == ("C", "C.UTF-8")
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(two.url().replace("secret", "guess"))
        pids = (one.pid, two.pid)
    assert not any(pid is None or runs(pid) for pid in pids)


def test_a_pid_file_that_names_another_program_does_not_stop_postgres(tmp_path: Path) -> None:
    server = PostgresServer(tmp_path / "postgres", password="secret", durable=False)
    with server:
        stale = (server.directory / "postmaster.pid").read_text().splitlines()
    pid_file = server.directory / "postmaster.pid"
    pid_file.write_text("\n".join([str(os.getpid()), *stale[1:]]) + "\n")
    with server, psycopg.connect(server.url()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_server_that_cannot_start_quotes_its_log(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        server = ValkeyServer(tmp_path / "valkey", password="secret", port=taken.getsockname()[1])
        with pytest.raises(ServerStartError, match=r"valkey stopped \(exit 1\)(?s:.)*Address already in use"):
            server.start()
