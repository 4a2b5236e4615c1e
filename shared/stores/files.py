"""A person's files: `<root>/<namespace>/<key>…`, each announced under its key before it is written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from shared.stores.port import ErasureTarget, Residue, StoreMisconfigured, StoreUnavailable
from shared.stores.sealed.files import FilesRefused
from shared.stores.sealed.folder import write_through

STORE: Final = "files"
_KEY_LENGTH: Final = 36


class FileStore:
    """Files and folders below `root`, which need not exist. Links are removed or refused, never followed.

    Every method raises `StoreUnavailable`, or `StoreMisconfigured` because of permissions or a link.
    """

    name = STORE

    def __init__(self, root: Path) -> None:
        self._root = root

    def erase(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[int]:
        """Delete the announced files, or everything in a whole namespace; safe to repeat.

        Return the number of keys requested for deletion. Always searches, because that is cheap here.
        """
        del search
        with translated_errors():
            return [self._erase(target) for target in targets]

    def residue(self, targets: Sequence[ErasureTarget], *, search: bool = True) -> list[Residue]:
        """Count the remaining files and folders of the targets."""
        del search  # as `erase`
        with translated_errors():
            return [Residue(found={"files": len(self._held(target))}) for target in targets]

    def _erase(self, target: ErasureTarget) -> int:
        held, folder = self._held(target), self._folder(target)
        for path in held:
            _remove(path)
        if held:
            write_through(folder)
        if target.whole_namespace and folder.exists():
            shutil.rmtree(folder)
            write_through(self._root)
        return len({str(key) for key in target.keys} | {path.name[:_KEY_LENGTH] for path in held})

    def _held(self, target: ErasureTarget) -> list[Path]:
        """Return the paths in the target's folder that belong to the target."""
        folder = self._folder(target)
        if folder.is_symlink() or folder.is_file():
            raise StoreMisconfigured(STORE, "something else is where a namespace's folder belongs")
        if not folder.is_dir():
            return []
        keys = {str(key) for key in target.keys}
        return [path for path in folder.iterdir() if target.whole_namespace or path.name[:_KEY_LENGTH] in keys]

    def _folder(self, target: ErasureTarget) -> Path:
        return self._root / str(target.namespace)


def _remove(path: Path) -> None:
    """Delete a file, a link or a folder with its content; links are deleted, not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Convert OS and bucket errors into the port's; they quote paths, so they are not chained."""
    try:
        yield
    except FilesRefused as refused:
        raise StoreMisconfigured(STORE, refused.reason) from None
    except PermissionError:
        raise StoreMisconfigured(STORE, "permission denied") from None
    except OSError:
        raise StoreUnavailable(STORE) from None
