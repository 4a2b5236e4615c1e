"""Parts shared by all routes: the caller, the database, and common parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeVar
from uuid import UUID
from zoneinfo import available_timezones

import structlog
from fastapi import Depends, Header, Query, Request, Response
from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError

from shared.consent.rules.policy import Terms
from shared.conversations.rules.triggers import LearningSchedule
from shared.erasure.accept import ForgetRequest
from shared.erasure.rules.undo_window import UNDO_SECONDS_MAX
from shared.kernel import items, limits, subjects
from shared.kernel.database import Database, Transaction
from shared.kernel.errors import AdminEditsProhibited, NotFound
from shared.kernel.idempotency import Once, run_idempotent
from shared.kernel.sensitivity import Policy
from shared.kernel.subjects import Subject
from shared.language.sensitivity import mask, screen
from shared.preferences.rules import REASONS
from shared.runtime import telemetry
from shared.runtime.authentication import ANYBODY, Principal, acting_for
from shared.runtime.body import Body as Body  # noqa: PLC0414  # what routes build their bodies from
from shared.runtime.policies import RetentionPolicy
from shared.runtime.problems import ApiProblem, ProblemKind
from shared.runtime.web import CurrentPrincipal

T = TypeVar("T")

USER_ID_MAX: Final = 200

UNDO_TOO_LONG: Final = ProblemKind(
    status=422,
    code="undo_too_long",
    title="The undo window is shorter than you asked for.",
    detail="`details.longest_seconds` is the maximum.",
)
SCOPE_MISSING: Final = ProblemKind(status=404, code="not_found", title="There is nothing here, or it is not yours.")


def _known_zone(name: str) -> str:
    if name not in available_timezones():
        raise PydanticCustomError("time_zone", "This must be a name of the IANA time zone database.")
    return name


TimeZone = Annotated[str, Field(max_length=64), AfterValidator(_known_zone)]

UserId = Annotated[
    str, Field(min_length=1, max_length=USER_ID_MAX, description="The person concerned; default: the caller.")
]
UserIdQuery = Annotated[
    str | None, Query(min_length=1, max_length=USER_ID_MAX, description="The person concerned; default: the caller.")
]
UndoSeconds = Annotated[
    int,
    Field(ge=0, le=UNDO_SECONDS_MAX, strict=True, description="The undo window in seconds; erasing starts after it."),
]
UndoSecondsQuery = Annotated[
    int, Query(ge=0, le=UNDO_SECONDS_MAX, description="The undo window in seconds; erasing starts after it.")
]
IdempotencyKey = Annotated[
    str | None, Header(alias="Idempotency-Key", min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")
]


FeedbackReason = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.COMMENT_MAX,
        description="The reason. These values set the label: "
        + ", ".join(f"`{one}`" for one in sorted(REASONS))
        + ". Other text is stored with the feedback; in privacy mode it is neither stored nor learned from.",
    ),
]


class AcceptedOut(Body):
    """The request was accepted. The target of a forget is no longer served."""

    status: Literal["accepted"] = "accepted"
    op_id: UUID
    receipt_id: UUID | None = Field(
        description="The proof is at /api/v1/receipts/{receipt_id}, even after the account is closed."
    )


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a request, with the database and the deployment's settings."""

    principal: Principal
    database: Database
    terms: Terms
    learning_schedule: LearningSchedule
    retention: RetentionPolicy
    sensitivity: Policy

    @property
    def actor(self) -> str:
        """The actor for the event log; a person's name is left out because the event stream is theirs."""
        return "person" if self.principal.kind == "person" else f"service:{self.principal.subject}"

    def user(self, user_id: str | None) -> str:
        """Return the user id this request is about; another person's is answered as not found."""
        return acting_for(self.principal, user_id)

    def subject(self, tx: Transaction, user_id: str | None) -> Subject:
        """Return the subject this request is about; create it if it is new."""
        return subjects.find_or_create(tx, self.user(user_id))

    def known_subject(self, tx: Transaction, user_id: str | None) -> Subject | None:
        """Return the subject this request is about, None if nothing was stored for them: reading stores nothing."""
        return subjects.find(tx, self.user(user_id))

    def owner(self, tx: Transaction, kind: str, item_id: UUID, user_id: str | None = None) -> Subject:
        """Return the owner of an item, if the caller may act for them; also after they closed their account.

        Raises:
            NotFound: there is no such item, or it belongs to another person.
        """
        anybody = user_id is None and ANYBODY in self.principal.scopes
        user = None if anybody else self.user(user_id)
        owner = items.owner(tx, kind, item_id)
        if owner is None or not (user is None or owner.is_user(user)):
            raise NotFound(kind)
        return owner

    def needs(self, scope: str) -> None:
        """Answer a caller without a service scope with not found."""
        if scope not in self.principal.scopes:
            raise ApiProblem(SCOPE_MISSING)

    def may_edit(self) -> None:
        """Refuse a service what only the person may change here (FC-13).

        Raises:
            AdminEditsProhibited: the caller is no person, and the policy lets no service edit.
        """
        if self.principal.kind != "person" and not self.terms.permitted.admin_edits:
            raise AdminEditsProhibited

    def once(self, key: str | None, body: BaseModel | None, *, route: str) -> Once:
        """Return the idempotency record of this request."""
        content = body.model_dump_json() if body is not None else ""
        principal = f"{self.principal.kind}:{self.principal.subject}"
        return Once(principal=principal, key=key, request=f"{route}\n{content}", kept=self.retention.requests.answers)

    def undo(self, seconds: int) -> int:
        """Return the requested number of seconds in which a forget can be undone.

        Raises:
            ApiProblem: 422 `undo_too_long`: this deployment allows less.
        """
        longest = int(self.retention.undo.longest.total_seconds())
        if seconds > longest:
            raise ApiProblem(UNDO_TOO_LONG, details={"longest_seconds": longest})
        return seconds

    def learnable(self, text: str | None) -> str | None:
        """Return the part of a text that may be remembered, None if nothing may (FC-10)."""
        return None if text is None else screen(text, self.sensitivity).text

    def reason(self, text: str | None) -> dict[str, Any]:
        """Return the reason for feedback as arguments of `Feedback`: a listed reason, or free text."""
        if text is None or text in REASONS:
            return {"reason": text}
        return {"reason_text": text, "learnable_reason": self.learnable(text)}

    def masked(self, text: str | None) -> str | None:
        """Return a text with sensitive fragments replaced, for output (MC-17)."""
        return None if text is None else mask(text, self.sensitivity)

    def transact(self, work: Callable[[Transaction], T]) -> T:
        return self.database.transact(work)

    def transact_once(
        self,
        once: Once,
        subject_of: Callable[[Transaction], Subject],
        work: Callable[[Transaction, Subject], dict[str, Any]],
    ) -> dict[str, Any]:
        """Run a request in a transaction of its own, as `run_idempotent` does."""
        return self.database.transact(lambda tx: run_idempotent(tx, once, subject_of, work))

    def forget(
        self,
        once: Once,
        response: Response,
        subject_of: Callable[[Transaction], Subject],
        accept: Callable[[Transaction, Subject, ForgetRequest], object],
        *,
        undo_seconds: int,
        scope: str = "selection",
    ) -> AcceptedOut:
        """Accept a forget in a transaction of its own, count it, and tell in the headers where its progress is.

        Args:
            once, subject_of: as `transact_once` takes them.
            accept: hides what goes, and writes the operation.
            undo_seconds: how long it can be undone, if the policy allows that.
            scope: what the metric counts it as.
        """

        def work(tx: Transaction, subject: Subject) -> dict[str, Any]:
            wanted = ForgetRequest(actor=self.actor, undo_seconds=self.undo(undo_seconds))
            accept(tx, subject, wanted)
            # In the form in which a repeated request finds them again.
            return {"op_id": str(wanted.operation_id), "receipt_id": str(wanted.receipt_id)}

        return accepted(self.transact_once(once, subject_of, work), response, scope=scope)


async def current_caller(request: Request, principal: CurrentPrincipal) -> Caller:
    """Return the caller; a dependency for routes. Async because a sync one would use a thread for every request."""
    state = request.app.state
    return Caller(principal, state.database, state.terms, state.learning_schedule, state.retention, state.sensitivity)


CurrentCaller = Annotated[Caller, Depends(current_caller)]


def request_id() -> str:
    """Return the id of the current request."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def accepted(answer: dict[str, Any], response: Response, *, scope: str) -> AcceptedOut:
    """Count a forget that was accepted, and tell in the headers where its progress is."""
    out = AcceptedOut(**answer)
    telemetry.memory_deleted("forget", scope)
    response.headers["Location"] = f"/api/v1/memory/ops/{out.op_id}"
    response.headers["Retry-After"] = "1"
    return out
