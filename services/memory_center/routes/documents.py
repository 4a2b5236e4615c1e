"""Documents: a person uploads text, Markdown or PDF; it is recalled, cited, exported and forgotten (TR-12)."""

from __future__ import annotations

from dataclasses import asdict, replace
from email.message import EmailMessage
from hashlib import sha256
from typing import Annotated, Any, Final
from urllib.parse import unquote
from uuid import UUID

from anyio.to_thread import run_sync
from fastapi import Header, Path, Query, Request, Response

from services.api import (
    AcceptedOut,
    Caller,
    CurrentCaller,
    IdempotencyKey,
    UndoSecondsQuery,
    UserIdQuery,
)
from services.memory_center.document_reading import read_in_turn
from services.memory_center.document_schemas import DocumentOut, DocumentPartOut
from services.memory_center.memory_schemas import ProjectId
from services.pages import Cursor, Limit, item_before, next_link
from shared.documents.add import add_document
from shared.documents.packages import TITLE_MAX
from shared.documents.prepare import Prepared
from shared.documents.rules.media_types import MEDIA_TYPES, MediaType
from shared.documents.sql import documents
from shared.documents.sql.documents import StoredDocument
from shared.erasure.accept import ForgetRequest, fenced
from shared.erasure.forget import forget_together
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.idempotency import Once, earlier_answer, run_idempotent
from shared.kernel.subjects import Subject
from shared.language.sensitivity import mask
from shared.runtime import telemetry
from shared.runtime.header_text import as_utf8
from shared.runtime.problems import ApiProblem, ProblemKind
from shared.runtime.storable_text import refuse_unstorable_string, streamed
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["documents"])

BYTES_MAX: Final = 10 * 2**20
BODY_LIMITS: Final = {"/api/v1/documents": BYTES_MAX}

UNSUPPORTED: Final = ProblemKind(
    status=415,
    code="unsupported_media_type",
    title="The body must be the document itself: text/plain, text/markdown or application/pdf.",
)

_BODY: Final = {
    "requestBody": {
        "required": True,
        "description": f"The file, at most {BYTES_MAX // 2**20} MiB.",
        "content": {one: {"schema": {"type": "string", "format": "binary"}} for one in MEDIA_TYPES},
    }
}
DocumentId = Annotated[UUID, Path()]
Disposition = Annotated[
    str | None,
    Header(
        max_length=2_000,
        description="Its `filename` or `filename*` is the title. Nothing of the text is: it would outlive its part.",
        examples=['attachment; filename="notes.md"'],
    ),
]

UNTITLED: Final = "–"


@router.post("/documents", status_code=201, response_model=DocumentOut, openapi_extra=_BODY)
@streamed
async def add_a_document(
    request: Request,
    caller: CurrentCaller,
    project_id: Annotated[ProjectId | None, Query(description="Recall its parts in this project only.")] = None,
    content_disposition: Disposition = None,
    user_id: UserIdQuery = None,
    key: IdempotencyKey = None,
) -> DocumentOut:
    """Store a document's text. From now on its parts are recalled for questions they answer, and cited by page."""
    media_type = _media_type(request)
    caller.may_edit()
    caller.user(user_id)
    title = _title(content_disposition)
    data = await request.body()
    once = caller.once(key, None, route=f"add_document {caller.user(user_id)} {media_type} {project_id}")
    once = replace(once, request=f"{once.request}{sha256((title or '').encode() + b'/' + data).hexdigest()}")
    if earlier := await run_sync(_earlier, caller, once, user_id):
        return earlier
    found = await read_in_turn(data, media_type, caller.sensitivity, whose=caller.user(user_id))
    named = mask(title or "", caller.sensitivity).strip()[:TITLE_MAX] or UNTITLED
    return await run_sync(_added, caller, once, found, named, media_type, len(data), project_id, user_id)


def _earlier(caller: Caller, once: Once, user_id: str | None) -> DocumentOut | None:
    """Return what an earlier request with this key stored: nothing is read again for it."""

    def work(tx: Transaction) -> DocumentOut | None:
        answer = earlier_answer(tx, once)
        return None if answer is None else _out(_found(tx, caller.subject(tx, user_id), UUID(answer["document_id"])))

    return caller.transact(work) if once.key else None


