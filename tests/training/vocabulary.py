"""Which of the encoder's 250,000 pieces are kept: those that English and Chinese text is made of."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

import wordfreq
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from shared.language.embedding.weights import PublishedWeights

ENGLISH_WORDS: Final = 30_000
CHINESE_WORDS: Final = 40_000
_SINGLE: Final = ("LATIN", "CJK", "DIGIT", "HIRAGANA", "KATAKANA", "GREEK", "BOPOMOFO")
"""Single characters kept whether or not a frequent word has them, by how their names begin."""


def tokenizer_of(pieces: list[tuple[str, float]], unknown: int) -> Tokenizer:
    """Return a tokenizer for such pieces that reads text as the encoder's own does."""
    made = Tokenizer(models.Unigram(pieces, unk_id=unknown))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    return made


def pieces_of(weights: PublishedWeights) -> list[tuple[str, float]]:
    """Return all pieces with their scores."""
    texts, places, scores = weights.piece_table
    text, ends = texts.tobytes(), places.tolist()
    spans = zip(ends, ends[1:], scores.tolist(), strict=False)
    return [(text[start:end].decode("utf-8", "replace"), score) for start, end, score in spans]


def kept_pieces(weights: PublishedWeights, texts: Iterable[str]) -> list[int]:
    """Return the places of the pieces to keep, in order: the special ones, single characters, and what is in use."""
    pieces = pieces_of(weights)
    whole = tokenizer_of(pieces, weights.unknown)
    used = {weights.begin, weights.end, weights.pad, weights.unknown}
    for place, (piece, _) in enumerate(pieces):
        text = piece.removeprefix("▁")
        if len(text) <= 1 and _is_kept(text):
            used.add(place)
    english = wordfreq.top_n_list("en", ENGLISH_WORDS)
    words = [*english, *(word.capitalize() for word in english), *wordfreq.top_n_list("zh", CHINESE_WORDS)]
    for encoded in whole.encode_batch([*words, *texts]):
        used.update(encoded.ids)
    return sorted(used)


def _is_kept(character: str) -> bool:
    if not character:
        return True
    name = unicodedata.name(character, "")
    return name.startswith(_SINGLE) or unicodedata.category(character)[0] in "PSN"


def pruned(weights: PublishedWeights, kept: list[int]) -> Tokenizer:
    """Return the tokenizer of the kept pieces."""
    pieces = pieces_of(weights)
    return tokenizer_of([pieces[old] for old in kept], kept.index(weights.unknown))
