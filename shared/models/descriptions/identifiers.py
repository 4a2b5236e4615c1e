"""Names with digits in them, however they are spelled: "AB-1234", "ab 1234" and "ＡＢ１２３４" are one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shared.models.descriptions.places import Places, found_in

_SEPARATOR: Final = r"[\s\-–—_./#:·•'\"`“”‘’「」()]"
_SEPARATORS: Final = re.compile(rf"{_SEPARATOR}+")
_PIECE: Final = re.compile(r"[a-z]+|\d+")
_TOUCHING: Final = re.compile(r"[a-z0-9]+(?:[\-_./#:·•][a-z0-9]+)*")
_CLINGS: Final = re.compile(r"[a-z0-9.]")
_MARKED: Final = re.compile(r"[a-z0-9]")
_STRONG_DIGITS: Final = 5
_TELLING_DIGITS: Final = 4
_LETTERS_AFTER: Final = 2
_WORDS_BEFORE: Final = 3
_COUNTED: Final = re.compile(r"(?<![a-z0-9.])(\d+)([\u4e00-\u9fff]{1,2})")
_NUMBERED: Final = frozenset({"号楼", "号线", "号院", "号店"})
_UNITS_OF_TIME: Final = "年月日号点岁天周分秒"


@dataclass(frozen=True, slots=True)
class Identifier:
    """A key of lower-case letters and digits; a point between digits counts, other separators do not.

    `exact` is looked for as it stands, with nothing but a break before it ("7路"). One with `near` counts only beside one
    of these words.
    """

    key: str
    exact: bool = False
    near: frozenset[str] = frozenset()


@lru_cache(maxsize=4_000)
def places_of(identifier: Identifier, text: str) -> Places:
    """Return where a folded text names an identifier: neither a longer one that begins or ends with it nor a part."""
    return Places(_spans_of(identifier, text))


def _spans_of(identifier: Identifier, text: str) -> Iterator[tuple[int, int]]:
    if identifier.exact:
        for start, end in found_in(text, identifier.key):
            if start == 0 or not _CLINGS.match(text[start - 1]):
                yield start, end
        return
    for found in _pattern(identifier.key).finditer(text):
        if not _goes_on(text, found.end(), found[0]) and not _began(text, found.start(), found[0]):
            yield found.span()


@lru_cache(maxsize=200)
def _pattern(key: str) -> re.Pattern[str]:
    between = rf"{_SEPARATOR}{{0,3}}"
    parts = [re.escape(one) if one != "." else r"\." for one in key]
    body = parts[0]
    for before, after, part in zip(key, key[1:], parts[1:], strict=False):
        glued = (
            before == "."
            or after == "."
            or (before.isdigit() == after.isdigit() and before.isalpha() == after.isalpha() and before.isalpha())
        )
        body += (rf"{_SEPARATOR}?" if glued and before != "." and after != "." else "" if glued else between) + part
    return re.compile(rf"(?<![a-z0-9]){body}(?![a-z0-9])")


def _goes_on(text: str, end: int, said: str) -> bool:
    """Return whether what follows belongs to the same identifier: "-X", ".5", or one more group of digits."""
    after = text[end : end + 3]
    if len(after) > 1 and after[0] in "-_./" and _MARKED.match(after[1]):
        return after[0] != "/" or after[1].isdigit()
    grouped = _SEPARATORS.search(said) is not None and " " in said
    return grouped and said[-1].isdigit() and re.match(r" \d", after) is not None


def _began(text: str, start: int, said: str) -> bool:
    before = text[max(0, start - 2) : start]
    if len(before) > 1 and before[-1] in "-_./" and _MARKED.match(before[-2]):
        return True
    return " " in said and said[0].isdigit() and re.search(r"\d $", before) is not None


def identifiers(text: str, generic: frozenset[str]) -> list[tuple[tuple[Identifier, ...], tuple[int, int]]]:
    """Return the identifiers a folded description names: spellings any of which will do, and where it names them.

    A number of few digits names something only together with the word before it ("apartment 12") or after it ("7路").

    Args:
        generic: words that name a kind of thing and belong to no identifier.
    """
    found: list[tuple[tuple[Identifier, ...], tuple[int, int]]] = []
    last = 0
    for number in re.finditer(r"\d+", text):
        if number.start() < last or _is_a_date(text, number):
            continue
        start, end = _touching(text, number)
        start, end = _with_letters_after(text, start, end)
        keys = list(_keys(text, start, end, generic))
        counted = _COUNTED.match(text, number.start())
        if counted and (counted[2][0] not in _UNITS_OF_TIME or counted[2] in _NUMBERED):
            keys = [Identifier(counted[1] + counted[2][0], exact=True)]
            end = max(end, counted.start(2) + 1)
        if keys:
            found.append((tuple(keys), (start, end)))
            last = end
    return found


def _touching(text: str, number: re.Match[str]) -> tuple[int, int]:
    for chunk in _TOUCHING.finditer(text):
        if chunk.start() <= number.start() < chunk.end():
            return chunk.span()
    return number.span()


def _with_letters_after(text: str, start: int, end: int) -> tuple[int, int]:
    """Take in what a spelling with spaces goes on with: "px 7781 b"."""
    while more := re.compile(rf" (?:\d+|[a-z]{{1,{_LETTERS_AFTER}}}\d*|[a-z]+\d+)(?![a-z0-9])").match(text, end):
        if more[0].strip() in {
            "is",
            "in",
            "on",
            "at",
            "of",
            "to",
            "my",
            "by",
            "or",
            "so",
            "it",
            "he",
            "we",
            "i",
            "a",
            "be",
        }:
            break
        end = more.end()
    return start, end


def _keys(text: str, start: int, end: int, generic: frozenset[str]) -> Iterator[Identifier]:
    own = _key(text[start:end])
    before = list(re.finditer(r"[a-z]+", text[:start]))
    joined = own
    weak = own.replace(".", "").isdigit() and len(own) < _STRONG_DIGITS
    place = start
    for word in reversed(before[-_WORDS_BEFORE:]):
        if text[word.end() : place].strip(" -_\"'“”‘’#.:") or word[0] in _LITTLE:
            break
        if word[0] in generic and not weak:
            break
        joined, place = _key(word[0]) + joined, word.start()
        yield Identifier(joined)
        if weak and word[0] in generic:
            break
    if not weak:
        yield Identifier(own)
    elif len(own) >= _TELLING_DIGITS and before:
        yield Identifier(own, near=frozenset(word[0] for word in before[-_WORDS_BEFORE:] if word[0] not in _LITTLE))


def _key(text: str) -> str:
    """Return letters and digits, and the points between digits."""
    kept = re.sub(r"(?<=\d)\.(?=\d)", "\0", text)
    return re.sub(r"[^a-z0-9\0]", "", kept).replace("\0", ".")


def _is_a_date(text: str, number: re.Match[str]) -> bool:
    """Return whether a number says when."""
    after = text[number.end() : number.end() + 2]
    if after[:1] in ("年", "月", "日") and after[:1]:
        return True
    year = re.fullmatch(r"(?:19|20)\d\d", number[0]) is not None
    before = text[max(0, number.start() - 12) : number.start()]
    return (
        year
        and re.search(
            r"(?:\b(?:in|since|before|after|until|till|from|during|of|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*"
            r"|oct\w*|nov\w*|dec\w*|summer|spring|autumn|winter|fall)\W*|到|至)$",
            before,
        )
        is not None
    )


_LITTLE: Final = frozenset(
    "about the a an my our his her their of for with to from on in at and or everything anything all forget delete remove"
    " erase please that what mentioning regarding concerning said told know drop wipe is are was this it i you me by as"
    " what's stuff everything's than except but mention mentions involving named called clear".split()
)
