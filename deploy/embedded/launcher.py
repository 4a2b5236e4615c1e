"""Starts, watches and stops everything on one machine: servers, migration, and the product's processes."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from secrets import token_urlsafe
from types import FrameType
from typing import Literal

from deploy.embedded import ports, private, processes, readiness, recording
from deploy.embedded.data_directory import DataDirectory, RunningProcess, Secrets, is_alive
from deploy.embedded.processes import Child, Guardian
from deploy.embedded.servers import MilvusLite, PostgresServer, Server, ServerStartError, TcpServer, ValkeyServer
from deploy.embedded.supervision import FORKSERVER, Supervisor
from shared.outbox.job_kinds import ERASURE_QUEUES, OTHER_QUEUES

Stack = Literal["embedded", "external"]
DEFAULT_PORT = 8765
OWNER_URL = "MEMORY_CENTER_DATABASE_OWNER_URL"
"""The migration alone is told: whoever serves requests must not own the schema."""
OUTSIDE_URLS = ("MEMORY_CENTER_DATABASE_URL", "MEMORY_CENTER_BROKER_URL", "MEMORY_CENTER_MILVUS_URI")
EXTERNAL_ONLY = (
    OWNER_URL,
    "MEMORY_CENTER_DATABASE_DIRECT_URL",
    "MEMORY_CENTER_DATABASE_RECALL_URL",
    "MEMORY_CENTER_POOLER",
    "MEMORY_CENTER_MILVUS_TOKEN",
)
"""They name servers that must not be mistaken for those started here, or how to reach them."""
_STARTING_POLL_SECONDS = 0.05
_RUNNING_POLL_SECONDS = 0.25


class LaunchRefusedError(RuntimeError):
    """Nothing was started; the message is one line for a person."""

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """A product process: its command, the processes it waits for, and how it reports readiness.

    It starts at once, imports its modules, and waits for the file in `MEMORY_CENTER_START_FILE` before it connects to
    anything. A `forked` one is a copy of the fork server, which has imported most of it. `ready` is `http` (GET /readyz
    answers), `file` (it touches `MEMORY_CENTER_READY_FILE`) or `exit` (it ends with 0, and is not run again).
    """

    name: str
    argv: tuple[str, ...]
    after: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    ready: Literal["http", "file", "exit"] = "file"
    forked: bool = True


def _module(name: str) -> tuple[str, ...]:
    # -P: do not import a folder called `services` or `workers` from the current directory.
    return (sys.executable, "-P", "-m", name)


def _serving(queues: Collection[str]) -> dict[str, str]:
    return {"MEMORY_CENTER_QUEUES": ",".join(sorted(queues))}


IMPORTED_ONCE = (
    *("celery", "kombu.transport.redis", "pymilvus", "redis.asyncio"),
    *("shared.memories.learn", "shared.conversations.record", "shared.stores.mem0"),
)
"""Modules the fork server imports for all copies, including the modules these import."""
MIGRATION = "migration"
_NEEDS = (MIGRATION, "valkey", "milvus")
PRODUCTS: tuple[Product, ...] = (
    Product(name=MIGRATION, argv=_module("migrations"), after=("postgres",), ready="exit"),
    Product(name="embedder", argv=_module("services.embedder"), after=(), forked=False),
    Product(name="gateway", argv=_module("services.gateway"), after=_NEEDS, ready="http"),
    Product(name="worker", argv=_module("workers"), after=_NEEDS, environment=_serving(OTHER_QUEUES)),
    Product(name="eraser", argv=_module("workers"), after=_NEEDS, environment=_serving(ERASURE_QUEUES)),
    Product(name="scheduler", argv=_module("workers.scheduler"), after=_NEEDS),
)
MODEL = Product(name="model", argv=_module("services.model"), after=(), forked=False)
"""Runs if a language model file is configured; other processes continue without its answers until it is ready."""
MODEL_FILE = "MEMORY_CENTER_LLM_FILE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Command-line options; None means the default, or a free port."""

    directory: DataDirectory
    stack: Stack = "embedded"
    port: int | None = None
    server_ports: Mapping[str, int] = field(default_factory=dict)
    stop_with_parent: bool = False


