"""Card numbers, bank accounts and card verification codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity import checksums
from shared.language.sensitivity.context import HAN, clause_before, rule
from shared.language.sensitivity.spans import Found
from shared.language.words import word_lists

_WORDS: Final = word_lists("payments")

_CARD: Final = rule(r"(?<![\w.:/#@\-])(?<!\d )\d(?:[ \-]?\d){11,18}(?![\w@/]|[\-.]\w| \d{3})")
_GROUPED: Final = rule(
    r"\d{12,19}|\d{4}(?:([ \-])\d{4})(?:\1\d{2,4}){1,3}|\d{4}([ \-])\d{6}\2\d{4,5}|\d{6}[ \-]\d{10,13}"
)
_ISSUERS: Final = (
    (rule(r"4"), {16, 19}),
    (rule(r"5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)"), {16}),
    (rule(r"3[47]"), {15}),
    (rule(r"6(?:011|22|4[4-9]|5)"), {16, 17, 18, 19}),
    (rule(r"62|60|9[0-9]|81"), {16, 17, 18, 19}),  # UnionPay, RuPay, Chinese debit cards
    (rule(r"35"), {16}),
    (rule(r"3(?:0[0-5]|6|[89])"), {14, 16}),
    (rule(r"5[0678]|6[37]"), {16, 18, 19}),  # Maestro
    (rule(r"4"), {13}),
)
_CARD_WORDS: Final = rule(_WORDS["card_words"], re.IGNORECASE)
_CARD_NUMBER: Final = rule(_WORDS["card_number"], re.IGNORECASE)
_ANOTHER_CARD: Final = rule(_WORDS["another_card"], re.IGNORECASE)
_OTHERWISE: Final = rule(_WORDS["otherwise"], re.IGNORECASE)
_BEFORE: Final = 40

_IBAN: Final = rule(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \-]?[A-Za-z0-9]){11,30}")

_CODE: Final = rule(_WORDS["code"], re.IGNORECASE)
_DIGITS: Final = rule(
    r"[^.!?;\n。\d]{0,40}?(?<![\w.])(?P<value>\d{3,4})(?![\w%$€£]|[.,]\d|[:\-/]\d)(?!\s?(?:位|digit|次|块|元|年))"
)
_AROUND: Final = 100

_ACCOUNT: Final = rule(_WORDS["account"], re.IGNORECASE)

_BESIDE_A_BANK: Final = rule(
    r"\b(?:account|acct|acc|a/c)\.?\s?(?:is|[:=#\-])?\s?(?P<value>\d(?:[ \-]?\d){5,11})(?!\d)", re.IGNORECASE
)
_BANK: Final = rule(r"\bsort\b|routing|\biban\b|\bbsb\b|\baba\b|swift|\bbic\b|\bbank\b", re.IGNORECASE)


def payments(text: str) -> Iterator[Found]:
    """Find card numbers by check digit, IBANs, accounts named as such, and card verification codes."""
    cards = [found.span() for found in _CARD.finditer(text) if _is_card(text, found)]
    yield from (Found("payment", *span) for span in cards)
    yield from _ibans(text)
    for found in _ACCOUNT.finditer(text):
        if found.lastgroup:
            yield Found("payment", *found.span(found.lastgroup))
    for found in _BESIDE_A_BANK.finditer(text):
        if _BANK.search(text[max(0, found.start() - _AROUND) : found.start()]):
            yield Found("payment", *found.span("value"))
    yield from _verification_codes(text, cards)


def _is_card(text: str, found: re.Match[str]) -> bool:
    digits = re.sub(r"\D", "", found[0])
    if not _GROUPED.fullmatch(found[0]) or len(set(digits)) == 1:
        return False
    before = clause_before(text, found.start(), _BEFORE)
    if _ANOTHER_CARD.search(before):
        return False
    if _CARD_NUMBER.search(before):
        return True
    if not any(issuer.match(digits) and len(digits) in lengths for issuer, lengths in _ISSUERS):
        return False
    if not checksums.luhn(digits):
        return False
    otherwise = [one.start() for one in _OTHERWISE.finditer(before)]
    named = [one.start() for one in _CARD_WORDS.finditer(before)]
    return not otherwise or (bool(named) and named[-1] > otherwise[-1])


def _ibans(text: str) -> Iterator[Found]:
    for found in _IBAN.finditer(text):
        length = checksums.iban_length(found[0][:2].upper())
        if length is None:
            continue
        end = _after(text, found.start(), length, found.end())
        compact = re.sub(r"[ \-]", "", text[found.start() : end]).upper()
        if checksums.iban(compact) and not re.match(r"[A-Za-z0-9]", text[end : end + 1]):
            yield Found("payment", found.start(), end)


def _after(text: str, at: int, length: int, limit: int) -> int:
    """Return the end of the first `length` letters and digits from `at` on."""
    left = length
    while left and at < limit:
        left -= text[at] not in " -"
        at += 1
    return at


def _verification_codes(text: str, cards: list[tuple[int, int]]) -> Iterator[Found]:
    for cue in _CODE.finditer(text):
        found = _DIGITS.match(text, cue.end())
        if not found:
            continue
        if cue["sure"] or _near_a_card(text, cue, cards):
            yield Found("payment", *found.span("value"))


def _near_a_card(text: str, cue: re.Match[str], cards: list[tuple[int, int]]) -> bool:
    around = text[max(0, cue.start() - _AROUND) : cue.end() + _AROUND]
    near = any(cue.start() - _AROUND <= start <= cue.end() + _AROUND for start, _ in cards)
    if near:
        return True
    return (
        cue[0] != "验证码"
        and re.search(
            rf"\bcards?\b|\bcv[cv]\b|\bvisa\b|\bmaster ?card\b|\bamex\b|信用卡|付款|卡背|背面|(?<![{HAN}])卡",
            around,
            re.IGNORECASE,
        )
        is not None
    )
