"""Consent: ask for it, prove it, withdraw it as easily (FC-02, FC-05, FC-14)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Header, Path, Query, Request, Response

from services.api import AcceptedOut, CurrentCaller, IdempotencyKey, UserIdQuery, accepted
from services.context_fields import screened_fields
from services.memory_center.consent_schemas import (
    ConsentOut,
    ConsentTextOut,
    DeletionStubOut,
    GrantedOut,
    GrantIn,
    OnboardingIn,
    OnboardingOut,
    StandingOut,
    UserContextOut,
)
from shared.consent.rules.consents import SCOPES, Consent, Scope, state_of
from shared.consent.sql import consents
from shared.contexts.rules.fields import newest_of_each, reduced_language
from shared.contexts.sql import contexts
from shared.conversations.sql import conversations
from shared.erasure.accept import ForgetRequest
from shared.erasure.consent import Grant, going_with, grant_consent, withdraw_consent
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.subjects import Subject
from shared.outbox.sql import operations
from shared.runtime import telemetry
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["consent"])

OfUser = Annotated[
    str,
    Path(
        min_length=1,
        max_length=200,
        description="The person concerned; `me`: the `user_id` of the query, or the caller.",
    ),
]
Locale = Annotated[str | None, Query(min_length=2, max_length=35)]
AcceptLanguage = Annotated[str | None, Header(max_length=500)]
BODY_LIMITS: Final = {"/api/v1/users/": 100_000}

PATH = "/users/{of_user}/profile-consent"


@router.get("/consent-text")
def get_consent_text(request: Request, locale: Locale = None, accept_language: AcceptLanguage = None) -> ConsentTextOut:
    """Return the current wording of the notice, and its version."""
    terms = request.app.state.terms
    language = reduced_language(locale or accept_language or "en")
    policy = terms.consent
    return ConsentTextOut(text_version=policy.text_version, locale=language, text=policy.texts[language])


@router.get(PATH)
def get_profile_consent(of_user: OfUser, caller: CurrentCaller, user_id: UserIdQuery = None) -> StandingOut:
    """Return where a person stands, what they said about themselves, and what goes with each scope."""

    def work(tx: Transaction) -> StandingOut:
        subject = caller.known_subject(tx, named(of_user, user_id))
        policy = caller.terms.consent
        consent = consents.current(tx, subject.id) if subject else None
        profile = contexts.of_scope(tx, subject.id, "profile") if subject else []
        return StandingOut(
            state=state_of(consent, policy),
            required=policy.required,
            text_version=policy.text_version,
            consent=_consent_out(consent) if consent else None,
            preferences=newest_of_each([one.fields for one in profile]),
            goes_with={scope: going_with(tx, subject, scope, terms=caller.terms) for scope in SCOPES}
            if subject
            else {},
        )

    return caller.transact(work)


@router.get(PATH + "/history")
def get_consent_history(of_user: OfUser, caller: CurrentCaller, user_id: UserIdQuery = None) -> list[ConsentOut]:
    """Return every version of a person's consent, newest first."""

    def work(tx: Transaction) -> list[ConsentOut]:
        subject = caller.known_subject(tx, named(of_user, user_id))
        found = consents.history(tx, subject.id) if subject else []
        return [_consent_out(consent, imported=imported) for consent, imported in found]

    return caller.transact(work)


@router.post(PATH, status_code=201)
def grant_profile_consent(
    of_user: OfUser,
    body: GrantIn,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    accept_language: AcceptLanguage = None,
    key: IdempotencyKey = None,
) -> GrantedOut:
    """Record what the person agrees to, and write their profile. A signed record of it gets a receipt."""
    grant = Grant(
        scopes={scope: getattr(body, scope) for scope in SCOPES if scope in body.model_fields_set},
        preferences=screened_fields(body),
        explicit_prompt_shown=body.explicit_prompt_shown,
        text_version=body.text_version,
        locale=body.locale or reduced_language(accept_language or "en"),
        channel=caller.principal.kind,
    )

    def give(tx: Transaction, subject: Subject) -> dict[str, Any]:
        granted = grant_consent(tx, subject, grant, terms=caller.terms, actor=caller.actor)
        return {
            "consent_id": str(granted.consent.id),
            "version": granted.consent.version,
            "op_id": str(granted.operation_id),
            "receipt_id": str(granted.receipt_id),
            "withdrawal": _accepted(tx, subject, granted.withdrawal) if granted.withdrawal else None,
        }

    once = caller.once(key, body, route=f"grant_consent {named(of_user, user_id)}")
    with telemetry.span(
        "profile_consent_grant", scopes=sorted(scope for scope, given in grant.scopes.items() if given)
    ):
        answer = GrantedOut(**caller.transact_once(once, lambda tx: caller.subject(tx, named(of_user, user_id)), give))
    telemetry.PROFILE_CONSENT_GRANTED.inc()
    if body.save_to_profile:
        telemetry.memory_written("write", "profile")
    return answer


