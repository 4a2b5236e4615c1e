"""The problem document for each error, shared by all services."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shared.kernel.database import DatabaseFailed, DatabaseUnavailable, SubjectBusy
from shared.kernel.errors import (
    ConfirmationRequired,
    ConversationGone,
    ExportGone,
    ExportNotReady,
    IdempotencyConflict,
    ImportOvertaken,
    LongTermOff,
    MemoryChanged,
    MemorySuperseded,
    NotDisputed,
    NotFound,
    NothingCorrected,
    NotToBeLearned,
    ProvenanceWrong,
    ScopeIncomplete,
    SelectionChanged,
    TooLateToUndo,
    TooManyExports,
    TooManyImports,
)
from shared.language.descriptions import TERMS_MAX, TooManyTerms
from shared.runtime.body import Body as Body  # noqa: PLC0414  # what routes build their bodies from
from shared.runtime.describing import AlreadyLooking, Stopped, TookTooLong
from shared.runtime.problems import BUSY, INTERNAL_ERROR, ProblemKind
from shared.runtime.restore_watch import ReplayNeeded
from shared.runtime.selection_tokens import NothingSure, SelectionInvalid
from shared.stores.sealed.files import FilesRefused, FilesUnavailable

DATABASE_BUSY: Final = replace(BUSY, error_code="DB_ERROR")
"""CN's name for this error (CN-02)."""

PROBLEMS: Final[dict[type[Exception], ProblemKind]] = {
    NotFound: ProblemKind(status=404, code="not_found", title="There is nothing here, or it is not yours."),
    ConversationGone: ProblemKind(
        status=410, code="conversation_forgotten", title="This conversation was forgotten; start a new one."
    ),
    ConfirmationRequired: ProblemKind(
        status=422,
        code="confirmation_required",
        title="Forgetting everything needs its confirmation phrase.",
        detail="Send confirmation: FORGET EVERYTHING (or 忘掉一切).",
    ),
    IdempotencyConflict: ProblemKind(
        status=409, code="idempotency_conflict", title="This Idempotency-Key was used for another request."
    ),
    SelectionChanged: ProblemKind(
        status=422, code="selection_changed", title="Something of the selection has changed since; find it again."
    ),
    NothingSure: ProblemKind(
        status=422, code="nothing_sure", title="Nothing that was found is sure. Name what is to go in `ids`."
    ),
    SelectionInvalid: ProblemKind(
        status=422, code="selection_invalid", title="The token is not one of ours, or too old; find it again."
    ),
    TooLateToUndo: ProblemKind(status=409, code="too_late_to_undo", title="The forget has begun, or cannot be undone."),
    LongTermOff: ProblemKind(
        status=409, code="longterm_off", title="Long-term memory is off; turn it on to write to it."
    ),
    MemoryChanged: ProblemKind(status=412, code="precondition_failed", title="It has changed since you read it."),
    MemorySuperseded: ProblemKind(
        status=409, code="memory_superseded", title="A newer memory took its place; change that one."
    ),
    ProvenanceWrong: ProblemKind(
        status=422,
        code="provenance_wrong",
        title="The message does not say that.",
        detail="Its conversation, role and turn must be those named, and the quote must lie in its text.",
    ),
    NotToBeLearned: ProblemKind(
        status=409, code="not_to_be_learned", title="Its person does not want this to be learned from."
    ),
    NotDisputed: ProblemKind(status=409, code="not_disputed", title="There is no contradiction to decide."),
    NothingCorrected: ProblemKind(
        status=409,
        code="nothing_corrected",
        title="Nothing was corrected.",
        detail="`details.why` says why, `details.candidates` names the memories that may be meant; edit one by its id.",
        details=lambda error: {"why": error.why, "candidates": [str(one) for one in error.candidates]},
    ),
    ExportNotReady: ProblemKind(
        status=409,
        code="export_not_ready",
        title="The package is still being written.",
        detail="Its operation says how far it is.",
        headers={"Retry-After": "1"},
    ),
    ExportGone: ProblemKind(
        status=410,
        code="export_gone",
        title="The package is gone: something in it was forgotten, or its time is over. Export again.",
    ),
    TooManyExports: ProblemKind(
        status=429,
        code="too_many_exports",
        title="There are enough packages of this person.",
        detail="They go when their time is over; until then the ones that are there can be downloaded.",
        headers={"Retry-After": "3600"},
    ),
    TooManyImports: ProblemKind(
        status=429,
        code="too_many_imports",
        title="Enough packages of this person wait to be imported.",
        detail="Their operations say how far they are.",
        headers={"Retry-After": "5"},
    ),
    ImportOvertaken: ProblemKind(
        status=409,
        code="import_overtaken",
        title="The package was overtaken while it came in; nothing of it was kept.",
        detail="Everything was forgotten meanwhile, or nothing came for too long. Send it again if it is still wanted.",
    ),
    ScopeIncomplete: ProblemKind(
        status=422,
        code="scope_incomplete",
        title="Scope and project do not fit each other.",
        detail="Scope project needs a project_id, scope global has none.",
    ),
    ReplayNeeded: ProblemKind(
        status=503,
        code="replay_needed",
        title="A backup was restored; nothing is served until its forgets were replayed.",
        detail="The operator runs: memory-center replay",
        retry_after=30,
    ),
    TooManyTerms: ProblemKind(
        status=422,
        code="too_many_terms",
        title="The description names too much at once.",
        detail="Describe it in fewer words, or one thing after the other.",
        details=lambda error: {"terms": error.terms, "most": TERMS_MAX},
    ),
    AlreadyLooking: ProblemKind(
        status=429,
        code="already_looking",
        title="The last description is still being looked for.",
        detail="Wait for its answer, or end that request.",
        headers={"Retry-After": "1"},
    ),
    TookTooLong: ProblemKind(
        status=503,
        code="took_too_long",
        title="Looking through everything took too long; it was ended, and nothing was changed.",
        detail="Describe it in fewer words, or name a project to look in.",
        retry_after=5,
    ),
    Stopped: BUSY,
    DatabaseUnavailable: DATABASE_BUSY,
    DatabaseFailed: replace(INTERNAL_ERROR, error_code="DB_ERROR"),
    FilesUnavailable: BUSY,
    FilesRefused: BUSY,
    SubjectBusy: DATABASE_BUSY,
}
