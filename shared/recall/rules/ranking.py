"""Ranks search results by one formula, with all its weights in this module (LT-06).

total = words + MEANING·meaning + SPEAKER·speaker + DATE·date + TASK·task + RECENCY·recency + LEVEL·level

Every part is in [0, 1]:

words     the question's words in an item, by rarity: Σ idf·f/(f+K1) / Σ idf, with BM25's idf (Robertson and Zaragoza,
          2009) and no length normalisation. For a message, f also counts the words of its neighbours, at
          DECAY**distance, because an answer rarely repeats its question. A memory also has a word if it has a
          translation of it. Words that no memory has count in the second sum, so that an item with only a common word
          of the question does not get a full score.
meaning   the cosine of its vector and the question's: 0 up to UNRELATED, 1 from SAME on, linear between; of a memory 0
          up to IDLE, 1 from NEEDED on, because the question's vector is moved towards what an answer needs. It does not
          depend on other results. An item found only by words gets the cosine of the last vector returned: it cannot
          be nearer, or the store would have returned it first.
speaker   1 if the question names exactly one speaker of the conversation, who said this
date      1 if it was said in the month or on the day asked about, ½ in the week after
task      the share of the task's words in the memory's task hint
recency   halves every HALF_LIFE_DAYS
level     1 for a consolidated memory (L2): at equal relevance it precedes one that is not, however new, because LEVEL
          is as large as RECENCY (LT-04)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Generic, TypeVar
from uuid import UUID

from shared.recall.rules.order import PRECISION

Item = TypeVar("Item", int, UUID)
"""A message by its seq, or a memory by its id."""

UNRELATED: Final = 0.75
SAME: Final = 0.9
"""Cosines of multilingual-e5-small: typical for unrelated texts, and for texts with the same meaning."""
IDLE: Final = 0.1
NEEDED: Final = 0.4
"""The same of memories, whose question's vector is moved (`embedding.maps`): a quarter of unrelated ones are below the
first, half of those that mean the same above the second."""
MEANING: Final = 0.6
SPEAKER: Final = 0.3
DATE: Final = 0.3
TASK: Final = 0.3
RECENCY: Final = 0.05
LEVEL: Final = RECENCY

K1: Final = 1.2
DECAY: Final = 0.5
REACH: Final = 3
"""Distance in messages within which a neighbour's words count."""
NEIGHBOURS: Final = 1
"""Messages read before and after each message that contains words of the question."""
MATCHES: Final = 40
"""Maximum number of messages with words of the question; those with the rarest words are read."""
HALF_LIFE_DAYS: Final = 90.0
TIE: Final = 10.0**-PRECISION
"""Totals closer than this are equal: much more than rounding differences of processors, much less than any part."""


@dataclass(frozen=True)
class Words(Generic[Item]):
    """The words of a question: how rare each is, and which items contain it.

    Args:
        rarity: idf by word.
        places: items that contain the word; incomplete for frequent words.
    """

    rarity: Mapping[int, float]
    places: Mapping[int, frozenset[Item]]

    @classmethod
    def of(cls, found: Mapping[int, Collection[Item]], *, total: int) -> Words[Item]:
        """Compute the idf of words among `total` items; a word in no item is the rarest."""
        rarity = {word: _idf(len(items), max(total, len(items))) for word, items in found.items()}
        return cls(rarity, {word: frozenset(items) for word, items in found.items()})

    @cached_property
    def of_items(self) -> Mapping[Item, Sequence[int]]:
        """The question's words in each item."""
        found: dict[Item, list[int]] = {}
        for word, items in self.places.items():
            for item in items:
                found.setdefault(item, []).append(word)
        return found

    def best(self, limit: int) -> list[Item]:
        """Return at most `limit` items, those with the rarest words first; ties by item."""
        # Rounded, because the order of addition must not break ties.
        own = {item: round(sum(self.rarity[word] for word in words), 9) for item, words in self.of_items.items()}
        return sorted(own, key=lambda item: (-own[item], _number(item)))[:limit]

    def score(self, counts: Mapping[int, float]) -> float:
        """Return the words part of an item, given how often each word counts in it."""
        whole = sum(self.rarity.values())
        if not whole:
            return 0.0
        return sum(self.rarity[word] * f / (f + K1) for word, f in counts.items() if word in self.rarity) / whole


def _number(item: int | UUID) -> int:
    """Return a sort key with the same order that is twice as fast: Python compares UUIDs slowly."""
    return item if isinstance(item, int) else item.int


def _idf(having: int, total: int) -> float:
    return math.log(1 + (total - having + 0.5) / (having + 0.5))


def counts_near(seq: int, words: Mapping[int, Collection[int]], near: Callable[[int], bool]) -> dict[int, float]:
    """Return how often each word counts for the message `seq`: its own words, and its neighbours' by distance.

    Args:
        words: words by message seq.
        near: whether the words of the message with this seq may count here.
    """
    counts: dict[int, float] = {}
    for step in range(-REACH, REACH + 1):
        if step and not near(seq + step):
            continue
        for word in words.get(seq + step, ()):
            counts[word] = counts.get(word, 0.0) + DECAY ** abs(step)
    return counts


def meaning(cosine: float) -> float:
    """Return the meaning part of a message from the cosine (-1…1) of its vector and the question's."""
    return min(max((cosine - UNRELATED) / (SAME - UNRELATED), 0.0), 1.0)


def need(cosine: float) -> float:
    """Return the meaning part of a memory from the cosine (-1…1) of its vector and the question's, which was moved."""
    return min(max((cosine - IDLE) / (NEEDED - IDLE), 0.0), 1.0)


def settled(totals: Mapping[Item, float]) -> dict[Item, float]:
    """Return totals with ties made equal: a total less than TIE below the previous one takes its value.

    Processors add numbers in different orders, so the totals of the same texts differ in the sixth decimal. Rounding
    alone would not help: two values on both sides of a rounding border stay different.
    """
    found: dict[Item, float] = {}
    first = before = math.inf
    for item, total in sorted(totals.items(), key=lambda one: -one[1]):
        if before - total >= TIE:
            first = total
        found[item], before = first, total
    return found


def task_match(wanted: Sequence[str], hint: Sequence[str]) -> float:
    """Return the share of the task's words in a memory's hint."""
    return len(set(wanted) & set(hint)) / len(set(wanted)) if wanted else 0.0


def recency(at: datetime, now: datetime) -> float:
    """Return 1 for now, ½ after one half-life; future dates count as now."""
    days = max((now - at).total_seconds(), 0.0) / 86_400
    return float(0.5 ** (days / HALF_LIFE_DAYS))
