"""Runs the reader's weights with onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

from shared.language.reader.input import Input, pair_input, turn_inputs
from shared.language.reader.labels import TASKS, TOKEN_SLICES, WHOLE_SLICES

WEIGHTS: Final = Path(__file__).with_name("weights")
Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Read:
    """The model's output for one row: label scores for each token of its text, and scores for the whole row."""

    input: Input
    tokens: Numbers
    whole: Numbers

    def token(self, head: str) -> Numbers:
        """Return label probabilities of one head, tokens × labels; each row sums to 1."""
        return _softmax(self.tokens[:, TOKEN_SLICES[head]])

    def whole_of(self, head: str) -> Numbers:
        """Return the label probabilities of one head for the whole row."""
        return _softmax(self.whole[WHOLE_SLICES[head]])


class Reader:
    """The bundled reader. Thread-safe, but must not be forked after its first use.

    Args:
        folder: contains `reader.onnx` and `tokenizer.json`.
    """

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        self._session = onnxruntime.InferenceSession(
            str(folder / "reader.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def turn(self, text: str, before: Sequence[tuple[str, str]], *, most: int | None = None) -> list[Read]:
        """Read a turn with the messages before it; a long turn is read in several segments, at most `most`."""
        return self.read(turn_inputs(self.tokenizer, text, before=before, most=most), "turn")

    def pair(self, first: str, second: str) -> Input:
        """Return the input for two texts side by side; the offsets are those of the second."""
        return pair_input(self.tokenizer, first, second)

    def read(self, rows: Sequence[Input], task: str) -> list[Read]:
        """Read rows of one task, in order.

        Each row runs on its own: activations are quantized by the largest value in a batch, so a batch would change
        results slightly. Batches of four would be a quarter faster.
        """
        return [self._run(row, TASKS.index(task)) for row in rows]

    def _run(self, row: Input, task: int) -> Read:
        ids = np.array([row.ids], np.int64)
        tokens, whole = self._session.run(
            None, {"ids": ids, "mask": np.ones_like(ids), "task": np.array([task], np.int64)}
        )
        return Read(row, tokens[0, row.start : row.start + len(row.offsets)], whole[0])


def _softmax(scores: Numbers) -> Numbers:
    raised: Any = np.exp(scores - scores.max(-1, keepdims=True))
    found: Numbers = raised / raised.sum(-1, keepdims=True)
    return found