@dataclass(slots=True)
class Launcher:
    """Runs one installation until it is told to stop.

    `say` receives one line per event; `greet` is called once, when everything is ready. Neither may raise.
    """

    options: Options
    say: Callable[[str], None]
    greet: Callable[[Launcher, float], None]
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    products: Sequence[Product] = PRODUCTS
    port: int = DEFAULT_PORT
    _servers: list[Server] = field(default_factory=list)
    _stops: int = 0
    _claim: socket.socket | None = None
    _wake: threading.Event = field(default_factory=threading.Event)
    _model: dict[str, str] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://{ports.LOOPBACK}:{self.port}"

    def resident_bytes(self) -> int:
        """Return the memory of all processes of this launch in bytes, each shared page counted once."""
        return recording.resident_bytes()

    def run(self) -> int:
        """Start everything, keep it running, stop it on SIGINT, SIGTERM or SIGHUP; return the exit code.

        Raises:
            LaunchRefusedError: a port is in use (4), or settings for the external stack are missing (2).
            AlreadyRunning: another launcher uses the data directory.
            SecretsUnreadableError: the installation's secrets are damaged.
            OSError: the data directory is not writable.
        """
        began = time.monotonic()
        self._listen_to_signals()
        os.umask(private.UMASK)
        parents = recording.parents() if self.options.stop_with_parent else []
        directory = self.options.directory
        self._check_outside_urls()
        self.prepare_model()
        directory.make()
        with directory.held():
            if ended := recording.end_leftovers_of_last_run(directory):
                self.say(f"ended what a killed launcher left running: {', '.join(ended)}")
            self._choose_ports()
            secrets = directory.secrets_or_new()
            for log in directory.logs.glob("*.log"):
                processes.rotate(log)
            return self._run(secrets, began, parents)

    def _run(self, secrets: Secrets, began: float, parents: Sequence[RunningProcess]) -> int:
        directory = self.options.directory
        guardian = Guardian(directory.log("guardian"))
        supervisor = Supervisor(
            start=guardian.start,
            say=self.say,
            ended=guardian.release,
            changed=lambda: self._record(supervisor, guardian),
        )
        try:
            self._start(supervisor, secrets)
            return self._watch(supervisor, guardian, began, parents)
        finally:
            if supervisor.running():
                self.say("stopping")
            supervisor.stop(hurried=lambda: self._stops > 1)
            guardian.close()
            directory.remove_run()
            if self._claim is not None:
                self._claim.close()
            self.say("stopped")

    def _start(self, supervisor: Supervisor, secrets: Secrets) -> None:
        if self.options.stack == "embedded":
            self._make_servers(secrets)
        supervisor.add(self.children(secrets))
        # PostgreSQL comes last: its first initialisation blocks, while everything else is starting.
        for server in self._servers:
            try:
                server.prepare()
            except ServerStartError as problem:
                supervisor.failure = str(problem).splitlines()[0]
                return
            supervisor.add([server.child()])
            supervisor.step()

    def _watch(
        self, supervisor: Supervisor, guardian: Guardian, began: float, parents: Sequence[RunningProcess]
    ) -> int:
        greeted = False
        while not self._stops:
            if guardian.keep_alive():
                self.say("the guardian stopped, started another")
                self._record(supervisor, guardian)
            supervisor.step()
            if supervisor.failure is not None:
                self.say(f"giving up: {supervisor.failure}")
                return 1
            if not all(is_alive(parent) for parent in parents):
                self.say("the process that started this one is gone")
                return 0
            if not greeted and supervisor.all_ready():
                greeted = True
                self.greet(self, time.monotonic() - began)
            self._wake.wait(_RUNNING_POLL_SECONDS if greeted else _STARTING_POLL_SECONDS)
        return 0

    def _listen_to_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
                continue  # started with nohup: it must outlive the terminal
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._stops += 1
        self._wake.set()

    def _check_outside_urls(self) -> None:
        missing = [name for name in OUTSIDE_URLS if not self.environment.get(name)]
        if self.options.stack == "external" and missing:
            raise LaunchRefusedError(f"--stack external needs {', '.join(missing)} in the environment", 2)
        foreign = [name for name in EXTERNAL_ONLY if self.environment.get(name)]
        if self.options.stack == "embedded" and foreign:
            raise LaunchRefusedError(f"{', '.join(foreign)}: only for --stack external", 2)

    def prepare_model(self) -> None:
        """If a language model file is configured, make it the endpoint of this launch.

        Raises:
            LaunchRefusedError: the file does not exist, or the package that serves it is not installed.
        """
        name = self.environment.get(MODEL_FILE)
        if not name:
            return
        if not Path(name).is_file():
            raise LaunchRefusedError(f"{MODEL_FILE} names no file", 2)
        if find_spec("xllamacpp") is None:
            raise LaunchRefusedError(f"{MODEL_FILE} needs the extra gguf: pip install 'memory-center[gguf]'", 2)
        port = ports.claimed_port()
        self._model = {
            MODEL_FILE: str(Path(name).resolve()),
            "MEMORY_CENTER_LLM_PORT": str(port),
            "MEMORY_CENTER_LLM_BASE_URL": f"http://{ports.LOOPBACK}:{port}/v1",
            "MEMORY_CENTER_LLM_MODEL": Path(name).stem,
            "MEMORY_CENTER_LLM_API_KEY": token_urlsafe(32),
        }

    def _choose_ports(self) -> None:
        for name, port in self.options.server_ports.items():
            if not ports.is_free(port):
                raise LaunchRefusedError(_taken(port, name), 4)
        wanted = self.options.port or DEFAULT_PORT
        self._claim = ports.claim(wanted)
        if self._claim is not None:
            self.port = wanted
        elif self.options.port is None:
            self.port = ports.claimed_port()
        else:
            raise LaunchRefusedError(_taken(wanted, "http"), 4)

    def _make_servers(self, secrets: Secrets) -> None:
        directory, chosen = self.options.directory, self.options.server_ports
        self._servers = [
            MilvusLite(directory.milvus, log=directory.log("milvus")),
            ValkeyServer(
                directory.valkey,
                password=secrets.valkey_password,
                port=chosen.get("valkey"),
                log=directory.log("valkey"),
            ),
            PostgresServer(
                directory.postgres,
                password=secrets.postgres_password,
                port=chosen.get("postgres"),
                log=directory.log("postgres"),
            ),
        ]

    def children(self, secrets: Secrets) -> Iterator[Child]:
        """Yield how to run each product process."""
        directory = self.options.directory
        common = {**self.environment, **product_environment(self, secrets)}
        common.pop("MEMORY_CENTER_METRICS_PORT", None)  # processes on one machine cannot share one port
        owner = common.pop(OWNER_URL, None)
        forkserver = private.socket_in(directory.readiness, FORKSERVER)
        products = [*self.products, MODEL] if self._model else self.products
        if any(product.forked for product in products):
            yield Child(
                name=FORKSERVER,
                argv=(*_module("deploy.embedded.forkserver"), str(forkserver), *IMPORTED_ONCE),
                log=directory.log(FORKSERVER),
                environment=common,
                before_start=partial(private.prepare_socket, forkserver),
                is_ready=lambda _pid: private.answers(forkserver),
            )
        known = {product.name for product in products} | {server.name for server in self._servers}
        for product in products:
            ready_file, start_file = (directory.readiness / f"{product.name}.{what}" for what in ("ready", "start"))
            yield Child(
                name=product.name,
                argv=product.argv,
                log=directory.log(product.name),
                environment={
                    **common,
                    **product.environment,
                    **({OWNER_URL: owner} if owner is not None and product.name == MIGRATION else {}),
                    "MEMORY_CENTER_READY_FILE": str(ready_file),
                    "MEMORY_CENTER_START_FILE": str(start_file),
                },
                after=tuple(name for name in product.after if name in known),
                once=product.ready == "exit",
                before_start=readiness.remover(ready_file, start_file),
                begin=start_file.touch,
                forkserver=forkserver if product.forked else None,
                is_ready=(
                    readiness.asks(self.port, self.say) if product.ready == "http" else readiness.looks_for(ready_file)
                ),
            )

    def _record(self, supervisor: Supervisor, guardian: Guardian) -> None:
        chosen = {"http": self.port}
        chosen |= {server.name: server.port for server in self._servers if isinstance(server, TcpServer)}
        children = {"guardian": (guardian.pid, int(signal.SIGTERM))}
        for name, (child, pid) in supervisor.running().items():
            children[name] = (pid, int(child.stop_signals[0]))
        recording.record(self.options.directory, self.options.stack, self.url, chosen, children)


