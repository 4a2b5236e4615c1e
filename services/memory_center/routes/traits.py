"""Traits: what reflections made of a person, why, and what the person decides about it (TR-01 to TR-13)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Path, Query, Request, Response

from services.api import (
    AcceptedOut,
    Caller,
    CurrentCaller,
    IdempotencyKey,
    UndoSecondsQuery,
    UserIdQuery,
)
from services.memory_center.if_match import IfMatch, version_of
from services.memory_center.schemas import ClearTraitsIn
from services.memory_center.trait_schemas import (
    QueuedOut,
    ReflectIn,
    ReflectionOut,
    RefusedOut,
    TraitExplanationOut,
    TraitHistoryOut,
    TraitOut,
    TraitPatch,
)
from services.memory_center.trait_views import events_out, explanation_out, refused_out, trait_out
from services.pages import Cursor, Limit, item_before, next_link
from services.screening import remembered_of
from shared.erasure.forget_traits import forget_everything_inferred, forget_trait
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound, TraitChanged, TraitSensitive
from shared.kernel.subjects import Subject
from shared.language.sensitivity.special import special_categories
from shared.runtime import telemetry
from shared.runtime.web import api_router
from shared.traits.decide import allow_again, decide
from shared.traits.queries import portraits
from shared.traits.reflect import request_reflection
from shared.traits.rules.confidence import Stage, Subtype
from shared.traits.sql import reflections, refusals, traits

router = api_router(prefix="/api/v1/memory", tags=["traits"])

TraitId = Annotated[UUID, Path()]
TraitKey = Annotated[str, Path(max_length=64, pattern=r"^[a-z][a-z-]*$")]
LIVE: Final[list[Stage]] = ["trend", "candidate", "emerging", "established", "core"]


@router.get("/traits")
def list_traits(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    subtype: Subtype | None = None,
    stage: Annotated[list[Stage] | None, Query(description="By default all but dissolved ones.")] = None,
    context: Annotated[str | None, Query(pattern="^(work|personal|social|learning|general|contextual)$")] = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> list[TraitOut]:
    """Return what was inferred about a person, newest first."""

    def work(tx: Transaction) -> list[TraitOut]:
        subject = caller.known_subject(tx, user_id)
        if subject is None:
            return []
        found = traits.page(
            tx,
            subject.id,
            subtype=subtype,
            stages=stage or LIVE,
            context=context,
            after=item_before(cursor),
            limit=limit,
        )
        return [trait_out(one) for one in portraits.with_evidence(tx, found, terms=caller.terms)]

    answer = caller.transact(work)
    response.headers.update(next_link(request, [one.id for one in answer], limit))
    return answer


@router.get("/traits/refused")
def list_refused_traits(caller: CurrentCaller, user_id: UserIdQuery = None) -> list[RefusedOut]:
    """Return the traits that the person said are not so; they are not inferred again."""

    def work(tx: Transaction) -> list[RefusedOut]:
        subject = caller.known_subject(tx, user_id)
        return [refused_out(key) for key in sorted(refusals.refused(tx, subject))] if subject else []

    return caller.transact(work)


@router.delete("/traits/refused/{trait_key}", status_code=204)
def allow_trait(trait_key: TraitKey, caller: CurrentCaller, user_id: UserIdQuery = None) -> None:
    """Allow a refused trait to be inferred again, from what is said from now on."""
    caller.may_edit()

    def work(tx: Transaction) -> None:
        subject = caller.known_subject(tx, user_id)
        if subject is None or not allow_again(tx, subject, [trait_key]):
            raise NotFound("trait")

    caller.transact(work)


@router.get("/traits/{trait_id}")
def get_trait(trait_id: TraitId, response: Response, caller: CurrentCaller, user_id: UserIdQuery = None) -> TraitOut:
    """Return one trait."""
    answer = caller.transact(lambda tx: _read(tx, caller, caller.owner(tx, "trait", trait_id, user_id), trait_id))
    response.headers["ETag"] = f'"{answer.version}"'
    return answer


@router.get("/traits/{trait_id}/explanation")
def get_trait_explanation(trait_id: TraitId, caller: CurrentCaller, user_id: UserIdQuery = None) -> TraitExplanationOut:
    """Return why a trait is inferred: each piece of evidence with what it weighs, and what speaks against it."""

    def work(tx: Transaction) -> TraitExplanationOut:
        subject = caller.owner(tx, "trait", trait_id, user_id)
        found = portraits.explain(tx, subject.id, trait_id, terms=caller.terms)
        if found is None:
            raise NotFound("trait")
        return explanation_out(found)

    return caller.transact(work)


@router.get("/traits/{trait_id}/history")
def get_trait_history(trait_id: TraitId, caller: CurrentCaller, user_id: UserIdQuery = None) -> TraitHistoryOut:
    """Return how a trait grew, reflection by reflection."""

    def work(tx: Transaction) -> TraitHistoryOut:
        subject = caller.owner(tx, "trait", trait_id, user_id)
        if traits.read(tx, subject.id, trait_id) is None:
            raise NotFound("trait")
        return events_out(portraits.history(tx, trait_id))

    return caller.transact(work)


@router.patch("/traits/{trait_id}")
def update_trait(
    trait_id: TraitId, body: TraitPatch, response: Response, caller: CurrentCaller, if_match: IfMatch = None
) -> TraitOut:
    """Confirm a trait, confine it to a context, or word it anew."""
    caller.may_edit()
    given = body.model_fields_set
    text = _worded(body.content, caller.sensitivity) if "content" in given else None

    def work(tx: Transaction) -> TraitOut:
        subject = caller.owner(tx, "trait", trait_id, body.user_id)
        decide(
            tx,
            subject,
            trait_id,
            actor=caller.actor,
            version=version_of(if_match, TraitChanged),
            confirmed=body.confirmed if "confirmed" in given else None,
            text=text,
            context=body.context,
            anywhere="context" in given and body.context is None,
        )
        return _read(tx, caller, subject, trait_id)

    answer = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="edit", scope="trait").inc()
    response.headers["ETag"] = f'"{answer.version}"'
    return answer


@router.delete("/traits/{trait_id}", status_code=202)
def delete_trait(
    trait_id: TraitId,
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    undo_seconds: UndoSecondsQuery = 0,
    key: IdempotencyKey = None,
) -> AcceptedOut:
    """Forget a trait with what was observed of it. It is not inferred again until the person allows it."""

    return caller.forget(
        caller.once(key, None, route=f"delete_trait {trait_id} {undo_seconds}"),
        response,
        lambda tx: caller.owner(tx, "trait", trait_id, user_id),
        lambda tx, subject, wanted: forget_trait(tx, subject, trait_id, wanted),
        undo_seconds=undo_seconds,
    )


@router.post("/traits/clear", status_code=202)
def clear_traits(
    body: ClearTraitsIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None
) -> AcceptedOut:
    """Forget everything that was inferred about a person. What they say later may be observed again."""

    return caller.forget(
        caller.once(key, body, route="clear_traits"),
        response,
        lambda tx: caller.subject(tx, body.user_id),
        forget_everything_inferred,
        undo_seconds=body.undo_seconds,
    )


@router.get("/reflections")
def list_reflections(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> list[ReflectionOut]:
    """Return when reflections ran, why, and what they counted, newest first."""

    def work(tx: Transaction) -> list[ReflectionOut]:
        subject = caller.known_subject(tx, user_id)
        if subject is None:
            return []
        found = reflections.page(tx, subject.id, after=item_before(cursor), limit=limit)
        return [ReflectionOut(**asdict(one)) for one in found]

    answer = caller.transact(work)
    response.headers.update(next_link(request, [one.id for one in answer], limit))
    return answer


@router.post("/reflections", status_code=202)
def request_a_reflection(body: ReflectIn, caller: CurrentCaller) -> QueuedOut:
    """Reflect soon, for instance after a topic ended (`commit_working_memory`). Asking again changes nothing."""

    def work(tx: Transaction) -> None:
        request_reflection(tx, caller.subject(tx, body.user_id), reason=body.reason, terms=caller.terms)

    caller.transact(work)
    return QueuedOut()


def _read(tx: Transaction, caller: Caller, subject: Subject, trait_id: UUID) -> TraitOut:
    stored = traits.read(tx, subject.id, trait_id)
    if stored is None:
        raise NotFound("trait")
    [found] = portraits.with_evidence(tx, [stored], terms=caller.terms)
    return trait_out(found)


def _worded(content: str, policy: Any) -> str:
    """Return a new wording without what must not be stored.

    Raises:
        TraitSensitive: it names a sensitive matter.
        ApiProblem: 422: nothing of it may be stored.
    """
    if named := special_categories(content):
        raise TraitSensitive(named)
    texts, _ = remembered_of({"content": content.strip()}, policy)
    return texts["content"]
