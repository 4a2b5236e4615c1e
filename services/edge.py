"""What the routes of every service share: who is asking, the database, and how refusals are answered."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeVar
from uuid import UUID

import structlog
from fastapi import Depends, Header, Query, Request
from pydantic import BaseModel, Field

from shared.conversations.rules.triggers import LearningSchedule
from shared.conversations.sql.episodes import Episode
from shared.erasure.rules.scopes import UNDO_SECONDS_MAX
from shared.kernel import items, limits, subjects
from shared.kernel.database import Database, DatabaseFailed, DatabaseUnavailable, SubjectBusy, Transaction
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
from shared.kernel.idempotency import Once
from shared.kernel.sensitivity import Policy
from shared.kernel.subjects import Subject
from shared.language.descriptions import TERMS_MAX, TooManyTerms
from shared.language.sensitivity import mask, screen
from shared.preferences.rules import REASONS
from shared.runtime.authentication import ANYBODY, Principal, acting_for
from shared.runtime.body import Body as Body  # noqa: PLC0414  # what routes build their bodies from
from shared.runtime.describing import AlreadyLooking, Stopped, TookTooLong
from shared.runtime.policies import RetentionPolicy
from shared.runtime.problems import BUSY, INTERNAL_ERROR, ApiProblem, ProblemKind
from shared.runtime.restore_watch import ReplayNeeded
from shared.runtime.selection_tokens import NothingSure, SelectionInvalid
from shared.runtime.web import CurrentPrincipal
from shared.stores.sealed.files import FilesRefused, FilesUnavailable
from shared.switches.rules import Switches

T = TypeVar("T")

USER_ID_MAX: Final = 200

DATABASE_BUSY: Final = replace(BUSY, error_code="DB_ERROR")
"""CN's name of it (CN-02)."""

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

UNDO_TOO_LONG: Final = ProblemKind(
    status=422, code="undo_too_long", title="Nothing can be undone for that long here.", detail="Ask for fewer seconds."
)
BAD_CURSOR: Final = ProblemKind(status=422, code="cursor_invalid", title="The cursor is not one of ours.")
SCOPE_MISSING: Final = ProblemKind(status=404, code="not_found", title="There is nothing here, or it is not yours.")


class EpisodeOut(Body):
    """One turn of a conversation with both of its sides (MC-18)."""

    id: UUID
    user_message_id: UUID | None
    assistant_message_id: UUID | None
    similarity: float | None = Field(
        default=None,
        description="Cosine of its meaning and the question's; null where no question or only words led to it.",
    )
    spoken_at: datetime = Field(description="When its turn began.")
    created_at: datetime = Field(description="When the episode was made of it.")
    user_message: str | None = Field(
        description="Sensitive fragments are replaced by their category, as `[credential]`."
    )
    assistant_message: str | None
    found_by: Literal["meaning", "words"] = Field(
        default="words", description="words: it has no vector, not yet or because none could be made of it."
    )


UserId = Annotated[str, Field(min_length=1, max_length=USER_ID_MAX, description="Whose memory; default: the caller's.")]
UserIdQuery = Annotated[str | None, Query(min_length=1, max_length=USER_ID_MAX, description="Default: the caller.")]
Limit = Annotated[int, Query(ge=1, le=200)]
Cursor = Annotated[str | None, Query(max_length=200, description="From the Link header of the page before.")]
UndoSeconds = Annotated[
    int,
    Field(ge=0, le=UNDO_SECONDS_MAX, strict=True, description="For how long it can be undone; erasing starts then."),
]
UndoSecondsQuery = Annotated[int, Query(ge=0, le=UNDO_SECONDS_MAX, description="For how long it can be undone.")]
IdempotencyKey = Annotated[
    str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")
]