def product_environment(launcher: Launcher, secrets: Secrets) -> dict[str, str]:
    """Return the settings of all product processes, as `MEMORY_CENTER_<NAME>`, and those of their libraries."""
    told = {
        "MEMORY_CENTER_SIGNING_KEY": launcher.environment.get("MEMORY_CENTER_SIGNING_KEY") or secrets.signing_key,
        "MEMORY_CENTER_SERVICE_KEY": launcher.environment.get("MEMORY_CENTER_SERVICE_KEY") or secrets.service_key,
        "MEMORY_CENTER_LEDGER_KEY": launcher.environment.get("MEMORY_CENTER_LEDGER_KEY") or secrets.ledger_key,
        "MEMORY_CENTER_DATA_DIR": str(launcher.options.directory.root),
        "MEMORY_CENTER_HOST": ports.LOOPBACK,
        "MEMORY_CENTER_PORT": str(launcher.port),
        "OMP_NUM_THREADS": "1",
        "GRPC_VERBOSITY": "NONE",  # its log lines would mix with ours
        "MEM0_TELEMETRY": "False",
        "PYTHONUNBUFFERED": "1",
    }
    for server in launcher._servers:  # noqa: SLF001  # one module
        told |= server_environment(server)
    return told | launcher._model  # noqa: SLF001  # as above


def server_environment(server: Server) -> dict[str, str]:
    """Return the settings with which product processes reach one embedded server."""
    match server:
        case PostgresServer():
            return {"MEMORY_CENTER_DATABASE_URL": server.url()}
        case ValkeyServer():
            return {"MEMORY_CENTER_BROKER_URL": server.url()}
        case MilvusLite():
            return {"MEMORY_CENTER_MILVUS_URI": server.url(), "MEMORY_CENTER_MILVUS_FLAVOUR": "lite"}
        case _:
            raise TypeError(f"no process of ours uses {server.name}")


def _taken(port: int, name: str) -> str:
    return f"port {port} on {ports.LOOPBACK} ({name}) is in use; choose another"
