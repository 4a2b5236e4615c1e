"""A GGUF file of this machine is read with like any endpoint: answers have the shape that is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deploy.embedded import ports
from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.launcher import Launcher, LaunchRefusedError, Options
from shared.language.model.questions import MEANT, RELATIONS, TURN, MeantAnswer, RelationsAnswer, TurnAnswer
from shared.language.model.readings import Endpoint
from tests.support.tiny_model import tiny_model

KEY = "a-key-of-this-test"
SERVE = [sys.executable, "-m", "services.model"]
READY_SECONDS = 60.0


def environment(file: Path, port: int) -> dict[str, str]:
    return os.environ | {
        "MEMORY_CENTER_LLM_FILE": str(file),
        "MEMORY_CENTER_LLM_PORT": str(port),
        "MEMORY_CENTER_LLM_API_KEY": KEY,
        "MEMORY_CENTER_LLM_THREADS": "1",
    }


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("model")
    port, ready = ports.free_port(), folder / "ready"
    told = environment(tiny_model(folder / "tiny.gguf"), port) | {"MEMORY_CENTER_READY_FILE": str(ready)}
    log = folder / "log"
    with log.open("wb") as output, subprocess.Popen(SERVE, env=told, stdout=output, stderr=output) as process:
        until = time.monotonic() + READY_SECONDS
        while not ready.exists():
            assert process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < until
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/v1"
        process.terminate()
        assert process.wait(30) == 0
    assert "bees" not in log.read_text(encoding="utf-8", errors="replace")


def test_answers_have_the_shape_that_is_asked_for(endpoint: str) -> None:
    model = Endpoint(base_url=endpoint, model="tiny", api_key=KEY, timeout=60)
    statements = [{"id": 1, "text": "I keep bees."}]
    related = model.ask(RELATIONS, {"new": "The bees are gone.", "earlier": statements}, RelationsAnswer)
    meant = model.ask(MEANT, {"description": "bees", "statements": statements}, MeantAnswer)
    turn = model.ask(TURN, {"before": [], "message": "I keep bees."}, TurnAnswer)
    assert (related.relations, meant.statements, turn.kept) == ([], [], [])
    model.close()


def test_nobody_is_answered_without_the_key(endpoint: str) -> None:
    request = {"model": "tiny", "messages": [{"role": "user", "content": "hello"}], "max_tokens": 1}
    assert httpx.post(f"{endpoint}/chat/completions", json=request, timeout=60).status_code == 401


def test_what_is_no_model_is_refused_in_one_line(tmp_path: Path) -> None:
    nonsense = tmp_path / "nonsense.gguf"
    nonsense.write_text("nonsense", encoding="utf-8")
    ended = subprocess.run(
        SERVE, env=environment(nonsense, ports.free_port()), capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == f"{nonsense} is no GGUF file that can be served here"


def test_the_launcher_refuses_a_file_that_is_not_there(tmp_path: Path) -> None:
    launcher = Launcher(
        options=Options(directory=DataDirectory(tmp_path)),
        say=lambda _line: None,
        greet=lambda _launcher, _seconds: None,
        environment={"MEMORY_CENTER_LLM_FILE": str(tmp_path / "none.gguf")},
    )
    with pytest.raises(LaunchRefusedError, match="MEMORY_CENTER_LLM_FILE names no file"):
        launcher.run()


def test_the_launcher_serves_a_file_and_tells_every_process_where(tmp_path: Path) -> None:
    directory = DataDirectory(tmp_path)
    launcher = Launcher(
        options=Options(directory=directory),
        say=lambda _line: None,
        greet=lambda _launcher, _seconds: None,
        environment={"MEMORY_CENTER_LLM_FILE": str(tiny_model(tmp_path / "tiny.gguf"))},
    )
    launcher.prepare_model()
    directory.make()
    told = {child.name: child.environment for child in launcher.children(directory.secrets_or_new())}
    assert told["model"]["MEMORY_CENTER_LLM_FILE"] == str(tmp_path / "tiny.gguf")
    port, key = told["model"]["MEMORY_CENTER_LLM_PORT"], told["model"]["MEMORY_CENTER_LLM_API_KEY"]
    for name in ("gateway", "worker"):
        assert told[name]["MEMORY_CENTER_LLM_BASE_URL"] == f"http://127.0.0.1:{port}/v1"
        assert (told[name]["MEMORY_CENTER_LLM_MODEL"], told[name]["MEMORY_CENTER_LLM_API_KEY"]) == ("tiny", key)
