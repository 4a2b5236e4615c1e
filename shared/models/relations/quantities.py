"""Numbers with their units, clock times and dates, in both languages and on one scale."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_HALF_DAY: Final = 720
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

_ONES: Final = {
    word: value
    for value, word in enumerate(
        (
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen"
        ).split()
    )
}
_TENS: Final = {
    word: (index + 2) * 10 for index, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
_ORDINALS: Final = {
    word: index + 1
    for index, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
    )
}
_DIGITS: Final = {character: value for value, character in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
    "俩": 2,
    "仨": 3,
}
_SCALES: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_MONTHS: Final = {
    name: index + 1
    for index, names in enumerate(
        "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct"
        " november|nov december|dec".split(" ")
    )
    for name in names.split("|")
}

_TEENS_AND_ONES: Final = "|".join(sorted(_ONES, key=len, reverse=True))
_NUMBER_WORDS: Final = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<unit>one|two|three|four|five|six|seven|eight|nine))?"
    rf"|(?P<small>{_TEENS_AND_ONES}))(?P<scale>(?: hundred| thousand| grand)?)\b(?!-)"
)
_HANZI_NUMBER: Final = re.compile("[零一二两三四五六七八九十百千万〇]{1,9}")
_COUNTED: Final = (
    "个半?|只|条|位|名|口|辆|台|部|套|间|份|杯|片|粒|颗|次|遍|趟|周?岁|年级?|月(?=[一二三四五六七八九十\\d])|日|号|点|分|小时|分钟|天|周|星期|公里|里|米|厘米|公分|毫米|公斤|千克|克|毫克"
    "|毫升|升|斤|块|元|百|千|万|%|度|本|门|支|瓶|包|根|顿|餐|节|层|楼|栋|人|娃|孩|儿|女|猫|狗|晚|夜|集|页|句|字|段|行|科|种|份|美|欧|英镑|人民币|刻|圈|步"
    "|罐|听|碗|勺|盒|盆|匹|头|双|对|股|家|所|场|届|级|房|室|厅|居|平|期|档|版|代|缸"
)
_COUNT: Final = re.compile(
    f"((?:{_HANZI_NUMBER.pattern}|[俩仨])(?=半?(?:{_COUNTED})|$|[,.;!? ])|(?<![\u4e00-\u9fff][\u4e00-\u9fff][\u4e00-\u9fff])[二三四五六七八九]?十[一二三四五六七八九]?(?=了|啦|吧))"
)
_FIXED: Final = re.compile(
    "(?:一起|一直|一样|一般|一定|一下|一些|(?<![二三四五六七八九十])一点儿?(?![半钟])|一旦|一向|一切|一边|一时|一共|一律|一路|一家人?|万一|统一|唯一|第一时间|十分|千万|三亚|五一|四川|九龙"
    "|三明|万物|一块儿?(?!钱)|一半|另一半|一会儿?|三分|一口气|一个人|独一|(?:大|研|初|高)[一二三四](?![米点号百千万岁十])|一周|一天|一年|一个月|周[一二三四五六]|星期[一二三四五六]"
    "|礼拜[一二三四五六]|两口子|两边|第一次|一步一步|一滴|一次(?:也|都)?没|一直|百度|万达|老[一二三四五]|[一二三]胎|二手|二宝|一年到头|三班倒|一型|二型|朝九晚[五六]|早九晚[五六]|九九六|一早|一大早|一到|一有|一样|五险一金)"
)
_SCHOOL_YEARS: Final = re.compile("(大|研|初|高)([一二三四])(?![十百千万0-9米点号手岁])")
_ORDINAL_ZH: Final = re.compile(f"第({_HANZI_NUMBER.pattern}|[0-9]+)(?:年|学期|个|次|胎|季|期)?")

_NUMBER: Final = r"(\d+(?:,\d{3})+|\d+(?:\.\d+)?)"
_MERIDIEM: Final = r"(?: ?(a\.?m\b\.?|p\.?m\b\.?|o'?clock\b))"
_ZH_DAYPART: Final = "(凌晨|清晨|清早|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜|早|晚)"


def quantities(text: str) -> tuple[str, tuple[Quantity, ...]]:
    """Return the folded `text` with its quantities taken out, and the quantities in their order of kinds."""
    found: list[Quantity] = []
    left = _SCHOOL_YEARS.sub(lambda m: f"{m[1]}学 第{m[2]}年", text)
    left = _with_digits(left)
    for pattern, reading in _READINGS:
        left = pattern.sub(lambda match, reading=reading: _taken(match, reading, found), left)  # type: ignore[misc]
    return left, tuple(sorted(found))


def _with_digits(text: str) -> str:
    """Spell numbers with digits: "twenty-six" → 26, 一万五 → 15000."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match[0])
        return f"\x00{len(kept) - 1}\x00"

    text = re.sub(r"\bsecond-hand\b|\bone (?:of|day|more)\b|\bno one\b|\b(?:this|that|the|other|new) one\b", keep, text)
    text = re.sub(
        rf"\b({'|'.join(_ORDINALS)})(?= (?:year|semester|term|grade|trimester|time|floor|child|class))", _ordinal, text
    )
    text = re.sub(
        r"\b(\d+)(?:st|nd|rd|th)(?= (?:year|semester|term|grade|trimester|floor|week|of (?:my|the)))", r"#\1", text
    )
    text = _ORDINAL_ZH.sub(lambda m: f"#{_hanzi(m[1]) if not m[1].isdigit() else m[1]} 年 ", text)
    text = _NUMBER_WORDS.sub(_spelled, text)
    text = re.sub(r"\b(?:a couple of|a pair of|both my|my two)\b(?! of the)", "2", text)
    text = re.sub(r"\bhalf past (\d{1,2})\b", r"at \1:30", text)
    text = re.sub(r"\bquarter past (\d{1,2})\b", r"at \1:15", text)
    text = re.sub(r"\bquarter to (\d{1,2})\b", lambda m: f"at {(int(m[1]) + 11) % 12 or 12}:45", text)
    text = re.sub(r"\bhalf a dozen\b", "6", text)
    text = re.sub(r"\ba dozen\b", "12", text)
    text = re.sub(r"\bonce (?=a|per|every)", "1 times ", text)
    text = re.sub(r"\btwice (?=a|per|every)", "2 times ", text)
    text = re.sub(r"\b(?:thrice) (?=a|per|every)", "3 times ", text)
    text = _FIXED.sub(keep, text)
    text = _COUNT.sub(_counted, text)
    text = re.sub(r"(\d+(?:\.\d+)?) ?万 ?(\d)?(?!\d)", _ten_thousands, text)
    text = re.sub(r"(\d+(?:\.\d+)?) ?千(?!克|米)", lambda m: f"{float(m[1]) * 1000:g}", text)
    text = re.sub(r"\b(\d+(?:\.\d+)?)k\b", lambda m: f"{float(m[1]) * 1000:.0f}", text)
    return re.sub("\x00(\\d+)\x00", lambda m: kept[int(m[1])], text)


