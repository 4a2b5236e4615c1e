"""Secrets stated in a sentence: "my PIN is …", "the alarm code at my mum's is …", "密码改成…", "验证码：…"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import HAN, VALUE, clause_before, is_placeholder, rule, trimmed
from shared.language.sensitivity.plausibility import NOT_A_SECRET, Span, counts, looks_secret, mixed, plausible
from shared.language.sensitivity.secret_words import (
    ACCOUNT,
    DENIED,
    GENERAL,
    NUMERIC,
    NUMERIC_CODE,
    ORDINARY,
    PHRASE,
    SECRET,
    TOKEN,
)
from shared.language.sensitivity.spans import Found
from shared.language.words import word_lists

_WORDS: Final = word_lists("stated")

# The text between the announcing word and the value.
_FILLER: Final = (
    r"(?:(?:now|still|currently|just|simply|literally|always|called|actually|set to|this|the one|also)[:,]?\s){0,2}"
)
_STATES: Final = _WORDS["states"]
_OF: Final = r"\s(?:for|to|of|on|at|in|from|i use|we use|she uses|he uses)\s[^.!?;:=\n,]{1,60}?"
_HAN_OF: Final = _WORDS["han_of"]
_OPENING: Final = r"[\s\"':]{0,3}"
_VALUE: Final = rf"(?P<value>{VALUE}{{3,200}})"
_QUOTED: Final = r"\"(?P<value>[^\"\n]{3,80})\""

_STATED: Final = tuple(
    rule(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:{_OF})?{_STATES}{_FILLER}{_QUOTED}",
        rf"{_STATES}{_FILLER}{_OPENING}{_VALUE}",
        rf"{_OF}{_STATES}{_FILLER}{_OPENING}{_VALUE}",
        rf"(?:\([^()\n]{{1,24}}\))?{_HAN_OF}(?:是|系|係|为|叫|成|[:=])+{_FILLER}{_OPENING}{_VALUE}",
        rf"[^.!?;\n]{{0,48}}?\b(?:mine|ours)(?: is|'s)\s{_OPENING}{_VALUE}",
    )
)
"""Patterns after which a plain word also counts as a value."""

_BESIDE: Final = tuple(
    rule(pattern, re.IGNORECASE)
    for pattern in (
        rf"\s{{0,3}}{_OPENING}{_VALUE}",
        rf"\s?\({_OPENING}{_VALUE}",
        rf"(?:{_OF})?\s(?:to|as|into|with)\s{_FILLER}{_OPENING}{_VALUE}",
        rf"(?:\([^()\n]{{1,24}}\))?{_HAN_OF}\s?{_OPENING}{_VALUE}",
        (
            r"[^.!?;\n]{0,80}?\b(?:it'?s|its|it is|is|was|told (?:him|her|them|you)|namely|(?:re)?set(?: it)? to"
            r"|chang\w{1,3}(?: it)? to"
            rf"|picked|chose|typed|entered|use|used|got)(?: now| still| just| back to)?\s{_OPENING}{_VALUE}"
        ),
        rf"[^.!?;\n。]{{0,24}}?(?:是|为|系|係|成|叫|[:=]){_OPENING}{_VALUE}",
    )
)
"""Patterns after which only values that look like secrets count."""

_PAIR: Final = rule(
    (
        rf"(?:{_OF})?(?:{_HAN_OF}(?:{_STATES})?|[^.!;\n]{{0,30}}?)"
        rf"[\s?]{{0,2}}{_OPENING}[A-Za-z0-9._@\-]{{2,40}}\s?[/|、]\s?{_VALUE}"
    ),
    re.IGNORECASE,
)
_DEFAULT_PAIR: Final = rule(
    rf"(?<![A-Za-z0-9_./:\-])(?:admin|root|administrator|superuser|guest|ubuntu|postgres)\s?[/:|]\s?{_VALUE}",
    re.IGNORECASE,
)
_PHRASE: Final = rule(
    r"(?:\s(?:for|to|of)\s[^.!?;:\n,]{1,40}?)?(?:\s?[:=]\s?|\s(?:is|was)\s)(?P<value>[A-Za-z'-]{2,16}(?: "
    r"[A-Za-z0-9'-]{2,16}){2,9})(?=\s?(?:$|[.,;!\n]))"
)
_HAN_PHRASE: Final = rule(rf"(?:就是|是|为|系|係|[:=])\s?(?P<value>[{HAN}]{{2,14}})(?=\s?(?:$|[,.;!。\n\"]))")
_QUOTED_PHRASE: Final = rule(rf"\s?(?:就?是|[写填设]的?是?|为|:)?\s?\"(?P<value>[{HAN}A-Za-z0-9]{{2,24}})\"")
_ASKED: Final = rule(r"什么|多少|吗|几|谁|啥|不|错|对的|可以|怎|哪|必须|需要|一样|随便|统一|自己|生日|以前|之前")
_LOOSE: Final = (
    rule(rf"[^.!?;\n。]{{0,48}}?[,—]\s{{0,2}}(?:so |like |namely |i\.e\. |就是|也就是)?{_OPENING}{_VALUE}"),
    rule(rf"[{HAN},]{{1,16}}\s{_OPENING}{_VALUE}"),
)
"""Patterns after which only letters with digits count, because something else may be meant."""

_USED: Final = (
    rule(r"(?<![\w\-.])(?:[A-Z]-)?(?P<value>\d{4,8})\s(?:is|was) (?:your|the|my)\s(?:[\w'.-]{1,16}\s){0,3}?codes?\b"),
    rule(
        r"\b(?:enter|use|type|dial|punch in|key in|with) (?:code |pin )?(?P<value>\d{4,8})#? (?:to|and"
        r"|for) (?:\w+ ){0,2}?"
        r"(?:verify|unlock|log ?in|sign ?in|confirm|open|reset|arm|disarm|activate|authenticate|get in|let)",
        re.IGNORECASE,
    ),
    rule(r"(?<![\w\-.])(?P<value>\d{4,8})#? (?:opens|unlocks|disarms|arms) ", re.IGNORECASE),
    rule(
        r"\b(?:alarm|gate|garage|lock ?box|keypad|(?:front |back )?door|safe|voice ?mail|intercom|padlock"
        r"|locker|steam|authenticator)"
        r"\s?[:=]\s?(?P<value>\d{4,8}[#*]?)(?![\w:%])",
        re.IGNORECASE,
    ),
    rule(rf"(?<![A-Za-z0-9\-.])(?P<value>\d{{4,8}})\s?\([{HAN}]{{0,6}}(?:验证码|密码|动态码)"),
)
"""Codes stated by their purpose."""

_DIGITS_SOON: Final = rule(r"[^.!?;\n。]{0,60}?(?<![\w.:/$€£¥@#+\-])(?P<value>\d{4,8})(?![\w/:%$€£¥]|\.\d|-\d)")
_DIGITS_BESIDE: Final = rule(
    r"\s{0,2}(?:[:=#]|是|系|係|为|is\s|was\s)?\s{0,2}(?P<value>\d{3,4}[ \-]\d{3,4}|\d{3,10}[#*]?)(?![\w%$€£]|\.\d)"
)
_MORE: Final = rule(
    rf"\s?(?:[,、/;&]|\band\b|和|跟)\s?(?:and\s)?(?:[\w' {HAN}]{{1,24}}?[\s{HAN}])?(?:is\s|was\s|=\s?|:\s?|是)?"
    rf"\"?(?P<value>\d{{3,8}})(?![\w%$€£])"
)
_MORE_ALIKE: Final = rule(
    rf"\s{{0,2}}(?:[,、/;&\n+]|\band\b|和|跟|[{HAN}]{{0,6}}[,、]?(?:还剩|剩下?|还有))\s{{0,2}}(?:and\s)?(?:\d{{1,2}}[.)]\s)?"
    r"(?P<value>\d{4} \d{4}|[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){1,5}|(?=[A-Za-z]*\d)[A-Za-z0-9]{5,16})(?![\w-])"
)
"""Another code of a kind with letters or groups."""
_BEFORE: Final = rule(
    rf"(?<![^\s\"'(,:{HAN}])(?P<value>{VALUE}{{4,80}}?)[\"']?\s?(?:is|was|as|=|就是|是|系|係)\s?"
    rf"(?:(?<=as )|(?<=当)|(?:my|our|the|her|his|their|your|我家?|我们|他|她|咱家?|家里|公司)(?:的|嘅)?)"
    rf"\s?(?:[\w'-]{{1,16}}\s|[{HAN}]){{0,4}}?$",
    re.IGNORECASE,
)
_TOKEN_SHORTEST: Final = 12
_AROUND: Final = 60
_GENERAL: Final = 20


def stated(text: str) -> Iterator[Found]:
    """Find the values of stated passwords, codes and tokens."""
    for cue in SECRET.finditer(text):
        if GENERAL.search(clause_before(text, cue.start(), _GENERAL)):
            continue
        span = (
            _digits(text, cue, _DIGITS_BESIDE)
            or _value(text, cue)
            or _digits(text, cue, _DIGITS_SOON)
            or _value_before(text, cue)
        )
        if span:
            yield Found("credential", *span)
            yield from _more(text, cue, span)
    for pattern in _USED:
        for found in pattern.finditer(text):
            yield Found("credential", *found.span("value"))
    for found in _DEFAULT_PAIR.finditer(text):
        if mixed(found["value"]) and not NOT_A_SECRET.fullmatch(found["value"]):
            yield Found("credential", found.start("value"), trimmed(text, *found.span("value")))
    for cue in TOKEN.finditer(text):
        if span := _token(text, cue):
            yield Found("key", *span)


def _digits(text: str, cue: re.Match[str], pattern: re.Pattern[str]) -> Span | None:
    """Return the number after a word whose secret is only digits."""
    found = pattern.match(text, cue.end()) if NUMERIC.fullmatch(cue[0]) else None
    return found.span("value") if found and not counts(text, found) else None


def _value(text: str, cue: re.Match[str]) -> Span | None:
    if ACCOUNT.fullmatch(cue[0]) and (found := _PAIR.match(text, cue.end())) and looks_secret(found["value"]):
        return found.start("value"), trimmed(text, *found.span("value"))
    for pattern in _STATED:
        if (found := pattern.match(text, cue.end())) and (span := plausible(text, found, weak=True)):
            return span
    if PHRASE.fullmatch(cue[0]) and (phrase := _phrase(text, cue)):
        return phrase
    for pattern in (*_BESIDE, *_LOOSE):
        found = pattern.match(text, cue.end())
        span = plausible(text, found, weak=False) if found else None
        if span and (pattern not in _LOOSE or mixed(text[slice(*span)])):
            return span
    return None


def _phrase(text: str, cue: re.Match[str]) -> Span | None:
    """Return the words of a passphrase."""
    if found := _QUOTED_PHRASE.match(text, cue.end()):
        return found.span("value")
    if found := _HAN_PHRASE.match(text, cue.end()):
        return None if _ASKED.search(found["value"]) else found.span("value")
    found = _PHRASE.match(text, cue.end())
    return found.span("value") if found and not ORDINARY.fullmatch(found["value"].split()[0]) else None


def _value_before(text: str, cue: re.Match[str]) -> Span | None:
    """Return the value of "… is my password", "…是我的锁屏密码"."""
    window = clause_before(text, cue.start(), _AROUND)
    found = _BEFORE.search(window)
    if not found:
        return None
    value = found["value"]
    if not looks_secret(value) or is_placeholder(value) or NOT_A_SECRET.fullmatch(value) or DENIED.search(window):
        return None
    start = cue.start() - len(window) + found.start("value")
    return start, start + len(value)


def _more(text: str, cue: re.Match[str], first: Span) -> Iterator[Found]:
    """Find further codes: "my PINs: bank is 3918, luggage lock is 505", "codes 3f9a1-b07c2 and 88de4-1a6f0"."""
    value = text[first[0] : first[1]]
    if not NUMERIC_CODE.search(cue[0]):
        return
    at = first[1]
    further = _MORE if value.isdigit() else _MORE_ALIKE
    while (found := further.match(text, at)) and (further is _MORE_ALIKE or not counts(text, found)):
        if further is _MORE_ALIKE and not any(map(str.isdigit, found["value"])):
            return
        at = found.end("value")
        yield Found("credential", *found.span("value"))


def _token(text: str, cue: re.Match[str]) -> Span | None:
    for pattern in (*_STATED[1:], *_BESIDE[:3]):
        found = pattern.match(text, cue.end())
        if not found:
            continue
        start = found.start("value")
        end = trimmed(text, *found.span("value"))
        value = text[start:end]
        digits = sum(map(str.isdigit, value))
        if (
            len(value) >= _TOKEN_SHORTEST
            and digits > 1
            and any(map(str.isalpha, value))
            and not is_placeholder(value)
            and not NOT_A_SECRET.fullmatch(value)
            and not DENIED.search(text[found.start() : start])
        ):
            return start, end
    return None
