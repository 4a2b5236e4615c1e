"""Says which passages and facts the policy for sensitive content keeps from being learned (FC-10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from shared.conversations.sql.messages import Message
from shared.kernel.sensitivity import Category
from shared.language import sensitivity
from shared.language.candidates import Candidate
from shared.language.embedding.bundled import Unembeddable
from shared.language.sensitivity.identifying import identifies
from shared.runtime import telemetry
from workers.process import process

REJECTED_AS: Final[Mapping[str, Category]] = {
    "credential": "credential",
    "payment": "payment",
    "bank_account": "payment",
    "identity": "identity",
    "wallet": "wallet",
    "file_path": "path",
}
"""Maps sensitive kinds found by the reader to policy categories; the reader also finds wordings no rule covers."""


def rejected_spans(text: str) -> list[tuple[int, int]]:
    """Return spans no quote may overlap: part of one may have lost the word that marks it as sensitive."""
    return [(one.start, one.end) for one in sensitivity.find(text) if process().sensitivity[one.category] == "reject"]


def is_rejected(candidate: Candidate) -> bool:
    """Return whether the reader found content in the quote that must never be stored."""
    categories = (REJECTED_AS[one] for one in candidate.sensitive if one in REJECTED_AS)
    return any(process().sensitivity[one] == "reject" for one in categories)


def withheld_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans hidden from every reader."""
    return [(one.start, one.end) for one in sensitivity.find(text) if process().sensitivity[one.category] != "allow"]


def fact_identifies(candidate: Candidate, message: Message) -> bool:
    """Return whether a fact identifies a person, in its quote or in its new wording."""
    reworded = candidate.reworded and identifies(candidate.text)
    return reworded or identifies(message.text, candidate.quote_start, candidate.quote_end)


@contextmanager
def not_learned_without_vector() -> Iterator[None]:
    """Skip a fact whose text has no vector. The message remains, and can be found by its words."""
    try:
        yield
    except Unembeddable:
        telemetry.UNEMBEDDABLE.inc()
