"""What the reader is trained on: turns with labels of their tokens, and pairs of texts with one label each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from tokenizers import Tokenizer

from shared.language.embedding.bundled import bundled_embedder
from shared.language.embedding.maps import towards_concerned
from shared.language.reader.input import Input, pair_input, turn_inputs
from shared.language.reader.labels import (
    ABOUT,
    CATEGORIES,
    KEPT,
    MEANT,
    NEEDED,
    RELATIONS,
    TASKS,
    TIMES,
    TYPES,
)
from tests.evaluation.authors import APART, Kept, Marked, Pair, Remembered, Request, Session
from tests.evaluation.timelines import Timeline

HALF: Final = 0.5
TURNED: Final = 0.4
"""Share of unrelated pairs that are also read the other way round."""
AMONG: Final = 50
"""How many memories somebody has, about, among which those like a new one are looked for."""
ODD: Final = 8
"""Of what a question does not need, how much is read beside it."""
NEIGHBOURS: Final = 4
CONCERNED: Final = 2
"""How often each line of a life is read beside one that it concerns."""
COMPARED: Final = 12
IDLE: Final = 6
"""Beside how many, of the nearest `COMPARED`, that it leaves as they are."""
ALIKE: Final = 0.95
"""Cosine from which two pieces may well be the same."""
_AFTER_STOPS: Final = (" ", "\n")
_TEMPTING: Final = frozenset({"third_party", "task_content", "question", "small_talk", "hypothetical", "joke"})
"""Why a piece must not be remembered, where the piece alone shows it; sarcasm and fiction need what is around them."""
_BETWEEN: Final = (". ", "。", ", ", "，", " and ", ", and ", "\n", "; ")
"""What stands between statements of one turn."""
IGNORED: Final = -100
NOT_SAME: Final = -1
"""Of two statements: how they relate is not known, but not that they are the same."""


@dataclass(slots=True)
class Example:
    """One row of a batch: token ids, and labels by head; `IGNORED` where there is nothing to learn."""

    task: int
    ids: list[int]
    tokens: dict[str, list[int]] = field(default_factory=dict)
    whole: dict[str, int] = field(default_factory=dict)
    lower: Any = None
    """What the encoder's lower layers made of it (tokens × width)."""


def of_session(tokenizer: Tokenizer, session: Session) -> Iterator[Example]:
    """Yield one example for each turn of the person."""
    for place, (role, text) in enumerate(session.turns):
        if role == "user":
            made = turn_inputs(tokenizer, text, before=session.turns[:place], most=1)[0]
            yield Example(TASKS.index("turn"), made.ids, _of_turn(made, text, session, place))


def of_statements(
    tokenizer: Tokenizer, statements: Sequence[str], idle: Sequence[str], chance: random.Random
) -> Iterator[Example]:
    """Yield turns that say one thing plainly, some of them before or after a turn that tells nothing.

    Args:
        statements: each is worth remembering as it stands; its kind is not known.
        idle: turns of sessions in which nothing is.
    """
    for statement in statements:
        others = chance.choice([[], [], [chance.choice(idle)]])
        parts = [statement, *others]
        chance.shuffle(parts)
        text = chance.choice([" ", "\n", ", "]).join(parts)
        made = turn_inputs(tokenizer, text, before=[], most=1)[0]
        tokens = [
            0 if made.start <= token < made.start + len(made.offsets) else IGNORED for token in range(len(made.ids))
        ]
        for number, token in enumerate(_inside(made, text, statement)):
            tokens[token] = KEPT.index("inside" if number else "begins")
        yield Example(TASKS.index("turn"), made.ids, {"kept": tokens})


def of_quotes(tokenizer: Tokenizer, session: Session) -> Iterator[Example]:
    """Yield what is worth remembering of a chat as turns of their own: each says one thing plainly."""
    for kept in session.kept:
        alone = Session(id=session.id, author=session.author, language=session.language, register="plain")
        alone.turns, alone.kept = [("user", kept.quote)], [replace(kept, turn=0, replaces=None)]
        yield from of_session(tokenizer, alone)