def _added(
    caller: Caller,
    once: Once,
    found: Prepared,
    named: str,
    media_type: MediaType,
    size: int,
    project_id: str | None,
    user_id: str | None,
) -> DocumentOut:
    def add(tx: Transaction, subject: Subject) -> dict[str, Any]:
        document_id = add_document(
            tx,
            subject,
            found.parts,
            title=named,
            media_type=media_type,
            size=size,
            pages=found.pages,
            project_id=project_id,
            terms=caller.terms,
            actor=caller.actor,
        )
        return {"document_id": str(document_id)}

    def work(tx: Transaction) -> DocumentOut:
        answer = run_idempotent(tx, once, lambda tx: caller.subject(tx, user_id), add)
        return _out(_found(tx, caller.subject(tx, user_id), UUID(answer["document_id"])))

    added = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="remember", scope="document").inc()
    return added


@router.get("/documents")
def list_documents(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> list[DocumentOut]:
    """Return the documents of a person, newest first."""

    def work(tx: Transaction) -> list[StoredDocument]:
        subject = caller.known_subject(tx, user_id)
        return documents.page(tx, subject.id, after=item_before(cursor), limit=limit) if subject else []

    found = caller.transact(work)
    response.headers.update(next_link(request, [one.id for one in found], limit))
    return [_out(one) for one in found]


@router.get("/documents/{document_id}")
def get_document(document_id: DocumentId, caller: CurrentCaller, user_id: UserIdQuery = None) -> DocumentOut:
    """Return a document."""
    return caller.transact(lambda tx: _out(_found(tx, caller.owner(tx, "document", document_id, user_id), document_id)))


@router.get("/documents/{document_id}/parts")
def list_document_parts(
    document_id: DocumentId,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    after: Annotated[int, Query(ge=0, description="The position of the last part seen.")] = 0,
    limit: Limit = 50,
) -> list[DocumentPartOut]:
    """Return the parts of a document in their order."""

    def work(tx: Transaction) -> list[DocumentPartOut]:
        subject = caller.owner(tx, "document", document_id, user_id)
        _found(tx, subject, document_id)
        found = documents.parts(tx, subject.id, document_id, after=after, limit=limit)
        return [
            DocumentPartOut(memory_id=one.memory_id, position=one.position, page=one.page, content=one.text)
            for one in found
        ]

    return caller.transact(work)


@router.delete("/documents/{document_id}", status_code=202)
def delete_document(
    document_id: DocumentId,
    response: Response,
    caller: CurrentCaller,
    user_id: UserIdQuery = None,
    undo_seconds: UndoSecondsQuery = 0,
    key: IdempotencyKey = None,
) -> AcceptedOut:
    """Forget a document, all its parts, and the memories that were edited from them."""

    def accept(tx: Transaction, subject: Subject, wanted: ForgetRequest) -> None:
        subject = fenced(tx, subject)
        _found(tx, subject, document_id)
        forget_together(tx, subject, {"document": [document_id]}, wanted)

    return caller.forget(
        caller.once(key, None, route=f"delete_document {document_id} {undo_seconds}"),
        response,
        lambda tx: caller.owner(tx, "document", document_id, user_id),
        accept,
        undo_seconds=undo_seconds,
    )


def _found(tx: Transaction, subject: Subject, document_id: UUID) -> StoredDocument:
    document = documents.read(tx, subject.id, document_id)
    if document is None:
        raise NotFound("document")
    return document


def _out(stored: StoredDocument) -> DocumentOut:
    return DocumentOut(**asdict(stored))


def _media_type(request: Request) -> MediaType:
    named = request.headers.get("content-type", "").split(";", 1)[0].strip().lower()
    found = next((one for one in MEDIA_TYPES if one == named), None)
    if found is None:
        raise ApiProblem(UNSUPPORTED)
    return found


def _title(disposition: str | None) -> str | None:
    """Return the name of the file, without folders (RFC 6266)."""
    if disposition is None:
        return None
    parsed = EmailMessage()
    try:
        parsed["Content-Disposition"] = " ".join(as_utf8(disposition).split())
        name = parsed.get_filename()
    except (IndexError, ValueError):  # the library trips over some malformed parameters
        name = None
    if not name:
        return None
    title = unquote(name).replace("\\", "/").rsplit("/", 1)[-1].strip()
    refuse_unstorable_string(title)
    return title or None
