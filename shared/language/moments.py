"""Time ranges in descriptions: "before March", "2023年", "since last week"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from shared.language.relative import (
    MONTHS,
    RELATIVE,
    RELATIVE_ZH,
    SEASONS,
    Stretch,
    count_of,
    months_later,
    of_month,
    of_year,
    relative,
)

_MONTH: Final = "|".join(f"{name}|{name[:3]}\\.?|{name[:4]}\\.?" if name != "may" else name for name in MONTHS)
_ZH_MONTH: Final = r"(?:十[一二]?|[一二三四五六七八九]|\d{1,2})"
_EN: Final = rf"""(?:
  (?P<iso>\d{{4}}-\d{{2}}(?:-\d{{2}})?)
 |(?P<day1>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<month1>{_MONTH})\b(?:,?\s(?P<year1>\d{{4}}))?
 |(?:the\s(?:beginning|start|end|middle)\sof\s|early\s|mid\s|late\s)?(?P<month2>{_MONTH})\b(?:\s(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d))?(?:,?\s(?:of\s)?(?P<year2>\d{{4}}))?
 |(?P<season>spring|summer|autumn|fall|winter)\b(?:\s(?:of\s)?(?P<year3>\d{{4}}))?
 |(?P<third>early|mid|late)[-\s](?:in\s)?(?P<year6>(?:19|20)\d\d)
 |q(?P<quarter>[1-4])\s(?:of\s)?(?P<year7>(?:19|20)\d\d)
 |(?P<slashed>\d{{1,2}}/(?:19|20)\d\d|(?:19|20)\d\d[/.]\d{{1,2}})
 |(?P<half>first|second|last)\shalf\sof\s(?P<year5>(?:19|20)\d\d)
 |(?P<year4>(?:19|20)\d\d)
 |(?P<relative>{RELATIVE})
)"""
_ZH: Final = rf"""(?:
  (?P<zyear>\d{{4}})年(?:(?P<zhalf>[上下])半年|(?P<zmonth>{_ZH_MONTH})月(?:(?P<zday>\d{{1,2}})[日号])?)?(?:份|初|(?P<zend1>底|末))?
 |(?P<zmonth2>{_ZH_MONTH})月(?:(?P<zday2>\d{{1,2}})[日号])?(?:份|初|底)?
 |(?P<zrelative>{RELATIVE_ZH})
)"""
_BEFORE: Final = (
    r"(?:before|older\sthan|from\sbefore|until|till|up\sto|prior\sto|earlier\sthan|by)\s(?:the\s)?(?P<end>end\sof\s)?"
)
_SINCE: Final = r"(?:since|as\sof|starting(?:\sin|\sfrom)?)\s(?:the\s)?"
_AFTER: Final = r"(?:after|later\sthan)\s(?:the\s)?"
_WITHIN: Final = r"(?:in|during|on|over|throughout|back\sin|around|for|from|of)\s(?:the\s(?:year|month\sof)?\s?)?"
_ON: Final = r"(?:\s(?:on|onwards?|and\s(?:after|later|on)))?"
_ZH_BEFORE: Final = r"(?:之前|以前|前(?!面)|为止)"
_ZH_SINCE: Final = r"(?:以后|以来|起|开始|至今)"
_ZH_AFTER: Final = r"(?:之后|后(?!面))"
_PATTERNS: Final = tuple(
    (how, re.compile(pattern, re.VERBOSE))
    for how, pattern in (
        ("before", rf"\b(?:more\sthan|at\sleast|over(?=[\w\s]+\sago))\s(?P<relative>{RELATIVE})(?!\w)"),
        ("before", rf"\b{_BEFORE}(?:{_EN})(?!\w)"),
        ("since", rf"\b{_SINCE}(?:{_EN}){_ON}(?!\w)"),
        ("since", rf"\bfrom\s(?:the\s)?(?:{_EN})\s(?:on|onwards?|forward)(?!\w)"),
        ("after", rf"\b{_AFTER}(?:{_EN})(?!\w)"),
        ("within", rf"\b{_WITHIN}(?:{_EN})(?!\w)"),
        ("before", rf"(?:在|到|截至|直到)?{_ZH}{_ZH_BEFORE}(?:的)?"),
        ("since", rf"(?:从|自从?|在)?{_ZH}{_ZH_SINCE}(?:的)?"),
        ("after", rf"(?:在)?{_ZH}{_ZH_AFTER}(?:的)?"),
        ("within", rf"(?:在|于)?{_ZH}(?:的时候|期间|里|内|的|我)?"),
        ("within", rf"\b(?P<relative>{RELATIVE})(?!\w)"),
    )
)
_DAYS: Final = re.compile(
    rf"\b(?:between|from)\s(?:the\s)?(?P<first>\d{{1,2}})(?:st|nd|rd|th)?\s(?:and|to|until|till|through)\s(?:the\s)?(?P<last>\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?P<month>{_MONTH})\b(?:,?\s\d{{4}})?)"
)
_RANGE: Final = re.compile(
    rf"\b(?:between|from|in|during)\s(?P<first>{re.sub(r'[(][?]P<[a-z0-9]+>', '(?:', _EN)})\s(?:and|to|until|till|through)\s(?P<last>{re.sub(r'[(][?]P<[a-z0-9]+>', '(?:', _EN)})(?!\w)|(?:从|在)?(?P<zfirst>{re.sub(r'[(][?]P<[a-z0-9]+>', '(?:', _ZH)})(?:到|至)(?P<zlast>{re.sub(r'[(][?]P<[a-z0-9]+>', '(?:', _ZH)})(?:之间|期间)?",
    re.VERBOSE,
)
_ONE: Final = re.compile(_EN, re.VERBOSE)
_ONE_ZH: Final = re.compile(_ZH, re.VERBOSE)
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Window:
    """A half-open time range; None means unbounded on that side."""

    start: datetime | None = None
    end: datetime | None = None

    def holds(self, at: datetime) -> bool:
        return (self.start is None or at >= self.start) and (self.end is None or at < self.end)


def window_in(folded: str, now: datetime) -> tuple[Window | None, str]:
    """Return the time range in a folded description, if any, and the description without it."""
    if (found := _DAYS.search(folded)) is not None and (last := _moment(_ONE.match(found["last"]), now)) is not None:
        begins = last[0].replace(day=min(int(found["first"]), last[0].day))
        return Window(begins, last[1]), _without(folded, found)
    if (found := _RANGE.search(folded)) is not None and (window := _between(found, now)) is not None:
        return window, _without(folded, found)
    for how, pattern in _PATTERNS:
        for found in pattern.finditer(folded):
            if (span := _moment(found, now)) is not None:
                return _bounded(how, span, found), _without(folded, found)
    return None, folded


def _between(found: re.Match[str], now: datetime) -> Window | None:
    """Return the range from one moment to another; a missing year is that of the other moment."""
    one = _ONE if found["first"] else _ONE_ZH
    named_first, named_last = found["first"] or found["zfirst"], found["last"] or found["zlast"]
    first, last = _moment(one.match(named_first), now), _moment(one.match(named_last), now)
    if not first or not last:
        return None
    begins, ends = first[0], last[1]
    if years_in(named_first) and not years_in(named_last):
        ends = _in_year_after(ends, begins)
    elif begins >= ends:
        begins = _in_year_before(begins, ends)
    return Window(begins, ends)


def _bounded(how: str, span: Stretch, found: re.Match[str]) -> Window:
    """Return the range before, since, after or within a moment; "the end of" one begins where it ends."""
    start, end = span
    named = found.groupdict()
    at_its_end = how == "before" and (named.get("zrelative") or "").endswith(("底", "末"))
    if named.get("end") or named.get("zend1") or at_its_end:
        start = end
    return {
        "before": Window(None, start),
        "since": Window(start, None),
        "after": Window(end, None),
        "within": Window(start, end),
    }[how]


_ORDINALS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth"
    " twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
).split()
_DAY: Final = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})"
_DAY_OF_YEAR: Final = re.compile(
    rf"\b(?P<day>{_DAY})\s(?:of\s)?(?P<month>{_MONTH})(?!\w)|\b(?P<month2>{_MONTH})\s(?:the\s)?(?P<day2>{_DAY})(?!\w)"
    r"|(?P<zmonth>十[一二]?|[一二三四五六七八九]|\d{1,2})月(?P<zday>[二三]?十[一二三四五六七八九]?|[一二三四五六七八九]|\d{1,2})[日号]?"
)
_ZH_DIGITS: Final = "零一二三四五六七八九"


def days_in(folded: str) -> Iterator[str]:
    """Yield the days of the year in a folded text as month and day: "4/12"."""
    for found in _DAY_OF_YEAR.finditer(folded):
        month, day = found["month"] or found["month2"], found["day"] or found["day2"]
        if month:
            place = next(place for place, name in enumerate(MONTHS, 1) if name.startswith(month[:3]))
            number = _ORDINALS.index(day) + 1 if day in _ORDINALS else int(re.sub(r"\D", "", day))
            yield f"{place}/{number}"
        else:
            yield f"{_chinese_number(found['zmonth'])}/{_chinese_number(found['zday'])}"


def _chinese_number(said: str) -> int:
    """Return a number below 100, written in digits or Chinese characters."""
    if said.isdigit():
        return int(said)
    tens, ten, ones = said.rpartition("十")
    first = (_ZH_DIGITS.index(tens) if tens else 1) if ten else 0
    return 10 * first + (_ZH_DIGITS.index(ones) if ones else 0)


def _in_year_after(ends: datetime, begins: datetime) -> datetime:
    """Return a day and month in the first year in which it is after `begins`."""
    moved = ends.replace(year=begins.year)
    return moved if moved > begins else moved.replace(year=begins.year + 1)


def _in_year_before(begins: datetime, ends: datetime) -> datetime:
    moved = begins.replace(year=ends.year)
    return moved if moved < ends else moved.replace(year=ends.year - 1)


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}".strip()


def _moment(found: re.Match[str] | None, now: datetime) -> Stretch | None:
    """Return the named day, month or year; a month without a year is the most recent one."""
    if found is None:
        return None
    names = {name: value for name, value in found.groupdict().items() if value}
    try:
        said = names.get("relative") or names.get("zrelative")
        return relative(said, now) if said else _absolute(names, now)
    except (ValueError, OverflowError):
        return None  # e.g. 31 February, or 3,000 years ago


def _absolute(names: dict[str, str], now: datetime) -> Stretch | None:
    if iso := names.get("iso"):
        return _span(int(iso[:4]), int(iso[5:7]), _number(iso[8:10]))
    if slashed := names.get("slashed"):
        one, other = (int(part) for part in re.split(r"[/.]", slashed))
        return _span(max(one, other), min(one, other), None)
    if part := _part_of_year(names, now):
        year, month, months = part
        begins = datetime(year, month, 1, tzinfo=UTC)
        return begins, months_later(begins, months)
    if year4 := names.get("year4"):
        return of_year(int(year4))
    if zyear := names.get("zyear"):
        return _span(int(zyear), _number(names.get("zmonth")), _number(names.get("zday")))
    return _day_or_month(names, now)


def _part_of_year(names: dict[str, str], now: datetime) -> tuple[int, int, int] | None:
    """Return the year, the first month and the number of months of a season, third, quarter or half."""
    if season := names.get("season"):
        return int(names.get("year3", 0)) or now.year, SEASONS[season], 3
    if third := names.get("third"):
        return int(names["year6"]), {"early": 1, "mid": 5, "late": 9}[third], 4
    if quarter := names.get("quarter"):
        return int(names["year7"]), 3 * int(quarter) - 2, 3
    half, year = names.get("half") or names.get("zhalf"), names.get("year5") or names.get("zyear")
    if half and year:
        return int(year), 1 if half in ("first", "上") else 7, 6
    return None


def _day_or_month(names: dict[str, str], now: datetime) -> Stretch | None:
    """Return a day or month; without a year the most recent one."""
    month = names.get("month1") or names.get("month2")
    named = next((place for place, name in enumerate(MONTHS, 1) if month and name.startswith(month[:3])), None)
    named = named or _number(names.get("zmonth2"))
    if named is None:
        return None
    day = _number(names.get("day1") or names.get("day2") or names.get("zday2"))
    year = int(names.get("year1") or names.get("year2") or 0)
    if not year:
        year = now.year if _span(now.year, named, None)[0] <= now else now.year - 1
    return _span(year, named, day)


def years_in(text: str) -> list[int]:
    """Return the years in a text."""
    return [int(found[0]) for found in _YEAR.finditer(text)]


def _number(text: str | None) -> int | None:
    if not text:
        return None
    return count_of(text)


def _span(year: int, month: int | None, day: int | None) -> Stretch:
    return of_year(year) if month is None else of_month(year, month, day)
