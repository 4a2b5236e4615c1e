"""Counts the tokens of a text as current models do."""

from __future__ import annotations

import secrets
import threading
import warnings
from collections import OrderedDict
from functools import cache
from hashlib import blake2b
from typing import Any, Final

_ENCODING: Final = "o200k_base"
_KEY: Final = secrets.token_bytes(32)


KEPT: Final = 50_000
"""Number of cached counts. Keys are digests, because content must not stay in memory."""

_counts: OrderedDict[bytes, int] = OrderedDict()
_counting: Final = threading.Lock()


def count(text: str) -> int:
    """Return the tokens of a text in the encoding `o200k_base`; special tokens are counted as plain text."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=_KEY).digest()
    with _counting:
        if (known := _counts.get(digest)) is not None:
            _counts.move_to_end(digest)
            return known
    counted = len(_encoding().encode_ordinary(text))
    with _counting:
        _counts[digest] = counted
        while len(_counts) > KEPT:
            _counts.popitem(last=False)
    return counted


@cache
def _encoding() -> Any:
    with warnings.catch_warnings():
        # bpe_openai calls a function that is deprecated in Python 3.11, but not in 3.13.
        warnings.simplefilter("ignore", DeprecationWarning)
        import bpe_openai  # noqa: PLC0415 # about 140 MiB, only for processes that count tokens

        return bpe_openai.get_encoding(_ENCODING)
