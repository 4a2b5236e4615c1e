"""`memory-center demo`: it proves what it shows, with the search index up and with it killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.test_launcher import nothing_runs_with
from tests.support.transcripts import untrue

SECONDS = 240


def start_demo(temporary: Path, *options: str) -> subprocess.Popen[str]:
    """Start a demo whose temporary directory lies in `temporary`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORY_CENTER_", "MAKE"))}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "services.cli.main", "demo", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**kept, "TMPDIR": str(temporary), "PYTHONUTF8": "1"},
    )


def directories_of(temporary: Path) -> list[Path]:
    return list(temporary.glob("memory-center-demo-*"))


@pytest.mark.parametrize(
    "options", [(), pytest.param(("--stop-milvus",), marks=pytest.mark.full)], ids=["all well", "search index killed"]
)
def test_the_demo_forgets_and_proves_it_from_every_store(tmp_path: Path, options: tuple[str, ...]):
    demo = start_demo(tmp_path, *options)
    output, _ = demo.communicate(timeout=SECONDS)

    assert demo.returncode == 0, output
    last = output.splitlines()[-1]
    assert last.startswith("DEMO "), output
    result = json.loads(last.removeprefix("DEMO "))
    assert result.pop("seconds") > 0
    assert result.pop("turns") >= 12
    assert result.pop("memories") > 0
    assert result == {"ok": True, "operations": 4, "residue": 0, "lost": 0}
    if not options:
        assert untrue("make demo", output) == [], output
    if "--stop-milvus" in options:
        assert "Could not reach the search index" in output
        assert "answered in fixed order: the search index is unavailable" in output
    assert directories_of(tmp_path) == []
    nothing_runs_with(tmp_path)


def test_ctrl_c_stops_the_servers_and_removes_what_was_written(tmp_path: Path):
    demo = start_demo(tmp_path)
    deadline = time.monotonic() + 60
    while not any((each / "data" / "run.json").exists() for each in directories_of(tmp_path)):
        assert demo.poll() is None
        assert time.monotonic() < deadline, "the servers were not started in time"
        time.sleep(0.05)
    demo.send_signal(signal.SIGINT)
    output, _ = demo.communicate(timeout=60)

    assert demo.returncode == 130, output
    assert "Traceback" not in output
    assert directories_of(tmp_path) == []
    nothing_runs_with(tmp_path)
