"""When something was said, as a description says it: "before March", "2023年", "since last week"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

_MONTH_NAMES: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_MONTH: Final = "|".join(f"{name}|{name[:3]}\\.?|{name[:4]}\\.?" if name != "may" else name for name in _MONTH_NAMES)
_ZH_DIGITS: Final = {
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "十一": 11,
    "十二": 12,
}
_ZH_MONTH: Final = r"(?:十[一二]?|[一二三四五六七八九]|\d{1,2})"
_SEASONS: Final = {
    "spring": 3,
    "summer": 6,
    "autumn": 9,
    "fall": 9,
    "winter": 12,
    "春天": 3,
    "夏天": 6,
    "秋天": 9,
    "冬天": 12,
}

_RELATIVE: Final = (
    r"(?P<relative>yesterday|today|earlier\sthis\s(?:week|month|year)|(?:last|this|the\spast|past)\s(?:week|month|year|summer|winter|spring|autumn|fall)"
    r"|(?:the\s)?(?:last|past)\s(?:\d+|two|three|four|five|six|few|couple\sof)\s(?:days|weeks|months|years)"
    r"|(?:\d+|a|two|three|four|five|six)\s(?:days?|weeks?|months?|years?)\sago)"
)
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
 |{_RELATIVE}
)"""
_ZH: Final = rf"""(?:
  (?P<zyear>\d{{4}})年(?:(?P<zhalf>[上下])半年|(?P<zmonth>{_ZH_MONTH})月(?:(?P<zday>\d{{1,2}})[日号])?)?(?:份|初|(?P<zend1>底|末))?
 |(?P<zmonth2>{_ZH_MONTH})月(?:(?P<zday2>\d{{1,2}})[日号])?(?:份|初|底)?
 |(?P<zrelative>(?:最近|过去|近)(?:\d+|[一二两三四五六])(?:天|周|个月|年)|昨天|今天|前天|上上个?月|上(?:个)?(?:星期|周|月)|这(?:个)?(?:星期|周|月)|本[周月]|去年|今年|前年)(?P<zseason>春天|夏天|秋天|冬天)?
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
        ("before", rf"\b{_BEFORE}(?:{_EN})(?!\w)"),
        ("since", rf"\b{_SINCE}(?:{_EN}){_ON}(?!\w)"),
        ("since", rf"\bfrom\s(?:the\s)?(?:{_EN})\s(?:on|onwards?|forward)(?!\w)"),
        ("after", rf"\b{_AFTER}(?:{_EN})(?!\w)"),
        ("within", rf"\b{_WITHIN}(?:{_EN})(?!\w)"),
        ("before", rf"(?:在|到|截至|直到)?{_ZH}{_ZH_BEFORE}(?:的)?"),
        ("since", rf"(?:从|自从?|在)?{_ZH}{_ZH_SINCE}(?:的)?"),
        ("after", rf"(?:在)?{_ZH}{_ZH_AFTER}(?:的)?"),
        ("within", rf"(?:在|于)?{_ZH}(?:的时候|期间|里|内|的|我)?"),
        ("within", rf"\b{_RELATIVE}(?!\w)"),
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
_NUMBERS: Final = {"a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_STRETCH: Final = re.compile(
    r"(?:last|past)\s(?P<count>\d+|two|three|four|five|six|few|couple\sof)\s(?P<unit>days|weeks|months|years)"
)
_STRETCH_ZH: Final = re.compile(r"(?:最近|过去|近)(?P<count>\d+|[一二两三四五六])(?P<unit>天|周|个月|年)")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of time, open where a side is None; the end does not belong to it."""

    start: datetime | None = None
    end: datetime | None = None

    def holds(self, at: datetime) -> bool:
        return (self.start is None or at >= self.start) and (self.end is None or at < self.end)


def window_in(folded: str, now: datetime) -> tuple[Window | None, str]:
    """Return the time a folded description names, if any, and the description without it."""
    if (found := _DAYS.search(folded)) is not None and (last := _moment(_ONE.match(found["last"]), now)) is not None:
        begins = last[0].replace(day=min(int(found["first"]), last[0].day))
        return Window(begins, last[1]), _without(folded, found)
    if (found := _RANGE.search(folded)) is not None:
        one = _ONE if found["first"] else _ONE_ZH
        first = _moment(one.match(found["first"] or found["zfirst"]), now)
        last = _moment(one.match(found["last"] or found["zlast"]), now)
        if first and last:
            begins, ends = first[0], last[1]
            if years_in(found["first"] or found["zfirst"]) and not years_in(found["last"] or found["zlast"]):
                ends = _in_year_after(ends, begins)
            elif begins >= ends:
                begins = _in_year_before(begins, ends)
            return Window(begins, ends), _without(folded, found)
    for how, pattern in _PATTERNS:
        for found in pattern.finditer(folded):
            span = _moment(found, now)
            if span is None:
                continue
            start, end = span
            if found.groupdict().get("end") or found.groupdict().get("zend1"):
                start = end
            window = {
                "before": Window(None, start),
                "since": Window(start, None),
                "after": Window(end, None),
                "within": Window(start, end),
            }[how]
            return window, _without(folded, found)
    return None, folded


def _in_year_after(ends: datetime, begins: datetime) -> datetime:
    """Return a day and month in the first year that lets them end a stretch."""
    moved = ends.replace(year=begins.year)
    return moved if moved > begins else moved.replace(year=begins.year + 1)


def _in_year_before(begins: datetime, ends: datetime) -> datetime:
    moved = begins.replace(year=ends.year)
    return moved if moved < ends else moved.replace(year=ends.year - 1)


