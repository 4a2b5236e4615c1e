"""What every place for packages promises, a folder or a bucket, with versions or without; measured past the product."""

from __future__ import annotations

import io
import os
import tracemalloc
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from uuid import UUID, uuid4

import pytest

from shared.stores.bucket_files import BucketStore
from shared.stores.files import FileStore
from shared.stores.port import ErasableStore, ErasureTarget
from shared.stores.sealed.bucket import PART, BucketFiles
from shared.stores.sealed.bucket_client import Bucket
from shared.stores.sealed.bucket_place import BucketPlace
from shared.stores.sealed.files import SealedFiles
from shared.stores.sealed.folder import FolderFiles
from shared.stores.sealed.reader import SealedReader
from shared.stores.sealed.sealing import CHUNK, Sealer
from tests.support.bucket_servers import BucketServer

MIB = 1024 * 1024


class Place(Protocol):
    """A place and what erases there."""

    files: SealedFiles
    store: ErasableStore

    def held(self) -> list[str]:
        """Return the names of all there is, asked for past the product."""


class Folder:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.files, self.store = FolderFiles(root), FileStore(root)

    def held(self) -> list[str]:
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file())


@dataclass
class InBucket:
    server: BucketServer
    place: BucketPlace

    def __post_init__(self) -> None:
        bucket = Bucket(self.place)
        self.files, self.store = BucketFiles(bucket), BucketStore(bucket)

    def held(self) -> list[str]:
        return [name.removeprefix(self.place.prefix) for name in self.server.held(self.place)]


