"""Search terms of a text: English stems, Chinese words, numbers and names."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from shared.language.script import SIMPLIFIED
from shared.language.words import word_set

TRANSLATIONS: Final = Path(__file__).with_name("words") / "translations.txt"
"""English words and Chinese ones of the same meaning, one line each."""
LONGEST_TEXT: Final = 20_000
"""Most characters read of one text."""

_HAN_RANGES: Final = r"\u3400-\u4dbf\u4e00-\u9fff"
_LETTERS: Final = rf"[^\W_{_HAN_RANGES}]+"
_TOKEN: Final = re.compile(rf"[{_HAN_RANGES}]+|{_LETTERS}(?:'{_LETTERS})?")
_HAN: Final = re.compile(rf"[{_HAN_RANGES}]")

STOP_WORDS: Final = word_set("stop_words")
"""Words any question may contain, whatever it is about."""


def words(text: str) -> list[str]:
    """Return the search terms of `text`, in order, repetitions included, in linear time.

    Case, width, traditional and simplified characters and English inflection make no difference. Chinese is split into
    dictionary words, including those inside long words; English is stemmed (Porter 2).
    """
    folded = unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).casefold().translate(SIMPLIFIED).replace("’", "'")
    found: list[str] = []
    for token in _TOKEN.findall(folded):
        if _HAN.match(token):
            found += [word for word in _chinese().cut_for_search(token) if word not in STOP_WORDS]
        elif token not in STOP_WORDS:
            found.append(_stem(token.removesuffix("'s")))
    return found


def translations(word: str) -> frozenset[str]:
    """Return the words of the other language with the meaning of `word`, in the form `words` returns.

    They let a question find text in the other language. Translations of more than one word are left out.
    """
    return _translations().get(word, frozenset())


@cache
def _translations() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in TRANSLATIONS.read_text(encoding="utf-8").splitlines():
        english, chinese = (_single(one.strip() for one in side.split(",")) for side in line.split("|"))
        for these, others in ((english, chinese), (chinese, english)):
            for word in these:
                found.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in found.items() if others}


def _single(phrases: Iterable[str]) -> set[str]:
    """Return the terms of phrases that are a single word; long Chinese words are also split into shorter ones."""
    found = {phrase: words(phrase) for phrase in phrases}
    return {cut[0] for cut in found.values() if len(cut) == 1} | {one for one, cut in found.items() if one in cut}


def digests(found: Sequence[str], namespace: UUID, *, within: UUID | None = None) -> list[int]:
    """Return the index entries for words: 64-bit digests that are meaningless outside the namespace.

    Args:
        within: the conversation to search in; None for words searched everywhere.
    """
    salt = within.bytes if within else b""
    return [
        int.from_bytes(blake2b(word.encode(), digest_size=8, key=namespace.bytes, salt=salt).digest(), signed=True)
        for word in found
    ]


_stemming: Final = threading.Lock()  # a stemmer keeps the current word as state


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    with _stemming:
        stem: str = _english().stemWord(word)
    return stem


@cache
def _english() -> Any:
    import snowballstemmer  # noqa: PLC0415 # processes that index nothing do not pay for it

    return snowballstemmer.stemmer("english")


@cache
def _chinese() -> Any:
    import rjieba  # noqa: PLC0415 # as above: its dictionary takes 0.1 s and 20 MiB

    return rjieba
