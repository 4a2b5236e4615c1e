"""The store that erases package files, on disk or in a bucket."""

from __future__ import annotations

from shared.runtime.settings import Settings
from shared.stores.files import FileStore
from shared.stores.port import ErasableStore


def file_store(settings: Settings) -> ErasableStore:
    """Return the eraser for the place `shared.runtime.package_files` uses; makes no request yet."""
    place = settings.bucket
    if place is None:
        return FileStore(settings.exports_dir)
    from shared.stores.bucket_files import BucketStore  # noqa: PLC0415 # as above
    from shared.stores.sealed.bucket_client import bucket_at  # noqa: PLC0415 # boto3 takes 0.3 s and 20 MB

    return BucketStore(bucket_at(place))
