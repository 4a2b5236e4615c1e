"""Train the bundled reader and write its weights: `python -m tests.training [--epochs N] [--quick]`."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch
from tokenizers import Tokenizer

from shared.language.reader.labels import TASKS
from tests.evaluation import authors
from tests.evaluation.authors import Request, Session
from tests.evaluation.scoring import cases
from tests.training.encoder import PublishedWeights
from tests.training.examples import (
    Example,
    of_corrections,
    of_neighbours,
    of_pairs,
    of_plain_conflicts,
    of_plain_duplicates,
    of_plain_turns,
    of_quotes,
    of_request,
    of_session,
    of_statements,
)
from tests.training.export import export
from tests.training.model import Reader
from tests.training.train import train
from tests.training.vocabulary import kept_pieces, pruned

SEED: Final = 7
AGAIN: Final = 3_000
"""Rows of each kind that are read once more at the end, beside plain statements: our own cases and bare quotes."""


def taught() -> set[str]:
    """Return who the reader may learn from."""
    everybody = {folder.name for folder in authors.AUTHORS.iterdir() if folder.is_dir()}
    return everybody - authors.TESTED_ONLY - authors.CHOSEN_BY


def read_last(
    tokenizer: Tokenizer,
    rows: Sequence[Example],
    sessions: Sequence[Session],
    requests: Sequence[Request],
    chance: random.Random,
) -> list[Example]:
    """Return what is read once more at the end, with what is said plainly, and neighbours that are not the same."""
    last: list[Example] = []
    for task in range(len(TASKS)):
        of_task = [row for row in rows if row.task == task]
        last += chance.sample(of_task, min(AGAIN, len(of_task)))
    quotes = [row for session in sessions for row in of_quotes(tokenizer, session)]
    last += chance.sample(quotes, len(quotes) // 4)
    short = {one.author for one in sessions if one.register == "plain"}
    last += [row for one in sessions if one.register == "plain" for row in of_session(tokenizer, one)]
    last += [row for one in requests if one.author in short for row in of_request(tokenizer, one)]
    neighbours = [
        row
        for who in chance.sample(sorted({one.author for one in sessions}), 10)
        for row in of_neighbours(tokenizer, [one for one in sessions if one.author == who], chance)
    ]
    last += chance.sample(neighbours, min(2 * AGAIN, len(neighbours)))
    last += of_plain_turns(tokenizer, cases("extraction", "open"))
    last += of_plain_conflicts(tokenizer, cases("conflicts", "open"))
    last += of_plain_duplicates(tokenizer, cases("duplicates", "open"))
    return last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--into", type=Path, default=Path("build/reader"))
    parser.add_argument("--keep", type=Path, help="also write the weights as torch's, to this file")
    parser.add_argument("--resume", type=Path, help="begin with weights that were kept, and read only what comes last")
    given = parser.parse_args()
    who = taught()
    sessions = [one for name in authors.authors("sessions.txt") if name in who for one in authors.sessions(name)]
    pairs = {name: authors.pairs(name) for name in authors.authors("pairs.txt") if name in who}
    requests = [one for name in authors.authors("forget.txt") if name in who for one in authors.requests(name)]
    weights = PublishedWeights()
    texts = [text for session in sessions for _, text in session.turns]
    texts += [text for written in pairs.values() for pair in written for text in (pair.earlier, pair.later)]
    texts += [text for request in requests for text in (request.asked, *request.said)]
    earlier = torch.load(given.resume) if given.resume is not None else None
    kept = earlier["kept"] if earlier is not None else kept_pieces(weights, texts)
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
    last = read_last(tokenizer, rows, sessions, requests, chance)
    plain = [text for written in pairs.values() for pair in written for text in (pair.earlier, pair.later)]
    plain += [text for request in requests for text in request.said]
    idle = [
        text
        for session in sessions
        for place, (role, text) in enumerate(session.turns)
        if role == "user" and all(one.turn != place for one in (*session.kept, *session.never))
    ]
    rows += of_statements(tokenizer, chance.sample(plain, len(plain) // 8), idle, chance)
    counts = f"{len(sessions)} sessions, {sum(map(len, pairs.values()))} pairs, {len(requests)} requests"
    print(f"{counts}: {len(rows)} rows, {len(kept)} pieces", flush=True)
    reader = Reader(weights, kept)
    given.into.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(given.into / "tokenizer.json"), pretty=False)
    if earlier is not None:
        reader.load_state_dict(earlier["state"])
    else:
        train(reader, rows, epochs=given.epochs, seed=SEED)
    train(reader, last, epochs=1, seed=SEED, rate=0.4)
    export(reader, given.into / "reader.onnx")
    if given.keep is not None:
        torch.save({"kept": kept, "state": reader.state_dict()}, given.keep)


if __name__ == "__main__":
    main()