@pytest.fixture(params=["folder", "bucket", "versioned"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "folder":
        return Folder(tmp_path / "exports")
    server: BucketServer = request.getfixturevalue("bucket_server")
    return InBucket(server, server.bucket(versioned=request.param == "versioned"))


def write(place: Place, namespace: UUID, key: UUID, data: bytes = b"sealed") -> None:
    with place.files.writing(namespace, key) as file:
        file.write(data)


def name(namespace: UUID, key: UUID) -> str:
    return f"{namespace}/{key}.sealed"


def test_a_file_is_there_once_it_is_complete_and_not_at_all_otherwise(place: Place) -> None:
    namespace, key = uuid4(), uuid4()
    assert list(place.files.keys()) == []
    with pytest.raises(RuntimeError), place.files.writing(namespace, key) as file:
        file.write(b"x" * (PART + 1))
        assert list(place.files.keys()) == [(namespace, key)]
        raise RuntimeError
    assert (place.held(), list(place.files.keys())) == ([], [])

    write(place, namespace, key, b"all")

    assert place.held() == [name(namespace, key)]
    assert list(place.files.keys()) == [(namespace, key)]
    with pytest.raises(FileExistsError), place.files.writing(namespace, key):
        pass
    with place.files.reading(namespace, key) as file:
        assert file.read() == b"all"


class Killed(BaseException):
    """As a cancelled request ends."""


def test_whatever_ends_a_write_leaves_nothing(place: Place) -> None:
    with pytest.raises(Killed), place.files.writing(uuid4(), uuid4()) as file:
        file.write(b"half")
        raise Killed
    assert place.held() == []


def test_what_is_gone_cannot_be_read(place: Place) -> None:
    with pytest.raises(FileNotFoundError), place.files.reading(uuid4(), uuid4()):
        pass


@pytest.mark.few(6)
@pytest.mark.parametrize("size", [0, 1, PART - 1, PART, PART + 1, 2 * PART])
def test_a_file_is_as_long_as_what_was_written(place: Place, size: int) -> None:
    namespace, key, data = uuid4(), uuid4(), os.urandom(size)
    with place.files.writing(namespace, key) as file:
        for start in range(0, size, 700_000):
            assert file.write(data[start : start + 700_000]) == len(data[start : start + 700_000])
    with place.files.reading(namespace, key) as file:
        assert file.read() == data
        assert file.read(1) == b""


def test_a_file_is_read_anywhere(place: Place) -> None:
    namespace, key, data = uuid4(), uuid4(), os.urandom(3 * MIB + 7)
    write(place, namespace, key, data)
    with place.files.reading(namespace, key) as file:
        for start in (0, 3 * MIB, 17, MIB - 1, 3 * MIB + 6, 3 * MIB + 7, 2 * MIB, 0):
            assert file.seek(start) == file.tell() == start
            assert file.read(CHUNK) == data[start : start + CHUNK]
        assert file.seek(-7, io.SEEK_END) == 3 * MIB
        assert file.read() == data[-7:]


def test_a_sealed_zip_is_read_from_its_end_as_from_a_disk(place: Place) -> None:
    namespace, key, secret = uuid4(), uuid4(), os.urandom(32)
    contents = {f"{number}.bin": os.urandom(300_000) for number in range(8)}
    with place.files.writing(namespace, key) as file:
        sealer = Sealer(file, secret, key)
        with zipfile.ZipFile(sealer, "w") as archive:  # type: ignore[arg-type]  # a stream it cannot seek in
            for path, data in contents.items():
                archive.writestr(path, data)
        sealer.close()

    with place.files.reading(namespace, key) as file:
        reader = io.BufferedReader(SealedReader(file, key, sealer.size, key=lambda: secret), CHUNK)
        with zipfile.ZipFile(reader) as archive:
            assert {path: archive.read(path) for path in reversed(archive.namelist())} == contents


def test_a_long_file_takes_little_memory(place: Place) -> None:
    namespace, key, block = uuid4(), uuid4(), os.urandom(MIB)
    tracemalloc.start()
    try:
        with place.files.writing(namespace, key) as file:
            for _ in range(72):
                file.write(block)
        with place.files.reading(namespace, key) as file:
            assert sum(read == block for read in iter(lambda: file.read(MIB), b"")) == 72
        assert tracemalloc.get_traced_memory()[1] < 24 * MIB
    finally:
        tracemalloc.stop()


def test_announced_files_go_and_their_neighbours_stay(place: Place) -> None:
    namespace, gone, stays, stranger = uuid4(), uuid4(), uuid4(), uuid4()
    write(place, namespace, gone)
    write(place, namespace, stays)
    write(place, stranger, gone)
    target = ErasureTarget(namespace=namespace, keys=(gone, uuid4()))
    assert place.store.residue([target])[0].total == 1

    assert place.store.erase([target]) == [2]
    assert place.store.erase([target]) == [2]

    assert place.store.residue([target])[0].total == 0
    assert place.held() == sorted([name(namespace, stays), name(stranger, gone)])
    with pytest.raises(FileNotFoundError), place.files.reading(namespace, gone):
        pass


def test_a_whole_namespace_goes_and_no_other(place: Place) -> None:
    namespace, stranger, kept = uuid4(), uuid4(), uuid4()
    for key in (uuid4(), uuid4()):
        write(place, namespace, key)
    write(place, stranger, kept)
    targets = [
        ErasureTarget(namespace=namespace, whole_namespace=True, keys=(uuid4(),)),
        ErasureTarget(namespace=stranger, keys=(uuid4(),)),
    ]
    assert [one.total for one in place.store.residue(targets)] == [2, 0]

    assert place.store.erase(targets) == [3, 1]

    assert [one.total for one in place.store.residue(targets)] == [0, 0]
    assert place.held() == [name(stranger, kept)]


def test_where_nothing_ever_was_nothing_is_left(place: Place) -> None:
    target = ErasureTarget(namespace=uuid4(), keys=(uuid4(),), whole_namespace=True)
    assert place.store.erase([target]) == [1]
    assert place.store.residue([target])[0].total == 0
    assert list(place.files.keys()) == []


@pytest.mark.parametrize("whole_namespace", [False, True])
def test_a_file_that_is_being_written_is_found_and_never_arrives(place: Place, *, whole_namespace: bool) -> None:
    namespace, key = uuid4(), uuid4()
    target = ErasureTarget(namespace=namespace, keys=() if whole_namespace else (key,), whole_namespace=whole_namespace)
    with suppress(OSError), place.files.writing(namespace, key) as file:
        file.write(b"x" * (PART + 1))
        assert place.store.residue([target])[0].total == 1
        assert place.store.erase([target]) == [1]
        assert place.store.residue([target])[0].total == 0
        file.write(b"of a writer that was paused")
    assert place.held() == []
