"""The bundled encoder as a torch module: multilingual-e5-small, from the weights that the embedder runs."""

from __future__ import annotations

import math
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from shared.language.embedding.weights import PublishedWeights, unpacked

FIXED: Final = 4
"""Layers that are not taught: what they make of each text is computed once, a third of the work."""
_LINEAR: Final = ("q", "k", "v", "ao", "fi", "fo")
_NORMS: Final = ("aln", "oln")


class Encoder(nn.Module):
    """Twelve layers of self-attention over token ids (batch × tokens); returns batch × tokens × width."""

    def __init__(self, weights: PublishedWeights, kept: list[int], *, positions: int, tasks: int) -> None:
        super().__init__()
        shape = self.shape = weights.shape
        words = _quarters(weights, "emb.word", shape.width)[kept]
        self.words = nn.Embedding.from_pretrained(words, freeze=True)
        self.places = nn.Parameter(_floats(weights, "emb.pos").view(-1, shape.width)[:positions].clone())
        self.kind = nn.Parameter(_floats(weights, "emb.type").view(-1, shape.width)[0].clone())
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
                linear.weight.data = _quarters(weights, f"l{number}.{name}.w", columns)
                linear.bias.data = _floats(weights, f"l{number}.{name}.b")
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
        norm.weight.data, norm.bias.data = _floats(weights, f"{name}.w"), _floats(weights, f"{name}.b")
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


def _floats(weights: PublishedWeights, name: str) -> Tensor:
    return torch.from_numpy(weights.floats(name))


def _quarters(weights: PublishedWeights, name: str, columns: int) -> Tensor:
    """Return a tensor of four-bit numbers as floats (rows × columns)."""
    return torch.from_numpy(unpacked(weights.blocks(name, columns)))
