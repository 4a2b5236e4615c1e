"""Search files for texts byte by byte, in every encoding a server may have used."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

SHORTEST_BYTES: Final = 4
"""Shorter texts would match everywhere by chance."""

_CHUNK_BYTES: Final = 8 * 1024 * 1024
_ROWS_AT_ONCE: Final = 1024
_LONG_BYTES: Final = 64
_PIECE_BYTES: Final = 48
_STRIDE_BYTES: Final = 256
_DISTINCT_BYTES: Final = 4

WHY_LEFT_OUT: Final = {
    "pg_wal": "PostgreSQL's write-ahead log ages out by itself",
    "backups": "backups age out by themselves",
}
"""Folders that are not searched, by name, with the reason."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A path that was not searched, and why; `harmless` if that is expected."""

    path: Path
    why: str
    harmless: bool = False


@dataclass(frozen=True, slots=True)
class Searched:
    """A searched file: its size, and the number of matches."""

    path: Path
    size: int
    hits: int


class Needles:
    """The texts to search for, in UTF-8, in UTF-16 and escaped as JSON.

    Forms of 64 bytes and more are searched for in pieces, because PostgreSQL splits long texts: if a form is split in
    two, or into parts of 600 bytes, at least one piece remains whole.

    Raises:
        ValueError: a text is too short.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        patterns: set[bytes] = set()
        for one in texts:
            if len(one.encode()) < SHORTEST_BYTES:
                raise ValueError(f"a text to search for has at least {SHORTEST_BYTES} bytes")
            for form in _forms(one):
                patterns |= set(_pieces(form))
        self._patterns = sorted(patterns)
        self.longest = max(map(len, self._patterns), default=0)

    def count(self, window: bytes, seen: int = 0) -> int:
        """Count the matches in `window`, except those entirely in its first `seen` bytes."""
        return sum(window.count(one, max(seen - len(one) + 1, 0)) for one in self._patterns)


def search(roots: Sequence[Path], needles: Needles) -> Iterator[Searched | LeftOut]:
    """Search every file at or below the roots, in bounded memory.

    A file that disappears meanwhile is skipped. A Parquet file may be compressed, so its decoded content is searched
    too.
    """
    for path in _files(roots):
        if isinstance(path, LeftOut):
            yield path
            continue
        try:
            with path.open("rb") as file:
                hits = _hits(file, needles)
                size = file.tell()
        except FileNotFoundError:
            continue
        except OSError as problem:
            yield LeftOut(path, problem.strerror or type(problem).__name__)
            continue
        if path.suffix == ".parquet":
            try:
                hits += _decoded_hits(path, needles)
            except FileNotFoundError:
                continue
            except Exception as problem:  # noqa: BLE001 # whatever is wrong with the file, it was not searched
                yield LeftOut(path, f"cannot be decoded ({type(problem).__name__})")
        yield Searched(path, size, hits)


def _files(roots: Sequence[Path]) -> Iterator[Path | LeftOut]:
    problems: list[LeftOut] = []

    def note(problem: OSError) -> None:
        if not isinstance(problem, FileNotFoundError):
            problems.append(LeftOut(Path(problem.filename), problem.strerror or type(problem).__name__))

    for root in roots:
        if root.is_file():
            yield root
        for folder, folders, names in os.walk(root, onerror=note):
            here = Path(folder)
            for name in sorted(folders):
                if name in WHY_LEFT_OUT:
                    folders.remove(name)
                    yield LeftOut(here / name, WHY_LEFT_OUT[name], harmless=True)
                elif (here / name).is_symlink():
                    yield LeftOut(here / name, "a link to elsewhere")
            folders.sort()
            yield from (here / name for name in sorted(names) if _is_regular(here / name))
    yield from problems


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False
    except OSError:
        return True  # opening it will report the error


def _hits(file: BinaryIO, needles: Needles) -> int:
    hits, tail = 0, b""
    while chunk := file.read(_CHUNK_BYTES):
        window = tail + chunk
        hits += needles.count(window, len(tail))
        tail = window[max(len(window) - needles.longest + 1, 0) :]
    return hits


def _decoded_hits(path: Path, needles: Needles) -> int:
    import pyarrow.parquet  # type: ignore[import-untyped,unused-ignore]  # 0.3 s; has no types

    with pyarrow.parquet.ParquetFile(path, memory_map=False) as file:
        return sum(
            needles.count(buffer.to_pybytes())
            for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE)
            for column in batch.columns
            for buffer in column.buffers()
            if buffer is not None
        )


def _forms(text: str) -> set[bytes]:
    """Return all forms in which a text may be stored."""
    escaped = json.dumps(text)[1:-1]
    upper = "".join(
        json.dumps(letter)[1:-1] if letter.isascii() else json.dumps(letter)[1:-1].upper().replace("\\U", "\\u")
        for letter in text
    )
    return {
        text.encode(),
        text.encode("utf-16-le"),
        escaped.encode(),
        upper.encode(),
        json.dumps(text, ensure_ascii=False)[1:-1].encode(),
    }


def _pieces(form: bytes) -> list[bytes]:
    """Return the byte patterns to search for: the form itself, or pieces of a long one."""
    if len(form) < _LONG_BYTES:
        return [form]
    size, stride = min(_PIECE_BYTES, len(form) // 4), min(_STRIDE_BYTES, len(form) // 4)
    pieces = [form[at : at + size] for at in range(0, len(form) - size + 1, stride)]
    # A piece of padding would match everywhere.
    return [piece for piece in pieces if len(set(piece)) >= _DISTINCT_BYTES] or [form]
