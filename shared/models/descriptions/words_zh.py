"""Where a Chinese text names something, and where the same characters are part of another word."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import rjieba

from shared.models.descriptions.places import Places, found_in
from shared.models.descriptions.reading import HAN

_MAY_FOLLOW: Final = frozenset(
    "的了是在说和跟与也都去来有想给叫住把被让对会要能不没就才还又再很太最更过着从到向往帮教送带约借找看见等打问爱喜怕用买卖养做"
    "当像比因所但而或及等们家那这他她它我你上下里中前后昨今明早晚刚已正常总老只每呢吗吧啊呀哦嘛今年岁学写画唱跳跑走吃喝睡起坐站"
)
"""Characters a name may be followed by when segmentation is unsure; others make a longer name of it."""
_PARTICLES: Final = frozenset("的们们家总哥姐叔姨妈爸")


class _Words:
    """The words of a run of Chinese by where they begin and end; each question costs a search by halves."""

    def __init__(self, run: str, *, guess: bool) -> None:
        """Take a run apart; words no dictionary has are guessed or taken apart."""
        self._starts: list[int] = []
        self._ends: list[int] = []
        for piece in rjieba.cut(run, hmm=guess):
            self._starts.append(self._ends[-1] if self._ends else 0)
            self._ends.append(self._starts[-1] + len(piece))

    def around(self, first: int) -> tuple[int, int]:
        """Return the word a character belongs to."""
        place = bisect_right(self._starts, first) - 1
        return self._starts[place], self._ends[place]

    def begins(self, place: int) -> bool:
        """Return whether a word begins there."""
        return _has(self._starts, place)

    def ends(self, place: int) -> bool:
        """Return whether a word ends there."""
        return _has(self._ends, place)


def _has(ordered: list[int], one: int) -> bool:
    place = bisect_left(ordered, one)
    return place < len(ordered) and ordered[place] == one


@dataclass(frozen=True, eq=False)
class Run:
    """Chinese characters that follow each other, and where they begin in their text."""

    start: int
    text: str

    @cached_property
    def known(self) -> _Words:
        return _Words(self.text, guess=False)

    @cached_property
    def guessed(self) -> _Words:
        return _Words(self.text, guess=True)


@lru_cache(maxsize=2_000)
def _runs(text: str) -> tuple[list[int], list[Run]]:
    runs = [Run(found.start(), found[0]) for found in HAN.finditer(text)]
    return [run.start for run in runs], runs


def run_around(text: str, start: int, end: int) -> Run | None:
    """Return the run of Chinese a stretch lies in; None where it mixes scripts."""
    starts, runs = _runs(text)
    place = bisect_right(starts, start) - 1
    if place < 0 or end > runs[place].start + len(runs[place].text):
        return None
    return runs[place]


@lru_cache(maxsize=4_000)
def places_named(literal: str, text: str, *, common: bool = False) -> Places:
    """Return where a text has these characters as words of their own: `named_in`, found once."""
    return Places(named_in(literal, text, common=common))


def named_in(literal: str, text: str, *, common: bool = False) -> Iterator[tuple[int, int]]:
    """Yield where a text has these characters as words of their own.

    Args:
        common: whether they are a common word: then it may end a longer one ("大学" in "武汉大学"), and what it is made
            of may be taken apart ("养鱼" in "养了六条金鱼", "血压高" in "血压有点高").
    """
    for span in found_in(text, literal):
        if _stands_alone(text, *span, common=common):
            yield span
    if common and (apart := _taken_apart(literal)):
        yield from (found.span() for found in apart.finditer(text))


@lru_cache(maxsize=1_000)
def _taken_apart(literal: str) -> re.Pattern[str] | None:
    tagged = rjieba.tag(literal)
    parts = [re.escape(piece) for piece, _ in tagged]
    if len(literal) == _SHORTEST_TAKEN_APART and (is_a_verb(literal) or literal[0] in _SEPARABLE):
        return re.compile(f"{re.escape(literal[0])}[了过着完]?[^,。;!?我你他她]{{0,5}}{re.escape(literal[1])}")
    if len(literal) > _SHORTEST_TAKEN_APART and literal[-1] in _STATES:
        return re.compile(f"{re.escape(literal[:-1])}[^,。;!?]{{0,3}}{re.escape(literal[-1])}")
    if len(tagged) > 1 and any(len(piece) > 1 for piece in parts):
        return re.compile("[^,。;!?]{0,3}".join(parts))
    return None


_FAMILIAR: Final = re.compile(r"[老小阿大].$")
_SHORTEST_TAKEN_APART: Final = 2
_SEPARABLE: Final = frozenset("养开换吃喝学打买卖戒离结搬租看写教做住坐练跑听唱弹考签领请生发")
_STATES: Final = frozenset("高低大小多少好差痛疼病重轻")
"""What a word of verb and object, or of thing and state, begins or ends with."""


def _stands_alone(text: str, start: int, end: int, *, common: bool) -> bool:
    run = run_around(text, start, end)
    if run is None:
        return True  # it mixes scripts
    first, last = start - run.start, end - run.start
    known, guessed = run.known, run.guessed
    if last - first == 1:
        begins, ends = known.around(first)
        if common and ends == last and ends - begins == _SHORTEST_TAKEN_APART and is_a_verb(run.text[begins:ends]):
            return True  # "补牙"
        return (begins, ends) == (first, last) and not _in_a_name(run, first, last)
    for words in (known, guessed):
        if words is guessed and words.begins(first) and _FAMILIAR.match(run.text[first:last]):
            continue  # "老庞管进货": a guess joins the name with what is done
        begins, ends = words.around(first)
        if last <= ends and ends - begins > last - first:
            rest = run.text[last:ends]
            if common and last == ends:
                return True
            if begins < first or not rest or any(one not in _PARTICLES for one in rest):
                return False
    if not (known.begins(first) or guessed.begins(first)):
        return False
    over = last == len(run.text) or known.ends(last) or guessed.ends(last)
    return over or run.text[last] in _MAY_FOLLOW or known.around(last)[0] < last


def _in_a_name(run: Run, first: int, last: int) -> bool:
    """Return whether one character is part of a longer name segmentation does not know."""
    after, before = run.text[last : last + 1], run.text[first - 1 : first] if first else ""
    is_single = bool(after) and run.known.around(last) == (last, last + 1)
    return (is_single and after not in _MAY_FOLLOW) or before in ("小", "老", "阿", "大")


@lru_cache(maxsize=1_000)
def is_a_verb(literal: str) -> bool:
    """Return whether these characters are one verb."""
    tagged = rjieba.tag(literal) if literal else []
    return len(tagged) == 1 and tagged[0][1].startswith("v")


@lru_cache(maxsize=1_000)
def is_a_phrase(literal: str) -> bool:
    """Return whether these characters are several words, or a thing and its state."""
    if len(literal) > _SHORTEST_TAKEN_APART and literal[-1] in _STATES:
        return True
    tagged = rjieba.tag(literal)
    return len(tagged) > 1 and any(tag.startswith(("v", "a")) for _, tag in tagged)
