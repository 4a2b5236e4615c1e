"""One suite for the ledger outside the database: a file of one host, and the objects of a bucket of many."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from shared.ledger.book import Book, LedgerCopies, LedgerFile, LedgerUnavailable
from shared.ledger.objects import LedgerObjects
from shared.ledger.rules import START, Entry, Head, check_chain, longest_chain, merged_branches
from shared.stores.sealed.bucket_client import Bucket
from tests.support.bucket_servers import BucketServer, bucket_place, nobody
from tests.support.ledger_entries import chain, link, merging

WRITERS = 3


@pytest.fixture(params=["file", "objects", "file and copy"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Book]:
    if request.param == "file":
        yield LedgerFile(tmp_path / "files")
        return
    if request.param == "file and copy":
        yield LedgerCopies(LedgerFile(tmp_path / "files"), LedgerFile(tmp_path / "elsewhere"))
        return
    server: BucketServer = request.getfixturevalue("bucket_server")
    yield LedgerObjects(Bucket(server.bucket(prefix="ledger/")), "a bucket")


@pytest.fixture
def bucket(bucket_server: BucketServer) -> Bucket:
    return Bucket(bucket_server.bucket(prefix="ledger/"))


def head_of(entry: Entry) -> Head:
    return Head(entry.seq, entry.hash)


def test_what_is_appended_is_read_in_order_and_continues_what_came_before(book: Book) -> None:
    entries = chain(12)
    assert not book.is_there()
    assert (book.beyond(START), list(book.read())) == ([], [])
    book.append(entries[:5])
    before = book.version()
    assert book.is_there()
    assert book.version() == before
    book.append(entries[5:])
    assert book.version() != before
    assert list(book.read()) == entries
    assert book.beyond(START) == entries
    assert book.beyond(head_of(entries[4])) == entries[5:]
    assert book.after(head_of(entries[11])) == []
    assert book.beyond(Head(3, uuid4().bytes * 2)) is None


def test_a_branch_stays_beside_the_chain_that_merged_it(book: Book) -> None:
    entries = chain(4)
    branch = [link(entries[1].hash, 3)]
    for seq in range(4, 9):
        branch.append(link(branch[-1].hash, seq))
    merged = merging(entries[-1], branch)
    book.append(entries)
    book.append(branch, branch=branch[-1].hash)
    book.append([merged])
    read = list(book.read())
    assert {entry.hash for entry in read} == {entry.hash for entry in (*entries, *branch, merged)}
    told = longest_chain(read, START.hash)
    assert told == [*entries, merged], "it counts for the branch, which is longer"
    check_chain(told)
    assert merged_branches({entry.hash for entry in told}, [merged], read) == [branch]


def test_what_one_place_lost_the_other_has_and_it_is_made_up_for(tmp_path: Path) -> None:
    entries = chain(6)
    here, elsewhere = LedgerFile(tmp_path / "files"), LedgerFile(tmp_path / "elsewhere")
    both = LedgerCopies(here, elsewhere)
    both.append(entries[:3])
    old = here.path.read_bytes()
    both.append(entries[3:5])
    here.path.write_bytes(old)  # its disk was restored
    assert both.beyond(head_of(entries[2])) == entries[3:5]
    assert both.after(head_of(entries[4])) == []
    elsewhere.append(entries[5:])  # whoever wrote it died before it wrote here
    both.append(entries[3:6])
    assert here.chain() == elsewhere.chain() == entries
    assert list(elsewhere.read()) == entries, "nothing twice"
    elsewhere.path.unlink()
    elsewhere.path.mkdir()
    for call in (both.is_there, both.version, lambda: both.append(chain(1)), lambda: both.beyond(START)):
        with pytest.raises(LedgerUnavailable):
            call()


def test_a_copy_that_begins_late_has_merged_branches_too(tmp_path: Path) -> None:
    entries = chain(2)
    branch = [link(entries[0].hash, 2)]
    merged = merging(entries[-1], branch)
    here, elsewhere = LedgerFile(tmp_path / "files"), LedgerFile(tmp_path / "elsewhere")
    for some in (entries, branch, [merged]):
        here.append(some)
    LedgerCopies(here, elsewhere, copy_begins=True).complete()
    assert {entry.hash for entry in elsewhere.read()} == {entry.hash for entry in here.read()}
    assert elsewhere.beyond(head_of(entries[-1])) == [merged]


def test_what_is_made_up_for_follows_what_it_follows(tmp_path: Path) -> None:
    entries = chain(6)
    here, elsewhere = LedgerFile(tmp_path / "files"), LedgerFile(tmp_path / "elsewhere")
    elsewhere.append(entries)
    here.append([*entries[:2], *entries[3:5]])  # the third is damaged, the last is lost
    LedgerCopies(here, elsewhere).complete()
    for place, entry in enumerate(entries):
        assert here.beyond(head_of(entry)) == entries[place + 1 :]


def test_an_empty_copy_is_taken_for_a_disk_that_is_not_mounted(tmp_path: Path) -> None:
    entries = chain(3)
    here, elsewhere = LedgerFile(tmp_path / "files"), LedgerFile(tmp_path / "elsewhere")
    here.append(entries[:2])
    for call in (
        (both := LedgerCopies(here, elsewhere)).is_there,
        both.version,
        lambda: both.append(entries[2:]),
        lambda: list(both.read()),
    ):
        with pytest.raises(LedgerUnavailable):
            call()
    assert not elsewhere.path.exists()
    LedgerCopies(here, elsewhere, copy_begins=True).complete()
    both.append(entries[2:])
    assert here.chain() == elsewhere.chain() == entries


def test_what_is_created_comes_with_a_checksum_as_a_locked_bucket_demands(bucket_server: BucketServer) -> None:
    locked = Bucket(bucket_server.bucket(locked=True))
    sent: list[Any] = []
    locked._client.meta.events.register("before-send.s3.PutObject", lambda request, **_: sent.append(request.headers))
    assert locked.create("one", b"an entry")
    assert sent[0]["Content-MD5"] == base64.b64encode(hashlib.md5(b"an entry").digest())  # noqa: S324 # a checksum


@pytest.mark.parametrize("entries", [40, pytest.param(200, marks=pytest.mark.full)])
def test_three_writers_at_once_make_one_chain_without_a_gap(bucket: Bucket, entries: int) -> None:
    """Each catches up and continues, as the ledger's worker does; there is no lock between them."""

    def write() -> None:
        mine, head = LedgerObjects(bucket, "a bucket"), START
        while head.seq < entries:
            entry = link(head.hash, head.seq + 1)
            try:
                mine.append([entry])
            except LedgerUnavailable:
                taken.append(entry.seq)
            head = head_of((mine.beyond(head) or [entry])[-1])

    taken: list[int] = []
    writers = [threading.Thread(target=write) for _ in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    found = list(LedgerObjects(bucket, "a bucket").read())
    check_chain(found)
    assert entries <= len(found) < entries + WRITERS
    assert len(bucket.names("chain/")) == len(found), "an object each"
    assert taken, "they were in each other's way"


def test_who_catches_up_asks_once_for_each_entry(bucket: Bucket) -> None:
    asked: list[str] = []

    class Counted:
        def __getattr__(self, name: str) -> object:
            return getattr(bucket, name)

        def whole(self, name: str, most: int) -> bytes:
            asked.append(name)
            return bucket.whole(name, most)

    entries = chain(20)
    LedgerObjects(bucket, "a bucket").append(entries)
    book = LedgerObjects(Counted(), "a bucket")  # type: ignore[arg-type]  # the rest is the bucket's
    assert book.after(START) == book.beyond(START) == entries
    assert sorted(asked) == bucket.names("chain/")


def test_an_entry_is_never_replaced(bucket: Bucket) -> None:
    first, other = link(), link()
    book = LedgerObjects(bucket, "a bucket")
    book.append([first])
    with pytest.raises(LedgerUnavailable):
        book.append([other])
    assert list(book.read()) == [first]
    book.append([first])  # the same request again: its first answer was lost
    assert list(book.read()) == [first]


def test_a_server_that_ignores_the_condition_gets_no_entry(bucket: Bucket) -> None:
    class Careless:
        def create(self, name: str, data: bytes) -> bool:
            del name, data
            return True

    careless = Careless()
    with pytest.raises(LedgerUnavailable):
        LedgerObjects(careless, "a bucket").append(chain(1))  # type: ignore[arg-type]  # it gets no further
    assert bucket.names("") == []


def test_a_bucket_that_is_away_says_so_in_every_call() -> None:
    with nobody() as endpoint:
        book = LedgerObjects(Bucket(bucket_place(endpoint, "test-nowhere")), "a bucket")
        for call in (
            book.is_there,
            book.version,
            lambda: book.append(chain(1)),
            lambda: book.beyond(START),
            lambda: list(book.read()),
        ):
            with pytest.raises(LedgerUnavailable):
                call()


def test_it_says_for_how_long_a_lock_keeps_its_objects(bucket_server: BucketServer, bucket: Bucket) -> None:
    assert bucket.keeps_days() is None
    assert Bucket(bucket_server.bucket(locked=True)).keeps_days() == 1
