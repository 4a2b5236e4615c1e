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

from shared.language.reader.input import TURN_TOKENS, Input, pair_input, turn_input
from shared.language.reader.labels import TASKS, TOKEN_SLICES, WHOLE_SLICES

WEIGHTS: Final = Path(__file__).with_name("weights")
PIECES_MAX: Final = 40
"""Pieces of one turn that are read: 6,400 tokens."""
Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Read:
    """What the model says of one row: labels' probabilities of each token of its text, and scores of the whole."""

    input: Input
    tokens: Numbers
    whole: Numbers

    def token(self, head: str) -> Numbers:
        """Return tokens × labels of one head, each token's summing to 1."""
        return _softmax(self.tokens[:, TOKEN_SLICES[head]])

    def whole_of(self, head: str) -> Numbers:
        """Return the probabilities of one head's labels."""
        return _softmax(self.whole[WHOLE_SLICES[head]])


class Reader:
    """The bundled reader. Not safe to fork once it was used; safe to share between threads.

    Args:
        folder: with `reader.onnx` and `tokenizer.json`.
    """

    def __init__(self, folder: Path = WEIGHTS) -> None:
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        self._session = onnxruntime.InferenceSession(
            str(folder / "reader.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> list[Read]:
        """Read a turn of the person after those before it; a long one in several pieces."""
        rows = [turn_input(self.tokenizer, text, before=before)]
        while len(rows[-1].offsets) == TURN_TOKENS and len(rows) < PIECES_MAX:
            rows.append(turn_input(self.tokenizer, text, before=before, skip=len(rows) * TURN_TOKENS))
        return self.read([row for row in rows if row.offsets], "turn")

    def pair(self, first: str, second: str) -> Input:
        """Return two texts beside each other, to be read; the tokens are the second's."""
        return pair_input(self.tokenizer, first, second)

    def read(self, rows: Sequence[Input], task: str) -> list[Read]:
        """Read rows of one task, in order.

        Each alone: activations are quantized by what is largest in a run, so that beside others a row would be read a
        little differently. Four at once would be a quarter quicker.
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
