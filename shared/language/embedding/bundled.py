"""Text embedding with the bundled multilingual-e5-small; only the process `services.embedder` runs it.

The model places texts of one language close together, whatever their content: a Chinese question is closer to any
Chinese text than to the English answer. `language.json` holds the direction in which sentences differ between English
and Chinese. This component is removed from question vectors, so that language does not affect their cosine with a text.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from functools import cache
from math import sqrt
from operator import mul
from pathlib import Path
from typing import Final, Protocol

DIMENSIONS = 384
LANGUAGE: Final = Path(__file__).with_name("language.json")
"""The direction from English to Chinese vectors (unit length), with the sentence pairs it was computed from."""


TEXT_MAX: Final = 8_000
"""Most characters of a text passed to the engine's tokenizer; longer texts are cut."""
PASSAGE_TOKENS: Final = 512
"""Most tokens of a passage that are embedded, the limit of the model. Time grows with them, up to about 1 s."""
QUERY_TOKENS: Final = 256


def embeddable(text: str) -> str:
    """Return the engine's input for a text: its beginning, in NFKC like the tokenizer, without control characters."""
    normalised = unicodedata.normalize("NFKC", text[:TEXT_MAX])[:TEXT_MAX]
    return "".join(character if character.isprintable() else " " for character in normalised)


class EmbedderUnavailable(Exception):
    """The embedder did not answer in time; a retry may succeed."""


class Unembeddable(Exception):
    """A text crashed the embedder twice, the second time on its own; it gets no vector."""


class Embedder(Protocol):
    """Turns text into unit vectors of `dimensions` floats; passages and questions are embedded differently.

    Both methods raise `EmbedderUnavailable`, or `Unembeddable` if one of the texts cannot be embedded.
    """

    @property
    def dimensions(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """Embed stored texts, one vector each, in order."""

    def query(self, text: str) -> list[float]:
        """Embed one question."""


def each_passage(embedder: Embedder, texts: Sequence[str]) -> list[list[float] | None]:
    """Embed stored texts, in order, with None for each text that has no vector.

    Raises:
        EmbedderUnavailable: nothing was embedded.
    """
    try:
        return [*embedder.passages(texts)]
    except Unembeddable:
        if len(texts) == 1:
            return [None]
        return [vector for text in texts for vector in each_passage(embedder, [text])]


class BundledE5:
    """multilingual-e5-small: no download, no network, English and Chinese first of its hundred languages.

    Thread-safe, but must not be forked after its first use.
    """

    dimensions = DIMENSIONS

    def __init__(self) -> None:
        # Only processes that embed load the engine.
        from shared.language.embedding.engine import Encoder  # noqa: PLC0415

        self._encoder = Encoder()

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        return [self._vector("passage: ", text, PASSAGE_TOKENS) for text in texts]

    def query(self, text: str) -> list[float]:
        return without_language(self._vector("query: ", text, QUERY_TOKENS))

    def _vector(self, prefix: str, text: str, most: int) -> list[float]:
        return self._encoder.vector(self._encoder.ids(prefix + embeddable(text), most))


def without_language(vector: Sequence[float]) -> list[float]:
    """Return the unit vector of a vector without its component in the direction of language."""
    direction = language_direction()
    share = sum(map(mul, vector, direction))
    left = [x - share * y for x, y in zip(vector, direction, strict=True)]
    length = sqrt(sum(map(mul, left, left)))
    return [x / length for x in left]


@cache
def language_direction() -> tuple[float, ...]:
    """Return the direction from English to Chinese vectors, of length 1."""
    return tuple(json.loads(LANGUAGE.read_text(encoding="utf-8"))["direction"])


@cache
def bundled_embedder() -> Embedder:
    """Return this process's embedder, loaded once (about 1 s and 100 MiB)."""
    return BundledE5()
