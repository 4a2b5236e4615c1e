"""One bucket of an S3-compatible server: calls have timeouts and raise only the errors of `SealedFiles`."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, Literal

import boto3
import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, SSLError
from botocore.parsers import ResponseParserError
from urllib3.exceptions import HTTPError

from shared.stores.sealed.bucket_connections import make_punctual
from shared.stores.sealed.bucket_place import BucketPlace
from shared.stores.sealed.files import FilesRefused, FilesUnavailable

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client

ATTEMPTS: Final = 2
"""One retry, for a connection the server closed while idle; all other retries are the caller's."""
CONNECTIONS: Final = 32

_BUSY: Final[frozenset[int | str]] = frozenset(
    {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS, "RequestTimeout", "SlowDown"}
)
_DENIED: Final = "the bucket denies it: the keys, its policy or a lock"
_REFUSALS: Final[dict[int | str, str]] = {
    "NoSuchBucket": "there is no such bucket",
    HTTPStatus.UNAUTHORIZED: _DENIED,
    HTTPStatus.FORBIDDEN: _DENIED,
    HTTPStatus.NOT_IMPLEMENTED: "the bucket's server lacks a call that is needed",
}


_NOT_S3: Final = "what answers there is no S3 server, or a proxy before it"
_OTHERS_VARIABLES: Final = {
    "profile": (None, None, None, None),
    "config_file": (None, None, os.devnull, None),
    "credentials_file": (None, None, os.devnull, None),
}
"""Overrides for AWS settings of other programs on this machine."""


class UploadGone(FilesUnavailable):
    """The upload was aborted, or already completed."""

    def __init__(self) -> None:
        super().__init__("the upload is gone")


class _NotFound(FilesUnavailable):
    """Something was not found; whether it was the object is not certain."""

    def __init__(self) -> None:
        super().__init__(_NOT_S3)


class _Taken(FilesUnavailable):
    """There is an object of that name already."""

    def __init__(self) -> None:
        super().__init__("there is one of that name already")


class Bucket:
    """The few calls packages and the ledger need. Names are without the place's prefix.

    Every method raises `FilesUnavailable`, `FilesRefused`, or FileNotFoundError if the named object is gone. They
    contain nothing of the server's message, which quotes names and keys. Safe to share between threads.
    """

    def __init__(self, place: BucketPlace) -> None:
        self._place = place
        self._bucket = place.bucket
        with translated():
            self._client = _client(place)

    def size(self, name: str) -> int:
        """Return an object's size in bytes."""
        with self._there(name):
            return self._client.head_object(Bucket=self._bucket, Key=self._key(name))["ContentLength"]

    def read(self, name: str, start: int, end: int) -> bytes:
        """Return the bytes `start` … `end` (exclusive) of an object."""
        with self._there(name):
            part = f"bytes={start}-{end - 1}"
            answer = self._client.get_object(Bucket=self._bucket, Key=self._key(name), Range=part)
            with closing(answer["Body"]) as body:  # `with` alone would use the inner stream, which raises other errors
                data = body.read(end - start)
        if len(data) != end - start:  # boto3 accepts a truncated response as complete
            raise FilesUnavailable("the bucket's server broke off")
        return data

    def whole(self, name: str, most: int) -> bytes:
        """Return an object; if it has more than `most` bytes, one more than those."""
        with self._there(name):
            answer = self._client.get_object(Bucket=self._bucket, Key=self._key(name))
            with closing(answer["Body"]) as body:
                data = body.read(expected := min(answer["ContentLength"], most + 1))
        if len(data) != expected:  # as in `read`
            raise FilesUnavailable("the bucket's server broke off")
        return data

    def create(self, name: str, data: bytes) -> bool:
        """Create an object; return False if there is one of that name already."""
        # A bucket whose objects are locked refuses any that come without a checksum; MD5 is the one every server knows.
        digest = base64.b64encode(hashlib.md5(data, usedforsecurity=False).digest()).decode()
        try:
            with translated():
                self._client.put_object(
                    Bucket=self._bucket, Key=self._key(name), Body=data, IfNoneMatch="*", ContentMD5=digest
                )["ETag"]
        except _Taken:
            return False
        return True

    def names(self, prefix: str, *, after: str = "", limit: int | None = None) -> list[str]:
        """Return the names of objects under a prefix in order, those behind `after` only.

        Args:
            limit: at most so many.
        """
        more = {"StartAfter": self._key(after)} if after else {}
        paging = {} if limit is None else {"PaginationConfig": {"MaxItems": limit, "PageSize": limit}}
        with translated():
            pages = self._pages("list_objects_v2", "Name", prefix, whole=limit is None, **more, **paging)
            return [self._name(one["Key"]) for page in pages for one in page.get("Contents", ())]

    def keeps_days(self) -> int | None:
        """Return for how many days the bucket's lock keeps a new object from deletion; None without a lock."""
        try:
            with translated():
                found = self._client.get_object_lock_configuration(Bucket=self._bucket)
        except FilesUnavailable:
            return None
        kept = found.get("ObjectLockConfiguration", {}).get("Rule", {}).get("DefaultRetention", {})
        return kept.get("Days") or kept.get("Years", 0) * 365 or None

    def begin(self, name: str) -> str:
        """Begin a multipart upload; return its id. The object does not exist before `complete`."""
        with translated():
            return self._client.create_multipart_upload(Bucket=self._bucket, Key=self._key(name))["UploadId"]

    def add(self, name: str, upload: str, number: int, data: bytes) -> str:
        """Upload a part, the first with number 1; return its tag."""
        with translated():
            return self._client.upload_part(
                Bucket=self._bucket, Key=self._key(name), UploadId=upload, PartNumber=number, Body=data
            )["ETag"]

    def complete(self, name: str, upload: str, tags: Sequence[str]) -> None:
        """Complete an upload into an object.

        Raises:
            UploadGone: it was aborted meanwhile.
        """
        with translated():
            done = self._client.complete_multipart_upload(
                Bucket=self._bucket,
                Key=self._key(name),
                UploadId=upload,
                MultipartUpload={"Parts": [{"PartNumber": n, "ETag": tag} for n, tag in enumerate(tags, start=1)]},
            )
            done["ETag"]

    def versions(self, prefix: str) -> list[tuple[str, str]]:
        """Return name and id of every version and delete marker under a prefix."""
        with translated():
            return [
                (self._name(one["Key"]), one["VersionId"])
                for page in self._pages("list_object_versions", "Name", prefix)
                for one in (*page.get("Versions", ()), *page.get("DeleteMarkers", ()))
            ]

    def uploads(self, prefix: str) -> list[tuple[str, str]]:
        """Return name and id of every unfinished upload under a prefix."""
        with translated():
            return [
                (self._name(one["Key"]), one["UploadId"])
                for page in self._pages("list_multipart_uploads", "Bucket", prefix)
                for one in page.get("Uploads", ())
            ]

    def erase(self, prefix: str) -> set[str]:
        """Delete every version under a prefix and abort its uploads; return the names.

        Uploads are aborted first, so that none can complete after its versions are deleted.
        """
        uploads = self.uploads(prefix)
        for name, upload in uploads:
            with suppress(UploadGone), translated():
                self._client.abort_multipart_upload(Bucket=self._bucket, Key=self._key(name), UploadId=upload)
        versions = self.versions(prefix)
        for name, version in versions:
            with translated():
                self._client.delete_object(Bucket=self._bucket, Key=self._key(name), VersionId=version)
        return {name for name, _ in (*uploads, *versions)}

    def _pages(
        self,
        call: Literal["list_object_versions", "list_multipart_uploads", "list_objects_v2"],
        named: str,
        prefix: str,
        *,
        whole: bool = True,
        **more: Any,
    ) -> list[Mapping[str, Any]]:
        """Return a list's pages. Each must name our bucket, because an empty page of a proxy would look like proof of
        absence.
        """
        paginator = self._client.get_paginator(call)
        pages: list[Mapping[str, Any]] = list(paginator.paginate(Bucket=self._bucket, Prefix=self._key(prefix), **more))
        if not pages or any(page.get(named) != self._bucket for page in pages):
            raise FilesUnavailable(_NOT_S3)
        if whole and pages[-1].get("IsTruncated"):
            raise FilesUnavailable("the bucket's server lists a part only")
        return pages

    @contextmanager
    def _there(self, name: str) -> Iterator[None]:
        """Raise FileNotFoundError only if listing works; a 404 may refer to the bucket or come from a proxy."""
        try:
            with translated():
                yield
        except _NotFound:
            self.versions(name)
            raise FileNotFoundError("it is not in the bucket") from None

    def _key(self, name: str) -> str:
        return self._place.prefix + name

    def _name(self, key: str) -> str:
        return key.removeprefix(self._place.prefix)


