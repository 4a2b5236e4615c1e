"""Whether packages can be written, read and erased in the bucket, where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING
from uuid import uuid4

from services.cli.doctor.finding import Finding
from services.cli.doctor.patient import Patient

if TYPE_CHECKING:
    from shared.packages.bucket_place import BucketPlace

_REMEDY = "docs/runbooks/bucket.md says what the bucket must allow"


def bucket(_patient: Patient) -> Iterator[Finding]:
    """Write a package of no content into the bucket the environment names, read it, and erase it."""
    from pydantic import ValidationError  # slow to import

    from shared.packages.sealed_files import FilesRefused, FilesUnavailable  # same
    from shared.runtime.bucket_settings import BucketSettings  # same
    from shared.runtime.settings import faults  # same

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
        left = _tried_out(place)
    except FilesRefused as refused:
        yield Finding("fail", "bucket", f"{where}: {refused.reason}", _REMEDY)
    except FilesUnavailable as away:
        yield Finding("fail", "bucket", f"{where}: {away}", "check MEMORY_CENTER_FILES_S3_ENDPOINT")
    else:
        if left:
            yield Finding("fail", "bucket", f"{where}: {left} versions stay when they are deleted", _REMEDY)
        else:
            yield Finding("ok", "bucket", f"{where} takes a package, gives it back and erases it")


def _tried_out(place: BucketPlace) -> int:
    """Do all that is ever done there; return how much of it could not be erased."""
    from shared.packages.bucket import Bucket  # 0.3 s that only this check needs
    from shared.packages.bucket_files import BucketFiles, named  # same

    there, namespace, key = Bucket(place), uuid4(), uuid4()
    files, name = BucketFiles(there), named(namespace, key)
    try:
        with files.writing(namespace, key) as file:
            file.write(b"memory-center doctor")
        with files.reading(namespace, key) as written:
            written.read(1)
        list(files.keys())
    except OSError:
        with suppress(OSError):
            there.erase(name)
        raise
    there.erase(name)
    return len(there.versions(name)) + len(there.uploads(name))
