"""What an answer repeats of what goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from shared.domain.cuts import cut
from shared.models.descriptions.reading import HAN, read, words
from shared.models.descriptions.remainders import FILLER, says_nothing, spans_to_cut
from shared.models.descriptions.said import Meant
from shared.models.relations.concepts import stem

_WORTH_ECHOING: Final = 4
"""Letters of the shortest word whose return shows that an answer speaks of what was said."""


def answer(text: str, taken: Sequence[str], kept: Sequence[str]) -> Meant | None:
    """Return what an answer repeats of what goes; nothing of it stays when it repeats it all over."""
    echoed = set(_distinct(taken)) - set(_distinct(kept))
    reading = read(text)
    places = {place for place, clause in enumerate(reading.clauses) if echoed & set(_distinct([clause.typed]))}
    if not places:
        return None
    spans = spans_to_cut(reading, places)
    return Meant(codes=("answer",)) if says_nothing(cut(text, spans)) else Meant(spans=spans, codes=("answer",))


def _distinct(texts: Sequence[str]) -> Iterator[str]:
    for text in texts:
        for word in words(text, 0, len(text)):
            long_enough = len(word.bare) >= (2 if HAN.match(word.bare) else _WORTH_ECHOING)
            if long_enough and word.bare not in FILLER:
                yield stem(word.bare)