def _spelled(match: re.Match[str]) -> str:
    value = (
        _TENS[match["tens"]] + (_ONES[match["unit"]] if match["unit"] else 0)
        if match["tens"]
        else _ONES[match["small"]]
    )
    scale = match["scale"].strip()
    return str(value * (100 if scale == "hundred" else 1000 if scale else 1))


def _ordinal(match: re.Match[str]) -> str:
    return f"#{_ORDINALS[match[1]]}"


def _counted(match: re.Match[str]) -> str:
    return str(_hanzi(match[1]))


def _ten_thousands(match: re.Match[str]) -> str:
    return f"{float(match[1]) * 10_000 + (int(match[2]) * 1000 if match[2] else 0):.0f}"


def _hanzi(number: str) -> int:
    """Return the value of a Chinese numeral; a digit after the last scale counts its next lower one (一万五 = 15000)."""
    if all(character in _DIGITS for character in number):
        return int("".join(str(_DIGITS[character]) for character in number))
    total = section = digit = 0
    scale = 1
    for character in number:
        if character in _DIGITS:
            digit = _DIGITS[character]
            scale = 1 if character in "零〇" else scale
        elif character == "万":
            total += (section + digit or 1) * 10_000
            section = digit = 0
            scale = 10_000
        else:
            section += (digit or 1) * _SCALES[character]
            digit = 0
            scale = _SCALES[character]
    after_zero = "零" in number[-2:] or "〇" in number[-2:]
    return total + section + (digit * (scale // 10) if digit and scale >= 100 and not after_zero else digit)  # noqa: PLR2004 - 百


def _taken(match: re.Match[str], reading: str, found: list[Quantity]) -> str:
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
    if hour > 24 or minute > 59:  # noqa: PLR2004 - a day, an hour
        return None
    said = (groups.get("x") or "").replace(".", "").strip()
    daypart = groups.get("d") or groups.get("e") or ""
    half = said if said in {"am", "pm"} else ""
    if not half and daypart:
        half = "pm" if re.search("下午|傍晚|晚|夜|afternoon|evening|night|中午", daypart) else "am"
    if not half and (hour > 12 or (groups.get("z") and hour == 0)):  # noqa: PLR2004 - noon
        half = "pm" if hour > 12 else "am"  # noqa: PLR2004 - noon
    if "半" in match[0]:
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
    **dict.fromkeys(("岁", "周岁", "years old", "years of age", "year old", "yo", "y/o"), ("age", 1.0)),
}
_UNIT_NAMES: Final = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))


def _measure(match: re.Match[str]) -> Quantity:
    kind, factor = _UNITS[match["unit"]]
    value = _value(match["number"]) + (0.5 if match["half"] else 0)
    return Quantity(kind, round(value * factor, 4))


def _sign_first(match: re.Match[str]) -> Quantity:
    return Quantity(_UNITS[match["sign"]][0], _value(match["number"]))


FIRST_YEAR, LAST_YEAR = 1900, 2100


def _half(_match: re.Match[str]) -> Quantity:
    return Quantity("n", 0.5)


def _ordinal_read(match: re.Match[str]) -> Quantity:
    return Quantity("ordinal", float(match[1]))


def _plain(match: re.Match[str]) -> Quantity | None:
    value = _value(match[1])
    if (
        FIRST_YEAR <= value <= LAST_YEAR
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
    "day": lambda match: Quantity("day", int(match[1] or match[2])),
    "half": _half,
    "ordinal": _ordinal_read,
    "plain": _plain,
    "feast": lambda match: Quantity(
        "date", {"v": 214, "情": 214, "c": 1225, "圣": 1225, "n": 101, "元": 101}[match[0][0]]
    ),
}
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
        (
            r"\b(?:at|by|around|until|till|before|after|from|about) (?P<h>\d{1,2})"
            r"(?P<e> in the (?:morning|afternoon|evening)| at night)?"
            r"(?=$|[,.;!]| (?:every|each|on|in|sharp|to|till|until|daily|most|now|again|instead|these|at|for|and|because|already|when))",
            "clock",
        ),
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
        (_NUMBER, "plain"),
    )
)
