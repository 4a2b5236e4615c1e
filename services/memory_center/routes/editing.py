"""Long-term memories: write by hand, edit, pause, confirm, correct (MC-05, CN-01, CN-03, LT-03)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Path, Request, Response

from services.api import Caller, CurrentCaller, IdempotencyKey
from services.memory_center.correcting import Correction, correct, preview_correction
from services.memory_center.if_match import IfMatch, version_of
from services.memory_center.memory_schemas import (
    ConfirmIn,
    CorrectedOut,
    CorrectIn,
    CorrectionPreview,
    MemoryEmotion,
    MemoryIn,
    MemoryOut,
    MemoryPatch,
    MemoryWrittenOut,
    SeveralIn,
    SeveralOut,
    SupersededOut,
)
from services.memory_center.memory_views import etag, read_memory
from services.screening import check_external_id, remembered_metadata, remembered_of
from shared.kernel.database import Transaction
from shared.kernel.emotions import Emotion
from shared.kernel.errors import MemoryChanged
from shared.kernel.idempotency import run_idempotent
from shared.kernel.subjects import Subject
from shared.memories.append import Claim, sourced
from shared.memories.change_several import Change, change_several
from shared.memories.confirm import confirm_memory
from shared.memories.disable import disable_memory
from shared.memories.edit import edit_memory
from shared.memories.queries import remembered
from shared.memories.write import NewMemory, write_by_hand
from shared.runtime import telemetry
from shared.runtime.problems import ApiProblem, ProblemKind
from shared.runtime.web import api_router
from shared.traits.reflect import queue_after_statement

router = api_router(prefix="/api/v1/memory", tags=["memories"])

SCREENED = ("content", "task_hint")
"""Members screened for sensitive content under their own names; an emotion's label is screened too."""
LABEL = "emotion.label"
SERVICE_MEMBERS = frozenset({"provenance", "supersedes_id"})
SERVICE_ONLY: Final = ProblemKind(
    status=422, code="service_only", title="Only a service may send provenance or supersedes_id."
)
CONFLICTS: dict[int | str, dict[str, Any]] = {
    409: {"description": "The current state does not allow this; see `code`."}
}
CHANGED: dict[int | str, dict[str, Any]] = {412: {"description": "The memory has changed since you read it."}}


@router.post("/long_term", status_code=201, responses=CONFLICTS)
def create_long_term(
    body: MemoryIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None
) -> MemoryWrittenOut:
    """Add a memory; workers copy it to mem0."""
    caller.may_edit()
    if caller.principal.kind == "person" and body.model_fields_set & SERVICE_MEMBERS:
        raise ApiProblem(SERVICE_ONLY)
    texts, withheld = _screened(caller, body.model_dump(include=set(SCREENED)) | _label(body.emotion))
    check_external_id(body.external_id, caller.sensitivity)
    metadata, more = remembered_metadata(body.metadata or {}, caller.sensitivity)
    withheld = sorted({*withheld, *more})
    claim = Claim(**body.provenance.model_dump()) if body.provenance else None
    new = NewMemory(
        text=texts["content"],
        content_type=body.content_type,
        scope=body.scope,
        project_id=body.project_id,
        origin="extracted" if claim else "stated",
        method=f"model:{caller.principal.subject}" if claim else "person",
        importance=body.importance,
        taboo=body.taboo,
        task_hint=texts.get("task_hint"),
        emotion=_emotion(body.emotion, texts),
        metadata=metadata,
        external_id=body.external_id,
    )

    def write(tx: Transaction, subject: Subject) -> dict[str, Any]:
        complete = sourced(tx, subject, new, claim=claim, supersedes=body.supersedes_id, terms=caller.terms)
        written = write_by_hand(tx, subject, complete, terms=caller.terms, actor=caller.actor)
        queue_after_statement(tx, subject, actor=caller.actor, terms=caller.terms)
        return {"memory_id": str(written), "withheld": withheld}

    def work(tx: Transaction) -> MemoryWrittenOut:
        once = caller.once(key, body, route="create_long_term")
        answer = run_idempotent(tx, once, lambda tx: caller.subject(tx, body.user_id), write)
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
    """Confirm that a memory is true; with `resolve`, also resolve its contradiction."""
    caller.may_edit()

    def confirm(tx: Transaction, subject: Subject) -> dict[str, Any]:
        confirm_memory(tx, subject, body.memory_id, body.resolve, actor=caller.actor)
        queue_after_statement(tx, subject, actor=caller.actor, terms=caller.terms)
        return {"memory_id": str(body.memory_id)}

    def work(tx: Transaction) -> MemoryOut:
        once = caller.once(key, body, route="confirm_long_term")
        run_idempotent(tx, once, lambda tx: caller.owner(tx, "memory", body.memory_id, body.user_id), confirm)
        return read_memory(tx, caller, body.memory_id)

    answer = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="confirm", scope="memory").inc()
    response.headers.update(etag(answer))
    return answer


