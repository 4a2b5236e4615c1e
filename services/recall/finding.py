"""Find what a description means among all that a person said or is remembered for; nothing is changed (X-06).

Rules decide, item by item, in a process of their own that is shown one page after the other. A language model may one
day plan (rewrite a description before it is understood); it can never add a candidate: these come from `Search` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, TypeVar
from uuid import UUID

from services.recall.finding_schemas import CandidateOut, FoundToForgetOut, NothingCode, PartOut, ReasonCode, ReasonOut
from shared.domain.selection import Picked, version_of
from shared.models.descriptions import TERMS_MAX, Asked, Meant, Said, Search, TooManyTerms
from shared.persistence.database import Database
from shared.persistence.people import Reader
from shared.persistence.statements import RememberedStatement, SaidStatement
from shared.queries.forget_candidates import all_remembered, all_turns
from shared.runtime.apart import Session
from shared.runtime.selection_tokens import SelectionTokens

T = TypeVar("T")

MEMORIES_AT_ONCE: Final = 500
TURNS_AT_ONCE: Final = 100
"""How much is handed to the process that reads it in one go."""

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
    search: Session[Search],
    *,
    project_id: str | None,
    limit: int,
) -> FoundToForgetOut:
    """Return what a description means, with a token that stands for exactly that.

    Args:
        database: under the role that reads visible rows only.
        reader: None when nothing was ever stored about them.
        search: the description, in the process that reads.

    Raises:
        TooManyTerms: the description names too much.
        TookTooLong, Stopped: as `Session.call`.
    """
    asked = search.call(Search.asked)
    if asked.terms > TERMS_MAX:
        raise TooManyTerms(asked.terms)
    if asked.nothing is not None:
        return _nothing(asked.nothing)
    if reader is None:
        return _nothing("nothing_matches")
    _learn(database, reader, search)
    if not search.call(Search.anchor_found):
        return _nothing("anchor_not_found")
    for loosely in (False, True):
        if not search.call(Search.begin, loosely=loosely):
            continue
        candidates = _candidates(database, reader, search, project_id)
        if found := list(islice(candidates, limit + 1)):
            return _found(tokens, reader.subject_id, found[:limit], asked, more=len(found) > limit, loosely=loosely)
    return _nothing("nothing_matches")


def _learn(database: Database, reader: Reader, search: Session[Search]) -> None:
    """Let it look through everything once for who is who, and when what dates the description was said."""
    memories = all_remembered(database.transact, reader.subject_id, project_id=None)
    for page in _pages(memories, MEMORIES_AT_ONCE):
        search.call(Search.learn, [Said(text=memory.text, at=memory.said_at) for memory in page])
    turns = all_turns(database.transact, database.transact, reader.subject_id, project_id=None)
    for some in _pages(turns, TURNS_AT_ONCE):
        spoken = [message for turn in some for message in turn if message.role == "user"]
        search.call(Search.learn, [Said(text=message.text, at=message.spoken_at) for message in spoken])


def _candidates(
    database: Database, reader: Reader, search: Session[Search], project_id: str | None
) -> Iterator[_Candidate]:
    memories = all_remembered(database.transact, reader.subject_id, project_id=project_id)
    for page in _pages(memories, MEMORIES_AT_ONCE):
        said = [Said(text=one.text, at=one.said_at, label=one.task_hint or "") for one in page]
        for memory, meant in zip(page, search.call(Search.memories, said), strict=True):
            if meant is not None:
                yield _Candidate(memory, meant)
    turns = all_turns(database.transact, database.transact, reader.subject_id, project_id=project_id)
    conversation: UUID | None = None
    for some in _pages(turns, TURNS_AT_ONCE):
        shown = []
        for turn in some:
            begins, conversation = turn[0].conversation_id != conversation, turn[0].conversation_id
            shown.append((begins, list(map(_said, turn))))
        for turn, found in zip(some, search.call(Search.turns, shown), strict=True):
            for message, meant in zip(turn, found, strict=True):
                if meant is not None:
                    # What is still being written will have other words: it goes as a whole.
                    yield _Candidate(message, meant if message.completed else Meant(codes=meant.codes))


def _pages(items: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(items)
    while page := list(islice(remaining, size)):
        yield page


def _said(message: SaidStatement) -> Said:
    label = "\n".join(filter(None, (message.name, message.task_hint)))
    return Said(text=message.text, at=message.spoken_at, role=message.role, label=label)


def _found(
    tokens: SelectionTokens, subject_id: UUID, found: Sequence[_Candidate], asked: Asked, *, more: bool, loosely: bool
) -> FoundToForgetOut:
    return FoundToForgetOut(
        candidates=[_out(one, asked, loosely=loosely) for one in found],
        token=tokens.seal(subject_id, [one.picked for one in found]),
        more=more,
        nothing=None,
    )


def _out(candidate: _Candidate, asked: Asked, *, loosely: bool) -> CandidateOut:
    item, meant = candidate.item, candidate.meant
    message = item if isinstance(item, SaidStatement) else None
    codes: tuple[ReasonCode, ...] = (*meant.codes, *(("partly",) if loosely else ()))
    parts = [PartOut(start=start, end=end, text=item.text[start:end]) for start, end in meant.spans]
    return CandidateOut(
        id=item.id,
        kind="message" if message else "memory",
        content=item.text,
        parts=parts or None,
        reasons=[ReasonOut(code=code, words=WORDS[code][asked.script]) for code in codes],
        role=message.role if message else None,
        content_type=item.content_type if isinstance(item, RememberedStatement) else None,
        conversation_id=message.conversation_id if message else None,
        said_at=item.said_at if isinstance(item, RememberedStatement) else item.spoken_at,
    )


def _nothing(why: NothingCode) -> FoundToForgetOut:
    return FoundToForgetOut(candidates=[], token=None, more=False, nothing=why)
