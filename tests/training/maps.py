"""Teach what the vectors of questions and of new statements are moved by: `make train-maps`, a few minutes.

A question seldom looks like what it needs ("plan us a picnic" needs the allergies of those who come), nor a statement
like the one it ends ("signed the lease in Porto", "I live in Riga"). A linear map of low rank is therefore added to its
vector; stored vectors stay as they are. The maps are taught by what independent authors wrote: each question beside all
that is remembered of its person, and each statement beside all that they said before it, so that what is needed or
concerned comes before the rest (softmax cross-entropy over cosines).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from shared.language.embedding.bundled import BundledE5, language_direction, without_language
from shared.language.embedding.maps import MAPS
from tests.evaluation import authors
from tests.evaluation.timelines import timelines

SEED: Final = 7
RANK: Final = 128
ROUNDS: Final = 8
BATCH: Final = 32
RATE: Final = 1e-3
DECAY: Final = 1e-2
SHARPNESS: Final = 0.06
"""Cosines are divided by it before they are compared."""
HELPS: Final = 0.3
"""How much a memory counts that only helps, beside one that is needed."""
CONCERNED: Final = {"replaces": 1.0, "same": 1.0, "unclear": 1.0, "narrows": 0.5}
"""How much an earlier statement counts, by what a new one does to it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A vector (width), those it is compared with (number × width), and the share of each; shares sum to 1."""

    vector: list[float]
    beside: Tensor
    shares: Tensor


class Map(nn.Module):
    """Moves unit vectors (number × width); the result has no component in the direction of language (width)."""

    def __init__(self, language: Tensor) -> None:
        super().__init__()
        self.down = nn.Parameter(torch.randn(len(language), RANK) * 0.02)
        self.up = nn.Parameter(torch.zeros(RANK, len(language)))
        self._language = language

    def forward(self, x: Tensor) -> Tensor:
        moved = x + x @ self.down @ self.up
        return functional.normalize(moved - (moved @ self._language)[:, None] * self._language, dim=1)


def taught(file: str) -> list[str]:
    """Return who wrote such a file and may be learned from."""
    return [name for name in authors.authors(file) if name not in authors.TESTED_ONLY | authors.CHOSEN_BY]


def questions(embedder: BundledE5) -> Iterator[Row]:
    """Yield the questions that need something, beside all that is remembered of their person."""
    for name in taught("questions.txt"):
        for one in authors.questions(name):
            memories = torch.tensor(embedder.passages(one.memories))
            for asked in one.asked:
                if asked.needs:
                    count = torch.tensor(
                        [(n in asked.needs) + HELPS * (n in asked.helps) for n in range(len(memories))]
                    )
                    yield Row(embedder.query(asked.question), memories, count / count.sum())


def statements(embedder: BundledE5) -> Iterator[Row]:
    """Yield the lines that concern others, beside all that were said before them and are in force."""
    for name in taught("timelines.txt"):
        for timeline in timelines(name):
            vectors = embedder.passages([line.text for line in timeline.lines])
            for place, line in enumerate(timeline.lines):
                if line.relations:
                    before = timeline.in_force(place)
                    count = torch.tensor([CONCERNED.get(line.relations.get(old, ""), 0.0) for old in before])
                    yield Row(
                        without_language(vectors[place]),
                        torch.tensor([vectors[old] for old in before]),
                        count / count.sum(),
                    )


def teach(rows: list[Row], language: Tensor) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    """Return the map's arrays, `down` (width × rank) and `up` (rank × width), in 16 bits."""
    torch.manual_seed(SEED)
    vectors, network = torch.tensor([row.vector for row in rows]), Map(language)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    for _ in range(ROUNDS):
        for some in torch.randperm(len(rows)).split(BATCH):
            losses = [
                -(rows[n].shares * torch.log_softmax(rows[n].beside @ moved / SHARPNESS, 0)).sum()
                for n, moved in zip(some.tolist(), network(vectors[some]), strict=True)
            ]
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()
            optimizer.step()
    return {name: getattr(network, name).detach().numpy().astype(np.float16) for name in ("down", "up")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=MAPS)
    given = parser.parse_args()
    embedder = BundledE5()
    language = torch.tensor(language_direction())
    arrays = {}
    for kind, rows in (("questions", [*questions(embedder)]), ("statements", [*statements(embedder)])):
        print(f"{len(rows)} {kind}", flush=True)
        for name, values in teach(rows, language).items():
            arrays[f"{kind}_{name}"] = values
    np.savez_compressed(given.into, **arrays)


if __name__ == "__main__":
    main()
