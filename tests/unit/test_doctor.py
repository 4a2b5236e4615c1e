"""What `memory-center doctor` says before it asks any server."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.embedded import launcher
from deploy.embedded.data_directory import DataDirectory, Run
from services.cli.doctor.patient import admit


@pytest.mark.parametrize(("stack", "named", "failures"), [("external", 0, 1), ("external", 3, 0), ("embedded", 0, 0)])
def test_servers_that_this_shell_does_not_name_are_no_servers_that_are_well(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, stack: str, named: int, failures: int
) -> None:
    run = Run(pid=1, stack=stack, url="http://127.0.0.1:8765", ports={})
    monkeypatch.setattr(DataDirectory, "is_held", lambda _: True)
    monkeypatch.setattr(DataDirectory, "run", lambda _: run)
    monkeypatch.setattr(DataDirectory, "secrets", lambda _: None)
    for place, name in enumerate(launcher.OUTSIDE_URLS):
        monkeypatch.delenv(name, raising=False)
        if place < named:
            monkeypatch.setenv(name, "somewhere")
    _, found = admit(tmp_path)
    assert sum(one.level == "fail" for one in found) == failures
