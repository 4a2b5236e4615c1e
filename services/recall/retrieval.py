"""Hybrid retrieval: vectors and words find, PostgreSQL decides, one formula ranks (LT-06, MC-04, CN-08)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from services.recall.stores import Stores
from shared.domain import ranking
from shared.domain.asked_dates import asked_date
from shared.domain.context.items import Candidate, Question, Retrieved
from shared.domain.ranking import Words
from shared.domain.switches import Switches
from shared.models import terms
from shared.persistence import retrieval
from shared.persistence import terms as found_by
from shared.persistence.database import Database, Transaction
from shared.persistence.people import Reader
from shared.persistence.retrieval import FoundMemory, FoundMessage, Talk
from shared.stores.port import Hit, StoreFailed, StoreMisconfigured, StoreUnavailable

TURNS: Final = 30
"""Vectors asked of the episodes; more change nothing that is measured."""
MEMORIES: Final = 60
"""Vectors asked of the memories: some of them may be paused, archived or another project's."""
A_WORD: Final = 300
"""Items looked at for one word; one that more have tells little."""
ALL_MEMORIES: Final = 10_000
"""Among how many memories a word counts as rare: counting a person's would cost what there are."""
UNUSABLE: Final = 5
"""Memories that were found and may not be given, told of at most."""

