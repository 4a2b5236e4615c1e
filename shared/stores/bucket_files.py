"""A person's files in a bucket: all versions and unfinished uploads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shared.stores.files import STORE, translated_errors
from shared.stores.port import ErasureTarget, Residue
from shared.stores.sealed.bucket import named
from shared.stores.sealed.bucket_client import Bucket

_KEY: Final = slice(37, 73)
"""Position of the key in a name, after the namespace and a slash."""


class BucketStore:
    """Packages in a bucket, versioned or not. In a versioned bucket, this deletes all versions, not only the newest.

    Every method raises `StoreUnavailable`, or `StoreMisconfigured` if the bucket denies or lacks something.
    """

    name = STORE

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        """Delete all versions of the announced files, or of everything in a namespace; safe to repeat.

        Return the number of keys requested for deletion. Always searches, because a version can only be deleted by its
        id.
        """
        del search
        with translated_errors():
            return [self._erase(target) for target in targets]

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        """Count the remaining versions, delete markers and unfinished uploads."""
        del search  # as `erase`
        with translated_errors():
            return [self._residue(target) for target in targets]

    def _erase(self, target: ErasureTarget) -> int:
        names = {name for prefix in _prefixes(target) for name in self._bucket.erase(prefix)}
        return len({str(key) for key in target.keys} | {name[_KEY] for name in names})

    def _residue(self, target: ErasureTarget) -> Residue:
        prefixes = list(_prefixes(target))
        files = {one for prefix in prefixes for one in self._bucket.versions(prefix)}
        uploads = {one for prefix in prefixes for one in self._bucket.uploads(prefix)}
        return Residue(found={"files": len(files), "uploads": len(uploads)})


def _prefixes(target: ErasureTarget) -> Iterator[str]:
    """Yield prefixes to search. Keys are listed even for a whole namespace: some servers list uploads by full name
    only.
    """
    for key in target.keys:
        yield named(target.namespace, key)
    if target.whole_namespace:
        yield f"{target.namespace}/"