@router.delete(PATH + "/{consent_id}", status_code=202)
def withdraw_profile_consent(
    of_user: OfUser,
    consent_id: Annotated[UUID, Path()],
    response: Response,
    caller: CurrentCaller,
    scope: Annotated[Scope | None, Query(description="One scope; default: all.")] = None,
    user_id: UserIdQuery = None,
) -> AcceptedOut:
    """Withdraw one scope, or all. From now on no prompt is given what rested on it; it is erased, with a receipt."""

    def work(tx: Transaction) -> dict[str, Any]:
        subject = caller.known_subject(tx, named(of_user, user_id))
        if subject is None:
            raise NotFound("consent")
        request = ForgetRequest(actor=caller.actor)
        return _accepted(tx, subject, withdraw_consent(tx, subject, consent_id, scope, request, terms=caller.terms))

    return accepted(caller.transact(work), response, scope="consent")


def _accepted(tx: Transaction, subject: Subject, op_id: UUID) -> dict[str, Any]:
    operation = operations.read(tx, subject.id, op_id)
    return {"op_id": str(op_id), "receipt_id": str(operation.receipt_id) if operation else None}


@router.get("/users/{of_user}/contexts")
def list_contexts(
    of_user: OfUser,
    caller: CurrentCaller,
    conversation_id: Annotated[UUID | None, Query(description="Only of this thread.")] = None,
    user_id: UserIdQuery = None,
) -> list[UserContextOut]:
    """Return what the person said about how to work for them, with where it is kept and until when.

    At most the newest 200 of each scope; an export has all.
    """

    def work(tx: Transaction) -> list[UserContextOut]:
        subject = caller.known_subject(tx, named(of_user, user_id))
        if conversation_id is not None:
            if subject is None or not conversations.is_visible(tx, subject.id, conversation_id):
                raise NotFound("conversation")
            found = contexts.of_scope(tx, subject.id, "thread", conversation_id=conversation_id)
        else:
            found = contexts.all_of(tx, subject.id) if subject else []
        return [
            UserContextOut(**{name: value for name, value in asdict(one).items() if name != "consent_id"})
            for one in found
        ]

    return caller.transact(work)


@router.post("/users/{of_user}/onboarding", status_code=201)
def note_onboarding_step(
    of_user: OfUser, body: OnboardingIn, caller: CurrentCaller, user_id: UserIdQuery = None
) -> OnboardingOut:
    """Count a step of somebody's onboarding; nothing is stored of them."""
    caller.user(named(of_user, user_id))
    telemetry.ONBOARDING_STEP.labels(step=body.step).inc()
    return OnboardingOut(step=body.step)


@router.get("/deletion-stubs/{of_user}")
def get_deletion_stub(of_user: OfUser, caller: CurrentCaller, user_id: UserIdQuery = None) -> DeletionStubOut:
    """Return the record of a closed account: when it was closed, and its last consent. For services."""
    caller.needs("users:any")
    closed = caller.user(named(of_user, user_id))

    def work(tx: Transaction) -> DeletionStubOut:
        stub = subjects.deletion_stub(tx, closed)
        if stub is None:
            raise NotFound("deletion stub")
        return DeletionStubOut(**stub)

    return caller.transact(work)


def named(of_user: str, user_id: str | None) -> str | None:
    """Return the user id a path names; `me` stands for the query's `user_id`, or the caller."""
    return user_id if of_user == "me" else of_user


def _consent_out(consent: Consent, *, imported: bool = False) -> ConsentOut:
    fields = asdict(consent)
    fields.pop("grant_id")
    return ConsentOut(consent_id=fields.pop("id"), imported=imported, **fields)
