"""What the API takes and answers; made from docs/openapi.json by generate.py."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AcceptedOut(TypedDict):
    op_id: str
    receipt_id: str | None
    status: NotRequired[Literal["accepted"]]


class AcknowledgedIn(TypedDict):
    consent_id: str


class AheadOut(TypedDict):
    messages: int
    since: str


class CancelledOut(TypedDict):
    op_id: str
    status: NotRequired[Literal["cancelled"]]


class ChangedOut(TypedDict):
    id: str
    now: str
    outcome: Literal["changed", "unchanged", "superseded"]


class ChatIn(TypedDict):
    conversation_id: str
    language: NotRequired[Literal["en", "zh"] | None]
    message: str
    token_budget: NotRequired[int | None]
    user_id: NotRequired[str | None]


class CleanupStepOut(TypedDict):
    attempts: int
    counts: dict[str, int]
    last_error: str | None
    name: Literal["postgres", "milvus", "mem0"]
    status: Literal["waiting", "ready", "running", "succeeded", "failed", "cancelled"]


class ClearIn(TypedDict):
    conversation_id: str
    undo_seconds: NotRequired[int]
    user_id: NotRequired[str | None]


class ClearPreferencesIn(TypedDict):
    undo_seconds: NotRequired[int]
    user_id: NotRequired[str | None]


class ClearTraitsIn(TypedDict):
    undo_seconds: NotRequired[int]
    user_id: NotRequired[str | None]


class ConfirmIn(TypedDict):
    memory_id: str
    resolve: NotRequired[Literal["replaces", "both"] | None]
    user_id: NotRequired[str | None]


class ConsentOut(TypedDict):
    channel: Literal["person", "service"]
    consent_id: str
    create_task: bool
    granted_at: str
    imported: NotRequired[bool]
    locale: str
    revoked_at: str | None
    save_to_profile: bool
    save_to_thread: bool
    text_version: str
    training_use_allowed: bool
    version: int


class ConsentTextOut(TypedDict):
    locale: str
    text: str
    text_version: str


class ConsequenceOut(TypedDict):
    because: Literal["picked", "made_from_it"]
    id: str
    kind: str
    what_is_left: bool


class ContextDiagnostics(TypedDict):
    reasons: list[
        Literal[
            "injection_off",
            "longterm_off",
            "episodic_off",
            "summary_off",
            "no_conversation",
            "empty_query",
            "embedder_failed",
            "milvus_unavailable",
            "store_misconfigured",
            "vectors_prohibited",
            "over_budget",
            "more_left_out",
        ]
    ]
    sentences: list[str]


class ContextFields(TypedDict):
    constraints: NotRequired[str | None]
    language_preference: NotRequired[Literal["en", "zh"] | None]
    research_depth: NotRequired[Literal["quick", "standard", "deep"] | None]
    research_style: NotRequired[str | None]
    risk_prompt_preference: NotRequired[Literal["balanced", "counter_first", "risk_first"] | None]
    time_horizon: NotRequired[str | None]
    user_focus_reason: NotRequired[str | None]
    user_stated_position_context: NotRequired[str | None]


class ContextTrace(TypedDict):
    slices_blocked_by_consent: list[Literal["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]]
    slices_cut: list[Literal["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]]
    slices_defaulted: list[Literal["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]]
    slices_loaded: list[Literal["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]]
    slices_skipped_missing: list[Literal["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"]]
    total_memory_tokens_estimated: int


class ConversationCreatedOut(TypedDict):
    id: str


class ConversationOut(TypedDict):
    created_at: str
    external_id: str | None
    id: str
    message_count: int
    opening: str | None
    project_id: str | None
    remember: bool
    session: int
    title: str | None
    updated_at: str


class ConversationPatch(TypedDict):
    remember: NotRequired[bool]
    title: NotRequired[str | None]
    user_id: NotRequired[str | None]


class ConversationSearchIn(TypedDict):
    limit: NotRequired[int]
    query: str
    user_id: NotRequired[str | None]


class CorrectIn(TypedDict):
    about: str
    statement: str
    user_id: NotRequired[str | None]


class CorrectionPreview(TypedDict):
    content: str
    corrected: str
    id: str
    version: int


class CountOut(TypedDict):
    count: int
    value: str


class DeletionStubOut(TypedDict):
    consent_version_at_deletion: int | None
    deleted_at: str


class DerivedOut(TypedDict):
    content: str | None
    direct: bool
    id: str
    kind: Literal["episode", "summary", "memory", "feedback", "signal", "observation"]
    label: str
    made_at: str
    quote: str | None
    quote_end: int | None
    quote_start: int | None
    relation: str
    shown_only: bool


class Diagnostics(TypedDict):
    reasons: list[
        Literal[
            "injection_off",
            "longterm_off",
            "episodic_off",
            "empty_query",
            "embedder_failed",
            "milvus_unavailable",
            "store_misconfigured",
            "vectors_prohibited",
            "no_conversation",
        ]
    ]


class DocumentOut(TypedDict):
    created_at: str
    id: str
    media_type: Literal["text/plain", "text/markdown", "application/pdf"]
    pages: int | None
    parts: int
    size: int
    title: str


class DocumentPartOut(TypedDict):
    content: str
    memory_id: str
    page: int | None
    position: int


class DryRunOut(TypedDict):
    counts: dict[str, dict[str, int]]
    turns_learned_again: int


class EndTaskIn(TypedDict):
    object_ref: NotRequired[str | None]
    status: Literal["succeeded", "failed"]
    user_id: NotRequired[str | None]


class EntryOut(TypedDict):
    body: dict[str, Any]
    hash: str
    prev_hash: str
    signature: str


class EpisodeOut(TypedDict):
    assistant_message: str | None
    assistant_message_id: str | None
    created_at: str
    found_by: NotRequired[Literal["meaning", "words"]]
    id: str
    similarity: NotRequired[float | None]
    spoken_at: str
    user_message: str | None
    user_message_id: str | None


class EpisodeSearchIn(TypedDict):
    conversation_id: str
    limit: NotRequired[int]
    query: str
    user_id: NotRequired[str | None]


class EvidenceOut(TypedDict):
    conversation_id: str
    conversation_title: str | None
    message_id: str
    quote: str | None
    quote_end: int | None
    quote_start: int | None
    relation: Literal["text_from", "supported_by"]
    role: str
    session: int
    spoken_at: str
    turn: int


class ExportIn(TypedDict):
    confirmation: NotRequired[bool]
    conversation_id: NotRequired[str | None]
    format: NotRequired[Literal["zip", "json", "markdown", "finclaw"]]
    ids: NotRequired[list[str] | None]
    language: NotRequired[Literal["en", "zh"]]
    scope: Literal["user", "conversation", "selection"]
    user_id: NotRequired[str | None]


class ExportOut(TypedDict):
    bytes: int | None
    conversation_id: str | None
    expires_at: str | None
    exported_at: str | None
    format: Literal["zip", "json", "markdown", "finclaw"]
    language: Literal["en", "zh"]
    op_id: str
    ready: bool
    scope: Literal["user", "conversation", "selection"]
    sha256: str | None


class FeedbackIn(TypedDict):
    action: NotRequired[Literal["accept", "reject", "partial"] | None]
    comment: NotRequired[str | None]
    conversation_id: NotRequired[str | None]
    evidence_ref: NotRequired[str | None]
    message_id: NotRequired[str | None]
    rating: NotRequired[int | Literal["thumbs_up", "not_helpful", "agree", "disagree"] | None]
    reason: NotRequired[str | None]
    related_object_ref: NotRequired[str | None]
    user_id: NotRequired[str | None]


class FeedbackOut(TypedDict):
    id: str


class FieldError(TypedDict):
    loc: list[str | int]
    msg: str
    type: str


class FindIn(TypedDict):
    description: str
    limit: NotRequired[int]
    project_id: NotRequired[str | None]
    time_zone: NotRequired[str | None]
    user_id: NotRequired[str | None]


class ForgetIn(TypedDict):
    cascade: NotRequired[bool]
    close_account: NotRequired[bool]
    confirmation: NotRequired[str | None]
    conversation_id: NotRequired[str | None]
    ids: NotRequired[list[str] | None]
    message_id: NotRequired[str | None]
    scope: Literal["message", "conversation", "user", "selection"]
    token: NotRequired[str | None]
    undo_seconds: NotRequired[int]
    user_id: NotRequired[str | None]


class ForgetPreviewIn(TypedDict):
    ids: NotRequired[list[str] | None]
    token: NotRequired[str | None]
    user_id: NotRequired[str | None]


class FoundConversationOut(TypedDict):
    created_at: str
    external_id: str | None
    id: str
    message_count: int
    message_id: str | None
    opening: str | None
    project_id: str | None
    quote: str | None
    remember: bool
    session: int
    title: str | None
    updated_at: str


class FoundOut(TypedDict):
    content: str
    content_type: str
    contradicted_by: NotRequired[str | None]
    conversation_id: str | None
    created_at: str
    external_id: str | None
    id: str
    kind: Literal["memory", "episode"]
    message_ids: list[str]
    metadata: dict[str, str | bool | int | float] | None
    score: float | None
    similarity: NotRequired[float | None]


class GrantIn(TypedDict):
    constraints: NotRequired[str | None]
    create_task: NotRequired[bool]
    explicit_prompt_shown: NotRequired[bool]
    language_preference: NotRequired[Literal["en", "zh"] | None]
    locale: NotRequired[str | None]
    research_depth: NotRequired[Literal["quick", "standard", "deep"] | None]
    research_style: NotRequired[str | None]
    risk_prompt_preference: NotRequired[Literal["balanced", "counter_first", "risk_first"] | None]
    save_to_profile: NotRequired[bool]
    save_to_thread: NotRequired[bool]
    text_version: NotRequired[str | None]
    time_horizon: NotRequired[str | None]
    training_use_allowed: NotRequired[bool]
    user_focus_reason: NotRequired[str | None]
    user_stated_position_context: NotRequired[str | None]


class GrantedOut(TypedDict):
    consent_id: str
    op_id: str
    receipt_id: str
    version: int
    withdrawal: NotRequired[AcceptedOut | None]


class HintOut(TypedDict):
    code: NotRequired[Literal["set_preferences"]]


class InDocumentOut(TypedDict):
    id: str
    page: int | None
    title: str


class IngestIn(TypedDict):
    action: Literal["accept", "reject", "partial"]
    conversation_id: NotRequired[str | None]
    evidence_ref: NotRequired[str | None]
    message_id: NotRequired[str | None]
    reason: NotRequired[str | None]
    user_id: NotRequired[str | None]


class InjectionPreviewIn(TypedDict):
    conversation_id: NotRequired[str | None]
    language: NotRequired[Literal["en", "zh"] | None]
    layers: NotRequired[list[Literal["stable", "retrieved", "immediate"]]]
    limit: NotRequired[int]
    project_id: NotRequired[str | None]
    query_text: NotRequired[str | None]
    superseded: NotRequired[Literal["hide", "label"]]
    task: NotRequired[str | None]
    token_budget: NotRequired[int | None]
    user_id: NotRequired[str | None]


class JudgementOut(TypedDict):
    action: Literal["accept", "reject", "partial"]
    given_at: str
    label: str
    message_id: str | None
    quote: str | None


class LearnedOut(TypedDict):
    count: int
    memory_id: str | None
    outcome: Literal["ignored", "counted", "learned", "off"]
    threshold: int


class LearningOut(TypedDict):
    messages: int
    since: str | None


class LeftOutOut(TypedDict):
    id: str
    instead: str | None
    kind: Literal["memory", "trait", "episode", "summary", "message"]
    reason: str
    reason_code: Literal[
        "budget",
        "switched_off",
        "superseded",
        "conflict",
        "paused",
        "archived",
        "in_window",
        "limit",
        "not_related",
        "other_project",
        "not_confirmed",
        "route",
    ]
    type: str


class LivedOut(TypedDict):
    actor: str
    at: str
    data: dict[str, Any]
    memory_id: str
    type: str
    version: int


class MemoryEmotion(TypedDict):
    arousal: float
    label: str
    valence: float


class MemoryIdsOut(TypedDict):
    ids: list[str]
    more: bool


class MemoryPatch(TypedDict):
    content: NotRequired[str]
    content_type: NotRequired[str]
    disabled: NotRequired[bool]
    emotion: NotRequired[MemoryEmotion | None]
    external_id: NotRequired[str | None]
    importance: NotRequired[int]
    metadata: NotRequired[dict[str, str | bool | int | float] | None]
    project_id: NotRequired[str | None]
    scope: NotRequired[Literal["global", "project"]]
    taboo: NotRequired[bool]
    task_hint: NotRequired[str | None]
    user_id: NotRequired[str | None]


class MemorySearchIn(TypedDict):
    content_type: NotRequired[str | None]
    conversation_id: NotRequired[str | None]
    created_after: NotRequired[str | None]
    created_before: NotRequired[str | None]
    learned_in: NotRequired[str | None]
    limit: NotRequired[int]
    metadata: NotRequired[dict[str, str | bool | int | float] | None]
    project_id: NotRequired[str | None]
    query: str
    taboo: NotRequired[bool | None]
    user_id: NotRequired[str | None]


class MessageIn(TypedDict):
    answers: NotRequired[str | None]
    client_message_id: NotRequired[str | None]
    completed: NotRequired[bool]
    content: str
    metadata: NotRequired[dict[str, str | bool | int | float] | None]
    name: NotRequired[str | None]
    remember: NotRequired[bool]
    role: Literal["user", "assistant", "tool", "system"]
    spoken_at: NotRequired[str | None]
    task_hint: NotRequired[str | None]


class MessageOut(TypedDict):
    client_message_id: str | None
    completed: bool
    content: str
    conversation_id: str
    id: str
    metadata: dict[str, str | bool | int | float] | None
    name: str | None
    recorded_at: str
    role: Literal["user", "assistant", "tool", "system"]
    seq: int
    session: int
    spoken_at: str
    task_hint: str | None
    turn: int


class MessagesIn(TypedDict):
    conversation_id: str
    messages: list[MessageIn]
    user_id: NotRequired[str | None]


class NamedOut(TypedDict):
    id: str
    kind: Literal["memory", "message", "conversation", "operation", "receipt"]


class NewConversation(TypedDict):
    external_id: NotRequired[str | None]
    project_id: NotRequired[str | None]
    remember: NotRequired[bool]
    title: NotRequired[str | None]
    user_id: NotRequired[str | None]


class OnboardingIn(TypedDict):
    step: Literal["acknowledgement", "consent", "preferences", "done"]


class OnboardingOut(TypedDict):
    step: str


class OriginOut(TypedDict):
    at: str
    covers: tuple[int, int] | None
    document: NotRequired[InDocumentOut | None]
    message_ids: list[str]
    origin: NotRequired[str | None]
    session: int | None
    session_id: str | None
    turn: int | None


class PartOut(TypedDict):
    end: int
    start: int
    text: str


class PersonalizationOut(TypedDict):
    advisor_set_fixed: NotRequired[Literal[True]]
    advisors: list[str]
    example_question: str
    forbidden_execution_fields: list[str]
    refresh_conditions: list[str]
    refresh_frequency: NotRequired[Literal["manual"]]
    route: Literal[
        "snapshot",
        "thread_refresh",
        "risk_challenge",
        "pre_execution",
        "evidence_audit",
        "narrative_mapper",
        "event_impact_reader",
    ]
    skills: list[str]
    task_types: list[
        Literal[
            "snapshot",
            "thread_refresh",
            "risk_challenge",
            "pre_execution",
            "evidence_audit",
            "narrative_mapper",
            "event_impact_reader",
        ]
    ]


class PieceOut(TypedDict):
    at: str
    context: Literal["work", "personal", "social", "learning", "general"]
    conversation_id: str | None
    form: Literal["told", "stated", "signal"]
    id: str
    quality: Literal["A", "B", "C", "D"] | None
    quote: str | None
    side: Literal["supporting", "contradicting"]
    source_id: str
    source_kind: Literal["message", "memory", "feedback"]
    weight: float | None


class PreviewOut(TypedDict):
    counts: dict[str, dict[str, int]]
    items: list[ConsequenceOut]
    turns_learned_again: int


class ProvenanceIn(TypedDict):
    message_id: str
    quote_end: NotRequired[int | None]
    quote_start: NotRequired[int | None]
    session_id: NotRequired[str | None]
    source_type: NotRequired[Literal["user", "model", "tool", "system"] | None]
    turn_index: NotRequired[int | None]
    turn_range: NotRequired[tuple[int, int] | None]


class ProvenanceOut(TypedDict):
    message_id: str
    quote_end: int | None
    quote_start: int | None
    session_id: str
    source_type: Literal["user", "model", "tool", "system"]
    turn_index: int
    turn_range: tuple[int, int] | None


class QuestionUpdateIn(TypedDict):
    id: str
    status: Literal["resolved", "reopened"]


class QueuedOut(TypedDict):
    status: NotRequired[Literal["queued"]]


class ReasonOut(TypedDict):
    code: Literal["identifier", "words", "meaning", "label", "answer"]
    words: str


class RecallIn(TypedDict):
    conversation_id: NotRequired[str | None]
    language: NotRequired[Literal["en", "zh"] | None]
    layers: NotRequired[list[Literal["stable", "retrieved", "immediate"]]]
    limit: NotRequired[int]
    project_id: NotRequired[str | None]
    query: NotRequired[str]
    route: NotRequired[
        Literal[
            "snapshot",
            "thread_refresh",
            "risk_challenge",
            "pre_execution",
            "evidence_audit",
            "narrative_mapper",
            "event_impact_reader",
        ]
        | None
    ]
    superseded: NotRequired[Literal["hide", "label"]]
    task: NotRequired[str | None]
    task_id: NotRequired[str | None]
    token_budget: NotRequired[int | None]
    user_context_overrides: NotRequired[ContextFields | None]
    user_id: NotRequired[str | None]


class ReceiptOut(TypedDict):
    entries: list[EntryOut]
    erased_at: str | None
    purge_expected_at: NotRequired[str | None]
    purged_at: str | None
    receipt_id: str
    remarks: dict[str, str]
    scope: str
    status: Literal["pending", "running", "succeeded", "failed", "cancelled"]
    type: str
    unrecallable_at: str | None


class RecordError(TypedDict):
    file: str | None
    record: int | None


class RecordedOut(TypedDict):
    id: str
    outcome: Literal["recorded", "completed", "repeated", "erased"]


class ReflectIn(TypedDict):
    reason: NotRequired[Literal["topic_switch", "session_end", "working_memory", "other"]]
    user_id: NotRequired[str | None]


class ReflectionOut(TypedDict):
    at: str
    counts: dict[str, int]
    id: str
    reason: str | None
    trigger: Literal["importance", "daily", "session", "request", "import"]


ChangedInference: TypeAlias = str


class RefreshIn(TypedDict):
    changed_inferences: NotRequired[list[ChangedInference]]
    current_thesis: str
    task_id: NotRequired[str | None]
    user_id: NotRequired[str | None]
    user_supplied_context: NotRequired[ContextFields | None]
    watch_question_updates: NotRequired[list[QuestionUpdateIn]]


class RefusedOut(TypedDict):
    trait_key: str
    wordings: dict[str, str]


class RetriedOut(TypedDict):
    op_id: str
    retried_steps: int
    status: NotRequired[Literal["accepted"]]


class ReturningOut(TypedDict):
    forgotten_at: str
    op_id: str
    records: int


class SaveThreadIn(TypedDict):
    consent_ack: NotRequired[AcknowledgedIn | None]
    constraints: NotRequired[str | None]
    conversation_id: NotRequired[str | None]
    language_preference: NotRequired[Literal["en", "zh"] | None]
    main_thesis: str
    object_type: NotRequired[Literal["asset", "theme", "event"]]
    research_depth: NotRequired[Literal["quick", "standard", "deep"] | None]
    research_style: NotRequired[str | None]
    risk_prompt_preference: NotRequired[Literal["balanced", "counter_first", "risk_first"] | None]
    save_user_context: bool
    time_horizon: NotRequired[str | None]
    title: NotRequired[str | None]
    user_focus_reason: NotRequired[str | None]
    user_id: NotRequired[str | None]
    user_stated_position_context: NotRequired[str | None]


class ScoreOut(TypedDict):
    parts: dict[str, float]
    total: float


class SearchOut(TypedDict):
    diagnostics: Diagnostics
    items: list[FoundOut]
    mode: Literal["semantic", "deterministic"]


class SessionEndedOut(TypedDict):
    conversation_id: str
    session: int


class SessionOut(TypedDict):
    expires_at: str
    user_id: str


class SettingsOut(TypedDict):
    episodic_enabled: bool
    injection_enabled: bool
    longterm_enabled: bool
    preference_learning_enabled: bool
    preference_learning_threshold: int
    privacy_mode_enabled: bool
    summary_enabled: bool
    time_zone: str | None
    traits_enabled: bool
    updated_at: str | None
    user_id: str


class SettingsPatch(TypedDict):
    episodic_enabled: NotRequired[bool]
    injection_enabled: NotRequired[bool]
    longterm_enabled: NotRequired[bool]
    preference_learning_enabled: NotRequired[bool]
    preference_learning_threshold: NotRequired[int]
    privacy_mode_enabled: NotRequired[bool]
    summary_enabled: NotRequired[bool]
    time_zone: NotRequired[str | None]
    traits_enabled: NotRequired[bool]
    user_id: NotRequired[str | None]


class SettingsPut(TypedDict):
    episodic_enabled: bool
    longterm_enabled: bool
    summary_enabled: bool
    user_id: NotRequired[str | None]


class SeveralIn(TypedDict):
    act: Literal["keep", "pause", "resume", "move"]
    ids: list[str]
    project_id: NotRequired[str | None]
    scope: NotRequired[Literal["global", "project"] | None]
    user_id: NotRequired[str | None]


class SeveralOut(TypedDict):
    results: list[ChangedOut]


class SignInIn(TypedDict):
    token: str


class SignalsOut(TypedDict):
    action: Literal["accept", "reject", "partial"]
    count: int
    label: str


class SourceOut(TypedDict):
    conversation_id: str
    conversation_title: str | None
    message_id: str
    quote: str | None
    quote_end: int | None
    quote_start: int | None
    role: str
    session: int
    spoken_at: str
    turn: int


class StandingOut(TypedDict):
    consent: ConsentOut | None
    goes_with: dict[Literal["create_task", "save_to_thread", "save_to_profile", "training_use_allowed"], dict[str, int]]
    preferences: dict[str, str]
    required: bool
    state: Literal["new", "granted", "outdated", "revoked"]
    text_version: str


class StepOut(TypedDict):
    attempts: int
    counts: dict[str, int]
    finished_at: str | None
    last_error: str | None
    name: str
    next_retry_at: str | None
    started_at: str | None
    status: Literal["waiting", "ready", "running", "succeeded", "failed", "cancelled"]


class SummaryOut(TypedDict):
    covered_from: NotRequired[int | None]
    covered_message_count: NotRequired[int]
    covered_through: NotRequired[int | None]
    id: NotRequired[str | None]
    method: NotRequired[str | None]
    status: Literal["none", "current", "rewriting", "off"]
    text: NotRequired[str]
    updated_at: NotRequired[str | None]
    version: NotRequired[int]


class SupersededOut(TypedDict):
    content: str
    id: str


class SupportOut(TypedDict):
    id: str
    quality: Literal["A", "B", "C", "D"] | None


class Switches(TypedDict):
    episodic_enabled: bool
    injection_enabled: bool
    longterm_enabled: bool
    preference_learning_enabled: bool
    preference_learning_threshold: int
    privacy_mode_enabled: bool
    summary_enabled: bool
    time_zone: str | None
    traits_enabled: bool


class TaskCountOut(TypedDict):
    count: int
    key: str
    value: str


class TaskEndedOut(TypedDict):
    expires_at: str
    status: Literal["succeeded", "failed"]
    task_id: str


class TaskIn(TypedDict):
    constraints: NotRequired[str | None]
    conversation_id: NotRequired[str | None]
    explicit_prompt_shown: NotRequired[bool]
    language_preference: NotRequired[Literal["en", "zh"] | None]
    query: NotRequired[str]
    research_depth: NotRequired[Literal["quick", "standard", "deep"] | None]
    research_style: NotRequired[str | None]
    risk_prompt_preference: NotRequired[Literal["balanced", "counter_first", "risk_first"] | None]
    route: Literal[
        "snapshot",
        "thread_refresh",
        "risk_challenge",
        "pre_execution",
        "evidence_audit",
        "narrative_mapper",
        "event_impact_reader",
    ]
    time_horizon: NotRequired[str | None]
    user_context_overrides: NotRequired[ContextFields | None]
    user_focus_reason: NotRequired[str | None]
    user_id: NotRequired[str | None]
    user_stated_position_context: NotRequired[str | None]


class TaskOut(TypedDict):
    expires_at: str
    route: Literal[
        "snapshot",
        "thread_refresh",
        "risk_challenge",
        "pre_execution",
        "evidence_audit",
        "narrative_mapper",
        "event_impact_reader",
    ]
    task_id: str


class TendencyOut(TypedDict):
    confidence: float
    tendency: str


class ThreadOut(TypedDict):
    blocked: NotRequired[int]
    thread_id: str


class ThreadPatch(TypedDict):
    consent_blocked: Literal[True]
    user_id: NotRequired[str | None]


class ThreadSavedOut(TypedDict):
    thread_id: str


class TokenIn(TypedDict):
    audience: NotRequired[str | None]
    minutes: NotRequired[int]
    scopes: NotRequired[list[Literal["memory:read", "memory:write", "memory:forget"]]]
    user_id: str


class TokenOut(TypedDict):
    audience: str | None
    expires_at: str
    scopes: list[Literal["memory:read", "memory:write", "memory:forget"]]
    token: str
    user_id: str


class TokensOut(TypedDict):
    budget: int
    used: int


class TraceOut(TypedDict):
    created_at: str
    data: dict[str, Any]
    request_id: str


class TraitEventOut(TypedDict):
    actor: str
    at: str
    data: dict[str, Any]
    type: str


class TraitEvidenceOut(TypedDict):
    child_traits: list[str]
    contradicting: list[SupportOut]
    parent_trait: str | None
    parent_traits: list[str]
    supporting: list[SupportOut]


class TraitHistoryOut(TypedDict):
    events: list[TraitEventOut]


class TraitPatch(TypedDict):
    confirmed: NotRequired[bool]
    content: NotRequired[str]
    context: NotRequired[Literal["work", "personal", "social", "learning", "general"] | None]
    user_id: NotRequired[str | None]


class UserContextOut(TypedDict):
    consent_blocked: bool
    conversation_id: str | None
    created_at: str
    expires_at: str | None
    fields: dict[str, str]
    id: str
    scope: Literal["task", "thread", "profile"]
    task_id: str | None
    training_excluded: bool
    written_by: str


class ValidWindowOut(TypedDict):
    end: str
    start: str


class WithheldOut(TypedDict):
    category: str
    count: int
    outcome: Literal["rejected", "redacted"]


class CandidateOut(TypedDict):
    content: str
    content_type: str | None
    conversation_id: str | None
    id: str
    kind: Literal["memory", "message"]
    parts: list[PartOut] | None
    reasons: list[ReasonOut]
    role: str | None
    said_at: str
    sure: bool


class CleanupOut(TypedDict):
    created_at: str
    found_by: str | None
    id: str
    last_error: str | None
    progress: float
    status: Literal["pending", "running", "succeeded", "failed", "cancelled"]
    steps: list[CleanupStepOut]
    type: Literal["cleanup_reconcile", "cleanup_orphans", "cleanup_losses", "cleanup_purge", "cleanup_reindex"]
    updated_at: str
    version: int


class CorrectedOut(TypedDict):
    archived: bool
    confirmed: bool
    content: str
    content_type: str
    contradicts_id: str | None
    conversation_id: str | None
    created_at: str
    disabled: bool
    emotion: MemoryEmotion | None
    external_id: str | None
    found_by: Literal["meaning", "words"]
    id: str
    importance: int
    level: Literal["L1", "L2"]
    metadata: dict[str, str | bool | int | float] | None
    method: str | None
    origin: str
    project_id: str | None
    provenance: ProvenanceOut | None
    scope: str
    sources: list[SourceOut]
    spoken_at: str | None
    superseded: list[SupersededOut]
    supersedes_id: str | None
    taboo: bool
    task_hint: str | None
    updated_at: str
    validity: Literal["active", "superseded", "contradicted"]
    version: int
    withheld: list[str]


class EffectOut(TypedDict):
    given_now: bool
    project_id: str | None
    reasons: list[
        Literal["superseded", "disabled", "archived", "conflict", "longterm_off", "injection_off", "withheld"]
    ]
    scope: str
    searchable: bool
    switches: Switches


class ExplainedMemoryOut(TypedDict):
    archived: bool
    confirmed: bool
    content: str
    content_type: str
    contradicts_id: str | None
    conversation_id: str | None
    created_at: str
    disabled: bool
    emotion: MemoryEmotion | None
    evidence: list[EvidenceOut]
    external_id: str | None
    found_by: Literal["meaning", "words"]
    id: str
    importance: int
    judgements: list[JudgementOut]
    level: Literal["L1", "L2"]
    metadata: dict[str, str | bool | int | float] | None
    method: str | None
    origin: str
    project_id: str | None
    provenance: ProvenanceOut | None
    scope: str
    sources: list[SourceOut]
    spoken_at: str | None
    supersedes_id: str | None
    taboo: bool
    task_hint: str | None
    updated_at: str
    validity: Literal["active", "superseded", "contradicted"]
    version: int


class FoundToForgetOut(TypedDict):
    candidates: list[CandidateOut]
    more: bool
    nothing: Literal["nothing_named", "everything", "nothing_matches"] | None
    token: str | None


class GivenOut(TypedDict):
    content: str
    id: str
    kind: Literal["memory", "trait", "episode", "summary", "message"]
    layer: Literal["stable", "retrieved", "immediate"]
    level: Literal["L1", "L2"] | None
    name: str | None
    project_id: str | None
    provenance: OriginOut
    reason: str
    reason_code: Literal[
        "safety",
        "confirmed",
        "stated",
        "learned",
        "extracted",
        "summary",
        "window",
        "fixed_order",
        "semantic",
        "lexical",
        "task",
        "recency",
        "neighbour",
        "name",
        "date",
        "related",
        "trait",
        "fitting_trait",
    ]
    scope: str
    score: ScoreOut | None
    stage: Literal["trend", "candidate", "emerging", "established", "core", "dissolved"] | None
    superseded: bool
    task_hint: str | None
    tokens: int
    type: str


class ImportPreview(TypedDict):
    counts: dict[str, int]
    erased: dict[str, int]
    format: Literal["zip", "json"]
    new: dict[str, int]
    present: dict[str, int]
    returning: list[ReturningOut]
    schema_version: int | None
    scope: Literal["user", "conversation", "selection"]
    settings: Literal["restored", "kept"]
    source: Literal["memory-center", "mem0", "chatgpt", "claude"]
    switched_off: dict[str, int]
    withheld: dict[str, int]


class MemoryIn(TypedDict):
    content: str
    content_type: NotRequired[str]
    emotion: NotRequired[MemoryEmotion | None]
    external_id: NotRequired[str | None]
    importance: NotRequired[int]
    metadata: NotRequired[dict[str, str | bool | int | float] | None]
    project_id: NotRequired[str | None]
    provenance: NotRequired[ProvenanceIn | None]
    scope: NotRequired[Literal["global", "project"]]
    supersedes_id: NotRequired[str | None]
    taboo: NotRequired[bool]
    task_hint: NotRequired[str | None]
    user_id: NotRequired[str | None]


class MemoryOut(TypedDict):
    archived: bool
    confirmed: bool
    content: str
    content_type: str
    contradicts_id: str | None
    conversation_id: str | None
    created_at: str
    disabled: bool
    emotion: MemoryEmotion | None
    external_id: str | None
    found_by: Literal["meaning", "words"]
    id: str
    importance: int
    level: Literal["L1", "L2"]
    metadata: dict[str, str | bool | int | float] | None
    method: str | None
    origin: str
    project_id: str | None
    provenance: ProvenanceOut | None
    scope: str
    sources: list[SourceOut]
    spoken_at: str | None
    supersedes_id: str | None
    taboo: bool
    task_hint: str | None
    updated_at: str
    validity: Literal["active", "superseded", "contradicted"]
    version: int


class MemoryWrittenOut(TypedDict):
    archived: bool
    confirmed: bool
    content: str
    content_type: str
    contradicts_id: str | None
    conversation_id: str | None
    created_at: str
    disabled: bool
    emotion: MemoryEmotion | None
    external_id: str | None
    found_by: Literal["meaning", "words"]
    id: str
    importance: int
    level: Literal["L1", "L2"]
    metadata: dict[str, str | bool | int | float] | None
    method: str | None
    origin: str
    project_id: str | None
    provenance: ProvenanceOut | None
    scope: str
    sources: list[SourceOut]
    spoken_at: str | None
    supersedes_id: str | None
    taboo: bool
    task_hint: str | None
    updated_at: str
    validity: Literal["active", "superseded", "contradicted"]
    version: int
    withheld: list[str]


class MessagesRecordedOut(TypedDict):
    messages: list[RecordedOut]


class OperationOut(TypedDict):
    created_at: str
    erased_at: str | None
    id: str
    last_error: str | None
    not_before: str | None
    progress: float
    purge_expected_at: NotRequired[str | None]
    purged_at: str | None
    receipt_id: str | None
    retry_count: int
    scope: str
    status: Literal["pending", "running", "succeeded", "failed", "cancelled"]
    steps: list[StepOut]
    type: str
    unrecallable_at: str | None
    updated_at: str
    version: int


class OverviewOut(TypedDict):
    archived: int
    confirmed: int
    content_type: list[CountOut]
    contradicted: int
    conversations: int
    disabled: int
    memories: int
    origin: list[CountOut]
    project_id: list[CountOut]
    scope: list[CountOut]
    task: list[TaskCountOut]
    validity: list[CountOut]
    waiting: int


class PreferencesOut(TypedDict):
    enabled: bool
    ignored: int
    learned_memory_ids: list[str]
    signals: list[SignalsOut]
    threshold: int


class Problem(TypedDict):
    code: str
    detail: NotRequired[str]
    details: NotRequired[dict[str, Any]]
    errors: NotRequired[list[FieldError | RecordError]]
    request_id: NotRequired[str]
    status: int
    title: str
    type: str


class TraitOut(TypedDict):
    chosen_context: Literal["work", "personal", "social", "learning", "general"] | None
    confidence: float | None
    confirmed: bool
    content: str
    context: Literal["work", "personal", "social", "learning", "general", "contextual"]
    contexts: dict[str, TendencyOut] | None
    contradiction_count: int
    conversations: int
    created_at: str
    derived_from: Literal["reflection", "trend_promotion"]
    edited: bool
    emotion: MemoryEmotion | None
    evidence: TraitEvidenceOut
    first_observed: str
    id: str
    importance: int
    last_reinforced: str
    reflection_cycle_ids: list[str]
    reinforcement_count: int
    trait_key: str
    trait_stage: Literal["trend", "candidate", "emerging", "established", "core", "dissolved"]
    trait_subtype: Literal["behavior", "preference", "core"]
    updated_at: str
    used: bool
    valid_window: ValidWindowOut | None
    version: int
    wordings: dict[str, str] | None


class WhatBecameOut(TypedDict):
    ahead: AheadOut | None
    awaited: list[Literal["episode", "memory"]]
    derived: list[DerivedOut]
    message_id: str
    turn_open: bool
    withheld: list[WithheldOut]


class ContextOut(TypedDict):
    context_trace: NotRequired[ContextTrace | None]
    diagnostics: ContextDiagnostics
    hint: NotRequired[HintOut | None]
    items: list[GivenOut]
    language: Literal["en", "zh"]
    left_out: list[LeftOutOut]
    mode: Literal["deterministic", "semantic"]
    prompt: str
    stable_prefix_bytes: int
    stable_prefix_hash: str
    task_id: NotRequired[str | None]
    tokens: TokensOut
    user_context: NotRequired[str | None]
    window: list[GivenOut]


class ExplanationOut(TypedDict):
    chain: list[ExplainedMemoryOut]
    contradicted_by: list[MemoryOut]
    contradicts: MemoryOut | None
    edited_from: list[str]
    effect: EffectOut
    memory: ExplainedMemoryOut


class HistoryOut(TypedDict):
    events: list[LivedOut]
    memories: list[MemoryOut]


class TraitExplanationOut(TypedDict):
    children: list[TraitOut]
    evidence: list[PieceOut]
    parents: list[TraitOut]
    trait: TraitOut