def of_joined(
    tokenizer: Tokenizer, sessions: Sequence[Session], idle: Sequence[str], count: int, chance: random.Random
) -> Iterator[Example]:
    """Yield turns that say up to three things side by side: what is worth remembering, and what is not or only tempts.

    Half of them come after a turn like them and an answer, so that what was said before does not decide about them.

    Args:
        sessions: of one language a turn.
        idle: turns that tell nothing.
        count: how many.
    """
    said: dict[str, list[Kept]] = {}
    tempting: dict[str, list[Marked]] = {}
    for session in sessions:
        said.setdefault(session.language, []).extend(session.kept)
        tempting.setdefault(session.language, []).extend(one for one in session.never if one.label in _TEMPTING)
    answers = [text for session in sessions for role, text in session.turns if role == "assistant"]
    before: list[tuple[str, str]] = []
    languages = sorted(said)
    weights = [len(said[one]) for one in languages]
    for number in range(count):
        [language] = chance.choices(languages, weights)
        never = chance.sample(tempting[language], min(len(tempting[language]), chance.choice((0, 1, 1))))
        kept = chance.sample(said[language], chance.choice((0, 1, 2) if never else (1, 2, 2, 3)))
        parts = [one.quote for one in (*kept, *never)]
        parts += chance.sample(idle, chance.choice((0, 1, 1)) if len(parts) < 3 else 0)
        chance.shuffle(parts)
        text = parts[0]
        for part in parts[1:]:
            text += chance.choice(_AFTER_STOPS if text[-1:] in ".!?。！？" else _BETWEEN) + part
        if any(text.count(one.quote) != 1 for one in (*kept, *never)):
            continue
        joined = Session(id=f"joined-{number}", author="several", language=language, register="plain")
        joined.turns = [*before, ("user", text)]
        joined.kept = [replace(one, turn=len(before), replaces=None) for one in kept]
        joined.never = [replace(one, turn=len(before)) for one in never]
        yield list(of_session(tokenizer, joined))[-1]
        before = [("user", text), ("assistant", chance.choice(answers or ["…"]))] if chance.random() < HALF else []


def _of_turn(made: Input, text: str, session: Session, place: int) -> dict[str, list[int]]:
    """Return the labels of one turn's tokens, by head."""
    heads = ("kept", "type", "safety", "about", "time", "sensitive")
    tokens = {name: [IGNORED] * len(made.ids) for name in heads}
    for token in range(made.start, made.start + len(made.offsets)):
        tokens["kept"][token] = tokens["sensitive"][token] = 0
    marks = [("kept", KEPT.index("not"), one) for one in session.never]
    marks += [("sensitive", 1 + CATEGORIES.index(one.label), one) for one in session.sensitive]
    for head, label, marked in marks:
        for token in _inside(made, text, marked.quote) if marked.turn == place else ():
            tokens[head][token] = label
    for kept in (one for one in session.kept if one.turn == place):
        labels = {
            "type": TYPES.index(kept.type),
            "safety": int(kept.safety),
            "about": ABOUT.index(kept.about),
            "time": TIMES.index(kept.time),
        }
        for number, token in enumerate(_inside(made, text, kept.quote)):
            tokens["kept"][token] = KEPT.index("inside" if number else "begins")
            for head, label in labels.items():
                tokens[head][token] = label
    return tokens


def _inside(made: Input, text: str, quote: str) -> list[int]:
    start = text.index(quote)
    return made.tokens_of(start, start + len(quote))


def of_pair(tokenizer: Tokenizer, earlier: str, later: str, relation: str) -> Example:
    """Return the example of two statements; they are `apart` where all that is known is that they are not the same."""
    ids = pair_input(tokenizer, earlier, later).ids
    label = NOT_SAME if relation == APART else RELATIONS.index(relation)
    return Example(TASKS.index("relation"), ids, whole={"relation": label})


