"""A bucket whose server is another, breaks off, trickles or hangs: nothing is proven, and every call ends in time."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from shared.stores.bucket_files import BucketStore
from shared.stores.port import StoreUnavailable
from shared.stores.sealed.bucket import PART, BucketFiles
from shared.stores.sealed.bucket_client import Bucket
from shared.stores.sealed.files import FilesRefused, FilesUnavailable
from shared.stores.sealed.sealing import CHUNK
from tests.contract.test_bucket_files import KEY, NAMESPACE, TARGET, write
from tests.support.bucket_servers import BucketServer, Connection, bucket_place, certificate, raw_server

ENOUGH = 2.0
"""A pause before the second attempt, and what a busy machine takes."""
PAGES = {
    "a page of a proxy": b"<!doctype html><title>Sign in</title><p>Sign in",
    "one in XHTML": b'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Sign in</title></head></html>',
    "nothing": b"",
    "another bucket's list": b"<ListVersionsResult><Name>other</Name><Bucket>other</Bucket></ListVersionsResult>",
    "an object without a version": b"<R><Name>test-bucket</Name><Version><Key>packages/a</Key></Version></R>",
    "a part of a list": b"<R><Name>test-bucket</Name><Bucket>test-bucket</Bucket><IsTruncated>true</IsTruncated></R>",
}


def head(length: int, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n".encode()


def saying(page: bytes, status: str = "200 OK") -> Callable[[Connection], None]:
    """Answer everything with a page."""

    def answer(connection: Connection) -> None:
        for request in connection.requests():
            connection.send(head(len(page), status) + (b"" if request.startswith(b"HEAD") else page))

    return answer


def bucket_at(endpoint: str, timeout: float = 2.0) -> Bucket:
    return Bucket(bucket_place(endpoint, "test-bucket", timeout=timeout))


# --- Another server


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_an_answer_that_is_not_the_buckets_proves_nothing(page: bytes) -> None:
    with raw_server(saying(page)) as endpoint:
        bucket = bucket_at(endpoint)
        store = BucketStore(bucket)
        for call in (partial(store.erase, [TARGET]), partial(store.residue, [TARGET])):
            with pytest.raises(StoreUnavailable):
                call()
        for listing in (lambda: list(BucketFiles(bucket).keys()), partial(bucket.versions, "")):
            with pytest.raises(FilesUnavailable):
                listing()
        with pytest.raises(FilesUnavailable):
            write(bucket)


@pytest.mark.parametrize("status", ["200 OK", "404 Not Found"])
@pytest.mark.parametrize("page", [PAGES["one in XHTML"], b""], ids=["page", "nothing"])
def test_no_step_of_a_write_is_taken_for_done_by_another_server(page: bytes, status: str) -> None:
    with raw_server(saying(page, status)) as endpoint:
        bucket = bucket_at(endpoint)
        for step in (
            partial(bucket.begin, "name"),
            partial(bucket.add, "name", "upload", 1, b"data"),
            partial(bucket.complete, "name", "upload", ["tag"]),
        ):
            with pytest.raises(FilesUnavailable):
                step()


def test_a_404_of_another_server_does_not_mean_that_a_package_is_gone() -> None:
    with raw_server(saying(PAGES["a page of a proxy"], "404 Not Found")) as endpoint:
        bucket = bucket_at(endpoint)
        with pytest.raises(FilesUnavailable), BucketFiles(bucket).reading(NAMESPACE, KEY):
            pass
        with pytest.raises(FilesUnavailable):
            bucket.read("name", 0, 1)


def test_a_bucket_that_is_gone_does_not_mean_that_a_package_is_gone(bucket_server: BucketServer) -> None:
    bucket = Bucket(bucket_place(bucket_server.endpoint, "test-nowhere"))
    for read in (partial(bucket.size, "name"), partial(bucket.read, "name", 0, 1)):
        with pytest.raises(FilesRefused, match="no such bucket"):
            read()


def test_a_server_without_tls_is_told_apart_from_one_that_does_not_answer() -> None:
    with raw_server(lambda connection: connection.send(head(0, "400 Bad Request"))) as endpoint:
        bucket = bucket_at(endpoint.replace("http:", "https:"))
        with pytest.raises(FilesUnavailable, match="TLS"):
            bucket.versions("")


def test_a_certificate_is_trusted_where_the_environment_names_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tls, file = certificate(tmp_path)
    page = b"<R><Name>test-bucket</Name></R>"
    with raw_server(saying(page), tls=tls) as endpoint:
        with pytest.raises(FilesUnavailable, match="TLS"):
            bucket_at(endpoint).versions("")
        monkeypatch.setenv("AWS_CA_BUNDLE", str(file))
        assert bucket_at(endpoint).versions("") == []
        monkeypatch.setenv("AWS_CA_BUNDLE", str(tmp_path / "nowhere.pem"))
        with pytest.raises(FilesUnavailable, match="TLS"):
            bucket_at(endpoint).versions("")


# --- While a body streams


def hanging(connection: Connection) -> None:
    """Give half of every object, and nothing more."""
    for request in connection.requests():
        connection.send(head(CHUNK))
        if not request.startswith(b"HEAD"):
            connection.send(b"x" * (CHUNK // 2))
            connection.stay()


def resetting(connection: Connection) -> None:
    """Give half of every object, and reset the connection."""
    for request in connection.requests():
        connection.send(head(CHUNK))
        if not request.startswith(b"HEAD"):
            connection.send(b"x" * (CHUNK // 2))
            connection.reset()
            return


@pytest.mark.parametrize("server", [hanging, resetting])
def test_a_body_that_does_not_come_whole_is_an_outage(server: Callable[[Connection], None]) -> None:
    with raw_server(server) as endpoint:
        with BucketFiles(bucket_at(endpoint, timeout=0.5)).reading(NAMESPACE, KEY) as file:
            begun = time.monotonic()
            with pytest.raises(FilesUnavailable) as caught:
                file.read(CHUNK)
            assert time.monotonic() - begun < 0.5 + ENOUGH
        assert caught.value.__cause__ is None


# --- However slowly


def trickling(what: bytes) -> Callable[[Connection], None]:
    """Answer byte by byte, each within any wait, and never come to the end."""

    def answer(connection: Connection) -> None:
        for _ in connection.requests():
            for byte in what:
                connection.send(bytes([byte]))
                time.sleep(0.05)

    return answer


@pytest.mark.parametrize(
    "what", [b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 400, head(4000) + b" " * 400], ids=["its head", "its body"]
)
@pytest.mark.few(3)
@pytest.mark.parametrize("call", ["versions", "complete", "read"])
@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
def test_an_answer_that_trickles_ends_with_its_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: bytes, call: str, *, secure: bool
) -> None:
    tls, file = certificate(tmp_path)
    monkeypatch.setenv("AWS_CA_BUNDLE", str(file))
    with raw_server(trickling(what), tls=tls if secure else None) as endpoint:
        bucket = bucket_at(endpoint, timeout=0.5)
        calls: dict[str, Callable[[], object]] = {
            "versions": partial(bucket.versions, ""),
            "complete": partial(bucket.complete, "name", "upload", ["tag"]),
            "read": partial(bucket.read, "name", 0, 4000),
        }
        begun = time.monotonic()
        with pytest.raises(FilesUnavailable):
            calls[call]()
        assert time.monotonic() - begun < 0.5 + ENOUGH


def sipping(connection: Connection) -> None:
    """Take what is sent a little at a time."""
    while connection.take(64 * 1024):
        time.sleep(0.1)


@pytest.mark.few(2)
@pytest.mark.parametrize("server", [sipping, Connection.stay], ids=["slowly", "never"])
@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
def test_a_part_that_is_taken_too_slowly_ends_with_its_call(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, server: Callable[[Connection], None], *, secure: bool
) -> None:
    tls, file = certificate(tmp_path)
    monkeypatch.setenv("AWS_CA_BUNDLE", str(file))
    with raw_server(server, tls=tls if secure else None) as endpoint:
        bucket, data = bucket_at(endpoint, timeout=0.5), os.urandom(PART)
        begun = time.monotonic()
        with pytest.raises(FilesUnavailable):
            bucket.add("name", "upload", 1, data)
        assert time.monotonic() - begun < 0.5 + ENOUGH


def test_a_page_has_its_own_time() -> None:
    """A long list is many calls; together they may take longer than one."""

    def slowly(connection: Connection) -> None:
        for request in connection.requests():
            time.sleep(0.3)
            found = re.search(rb"key-marker=(\d+)", request)
            number = int(found[1]) if found else 0
            more = (
                f"<IsTruncated>true</IsTruncated><NextKeyMarker>{number + 1}</NextKeyMarker>"
                "<NextVersionIdMarker>v</NextVersionIdMarker>"
                if number < 3
                else ""
            )
            version = f"<Version><Key>packages/{number}</Key><VersionId>v</VersionId></Version>"
            page = f"<R><Name>test-bucket</Name>{more}{version}</R>".encode()
            connection.send(head(len(page)) + page)

    with raw_server(slowly) as endpoint:
        assert len(bucket_at(endpoint, timeout=0.9).versions("")) == 4


# --- What others on this machine use


def test_what_other_programs_are_told_about_aws_does_not_count(
    bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = bucket_server.bucket()
    config = tmp_path / "config"
    config.write_text("[default]\nca_bundle = /nowhere\nmalformed\n")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(config))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(config))
    monkeypatch.setenv("AWS_PROFILE", "somebody-elses")
    write(Bucket(place))
    assert len(bucket_server.held(place)) == 1