_LOOKING_UP: Final = ThreadPoolExecutor(16, thread_name_prefix="recall-words")
"""Looks words up while a question is embedded; the stores' threads are their own, so that none of these waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ByWords:
    """What the index of words answered, and the messages there: read early, so hints too."""

    talk: Talk
    messages: Words[int]
    memories: Words[UUID]
    around: Sequence[FoundMessage]
    today: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class _ByMeaning:
    """What the vector stores answered: cosines by episode, and by key of a memory; and why there are none."""

    episodes: dict[UUID, float] = field(default_factory=dict)
    memories: dict[UUID, float] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


def retrieve(database: Database, stores: Stores, reader: Reader, question: Question, allowed: Switches) -> Retrieved:
    """Return what a question finds, best first: hints until their rows are read again.

    A store or a model that fails, or is too slow, takes nothing but its own part away, and says so (CN-08).
    """
    if not allowed.gives_episodes:
        question = replace(question, conversation_id=None)
    if not question.text.strip() or not (allowed.gives_memories or question.conversation_id):
        return Retrieved()
    search = _Search(database, stores, reader, question, memories=allowed.gives_memories)
    return search.run()


class _Search:
    def __init__(
        self, database: Database, stores: Stores, reader: Reader, question: Question, *, memories: bool
    ) -> None:
        self._database, self._stores, self._reader = database, stores, reader
        self._question, self._searches_memories = question, memories
        self._conversation_id = question.conversation_id

    def run(self) -> Retrieved:
        talk = self._database.transact(self._talk)
        words = _LOOKING_UP.submit(self._database.transact, partial(self._by_words, talk))
        meaning = self._by_meaning(talk)
        found = words.result()
        messages, memories = self._database.transact(partial(self._rows, found, meaning))
        ranked = [*self._ranked_messages(messages, found, meaning), *self._ranked_memories(memories, found)]
        ranked.sort(key=lambda one: (-(one.total or 0.0), one.id))
        return Retrieved(candidates=tuple(ranked), semantic=not meaning.reasons, reasons=meaning.reasons)

    def _talk(self, tx: Transaction) -> Talk:
        return retrieval.talk(tx, self._conversation_id) if self._conversation_id else Talk(names=(), messages=0)

    def _by_words(self, talk: Talk, tx: Transaction) -> _ByWords:
        """Look the question's words up; the speakers' names are in too many messages to tell anything."""
        asked = list(dict.fromkeys(terms.words(_without(talk.names, self._question.text))))
        namespace = self._reader.namespace
        messages: Words[int] = Words({}, {})
        memories: Words[UUID] = Words({}, {})
        around: Sequence[FoundMessage] = ()
        if self._conversation_id:
            digests = terms.digests(asked, namespace, within=self._conversation_id)
            messages = Words.of(found_by.messages_with(tx, digests, at_most=A_WORD), total=talk.messages)
            places = messages.best(ranking.MATCHES)
            around = retrieval.messages_around(tx, self._conversation_id, places, reach=ranking.NEIGHBOURS)
        if self._searches_memories:
            digests = terms.digests(list(dict.fromkeys(terms.words(self._question.text))), namespace)
            memories = Words.of(found_by.memories_with(tx, digests, at_most=A_WORD), total=ALL_MEMORIES)
        # Of today: the same question gets the same bytes all day (CN-05).
        today = tx.now().replace(hour=0, minute=0, second=0, microsecond=0)
        return _ByWords(talk=talk, messages=messages, memories=memories, around=around, today=today)

    def _by_meaning(self, talk: Talk) -> _ByMeaning:
        """Embed the question and ask both stores at once; where one does not answer in time, nothing is known."""
        try:
            vector = self._stores.query_vector(_without(talk.names, self._question.text) or self._question.text)
        except Exception:  # noqa: BLE001 # a model may fail in any way; words still find
            return _ByMeaning(reasons=("embedder_failed",))
        searches: dict[str, Callable[[], list[Hit]]] = {}
        if self._conversation_id:
            searches["episodes"] = partial(self._episodes, vector)
        if self._searches_memories:
            searches["memories"] = partial(self._memories, vector)
        try:
            hits = self._stores.ask(searches)
        except StoreUnavailable:
            return _ByMeaning(reasons=("milvus_unavailable",))
        except (StoreMisconfigured, StoreFailed):
            return _ByMeaning(reasons=("store_misconfigured",))
        episodes: dict[UUID, float] = {}
        for hit in hits.get("episodes", []):  # best first; an episode may have several vectors
            episodes.setdefault(hit.item or hit.key, hit.score)
        return _ByMeaning(episodes=episodes, memories={hit.key: hit.score for hit in hits.get("memories", [])})

    def _episodes(self, vector: Sequence[float]) -> list[Hit]:
        return self._stores.episodes.search(
            self._reader.namespace, vector, limit=TURNS, conversation_id=self._conversation_id
        )

    def _memories(self, vector: Sequence[float]) -> list[Hit]:
        return self._stores.mem0.nearest(self._reader.namespace, vector, limit=MEMORIES)

    def _rows(
        self, found: _ByWords, meaning: _ByMeaning, tx: Transaction
    ) -> tuple[list[FoundMessage], list[FoundMemory]]:
        """Return the rows behind everything found. They rank; what is given of them is read again afterwards."""
        messages: dict[UUID, FoundMessage] = {}
        memories: list[FoundMemory] = []
        if self._conversation_id:
            messages = {one.id: one for one in found.around}
            messages |= {one.id: one for one in retrieval.messages_of(tx, self._conversation_id, meaning.episodes)}
        if self._searches_memories:
            memories = retrieval.memories_behind(
                tx,
                self._reader.subject_id,
                meaning.memories,
                found.memories.best(ranking.MATCHES),
                project_id=self._question.project_id,
            )
        return list(messages.values()), memories

    def _ranked_messages(
        self, rows: Sequence[FoundMessage], found: _ByWords, by_meaning: _ByMeaning
    ) -> list[Candidate]:
        """Return the episodes of the best messages; each is worth its best one, and cites those that were found."""
        if not rows:
            return []
        seqs = {row.seq for row in rows}
        meaning = ranking.meanings(
            {row.seq: by_meaning.episodes[row.episode_id] for row in rows if row.episode_id in by_meaning.episodes}
        )
        speakers = [name for name in found.talk.names if _names(name, self._question.text)]
        when = asked_date(self._question.text)
        scored = []
        for row in rows:
            counts = ranking.counts_near(row.seq, found.messages.places, seqs.__contains__)
            scores = {
                "lexical": found.messages.score(counts),
                "semantic": ranking.MEANING * meaning.get(row.seq, 0.0),
                "name": ranking.SPEAKER * (len(speakers) == 1 and row.name == speakers[0]),
                "date": ranking.DATE * (when.match(row.said_at.date()) if when else 0.0),
                "recency": ranking.RECENCY * ranking.recency(row.said_at, found.today),
            }
            scored.append((sum(scores.values()), scores, row))
        scored.sort(key=lambda one: (-one[0], one[2].seq))
        episodes: dict[UUID, Candidate] = {}
        for total, scores, row in scored[: self._question.limit]:
            known = episodes.get(row.episode_id)
            episodes[row.episode_id] = (
                replace(known, cited=(*known.cited, row.id))
                if known
                else Candidate(kind="episode", id=row.episode_id, scores=scores, total=total, cited=(row.id,))
            )
        return list(episodes.values())

    def _ranked_memories(self, rows: Sequence[FoundMemory], found: _ByWords) -> list[Candidate]:
        meaning = ranking.meanings({row.id: row.cosine for row in rows if row.cosine is not None})
        counts: dict[UUID, dict[int, float]] = {}
        for word, ids in found.memories.places.items():
            for id_ in ids:
                counts.setdefault(id_, {})[word] = 1.0
        task = terms.words(self._question.task or "")
        usable: list[Candidate] = []
        others: list[Candidate] = []
        for row in rows:
            scores = {
                "lexical": found.memories.score(counts.get(row.id, {})),
                "semantic": ranking.MEANING * meaning.get(row.id, 0.0),
                "task": ranking.TASK * ranking.task_match(task, terms.words(row.task_hint or "")),
                "recency": ranking.RECENCY * ranking.recency(row.said_at, found.today),
            }
            candidate = Candidate(kind="memory", id=row.id, scores=scores, total=sum(scores.values()))
            (usable if row.usable else others).append(candidate)
        for some in (usable, others):
            some.sort(key=lambda one: (-(one.total or 0.0), one.id))
        return [*usable[: self._question.limit], *others[:UNUSABLE]]


def _without(names: Sequence[str], question: str) -> str:
    """Return the question without who speaks in the conversation: that is known of every message."""
    if not names:
        return question
    return " ".join(_pattern(names).sub(" ", question).split())


def _names(name: str, question: str) -> bool:
    return bool(_pattern([name]).search(question))


def _pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Match names as whole words; Chinese has no word borders."""
    each = [re.escape(name) if _HAN.search(name) else rf"\b{re.escape(name)}(?:['’]s)?\b" for name in names]
    return re.compile("|".join(each), re.IGNORECASE)


_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