def of_pairs(tokenizer: Tokenizer, pairs: Sequence[Pair], chance: random.Random) -> Iterator[Example]:
    """Yield each pair, those that can be turned round so too, and statements of different pairs, as unrelated."""
    for pair in pairs:
        yield of_pair(tokenizer, pair.earlier, pair.later, pair.relation)
        if (
            pair.relation in ("same", APART)
            or (pair.relation == "unrelated" and chance.random() < TURNED)
            or (pair.relation == "replaces" and pair.family == "negation")
        ):
            yield of_pair(tokenizer, pair.later, pair.earlier, pair.relation)
    for pair in chance.sample(pairs, len(pairs) // 8):  # word for word, or nearly
        said = chance.choice([pair.earlier, pair.later])
        again = chance.choice([said, said, said.rstrip(".。!?"), said[:1].swapcase() + said[1:], f"{said}."])
        yield of_pair(tokenizer, said, again, "same")
    for pair in chance.sample(pairs, len(pairs) // 6):
        other = chance.choice([one for one in pairs if one.family != pair.family])
        yield of_pair(tokenizer, pair.earlier, chance.choice([other.earlier, other.later]), "unrelated")


def of_plain_conflicts(tokenizer: Tokenizer, cases: Sequence[Mapping[str, Any]]) -> Iterator[Example]:
    """Yield what a plain statement does to each of those remembered, by our own cases."""
    relation = {"supersede": "replaces", "merge": "same", "unclear": "unclear", "keep": "unrelated"}
    for case in cases:
        wanted = case["expected"]
        for one in case["remembered"]:
            meant = one["key"] in wanted["of"]
            label = relation[wanted["outcome"]] if meant else "unrelated"
            yield of_pair(tokenizer, one["text"], case["said"]["text"], label)


def of_plain_duplicates(tokenizer: Tokenizer, cases: Sequence[Mapping[str, Any]]) -> Iterator[Example]:
    """Yield two statements that are the same, or anything but that, by our own cases."""
    for case in cases:
        for one, other in ((case["a"], case["b"]), (case["b"], case["a"])):
            yield of_pair(tokenizer, one, other, "same" if case["same"] else APART)


def of_plain_turns(tokenizer: Tokenizer, cases: Sequence[Mapping[str, Any]]) -> Iterator[Example]:
    """Yield turns of our own cases, which say plainly what they say."""
    for number, case in enumerate(cases):
        session = Session(id=f"plain-{number}", author="ourselves", language=case["lang"], register="plain")
        session.turns = [(said["role"], said["text"]) for said in case["utterances"]]
        session.kept = [
            Kept(
                turn=unit["utterance"],
                quote=unit["quote"],
                type=next((one for one in unit["types"] if one in TYPES), "fact"),
                safety=bool(unit.get("taboo")),
                about="self",
                time="lasting",
                wording=unit["quote"],
            )
            for unit in case["expected"]
        ]
        yield from of_session(tokenizer, session)


def of_corrections(tokenizer: Tokenizer, session: Session) -> Iterator[Example]:
    """Yield what statements of one chat do to those before them."""
    for place, kept in enumerate(session.kept):
        for before, earlier in enumerate(session.kept[:place]):
            relation = "replaces" if kept.replaces == before else "unrelated"
            yield of_pair(tokenizer, earlier.wording, kept.wording, relation)
            yield of_pair(tokenizer, earlier.quote, kept.quote, relation)


def of_timeline(tokenizer: Tokenizer, timeline: Timeline, chance: random.Random) -> Iterator[Example]:
    """Yield what each line of a life does to those before it: to some that are near in meaning, mostly nothing."""
    vectors = np.array(bundled_embedder().passages([line.text for line in timeline.lines]), np.float32)
    for place, line in enumerate(timeline.lines):
        for old, relation in line.relations.items():
            for _ in range(CONCERNED):
                yield of_pair(tokenizer, timeline.lines[old].text, line.text, relation)
            if relation == "same":
                yield of_pair(tokenizer, line.text, timeline.lines[old].text, relation)
        near = timeline.nearest(place, vectors, towards_concerned(vectors[place].tolist()))[:COMPARED]
        idle = [old for old in near if old not in line.relations]
        for old in chance.sample(idle, min(IDLE, len(idle))):
            yield of_pair(tokenizer, timeline.lines[old].text, line.text, "unrelated")


def of_neighbours(tokenizer: Tokenizer, sessions: Sequence[Session], chance: random.Random) -> Iterator[Example]:
    """Yield pieces of different chats beside those most like them: they are not the same, whatever else.

    A finding is compared with its nearest neighbours, most of which have nothing to do with it. Pairs that authors
    wrote are all about one thing, and tell nothing of those.
    """
    quotes = [(session.id, kept.quote) for session in sessions for kept in session.kept]
    vectors = np.array(bundled_embedder().passages([quote for _, quote in quotes]))
    for place, (session, quote) in enumerate(quotes):
        others = np.array(chance.sample(range(len(quotes)), min(AMONG, len(quotes))))
        likeness = vectors[others] @ vectors[place]
        near = [one for one in others[np.argsort(-likeness)] if quotes[one][0] != session]
        for one in near[:NEIGHBOURS]:
            if vectors[one] @ vectors[place] < ALIKE:
                yield of_pair(tokenizer, quotes[one][1], quote, APART)


def of_questions(tokenizer: Tokenizer, remembered: Remembered, chance: random.Random) -> Iterator[Example]:
    """Yield each question beside what it needs, what helps, and some of what is odd to mention."""
    for asked in remembered.asked:
        odd = [place for place in range(len(remembered.memories)) if place not in asked.needs | asked.helps]
        for place in [*asked.needs, *asked.helps, *chance.sample(odd, min(ODD, len(odd)))]:
            label = "needed" if place in asked.needs else "helps" if place in asked.helps else "no"
            ids = pair_input(tokenizer, asked.question, remembered.memories[place]).ids
            yield Example(TASKS.index("needed"), ids, whole={"needed": NEEDED.index(label)})


def of_request(tokenizer: Tokenizer, request: Request) -> Iterator[Example]:
    """Yield for each thing said whether the description means it, and which part."""
    for said in request.said:
        go = [key for key in request.go if key in said]
        stay = [key for key in request.stay if key in said]
        meant = "none" if not go else "part" if stay else "whole"
        made = pair_input(tokenizer, request.asked, said)
        tokens = [IGNORED] * len(made.ids)
        if meant == "part":
            for key, label in [*((key, 0) for key in stay), *((key, 1) for key in go)]:
                start = said.index(key)
                for token in made.tokens_of(start, start + len(key)):
                    tokens[token] = label
        yield Example(TASKS.index("meant"), made.ids, {"part": tokens}, {"meant": MEANT.index(meant)})
        if request.statement is not None:
            relation = "replaces" if go else "unrelated"
            if go or not request.go:
                yield of_pair(tokenizer, said, request.statement, relation if go else "unrelated")
