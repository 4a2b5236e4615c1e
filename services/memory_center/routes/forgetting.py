"""Forget requests (MC-07, MC-09…MC-11): accepted at once, erased and proven by the workers."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from fastapi import Path, Request, Response

from services.api import (
    AcceptedOut,
    Caller,
    CurrentCaller,
    IdempotencyKey,
    UndoSecondsQuery,
    UserIdQuery,
)
from services.memory_center.schemas import ConsequenceOut, DryRunOut, ForgetIn, ForgetPreviewIn, PreviewOut
from shared.conversations.sql import messages
from shared.erasure.accept import ForgetRequest
from shared.erasure.dry_run import DryRun, dry_run
from shared.erasure.forget import forget_conversation, forget_memory, forget_message, forget_user
from shared.erasure.forget_selection import forget_selection, pick
from shared.erasure.rules.confirmation import CONFIRMATIONS
from shared.erasure.rules.selection import Picked
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.subjects import Subject
from shared.runtime.selection_tokens import NothingSure, SelectionInvalid, SelectionTokens
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["forgetting"])

BODY_LIMITS: Final = {"/api/v1/memory/forget": 500_000}
"""A selection's token may name two thousand items."""


@router.post("/forget", status_code=202)
def forget(
    body: ForgetIn, request: Request, response: Response, caller: CurrentCaller, key: IdempotencyKey = None
) -> AcceptedOut:
    """Forget a message, a conversation, everything, or a selection. After the 202, none of it is served."""
    tokens = request.app.state.selections

    def accept(tx: Transaction, subject: Subject, wanted: ForgetRequest) -> None:
        _accept(tx, subject, body, wanted, tokens, confirmation=body.confirmation)

    return caller.forget(
        caller.once(key, body, route="forget"),
        response,
        lambda tx: _subject(tx, caller, body),
        accept,
        undo_seconds=body.undo_seconds,
        scope=body.scope,
    )


@router.post("/forget/dry-run")
def dry_run_forget(body: ForgetIn, request: Request, caller: CurrentCaller) -> DryRunOut:
    """Return exactly what a forget would erase, by store. Nothing is changed; no confirmation is needed."""
    found = _dry_run(body, caller, request.app.state.selections)
    return DryRunOut(counts=found.counts, turns_learned_again=found.survivors)


@router.post("/forget/preview", name="preview_forget")
def preview_forget(body: ForgetPreviewIn, request: Request, caller: CurrentCaller) -> PreviewOut:
    """Return exactly what forgetting a selection would erase: every item, and the counts by store."""
    tokens = request.app.state.selections
    wanted = ForgetIn(scope="selection", user_id=body.user_id, token=body.token, ids=body.ids)
    found = _dry_run(wanted, caller, tokens)
    picked = _ids(wanted) if body.token is None else {one.id for one in _found(wanted, body.token, tokens)[1]}
    return PreviewOut(
        counts=found.counts,
        turns_learned_again=found.survivors,
        items=[
            ConsequenceOut(
                kind=kind,
                id=item_id,
                because="picked" if item_id in picked else "made_from_it",
                what_is_left=item_id in found.rewritten,
            )
            for kind, ids in found.hidden.items()
            for item_id in ids
        ],
    )


def _dry_run(body: ForgetIn, caller: Caller, tokens: SelectionTokens) -> DryRun:
    def work(tx: Transaction) -> None:
        wanted_forget = ForgetRequest(actor=caller.actor)
        _accept(tx, _subject(tx, caller, body), body, wanted_forget, tokens, confirmation=min(CONFIRMATIONS))
        dry_run(tx, wanted_forget.operation_id)

    try:
        caller.transact(work)
    except DryRun as done:
        return done
    raise AssertionError


@router.delete("/long_term/{memory_id}", status_code=202)
def delete_long_term(
    memory_id: Annotated[UUID, Path()],
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    undo_seconds: UndoSecondsQuery = 0,
    key: IdempotencyKey = None,
) -> AcceptedOut:
    """Forget one long-term memory. Its message remains, and this memory is not learned from it again."""

    return caller.forget(
        caller.once(key, None, route=f"delete_long_term {memory_id} {undo_seconds}"),
        response,
        lambda tx: caller.owner(tx, "memory", memory_id, user_id),
        lambda tx, subject, wanted: forget_memory(tx, subject, memory_id, wanted),
        undo_seconds=undo_seconds,
    )


def _subject(tx: Transaction, caller: Caller, body: ForgetIn) -> Subject:
    if body.scope == "message" and body.message_id is not None:
        return caller.owner(tx, "message", body.message_id, body.user_id)
    if body.scope == "conversation" and body.conversation_id is not None:
        return caller.owner(tx, "conversation", body.conversation_id, body.user_id)
    return caller.subject(tx, body.user_id)


def _accept(
    tx: Transaction,
    subject: Subject,
    body: ForgetIn,
    wanted_forget: ForgetRequest,
    tokens: SelectionTokens,
    *,
    confirmation: str | None,
) -> None:
    if body.scope == "message" and body.message_id is not None:
        said = messages.read(tx, subject.id, body.message_id) if body.conversation_id else None
        if said is not None and said.conversation_id != body.conversation_id:
            raise NotFound("message")
        forget_message(tx, subject, body.message_id, wanted_forget, cascade=body.cascade)
    elif body.scope == "conversation" and body.conversation_id is not None:
        forget_conversation(tx, subject, body.conversation_id, wanted_forget)
    elif body.scope == "selection":
        forget_selection(tx, subject, _picked(tx, subject, body, tokens), wanted_forget)
    else:
        forget_user(tx, subject, wanted_forget, confirmation=confirmation, close_account=body.close_account)


def _picked(tx: Transaction, subject: Subject, body: ForgetIn, tokens: SelectionTokens) -> list[Picked]:
    """Return the items of a selection: those of its token, or the current ones of its ids.

    Raises:
        SelectionInvalid: as `_found`, or it belongs to another person.
        NotFound: an id is neither a message nor a memory.
    """
    if body.token is None:
        return pick(tx, subject, _ids(body))
    subject_id, picked = _found(body, body.token, tokens)
    if subject_id != subject.id:
        raise SelectionInvalid  # the same error as for an invalid token: it must not reveal that the token is valid
    return picked


def _found(body: ForgetIn, token: str, tokens: SelectionTokens) -> tuple[UUID, list[Picked]]:
    """Return a selection's subject and its requested items; without ids, all items that are sure.

    Raises:
        SelectionInvalid: the token is invalid or too old, or an id is not one of its items.
        NothingSure: without ids, none of its items is sure.
    """
    subject_id, picked = tokens.open(token)
    if body.ids is None:
        sure = [one for one in picked if one.sure]
        if not sure:
            raise NothingSure
        return subject_id, sure
    wanted = _ids(body)
    asked_for = [one for one in picked if one.id in wanted]
    if len(asked_for) != len(wanted):
        raise SelectionInvalid
    return subject_id, asked_for


def _ids(body: ForgetIn) -> set[UUID]:
    return set(body.ids or ())
