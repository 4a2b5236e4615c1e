"""An uploaded zip: its directory is read in bounded memory, and every entry is checked before any is opened."""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EINVAL
from typing import BinaryIO, Final

from shared.portability.packages.limits import MIB, Limits
from shared.portability.packages.refusals import PackageRefused

Read = Callable[[int], bytes]
"""Returns up to this many bytes; none at the end."""

CHUNK: Final = 64 * 1024

PATH_MAX: Final = 255
_UNSAFE: Final = re.compile(r"[\x00-\x1f\x7f\\]|^/|^[A-Za-z]:|(?:^|/)\.{0,2}(?:/|$)")
"""Control characters, backslashes, absolute paths, drives, and segments that are empty, `.` or `..`."""
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_PATCHED: Final = 0x20
_REGULAR: Final = frozenset({0, stat.S_IFREG, stat.S_IFDIR})
_DAMAGED: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,  # includes invalid UTF-8
    IndexError,
    OverflowError,
    OSError,  # an offset before the start of the file
)
"""Exceptions `zipfile` raises for bytes that are not a valid zip."""


class Archive:
    """A zip with safe, distinct, readable entries.

    Args:
        file: open for reading, seekable; it stays open.
        limits: maximum sizes.

    Raises:
        PackageRefused: it is damaged, has too many entries, or has an unsafe or unreadable entry.
    """

    def __init__(self, file: BinaryIO, limits: Limits) -> None:
        self._limits = limits
        self._file = _Bounded(file, max(limits.directory_bytes, MIB))
        with self._damage_refused(None):
            self._zip = zipfile.ZipFile(self._file)
        found = self._zip.infolist()
        if len(found) > limits.entries:
            raise PackageRefused("package_too_many_entries")
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for number, entry in enumerate(found, start=1):
            _check_safe(entry, number)
            if entry.orig_filename.endswith("/"):
                continue
            if entry.orig_filename in self._entries:
                raise PackageRefused("package_duplicate_entry", line=number)
            self._entries[entry.orig_filename] = entry
        self.sizes: dict[str, int] = {path: entry.file_size for path, entry in self._entries.items()}
        """Path → file size in bytes, from the directory; no more is ever read."""

    def check_size(self, paths: list[str]) -> None:
        """Check the total unpacked size of some files.

        Raises:
            PackageRefused: it exceeds the limit, or the compression ratio is implausible for text.
        """
        unpacked = sum(self.sizes[path] for path in paths)
        packed = sum(self._entries[path].compress_size for path in paths)
        limits = self._limits
        if unpacked > limits.unpacked_bytes or unpacked > max(limits.ratio * packed, limits.ratio_from_bytes):
            raise PackageRefused("package_too_large_unpacked")

    @contextmanager
    def reading(self, path: str) -> Iterator[Read]:
        """Open a file of the zip; its checksum is verified when it has been read to the end.

        Raises:
            PackageRefused: when opened or while read: it is damaged.
        """
        with self._damage_refused(path):
            entry = self._zip.open(self._entries[path])

        def read(size: int) -> bytes:
            with self._damage_refused(path):
                return entry.read(size)

        with entry:
            yield read

    @contextmanager
    def _damage_refused(self, path: str | None) -> Iterator[None]:
        try:
            yield
        except _DAMAGED:
            if self._file.failed is not None:
                raise self._file.failed from None
            raise PackageRefused("package_malformed", path) from None


def read_fully(file: BinaryIO, size: int) -> bytes:
    """Read this many bytes, fewer only at the end; a single `read` may return fewer."""
    data = file.read(size)
    while len(data) < size and (more := file.read(size - len(data))):
        data += more
    return data


def _check_safe(entry: zipfile.ZipInfo, number: int) -> None:
    path = entry.orig_filename  # `filename` is cut at a NUL
    is_folder = path.endswith("/")
    if len(path) > PATH_MAX or _UNSAFE.search(path[:-1] if is_folder else path):
        raise PackageRefused("package_unsafe_path", line=number)
    if stat.S_IFMT(entry.external_attr >> 16) not in _REGULAR:  # a link or a device
        raise PackageRefused("package_unsafe_path", line=number)
    if entry.flag_bits & _ENCRYPTED:
        raise PackageRefused("package_encrypted", line=number)
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & _PATCHED:
        raise PackageRefused("package_unsupported_compression", line=number)
    if is_folder and entry.file_size:
        raise PackageRefused("package_malformed", line=number)


class _Bounded(io.RawIOBase):
    """A file with a maximum size per read, whatever the zip claims; closing this leaves the file open.

    `failed` is an exception raised by the file itself, which does not mean that the zip is damaged.
    """

    failed: Exception | None = None

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self._size = file.seek(0, io.SEEK_END)
        self._most = most

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._file.tell()

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._file.tell(), io.SEEK_END: self._size}[whence]
        if place < 0:
            raise OSError(EINVAL, "before the start")
        return self._file.seek(min(place, self._size))

    def read(self, size: int | None = -1, /) -> bytes:
        left = self._size - self._file.tell()
        wanted = left if size is None or size < 0 else min(size, left)
        if wanted > self._most:
            raise PackageRefused("package_too_many_entries")  # only a directory is read in one piece
        try:
            return read_fully(self._file, wanted)
        except Exception as error:
            self.failed = error
            raise
