"""Check digits, which distinguish an identity or account number from any other number.

Implemented here because the most complete library lacks identity numbers of Taiwan and Hong Kong, and all wallets
except Bitcoin's older ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date
from typing import Final

from shared.language.words import word_tables

_BASE58: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BASE58_VALUES: Final = {character: value for value, character in enumerate(_BASE58)}
_RIPPLE: Final = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
_RIPPLE_VALUES: Final = {character: value for value, character in enumerate(_RIPPLE)}
_BECH32: Final = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_BECH32_GENERATORS: Final = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_BECH32_RESIDUES: Final = (1, 0x2BC830A3)

_CHINESE_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHINESE_CHECKS: Final = "10X98765432"
_TAIWAN_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
_TAIWAN_FIRST: Final = 10
_SINGAPORE_WEIGHTS: Final = (2, 7, 6, 5, 4, 3, 2)
_SINGAPORE_CHECKS: Final = {"S": "JZIHGFEDCBA", "T": "GFEDCBAJZIH", "F": "XWUTRQPNMLK", "G": "RQPNMLKXWUT"}

_IBAN_LENGTHS: Final[Mapping[str, int]] = word_tables("checksums")["iban_lengths"]


def luhn(digits: str) -> bool:
    """Return whether a card number's check digit is right (ISO/IEC 7812-1)."""
    total = 0
    for position, digit in enumerate(map(int, reversed(digits))):
        total += sum(divmod(digit * 2, 10)) if position % 2 else digit
    return total % 10 == 0


def iban_length(country: str) -> int | None:
    """Return the number of characters of a country's IBAN, None if it has no IBAN."""
    return _IBAN_LENGTHS.get(country)


def iban(compact: str) -> bool:
    """Return whether an IBAN in capitals without spaces has its country's length and right check digits (mod 97)."""
    if len(compact) != _IBAN_LENGTHS.get(compact[:2]):
        return False
    return int("".join(str(int(character, 36)) for character in compact[4:] + compact[:4])) % 97 == 1


def chinese_id(compact: str) -> bool:
    """Return whether 18 characters are a Chinese resident identity number: a birthday, and mod 11-2 (GB 11643)."""
    try:
        date(int(compact[6:10]), int(compact[10:12]), int(compact[12:14]))
    except ValueError:
        return False
    weighted = sum(weight * int(digit) for weight, digit in zip(_CHINESE_WEIGHTS, compact[:17], strict=True))
    return _CHINESE_CHECKS[weighted % 11] == compact[17].upper()


def taiwan_id(compact: str) -> bool:
    """Return whether a letter and nine digits are a national or resident identity number of Taiwan."""
    tens, ones = divmod(_TAIWAN_LETTERS.index(compact[0].upper()) + _TAIWAN_FIRST, 10)
    digits = [int(digit) for digit in compact[1:]]
    weighted = sum(digit * weight for digit, weight in zip(digits, (8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True))
    return (tens + ones * 9 + weighted) % 10 == 0


def hong_kong_id(compact: str) -> bool:
    """Return whether one or two letters, six digits and a check character are a Hong Kong identity card number."""
    body = compact[:-1].upper().rjust(8)
    values = [36 if character == " " else int(character, 36) for character in body]
    weighted = sum(value * weight for value, weight in zip(values, range(9, 1, -1), strict=True))
    return (weighted + int(compact[-1], 36)) % 11 == 0


def singapore_id(compact: str) -> bool:
    """Return whether a letter, seven digits and a letter are a Singapore NRIC or FIN."""
    weighted = sum(int(digit) * weight for digit, weight in zip(compact[1:8], _SINGAPORE_WEIGHTS, strict=True))
    return _SINGAPORE_CHECKS[compact[0].upper()][weighted % 11] == compact[8].upper()


def base58(text: str, *, ripple: bool = False) -> bytes | None:
    """Return the bytes of a Base58 text of at most 120 characters, None if it is not Base58."""
    values = _RIPPLE_VALUES if ripple else _BASE58_VALUES
    number = 0
    for character in text[:120]:
        value = values.get(character)
        if value is None:
            return None
        number = number * 58 + value
    zero = _RIPPLE[0] if ripple else _BASE58[0]
    zeros = len(text) - len(text.lstrip(zero))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")


def base58check(text: str, *, ripple: bool = False) -> bool:
    """Return whether a text is a version, 20 bytes and their checksum: an address of Bitcoin or a descendant."""
    raw = base58(text, ripple=ripple)
    if raw is None or len(raw) != 25:  # noqa: PLR2004 - 1 + 20 + 4
        return False
    return hashlib.sha256(hashlib.sha256(raw[:-4]).digest()).digest()[:4] == raw[-4:]


def bech32(text: str) -> bool:
    """Return whether a text in one case is Bech32 or Bech32m with a right checksum (BIP-173, BIP-350)."""
    human, _, data = text.lower().rpartition("1")
    values = [_BECH32.find(character) for character in data]
    if not human or -1 in values:
        return False
    residue = 1
    for value in [*(ord(c) >> 5 for c in human), 0, *(ord(c) & 31 for c in human), *values]:
        top = residue >> 25
        residue = (residue & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_BECH32_GENERATORS):
            residue ^= generator if top >> bit & 1 else 0
    return residue in _BECH32_RESIDUES