def _without(text: str, found: re.Match[str]) -> str:
    return f"{text[: found.start()]} {text[found.end() :]}".strip()


def _moment(found: re.Match[str] | None, now: datetime) -> tuple[datetime, datetime] | None:
    """Return start and end of the day, month or year that was named; of a month without a year the last there was."""
    if found is None:
        return None
    names = {name: value for name, value in found.groupdict().items() if value}
    try:
        return _absolute(names, now) or _relative(names, now)
    except ValueError:
        return None  # the 31st of February


def _absolute(names: dict[str, str], now: datetime) -> tuple[datetime, datetime] | None:
    if iso := names.get("iso"):
        return _span(int(iso[:4]), int(iso[5:7]), _number(iso[8:10]))
    if season := names.get("season"):
        year = int(names.get("year3", 0)) or now.year
        begins = datetime(year, _SEASONS[season], 1, tzinfo=UTC)
        return begins, _months_later(begins, 3)
    if third := names.get("third"):
        begins = datetime(int(names["year6"]), {"early": 1, "mid": 5, "late": 9}[third], 1, tzinfo=UTC)
        return begins, _months_later(begins, 4)
    if quarter := names.get("quarter"):
        begins = datetime(int(names["year7"]), 3 * int(quarter) - 2, 1, tzinfo=UTC)
        return begins, _months_later(begins, 3)
    if slashed := names.get("slashed"):
        one, other = (int(part) for part in re.split(r"[/.]", slashed))
        return _span(max(one, other), min(one, other), None)
    half, of_year = names.get("half") or names.get("zhalf"), names.get("year5") or names.get("zyear")
    if half and of_year:
        begins = datetime(int(of_year), 1 if half in ("first", "上") else 7, 1, tzinfo=UTC)
        return begins, _months_later(begins, 6)
    if year4 := names.get("year4"):
        return _span(int(year4), None, None)
    if zyear := names.get("zyear"):
        return _span(int(zyear), _number(names.get("zmonth")), _number(names.get("zday")))
    month = names.get("month1") or names.get("month2")
    named = next((place for place, name in enumerate(_MONTH_NAMES, 1) if month and name.startswith(month[:3])), None)
    named = named or _number(names.get("zmonth2"))
    if named is None:
        return None
    day = _number(names.get("day1") or names.get("day2") or names.get("zday2"))
    year = int(names.get("year1") or names.get("year2") or 0)
    if not year:
        year = now.year if _span(now.year, named, None)[0] <= now else now.year - 1
    return _span(year, named, day)


def _relative(names: dict[str, str], now: datetime) -> tuple[datetime, datetime] | None:
    said = names.get("relative") or names.get("zrelative") or ""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    day, week, month = timedelta(days=1), today - timedelta(days=today.weekday()), today.replace(day=1)
    if stretch := _STRETCH.search(said) or _STRETCH_ZH.search(said):
        days = {"d": 1, "w": 7, "m": 30, "y": 365, "天": 1, "周": 7, "个": 30, "年": 365}[stretch["unit"][0]]
        return today - timedelta(days=days * _count(stretch["count"])), today + day
    if "ago" in said:
        count = _NUMBERS.get(said.split()[0]) or int(said.split()[0])
        days = {"d": 1, "w": 7, "m": 30, "y": 365}[said.split()[1][0]] * count
        return today - timedelta(days=days), today - timedelta(days=days) + max(day, timedelta(days=days / 10))
    table = {
        "yesterday": (today - day, today),
        "昨天": (today - day, today),
        "前天": (today - 2 * day, today - day),
        "today": (today, today + day),
        "今天": (today, today + day),
        "去年": _span(now.year - 1, None, None),
        "前年": _span(now.year - 2, None, None),
        "今年": _span(now.year, None, None),
    }
    if season := names.get("zseason"):
        year = now.year - {"去年": 1, "前年": 2}.get(said, 0)
        begins = datetime(year, _SEASONS[season], 1, tzinfo=UTC)
        return begins, _months_later(begins, 3)
    if said in table:
        return table[said]
    if said.startswith("上上"):
        return _months_later(month, -2), _months_later(month, -1)
    said = said.removeprefix("earlier ")
    before = said.startswith(("last", "the past", "past", "上"))
    if said.endswith(("week", "周", "星期")):
        return (week - 7 * day, week) if before else (week, week + 7 * day)
    if said.endswith(("month", "月")):
        return (_months_later(month, -1), month) if before else (month, _months_later(month, 1))
    if said.endswith("year"):
        return _span(now.year - before, None, None)
    for season, number in _SEASONS.items():
        if said.endswith(season):
            begins = datetime(now.year, number, 1, tzinfo=UTC)
            begins = (
                begins
                if begins <= now and not (before and _months_later(begins, 3) > now)
                else begins.replace(year=now.year - 1)
            )
            return begins, _months_later(begins, 3)
    return None


def years_in(text: str) -> list[int]:
    """Return the years a text names."""
    return [int(found[0]) for found in _YEAR.finditer(text)]


def _count(said: str) -> int:
    return _NUMBERS.get(said) or _ZH_DIGITS.get(said) or (int(said) if said.isdigit() else 3)


def _span(year: int, month: int | None, day: int | None) -> tuple[datetime, datetime]:
    if month is None:
        return datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    begins = datetime(year, month, day or 1, tzinfo=UTC)
    return begins, begins + timedelta(days=1) if day else _months_later(begins, 1)


def _months_later(at: datetime, count: int) -> datetime:
    month = at.year * 12 + at.month - 1 + count
    return at.replace(year=month // 12, month=month % 12 + 1)


def _number(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) if text.isdigit() else _ZH_DIGITS[text]
