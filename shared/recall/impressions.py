"""How well traits fit a question: their place among all behaviors of the catalogue, by vectors (TR-08)."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Sequence
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
"""The vectors of the catalogue's sentences by language, computed once a process. No vector of a person is kept."""
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
        sentences = _sentences(language_of(question), stores)
        others = sorted(_cosine(asked, vector) for vector in sentences.values())
        vectors = dict(
            zip((one.id for one in asked_for), stores.embedder.passages([one.text for one in asked_for]), strict=True)
        )
    except (StoreUnavailable, EmbedderUnavailable, EmbedderFailed, Unembeddable):
        return tuple(impressions)
    return tuple(
        replace(one, relevance=bisect_left(others, _cosine(asked, vectors[one.id])) / len(others))
        if one.id in vectors
        else one
        for one in impressions
    )


def _sentences(language: Language, stores: Stores) -> dict[str, list[float]]:
    with _embedding:
        if language not in _SENTENCES:
            texts = {key: catalogue()[key].sentence(language) for key in behaviors()}
            _SENTENCES[language] = dict(zip(texts, stores.embedder.passages(list(texts.values())), strict=True))
        return _SENTENCES[language]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return float(sum(map(mul, one, other)))
