"""What a summary is made of, whoever writes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One message as a summary sees it; `role` is user or assistant."""

    role: str
    text: str


class ModelUnavailable(Exception):
    """The language model's endpoint did not answer; ask again later."""


class ModelRefuses(Exception):
    """The language model's endpoint rejects the request for good: its configuration is wrong."""


class Summarizer(Protocol):
    """Writes the next version of a conversation's summary."""

    @property
    def method(self) -> str:
        """How the summary is labelled: `extractive`, or `model:<name>`."""

    @property
    def asks_elsewhere(self) -> bool:
        """Whether summarising sends what it is given out of this process."""

    def summarize(self, previous: str, messages: Sequence[Spoken]) -> str:
        """Return a summary of all that `previous` covers and of `messages`, which follow it, oldest first.

        It is never longer than its limit, and empty when there is nothing to say.

        Raises:
            ModelUnavailable, ModelRefuses: as they say.
        """
