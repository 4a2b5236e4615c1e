"""Teach the reader and write its weights: `python -m tests.training`; `--again` goes on from the bundled ones."""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from tokenizers import Tokenizer
from torch import Tensor

from shared.language.embedding.weights import PublishedWeights
from shared.language.reader.engine import WEIGHTS as BUNDLED
from shared.language.reader.labels import RELATIONS, TASKS
from tests.evaluation import authors
from tests.evaluation.authors import Pair, Remembered, Request, Session
from tests.evaluation.scoring import cases
from tests.evaluation.timelines import Timeline, timelines
from tests.training import siblings
from tests.training.bundled import kept_of, state_of
from tests.training.examples import (
    Example,
    of_corrections,
    of_joined,
    of_neighbours,
    of_pair,
    of_pairs,
    of_plain_conflicts,
    of_plain_duplicates,
    of_plain_turns,
    of_questions,
    of_quotes,
    of_request,
    of_session,
    of_statements,
    of_timeline,
)
from tests.training.export import export
from tests.training.model import Reader
from tests.training.train import train
from tests.training.vocabulary import kept_pieces, pruned

SEED: Final = 7
JOINED: Final = 3_000
"""Turns made of several plain statements, and as many made of any."""
SELDOM: Final = 0.25
"""Share of what somebody says below which little of it is worth remembering, as when people come for something else."""
SELDOM_READ: Final = 3
"""How often a chat of such people is read in each round: there are few of them, and most chats are like theirs."""
AGAIN_RATE: Final = 0.6
"""Share of the usual rate at which weights that were taught before read everything again."""
LAST_RATE: Final = 0.4
"""The same of what is read at the end."""
SIBLINGS: Final = 160
"""Pairs of each kind of things that are easily taken for each other."""
OURS_AGAIN: Final = 3
"""How often what we wrote ourselves is read at the end beyond once."""
NEW_TURNS: Final = 1_200
"""Turns read of what is new: they are the longest rows."""
BESIDE_NEWS: Final = 5_000
"""Rows of what comes last that are read with it."""
MET_RATE: Final = 0.3
"""Share of the usual rate at which weights that were taught before learn how seldom a statement replaces another."""
MET: Final = 6_000
"""Statements of one chat that leave each other as they are, read then, and as many rows of each task."""
AGAIN: Final = 3_000
"""Rows of each kind that are read once more at the end, beside plain statements: our own cases and bare quotes."""


def taught() -> set[str]:
    """Return who the reader may learn from."""
    everybody = {folder.name for folder in authors.AUTHORS.iterdir() if folder.is_dir()}
    return everybody - authors.TESTED_ONLY - authors.CHOSEN_BY


@dataclass(frozen=True)
class Written:
    """What those who may be learned from wrote."""

    sessions: list[Session]
    pairs: dict[str, list[Pair]]
    requests: list[Request]
    questions: list[Remembered]
    timelines: list[Timeline]

    @classmethod
    def read(cls, only: Collection[str] = ()) -> Written:
        """Read all of it, or what some of them wrote."""
        who = taught() & set(only) if only else taught()
        return cls(
            [one for name in authors.authors("sessions.txt") if name in who for one in authors.sessions(name)],
            {name: authors.pairs(name) for name in authors.authors("pairs.txt") if name in who},
            [one for name in authors.authors("forget.txt") if name in who for one in authors.requests(name)],
            [one for name in authors.authors("questions.txt") if name in who for one in authors.questions(name)],
            [one for name in authors.authors("timelines.txt") if name in who for one in timelines(name)],
        )

    @property
    def statements(self) -> list[str]:
        """What pairs and requests state."""
        found = [text for written in self.pairs.values() for pair in written for text in (pair.earlier, pair.later)]
        return found + [text for request in self.requests for text in request.said]

    @property
    def texts(self) -> list[str]:
        """Every text: the vocabulary must know its words."""
        found = [text for session in self.sessions for _, text in session.turns]
        found += [text for one in self.questions for text in (*one.memories, *(asked.question for asked in one.asked))]
        found += [line.text for timeline in self.timelines for line in timeline.lines]
        return found + self.statements + [request.asked for request in self.requests]


