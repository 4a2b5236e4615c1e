"""Spelled numbers to digits, in both languages."""

from __future__ import annotations

import re
from typing import Final

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


_TEENS_AND_ONES: Final = "|".join(sorted(_ONES, key=len, reverse=True))


_NUMBER_WORDS: Final = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<unit>one|two|three|four|five|six|seven|eight|nine))?"
    rf"|(?P<small>{_TEENS_AND_ONES}))(?P<scale>(?: hundred| thousand| grand)?)\b(?!-)"
)


_HANZI_NUMBER: Final = re.compile("[零一二两三四五六七八九十百千万〇]{1,9}")


_COUNTED: Final = (
    "个半?|只|条|位|名|口|辆|台|部|套|间|份|杯|片|粒|颗|次|遍|趟|回|周?岁|年级?|月(?=[一二三四五六七八九十\\d])|日|号|点|分|小时|分钟|天|周|星期|公里|里|米|厘米|公分|毫米|公斤|千克|克|毫克"
    "|毫升|升|斤|块|元|百|千|万|%|度|本|门|支|瓶|包|根|顿|餐|节|层|楼|栋|人|娃|孩|儿|女|猫|狗|晚|夜|集|页|句|字|段|行|科|种|份|美|欧|英镑|人民币|刻|圈|步"
    "|罐|听|碗|勺|盒|盆|匹|头|双|对|股|家|所|场|届|级|房|室|厅|居|平|期|档|版|代|缸|针|剂|亩|幅|首|桶|袋|箱|串|滴|轮|局|堂|封|篇|项|架|艘|枚|床|张|岁半|台币"
)


_COUNT: Final = re.compile(
    f"((?:{_HANZI_NUMBER.pattern}|[俩仨])(?=半?(?:{_COUNTED})|$|[,.;!? ])|(?<![\u4e00-\u9fff][\u4e00-\u9fff][\u4e00-\u9fff])[二三四五六七八九]?十[一二三四五六七八九]?(?=了|啦|吧))"
)


_FIXED: Final = re.compile(
    "(?:一起|一直|一样|一般|一定|一下|一些|(?<![二三四五六七八九十])一点儿?(?![半钟])|一旦|一向|一切|一边|一时|一共|一律|一路|一家人?|万一|统一|唯一|第一时间|十分(?!钟)|千万|三亚|五一|四川|九龙"
    "|三明|万物|一块儿?(?!钱)|一半|另一半|一会儿?|三分|一口气|一个人|独一|(?:大|研|初|高)[一二三四](?![米点号百千万岁十])|一周|一星期|一个星期|一个?礼拜|一晚|一家(?=[\u4e00-\u9fff])(?![三四五六七口])|一天|一年(?!级)|一个月|周[一二三四五六]|星期[一二三四五六]"
    "|礼拜[一二三四五六]|两口子|两边|第一次|一步一步|一滴|一次(?:也|都)?没|一直|百度|万达|老[一二三四五]|[一二三]胎|二手|二宝|一年到头|三班倒|一型|二型|朝九晚[五六]|早九晚[五六]|九九六|一早|一大早|一到|一有|一样|五险一金)"
)


_ROUND: Final = re.compile(
    "([一二两三四五六七八九][百千万][一二三四五六七八九])(?=(?:块|元)?(?:一个?[月年天次晚]|每|左右|上下|多))"
)
"""A colloquial sum before "a month": 三千五一个月."""


_ORDINAL_ZH: Final = re.compile(f"第({_HANZI_NUMBER.pattern}|[0-9]+)(?:年|学期|个|次|胎|季|期)?")


def with_digits(text: str) -> str:
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
    text = re.sub(r"\btwice\b", "2 times ", text)
    text = re.sub(r"\b(?:thrice) ", "3 times ", text)
    text = _FIXED.sub(keep, text)
    text = _ROUND.sub(r"\1 ", text)
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
    return total + section + (digit * (scale // 10) if digit and scale >= _SCALES["百"] and not after_zero else digit)
