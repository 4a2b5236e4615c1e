"""Long-term memories: list, read, write by hand, edit, pause, confirm (MC-05, CN-01, CN-03, LT-03)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Header, Path, Query, Request, Response

from services.edge import (
    Caller,
    CurrentCaller,
    Cursor,
    IdempotencyKey,
    Limit,
    UserIdQuery,
    item_before,
    next_link,
)
from services.memory_center.narrowing import Narrowed
from services.memory_center.schemas import AcceptedOut
from services.memory_center.screening import remembered_of
from services.memory_center.unit_schemas import (
    ConfirmIn,
    CorrectIn,
    MemoryIn,
    MemoryOut,
    MemoryPatch,
    MemoryWrittenOut,
    Moment,
)
from services.memory_center.units import etag, memory_out
from shared.commands.confirm_memory import confirm_memory
from shared.commands.correct_memory import ask_to_correct
from shared.commands.disable_memory import disable_memory
from shared.commands.edit_memory import edit_memory
from shared.commands.idempotently import run_once
from shared.commands.refusals import MemoryChanged, NotFound
from shared.commands.write_memory import NewMemory, write_by_hand
from shared.persistence.corrections import Correction
from shared.persistence.database import Transaction
from shared.persistence.subjects import Subject
from shared.queries import remembered
from shared.runtime import telemetry

router = APIRouter(prefix="/api/v1/memory", tags=["memories"])

MemoryId = Annotated[UUID, Path()]
IfMatch = Annotated[
    str | None, Header(alias="If-Match", max_length=200, description="The ETag of the version that is changed.")
]
SCREENED = ("content", "task_hint")
CONFLICTS: dict[int | str, dict[str, Any]] = {409: {"description": "It cannot be done as things stand; see `code`."}}
CHANGED: dict[int | str, dict[str, Any]] = {412: {"description": "It has changed since it was read."}}


@router.get("/long_term")
def list_long_term(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    narrowed: Narrowed,
    user_id: UserIdQuery = None,
    message_id: Annotated[UUID | None, Query(description="What this message taught.")] = None,
    conversation_id: Annotated[UUID | None, Query(description="What this conversation taught.")] = None,
    created_after: Annotated[Moment | None, Query()] = None,
    created_before: Annotated[Moment | None, Query()] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> list[MemoryOut]:
    """Return a person's long-term memories, newest first, each with where it came from.

    `created_after` includes its moment, `created_before` does not.
    """
    before = item_before(cursor)
    bounds: dict[str, Any] = {
        "message_id": message_id,
        "conversation_id": conversation_id,
        "created_after": created_after,
        "created_before": created_before,
    }

    def work(tx: Transaction) -> list[MemoryOut]:
        subject = _whose(tx, caller, user_id, {"message": message_id, "conversation": conversation_id})
        wanted = narrowed.of(tx, subject) if subject else None
        if subject is None or wanted is None:
            return []
        found = remembered.memories_of(tx, subject.id, replace(wanted, **bounds), before=before, limit=limit)
        response.headers.update(next_link(request, [one.memory.id for one in found], limit))
        return [memory_out(one.memory, one.sources) for one in found]

    return caller.transact(work)


@router.post("/long_term", status_code=201, responses=CONFLICTS)
def create_long_term(
    body: MemoryIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None
) -> MemoryWrittenOut:
    """Remember what was written by hand; mem0 gets it from the workers."""
    texts, withheld = _screened(caller, body.model_dump(include=set(SCREENED)))
    new = NewMemory(
        text=texts["content"],
        content_type=body.content_type,
        scope=body.scope,
        project_id=body.project_id,
        origin="stated",
        method="person",
        importance=body.importance,
        taboo=body.taboo,
        task_hint=texts.get("task_hint"),
    )

    def write(tx: Transaction, subject: Subject) -> dict[str, Any]:
        written = write_by_hand(tx, subject, new, defaults=caller.defaults, actor=caller.actor)
        return {"memory_id": str(written), "withheld": withheld}

    def work(tx: Transaction) -> MemoryWrittenOut:
        once = caller.once(key, body, route="create_long_term")
        answer = run_once(tx, once, lambda: caller.subject(tx, body.user_id), lambda subject: write(tx, subject))
        return _written(tx, caller, answer)

    answer = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="write", scope="memory").inc()
    response.headers["Location"] = f"/api/v1/memory/long_term/{answer.id}"
    response.headers.update(etag(answer))
    return answer


@router.post("/long_term/confirm", responses=CONFLICTS)
def confirm_long_term(
    body: ConfirmIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None
) -> MemoryOut:
    """Say that a memory is true; with `resolve`, decide the contradiction it is part of."""

    def confirm(tx: Transaction, subject: Subject) -> dict[str, Any]:
        confirm_memory(tx, subject, body.memory_id, body.resolve, actor=caller.actor)
        return {"memory_id": str(body.memory_id)}

    def work(tx: Transaction) -> MemoryOut:
        once = caller.once(key, body, route="confirm_long_term")
        run_once(
            tx,
            once,
            lambda: caller.owner(tx, "memory", body.memory_id, body.user_id),
            lambda subject: confirm(tx, subject),
        )
        return _read(tx, caller, body.memory_id)

    answer = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="confirm", scope="memory").inc()
    response.headers.update(etag(answer))
    return answer


@router.post("/long_term/correct", status_code=202, responses=CONFLICTS)
def correct_long_term(
    body: CorrectIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None
) -> AcceptedOut:
    """Let a statement take the place of the memory it is about. The operation tells whether exactly one was meant."""
    texts, _ = _screened(caller, {"content": body.statement})
    correction = Correction(about=body.about, statement=texts["content"])

    def ask(tx: Transaction, subject: Subject) -> dict[str, Any]:
        return {"op_id": str(ask_to_correct(tx, subject, correction, defaults=caller.defaults, actor=caller.actor))}

    def work(tx: Transaction) -> dict[str, Any]:
        once = caller.once(key, body, route="correct_long_term")
        return run_once(tx, once, lambda: caller.subject(tx, body.user_id), lambda subject: ask(tx, subject))

    answer = AcceptedOut(**caller.transact(work), receipt_id=None)
    telemetry.MEMORY_OP.labels(op="correct", scope="memory").inc()
    response.headers["Location"] = f"/api/v1/memory/ops/{answer.op_id}"
    response.headers["Retry-After"] = "1"
    return answer


@router.get("/long_term/{memory_id}")
def get_long_term(
    memory_id: MemoryId, response: Response, caller: CurrentCaller, user_id: UserIdQuery = None
) -> MemoryOut:
    """Return one long-term memory with where it came from; its ETag is its version."""
    answer = caller.transact(lambda tx: _read(tx, caller, memory_id, user_id))
    response.headers.update(etag(answer))
    return answer


@router.patch("/long_term/{memory_id}", responses=CONFLICTS | CHANGED)
def update_long_term(
    memory_id: MemoryId,
    body: MemoryPatch,
    response: Response,
    caller: CurrentCaller,
    if_match: IfMatch = None,
    key: IdempotencyKey = None,
) -> MemoryWrittenOut:
    """Edit a memory: the answer is a new one, with an id of its own, that takes its place. Nothing is overwritten.

    `disabled` alone changes the memory itself.
    """
    named = body.model_dump(exclude_unset=True, exclude={"user_id", "disabled"})
    texts, withheld = _screened(caller, {name: named[name] for name in SCREENED if name in named})
    wanted = {"text" if name == "content" else name: value for name, value in (named | texts).items()}

    def change(tx: Transaction, subject: Subject) -> dict[str, Any]:
        version = _version(if_match)
        changed: UUID = memory_id
        if wanted:
            changed = edit_memory(
                tx, subject, memory_id, wanted, defaults=caller.defaults, actor=caller.actor, if_version=version
            )
            version = None
        if "disabled" in body.model_fields_set:
            disable_memory(tx, subject, changed, disabled=body.disabled, actor=caller.actor, if_version=version)
        return {"memory_id": str(changed), "withheld": withheld}

    def work(tx: Transaction) -> MemoryWrittenOut:
        once = caller.once(key, body, route=f"update_long_term {memory_id} {if_match}")
        answer = run_once(
            tx,
            once,
            lambda: caller.owner(tx, "memory", memory_id, body.user_id),
            lambda subject: change(tx, subject),
        )
        return _written(tx, caller, answer)

    answer = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="edit", scope="memory").inc()
    response.headers.update(etag(answer))
    return answer


def _screened(caller: Caller, texts: dict[str, str | None]) -> tuple[dict[str, str], list[str]]:
    return remembered_of({name: text for name, text in texts.items() if text is not None}, caller.sensitivity)


def _version(if_match: str | None) -> int | None:
    """Return the version a request is about, None when it is about any.

    Raises:
        MemoryChanged: it names none that there ever was.
    """
    if if_match is None or if_match.strip() == "*":
        return None
    tag = if_match.strip().removeprefix('"').removesuffix('"')
    if not (tag.isascii() and tag.isdigit()):
        raise MemoryChanged
    return int(tag)


def _read(tx: Transaction, caller: Caller, memory_id: UUID, user_id: str | None = None) -> MemoryOut:
    subject = caller.owner(tx, "memory", memory_id, user_id)
    found = remembered.one_memory(tx, subject.id, memory_id)
    if found is None:
        raise NotFound("memory")
    return memory_out(found.memory, found.sources)


def _written(tx: Transaction, caller: Caller, answer: dict[str, Any]) -> MemoryWrittenOut:
    memory = _read(tx, caller, UUID(answer["memory_id"]))
    return MemoryWrittenOut(**memory.model_dump(), withheld=answer["withheld"])


def _whose(tx: Transaction, caller: Caller, user_id: str | None, named: Mapping[str, UUID | None]) -> Subject | None:
    """Return whose memories are listed; who names things must name those of one person.

    Raises:
        NotFound: something named is not there, or not theirs.
    """
    owners = [caller.owner(tx, kind, id_, user_id) for kind, id_ in named.items() if id_ is not None]
    if not owners:
        return caller.known_subject(tx, user_id)
    if len({one.id for one in owners}) > 1:
        raise NotFound("memory")
    return owners[0]
