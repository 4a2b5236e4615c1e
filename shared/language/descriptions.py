"""The exact parts of a description of what to forget (X-06).

Exact parts are: a request for everything, the time of the messages, and named identifiers and words. `meaning` judges
the rest, which needs the reader.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from shared.language import terms
from shared.language.moments import Window, days_in, window_in
from shared.language.script import Language, language_of
from shared.language.words import word_lists

_WORDS: Final = word_lists("descriptions")

TERMS_MAX: Final = 20
"""Most words a description may search for: each is looked up in all texts."""


class TooManyTerms(Exception):
    """A description searches for more than `TERMS_MAX` words."""

    def __init__(self, terms: int) -> None:
        super().__init__(f"{terms} terms")
        self.terms = terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message or a memory. `label`: a name or task attached to it."""

    text: str
    at: datetime
    label: str = ""


_EVERYTHING: Final = re.compile(_WORDS["everything"])
_EVERYTHING_ZH: Final = re.compile(_WORDS["everything_zh"])
_TELLING: Final = re.compile(_WORDS["telling"])
"""With one of these words, a time in a description is that of the message; else it may belong to the content."""
_WORDS_FILE: Final = Path(__file__).with_name("words") / "requests.txt"
_REQUEST_WORDS: Final = frozenset(terms.words(_WORDS_FILE.read_text(encoding="utf-8")))
"""Words that only express a request to forget, or have no specific meaning."""
_MARKED: Final = re.compile(r"[a-z0-9]+(?:[-_./:#·•@+]+[a-z0-9]+)*")
_MARKS: Final = " .,!?。"
_SHORTEST_NUMBER: Final = 4
_SHORTEST_MARK: Final = 3


@dataclass(frozen=True)
class Description:
    """A description of what to find, in the person's words.

    Args:
        text: as typed.
        now: the reference time for phrases such as "last week", in the time zone whose days are meant.
    """

    text: str
    now: datetime

    @cached_property
    def _folded(self) -> str:
        return folded(self.text)

    @cached_property
    def _timed(self) -> tuple[Window | None, str]:
        window, rest = window_in(self._folded, self.now.replace(tzinfo=UTC))
        if window is None or (_looked_for(rest) and not _TELLING.search(self._folded)):
            return None, self.text
        return Window(*(at and at.replace(tzinfo=self.now.tzinfo) for at in (window.start, window.end))), rest

    @property
    def window(self) -> Window | None:
        """The time range of the messages, if the description names one."""
        return self._timed[0]

    @property
    def about(self) -> str:
        """The description without that time."""
        return self._timed[1].strip()

    @cached_property
    def words(self) -> frozenset[str]:
        """The search words, as stored in the index."""
        return _looked_for(self.about)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Names that contain digits, in normalised spelling, and days of the year."""
        return frozenset(one for one in identifiers(folded(self.about)) if _is_telling(one))

    def check(self) -> None:
        """Raise `TooManyTerms` if there are too many search words."""
        if len(self.words) > TERMS_MAX:
            raise TooManyTerms(len(self.words))

    @property
    def nothing(self) -> Literal["everything", "nothing_named"] | None:
        """The reason why there is nothing to search for, or None."""
        bare = self._folded.strip(_MARKS)
        if _EVERYTHING.fullmatch(bare) or _EVERYTHING_ZH.fullmatch(bare.replace(" ", "").replace(",", "")):
            return "everything"
        return None if self.words or self.window is not None else "nothing_named"

    @property
    def language(self) -> Language:
        """The language to answer in."""
        return language_of(self.text)

    def could_mean(self, said: Said) -> bool:
        """Return whether a text is in the time range."""
        return self.window is None or self.window.holds(said.at)

    def share(self, text: str) -> float:
        """Return the share of search words a text contains, 0…1; 1 if it contains one of the identifiers."""
        if self.identifiers and not self.identifiers.isdisjoint(identifiers(folded(text))):
            return 1.0
        if not self.words:
            return 0.0
        held = words_of(text)
        met = (word in held or not held.isdisjoint(terms.translations(word)) for word in self.words)
        return sum(met) / len(self.words)


def words_of(text: str) -> set[str]:
    """Return all words of a text, as stored in the index; long texts are read in parts."""
    found: set[str] = set()
    start = 0
    while start < len(text):
        end = start + terms.LONGEST_TEXT
        if end < len(text):
            end = max(text.rfind(" ", start, end), text.rfind("\n", start, end), start + terms.LONGEST_TEXT // 2)
        found.update(terms.words(text[start:end]))
        start = end
    return found


def folded(text: str) -> str:
    """Return a text with case, width and spacing normalised."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())


def _looked_for(text: str) -> frozenset[str]:
    return frozenset(terms.words(text)) - _REQUEST_WORDS


def identifiers(folded: str) -> Iterator[str]:
    """Yield names with digits, without separators ("AB-1234" and "ab 1234" are both "ab1234"), and days as "4/12"."""
    before = ""
    for found in _MARKED.finditer(folded):
        key = re.sub(r"[^a-z0-9]", "", found[0])
        if any(one.isdigit() for one in key):
            yield key
            if before and folded[found.start() - 1 : found.start()] == " ":
                yield before + key
                if before[-1].isdigit() and key.isdigit():
                    before += key
                    continue
        before = key
    yield from days_in(folded)


def _is_telling(key: str) -> bool:
    return "/" in key or len(key) >= (_SHORTEST_NUMBER if key.isdigit() else _SHORTEST_MARK)
