"""The reader as a torch module: the encoder and its heads."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

from shared.language.embedding.weights import PublishedWeights
from shared.language.reader.labels import TASKS, TOKEN_HEADS, WHOLE_HEADS
from tests.training.encoder import Encoder

POSITIONS: Final = 256
DROPOUT: Final = 0.1


class Reader(nn.Module):
    """Returns the labels' scores of each token (batch × tokens × labels) and of the whole (batch × labels)."""

    def __init__(self, weights: PublishedWeights, kept: list[int]) -> None:
        super().__init__()
        width = weights.shape.width
        self.encoder = Encoder(weights, kept, positions=POSITIONS, tasks=len(TASKS))
        self.tokens = nn.Linear(width, sum(TOKEN_HEADS.values()))
        self.inner = nn.Linear(2 * width, width)
        self.whole = nn.Linear(width, sum(WHOLE_HEADS.values()))

    def forward(self, ids: Tensor, mask: Tensor, task: Tensor) -> tuple[Tensor, Tensor]:
        """Read; `ids` and `mask` are batch × tokens, `task` one number a row."""
        return self.heads(self.encoder(ids, mask, task), mask)

    def heads(self, x: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the scores of what the encoder made of the tokens."""
        seen = mask[..., None].to(x.dtype)
        mean = (x * seen).sum(1) / seen.sum(1)
        inner = torch.tanh(self.inner(torch.cat([x[:, 0], mean], 1)))
        inner = nn.functional.dropout(inner, DROPOUT, self.training)
        return self.tokens(x), self.whole(inner)
