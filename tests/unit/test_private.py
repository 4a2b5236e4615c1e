"""Folders, logs and sockets are this account's alone, whatever the umask is and whoever was there before."""

from __future__ import annotations

import os
import socket
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.embedded import private, processes
from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.processes import Child


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_folders_and_logs_are_made_private_and_mended(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir(mode=0o777)
    (tmp_path / "old.log").touch(mode=0o666)
    for folder in (old, tmp_path / "new" / "below"):
        private.make_folder(folder)
        assert mode(folder) == 0o700
    for log in (tmp_path / "old.log", tmp_path / "new.log"):
        private.appending(log).close()
        assert mode(log) == 0o600
    directory = DataDirectory(tmp_path / "data")
    directory.root.mkdir(mode=0o777)
    directory.logs.mkdir(mode=0o777)
    directory.make()
    assert mode(directory.root) & 0o066 == 0
    assert {mode(folder) for folder in (directory.logs, directory.files, directory.readiness)} == {0o700}


def test_what_a_child_makes_is_private(tmp_path: Path) -> None:
    made = tmp_path / "made"
    code = f"import pathlib; pathlib.Path({str(made)!r}).touch()"
    child = Child(name="child", argv=(sys.executable, "-I", "-S", "-c", code), log=tmp_path / "logs" / "child.log")
    assert processes.start(child).wait(60) == 0
    assert [mode(path) for path in (made, child.log, child.log.parent)] == [0o600, 0o600, 0o700]


@pytest.mark.parametrize("length", [1, 60, 300])
def test_a_socket_can_be_made_however_long_the_path_is(tmp_path: Path, length: int) -> None:
    folder = tmp_path.joinpath(*["x" * min(length, 100)] * (length // 100 or 1))
    path = private.socket_in(folder)
    assert path == private.socket_in(folder)
    private.prepare_socket(path)
    try:
        assert not private.answers(path)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(path))
            server.listen()
            assert private.answers(path)
        assert mode(path.parent) == 0o700
    finally:
        path.unlink(missing_ok=True)


def test_a_folder_somebody_else_made_for_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / "link"
    link.symlink_to(elsewhere)
    with pytest.raises(private.NotPrivateError, match="another account"):
        private.prepare_socket(link / "socket")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(private.NotPrivateError, match="another account"):
        private.prepare_socket(elsewhere / "socket")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can try it as somebody else")
def test_another_account_cannot_reach_the_socket() -> None:
    # pytest's own folders are closed to others already.
    with (
        tempfile.TemporaryDirectory() as outer,
        socket.socket(socket.AF_UNIX) as server,
        socket.socket(socket.AF_UNIX) as client,
    ):
        Path(outer).chmod(0o755)
        path = private.socket_in(Path(outer) / "milvus")
        private.prepare_socket(path)
        server.bind(str(path))
        server.listen()
        os.seteuid(65534)
        try:
            with pytest.raises(PermissionError):
                client.connect(str(path))
        finally:
            os.seteuid(0)
        client.connect(str(path))
