"""Relative times: "last spring", "two weeks ago", "去年年底", "上周五"."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

Stretch: TypeAlias = tuple[datetime, datetime]
"""A half-open time range."""

MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
)  # fmt: skip
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNTS: Final = {
    word: number
    for number, words in enumerate(
        ("", "a an one 一", "two couple 两 二", "three few several 三 几", "four 四", "five 五", "six 六", "seven 七", "eight 八", "nine 九", "ten 十", "eleven 十一", "twelve 十二")
    )
    for word in words.split()
}  # fmt: skip
_DAYS: Final = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365, "天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7, "个月": 30, "月": 30, "年": 365}  # fmt: skip
_COUNT: Final = rf"(?:\d+|{'|'.join(word for word in _COUNTS if word.isascii())})"
_COUNT_ZH: Final = r"(?:\d+|十[一二]?|[一二两三四五六七八九几])"
_UNIT: Final = r"(?:days?|weeks?|fortnights?|months?|years?)"
_UNIT_ZH: Final = r"(?:天|周|个?星期|个?礼拜|个月|年)"
_PART: Final = r"(?:(?:the\s)?(?:(?:very\s)?(?:beginning|start|end|middle)\sof|early|mid|late|first\shalf\sof|second\shalf\sof)[\s-])"

RELATIVE: Final = (
    rf"(?:the\sday\sbefore\syesterday|yesterday|today|tonight|this\s(?:morning|afternoon|evening)|last\s(?:night|evening)"
    rf"|the\s(?:week|month|year)\sbefore\slast|(?:the\s)?(?:last|past)\s(?:{_COUNT}(?:\sof)?)\s{_UNIT}"
    rf"|(?:earlier\s)?{_PART}?(?:last|this|the\spast|past|this\spast)\s(?:week(?:end)?|month|year|spring|summer|autumn|fall|winter|{'|'.join(_WEEKDAYS)}|{'|'.join(MONTHS)})"
    rf"|(?:about\s|around\s)?(?:half\sa\syear|(?:a\s)?{_COUNT}(?:\sof)?\s{_UNIT})\sago)"
)
RELATIVE_ZH: Final = (
    r"(?:(?:大前年|前年|去年|今年)(?:年?[初底末中]|[上下]半年|的?[春夏秋冬][天季]?|(?:十[一二]?|[一二三四五六七八九]|\d{1,2})月(?:\d{1,2}[日号]|[初底中]|份)?)?"
    r"|上上?(?:个)?(?:星期|周|礼拜)[一二三四五六日天末]?|上上?个?月[初底中]?|(?:这|本)(?:个)?(?:星期|周|礼拜)[一二三四五六日天末]?|(?:这个?|本)月[初底中]?|大前天|前天|昨[天晚夜]|今[天早晚]"
    rf"|(?:最近|过去|近|前)(?:的)?(?:这)?{_COUNT_ZH}{_UNIT_ZH}(?!前)|(?:半年|{_COUNT_ZH}{_UNIT_ZH}半?)(?:之|以)?前)"
)
_AGO: Final = re.compile(
    rf"(?P<count>{_COUNT}|half\sa)(?:\sof)?\s(?P<unit>day|week|fortnight|month|year)s?\sago|(?P<zcount>{_COUNT_ZH}|半)(?P<zunit>{_UNIT_ZH}).*前$"
)
_LATELY: Final = re.compile(
    rf"(?:last|past)\s(?P<count>{_COUNT})(?:\sof)?\s(?P<unit>day|week|fortnight|month|year)s?|^(?:最近|过去|近|前)的?这?(?P<zcount>{_COUNT_ZH})(?P<zunit>{_UNIT_ZH})"
)
_YEAR_ZH: Final = re.compile(r"(?P<which>大前年|前年|去年|今年)(?P<part>.*)")
_YEARS_AGO: Final = {"大前年": 3, "前年": 2, "去年": 1, "今年": 0}


def relative(said: str, now: datetime) -> Stretch | None:
    """Return the time range of a folded relative time, seen from `now`; None if there is none."""
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if found := _AGO.search(said):
        days = _days(found)
        return today - timedelta(days=days), today - timedelta(days=days) + timedelta(days=max(1.0, days / 10))
    if found := _LATELY.search(said):
        return today - timedelta(days=_days(found)), today + timedelta(days=1)
    if found := _YEAR_ZH.match(said):
        return _of_year(now.year - _YEARS_AGO[found["which"]], found["part"])
    return _by_day(said, today) or _by_week(said, today) or _by_month(said, today) or _by_year(said, today)


def of_month(year: int, month: int, day: int | None = None) -> Stretch:
    """Return the range of a month, or of a day in it.

    Raises:
        ValueError: there is no such day.
    """
    begins = datetime(year, month, day or 1, tzinfo=UTC)
    return begins, begins + timedelta(days=1) if day else months_later(begins, 1)


def of_year(year: int) -> Stretch:
    """Return the range of a year."""
    return datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)


def months_later(at: datetime, count: int) -> datetime:
    """Return the same day `count` months later."""
    month = at.year * 12 + at.month - 1 + count
    return at.replace(year=month // 12, month=month % 12 + 1)


def count_of(said: str) -> int:
    """Return the value of a number word or figure; "few" is three."""
    return int(said) if said.isdigit() else _COUNTS.get(said, 3)


def _days(found: re.Match[str]) -> float:
    count = found["count"] or found["zcount"]
    unit = found["unit"] or found["zunit"].removeprefix("个") if (found["unit"] or found["zunit"]) != "个月" else "月"
    return _DAYS[unit] * (0.5 if count.startswith(("half", "半")) else count_of(count))


def _of_year(year: int, part: str) -> Stretch:
    """Return the range of a Chinese phrase for part of a year: "年底", "上半年", "夏天", "三月"."""
    begins, ends = of_year(year)
    if part.endswith("半年"):
        middle = months_later(begins, 6)
        return (begins, middle) if part.startswith("上") else (middle, ends)
    if season := next((SEASONS[one] for one in part if one in SEASONS), None):
        begins = datetime(year, season, 1, tzinfo=UTC)
        return begins, months_later(begins, 3)
    if month := re.match(r"(?P<month>\d{1,2}|[一二三四五六七八九十]+)月(?:(?P<day>\d{1,2})[日号])?", part):
        return of_month(year, count_of(month["month"]), int(month["day"]) if month["day"] else None)
    return _edge(begins, ends, part)


def _edge(begins: datetime, ends: datetime, said: str) -> Stretch:
    """Return the beginning, middle or end (a third each), or half, of a range; all of it if no part is named."""
    third = (ends - begins) / 3
    if re.search(r"初|beginning|start|early", said):
        return begins, begins + third
    if re.search(r"中|mid", said):
        return begins + third, ends - third
    if re.search(r"底|末|\bend\b|late", said):
        return ends - third, ends
    if "first half" in said:
        return begins, begins + (ends - begins) / 2
    return (begins + (ends - begins) / 2, ends) if "second half" in said else (begins, ends)


def _by_day(said: str, today: datetime) -> Stretch | None:
    ago = {"the day before yesterday": 2, "yesterday": 1, "last night": 1, "last evening": 1, "today": 0, "tonight": 0,
           "大前天": 3, "前天": 2, "昨天": 1, "昨晚": 1, "昨夜": 1, "今天": 0, "今早": 0, "今晚": 0}.get(said)  # fmt: skip
    if ago is None and re.match(r"this (?:morning|afternoon|evening)", said):
        ago = 0
    if (
        ago is None
        and (named := next((place for place, day in enumerate(_WEEKDAYS) if said.endswith(day)), None)) is not None
    ):
        ago = (today.weekday() - named - 1) % 7 + 1
    return None if ago is None else (today - timedelta(days=ago), today - timedelta(days=ago - 1))


def _by_week(said: str, today: datetime) -> Stretch | None:
    found = re.search(r"weekend$|week|(?:星期|周|礼拜)(?P<day>[一二三四五六日天末])?$", said)
    if found is None:
        return None
    ago = (
        2
        if said.startswith(("上上", "the week before"))
        else int(not said.startswith(("this", "earlier", "这", "本")) or "past" in said)
    )
    begins = today - timedelta(days=today.weekday() + 7 * ago)
    day = "末" if found[0] == "weekend" else found["day"]
    if day is None:
        return begins, begins + timedelta(days=7)
    if day == "末":
        return begins + timedelta(days=5), begins + timedelta(days=7)
    begins += timedelta(days="一二三四五六日".index(day.replace("天", "日")))
    return begins, begins + timedelta(days=1)


def _by_month(said: str, today: datetime) -> Stretch | None:
    if (named := next((number for number, name in enumerate(MONTHS, 1) if said.endswith(name)), None)) is not None:
        this = (today.year, named) if named <= today.month else (today.year - 1, named)
        return of_month(this[0] - ("last" in said and this == (today.year, today.month)), named)
    if "月" not in said and "month" not in said:
        return None
    ago = (
        2
        if said.startswith(("上上", "the month before"))
        else int(not re.search(r"^(?:earlier |.* )?this month|[这本]", said))
    )
    begins = months_later(today.replace(day=1), -ago)
    return _edge(begins, months_later(begins, 1), said)


def _by_year(said: str, today: datetime) -> Stretch | None:
    if said.endswith(("year", "the year before last")):
        return _edge(*of_year(today.year - (2 if "before last" in said else "this year" not in said)), said)
    season = next((month for name, month in SEASONS.items() if said.endswith(name)), None)
    if season is None:
        return None
    begins = datetime(today.year, season, 1, tzinfo=UTC)
    if begins > today or ("last" in said and months_later(begins, 3) > today):
        begins = begins.replace(year=today.year - 1)
    return begins, months_later(begins, 3)
