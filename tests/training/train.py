"""Teach the reader: batches of one task each, of about the same length, in an order drawn from the seed."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from shared.language.reader.input import PAD
from shared.language.reader.labels import RELATIONS, TOKEN_HEADS, TOKEN_SLICES, WHOLE_HEADS, WHOLE_SLICES
from tests.training.examples import IGNORED, NOT_SAME, Example
from tests.training.model import Reader

BATCH: Final = 48
RATE: Final = 1.8e-4
HEADS_RATE: Final = 1e-3
WARM: Final = 0.08
"""Share of the steps in which the rate grows; then it falls to nothing."""
WEIGHTS: Final = {
    "kept": 1.0, "type": 0.2, "safety": 0.3, "about": 0.2, "time": 0.1, "sensitive": 0.6, "part": 0.5,
    "relation": 1.0, "meant": 1.0, "needed": 1.0,
}  # fmt: skip
"""How much each head's error counts."""
KEPT_WEIGHTS: Final = (1.0, 3.0, 1.6, 1.2)
SMOOTHING: Final = 0.05
UNSEEN: Final = 0.06
"""Share of the pieces hidden in each row."""
BFLOAT16: Final = bool(torch.cpu.get_capabilities().get("amx_bf16"))
"""Whether matrices are multiplied in 16 bits: with AMX a step takes half as long."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded rows of one task, as the lower layers see them, with their labels by head."""

    lower: Tensor
    mask: Tensor
    task: Tensor
    tokens: dict[str, Tensor]
    whole: dict[str, Tensor]


def look(reader: Reader, rows: Sequence[Example]) -> None:
    """Let the layers that are not taught look at each row, once for all epochs."""
    order = sorted(rows, key=lambda row: len(row.ids))
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            longest = max(len(row.ids) for row in some)
            ids = torch.tensor([row.ids + [PAD] * (longest - len(row.ids)) for row in some])
            mask = torch.tensor([[1] * len(row.ids) + [0] * (longest - len(row.ids)) for row in some])
            for row, seen in zip(some, reader.encoder.lower(ids, mask), strict=True):
                row.lower = seen[: len(row.ids)].half()


def batch(rows: Sequence[Example]) -> Batch:
    """Return rows of one task as a batch."""
    longest = max(len(row.ids) for row in rows)

    def padded(values: list[list[int]], filler: int) -> Tensor:
        return torch.tensor([one + [filler] * (longest - len(one)) for one in values])

    lower = nn.utils.rnn.pad_sequence([row.lower for row in rows], batch_first=True).float()
    mask = padded([[1] * len(row.ids) for row in rows], 0)
    task = torch.tensor([row.task for row in rows])
    heads = [name for name in TOKEN_HEADS if any(name in row.tokens for row in rows)]
    tokens = {name: padded([row.tokens.get(name, []) for row in rows], IGNORED) for name in heads}
    whole = {name: torch.tensor([row.whole[name] for row in rows]) for name in WHOLE_HEADS if name in rows[0].whole}
    return Batch(lower, mask, task, tokens, whole)


def batches(rows: Sequence[Example], chance: random.Random, size: int = BATCH) -> Iterator[Batch]:
    """Yield all rows in batches of one task, neighbours in length, in an order by chance."""
    order = sorted(rows, key=lambda row: (row.task, len(row.ids) + chance.random() * 12))
    cut = [order[start : start + size] for start in range(0, len(order), size)]
    cut = [part for one in cut for part in _of_one_task(one)]
    chance.shuffle(cut)
    yield from map(batch, cut)


def _of_one_task(rows: Sequence[Example]) -> Iterator[Sequence[Example]]:
    for task in sorted({row.task for row in rows}):
        yield [row for row in rows if row.task == task]


def loss_of(reader: Reader, given: Batch) -> Tensor:
    """Return how wrong the reader is about a batch."""
    lower = given.lower
    if reader.training:  # instead of dropout, which is slow here: some pieces are not seen
        lower = lower * (torch.rand(lower.shape[:2]) >= UNSEEN)[..., None]
    tokens, whole = reader.heads(reader.encoder.upper(lower, given.mask, given.task), given.mask)
    total = torch.zeros(())
    for name, labels in given.tokens.items():
        if not (labels != IGNORED).any():
            continue
        weight = torch.tensor(KEPT_WEIGHTS) if name == "kept" else None
        scores = tokens[..., TOKEN_SLICES[name]].flatten(0, 1)
        total = total + WEIGHTS[name] * functional.cross_entropy(
            scores, labels.flatten(), weight=weight, ignore_index=IGNORED
        )
    for name, labels in given.whole.items():
        scores = whole[:, WHOLE_SLICES[name]]
        known = labels != NOT_SAME
        if known.any():
            error = functional.cross_entropy(scores[known], labels[known], label_smoothing=SMOOTHING)
            total = total + WEIGHTS[name] * error * known.float().mean()
        if not known.all():
            same = scores[~known].softmax(-1)[:, RELATIONS.index("same")]
            total = total - WEIGHTS[name] * torch.log1p(-same.clamp(max=0.999)).mean() * (~known).float().mean()
    return total


def train(reader: Reader, rows: Sequence[Example], *, epochs: int, seed: int, rate: float = 1.0) -> None:
    """Teach the reader all rows, `epochs` times, at a share of the usual rate."""
    chance = random.Random(seed)
    torch.manual_seed(seed)
    reader.eval()
    look(reader, rows)
    heads = [*reader.tokens.parameters(), *reader.inner.parameters(), *reader.whole.parameters()]
    body = [one for one in reader.encoder.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": rate * RATE}, {"params": heads, "lr": rate * HEADS_RATE}], weight_decay=0.01, fused=True
    )
    steps = epochs * sum(1 for _ in batches(rows, random.Random(seed)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: (
            min(1, (step + 1) / (steps * WARM)) * max(0.02, 0.5 + 0.5 * math.cos(math.pi * min(1, step / steps)))
        ),
    )
    reader.train()
    began, step = time.monotonic(), 0
    for epoch in range(epochs):
        for given in batches(rows, chance):
            with torch.autocast("cpu", torch.bfloat16, enabled=BFLOAT16):
                loss = loss_of(reader, given)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            if step % 20 == 0:
                print(
                    f"epoch {epoch} step {step}/{steps} loss {loss.item():.3f} {time.monotonic() - began:.0f} s",
                    flush=True,
                )