@router.post("/long_term/correct/dry-run")
async def dry_run_correct(body: CorrectIn, request: Request, caller: CurrentCaller) -> CorrectionPreview:
    """Return which memory a correction would replace, and by what; 409 `nothing_corrected` as the correction itself."""
    user_id = caller.user(body.user_id)

    def work(stop: threading.Event) -> CorrectionPreview:
        texts, _ = _screened(caller, {"content": body.statement})
        correction = Correction(user_id=user_id, about=body.about, statement=texts["content"])
        return preview_correction(caller, request.app.state.readings, correction, stop)

    preview: CorrectionPreview = await request.app.state.describing.run(request, user_id, work)
    return preview


@router.post("/long_term/correct", responses=CONFLICTS)
async def correct_long_term(
    body: CorrectIn, request: Request, response: Response, caller: CurrentCaller, key: IdempotencyKey = None
) -> CorrectedOut:
    """Replace the memory that matches `about` with a statement; 409 `nothing_corrected` unless exactly one does.

    One request at a time for each person, for at most 2 seconds of processor time, while the client waits.
    """
    caller.may_edit()
    user_id = caller.user(body.user_id)

    def work(stop: threading.Event) -> CorrectedOut:
        texts, withheld = _screened(caller, {"content": body.statement})
        correction = Correction(user_id=user_id, about=body.about, statement=texts["content"])
        once = caller.once(key, body, route="correct_long_term")
        answer = correct(caller, request.app.state.readings, correction, once, stop)
        return caller.transact(lambda tx: _corrected(tx, caller, answer, withheld))

    answer: CorrectedOut = await request.app.state.describing.run(request, user_id, work)
    telemetry.MEMORY_OP.labels(op="correct", scope="memory").inc()
    response.headers.update(etag(answer))
    return answer


@router.post("/long_term/change", responses=CONFLICTS)
def change_long_term(body: SeveralIn, caller: CurrentCaller, key: IdempotencyKey = None) -> SeveralOut:
    """Keep, pause, resume or move several memories at once, all or none.

    A memory that a newer one has replaced is not changed; its outcome is `superseded`.
    """
    caller.may_edit()
    wanted = Change(act=body.act, scope=body.scope, project_id=body.project_id)

    def change(tx: Transaction, subject: Subject) -> dict[str, Any]:
        done = change_several(tx, subject, body.ids, wanted, terms=caller.terms, actor=caller.actor)
        if body.act != "move":
            queue_after_statement(tx, subject, actor=caller.actor, terms=caller.terms)
        return {"results": [{"id": str(one.id), "outcome": one.outcome, "now": str(one.now)} for one in done]}

    once = caller.once(key, body, route="change_long_term")
    found = caller.transact_once(once, lambda tx: caller.owner(tx, "memory", body.ids[0], body.user_id), change)
    answer = SeveralOut(**found)
    telemetry.MEMORY_OP.labels(op="confirm" if body.act == "keep" else "edit", scope="memory").inc(len(answer.results))
    return answer


