"""Storage of this installation's packages: the configured bucket, or the data directory."""

from __future__ import annotations

from shared.runtime.settings import Settings
from shared.stores.sealed.files import SealedFiles
from shared.stores.sealed.folder import FolderFiles


def package_files(settings: Settings) -> SealedFiles:
    """Return the storage; nothing is accessed yet."""
    place = settings.bucket
    if place is None:
        return FolderFiles(settings.exports_dir)
    from shared.stores.sealed.bucket import BucketFiles  # noqa: PLC0415 # as above
    from shared.stores.sealed.bucket_client import bucket_at  # noqa: PLC0415 # boto3 takes 0.3 s and 20 MB

    return BucketFiles(bucket_at(place))
