"""Find what a description means among all that a person said or is remembered for; nothing is changed (X-06).

Rules decide, item by item. A language model may one day plan (rewrite a description before `understand`); it can never
add a candidate: these come from `decide` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from typing import Final, Literal
from uuid import UUID

from services.recall.finding_schemas import CandidateOut, FoundToForgetOut, NothingCode, PartOut, ReasonCode, ReasonOut
from shared.domain.selection import Picked, version_of
from shared.models.descriptions import Discourse, Known, Meant, Said, Wish, decide, understand
from shared.persistence.database import Database
from shared.persistence.people import Reader
from shared.persistence.statements import RememberedStatement, SaidStatement
from shared.queries.forget_candidates import all_remembered, all_turns
from shared.runtime.selection_tokens import SelectionTokens

WORDS: Final[dict[ReasonCode, dict[Literal["en", "zh"], str]]] = {
    "identifier": {"en": "It has this identifier.", "zh": "提到了这个编号。"},
    "name": {"en": "It names this.", "zh": "提到了这个名字。"},
    "alias": {"en": "It names this in other words.", "zh": "用别的称呼提到了。"},
    "topic": {"en": "It speaks of this.", "zh": "说的是这件事。"},
    "statement": {"en": "It says this.", "zh": "就是这个说法。"},
    "refers_back": {"en": "It goes on about this.", "zh": "接着说的是这个。"},
    "answer": {"en": "It repeats what would go.", "zh": "重复了会被忘掉的内容。"},
    "partly": {
        "en": "It speaks of a part of the description; the rest was never said.",
        "zh": "只符合描述的一部分,其余从没说过。",
    },
    "label": {"en": "Its label speaks of this.", "zh": "标签里提到了。"},
}


@dataclass(frozen=True, slots=True)
class _Candidate:
    item: RememberedStatement | SaidStatement
    meant: Meant

    @property
    def picked(self) -> Picked:
        item = self.item
        memory = isinstance(item, RememberedStatement)
        return Picked(
            kind="memory" if memory else "message",
            id=item.id,
            version=version_of(item.text, item.version if isinstance(item, RememberedStatement) else 0),
            spans=self.meant.spans,
        )


def find_to_forget(
    database: Database,
    tokens: SelectionTokens,
    reader: Reader | None,
    description: str,
    *,
    now: datetime,
    project_id: str | None,
    limit: int,
) -> FoundToForgetOut:
    """Return what a description means, with a token that stands for exactly that.

    Args:
        database: under the role that reads visible rows only.
        reader: None when nothing was ever stored about them.
        now: what "last week" counts from.
    """
    wish = understand(description, now)
    if not wish.targets:
        return _nothing("everything" if wish.is_everything else "nothing_named")
    if reader is None:
        return _nothing("nothing_matches")
    known = _known(database, reader, wish)
    if wish.anchor is not None and known.anchored_at is None:
        return _nothing("anchor_not_found")
    for understood in filter(None, (wish, known.loosely)):
        candidates = _candidates(database, reader, understood, known, project_id)
        if found := list(islice(candidates, limit + 1)):
            loosely = understood is not wish
            return _found(tokens, reader.subject_id, found[:limit], wish, more=len(found) > limit, loosely=loosely)
    return _nothing("nothing_matches")


def _known(database: Database, reader: Reader, wish: Wish) -> Known:
    """Look through everything once for who is who, and when what dates the wish was said."""
    known = Known(wish)
    for memory in all_remembered(database.transact, reader.subject_id, project_id=None):
        known.learn(Said(text=memory.text, at=memory.said_at))
    for turn in all_turns(database.transact, database.transact, reader.subject_id, project_id=None):
        for message in turn:
            if message.role == "user":
                known.learn(Said(text=message.text, at=message.spoken_at))
    return known


def _candidates(
    database: Database, reader: Reader, wish: Wish, known: Known, project_id: str | None
) -> Iterator[_Candidate]:
    for memory in all_remembered(database.transact, reader.subject_id, project_id=project_id):
        [meant] = decide(wish, known, [Said(text=memory.text, at=memory.said_at, label=memory.task_hint or "")])
        if meant is not None:
            yield _Candidate(memory, meant)
    turns = all_turns(database.transact, database.transact, reader.subject_id, project_id=project_id)
    for _, conversation in groupby(turns, key=lambda turn: turn[0].conversation_id):
        yield from _candidates_said(conversation, Discourse(wish, known))


def _candidates_said(conversation: Iterator[list[SaidStatement]], discourse: Discourse) -> Iterator[_Candidate]:
    for turn in conversation:
        for message, meant in zip(turn, discourse.decide(list(map(_said, turn))), strict=True):
            if meant is not None:
                # What is still being written will have other words: it goes as a whole.
                yield _Candidate(message, meant if message.completed else Meant(codes=meant.codes))


def _said(message: SaidStatement) -> Said:
    label = "\n".join(filter(None, (message.name, message.task_hint)))
    return Said(text=message.text, at=message.spoken_at, role=message.role, label=label)


def _found(
    tokens: SelectionTokens, subject_id: UUID, found: Sequence[_Candidate], wish: Wish, *, more: bool, loosely: bool
) -> FoundToForgetOut:
    return FoundToForgetOut(
        candidates=[_out(one, wish, loosely=loosely) for one in found],
        token=tokens.seal(subject_id, [one.picked for one in found]),
        more=more,
        nothing=None,
    )


def _out(candidate: _Candidate, wish: Wish, *, loosely: bool) -> CandidateOut:
    item, meant = candidate.item, candidate.meant
    message = item if isinstance(item, SaidStatement) else None
    codes: tuple[ReasonCode, ...] = (*meant.codes, *(("partly",) if loosely else ()))
    parts = [PartOut(start=start, end=end, text=item.text[start:end]) for start, end in meant.spans]
    return CandidateOut(
        id=item.id,
        kind="message" if message else "memory",
        content=item.text,
        parts=parts or None,
        reasons=[ReasonOut(code=code, words=WORDS[code][wish.script]) for code in codes],
        role=message.role if message else None,
        content_type=item.content_type if isinstance(item, RememberedStatement) else None,
        conversation_id=message.conversation_id if message else None,
        said_at=item.said_at if isinstance(item, RememberedStatement) else item.spoken_at,
    )


def _nothing(why: NothingCode) -> FoundToForgetOut:
    return FoundToForgetOut(candidates=[], token=None, more=False, nothing=why)
