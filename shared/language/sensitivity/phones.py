"""Telephone numbers: international ones, unmistakable national forms, and any number described as one.

National number plans are not consulted: the country of a national number is unknown, and if all plans were allowed,
nearly every digit string would match. The context of a number says more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import HAN, clause_before, rule
from shared.language.sensitivity.spans import Found
from shared.language.words import word_lists

_WORDS: Final = word_lists("phones", han=HAN)

_W: Final = r"(?<![\w+$€£¥#@/=])(?<!\d[.,:\-])(?<![A-Za-z]-)"
_E: Final = r"(?![\d@A-Za-z_]|[.,:\-/]\d|%)"

_INTERNATIONAL: Final = rule(_WORDS["international"])
_NATIONAL: Final = tuple(
    rule(rf"{_W}(?:{pattern}){_E}")
    for pattern in (
        r"1[3-9]\d([ \-]?)\d{4}\1\d{4}",  # mainland China, mobile
        r"1[3-9]\d([ \-])\d{3}\1\d{5}|1[3-9]\d{2}[ \-]\d{3}[ \-]\d{4}",
        r"(?:86|\(86\))[ \-]?1[3-9]\d[ \-]?\d{4}[ \-]?\d{4}",
        r"09\d{2}([ \-]?)\d{3}\1\d{3}",  # Taiwan, mobile
        r"0\d{2,3}[ \-]\d{7,8}(?:[ \-转]{1,2}\d{1,5})?",  # mainland China, landline
        r"\(0\d{1,3}\)[ \-]?\d{3,4}[ \-]?\d{3,5}",
        r"0[2-8]\d{0,2}[ \-]\d{3,4}[ \-]\d{4}",  # Taiwan, Britain, Japan
        r"(?:1[ .\-])?\([2-9]\d{2}\)[ .\-]?[2-9]\d{2}[ .\-]\d{4}",  # North America
        r"(?:1[ .\-])?(?!400)[2-9]\d{2}([ .\-])[2-9]\d{2}\1\d{4}",
        r"07\d{3}[ \-]?\d{3}[ \-]?\d{3}",  # Britain, mobile
        r"0[1-9](?:([ .\-])\d{2})(?:\1\d{2}){3}",  # France
        r"01[5-7]\d[ /\-]?\d{7,8}",  # Germany, mobile
        r"0\d{2,4}[ /\-]\d{2,8}(?:[ \-]\d{2,6}){0,2}",
        r"04\d{2} \d{3} \d{3}",  # Australia
        r"0\d-\d{7,8}",
    )
)
_LEAST: Final = 9
_MOST: Final = 12
_DIFFERENT: Final = 3
_ANY: Final = rule(rf"{_W}(?:\+|\()?\d(?:[ .\-/()]{{0,2}}\d){{6,14}}(?![\dA-Za-z_@]|[.,:]\d|%)")
_DATE: Final = rule(
    r"(?:\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d{2}|(?:19|20)\d{2}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{8}$(?<=[12]\d{7}))"
)
_ADDRESS: Final = rule(r"\d{1,3}(?:\.\d{1,3}){3}")

_CALLED: Final = rule(_WORDS["called"], re.IGNORECASE)
_SURELY_CALLED: Final = rule(_WORDS["surely_called"], re.IGNORECASE)
_CALLED_AFTER: Final = rule(_WORDS["called_after"], re.IGNORECASE)
_OTHERWISE: Final = rule(_WORDS["otherwise"], re.IGNORECASE)
_UNIT: Final = rule(_WORDS["unit"], re.IGNORECASE)
_ARITHMETIC: Final = rule(r"[+*/×÷=^]\s?$|\d\s?\($|[≈<>]\s?$")
_BEFORE: Final = 40
_ROUND: Final = rule(r".*0{6}")


def phones(text: str) -> Iterator[Found]:
    """Find telephone numbers."""
    for found in _INTERNATIONAL.finditer(text):
        digits = sum(map(str.isdigit, found[0]))
        if digits >= _LEAST - 1 and not _is_something_else(text, found):
            yield Found("phone", *found.span())
    for pattern in _NATIONAL:
        for found in pattern.finditer(text):
            if _is_national(found[0]) and not _is_something_else(text, found):
                yield Found("phone", *found.span())
    for found in _ANY.finditer(text):
        called = _SURELY_CALLED.search(clause_before(text, found.start(), _BEFORE)) or _CALLED_AFTER.match(
            text, found.end()
        )
        if called and not _is_something_else(text, found):
            yield Found("phone", *found.span())


def _is_national(number: str) -> bool:
    digits = re.sub(r"\D", "", number.partition("转")[0])
    return _LEAST <= len(digits) <= _MOST and len(set(digits)) >= _DIFFERENT and not _ROUND.fullmatch(digits)


def _is_something_else(text: str, found: re.Match[str]) -> bool:
    if _DATE.match(found[0]) or _ADDRESS.fullmatch(found[0]) or _UNIT.match(text, found.end()):
        return True
    if found[0].startswith(("+", "(+")):
        return False
    before = clause_before(text, found.start(), _BEFORE)
    if _ARITHMETIC.search(before):
        return True
    called = [one.end() for one in _CALLED.finditer(before)]
    otherwise = [one.end() for one in _OTHERWISE.finditer(before)]
    return bool(otherwise) and (not called or called[-1] <= otherwise[-1])
