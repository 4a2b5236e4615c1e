"""Cryptocurrency addresses: by check digits, or by form beside a word that names one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity import checksums
from shared.language.sensitivity.context import clause_before, rule
from shared.language.sensitivity.spans import Found
from shared.language.words import word_lists

_WORDS: Final = word_lists("wallets")

_WORD: Final = _WORDS["word"]
_END: Final = _WORDS["end"]
_BASE58: Final = rule(rf"{_WORD}[1-9A-HJ-NP-Za-km-z]{{25,110}}{_END}")
_BECH32: Final = rule(
    _WORDS["bech32"],
    re.IGNORECASE,
)
_HEXADECIMAL: Final = rule(rf"{_WORD}0x[0-9A-Fa-f]{{40}}{_END}")
_LONG_HEXADECIMAL: Final = rule(rf"{_WORD}0x[0-9A-Fa-f]{{64}}{_END}")  # Sui, Aptos; also transaction hashes
_TON: Final = rule(r"(?<![\w/+-])(?:EQ|UQ|kQ|0Q)[A-Za-z0-9_-]{46}(?![\w-])")
_VERSIONED: Final = rule(r"[13mn2DLMTrAX9]")
_SOLANA: Final = rule(r"[1-9A-HJ-NP-Za-km-z]{32,44}")
_MONERO: Final = rule(r"[48][1-9A-HJ-NP-Za-km-z]{94,105}")
_KEY_BYTES: Final = 32
_NAMED: Final = rule(_WORDS["named"], re.IGNORECASE)
_OTHERWISE: Final = rule(_WORDS["otherwise"], re.IGNORECASE)
_BEFORE: Final = 80
_AFTER: Final = 40


def wallets(text: str) -> Iterator[Found]:
    """Find wallet addresses; transaction hashes do not count."""
    for found in _BASE58.finditer(text):
        if _is_base58_address(text, found):
            yield Found("wallet", *found.span())
    for found in _BECH32.finditer(text):
        if (found[0].islower() or found[0].isupper()) and (checksums.bech32(found[0]) or _named(text, found)):
            yield Found("wallet", *found.span())
    for found in _HEXADECIMAL.finditer(text):
        yield Found("wallet", *found.span())
    for pattern in (_LONG_HEXADECIMAL, _TON):
        for found in pattern.finditer(text):
            if _named(text, found):
                yield Found("wallet", *found.span())


def _is_base58_address(text: str, found: re.Match[str]) -> bool:
    address = found[0]
    if not any(map(str.isdigit, address)) or address.islower() or address.isupper():
        return False
    if _VERSIONED.match(address) and (
        checksums.base58check(address) or (address[0] == "r" and checksums.base58check(address, ripple=True))
    ):
        return True
    if not _named(text, found):
        return False
    if _SOLANA.fullmatch(address):
        raw = checksums.base58(address)
        if raw is not None and len(raw) == _KEY_BYTES:
            return True
    # mistyped, but the words around it say what it is
    return _MONERO.fullmatch(address) is not None or re.fullmatch(r"[13TDLr]\w{25,34}", address) is not None


def _named(text: str, found: re.Match[str]) -> bool:
    before = clause_before(text, found.start(), _BEFORE)
    after = text[found.end() : found.end() + _AFTER]
    named = [one.start() for one in _NAMED.finditer(before)]
    otherwise = [one.start() for one in _OTHERWISE.finditer(before)]
    if otherwise and (not named or named[-1] < otherwise[-1]):
        return False
    return bool(named) or _NAMED.search(after) is not None
