"""Errors that commands raise. Services map each to one problem; none quotes the request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from uuid import UUID


class NotFound(Exception):
    """The item does not exist for this person: it never existed, belongs to someone else, or was forgotten."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} not found")
        self.what = what


class ConversationGone(Exception):
    """The conversation was forgotten; nothing can be added to it."""


class ConfirmationRequired(Exception):
    """Forgetting everything requires the confirmation phrase."""


class SelectionChanged(Exception):
    """An item selected for forgetting has changed since it was shown."""


class TooLateToUndo(Exception):
    """The forget operation has already started, or cannot be undone."""


class UndoPossible(Exception):
    """A required item is hidden by a forget operation that can still be undone.

    Args:
        seconds: how long until the undo period ends; retry then.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__("hidden by a forget that may be undone")
        self.code = "undo_possible"
        self.seconds = seconds


class IdempotencyConflict(Exception):
    """The same Idempotency-Key was used for a different request."""


class LongTermOff(Exception):
    """Long-term memory is off, so nothing can be added to it, not even manually."""


class ProvenanceWrong(Exception):
    """The cited message does not match the provenance claimed for a memory."""


class NotToBeLearned(Exception):
    """The person excluded this message, or this part of it, from learning."""


class MemoryChanged(Exception):
    """The memory is no longer the version the caller saw."""


class TraitChanged(Exception):
    """The trait has another version than the caller saw."""


class TraitSensitive(Exception):
    """The wording of a trait names sensitive matters; `categories` says which."""

    def __init__(self, categories: Sequence[str]) -> None:
        super().__init__()
        self.categories = tuple(categories)


class TraitsOff(Exception):
    """Traits are neither inferred nor used while they, long-term memory or injection are off for this person."""


class MemorySuperseded(Exception):
    """A newer memory supersedes this one; change the newer one instead."""


class ExternalIdTaken(Exception):
    """Another conversation, or memory in force, of this person has this external id; use that one instead."""


class NothingCorrected(Exception):
    """A correction by description changed nothing.

    Args:
        why: `nothing_meant`: no memory matches; `several_meant`: several match; `said_already`: the matching memory
            already says this.
        candidates: the memories that may match, most similar first.
    """

    def __init__(
        self, why: Literal["nothing_meant", "several_meant", "said_already"], candidates: Sequence[UUID]
    ) -> None:
        super().__init__(why)
        self.why = why
        self.candidates = tuple(candidates)


class NotDisputed(Exception):
    """The memory contradicts no other memory, so there is nothing to resolve."""


class TooManyExports(Exception):
    """The person has reached the limit of export packages, finished or in progress."""


class ExportNotReady(Exception):
    """The export package is still being written."""


class ExportGone(Exception):
    """The export package was revoked: its content was forgotten, or it expired."""


class TooManyImports(Exception):
    """The person has reached the limit of packages waiting to be imported."""


class ImportOvertaken(Exception):
    """The person forgot everything while the package was being uploaded."""


class StillErasing(UndoPossible):
    """An earlier forget of everything is still being erased; retry after `seconds`."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.code = "still_erasing"


class ScopeIncomplete(Exception):
    """A memory with project scope needs a project id, and one with global scope must have none."""


class ConsentRequired(Exception):
    """The person did not consent to this; `scopes` are those that are missing (FC-02)."""

    def __init__(self, scopes: Sequence[str]) -> None:
        super().__init__(", ".join(scopes))
        self.scopes = tuple(scopes)


class ConsentVersionConflict(Exception):
    """A later grant replaced this consent; `current` is the id of the one that holds."""

    def __init__(self, current: UUID) -> None:
        super().__init__("a later grant replaced this consent")
        self.current = current


class ConsentTextUnknown(Exception):
    """The wording the person is said to have seen is not the current one; `current` is its version."""

    def __init__(self, current: str) -> None:
        super().__init__("not the current wording")
        self.current = current


class ContextTooLarge(Exception):
    """A context has more than 8 KiB."""


class TaskEndedAlready(Exception):
    """The task ended, so nothing can be recalled for it any more."""


class AdminEditsProhibited(Exception):
    """This deployment lets only the person change what is remembered about them."""
