"""What packages in a bucket promise beyond what every place does: versions, uploads, refusals, outages, requests."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from shared.stores.bucket_files import BucketStore
from shared.stores.files import translated_errors
from shared.stores.port import ErasureTarget, StoreMisconfigured, StoreUnavailable
from shared.stores.sealed import bucket_client as bucket_module
from shared.stores.sealed.bucket import PART, READ_AHEAD, BucketFiles, named
from shared.stores.sealed.bucket_client import Bucket, UploadGone, bucket_at
from shared.stores.sealed.bucket_place import BucketPlace
from shared.stores.sealed.files import FilesUnavailable
from shared.stores.sealed.reader import SealedReader
from shared.stores.sealed.sealing import CHUNK, Sealer
from tests.support.bucket_servers import SECRET_KEY, BucketServer, answering, bucket_place, cut_short, nobody, silent

NAMESPACE, KEY = uuid4(), uuid4()
TARGET = ErasureTarget(namespace=NAMESPACE, keys=(KEY,), whole_namespace=True)


@pytest.fixture(params=[False, True], ids=["plain", "versioned"])
def place(request: pytest.FixtureRequest, bucket_server: BucketServer) -> BucketPlace:
    return bucket_server.bucket(versioned=request.param)


def write(bucket: Bucket, namespace: UUID = NAMESPACE, key: UUID = KEY, data: bytes = b"sealed") -> None:
    with BucketFiles(bucket).writing(namespace, key) as file:
        file.write(data)


# --- Versions and uploads


def test_every_version_and_delete_marker_goes(bucket_server: BucketServer) -> None:
    place = bucket_server.bucket(versioned=True)
    object_ = {"Bucket": place.bucket, "Key": place.prefix + named(NAMESPACE, KEY)}
    for body in (b"first", b"second"):
        bucket_server.client.put_object(**object_, Body=body)
    bucket_server.client.delete_object(**object_)  # hides both, as everybody else deletes
    store = BucketStore(Bucket(place))
    target = ErasureTarget(namespace=NAMESPACE, keys=(KEY,))
    assert store.residue([target])[0].found == {"files": 3, "uploads": 0}

    assert store.erase([target]) == [1]

    assert store.residue([target])[0].found == {"files": 0, "uploads": 0}
    assert bucket_server.held(place) == []


def test_more_than_a_page_of_versions_goes(bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch) -> None:
    place = bucket_server.bucket(versioned=True)
    bucket = Bucket(place)
    client = bucket._client
    for number in range(5):
        write(bucket, key=UUID(int=number))
    real = client.get_paginator

    class InPagesOfTwo:
        def __init__(self, name: str) -> None:
            self._pages = real(name)

        def paginate(self, **wanted: Any) -> Any:
            return self._pages.paginate(**wanted, PaginationConfig={"PageSize": 2})

    monkeypatch.setattr(client, "get_paginator", InPagesOfTwo)
    assert len(list(BucketFiles(bucket).keys())) == 5
    assert BucketStore(bucket).erase([TARGET]) == [6]
    assert bucket_server.held(place) == []


def test_an_upload_nobody_finished_goes_and_is_never_completed(bucket_server: BucketServer, place: BucketPlace) -> None:
    bucket, name = Bucket(place), named(NAMESPACE, KEY)
    upload = bucket.begin(name)
    tag = bucket.add(name, upload, 1, b"of a process that died")
    store = BucketStore(bucket)
    assert store.residue([TARGET])[0].found == {"files": 0, "uploads": 1}
    assert list(BucketFiles(bucket).keys()) == [(NAMESPACE, KEY)]

    assert store.erase([TARGET]) == [1]

    assert store.residue([TARGET])[0].total == 0
    with pytest.raises(UploadGone):
        bucket.complete(name, upload, [tag])
    with pytest.raises(UploadGone):
        bucket.add(name, upload, 2, b"late")
    assert bucket_server.held(place) == []


def test_what_else_lies_in_the_bucket_is_left_alone(bucket_server: BucketServer, place: BucketPlace) -> None:
    others = [named(NAMESPACE, KEY), f"{place.prefix}notes.txt", f"{place.prefix}{NAMESPACE}-more/{KEY}.sealed"]
    for name in others:
        bucket_server.client.put_object(Bucket=place.bucket, Key=name, Body=b"somebody else's")
    bucket = Bucket(place)
    write(bucket)
    assert list(BucketFiles(bucket).keys()) == [(NAMESPACE, KEY)]

    BucketStore(bucket).erase([TARGET])

    assert bucket_server.held(place) == sorted(others)


@pytest.mark.parametrize("call", ["begin", "add", "complete"])
def test_a_write_the_server_refuses_leaves_nothing(
    bucket_server: BucketServer, place: BucketPlace, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    bucket = Bucket(place)
    real = getattr(bucket, call)

    def answer_lost(*given: Any) -> None:
        real(*given)
        raise FilesUnavailable

    monkeypatch.setattr(bucket, call, answer_lost)
    with pytest.raises(FilesUnavailable):
        write(bucket, data=b"x" * (PART + 1))
    assert bucket_server.held(place) == []


# --- Requests


def test_reading_on_asks_once_for_many_chunks(
    bucket_server: BucketServer, place: BucketPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket, secret, data = Bucket(place), os.urandom(32), os.urandom(4 * READ_AHEAD)
    files = BucketFiles(bucket)
    with files.writing(NAMESPACE, KEY) as file:
        sealer = Sealer(file, secret, KEY)
        sealer.write(data)
        sealer.close()
    asked: list[int] = []
    real = bucket.read

    def counted(name: str, start: int, end: int) -> bytes:
        asked.append(end - start)
        return real(name, start, end)

    monkeypatch.setattr(bucket, "read", counted)
    with files.reading(NAMESPACE, KEY) as file:
        assert not asked
        reader = SealedReader(file, KEY, len(data), key=lambda: secret)
        assert b"".join(iter(partial(reader.read, CHUNK), b"")) == data
    assert len(asked) == 5  # with the tags it is a little more than four times as long
    assert max(asked) == READ_AHEAD


# --- What turns us away


def every_call(place: BucketPlace) -> list[Callable[[], object]]:
    bucket = Bucket(place)
    files, store = BucketFiles(bucket), BucketStore(bucket)

    def read() -> None:
        with translated_errors(), files.reading(NAMESPACE, KEY) as file:
            file.read(1)

    def wrote() -> None:
        with translated_errors():
            write(bucket)

    def keys() -> None:
        with translated_errors():
            list(files.keys())

    return [wrote, read, keys, partial(store.erase, [TARGET]), partial(store.residue, [TARGET])]


def refused(call: Callable[[], object], kind: type[Exception], says: str) -> None:
    """Check that a call raises this, in our words and without naming an object or a key."""
    with pytest.raises(kind, match=says) as caught:
        call()
    told = f"{caught.value!r} {caught.value}"
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert not [word for word in (str(NAMESPACE), str(KEY), SECRET_KEY, "canary", "test-") if word in told]


@pytest.mark.parametrize(
    ("status", "code", "kind", "says"),
    [
        (500, "InternalError", StoreUnavailable, "unavailable"),
        (503, "SlowDown", StoreUnavailable, "unavailable"),
        (429, "TooManyRequests", StoreUnavailable, "unavailable"),
        (409, "OperationAborted", StoreUnavailable, "unavailable"),
        (400, "RequestTimeout", StoreUnavailable, "unavailable"),
        (403, "AccessDenied", StoreMisconfigured, "denies"),
        (403, "InvalidAccessKeyId", StoreMisconfigured, "denies"),
        (400, "AuthorizationHeaderMalformed", StoreMisconfigured, "answers 400"),
        (501, "NotImplemented", StoreMisconfigured, "lacks a call"),
    ],
)
def test_what_a_server_answers_is_told_apart(status: int, code: str, kind: type[Exception], says: str) -> None:
    with answering(status, code) as endpoint:
        _, _, *listing = every_call(bucket_place(endpoint, "test-bucket"))
        for call in listing:
            refused(call, kind, says)


def test_a_bucket_that_is_not_there_is_a_mistake_in_the_settings(bucket_server: BucketServer) -> None:
    _, _, *listing = every_call(bucket_place(bucket_server.endpoint, "test-nowhere"))
    for call in listing:
        refused(call, StoreMisconfigured, "no such bucket")


def test_wrong_keys_are_a_mistake_in_the_settings(bucket_server: BucketServer, place: BucketPlace) -> None:
    for call in every_call(bucket_place(place.endpoint or "", place.bucket, secret_key="wrong")):
        refused(call, StoreMisconfigured, "denies")


@pytest.mark.parametrize("server", [silent, nobody])
def test_a_server_that_does_not_answer_is_waited_for_a_little(
    server: Callable[[], AbstractContextManager[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with server() as endpoint:
        calls = every_call(bucket_place(endpoint, "test-bucket", timeout=0.2))
        for call in calls:
            begun = time.monotonic()
            refused(call, StoreUnavailable, "unavailable")
            assert time.monotonic() - begun < 5.0


def test_a_bucket_whose_policy_denies_deleting_proves_nothing(bucket_server: BucketServer, place: BucketPlace) -> None:
    bucket = Bucket(place)
    write(bucket)
    bucket_server.deny(place, "s3:DeleteObject", "s3:DeleteObjectVersion")
    store = BucketStore(bucket)
    refused(partial(store.erase, [TARGET]), StoreMisconfigured, "denies")
    assert store.residue([TARGET])[0].found == {"files": 1, "uploads": 0}


def test_a_bucket_with_a_lock_proves_nothing(bucket_server: BucketServer) -> None:
    bucket = Bucket(bucket_server.bucket(locked=True))
    write(bucket)
    store = BucketStore(bucket)
    refused(partial(store.erase, [TARGET]), StoreMisconfigured, "denies")
    assert store.residue([TARGET])[0].total == 1


def test_a_process_opens_a_place_once(bucket_server: BucketServer, place: BucketPlace) -> None:
    assert bucket_at(place) is bucket_at(bucket_place(bucket_server.endpoint, place.bucket))
    assert place.secret_key not in repr(place)
    bucket_module.bucket_at.cache_clear()


def test_an_answer_that_breaks_off_is_no_end_of_the_file() -> None:
    with cut_short(100_000) as endpoint:
        files = BucketFiles(Bucket(bucket_place(endpoint, "test-bucket")))
        with files.reading(NAMESPACE, KEY) as file, pytest.raises(FilesUnavailable):
            file.read(CHUNK)
