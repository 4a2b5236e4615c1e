"""Files with content of a person in a bucket: every version of them, and what never became one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shared.stores.files import STORE, translated_errors
from shared.stores.port import ErasureTarget, Residue
from shared.stores.sealed.bucket import named
from shared.stores.sealed.bucket_client import Bucket

_KEY: Final = slice(37, 73)
"""Where a name has its key, after the namespace and a slash."""


class BucketStore:
    """Packages in a bucket, versioned or not. In a versioned one deleting hides; here it deletes what was hidden.

    Every method raises `StoreUnavailable`, or `StoreMisconfigured` where the bucket denies or lacks something.
    """

    name = STORE

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        """Delete all versions of the announced files, or of everything in a namespace; safe to repeat.

        Return how many keys were asked to go. It searches in any case: a version can only be deleted by its id.
        """
        del search
        with translated_errors():
            return [self._erase(target) for target in targets]

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        """Count the versions, delete markers and unfinished uploads that are left."""
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
    """Yield where to look. By key as well where everything goes: some servers list uploads by their whole name only."""
    for key in target.keys:
        yield named(target.namespace, key)
    if target.whole_namespace:
        yield f"{target.namespace}/"
