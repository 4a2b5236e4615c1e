"""Entry codes stated without the word "password": by what they open, how they are entered, or who sent them.

"gave the cleaner 6630 for the burglar alarm", "padlock: 24 left, 6 right", "get in with elk-antler-93", "行李箱锁 0-8-3".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import HAN, VALUE, clause_before, is_placeholder, rule, trimmed
from shared.language.sensitivity.plausibility import NOT_A_SECRET
from shared.language.sensitivity.spans import Found
from shared.language.words import word_lists

_WORDS: Final = word_lists("entry_codes", value=VALUE)

_OPENED: Final = _WORDS["opened"]
_NOT_A_QUANTITY: Final = _WORDS["not_a_quantity"]
_DIGITS: Final = rf"(?<![\w.:/$€£¥@#+\-])(?P<value>\d{{4,8}}[#*]?){_NOT_A_QUANTITY}"
_GROUPS: Final = r"(?<![\w.:/$€£¥@#+\-])(?P<value>\d{5,8}|\d{3}[ \-]\d{3})(?![\w:%$€£¥]|[.,]\d|[ \-]\d)"
_SENT: Final = r"(?P<value>(?<!\d)(?:\d{5,8}|\d{3}[ \-]\d{3}))(?![\w:%$€£¥]|[.,]\d|[ \-]\d)"
_MY: Final = r"(?:the|my|our|his|her|their|your|mum's|mom's|dad's|grandma's)\s"
_SENT_BY: Final = r"(?:text|sms|message|app|e-?mail|prompt|notification|thing)"
_ENDS: Final = r"(?=\s?(?:$|[.,;:!?)\n]|(?:to|and|but|so|do|did|right|is that|should|lol|pls|please)\b))"

_NUMBERS: Final = tuple(
    rule(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:gave|give|told|tell|text(?:ed)?|use|enter|type|press|it'?s|it is|remember)\s"
        rf"(?:[\w']{{1,14}}\s){{0,4}}?{_DIGITS}\s(?:for|to (?:get )?(?:in|into|through|open|unlock)|on|opens|unlocks)\s"
        rf"(?:{_MY})?(?:[\w'-]{{1,12}}\s){{0,2}}?{_OPENED}\b",
        rf"\b(?:punch|key|tap|dial|buzz)(?:ed|s)?(?:\sin)?\s{_DIGITS}(?!\s(?:as|times|rows))",
        rf"\b{_OPENED}(?:\s(?:code|thing|pin|number))?\s(?:is(?: now| still)?|wants|takes|needs|=|to|(?:opens?|unlocks?)"
        rf"\s(?:on|at|with|to)|set to|changed to)\s{_DIGITS}",
        rf"\b(?:parental controls?|voice ?mail|screen time)\s{_DIGITS}",
        rf"\b(?:2fa|mfa|otp|authenticator|(?:verification|security|sign-?in|log-?in|bank|confirmation)\s(?={_SENT_BY}))"
        rf"\s?{_SENT_BY}?\s(?:just\s)?(?:said|says|shows?|showed|reads?|gave me|sent me)\s{_GROUPS}",
        rf"\b(?:sent|texted|emailed|messaged|gave)\s(?:me|you|him|her|us)\s(?:(?:this|the code|a code|code)\s?)?(?:btw\s?)?"
        rf"[,:]?\s?(?:[A-Z]-)?{_SENT}{_ENDS}",
    )
)
_COMBINATIONS: Final = tuple(
    rule(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:\b(?:{_OPENED}|combo|combination|(?:unlock |screen )?pattern)\b|[锁柜箱])[^.!?;\n。]{{0,28}}?"
        r"(?<![\w\-.])(?P<value>\d{1,2}(?:\s?-\s?\d{1,2}){2,5})(?![\w\-.]|\s?(?:cm|mm|in|inch|厘米|公分))",
        rf"(?:\b(?:{_OPENED}|combo|combination|dial)\b|[锁柜箱密码])[^.!?;\n。]{{0,28}}?"
        r"(?P<value>\d{1,2}\s(?:left|right)(?:,?\s(?:then\s|and\s)?\d{1,2}\s(?:left|right)){1,3}"
        r"|(?:left|right)\s(?:to\s)?\d{1,2}(?:,?\s(?:then\s|and\s)?(?:left|right)\s(?:to\s)?\d{1,2}){1,3}"
        r"|[左右]转?(?:到|至)?\s?\d{1,2}(?:[\s,、]{0,2}(?:再|然后)?[左右]转?(?:到|至)?\s?\d{1,2}){1,3})",
    )
)
_HAN_NUMBERS: Final = tuple(
    rule(pattern)
    for pattern in (
        rf"[四六八4-8]位(?:数字?|的?验证?码|的?数)(?![^。!?\n]{{0,4}}[乘加减除])[^。!?\n\d]{{0,16}}?{_DIGITS}",
        rf"短信(?:里|上)?(?:刚)?(?:发来|发的|发了|说是|写的?是|显示)\s?{_SENT}(?=\s?(?:$|[.,;:!?)\n。]))",
        rf"(?:保险[箱柜]|门锁|电子锁|密码锁|智能锁|指纹锁|储物柜|单元门|大门|院门|门禁|车库门?)[^。!?\n\d元块]{{0,8}}?"
        rf"(?:设[的成]?|是|改成|换成|输入?|按)\s?{_DIGITS}",
        rf"(?:按|输入?|摁|敲)(?:一下)?\s?{_DIGITS}\s?(?=开门|进[来门去]|上[楼来]|就(?:能|可以|会)?(?:开|进)|解锁|解除)",
        r"(?:密\s?码|口令|支付码|验证码|动态码|解锁码|PIN\s?码?)[^。!?\n\d]{0,10}?"
        rf"(?P<value>[零〇一二三四五六七八九两幺]{{4,8}})(?![{HAN}])",
    )
)
_ENTERED: Final = tuple(
    rule(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:log(?:ged)?\s?(?:me )?in|sign(?:ed)?\s?in|gets?\s(?:you )?in|got\sin|connect(?:ed)?|join(?:ed)?|unlock(?:ed)?)"
        rf"\s(?:[^.!?\n]{{0,24}}?\s)?(?:with|using)\s\"?(?P<value>{VALUE}{{5,80}})",
        rf"\b(?:typed?|entered?|tried|use)\s\"?(?P<value>{VALUE}{{5,80}})\"?\s(?:and (?:it|the)|for (?:the|my|our)|to (?:log|get|sign|unlock|open)"
        r"|on (?:the|my|our))\s",
    )
)
_HAN_ENTERED: Final = rule(_WORDS["han_entered"])
_SPENT: Final = rule(
    r"[$€£¥]|\b(?:paid?|pay|cost\w*|spen[dt]|worth|charged?|owe[sd]?|quoted?|price\w*|bill)\b", re.IGNORECASE
)
_CLOCK: Final = rule(r"(?:[01]\d|2[0-3])[0-5]\d")
_WAKES: Final = rule(r"(?<!burglar )(?<!house )alarms?\b(?! (?:panel|system|code))", re.IGNORECASE)
_STRONG_SIGN: Final = rule(r"[!@#$%^&*?+=~]")
_BRANDS: Final = rule(_WORDS["brands"], re.IGNORECASE)
_BEFORE: Final = 40
_LONG: Final = 8


def entry_codes(text: str) -> Iterator[Found]:
    """Find entry codes stated without a name for them; amounts of money and times of day do not count."""
    for pattern in (*_NUMBERS, *_HAN_NUMBERS):
        for found in pattern.finditer(text):
            if not _is_money_or_time(text, found):
                yield Found("credential", *found.span("value"))
    for pattern in _COMBINATIONS:
        for found in pattern.finditer(text):
            yield Found("credential", *found.span("value"))
    for pattern in _ENTERED:
        for found in pattern.finditer(text):
            start, end = found.start("value"), trimmed(text, *found.span("value"))
            if _lets_in(found["value"], named=pattern is _ENTERED[0]):
                yield Found("credential", start, end)
    for found in _HAN_ENTERED.finditer(text):
        which = "value" if found["value"] else "paired"
        if _lets_in(found[which], named=True):
            yield Found("credential", found.start(which), trimmed(text, *found.span(which)))


def _is_money_or_time(text: str, found: re.Match[str]) -> bool:
    value = found["value"]
    if _SPENT.search(clause_before(text, found.start(), _BEFORE)) or _SPENT.search(found[0]):
        return True
    if value.endswith(("00", "50")) and len(value) == len("1250") and found[0].lower().startswith(("gave", "give")):
        return True  # a round sum
    return _CLOCK.fullmatch(value) is not None and _WAKES.search(found[0]) is not None


def _lets_in(value: str, *, named: bool) -> bool:
    """Return whether a value is neither a word nor a product; `named`: the sentence is about getting access."""
    if is_placeholder(value) or NOT_A_SECRET.fullmatch(value) or _BRANDS.fullmatch(value):
        return False
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    if not letters or not digits:
        return False
    return bool(_STRONG_SIGN.search(value)) or (named and (len(value) >= _LONG or "-" in value or "_" in value))