@router.patch("/long_term/{memory_id}", responses=CONFLICTS | CHANGED)
def update_long_term(
    memory_id: Annotated[UUID, Path()],
    body: MemoryPatch,
    response: Response,
    caller: CurrentCaller,
    if_match: IfMatch = None,
    key: IdempotencyKey = None,
) -> MemoryWrittenOut:
    """Edit a memory: the result is a new memory with its own id that replaces it. Nothing is overwritten.

    Changing only `disabled` updates the memory in place.
    """
    caller.may_edit()
    named = body.model_dump(exclude_unset=True, exclude={"user_id", "disabled"})
    texts, withheld = _screened(
        caller, {name: named[name] for name in SCREENED if name in named} | _label(body.emotion)
    )
    if "emotion" in named:
        named["emotion"] = _emotion(body.emotion, texts)
    check_external_id(body.external_id, caller.sensitivity)
    if "metadata" in named:
        named["metadata"] = body.metadata or None
    if body.metadata:
        named["metadata"], more = remembered_metadata(body.metadata, caller.sensitivity)
        withheld = sorted({*withheld, *more})
    texts.pop(LABEL, None)
    wanted = {"text" if name == "content" else name: value for name, value in (named | texts).items()}

    def change(tx: Transaction, subject: Subject) -> dict[str, Any]:
        version = version_of(if_match, MemoryChanged)
        changed: UUID = memory_id
        if wanted:
            changed = edit_memory(
                tx, subject, memory_id, wanted, terms=caller.terms, actor=caller.actor, if_version=version
            )
            version = None
        if "disabled" in body.model_fields_set:
            disable_memory(tx, subject, changed, disabled=body.disabled, actor=caller.actor, if_version=version)
        queue_after_statement(tx, subject, actor=caller.actor, terms=caller.terms)
        return {"memory_id": str(changed), "withheld": withheld}

    def work(tx: Transaction) -> MemoryWrittenOut:
        once = caller.once(key, body, route=f"update_long_term {memory_id} {if_match}")
        answer = run_idempotent(tx, once, lambda tx: caller.owner(tx, "memory", memory_id, body.user_id), change)
        return _written(tx, caller, answer)

    answer = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="edit", scope="memory").inc()
    response.headers.update(etag(answer))
    return answer


def _screened(caller: Caller, texts: dict[str, str | None]) -> tuple[dict[str, str], list[str]]:
    return remembered_of({name: text for name, text in texts.items() if text is not None}, caller.sensitivity)


def _label(emotion: MemoryEmotion | None) -> dict[str, str | None]:
    return {LABEL: emotion.label} if emotion else {}


def _emotion(told: MemoryEmotion | None, texts: Mapping[str, str]) -> Emotion | None:
    """Return an emotion with its screened label."""
    return Emotion(valence=told.valence, arousal=told.arousal, label=texts[LABEL]) if told else None


def _corrected(tx: Transaction, caller: Caller, answer: dict[str, Any], withheld: list[str]) -> CorrectedOut:
    memory_id, old_id = UUID(answer["memory_id"]), UUID(answer["superseded"])
    old = remembered.one_memory(tx, caller.owner(tx, "memory", memory_id).id, old_id)  # may be forgotten
    superseded = [SupersededOut(id=old_id, content=old.memory.text)] if old else []
    memory = read_memory(tx, caller, memory_id)
    return CorrectedOut(**memory.model_dump(), withheld=withheld, superseded=superseded)


def _written(tx: Transaction, caller: Caller, answer: dict[str, Any]) -> MemoryWrittenOut:
    memory = read_memory(tx, caller, UUID(answer["memory_id"]))
    return MemoryWrittenOut(**memory.model_dump(), withheld=answer["withheld"])
