"""How well traits fit a question: their place among all behaviors of the catalogue, by vectors (TR-08)."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import replace
from operator import mul
from typing import Final

from shared.language.embedding.bundled import EmbedderUnavailable, Unembeddable
from shared.language.embedding.socket import EmbedderFailed
from shared.language.script import Language, language_of
from shared.recall.rules.impressions import is_stable
from shared.recall.rules.state import Impression
from shared.recall.stores import Stores
from shared.stores.port import StoreUnavailable
from shared.traits.catalogue import behaviors, catalogue

_SENTENCES: Final[dict[Language, dict[str, list[float]]]] = {}
"""The vectors of the catalogue's sentences by language and sentence, computed once a process. No vector of a person
is kept.
"""
_embedding: Final = threading.Lock()


def with_relevance(impressions: Sequence[Impression], stores: Stores, question: str) -> tuple[Impression, ...]:
    """Return the impressions with their relevance for a question, if it can be compared.

    Relevance is the share of the catalogue's behaviors that fit less well: cosines alone say little, because texts of
    one language are all alike to the model.
    """
    asked_for = [one for one in impressions if not (one.always or is_stable(one))]
    if not asked_for or not question.strip():
        return tuple(impressions)
    try:
        asked = stores.query_vector(question)
        others = sorted(_cosine(asked, vector) for vector in _sentences(language_of(question), stores).values())
        vectors = _vectors({one.text for one in asked_for}, stores)
    except (StoreUnavailable, EmbedderUnavailable, EmbedderFailed, Unembeddable):
        return tuple(impressions)
    return tuple(
        replace(one, relevance=bisect_left(others, _cosine(asked, vectors[one.text])) / len(others))
        if one in asked_for
        else one
        for one in impressions
    )


def _vectors(texts: Collection[str], stores: Stores) -> dict[str, list[float]]:
    """Return the vectors of traits: most are sentences of the catalogue, so only edited ones are embedded."""
    known = {text: vector for sentences in _SENTENCES.values() for text, vector in sentences.items()}
    others = [text for text in texts if text not in known]
    return known | dict(zip(others, stores.embedder.passages(others) if others else (), strict=True))


def _sentences(language: Language, stores: Stores) -> dict[str, list[float]]:
    with _embedding:
        if language not in _SENTENCES:
            texts = [catalogue()[key].sentence(language) for key in behaviors()]
            _SENTENCES[language] = dict(zip(texts, stores.embedder.passages(texts), strict=True))
        return _SENTENCES[language]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return float(sum(map(mul, one, other)))