def everything(tokenizer: Tokenizer, written: Written, chance: random.Random) -> list[Example]:
    """Return what is read in each round."""
    rows: list[Example] = []
    seldom = keep_little(written.sessions)
    for session in written.sessions:
        rows += (SELDOM_READ if session.author in seldom else 1) * list(of_session(tokenizer, session))
        rows += of_corrections(tokenizer, session)
    for pairs in written.pairs.values():
        rows += of_pairs(tokenizer, pairs, chance)
    for request in written.requests:
        rows += of_request(tokenizer, request)
    for one in written.questions:
        rows += of_questions(tokenizer, one, chance)
    for timeline in written.timelines:
        rows += of_timeline(tokenizer, timeline, chance)
    plain = written.statements
    if idle := idle_turns(written.sessions):
        rows += of_statements(tokenizer, chance.sample(plain, len(plain) // 8), idle, chance)
    return rows


def read_last(tokenizer: Tokenizer, rows: Sequence[Example], written: Written, chance: random.Random) -> list[Example]:
    """Return what is read once more at the end: a part of everything, and what is said plainly.

    Neighbours are not the same, and of several things said in one turn each is one.
    """
    sessions = written.sessions
    last: list[Example] = []
    for task in range(len(TASKS)):
        of_task = [row for row in rows if row.task == task]
        last += chance.sample(of_task, min(AGAIN, len(of_task)))
    quotes = [row for session in sessions for row in of_quotes(tokenizer, session)]
    last += chance.sample(quotes, len(quotes) // 4)
    plain = [one for one in sessions if one.register == "plain"]
    for session in plain:
        last += (1 + OURS_AGAIN * (session.author == authors.OURS)) * list(of_session(tokenizer, session))
    last += of_joined(tokenizer, plain, idle_turns(plain), JOINED, chance)
    last += of_joined(tokenizer, sessions, idle_turns(sessions), JOINED, chance)
    short = {one.author for one in plain}
    last += [row for one in written.requests if one.author in short for row in of_request(tokenizer, one)]
    neighbours = [
        row
        for who in chance.sample(sorted({one.author for one in sessions}), 10)
        for row in of_neighbours(tokenizer, [one for one in sessions if one.author == who], chance)
    ]
    last += chance.sample(neighbours, min(2 * AGAIN, len(neighbours)))
    met = [row for session in sessions for row in of_corrections(tokenizer, session)]
    last += chance.sample(met, min(MET, len(met)))
    for timeline in written.timelines:
        last += of_timeline(tokenizer, timeline, chance)
    last += of_plain_turns(tokenizer, cases("extraction", "open"))
    last += of_plain_conflicts(tokenizer, cases("conflicts", "open"))
    last += of_plain_duplicates(tokenizer, cases("duplicates", "open"))
    last += of_pairs(tokenizer, written.pairs[authors.OURS], chance)
    last += [of_pair(tokenizer, *one) for one in siblings.pairs(SIBLINGS, chance)]
    across = [pair for pairs in written.pairs.values() for pair in pairs if pair.language == "cross"]
    return last + list(of_pairs(tokenizer, across, chance))


def as_they_meet(tokenizer: Tokenizer, written: Written, chance: random.Random) -> list[Example]:
    """Return statements of one chat beside those before them, nearly all of which they leave as they are, and some of
    all else.

    Pairs that authors wrote as pairs are about one thing, and every other one replaces something: who reads only those
    takes any correction for one of whatever it meets.
    """
    met = [row for session in written.sessions for row in of_corrections(tokenizer, session)]
    unrelated = RELATIONS.index("unrelated")
    idle = [row for row in met if row.whole["relation"] == unrelated]
    rows = [row for row in met if row.whole["relation"] != unrelated] + chance.sample(idle, min(MET, len(idle)))
    rows += [of_pair(tokenizer, *one) for one in siblings.pairs(SIBLINGS, chance)]
    everything_else = everything(tokenizer, written, chance)
    for task in range(len(TASKS)):
        of_task = [row for row in everything_else if row.task == task]
        rows += chance.sample(of_task, min(MET, len(of_task)))
    return rows


def keep_little(sessions: Sequence[Session]) -> set[str]:
    """Return the authors in whose chats little of what is said is worth remembering."""
    said, kept = Counter[str](), Counter[str]()
    for session in sessions:
        said[session.author] += sum(role == "user" for role, _ in session.turns)
        kept[session.author] += len({one.turn for one in session.kept})
    return {who for who in said if kept[who] < SELDOM * said[who]}


def idle_turns(sessions: Sequence[Session]) -> list[str]:
    """Return what people said that tells nothing and does not look as if it did."""
    return [
        text
        for session in sessions
        for place, (role, text) in enumerate(session.turns)
        if role == "user" and all(one.turn != place for one in (*session.kept, *session.never))
    ]


def mixed(before: Mapping[str, Tensor], now: Mapping[str, Tensor], share: float) -> dict[str, Tensor]:
    """Return weights between two states: `share` (0…1) of the second and the rest of the first."""
    return {
        name: torch.lerp(before[name], value, share) if value.is_floating_point() else value
        for name, value in now.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, help="rounds over everything: 3, or 0 where weights are taught more")
    parser.add_argument("--into", type=Path, default=Path("build/reader"))
    parser.add_argument("--keep", type=Path, help="also write the weights as torch's, to this file")
    parser.add_argument("--new", nargs="+", default=[], help="who wrote since: read that, and some of the rest")
    begin = parser.add_mutually_exclusive_group()
    begin.add_argument("--resume", type=Path, help="begin with weights that were kept, and read only what comes last")
    begin.add_argument("--again", action="store_true", help="the same with the bundled weights")
    begin.add_argument(
        "--met",
        action="store_true",
        help="teach the bundled weights how seldom a statement replaces another",
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="of the new weights; the rest is the bundled ones: less is forgotten"
    )
    given = parser.parse_args()
    weights, written = PublishedWeights(), Written.read()
    earlier = torch.load(given.resume) if given.resume is not None else None
    if given.again or given.met:
        kept = kept_of(BUNDLED / "tokenizer.json", weights)
    else:
        kept = earlier["kept"] if earlier is not None else kept_pieces(weights, written.texts)
    tokenizer = pruned(weights, kept)
    chance = random.Random(SEED)
    rows = [] if given.met else everything(tokenizer, written, chance)
    last = as_they_meet(tokenizer, written, chance) if given.met else read_last(tokenizer, rows, written, chance)
    if given.new:
        news = everything(tokenizer, Written.read([*given.new, authors.OURS]), chance)
        news += [of_pair(tokenizer, *one) for one in siblings.pairs(SIBLINGS, chance)]
        turns = [row for row in news if TASKS[row.task] == "turn"]
        said = chance.sample(turns, min(NEW_TURNS, len(turns)))
        questions = [row for row in news if TASKS[row.task] == "needed"]
        rows = [*(row for row in news if TASKS[row.task] != "turn"), *questions, *said]
        last = chance.sample(last, BESIDE_NEWS)
    print(
        f"{len(written.sessions)} sessions, {sum(map(len, written.pairs.values()))} pairs,"
        f" {len(written.requests)} requests, {len(written.questions)} people with questions:"
        f" {len(rows)} rows, {len(last)} last, {len(kept)} pieces",
        flush=True,
    )
    reader = Reader(weights, kept)
    given.into.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(given.into / "tokenizer.json"), pretty=False)
    if given.again or given.met:
        reader.load_state_dict(state_of(BUNDLED / "reader.onnx", reader))
    elif earlier is not None:
        reader.load_state_dict(earlier["state"])
    fresh = not given.again and not given.met and earlier is None
    epochs = given.epochs if given.epochs is not None else 3 * fresh
    if epochs:
        train(reader, rows, epochs=epochs, seed=SEED, rate=1.0 if fresh else AGAIN_RATE)
    rate = MET_RATE if given.met else AGAIN_RATE if given.new else LAST_RATE
    train(reader, [*rows, *last] if given.new else last, epochs=1, seed=SEED, rate=rate)
    if given.share < 1:
        reader.load_state_dict(mixed(state_of(BUNDLED / "reader.onnx", reader), reader.state_dict(), given.share))
    export(reader, given.into / "reader.onnx")
    if given.keep is not None:
        torch.save({"kept": kept, "state": reader.state_dict()}, given.keep)


if __name__ == "__main__":
    main()
