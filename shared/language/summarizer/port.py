"""The interface of summarizers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """One message as input of a summary; `role` is user or assistant."""

    role: str
    text: str


class ModelUnavailable(Exception):
    """The language model's endpoint did not answer; try again later."""


class ModelRefuses(Exception):
    """The language model's endpoint rejects the request permanently: its configuration is wrong."""


class Summarizer(Protocol):
    """Writes the next version of a conversation's summary."""

    @property
    def method(self) -> str:
        """The label of the summary: `extractive`, or `model:<name>`."""

    @property
    def asks_elsewhere(self) -> bool:
        """Whether summarising sends its input out of this process."""

    def summarize(self, previous: str, messages: Sequence[Spoken]) -> str:
        """Return a summary of `previous` and the `messages` after it, oldest first.

        It is never longer than its limit, and empty if there is nothing to say.

        Raises:
            ModelUnavailable, ModelRefuses: see there.
        """
