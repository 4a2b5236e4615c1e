"""Teach the bundled reader what messages show of their writers: `make train-habits`, a quarter of an hour.

Only a small network over the embedder's vectors is taught, by what independent authors wrote (`data/authors`). Vectors
are kept in `build/vectors.json`, so that teaching again takes seconds.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from shared.language.embedding.bundled import BundledE5
from shared.language.reader.habits import LENGTH, NOTHING, PLACES, SHOWN, TEXT_MAX, WEIGHTS, marks
from shared.traits.catalogue import behaviors
from tests.evaluation import authors
from tests.evaluation.authors import Shown

SEED: Final = 7
WIDTH: Final = 640
DROPOUT: Final = 0.35
ROUNDS: Final = 45
BATCH: Final = 128
RATE: Final = 2e-3
NOISE: Final = 0.5
"""Length of the noise added to each vector, as a share of the vector's."""
SHOWN_WEIGHT: Final = 0.8
PLACE_WEIGHT: Final = 0.3
IGNORED: Final = -100
IDLE_MOST: Final = 5_000
IDLE_SEEN: Final = 0.5
"""Least probability of a habit for an idle message not to be learned from."""
KEPT: Final = Path("build/vectors.json")

LABELS: Final = (*NOTHING, *behaviors())


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(BundledE5.dimensions + len(marks("")), WIDTH)
        self.outer = nn.Linear(WIDTH, len(LABELS) + len(SHOWN) + len(PLACES))

    def forward(self, x: Tensor) -> Tensor:
        inner = functional.gelu(self.inner(x), approximate="tanh")
        found: Tensor = self.outer(functional.dropout(inner, DROPOUT, self.training))
        return found


def taught() -> list[str]:
    """Return who the network may learn from."""
    return [name for name in authors.authors("none.txt") if name not in authors.TESTED_ONLY | authors.CHOSEN_BY]


def idle(network: Network, mean: Tensor) -> list[Shown]:
    """Return messages of people who came for something else, in which nothing is worth remembering.

    Nobody labelled them for habits: those in which the network that learned from all labelled ones sees one stay out.
    """
    untaught = authors.TESTED_ONLY | authors.CHOSEN_BY
    texts = [
        text
        for name in authors.authors("sessions.txt")
        if name not in untaught
        for session in authors.sessions(name)
        for place, (role, text) in enumerate(session.turns)
        if role == "user" and not {place, place + 1} & {kept.turn for kept in session.kept}
    ]
    some = random.Random(SEED).sample(texts, min(IDLE_MOST, len(texts)))
    with torch.no_grad():
        likely = network(_given(some, mean)).split([len(LABELS), len(SHOWN) + len(PLACES)], 1)[0].softmax(1)
    seen = likely[:, len(NOTHING) :].max(1).values
    return [
        Shown(author="", language="", text=text, keys=(), form="none", why="noise")
        for text, most in zip(some, seen, strict=True)
        if most < IDLE_SEEN
    ]


def _given(texts: Sequence[str], mean: Tensor) -> Tensor:
    """Return what the network reads of texts."""
    centred = functional.normalize(vectors(texts) - mean) * LENGTH
    return torch.cat([centred, torch.tensor([marks(text[:TEXT_MAX]) for text in texts])], 1)


def vectors(texts: Sequence[str]) -> Tensor:
    """Return the vectors of texts, rows in order; each is computed once."""
    known: dict[str, list[float]] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    missing = [text for text in dict.fromkeys(one[:TEXT_MAX] for one in texts) if text not in known]
    embedder = BundledE5()
    for start in range(0, len(missing), BATCH):
        some = missing[start : start + BATCH]
        known |= dict(zip(some, ([round(x, 6) for x in one] for one in embedder.passages(some)), strict=True))
    if missing:
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(known), encoding="utf-8")
    return torch.tensor([known[text[:TEXT_MAX]] for text in texts])


def labelled(rows: Iterable[Shown]) -> tuple[Tensor, Tensor, Tensor]:
    """Return the share of each label of each row, how it is shown, and where; `IGNORED` where that is unknown."""
    labels, shown, places = [], [], []
    for row in rows:
        keys = row.keys or ((row.contrary,) if row.contrary else ())
        share = torch.zeros(len(LABELS))
        for key in keys or ("sensitive" if row.why == "sensitive" else "none",):
            share[LABELS.index(key)] += 1 / max(1, len(keys))
        labels.append(share)
        form = "contrary" if not row.keys else "stated" if row.form == "stated" else "told"
        shown.append(SHOWN.index(form) if keys and row.form != "feedback" else IGNORED)
        places.append(PLACES.index(row.context) if row.context else IGNORED)
    return torch.stack(labels), torch.tensor(shown), torch.tensor(places)


def teach(rows: Sequence[Shown]) -> tuple[Network, Tensor]:
    """Return the network and the mean of the vectors."""
    torch.manual_seed(SEED)
    texts = [row.text for row in rows]
    labels, shown, places = labelled(rows)
    mean = vectors(texts).mean(0)
    given = _given(texts, mean)
    network = Network()
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda round_: 1 - round_ / ROUNDS)
    kinds = len(LABELS)
    for _ in range(ROUNDS):
        for some in torch.randperm(len(given)).split(BATCH):
            noise = torch.randn(len(some), BundledE5.dimensions) * (NOISE * LENGTH / BundledE5.dimensions**0.5)
            scores = network(given[some] + functional.pad(noise, (0, len(marks("")))))
            loss = functional.cross_entropy(scores[:, :kinds], labels[some])
            loss += SHOWN_WEIGHT * _error(scores[:, kinds : kinds + len(SHOWN)], shown[some])
            loss += PLACE_WEIGHT * _error(scores[:, kinds + len(SHOWN) :], places[some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
    network.eval()
    return network, mean


def _error(scores: Tensor, labels: Tensor) -> Tensor:
    return functional.cross_entropy(scores, labels, ignore_index=IGNORED) if (labels >= 0).any() else torch.zeros(())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    rows = [row for name in taught() for row in authors.habits(name)]
    rows += idle(*teach(rows))
    network, mean = teach(rows)
    halves = {name: value.detach().numpy().astype(np.float16) for name, value in network.state_dict().items()}
    np.savez_compressed(
        given.into,
        labels=np.array(LABELS),
        mean=mean.numpy(),
        inner=halves["inner.weight"].T,
        inner_bias=halves["inner.bias"],
        outer=halves["outer.weight"].T,
        outer_bias=halves["outer.bias"],
    )
    print(f"{len(rows)} messages of {', '.join(taught())}: {given.into}")


if __name__ == "__main__":
    main()
