"""Encrypted packages in a folder: `<root>/<namespace>/<key>.sealed`, named so that the file store can erase them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from shared.stores.sealed.files import SUFFIX


class FolderFiles:
    """`SealedFiles` below a folder, which need not exist. Links are never followed."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @contextmanager
    def writing(self, namespace: UUID, key: UUID) -> Iterator[BinaryIO]:
        """Open a new file; it is on disk when the block ends, and does not exist if the block raises.

        Raises:
            OSError: it cannot be written, or already exists.
        """
        path = self._path(namespace, key)
        folder = path.parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(opened, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            for place in (folder, self._root):
                write_through(place)
        except BaseException:
            with suppress(OSError):
                path.unlink(missing_ok=True)
            raise

    @contextmanager
    def reading(self, namespace: UUID, key: UUID) -> Iterator[BinaryIO]:
        """Open a file.

        Raises:
            FileNotFoundError: it does not exist.
            OSError: it cannot be read.
        """
        opened = os.open(self._path(namespace, key), os.O_RDONLY | os.O_NOFOLLOW)
        with os.fdopen(opened, "rb") as file:
            yield file

    def keys(self) -> Iterator[tuple[UUID, UUID]]:
        """Yield namespace and key of every file."""
        for folder in self._root.iterdir() if self._root.is_dir() else ():
            with suppress(ValueError, NotADirectoryError):
                namespace = UUID(folder.name)
                for path in folder.iterdir():
                    with suppress(ValueError):
                        yield namespace, UUID(path.name.removesuffix(SUFFIX))

    def _path(self, namespace: UUID, key: UUID) -> Path:
        folder = self._root / str(namespace)
        if folder.is_symlink():
            raise PermissionError
        return folder / f"{key}{SUFFIX}"


def write_through(folder: Path) -> None:
    """Sync a folder's entries to disk, so that a power failure neither loses files nor restores deleted ones."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