FeedbackReason = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.COMMENT_MAX,
        description="Why. One of these decides the label: "
        + ", ".join(f"`{one}`" for one in sorted(REASONS))
        + ". Any other text is kept with the feedback; in privacy mode it is neither kept nor learned from.",
    ),
]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking, and where the truth is."""

    principal: Principal
    database: Database
    defaults: Switches
    pace: LearningSchedule
    retention: RetentionPolicy
    sensitivity: Policy

    @property
    def actor(self) -> str:
        """Who did it, for the event log: a person is known by the stream's subject already."""
        return "person" if self.principal.kind == "person" else f"service:{self.principal.subject}"

    def user(self, user_id: str | None) -> str:
        """Return the person this request is about; another person's is answered as not found."""
        return acting_for(self.principal, user_id)

    def subject(self, tx: Transaction, user_id: str | None) -> Subject:
        """Return the person this request is about, known from now on."""
        return subjects.find_or_create(tx, self.user(user_id))

    def known_subject(self, tx: Transaction, user_id: str | None) -> Subject | None:
        """Return the person this request is about if anything was ever stored for them: reading stores nothing."""
        return subjects.find(tx, self.user(user_id))

    def owner(self, tx: Transaction, kind: str, item_id: UUID, user_id: str | None = None) -> Subject:
        """Return the person an item belongs to, if the caller may act for them; whoever closes an account is still it.

        Raises:
            NotFound: there is no such item, or it is somebody else's.
        """
        anybody = user_id is None and ANYBODY in self.principal.scopes
        user = None if anybody else self.user(user_id)
        owner = items.owner(tx, kind, item_id)
        if owner is None or not (user is None or owner.is_user(user)):
            raise NotFound(kind)
        return owner

    def needs(self, scope: str) -> None:
        """Refuse, as not found, a caller without a service scope."""
        if scope not in self.principal.scopes:
            raise ApiProblem(SCOPE_MISSING)

    def once(self, key: str | None, body: BaseModel | None, *, route: str) -> Once:
        """Return this request's wish to run once."""
        content = body.model_dump_json() if body is not None else ""
        principal = f"{self.principal.kind}:{self.principal.subject}"
        return Once(principal=principal, key=key, request=f"{route}\n{content}", kept=self.retention.requests.answers)

    def undo(self, seconds: int) -> int:
        """Return for how many seconds a forget can be undone, as was asked.

        Raises:
            ApiProblem: 422 `undo_too_long`: this deployment allows less.
        """
        longest = int(self.retention.undo.longest.total_seconds())
        if seconds > longest:
            raise ApiProblem(UNDO_TOO_LONG, details={"longest_seconds": longest})
        return seconds

    def learnable(self, text: str | None) -> str | None:
        """Return what may be remembered of a text, None when nothing may (FC-10)."""
        return None if text is None else screen(text, self.sensitivity).text

    def reason(self, text: str | None) -> dict[str, Any]:
        """Return why feedback was given, as `Feedback` takes it: picked from the list, or in words."""
        if text is None or text in REASONS:
            return {"reason": text}
        return {"reason_text": text, "learnable_reason": self.learnable(text)}

    def masked(self, text: str | None) -> str | None:
        """Return a text with its sensitive fragments replaced, as it may come back as remembered (MC-17)."""
        return None if text is None else mask(text, self.sensitivity)

    def transact(self, work: Callable[[Transaction], T]) -> T:
        return self.database.transact(work)


async def current_caller(request: Request, principal: CurrentPrincipal) -> Caller:
    """Return who is asking; a dependency for routes. Async: a sync one would take a thread for every request."""
    state = request.app.state
    return Caller(principal, state.database, state.defaults, state.pace, state.retention, state.sensitivity)


CurrentCaller = Annotated[Caller, Depends(current_caller)]


def episode_out(found: Episode, caller: Caller, *, similarity: float | None = None) -> EpisodeOut:
    """Return an episode as its person sees it, secrets masked."""
    shown = {name: value for name, value in asdict(found).items() if name != "conversation_id"}
    sides = {name: caller.masked(shown[name]) for name in ("user_message", "assistant_message")}
    return EpisodeOut(**{**shown, **sides, "similarity": similarity})


def request_id() -> str:
    """Return the id of the request being answered."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def cursor_of(item_id: UUID, rank: int | None = None) -> str:
    """Return an opaque cursor that goes on after an item, which has a rank in lists that are ordered by one."""
    place: dict[str, object] = {"before": str(item_id)} | ({} if rank is None else {"rank": rank})
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def item_before(cursor: str | None) -> UUID | None:
    """Return the item a cursor goes on after.

    Raises:
        ApiProblem: 422 `cursor_invalid`.
    """
    return None if cursor is None else _place(cursor)[0]


def ranked_before(cursor: str | None) -> tuple[UUID, int] | None:
    """Return the item a cursor goes on after, with its rank.

    Raises:
        ApiProblem: 422 `cursor_invalid`; also for a cursor of a list without ranks.
    """
    if cursor is None:
        return None
    item_id, rank = _place(cursor)
    if not isinstance(rank, int) or not -(2**31) <= rank < 2**31:
        raise ApiProblem(BAD_CURSOR)
    return item_id, rank


def _place(cursor: str) -> tuple[UUID, Any]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found: Any = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        return UUID(found["before"]), found.get("rank")
    except (binascii.Error, ValueError, KeyError, TypeError, AttributeError):
        raise ApiProblem(BAD_CURSOR) from None


def next_link(request: Request, item_ids: list[UUID], limit: int, *, rank: int | None = None) -> dict[str, str]:
    """Return the Link header to the next page, when this one is full; `rank` is the last item's, if it has one."""
    if len(item_ids) < limit:
        return {}
    url = request.url.include_query_params(cursor=cursor_of(item_ids[-1], rank))
    return {"Link": f'<{url.path}?{url.query}>; rel="next"'}
