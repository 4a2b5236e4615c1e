"""The installation that `memory-center doctor` examines."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.embedded import launcher, ports
from deploy.embedded.data_directory import DataDirectory, Run, Secrets, SecretsUnreadableError
from deploy.embedded.servers import milvus_uri
from services.cli.doctor.finding import Finding

DATABASE_URL: Final = "MEMORY_CENTER_DATABASE_URL"
BROKER_URL: Final = "MEMORY_CENTER_BROKER_URL"
MILVUS_URI: Final = "MEMORY_CENTER_MILVUS_URI"


@dataclass(frozen=True, slots=True)
class Patient:
    """The installation to examine: its directory, and its running processes if any."""

    directory: DataDirectory
    run: Run | None
    secrets: Secrets | None
    urls: Mapping[str, str]

    @property
    def up(self) -> str:
        return f"memory-center up --data-dir {self.directory.root}"

    def log(self, name: str) -> str:
        return f"see {self.directory.log(name)}"


def admit(data_dir: Path) -> tuple[Patient, list[Finding]]:
    """Inspect the directory and running processes; return the installation and the findings so far."""
    directory = DataDirectory(data_dir.resolve())
    findings: list[Finding] = []
    secrets = None
    try:
        secrets = directory.secrets()
    except SecretsUnreadableError as damaged:
        findings.append(Finding("fail", "secrets", str(damaged), "without it nobody can sign in to this data"))
    run = directory.run() if directory.is_held() else None
    patient = Patient(directory, run, secrets, _urls(directory, run, secrets))
    if run is not None:
        findings.append(Finding("ok", "launcher", f"running (pid {run.pid}, {run.stack}) at {run.url}"))
        findings += _not_named(run, patient.urls)
    else:
        findings.append(Finding("warn", "launcher", "not running", f"start it: {patient.up}"))
    return patient, findings


def _not_named(run: Run, urls: Mapping[str, str]) -> Iterator[Finding]:
    """Report servers of the operator's own that this shell does not name: nothing of them is checked."""
    missing = [name for name in launcher.OUTSIDE_URLS if name not in urls]
    if run.stack == "external" and missing:
        remedy = "load the settings that the installation was started with into this shell"
        yield Finding("fail", "servers", f"not checked, because not set here: {', '.join(missing)}", remedy)


def _urls(directory: DataDirectory, run: Run | None, secrets: Secrets | None) -> dict[str, str]:
    """Return the URLs of the servers: the running installation's, or those from the environment."""
    named = {name: os.environ[name] for name in launcher.OUTSIDE_URLS if os.environ.get(name)}
    if run is None or secrets is None or run.stack == "external":
        return named
    at = ports.LOOPBACK
    return {
        DATABASE_URL: f"postgresql://memory_center:{secrets.postgres_password}@{at}:{run.ports['postgres']}/memory_center",
        BROKER_URL: f"redis://:{secrets.valkey_password}@{at}:{run.ports['valkey']}/0",
        MILVUS_URI: milvus_uri(directory.milvus),
    }
