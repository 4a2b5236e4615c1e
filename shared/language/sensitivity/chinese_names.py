"""Full names in Han characters: a surname and one or two characters, after words that introduce a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import clause_before
from shared.language.sensitivity.english_names import PERSON
from shared.language.words import word_lists

_WORDS: Final = word_lists("chinese_names", person=PERSON)

_COMPOUND: Final = (
    "欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 濮阳 公冶 "
    "太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文"
    " 司徒 鲜于 司空 令狐 呼延 轩辕 张简 范姜 叶赫 完颜"
).replace(" ", "|")
_SURNAMES: Final = _WORDS["surnames"]
_PLAIN_SURNAMES: Final = _WORDS["plain_surnames"]
"""Surnames that seldom begin another word."""

_NOT_A_NAME: Final = re.compile(_WORDS["not_a_name"])
"""Other words that begin with a surname's character."""
_AMBIGUOUS: Final = frozenset("高方马何田金石江康温万游段任童雷毛武曾钟程")
"""Surnames that begin so many other words that two characters are not taken as a name."""

_CLEAR: Final = frozenset(_WORDS["clear"])
"""Surnames after which two characters are a name, whatever follows."""

_NEVER_FIRST: Final = frozenset("的了是吗呢吧啊呀们你他她没很又也都就还着过氏姓某,.")
_NEVER_SECOND: Final = frozenset(_WORDS["never_second"])
_TITLES: Final = re.compile(_WORDS["titles"])
_BOUNDARY: Final = re.compile(_WORDS["boundary"])
_RELATION: Final = _WORDS["relation"]
_NAMED: Final = re.compile(_WORDS["named"])
_SELF: Final = re.compile(r"(?:^|[,.!?;:\n。\s]|好|们|你好)我(?:就)?是\s?\"?(?P<at>)")
_LATIN: Final = re.compile(_WORDS["latin"])
_RELATED: Final = re.compile(rf"(?:{_RELATION})(?:是|,|:|\s)?(?:我[姐姊哥弟妹爸妈])?\"?(?P<at>)")
_KIN: Final = re.compile(r"(?:我|他|她|你)(?:[大二三小])?[姐姊哥弟妹爸妈叔姑姨舅](?:是|叫|,)?(?P<at>)")
_TITLED: Final = re.compile(_WORDS["titled"])
_BEFORE_PHONE: Final = re.compile(_WORDS["before_phone"])
_FOREIGN: Final = re.compile(r"[\u3400-\u9fff]{1,6}(?:[·•‧・][\u3400-\u9fff]{1,8}){1,3}")
_NOT_PEOPLE: Final = re.compile(_WORDS["not_people"])
_SUBJECT: Final = re.compile(rf"[我他她咱你人女子孩娃哥妹弟姐姊爸妈爷奶公婆嬤]|本人|姓|{_RELATION}")
_BEFORE: Final = 14
_SURNAME: Final = re.compile(rf"(?:{_COMPOUND})|[{_SURNAMES}]")
_PLAIN_SURNAME: Final = re.compile(rf"(?:{_COMPOUND})|[{_PLAIN_SURNAMES}]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")


def names(text: str) -> Iterator[tuple[int, int]]:
    """Find full names as half-open spans."""
    for pattern in (_NAMED, _LATIN, _SELF, _RELATED, _KIN, _TITLED, _BEFORE_PHONE):
        sure = pattern in (_NAMED, _LATIN)
        for found in pattern.finditer(text):
            at = found.end()
            if pattern is _NAMED and not _speaks_of_a_person(text, found):
                continue
            end = _end_of_name(text, at) if sure else _end_of_likely_name(text, at)
            if end and (pattern is not _TITLED or _TITLES.match(text, end)):
                yield at, end


def _speaks_of_a_person(text: str, found: re.Match[str]) -> bool:
    before = clause_before(text, found.end(), _BEFORE)
    return not _NOT_PEOPLE.search(before) and (not found["called"] or _SUBJECT.search(before) is not None)


def _end_of_name(text: str, at: int) -> int | None:
    """Return the end of the full name at `at`, after words that announce a name; None if there is none."""
    if foreign := _FOREIGN.match(text, at):
        return foreign.end()
    parts = _parts(text, at, _SURNAME)
    if parts is None:
        return None
    first, end = parts
    doubled = end - first > 1 and text[first] in _PLAIN_SURNAMES and _HAN.match(text, end)
    # A husband's surname may precede the person's own.
    return end + 1 if doubled and _BOUNDARY.match(text, end + 1) else end


def _end_of_likely_name(text: str, at: int) -> int | None:
    """Return the end of the full name at `at`, after a word for a relation; None if it may be something else."""
    if foreign := _FOREIGN.match(text, at):
        return foreign.end() if _BOUNDARY.match(text, foreign.end()) else None
    parts = _parts(text, at, _PLAIN_SURNAME)
    if parts is None:
        return None
    first, end = parts
    long = end - first > 1
    if not long and (text[at] in _AMBIGUOUS or text[first] == "家"):
        return None
    return end if (long and text[at] in _CLEAR) or _BOUNDARY.match(text, end) else None


def _parts(text: str, at: int, surnames: re.Pattern[str]) -> tuple[int, int] | None:
    """Return start and end of a given name of one or two characters after a surname at `at`."""
    surname = surnames.match(text, at)
    if not surname or _NOT_A_NAME.match(text, at):
        return None
    first = surname.end()
    if not _HAN.match(text, first) or text[first] in _NEVER_FIRST or _TITLES.match(text, first):
        return None
    second = first + 1
    if _HAN.match(text, second) and text[second] not in _NEVER_SECOND and not _TITLES.match(text, second):
        return first, second + 1
    # 豆豆, 童童: a child's nickname
    return None if text[at] == text[first] else (first, second)
