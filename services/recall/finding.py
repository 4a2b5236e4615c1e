"""Find what a description means among all that a person said or is remembered for; nothing is changed (X-06).

Rules decide, item by item, in a process of their own that is shown one page after the other. Then the reader looks at
the memories nearest in meaning, for what shares no word with the description.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, TypeVar
from uuid import UUID

from services.recall.finding_schemas import CandidateOut, FoundToForgetOut, NothingCode, PartOut, ReasonCode, ReasonOut
from services.recall.stores import Stores
from shared.domain.selection import Picked, version_of
from shared.language.descriptions import MeantHere, meant_of
from shared.language.port import Readings
from shared.models.descriptions import TERMS_MAX, Asked, Said, Search, TooManyTerms
from shared.models.embedder import EmbedderUnavailable, Unembeddable
from shared.persistence import statements
from shared.persistence.database import Database
from shared.persistence.people import Reader
from shared.persistence.statements import RememberedStatement, SaidStatement
from shared.queries.forget_candidates import all_remembered, all_turns
from shared.runtime.apart import Session
from shared.runtime.selection_tokens import SelectionTokens
from shared.stores.port import StoreFailed, StoreMisconfigured, StoreUnavailable

T = TypeVar("T")

MEMORIES_AT_ONCE: Final = 500
TURNS_AT_ONCE: Final = 100
"""How much is handed to the process that reads it in one go."""
NEAREST: Final = 24
"""Memories nearest in meaning that the reader looks at: 70 ms of processor time."""

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
    "meaning": {"en": "It may mean this.", "zh": "可能说的就是这件事。"},
}


@dataclass(frozen=True, slots=True)
class _Candidate:
    item: RememberedStatement | SaidStatement
    codes: tuple[ReasonCode, ...]
    spans: tuple[tuple[int, int], ...] = ()
    sure: bool = True

    @property
    def picked(self) -> Picked:
        item = self.item
        memory = isinstance(item, RememberedStatement)
        return Picked(
            kind="memory" if memory else "message",
            id=item.id,
            version=version_of(item.text, item.version if isinstance(item, RememberedStatement) else 0),
            spans=self.spans,
            sure=self.sure,
        )


def find_to_forget(
    database: Database,
    stores: Stores,
    readings: Readings,
    tokens: SelectionTokens,
    reader: Reader | None,
    search: Session[Search],
    description: str,
    *,
    project_id: str | None,
    limit: int,
) -> FoundToForgetOut:
    """Return what a description means, with a token that stands for exactly that.

    Args:
        database: under the role that reads visible rows only.
        stores: where the memories nearest in meaning are looked up.
        readings: reads these.
        reader: None when nothing was ever stored about them.
        search: the description, in the process that reads.

    Raises:
        TooManyTerms: the description names too much.
        TookTooLong, Stopped: as `Session.call`.
    """
    asked = search.call(Search.asked)
    if asked.terms > TERMS_MAX:
        raise TooManyTerms(asked.terms)
    if asked.nothing == "everything":
        return _nothing("everything")
    if reader is None:
        return _nothing(asked.nothing or "nothing_matches")
    found, why = ([], asked.nothing) if asked.nothing else _by_rules(database, reader, search, project_id, limit)
    if why != "anchor_not_found":  # what nobody ever said dates nothing
        known = {one.item.id for one in found}
        nearest = _by_meaning(database, stores, readings, reader, description, project_id, alone=not found)
        found += [one for one in nearest if one.item.id not in known]
    if not found:
        return _nothing(why or "nothing_matches")
    return FoundToForgetOut(
        candidates=[_out(one, asked) for one in found[:limit]],
        token=tokens.seal(reader.subject_id, [one.picked for one in found[:limit]]),
        more=len(found) > limit,
        nothing=None,
    )


def _by_rules(
    database: Database, reader: Reader, search: Session[Search], project_id: str | None, limit: int
) -> tuple[list[_Candidate], NothingCode | None]:
    """Return at most one more than `limit` of what rules find, or why they find nothing."""
    _learn(database, reader, search)
    if not search.call(Search.anchor_found):
        return [], "anchor_not_found"
    for loosely in (False, True):
        if search.call(Search.begin, loosely=loosely):
            candidates = _candidates(database, reader, search, project_id, loosely=loosely)
            if found := list(islice(candidates, limit + 1)):
                return found, None
    return [], "nothing_matches"


def _by_meaning(
    database: Database,
    stores: Stores,
    readings: Readings,
    reader: Reader,
    description: str,
    project_id: str | None,
    *,
    alone: bool,
) -> list[_Candidate]:
    """Return what the reader takes to be meant of the memories nearest to a description, and what these quote.

    A store or a reader that is down finds nothing: rules have looked at everything.

    Args:
        alone: whether rules found nothing; beside what they found, nothing of this is sure.
    """
    try:
        vector = stores.query_vector(description)
        hits = stores.ask({"memories": lambda: stores.memories.nearest(reader.namespace, vector, limit=NEAREST)})[
            "memories"
        ]
        near = database.transact(
            lambda tx: statements.behind_vectors(
                tx, reader.subject_id, [hit.key for hit in hits], project_id=project_id
            )
        )
        meant = meant_of(description, [memory.text for memory in near], readings)
    except (StoreUnavailable, StoreFailed, StoreMisconfigured, EmbedderUnavailable, Unembeddable):
        return []
    found = {one.id: (one, here) for one, here in zip(near, meant, strict=True) if here is not None}
    candidates = [
        _Candidate(one, ("meaning",), (here.span,) if here.span else (), sure=alone and here.is_sure)
        for one, here in found.values()
    ]
    quoted = database.transact(lambda tx: statements.quoted(tx, list(found), project_id=project_id))
    spans: dict[UUID, tuple[SaidStatement, list[tuple[int, int]], bool]] = {}
    for memory_id, start, end, message in quoted:
        memory, here = found[memory_id]
        _, places, sure = spans.get(message.id, (message, [], True))
        places.append(_part_of(message.text, start, end, memory.text, here))
        spans[message.id] = (message, places, sure and here.is_sure)
    candidates += [
        _Candidate(message, ("meaning",), _of_whole(message, places), sure=alone and sure)
        for message, places, sure in spans.values()
    ]
    return candidates


def _part_of(text: str, start: int, end: int, memory: str, here: MeantHere) -> tuple[int, int]:
    """Return which characters of a message go with a memory: the same words, or all that it quotes."""
    if here.span is not None:
        words = memory[slice(*here.span)]
        place = text.find(words, start, end)
        if place >= 0:
            return place, place + len(words)
    return start, end


def _of_whole(message: SaidStatement, places: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the parts that go of a message, in order and not touching; none for all of it.

    What is still being written will have other words: it goes as a whole.
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    left = message.text
    for start, end in reversed(joined):
        left = left[:start] + left[end:]
    says_more = any(character.isalnum() for character in left)
    return tuple(joined) if message.completed and says_more else ()


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
    database: Database, reader: Reader, search: Session[Search], project_id: str | None, *, loosely: bool
) -> Iterator[_Candidate]:
    partly: tuple[ReasonCode, ...] = ("partly",) if loosely else ()
    memories = all_remembered(database.transact, reader.subject_id, project_id=project_id)
    for page in _pages(memories, MEMORIES_AT_ONCE):
        said = [Said(text=one.text, at=one.said_at, label=one.task_hint or "") for one in page]
        for memory, meant in zip(page, search.call(Search.memories, said), strict=True):
            if meant is not None:
                yield _Candidate(memory, (*meant.codes, *partly), meant.spans)
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
                    spans = meant.spans if message.completed else ()
                    yield _Candidate(message, (*meant.codes, *partly), spans)


def _pages(items: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(items)
    while page := list(islice(remaining, size)):
        yield page


def _said(message: SaidStatement) -> Said:
    label = "\n".join(filter(None, (message.name, message.task_hint)))
    return Said(text=message.text, at=message.spoken_at, role=message.role, label=label)


def _out(candidate: _Candidate, asked: Asked) -> CandidateOut:
    item = candidate.item
    message = item if isinstance(item, SaidStatement) else None
    parts = [PartOut(start=start, end=end, text=item.text[start:end]) for start, end in candidate.spans]
    return CandidateOut(
        id=item.id,
        kind="message" if message else "memory",
        content=item.text,
        parts=parts or None,
        reasons=[ReasonOut(code=code, words=WORDS[code][asked.script]) for code in candidate.codes],
        sure=candidate.sure,
        role=message.role if message else None,
        content_type=item.content_type if isinstance(item, RememberedStatement) else None,
        conversation_id=message.conversation_id if message else None,
        said_at=item.said_at if isinstance(item, RememberedStatement) else item.spoken_at,
    )


def _nothing(why: NothingCode) -> FoundToForgetOut:
    return FoundToForgetOut(candidates=[], token=None, more=False, nothing=why)
