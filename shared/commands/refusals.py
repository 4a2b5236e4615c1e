"""Why a command may refuse. Services map each to one problem; none quotes what was asked."""

from __future__ import annotations


class NotFound(Exception):
    """The thing does not exist for this person: it never did, is someone else's, or was forgotten."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} not found")
        self.what = what


class ConversationGone(Exception):
    """The conversation was forgotten; nothing can be added to it."""


class ConfirmationRequired(Exception):
    """Forgetting everything needs the typed phrase."""


class IdempotencyConflict(Exception):
    """The same Idempotency-Key came with another request."""
