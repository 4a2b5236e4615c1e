"""Where a Chinese text names something, and where the same characters are part of another word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import rjieba

from shared.models.descriptions.reading import HAN

_MAY_FOLLOW: Final = frozenset(
    "的了是在说和跟与也都去来有想给叫住把被让对会要能不没就才还又再很太最更过着从到向往帮教送带约借找看见等打问爱喜怕用买卖养做"
    "当像比因所但而或及等们家那这他她它我你上下里中前后昨今明早晚刚已正常总老只每呢吗吧啊呀哦嘛今年岁学写画唱跳跑走吃喝睡起坐站"
)
"""Characters a name may be followed by when segmentation is unsure; others make a longer name of it."""
_PARTICLES: Final = frozenset("的们们家总哥姐叔姨妈爸")


@lru_cache(maxsize=4_000)
def _tokens(run: str, *, guess: bool) -> tuple[tuple[int, int], ...]:
    """Return the words of a run of Chinese, those no dictionary has guessed or taken apart."""
    place, found = 0, []
    for piece in rjieba.cut(run, hmm=guess):
        found.append((place, place + len(piece)))
        place += len(piece)
    return tuple(found)


def named_in(literal: str, text: str, *, common: bool = False) -> Iterator[tuple[int, int]]:
    """Yield where a text has these characters as words of their own.

    Args:
        common: whether they are a common word: then it may end a longer one ("大学" in "武汉大学"), and what it is made
            of may be taken apart ("养鱼" in "养了六条金鱼", "血压高" in "血压有点高").
    """
    for found in re.finditer(re.escape(literal), text):
        if _stands_alone(text, *found.span(), common=common):
            yield found.span()
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
    run = next((one for one in HAN.finditer(text) if one.start() <= start and end <= one.end()), None)
    if run is None:
        return True  # it mixes scripts
    first, last = start - run.start(), end - run.start()
    if last - first == 1:
        tokens = _tokens(run[0], guess=False)
        if common and any(b == last and b - a == _SHORTEST_TAKEN_APART and is_a_verb(run[0][a:b]) for a, b in tokens):
            return True  # "补牙"
        return (first, last) in tokens and not _in_a_name(run[0], first, last)
    known, guessed = _tokens(run[0], guess=False), _tokens(run[0], guess=True)
    for tokens in (known, guessed):
        if tokens is guessed and first in {a for a, _ in guessed} and _FAMILIAR.match(run[0][first:last]):
            continue  # "老庞管进货": a guess joins the name with what is done
        if any(a <= first and last <= b and (b - a) > (last - first) for a, b in tokens):
            inside = next((a, b) for a, b in tokens if a <= first and last <= b)
            rest = run[0][last : inside[1]]
            if common and last == inside[1]:
                return True
            if inside[0] < first or not rest or any(one not in _PARTICLES for one in rest):
                return False
    if not any(a == first for a, _ in (*known, *guessed)):
        return False
    ends = {b for _, b in (*known, *guessed)}
    return last in ends or last == len(run[0]) or run[0][last] in _MAY_FOLLOW or _begins_a_word(known, last)


def _begins_a_word(tokens: tuple[tuple[int, int], ...], place: int) -> bool:
    return any(a < place < b and b - a > 1 for a, b in tokens)


def _in_a_name(run: str, first: int, last: int) -> bool:
    """Return whether one character is part of a longer name segmentation does not know."""
    after, before = run[last : last + 1], run[first - 1 : first] if first else ""
    return (bool(after) and after not in _MAY_FOLLOW and _is_single(run, last)) or before in ("小", "老", "阿", "大")


def _is_single(run: str, place: int) -> bool:
    return (place, place + 1) in _tokens(run, guess=False)


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
