"""Where this installation's packages lie: the bucket its settings name, or its data directory."""

from __future__ import annotations

from shared.packages.folder_files import FolderFiles
from shared.packages.sealed_files import SealedFiles
from shared.runtime.settings import Settings


def package_files(settings: Settings) -> SealedFiles:
    """Open the place; nothing is asked of it yet."""
    place = settings.bucket
    if place is None:
        return FolderFiles(settings.exports_dir)
    from shared.packages.bucket import bucket_at  # noqa: PLC0415 # boto3 takes 0.3 s and 20 MB
    from shared.packages.bucket_files import BucketFiles  # noqa: PLC0415 # as above

    return BucketFiles(bucket_at(place))
