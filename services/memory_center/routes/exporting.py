"""Exports and their packages (MC-12). Downloads pass through this service: a direct link could outlive a forget."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import Header, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from services.api import AcceptedOut, CurrentCaller, IdempotencyKey, UserIdQuery
from services.memory_center.downloading import answer, part_of, tag
from services.memory_center.export_schemas import ExportIn, ExportOut
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.portability.export_package import ask_to_export, find_export, note_download, open_package, selected
from shared.portability.sql import exports
from shared.portability.sql.exports import Export, Wanted
from shared.runtime import telemetry
from shared.runtime.problems import ApiProblem, ProblemKind
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["exports"])
of_users = api_router(prefix="/api/v1/users", tags=["exports"])

BODY_LIMITS: Final = {"/api/v1/memory/export": 100_000}
"""A request may name two thousand items."""

OperationId = Annotated[UUID, Path()]
RangeHeader = Annotated[
    str | None, Header(alias="Range", max_length=100, description="One range, such as `bytes=0-65535`.")
]
IfRange = Annotated[
    str | None,
    Header(
        alias="If-Range",
        max_length=100,
        description="The ETag the range belongs to; if it has changed, the whole package is returned.",
    ),
]
UNCONFIRMED: Final = ProblemKind(
    status=422,
    code="confirmation_required",
    title="Exporting everything requires confirmation.",
    detail="Send confirmation: true.",
)
_BINARY: Final = {
    "application/json": {"schema": {"type": "object"}},
    "application/zip": {"schema": {"type": "string", "format": "binary"}},
    "text/markdown": {"schema": {"type": "string", "format": "binary"}},
}


@router.post("/export", status_code=202, responses={429: {"description": "See `code`."}})
def export_memory(body: ExportIn, response: Response, caller: CurrentCaller, key: IdempotencyKey = None) -> AcceptedOut:
    """Export a conversation, a selection, or everything; download the package when its operation has succeeded.

    Exporting everything requires `confirmation: true` from every caller.
    """
    if body.scope == "user" and not body.confirmation:
        raise ApiProblem(UNCONFIRMED)

    def accept(tx: Transaction, subject: Subject) -> dict[str, Any]:
        wanted = Wanted(
            scope=body.scope,
            format=body.format,
            language=body.language,
            conversation_id=body.conversation_id,
            items=selected(tx, subject, set(body.ids)) if body.ids else {},
        )
        return {"op_id": str(ask_to_export(tx, subject, wanted, actor=caller.actor)), "receipt_id": None}

    def subject_of(tx: Transaction) -> Subject:
        if body.conversation_id is not None:
            return caller.owner(tx, "conversation", body.conversation_id, body.user_id)
        return caller.subject(tx, body.user_id)

    once = caller.once(key, body, route="export")
    accepted = AcceptedOut(**caller.transact_once(once, subject_of, accept))
    telemetry.MEMORY_OP.labels(op="export", scope=body.scope).inc()
    response.headers.update({"Location": f"/api/v1/memory/ops/{accepted.op_id}", "Retry-After": "1"})
    return accepted


@of_users.get("/{of_user}/export", status_code=202)
def export_in_layout(
    of_user: Annotated[
        str, Path(min_length=1, max_length=200, description="`me`: the `user_id` of the query, or the caller.")
    ],
    response: Response,
    caller: CurrentCaller,
    layout: Annotated[Literal["finclaw"], Query()] = "finclaw",
    user_id: UserIdQuery = None,
) -> AcceptedOut:
    """Export what a person agreed to and said about themselves, in another product's layout.

    Asking again while it is being packed answers the same operation.
    """

    def work(tx: Transaction) -> str:
        subject = caller.subject(tx, user_id if of_user == "me" else of_user)
        earlier = exports.newest_of_format(tx, subject.id, layout)
        wanted = Wanted(scope="user", format=layout, language="en", conversation_id=None, items={})
        return str(earlier or ask_to_export(tx, subject, wanted, actor=caller.actor))

    accepted = AcceptedOut(op_id=UUID(caller.transact(work)), receipt_id=None)
    telemetry.MEMORY_OP.labels(op="export", scope="user").inc()
    response.headers.update({"Location": f"/api/v1/memory/ops/{accepted.op_id}", "Retry-After": "1"})
    return accepted


@router.get("/exports/{op_id}")
def get_export(op_id: OperationId, caller: CurrentCaller) -> ExportOut:
    """Return the state of a package; 410 if it expired or something in it was forgotten."""

    def work(tx: Transaction) -> Export:
        return find_export(tx, caller.owner(tx, "operation", op_id), op_id)

    export = caller.transact(work)
    return ExportOut(
        op_id=export.operation_id,
        scope=export.wanted.scope,
        conversation_id=export.wanted.conversation_id,
        format=export.wanted.format,
        language=export.wanted.language,
        ready=export.ready_at is not None,
        bytes=export.size,
        sha256=export.sha256.hex() if export.sha256 else None,
        exported_at=export.snapshot_at,
        expires_at=export.expires_at,
    )


@router.get(
    "/exports/{op_id}/package",
    response_class=StreamingResponse,
    responses={
        200: {"description": "The package.", "content": _BINARY},
        206: {"description": "The requested range.", "content": _BINARY},
        416: {"description": "The range is outside the package."},
    },
)
def download_package(
    op_id: OperationId,
    request: Request,
    caller: CurrentCaller,
    wanted: RangeHeader = None,
    unchanged: IfRange = None,
) -> StreamingResponse:
    """Download a package, or one range of it. Forgetting something in it stops the download."""

    def find(tx: Transaction) -> Export:
        return open_package(tx, caller.owner(tx, "operation", op_id), op_id)

    export = caller.transact(find)
    part = part_of(export.size or 0, wanted if unchanged in (None, tag(export)) else None)
    theirs = caller.database.of(export.subject_id)
    response = answer(theirs, request.app.state.packages, export, part)
    theirs.transact(lambda tx: note_download(tx, export, actor=caller.actor, whole=part.start == 0))
    return response
