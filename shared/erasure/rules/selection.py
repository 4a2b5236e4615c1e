"""What a person picks to forget, and the state it was in when they saw it (X-06)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias
from uuid import UUID

from shared.kernel.spans import Span

Kind: TypeAlias = Literal["message", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """One item to forget, as shown. With `spans`, only those parts of its text: ordered, not adjacent.

    An item that is not `sure` is forgotten only if its id is requested.
    """

    kind: Kind
    id: UUID
    version: str
    spans: tuple[Span, ...] = ()
    sure: bool = True


def version_of(text: str, version: int) -> str:
    """Return a digest of an item's state, to detect changes without keeping its text."""
    return hashlib.sha256(f"{version}\n{text}".encode()).hexdigest()[:16]


_EVERYWHERE: Final = frozenset(
    (
        "the",
        "and",
        "for",
        "with",
        "that",
        "this",
        "have",
        "has",
        "was",
        "are",
        "you",
        "your",
        "not",
        "but",
        "from",
        *"的我了是在",
    )
)
"""Words that say nothing of what a text is about."""
_WORD: Final = re.compile(r"[^\W\u3400-\u9fff]{3,}|[\u3400-\u9fff]")


def may_say(text: str | None, said: str | None, quote: Span, spans: Sequence[Span], *, method: str | None) -> bool:
    """Return whether a memory may say some of the erased words although it quotes others.

    One that a language model worded may, whatever its words; any other only if it has words that its quote lacks.

    Args:
        text: of the memory; None if it is not visible.
        said: the text of the message, of which `spans` are erased.
        method: how the memory was made.
    """
    if text is None or said is None or (method or "").startswith("model:"):
        return True
    own = _words(text) - _words(said[slice(*quote)])
    return any(own & _words(said[start:end]) for start, end in spans)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold())) - _EVERYWHERE
