"""Runs every detector and resolves overlaps."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from typing import Final

from shared.language.sensitivity.addresses import emails, paths
from shared.language.sensitivity.credentials import credentials
from shared.language.sensitivity.entry_codes import entry_codes
from shared.language.sensitivity.folding import fold
from shared.language.sensitivity.identity import identities
from shared.language.sensitivity.keys import keys
from shared.language.sensitivity.names import names
from shared.language.sensitivity.payments import payments
from shared.language.sensitivity.phones import phones
from shared.language.sensitivity.seeds import seeds
from shared.language.sensitivity.spans import Found
from shared.language.sensitivity.stated import stated
from shared.language.sensitivity.wallets import wallets

_DETECTORS: Final[tuple[Callable[[str], Iterator[Found]], ...]] = (
    keys,
    seeds,
    credentials,
    wallets,
    payments,
    identities,
    stated,
    entry_codes,
    emails,
    phones,
    paths,
    names,
)
"""In order of certainty: where two findings overlap, the earlier detector wins."""


def find(text: str) -> list[Found]:
    """Return the sensitive fragments of `text` in order, without overlaps."""
    folded = fold(text)
    taken: list[tuple[int, int, Found]] = []
    for detector in _DETECTORS:
        for found in detector(folded):
            if _is_free(taken, found):
                insort(taken, (found.start, found.end, found), key=lambda one: one[:2])
    return [found for _, _, found in taken]


def _is_free(taken: list[tuple[int, int, Found]], found: Found) -> bool:
    at = bisect_left(taken, found.end, key=lambda one: one[0])
    return at == 0 or taken[at - 1][1] <= found.start
