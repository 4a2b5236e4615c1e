"""A host is its data directory, whichever of its processes asks first."""

from __future__ import annotations

import threading
from pathlib import Path
from uuid import UUID

import pytest

from shared.runtime.installation import ID_FILE, directory_id


def test_processes_that_begin_at_once_agree_on_the_id_of_their_directory(tmp_path: Path) -> None:
    data_dir, found = tmp_path / "data", list[UUID]()
    begin = threading.Barrier(8)

    def ask() -> None:
        begin.wait()
        found.append(directory_id(data_dir))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert [file.name for file in data_dir.iterdir()] == [ID_FILE], "nothing is left behind"
    assert directory_id(tmp_path / "another") != found[0]


def test_an_id_that_nobody_can_read_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / ID_FILE).write_text("canary")
    with pytest.raises(OSError, match="holds no id"):
        directory_id(tmp_path)
    assert (tmp_path / ID_FILE).read_text() == "canary"
