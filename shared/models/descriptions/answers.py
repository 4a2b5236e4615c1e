"""What an answer repeats of what goes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from shared.domain.cuts import cut
from shared.models.descriptions.reading import HAN, read, words
from shared.models.descriptions.remainders import FILLER, says_nothing, spans_to_cut
from shared.models.descriptions.said import Meant
from shared.models.relations.concepts import stem

_WORTH_ECHOING: Final = 4
"""Letters of the shortest word whose return shows that an answer speaks of what was said."""


def answer(text: str, echoed: Collection[str]) -> Meant | None:
    """Return what an answer repeats of what goes; nothing of it stays when it repeats it all over.

    Args:
        echoed: the `telling` words of what goes, without those of what stays.
    """
    reading = read(text)
    places = {
        place for place, clause in enumerate(reading.clauses) if any(word in echoed for word in telling(clause.typed))
    }
    if not places:
        return None
    spans = spans_to_cut(reading, places)
    return Meant(codes=("answer",)) if says_nothing(cut(text, spans)) else Meant(spans=spans, codes=("answer",))


def telling(text: str) -> Iterator[str]:
    """Yield the stems of the words of a text that show, where they return, that it is spoken of."""
    for word in words(text, 0, len(text)):
        long_enough = len(word.bare) >= (2 if HAN.match(word.bare) else _WORTH_ECHOING)
        if long_enough and word.bare not in FILLER:
            yield stem(word.bare)
