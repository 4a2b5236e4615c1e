"""Numbers with their units, clock times and dates, in both languages and on one scale."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from shared.models.relations.numerals import with_digits

_HALF_DAY: Final = 720
_NOON: Final = 12


_EQUAL_WITHIN: Final = 0.004
"""Relative difference up to which two measures count as one: rounding between units, not a change."""


@dataclass(frozen=True, slots=True, order=True)
class Quantity:
    """A number on the scale of its kind: m, kg, km, mg, ml, money, clock (minutes), date (month × 100 + day), n …

    `half` of a clock time is "am", "pm" or "" when it was not said.
    """

    kind: str
    value: float
    half: str = ""

    def agrees_with(self, other: Quantity) -> bool:
        """Return whether both say the same, as far as they say it."""
        if self.kind != other.kind and frozenset((self.kind, other.kind)) not in _LOOSE_KINDS:
            return False
        if self.half and other.half and self.half != other.half:
            return False
        leeway = _EQUAL_WITHIN * max(abs(self.value), abs(other.value)) if self.kind in _MEASURES else 0
        return abs(self.value - other.value) <= leeway


_MEASURES: Final = frozenset({"m", "kg", "km", "mg", "ml"})


_LOOSE_KINDS: Final = {frozenset(("n", kind)) for kind in ("money", "age", "usd", "eur", "gbp", "times", "ordinal")}
"""Kinds of which one may be said without its unit."""


_MONTHS: Final = {
    name: index + 1
    for index, names in enumerate(
        "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct"
        " november|nov december|dec".split(" ")
    )
    for name in names.split("|")
}


_SCHOOL_YEARS: Final = re.compile("(大|研|初|高)([一二三四])(?![十百千万0-9米点号手岁])")


_STAGES: Final = {"大": "大学", "研": "研究生", "初": "初中", "高": "高中"}


_NUMBER: Final = r"(\d+(?:,\d{3})+|\d+(?:\.\d+)?)"


_MERIDIEM: Final = r"(?: ?(a\.?m\b\.?|p\.?m\b\.?|o'?clock\b))"


_ZH_DAYPART: Final = "(凌晨|清晨|清早|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|早|晚)"


def quantities(text: str) -> tuple[str, tuple[Quantity, ...]]:
    """Return the folded `text` with its quantities taken out, and the quantities in their order of kinds."""
    found: list[Quantity] = []
    left = _SCHOOL_YEARS.sub(lambda m: f"{_STAGES[m[1]]} 第{m[2]}年", text)
    left = with_digits(left)
    for pattern, reading in _READINGS:
        left = pattern.sub(partial(_taken, reading, found), left)
    return left, tuple(sorted(found))


def _taken(reading: str, found: list[Quantity], match: re.Match[str]) -> str:
    read = _READ[reading](match)
    if read is None:
        return match[0]
    found.append(read)
    return " "


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def _month_first(match: re.Match[str]) -> Quantity:
    return Quantity("date", _MONTHS[match[1]] * 100 + int(match[2]))


def _day_first(match: re.Match[str]) -> Quantity:
    return Quantity("date", _MONTHS[match[2]] * 100 + int(match[1]))


def _date_zh(match: re.Match[str]) -> Quantity:
    return Quantity("date", int(match[1]) * 100 + int(match[2]))


def _clock(match: re.Match[str]) -> Quantity | None:
    groups = match.groupdict()
    hour, minute = int(groups["h"]), int(groups.get("m") or 0)
    if hour > 24 or minute > 59:  # noqa: PLR2004 - of a day, of an hour
        return None
    said = (groups.get("x") or "").replace(".", "").strip()
    daypart = groups.get("d") or groups.get("e") or ""
    half = said if said in {"am", "pm"} else ""
    if not half and daypart:
        late = hour == _NOON and re.search("晚|夜|凌晨|night", daypart)
        half = "am" if late else "pm" if re.search("下午|傍晚|晚|夜|afternoon|evening|night|中午", daypart) else "am"
    if not half and hour > _NOON:
        half = "pm"
    if re.search("[点时]半", match[0]):
        minute = 30
    return Quantity("clock", (hour * 60 + minute) % _HALF_DAY, half)


def _noon(match: re.Match[str]) -> Quantity:
    return Quantity("clock", 0, "pm" if match[0] in {"noon", "midday", "正午"} else "am")


def _height_zh(match: re.Match[str]) -> Quantity:
    rest = match[2]
    return Quantity("m", int(match[1]) + int(rest) / 10 ** len(rest))


def _feet(match: re.Match[str]) -> Quantity:
    return Quantity("m", round((int(match[1]) * 12 + int(match[2] or 0)) * 0.0254, 3))


_UNITS: Final[dict[str, tuple[str, float]]] = {
    **dict.fromkeys(("cm", "centimetres", "centimeters", "centimetre", "centimeter", "厘米", "公分"), ("m", 0.01)),
    **dict.fromkeys(("m", "metres", "meters", "metre", "meter", "米"), ("m", 1.0)),
    **dict.fromkeys(
        ("km", "kms", "kilometres", "kilometers", "kilometre", "kilometer", "公里", "千米", "k"), ("km", 1.0)
    ),
    **dict.fromkeys(("mile", "miles", "mi", "英里"), ("km", 1.609)),
    **dict.fromkeys(("kg", "kgs", "kilos", "kilo", "kilograms", "kilogram", "公斤", "千克"), ("kg", 1.0)),
    **dict.fromkeys(("斤",), ("kg", 0.5)),
    **dict.fromkeys(("lb", "lbs", "磅"), ("kg", 0.4536)),
    **dict.fromkeys(("stone",), ("kg", 6.35)),
    **dict.fromkeys(("mg", "毫克", "milligrams", "milligram"), ("mg", 1.0)),
    **dict.fromkeys(("g", "grams", "克"), ("mg", 1000.0)),
    **dict.fromkeys(("mcg", "微克", "µg"), ("mg", 0.001)),
    **dict.fromkeys(("ml", "毫升"), ("ml", 1.0)),
    **dict.fromkeys(("l", "litres", "liters", "litre", "升"), ("ml", 1000.0)),
    **dict.fromkeys(("%", "percent"), ("%", 1.0)),
    **dict.fromkeys(("minutes", "minute", "mins", "min", "分钟"), ("minutes", 1.0)),
    **dict.fromkeys(("hours", "hour", "hrs", "小时", "个小时", "钟头", "个钟头"), ("minutes", 60.0)),
    **dict.fromkeys(("times", "次", "遍", "趟", "回", "x"), ("times", 1.0)),
    **dict.fromkeys(
        ("dollars", "dollar", "usd", "美元", "美金", "bucks", "$", "刀"),
        ("usd", 1.0),
    ),
    **dict.fromkeys(("euros", "euro", "eur", "欧元", "欧", "€"), ("eur", 1.0)),
    **dict.fromkeys(("quid", "gbp", "英镑", "£"), ("gbp", 1.0)),
    **dict.fromkeys(("pounds", "pound"), ("pound", 1.0)),
    **dict.fromkeys(
        ("元", "块", "块钱", "元人民币", "块人民币", "人民币", "rmb", "yuan", "cny", "¥"),
        ("money", 1.0),
    ),
    "weekly-workdays": ("workdays", 1.0),
    **dict.fromkeys(("岁", "周岁", "years old", "years of age", "year old", "yo", "y/o"), ("age", 1.0)),
}


_UNIT_NAMES: Final = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))


def _measure(match: re.Match[str]) -> Quantity:
    kind, factor = _UNITS[match["unit"]]
    value = _value(match["number"]) + (0.5 if match["half"] else 0)
    return Quantity(kind, round(value * factor, 4))


def _sign_first(match: re.Match[str]) -> Quantity:
    return Quantity(_UNITS[match["sign"]][0], _value(match["number"]))


def _day(match: re.Match[str]) -> Quantity:
    return Quantity("day", int(match[1] or match[2]))


_FEASTS: Final = {"v": 214, "情": 214, "c": 1225, "圣": 1225, "n": 101, "元": 101}
"""Feasts by the first letter of their names, as month × 100 + day."""


def _feast(match: re.Match[str]) -> Quantity:
    return Quantity("date", _FEASTS[match[0][0]])


def _half(_: re.Match[str]) -> Quantity:
    return Quantity("n", 0.5)


def _ordinal_read(match: re.Match[str]) -> Quantity:
    return Quantity("ordinal", float(match[1]))


def _plain(match: re.Match[str]) -> Quantity | None:
    value = _value(match[1])
    if (
        1900 <= value <= 2100  # noqa: PLR2004 - years people speak of
        and "," not in match[1]
        and re.search(r"(?:in|since|from|until|of|by) $|年?$", match.string[max(0, match.start() - 6) : match.start()])
    ):
        return Quantity("year", value)
    return Quantity("n", value)


_READ: Final[dict[str, Callable[[re.Match[str]], Quantity | None]]] = {
    "month_first": _month_first,
    "day_first": _day_first,
    "date_zh": _date_zh,
    "clock": _clock,
    "noon": _noon,
    "height_zh": _height_zh,
    "feet": _feet,
    "measure": _measure,
    "sign_first": _sign_first,
    "day": _day,
    "half": _half,
    "ordinal": _ordinal_read,
    "plain": _plain,
    "feast": _feast,
}


_BARE_HOUR: Final = (
    r"\b(?:at|by|around|until|till|before|after|from|about) (?P<h>\d{1,2})"
    r"(?P<e> in the (?:morning|afternoon|evening)| at night)?"
    r"(?=$|[,.;!](?!\d)| (?:every|each|on|in|sharp|to|till|until|daily|most|now|again|instead|these|at|for|and|because|already|when))"
)
_MONTH_NAMES: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))


_READINGS: Final = tuple(
    (re.compile(pattern), reading)
    for pattern, reading in (
        (r"\bvalentine(?:'?s)?(?: day)?\b|情人节|\bchristmas day\b|圣诞节当天|\bnew year'?s day\b|元旦", "feast"),
        (rf"\b({_MONTH_NAMES})\.? (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?! ?(?:am|pm|:))", "month_first"),
        (rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH_NAMES})\b", "day_first"),
        (r"(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]?", "date_zh"),
        (r"#(\d+)", "ordinal"),
        (r"\bthe (\d{1,2})(?:st|nd|rd|th)\b|(\d{1,2}) ?号(?!线|楼|院|门|店|床)", "day"),
        (
            rf"{_ZH_DAYPART}? ?(?:的)? ?(?P<h>\d{{1,2}}):(?P<m>\d{{2}}){_MERIDIEM}?".replace("(a", "(?P<x>a").replace(
                "(凌", "(?P<d>凌"
            ),
            "clock",
        ),
        (
            rf"{_ZH_DAYPART}? ?(?P<h>\d{{1,2}}) ?[点時时](?:钟|整)?(?:半|(?P<m>\d{{1,2}})分?)?".replace(
                "(凌", "(?P<d>凌"
            ),
            "clock",
        ),
        (rf"\b(?P<h>\d{{1,2}}){_MERIDIEM}".replace("(a", "(?P<x>a"), "clock"),
        (_BARE_HOUR, "clock"),
        (r"\b(?P<h>\d{1,2})(?P<e> in the (?:morning|afternoon|evening)| at night)", "clock"),
        (r"\bnoon\b|\bmidday\b|正午|\bmidnight\b|午夜", "noon"),
        (r"(\d) ?米 ?(\d{1,2})", "height_zh"),
        (r"\b(\d) ?(?:'|foot|feet|ft)(?: ?(\d{1,2})(?: ?(?:\"|inches|in\b))?)?", "feet"),
        (rf"(?P<sign>[$€£¥]) ?(?P<number>{_NUMBER[1:-1]})", "sign_first"),
        (
            rf"(?P<number>{_NUMBER[1:-1]}) ?(?P<half>半)?(?P<unit>{_UNIT_NAMES})(?![a-z])",
            "measure",
        ),
        (r"半(?=包|杯|碗|个|片|瓶|天|粒|颗|斤)", "half"),
        (rf"(?<![a-z\d.]){_NUMBER}(?![a-z\d])", "plain"),
    )
)
