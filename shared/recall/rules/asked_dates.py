"""The month or day a question asks about, in English and Chinese."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date
from typing import Final

AFTERWARDS_DAYS: Final = 7
"""Events of a day are often told within the following week."""

_MONTHS: Final = {name.casefold(): number for number, name in enumerate(calendar.month_name) if name}
_HAN_DIGITS: Final = {han: digit for digit, han in enumerate("〇一二三四五六七八九")} | {"零": 0}

_NAMES: Final = "|".join(_MONTHS)
_MONTH: Final = re.compile(rf"\b({'|'.join(name for name in _MONTHS if name != 'may')})\b")
_MAY: Final = re.compile(r"\b(?:in|on|of|since|by|last|this|\d{1,2}(?:st|nd|rd|th)?),? may\b|\bmay (?:\d|20)")
_YEAR: Final = re.compile(r"\b((?:19|20)\d\d)\b|(?<!\d)((?:19|20)\d\d|(?:一九|二[〇零])[〇零一二三四五六七八九]{2})年")
_DAY: Final = re.compile(
    rf"\b(?:{_NAMES})(?: the)? (\d{{1,2}})(?:st|nd|rd|th)?\b(?! ?(?:am|pm|:))|"
    rf"\b(\d{{1,2}})(?:(?:st|nd|rd|th)(?: of)?| of)?,? (?:{_NAMES})\b|\bthe (\d{{1,2}})(?:st|nd|rd|th)\b"
)
_HAN_NUMBER: Final = r"\d{1,2}|[一二三]?十[一二三四五六七八九]?|[一二三四五六七八九]"
_HAN_MONTH: Final = re.compile(rf"(?<!\d)({_HAN_NUMBER})月(?:份|({_HAN_NUMBER})[日号號])?")


@dataclass(frozen=True, slots=True)
class AskedDate:
    """A month, or a day of it; of any year if `year` is None."""

    year: int | None
    month: int
    day: int | None

    def match(self, said_on: date) -> float:
        """Return 1 for a date in the asked period, ½ for the week after it and the rest of an asked day's month, else
        0.
        """
        years = [self.year] if self.year else [said_on.year, said_on.year - 1]
        return max(self._match_in(year, said_on) for year in years)

    def _match_in(self, year: int, said_on: date) -> float:
        last_day = calendar.monthrange(year, self.month)[1]
        if self.day is not None and self.day > last_day:
            return 0.0
        first, last = date(year, self.month, self.day or 1), date(year, self.month, self.day or last_day)
        if first <= said_on <= last:
            return 1.0
        soon_after = 0 < (said_on - last).days <= AFTERWARDS_DAYS
        same_month = self.day is not None and (said_on.year, said_on.month) == (year, self.month)
        return 0.5 if soon_after or same_month else 0.0


def asked_date(question: str) -> AskedDate | None:
    """Return the date a question names; None if it names no month."""
    folded = question.casefold()
    year = next((_number(one or other) for one, other in _YEAR.findall(folded)), None)
    if han := _HAN_MONTH.search(folded):
        month = _number(han[1])
        return AskedDate(year, month, _day(han[2])) if 1 <= month <= 12 else None  # noqa: PLR2004 # of a year
    if named := _MONTH.search(folded):
        month = _MONTHS[named[1]]
    elif _MAY.search(folded):
        month = _MONTHS["may"]
    else:
        return None
    day = _DAY.search(_YEAR.sub(" ", folded))
    return AskedDate(year, month, _day(next(filter(None, day.groups())) if day else None))


def _number(written: str) -> int:
    """Return the value of digits, of Chinese digits (二〇二三), or of a Chinese number below a hundred (二十三)."""
    tens, ten, ones = written.rpartition("十")
    if ten:
        return 10 * (_HAN_DIGITS[tens] if tens else 1) + (_HAN_DIGITS[ones] if ones else 0)
    return int("".join(str(_HAN_DIGITS.get(digit, digit)) for digit in written))


def _day(written: str | None) -> int | None:
    day = _number(written) if written else 0
    return day if 1 <= day <= 31 else None  # noqa: PLR2004 # of a month
