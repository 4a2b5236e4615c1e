"""The problem document for each error, shared by all services."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shared.kernel.database_errors import DatabaseFailed, DatabaseUnavailable, SubjectBusy
from shared.kernel.errors import (
    AdminEditsProhibited,
    ConfirmationRequired,
    ConsentRequired,
    ConsentTextUnknown,
    ConsentVersionConflict,
    ContextTooLarge,
    ConversationGone,
    ExportGone,
    ExportNotReady,
    ExternalIdTaken,
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
    TaskEndedAlready,
    TooLateToUndo,
    TooManyExports,
    TooManyImports,
    TraitChanged,
    TraitSensitive,
    TraitsOff,
)
from shared.language.descriptions import TERMS_MAX, TooManyTerms
from shared.language.embedding.bundled import EmbedderUnavailable
from shared.runtime.body import Body as Body  # noqa: PLC0414  # what routes build their bodies from
from shared.runtime.describing import AlreadyLooking, Stopped, TookTooLong
from shared.runtime.problems import BUSY, INTERNAL_ERROR, ProblemKind
from shared.runtime.restore_watch import (
    LedgerMissing,
    LedgerNotShared,
    LedgerUnread,
    PackagesNotShared,
    ReplayNeeded,
    VectorsNotShared,
)
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
        title="Forgetting everything requires the confirmation phrase.",
        detail="Send confirmation: FORGET EVERYTHING (or 忘掉一切).",
    ),
    ConsentRequired: ProblemKind(
        status=403,
        code="profile_consent_required",
        title="The person has not agreed to this.",
        detail="`details.required_scopes` names what is missing. Ask them; POST /users/{user_id}/profile-consent.",
        details=lambda error: {"required_scopes": list(error.scopes)},
    ),
    ConsentVersionConflict: ProblemKind(
        status=409,
        code="consent_version_conflict",
        title="A later consent replaced this one.",
        detail="`details.consent_id` is the one that holds.",
        details=lambda error: {"consent_id": str(error.current)},
    ),
    ConsentTextUnknown: ProblemKind(
        status=422,
        code="consent_text_unknown",
        title="The person did not see the current wording.",
        detail="GET /consent-text has it; `details.text_version` is its version.",
        details=lambda error: {"text_version": error.current},
    ),
    ContextTooLarge: ProblemKind(status=422, code="context_too_large", title="A context has at most 8 KiB."),
    TaskEndedAlready: ProblemKind(status=409, code="task_ended", title="This task has ended. Start another one."),
    AdminEditsProhibited: ProblemKind(
        status=403,
        code="admin_edits_prohibited",
        title="Only the person may change what is remembered about them here.",
    ),
    IdempotencyConflict: ProblemKind(
        status=409, code="idempotency_conflict", title="This Idempotency-Key was already used for a different request."
    ),
    SelectionChanged: ProblemKind(
        status=422, code="selection_changed", title="Something in the selection has changed. Search again."
    ),
    NothingSure: ProblemKind(
        status=422, code="nothing_sure", title="No match is certain. List the items to forget in `ids`."
    ),
    SelectionInvalid: ProblemKind(
        status=422, code="selection_invalid", title="The token is invalid or has expired. Search again."
    ),
    TooLateToUndo: ProblemKind(
        status=409, code="too_late_to_undo", title="Erasing has started, or this operation cannot be undone."
    ),
    LongTermOff: ProblemKind(
        status=409, code="longterm_off", title="Long-term memory is off. Turn it on to save memories."
    ),
    MemoryChanged: ProblemKind(
        status=412, code="precondition_failed", title="The memory has changed since you read it."
    ),
    ExternalIdTaken: ProblemKind(
        status=409, code="external_id_taken", title="Another conversation or memory has this external_id. Use that one."
    ),
    MemorySuperseded: ProblemKind(
        status=409, code="memory_superseded", title="A newer memory has replaced this one. Change the newer one."
    ),
    TraitChanged: ProblemKind(status=412, code="precondition_failed", title="The trait has changed since you read it."),
    TraitsOff: ProblemKind(
        status=409,
        code="traits_off",
        title="Traits are off.",
        detail="They need traits_enabled, longterm_enabled and injection_enabled.",
    ),
    TraitSensitive: ProblemKind(
        status=422,
        code="trait_sensitive",
        title="A trait must not speak of a sensitive matter.",
        detail="Write a memory if you want this to be remembered.",
        details=lambda error: {"categories": list(error.categories)},
    ),
    ProvenanceWrong: ProblemKind(
        status=422,
        code="provenance_wrong",
        title="The provenance does not match the message.",
        detail="Conversation, role and turn must match the message, and the quote must be within its text.",
    ),
    NotToBeLearned: ProblemKind(status=409, code="not_to_be_learned", title="This message was excluded from learning."),
    NotDisputed: ProblemKind(status=409, code="not_disputed", title="There is no contradiction to resolve."),
    NothingCorrected: ProblemKind(
        status=409,
        code="nothing_corrected",
        title="Nothing was corrected.",
        detail="`details.why` gives the reason. You can edit one of the memories in `details.candidates` by its id.",
        details=lambda error: {"why": error.why, "candidates": [str(one) for one in error.candidates]},
    ),
    ExportNotReady: ProblemKind(
        status=409,
        code="export_not_ready",
        title="The package is still being written.",
        detail="Its operation shows the progress.",
        headers={"Retry-After": "1"},
    ),
    ExportGone: ProblemKind(
        status=410,
        code="export_gone",
        title="The package expired, or something in it was forgotten. Export again.",
    ),
    TooManyExports: ProblemKind(
        status=429,
        code="too_many_exports",
        title="This person has too many packages.",
        detail="Packages are deleted when they expire. Until then you can download them.",
        headers={"Retry-After": "3600"},
    ),
    TooManyImports: ProblemKind(
        status=429,
        code="too_many_imports",
        title="Too many imports are waiting for this person.",
        detail="Their operations show the progress.",
        headers={"Retry-After": "5"},
    ),
    ImportOvertaken: ProblemKind(
        status=409,
        code="import_overtaken",
        title="The upload was cancelled; nothing was imported.",
        detail="Everything was forgotten during the upload, or the upload stalled. You can send the package again.",
    ),
    ScopeIncomplete: ProblemKind(
        status=422,
        code="scope_incomplete",
        title="Scope and project do not match.",
        detail="Scope project requires a project_id; scope global must not have one.",
    ),
    ReplayNeeded: ProblemKind(
        status=503,
        code="replay_needed",
        title="A backup was restored. Its forgets must be replayed first.",
        detail="The operator must run: memory-center replay",
        retry_after=30,
    ),
    EmbedderUnavailable: ProblemKind(
        status=503,
        code="embedder_unavailable",
        title="The reader is busy or away. Nothing was changed.",
        detail="Try again.",
        retry_after=5,
    ),
    LedgerMissing: ProblemKind(
        status=503,
        code="ledger_missing",
        title="The ledger outside the database is gone, so nothing proves that the database is the newest.",
        detail="The operator must put the ledger back, or start once with MEMORY_CENTER_LEDGER_START=empty.",
        retry_after=30,
    ),
    LedgerUnread: ProblemKind(
        status=503,
        code="ledger_unavailable",
        title="The ledger outside the database could not be read yet, so the database may be a restored backup.",
        detail="This ends by itself once the ledger can be read.",
        retry_after=5,
    ),
    LedgerNotShared: ProblemKind(
        status=503,
        code="ledger_not_shared",
        title="Several hosts use this database, and each has a ledger of its own.",
        detail="The operator must give all hosts one bucket: MEMORY_CENTER_LEDGER_S3_BUCKET.",
        retry_after=30,
    ),
    PackagesNotShared: ProblemKind(
        status=503,
        code="packages_not_shared",
        title="Several hosts use this database, and each keeps packages in a folder of its own.",
        detail="The operator must give all hosts one bucket: MEMORY_CENTER_FILES_S3_BUCKET.",
        retry_after=30,
    ),
    VectorsNotShared: ProblemKind(
        status=503,
        code="vectors_not_shared",
        title="Several hosts use this database, and each has a Milvus of its own.",
        detail="The operator must give all hosts one Milvus server.",
        retry_after=30,
    ),
    TooManyTerms: ProblemKind(
        status=422,
        code="too_many_terms",
        title="The description contains too many terms.",
        detail="Use fewer words, or describe one thing at a time.",
        details=lambda error: {"terms": error.terms, "most": TERMS_MAX},
    ),
    AlreadyLooking: ProblemKind(
        status=429,
        code="already_looking",
        title="The previous search is still running.",
        detail="Wait for its answer, or cancel that request.",
        headers={"Retry-After": "1"},
    ),
    TookTooLong: ProblemKind(
        status=503,
        code="took_too_long",
        title="The search took too long and was stopped. Nothing was changed.",
        detail="Use fewer words, or search in one project.",
        retry_after=5,
    ),
    Stopped: BUSY,
    DatabaseUnavailable: DATABASE_BUSY,
    DatabaseFailed: replace(INTERNAL_ERROR, error_code="DB_ERROR"),
    FilesUnavailable: BUSY,
    FilesRefused: BUSY,
    SubjectBusy: DATABASE_BUSY,
}