@cache
def bucket_at(place: BucketPlace) -> Bucket:
    """Return this process's `Bucket` for a place; creating its client takes a tenth of a second."""
    return Bucket(place)


def _client(place: BucketPlace) -> S3Client:
    session = boto3.session.Session(botocore_session=botocore.session.Session(session_vars=_OTHERS_VARIABLES))
    client = session.client(
        "s3",
        endpoint_url=place.endpoint,
        region_name=place.region,
        aws_access_key_id=place.access_key,
        aws_secret_access_key=place.secret_key,
        config=Config(  # type: ignore[call-arg]  # its stubs are older
            connect_timeout=place.timeout,
            read_timeout=place.timeout,
            retries={"total_max_attempts": ATTEMPTS, "mode": "standard"},
            max_pool_connections=CONNECTIONS,
            # A bucket in the host name needs DNS names and certificates that few servers except AWS have.
            s3={"addressing_style": "path" if place.endpoint else "auto"},
            ignore_configured_endpoint_urls=True,  # other programs' variables
            # Older servers refuse the checksums boto3 adds; every chunk has its own authentication tag.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        ),
    )
    make_punctual(client, place.timeout)
    return client


@contextmanager
def translated() -> Iterator[None]:
    """Convert boto3's exceptions into the errors of `SealedFiles`, without message or cause."""
    try:
        yield
    except (FilesUnavailable, FilesRefused):
        raise
    except ClientError as error:
        raise _meant(error) from None
    except SSLError:
        raise FilesUnavailable("no TLS connection to the bucket's server that could be trusted") from None
    except (ResponseParserError, KeyError):
        raise FilesUnavailable(_NOT_S3) from None
    except (BotoCoreError, HTTPError, OSError):
        raise FilesUnavailable("the bucket's server does not answer") from None


def _meant(error: ClientError) -> OSError:
    code = error.response.get("Error", {}).get("Code", "")
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    if code == "NoSuchUpload":
        return UploadGone()
    if refusal := _REFUSALS.get(code) or _REFUSALS.get(status):
        return FilesRefused(refusal)
    if status == HTTPStatus.NOT_FOUND:
        return _NotFound()
    if status == HTTPStatus.PRECONDITION_FAILED:
        return _Taken()
    if {code, status} & _BUSY or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return FilesUnavailable("the bucket's server is busy")
    return FilesRefused(f"the bucket's server answers {status}")
