"""Why a command may refuse. Services map each to one problem; none quotes what was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal
from uuid import UUID


class NotFound(Exception):
    """The thing does not exist for this person: it never did, is someone else's, or was forgotten."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} not found")
        self.what = what


class ConversationGone(Exception):
    """The conversation was forgotten; nothing can be added to it."""


class ConfirmationRequired(Exception):
    """Forgetting everything needs the typed phrase."""


class SelectionChanged(Exception):
    """Something that was picked to be forgotten is not what it was when it was shown."""


class TooLateToUndo(Exception):
    """The forget has begun, or was never meant to be undone."""


class UndoPossible(Exception):
    """What is needed is hidden by a forget that may still be undone: look again in so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__("hidden by a forget that may be undone")
        self.code = "undo_possible"
        self.seconds = seconds


class IdempotencyConflict(Exception):
    """The same Idempotency-Key came with another request."""


class LongTermOff(Exception):
    """Long-term memory is off: nothing is written to it, by hand neither."""


class ProvenanceWrong(Exception):
    """A message does not say what a memory claims to have from it."""


class NotToBeLearned(Exception):
    """A person does not want this message, or this part of it, to be learned from."""


class MemoryChanged(Exception):
    """The unit is not the version the caller has seen."""


class MemorySuperseded(Exception):
    """A newer unit took its place: that one is to be changed."""


class NothingCorrected(Exception):
    """A correction by description changed nothing.

    Args:
        why: `nothing_meant`, `several_meant`, or `said_already`: the one that is meant says just that.
        candidates: the memories it may have meant, the nearest first.
    """

    def __init__(
        self, why: Literal["nothing_meant", "several_meant", "said_already"], candidates: Sequence[UUID]
    ) -> None:
        super().__init__(why)
        self.why = why
        self.candidates = tuple(candidates)


class NotDisputed(Exception):
    """There is no contradiction to decide."""


class TooManyExports(Exception):
    """Enough packages of this person are there, or are being written."""


class ExportNotReady(Exception):
    """The package is still being written."""


class ExportGone(Exception):
    """The package was withdrawn: something it held was forgotten, or its time is over."""


class TooManyImports(Exception):
    """Enough packages of this person wait to be imported."""


class ImportOvertaken(Exception):
    """Its person forgot everything while a package came in."""


class StillErasing(UndoPossible):
    """Everything was forgotten before, and some of it is still there: look again in so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.code = "still_erasing"


class ScopeIncomplete(Exception):
    """A unit of a project needs its project, and one of all projects names none."""
