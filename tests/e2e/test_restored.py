"""What the runbook says to do after a restore, on one machine with everything in one directory."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.conftest import Stack, running_installation, wait_for
from tests.e2e.test_stack import User


@pytest.fixture
def data() -> Iterator[Path]:
    with TemporaryDirectory(prefix="memory-center-e2e-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def replayed(stack: Stack) -> str:
    command = [sys.executable, "-m", "services.cli.main", "replay", "--data-dir", str(stack.data_dir)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def test_after_a_restore_it_starts_serves_nothing_and_is_replayed(data: Path) -> None:
    with running_installation(data) as stack, stack.client() as api:
        user = User(api)
        user.say()
        wait_for(user.is_remembered, seconds=30, what="learning")
    shutil.copytree(data / "postgres", data / "backup", symlinks=True)
    with running_installation(data) as stack, stack.client() as api:
        user.api = api
        op_id = user.forget_everything()
        wait_for(lambda: user.succeeded(op_id), seconds=30, what="the forget")
    shutil.rmtree(data / "postgres")
    (data / "backup").rename(data / "postgres")

    with running_installation(data, serves=False) as stack:
        wait_for(lambda: b"Ready in" in stack.printed, seconds=60, what="the start")
        assert b"nothing is served yet: replay_needed" in stack.printed
        with stack.client() as api:
            answer = api.get("/api/v1/memory/long_term", params={"user_id": user.id})
            assert (answer.status_code, answer.json()["code"]) == (503, "replay_needed")
            assert "1 forgets are done again" in replayed(stack)
            wait_for(stack.is_ready, seconds=30, what="serving again")
            user.api = api
            assert user.memories() == []
            wait_for(lambda: user.succeeded(op_id), seconds=30, what="the repeated forget")
