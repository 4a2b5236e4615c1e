"""Identity numbers issued by states: recognised by check digits, or by the document's name beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity import checksums
from shared.language.sensitivity.context import clause_before, rule
from shared.language.sensitivity.spans import Found
from shared.language.words import word_lists

_WORDS: Final = word_lists("identity")

_W: Final = r"(?<![A-Za-z0-9_.\-])"
_E: Final = r"(?![A-Za-z0-9_]|[.\-]\w)"

_CHINESE: Final = rule(rf"{_W}[1-9]\d{{5}}[ \-]?(?:18|19|20)\d{{2}}[01]\d[0-3]\d[ \-]?\d{{3}}[\dXx](?![A-Za-z0-9_])")
_TAIWAN: Final = rule(rf"{_W}[A-Za-z][1289]\d{{8}}{_E}")
_HONG_KONG: Final = rule(rf"{_W}[A-Za-z]{{1,2}}\d{{6}}\s?\(([0-9Aa])\)")
_SINGAPORE: Final = rule(rf"{_W}[STFGstfg]\d{{7}}[A-Za-z]{_E}")
_AMERICAN: Final = rule(rf"{_W}(?!000|666)\d{{3}}-(?!00)\d{{2}}-(?!0000)\d{{4}}{_E}")
_BRITISH: Final = rule(
    rf"{_W}(?![DFIQUV]|.[DFIQUVO]|BG|GB|NK|KN|TN|NT|ZZ)[A-Z]{{2}}([ \-]?)\d{{2}}\1\d{{2}}\1\d{{2}}\1[A-D]{_E}"
)
_ITALIAN: Final = rule(rf"{_W}[A-Z]{{6}}\d{{2}}[A-EHLMPRST]\d{{2}}[A-Z]\d{{3}}[A-Z]{_E}")
_MEXICAN: Final = rule(rf"{_W}[A-Z]{{4}}\d{{6}}[HM][A-Z]{{5}}[A-Z\d]\d{_E}")
_KOREAN: Final = rule(rf"{_W}\d{{2}}[01]\d[0-3]\d-[1-8]\d{{6}}{_E}")
_INDIAN: Final = rule(rf"{_W}[A-Z]{{3}}[ABCFGHJLPT][A-Z]\d{{4}}[A-Z]{_E}")
_BRAZILIAN: Final = rule(rf"{_W}\d{{3}}\.\d{{3}}\.\d{{3}}-\d{{2}}{_E}")

_DOCUMENT: Final = _WORDS["document"]
_NAMED: Final = rule(rf"(?<![A-Za-z])(?:{_DOCUMENT})", re.IGNORECASE)
_STATED: Final = rule(_WORDS["stated"])
_DIGITS_LEAST: Final = 5
_OTHERWISE: Final = rule(_WORDS["otherwise"], re.IGNORECASE)
_DATE: Final = rule(r"(?:19|20)\d{2}[-./ ]?\d{1,2}[-./ ]?\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{4}")
_LABELLED: Final = rule(_WORDS["labelled"], re.IGNORECASE)
_INVENTED: Final = rule(r"校验|瞎编|随便编|编的|测试用|假的|invalid|made.up|fake|dummy|fails?\b", re.IGNORECASE)


def identities(text: str) -> Iterator[Found]:
    """Find identity numbers."""
    for found in _CHINESE.finditer(text):
        if checksums.chinese_id(re.sub(r"[ \-]", "", found[0])):
            yield Found("identity", *found.span())
    for pattern, check in (
        (_TAIWAN, checksums.taiwan_id),
        (_SINGAPORE, checksums.singapore_id),
        (_HONG_KONG, lambda compact: checksums.hong_kong_id(re.sub(r"[\s()]", "", compact))),
    ):
        for found in pattern.finditer(text):
            if check(found[0]) and not _LABELLED.search(clause_before(text, found.start(), 16)):
                yield Found("identity", *found.span())
    for pattern in (_AMERICAN, _BRITISH, _ITALIAN, _MEXICAN, _KOREAN, _INDIAN, _BRAZILIAN):
        for found in pattern.finditer(text):
            if not _LABELLED.search(clause_before(text, found.start(), 24)):
                yield Found("identity", *found.span())
    yield from _stated(text)


def _stated(text: str) -> Iterator[Found]:
    """Find numbers after the name of a document: "passport no. …", "驾照号是…"."""
    for cue in _NAMED.finditer(text):
        at = cue.end()
        found = _STATED.match(text, at)
        if not found:
            continue
        value = found["value"]
        if sum(map(str.isdigit, value)) < _DIGITS_LEAST or _DATE.fullmatch(value):
            continue
        if _OTHERWISE.search(found["gap"]) or _INVENTED.search(text[found.end() : found.end() + 16]):
            continue
        yield Found("identity", *found.span("value"))
