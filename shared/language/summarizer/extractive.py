"""Summaries without a language model: the most informative sentences, unchanged."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from shared.language.candidates import Extractor
from shared.language.summarizer.passages import Passage, of_messages, of_summary
from shared.language.summarizer.port import Spoken

_USUAL_IMPORTANCE: Final = 5
_FULL_LENGTH: Final = 6.0
"""Passages of fewer words score lower: "Sounds good to me." says little."""

_OF_THE_USER, _OPENING, _KEPT = 0.4, 0.35, 0.25
_STATED, _MORE_IMPORTANT, _TABOO = 1.0, 0.15, 0.5
_ASSISTANT_ASKS: Final = -0.5
_WORTH_KEEPING: Final = 0.45
_ALIKE: Final = 0.8
"""If two passages share this part of the shorter one's words, only one is used."""


class ExtractiveSummarizer:
    """Selects sentences of user and assistant and keeps their order. Deterministic in any process.

    Args:
        extractor: finds the user's sentences that state something about them.
        max_characters: longest summary.
    """

    method = "extractive"
    asks_elsewhere = False

    def __init__(self, extractor: Extractor, *, max_characters: int) -> None:
        self._extractor = extractor
        self._max_characters = max_characters

    def summarize(self, previous: str, messages: Sequence[Spoken]) -> str:
        """Return one line per selected sentence; see `Summarizer`."""
        passages = [*of_summary(previous, self._extractor), *of_messages(messages, self._extractor)]
        scores = _scores(passages)
        # Rounded, so that the order never depends on the last bit of a sum.
        ranked = sorted(range(len(passages)), key=lambda place: (-round(scores[place], 6), place))
        worthy = [place for place in ranked if scores[place] >= _WORTH_KEEPING] or ranked[:1]
        chosen: list[int] = []
        room = self._max_characters + 1
        for place in worthy:
            needed = len(passages[place].line) + 1
            if needed <= room and not any(_alike(passages[place], passages[other]) for other in chosen):
                chosen.append(place)
                room -= needed
        return "\n".join(passages[place].line for place in sorted(chosen))


def _scores(passages: Sequence[Passage]) -> list[float]:
    """Return a score for each passage of how informative it is.

    Words are weighted by tf·idf over passages, so that very common and very rare ones count little (Luhn 1958; Spärck
    Jones 1972). Speaker, position and the extractor's findings add to the score.
    """
    found_in = Counter(word for passage in passages for word in passage.words)
    weights = {word: count * math.log(1 + len(passages) / count) for word, count in found_in.items()}
    heaviest = max(weights.values(), default=1.0)
    return [_score(passage, weights, heaviest) for passage in passages]


def _score(passage: Passage, weights: dict[str, float], heaviest: float) -> float:
    topical = math.fsum(weights[word] for word in passage.words) / (heaviest * len(passage.words))
    said = topical
    said += _OF_THE_USER if passage.speaker == "user" else 0.0
    said += _OPENING if passage.opens else 0.0
    said += _KEPT if passage.kept else 0.0
    said += _ASSISTANT_ASKS if passage.asks and passage.speaker == "assistant" else 0.0
    score = said * min(1.0, passage.length / _FULL_LENGTH)
    if passage.importance:
        score += _STATED + _MORE_IMPORTANT * (passage.importance - _USUAL_IMPORTANCE)
    return score + (_TABOO if passage.taboo else 0.0)


def _alike(one: Passage, other: Passage) -> bool:
    shared = len(one.words & other.words)
    return shared >= _ALIKE * min(len(one.words), len(other.words)) and one.speaker in (other.speaker, "")
