"""Split texts into clauses that may have different subjects, and work out what to cut when some are removed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shared.kernel.spans import Span, merged
from shared.language.words import word_lists

_WORDS: Final = word_lists("clauses")

_SENTENCE_END: Final = re.compile(r"[.!?]+[\"'”’)]*(?=\s|$)\s*|[。！？；;\n]+[”’」』)]*\s*")
_SUBJECT: Final = _WORDS["subject"]
_JOINT: Final = re.compile(_WORDS["joint"], re.IGNORECASE)
_STARTS: Final = re.compile(rf"{_SUBJECT}|[我他她它咱你俺]", re.IGNORECASE)
_KIN_ZH: Final = "爸妈爹娘爷奶哥弟姐妹姨叔舅姑婶嫂公婆婿媳孙侄表堂儿女老对先太男同室朋闺邻房导领"
"""Second characters of Chinese words for relatives and friends: 我妈 is not the speaker."""
OF_ONESELF: Final = re.compile(
    rf"(?:i|we|i'm|i've|we're|we've|i'd|i'll)\b\s?(?:am |have |are )?|[我咱俺]们?(?![{_KIN_ZH}])", re.IGNORECASE
)
POINTS_BACK: Final = re.compile(
    r"(?:he|she|it|they|his|her|its|their|him|them|he's|she's|it's|they're)\b|[他她它]", re.IGNORECASE
)
HAN: Final = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_ALONE: Final = 3
"""Minimum words (in Chinese, characters) of a clause split off from its sentence."""


@dataclass(frozen=True, slots=True)
class Clause:
    """The span of a clause without its conjunction, and the number of its sentence.

    `has_subject`: whether it begins with a subject; otherwise it shares the one at the start of its sentence.
    """

    start: int
    end: int
    sentence: int
    has_subject: bool


def clauses(text: str) -> list[Clause]:
    """Return the clauses of a text in order: parts of sentences that may have different subjects."""
    found: list[Clause] = []
    begin = 0
    for number, stop in enumerate([*_SENTENCE_END.finditer(text), None]):
        end = stop.start() if stop else len(text)
        start = begin
        for joint in _JOINT.finditer(text, begin, end):
            if _long_enough(text, start, joint.start()) and _long_enough(text, joint.end(), end):
                _add(found, text, start, joint.start(), number)
                start = joint.end()
        _add(found, text, start, end, number)
        begin = stop.end() if stop else end
    return found


def _long_enough(text: str, start: int, end: int) -> bool:
    return sum(1 for _ in _WORD.finditer(text, start, end)) >= _ALONE


def _add(found: list[Clause], text: str, start: int, end: int, number: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        first = not found or found[-1].sentence != number
        found.append(Clause(start, end, number, first or _STARTS.match(text, start) is not None))


def to_cut(text: str, gone: Sequence[Clause]) -> tuple[Span, ...]:
    """Return the spans to cut to remove these clauses and leave readable text; none if no words would remain.

    A clause is removed together with its conjunction, a sentence with its end mark. A subject is kept if the next
    clause shares it.
    """
    every, goes = clauses(text), frozenset(gone)
    left = [one for one in every if one not in goes]
    if not any(character.isalnum() for one in left for character in text[one.start : one.end]):
        return ()
    last_left = {one.sentence: one for one in left}
    spans: list[Span] = []
    for before, one, after in zip((None, *every), every, (*every[1:], None), strict=False):
        if one in goes:
            stays = last_left.get(one.sentence)
            shares = after is not None and after not in goes and not after.has_subject
            spans += _cut_of(text, one, (before, after), stays, shares=shares)
    return merged(spans)


def _cut_of(
    text: str, one: Clause, beside: tuple[Clause | None, Clause | None], stays: Clause | None, *, shares: bool
) -> Iterator[Span]:
    """Yield the span to cut for a clause.

    Args:
        beside: the clauses before and after it.
        stays: the last clause of its sentence that stays.
        shares: whether the clause after it stays and has no subject of its own.
    """
    before, after = beside
    if after is not None and stays is not None and stays.start > one.start:
        subject = OF_ONESELF.match(text, one.start, one.end) if shares and one.has_subject else None
        yield subject.end() if subject else one.start, after.start
    elif before is not None and stays is not None:
        yield before.end, one.end
    elif after is not None:
        yield one.start, after.start
    elif before is not None:
        yield _end_of(text, before.end), len(text)


def _end_of(text: str, end: int) -> int:
    """Return the end of the punctuation after a clause."""
    stop = _SENTENCE_END.match(text, end)
    return end + len(stop[0].rstrip()) if stop else end
