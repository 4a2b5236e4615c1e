"""Check that packages can be written, read and erased in the bucket, if one is configured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from services.cli.doctor.finding import Finding
from services.cli.doctor.patient import Patient

if TYPE_CHECKING:
    from shared.stores.sealed.bucket_place import BucketPlace

_REMEDY = "docs/runbooks/bucket.md says what the bucket must allow"
_UPLOADS_REMEDY = "let the bucket's lifecycle abort them after a day: docs/runbooks/bucket.md"
_WORDS = b"memory-center doctor"


def bucket(_patient: Patient) -> Iterator[Finding]:
    """Write a test package into the configured bucket, read it, and erase it."""
    from pydantic import ValidationError  # slow to import

    from shared.runtime.bucket_settings import BucketSettings  # same
    from shared.runtime.settings import faults  # same
    from shared.stores.sealed.files import FilesRefused, FilesUnavailable  # same

    try:
        place = BucketSettings().bucket
    except ValidationError as wrong:
        for fault in faults(wrong):
            yield Finding("fail", "bucket", fault, _REMEDY)
        return
    if place is None:
        yield Finding("ok", "bucket", "none configured: packages lie in the data directory")
        return
    where = f"{place.bucket} at {place.endpoint or 'AWS'}"
    try:
        tried = _tried_out(place)
    except FilesRefused as refused:
        yield Finding("fail", "bucket", f"{where}: {refused.reason}", _REMEDY)
    except FilesUnavailable as away:
        yield Finding("fail", "bucket", f"{where}: {away}", "check MEMORY_CENTER_FILES_S3_ENDPOINT")
    except OSError as wrong:
        yield Finding("fail", "bucket", f"{where}: {wrong}", _REMEDY)
    else:
        if tried.left:
            yield Finding("fail", "bucket", f"{where}: {tried.left} versions stay when they are deleted", _REMEDY)
        elif not tried.lists_uploads:
            yield Finding("warn", "bucket", f"{where} lists uploads by their whole name only", _UPLOADS_REMEDY)
        else:
            yield Finding("ok", "bucket", f"{where} takes a package, gives it back and erases it")


@dataclass(frozen=True, slots=True)
class _Tried:
    left: int
    """Number of versions and uploads that could not be erased."""
    lists_uploads: bool
    """Whether unannounced uploads can be found."""


def _tried_out(place: BucketPlace) -> _Tried:
    """Do every operation the product uses, and leave nothing behind."""
    from shared.stores.sealed.bucket import BucketFiles, named  # same
    from shared.stores.sealed.bucket_client import Bucket  # takes 0.3 s, and only this check needs it
    from shared.stores.sealed.files import FilesUnavailable  # same

    there, namespace, key = Bucket(place), uuid4(), uuid4()
    files, name = BucketFiles(there), named(namespace, key)
    try:
        with files.writing(namespace, key) as file:
            file.write(_WORDS)
        with files.reading(namespace, key) as written:
            if written.read() != _WORDS:
                raise FilesUnavailable("it gives back something else than it was given")
        upload = there.begin(name)
        lists_uploads = (name, upload) in there.uploads(f"{namespace}/")
        list(files.keys())
    except OSError:
        with suppress(OSError):
            there.erase(name)
        raise
    there.erase(name)
    return _Tried(len(there.versions(name)) + len(there.uploads(name)), lists_uploads)
