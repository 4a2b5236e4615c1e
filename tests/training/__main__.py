"""Train the bundled reader and write its weights: `python -m tests.training [--epochs N] [--quick]`."""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Final

import torch

from tests.evaluation import authors
from tests.evaluation.scoring import cases
from tests.training.encoder import PublishedWeights
from tests.training.examples import (
    Example,
    of_corrections,
    of_pairs,
    of_plain_conflicts,
    of_plain_duplicates,
    of_plain_turns,
    of_request,
    of_session,
    of_statements,
)
from tests.training.export import export
from tests.training.model import Reader
from tests.training.train import train
from tests.training.vocabulary import kept_pieces, pruned

SEED: Final = 7


def taught() -> set[str]:
    """Return who the reader may learn from."""
    everybody = {folder.name for folder in authors.AUTHORS.iterdir() if folder.is_dir()}
    return everybody - authors.TESTED_ONLY - authors.CHOSEN_BY


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--into", type=Path, default=Path("build/reader"))
    parser.add_argument("--keep", type=Path, help="also write the weights as torch's, to this file")
    given = parser.parse_args()
    who = taught()
    sessions = [one for name in authors.authors("sessions.txt") if name in who for one in authors.sessions(name)]
    pairs = {name: authors.pairs(name) for name in authors.authors("pairs.txt") if name in who}
    requests = [one for name in authors.authors("forget.txt") if name in who for one in authors.requests(name)]
    weights = PublishedWeights()
    texts = [text for session in sessions for _, text in session.turns]
    texts += [text for written in pairs.values() for pair in written for text in (pair.earlier, pair.later)]
    texts += [text for request in requests for text in (request.asked, *request.said)]
    kept = kept_pieces(weights, texts)
    tokenizer = pruned(weights, kept)
    chance = random.Random(SEED)
    rows: list[Example] = []
    for session in sessions:
        rows += of_session(tokenizer, session)
        rows += of_corrections(tokenizer, session)
    for written in pairs.values():
        rows += of_pairs(tokenizer, written, chance)
    for request in requests:
        rows += of_request(tokenizer, request)
    plain = [text for written in pairs.values() for pair in written for text in (pair.earlier, pair.later)]
    plain += [text for request in requests for text in request.said]
    idle = [
        text
        for session in sessions
        for place, (role, text) in enumerate(session.turns)
        if role == "user" and all(one.turn != place for one in (*session.kept, *session.never))
    ]
    rows += of_statements(tokenizer, chance.sample(plain, len(plain) // 5), idle, chance)
    rows += of_plain_turns(tokenizer, cases("extraction", "open"))
    rows += of_plain_conflicts(tokenizer, cases("conflicts", "open"))
    rows += of_plain_duplicates(tokenizer, cases("duplicates", "open"))
    counts = f"{len(sessions)} sessions, {sum(map(len, pairs.values()))} pairs, {len(requests)} requests"
    print(f"{counts}: {len(rows)} rows, {len(kept)} pieces", flush=True)
    reader = Reader(weights, kept)
    given.into.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(given.into / "tokenizer.json"))
    train(reader, rows, epochs=given.epochs, seed=SEED)
    export(reader, given.into / "reader.onnx")
    if given.keep is not None:
        torch.save({"kept": kept, "state": reader.state_dict()}, given.keep)


if __name__ == "__main__":
    main()
