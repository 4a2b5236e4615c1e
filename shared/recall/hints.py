"""Search words and vectors in parallel for hints about a question (MC-04, CN-08)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Final
from uuid import UUID

from shared.consent.rules.switches import Switches
from shared.conversations.sql import search_terms as found_by
from shared.kernel.database import Database, Transaction
from shared.kernel.readers import Reader
from shared.language import terms
from shared.language.embedding.maps import towards_needed
from shared.recall.rules import ranking
from shared.recall.rules.items import Question
from shared.recall.rules.ranking import Words
from shared.recall.sql import retrieval
from shared.recall.sql.retrieval import NOBODY, FoundMessage, Talk
from shared.recall.stores import Stores
from shared.stores.port import Hit, StoreFailed, StoreMisconfigured, StoreUnavailable

TURNS: Final = 30
"""Episode vectors requested; more do not improve the measured results."""
MEMORIES: Final = 60
"""Memory vectors requested; some may belong to paused or archived memories or to another project."""
A_WORD: Final = 150
"""Items read for one word; a word in more items says little."""
ALL_MEMORIES: Final = 10_000
"""Assumed number of memories for a word's rarity; counting them would get slower with each memory."""

_LOOKING_UP: Final = ThreadPoolExecutor(16, thread_name_prefix="recall-words")
"""Looks up words while the question is embedded. The stores have their own threads, so neither waits for the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByWords:
    """Results of the word index; for a conversation also the messages around the hits."""

    messages: Words[int]
    memories: Words[UUID]
    around: Sequence[FoundMessage]
    today: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ByMeaning:
    """Results of the vector stores: cosines by episode and by memory key, and why some are missing."""

    episodes: Mapping[UUID, float] = field(default_factory=dict)
    memories: Mapping[UUID, float] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """Items that may be related to a question. Hints only rank: nothing is served unless its row is visible afterwards.

    Args:
        question: without its conversation if that is not searched.
        talk: the question's conversation.
    """

    question: Question
    talk: Talk
    words: ByWords
    meaning: ByMeaning


def look_up(
    database: Database,
    stores: Stores,
    reader: Reader,
    question: Question,
    allowed: Switches,
    talk: Talk,
    *,
    vectors: bool,
) -> Hints | None:
    """Return hints for a question; None if there is nothing to search.

    Without `vectors`, only words are searched. If a store or a model fails or is too slow, only its hints are missing,
    and a reason is given (CN-08).
    """
    if not allowed.gives_episodes:
        question, talk = replace(question, conversation_id=None), NOBODY
    if not question.text.strip() or not (allowed.gives_memories or question.conversation_id):
        return None
    search = _Search(database, stores, reader, question, talk, memories=allowed.gives_memories, vectors=vectors)
    return search.run()


class _Search:
    def __init__(
        self,
        database: Database,
        stores: Stores,
        reader: Reader,
        question: Question,
        talk: Talk,
        *,
        memories: bool,
        vectors: bool,
    ) -> None:
        self._database, self._stores, self._reader = database, stores, reader
        self._question, self._talk, self._searches_memories = question, talk, memories
        self._conversation_id = question.conversation_id
        self._asks_stores = vectors
        self._text = _without(talk.names, question.text)
        """The question without the speakers' names, which occur in too many messages to be useful."""

    def run(self) -> Hints:
        words = _LOOKING_UP.submit(self._database.transact, self._by_words)
        meaning = self._by_meaning()
        return Hints(question=self._question, talk=self._talk, words=words.result(), meaning=meaning)

    def _by_words(self, tx: Transaction) -> ByWords:
        namespace = self._reader.namespace
        messages: Words[int] = Words({}, {})
        memories: Words[UUID] = Words({}, {})
        around: Sequence[FoundMessage] = ()
        if self._conversation_id:
            digests = terms.digests(_each_word(self._text), namespace, within=self._conversation_id)
            having = found_by.messages_with(tx, self._reader.subject_id, digests, at_most=A_WORD)
            messages = Words.of(having, total=self._talk.messages)
            places = messages.best(ranking.MATCHES)
            around = retrieval.messages_around(tx, self._conversation_id, places, reach=ranking.NEIGHBOURS)
        if self._searches_memories:
            memories = self._words_of_memories(tx)
        # Start of the day: the same question gets the same bytes all day (CN-05).
        today = tx.now().replace(hour=0, minute=0, second=0, microsecond=0)
        return ByWords(messages=messages, memories=memories, around=around, today=today)

    def _words_of_memories(self, tx: Transaction) -> Words[UUID]:
        """Look up the question's words and their translations; a word and its translation count once."""
        namespace = self._reader.namespace
        asked = {word: [word, *sorted(terms.translations(word))] for word in _each_word(self._question.text)}
        each = list(dict.fromkeys(chain.from_iterable(asked.values())))
        digests = dict(zip(each, terms.digests(each, namespace), strict=True))
        having = found_by.memories_with(tx, self._reader.subject_id, list(digests.values()), at_most=A_WORD)
        found = {
            digests[word]: {one for alike in same for one in having.get(digests[alike], ())}
            for word, same in asked.items()
        }
        if (among := self._question.among) is not None:
            found = {digest: items & among.ids for digest, items in found.items()}
        return Words.of(found, total=ALL_MEMORIES)

    def _by_meaning(self) -> ByMeaning:
        """Embed the question and query both stores in parallel; a failure or timeout gives no hits but a reason."""
        if not self._asks_stores:
            return ByMeaning(reasons=("vectors_prohibited",))
        try:
            vector = self._stores.query_vector(self._text or self._question.text)
        except Exception:  # noqa: BLE001 # a model may fail in any way; the word search still works
            return ByMeaning(reasons=("embedder_failed",))
        searches: dict[str, Callable[[], list[Hit]]] = {}
        if self._conversation_id:
            searches["episodes"] = partial(self._episodes, vector)
        if self._searches_memories:
            searches["memories"] = partial(self._memories, towards_needed(vector))
        try:
            hits = self._stores.ask(searches)
        except StoreUnavailable:
            return ByMeaning(reasons=("milvus_unavailable",))
        except (StoreMisconfigured, StoreFailed):
            return ByMeaning(reasons=("store_misconfigured",))
        episodes: dict[UUID, float] = {}
        for hit in hits.get("episodes", []):  # best first; an episode may have several vectors
            episodes.setdefault(hit.item or hit.key, hit.score)
        return ByMeaning(episodes=episodes, memories={hit.key: hit.score for hit in hits.get("memories", [])})

    def _episodes(self, vector: Sequence[float]) -> list[Hit]:
        return self._stores.episodes.search(
            self._reader.namespace, vector, limit=TURNS, conversation_id=self._conversation_id
        )

    def _memories(self, vector: Sequence[float]) -> list[Hit]:
        among = self._question.among
        return self._stores.memories.nearest(
            self._reader.namespace, vector, limit=MEMORIES, among=among.keys if among else None
        )


def names_in(names: Sequence[str], text: str) -> list[str]:
    """Return the names that a text contains as whole words."""
    return [name for name in names if _pattern([name]).search(text)]


def _each_word(text: str) -> list[str]:
    return list(dict.fromkeys(terms.words(text)))


def _without(names: Sequence[str], question: str) -> str:
    """Return the question without the names of the conversation's speakers."""
    if not names:
        return question
    return " ".join(_pattern(names).sub(" ", question).split())


def _pattern(names: Sequence[str]) -> re.Pattern[str]:
    """Match names as whole words; Chinese has no word boundaries."""
    each = [re.escape(name) if _HAN.search(name) else rf"\b{re.escape(name)}(?:['’]s)?\b" for name in names]
    return re.compile("|".join(each), re.IGNORECASE)


_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
