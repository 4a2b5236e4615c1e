"""Documents: a person uploads text, Markdown or PDF; it is recalled, cited, exported and forgotten (TR-12)."""

from __future__ import annotations

import threading
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
from services.memory_center.document_schemas import DocumentOut, DocumentPartOut
from services.memory_center.memory_schemas import ProjectId
from services.pages import Cursor, Limit, item_before, next_link
from shared.documents.add import add_document
from shared.documents.extract_text import Unreadable
from shared.documents.packages import TITLE_MAX
from shared.documents.prepare import Prepared
from shared.documents.reading import is_read_here, read
from shared.documents.rules.media_types import MEDIA_TYPES, MediaType
from shared.documents.sql import documents
from shared.documents.sql.documents import StoredDocument
from shared.erasure.accept import ForgetRequest, fenced
from shared.erasure.forget import forget_together
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.idempotency import run_idempotent
from shared.kernel.sensitivity import Policy
from shared.kernel.subjects import Subject
from shared.language.sensitivity import mask
from shared.runtime import telemetry
from shared.runtime.header_text import as_utf8
from shared.runtime.problems import ApiProblem, Busy, ProblemKind
from shared.runtime.storable_text import refuse_unstorable_string, streamed
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1", tags=["documents"])

BYTES_MAX: Final = 10 * 2**20
BODY_LIMITS: Final = {"/api/v1/documents": BYTES_MAX}
AT_ONCE: Final = 2
"""Files one process reads at once; a PDF may cost half a minute."""

UNREADABLE: Final = ProblemKind(
    status=422,
    code="document_malformed",
    title="The text of this document cannot be read.",
    detail="`code` gives the reason: document_not_text, document_empty, document_encrypted, document_without_text (a"
    " scan), document_malformed, document_too_long, document_too_complex. Nothing was stored.",
)
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
PATIENCE_SECONDS: Final = 5.0
"""Wait for a place among the files being read."""

_places = threading.BoundedSemaphore(AT_ONCE)


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
    return await run_sync(_added, caller, data, media_type, title, project_id, user_id, key)


def _added(
    caller: Caller,
    data: bytes,
    media_type: MediaType,
    title: str | None,
    project_id: str | None,
    user_id: str | None,
    key: str | None,
) -> DocumentOut:
    found = _read(data, media_type, caller.sensitivity)
    named = mask(title or "", caller.sensitivity).strip()[:TITLE_MAX] or UNTITLED

    def add(tx: Transaction, subject: Subject) -> dict[str, Any]:
        document_id = add_document(
            tx,
            subject,
            found.parts,
            title=named,
            media_type=media_type,
            size=len(data),
            pages=found.pages,
            project_id=project_id,
            terms=caller.terms,
            actor=caller.actor,
        )
        return {"document_id": str(document_id)}

    def work(tx: Transaction) -> DocumentOut:
        once = caller.once(key, None, route=f"add_document {caller.user(user_id)} {media_type} {project_id}")
        once = replace(once, request=f"{once.request}{sha256(data).hexdigest()}")
        answer = run_idempotent(tx, once, lambda tx: caller.subject(tx, user_id), add)
        return _out(_found(tx, caller.subject(tx, user_id), UUID(answer["document_id"])))

    added = caller.transact(work)
    telemetry.MEMORY_OP.labels(op="remember", scope="document").inc()
    return added


def _read(data: bytes, media_type: MediaType, policy: Policy) -> Prepared:
    is_quick = is_read_here(data, media_type)
    if not is_quick and not _places.acquire(timeout=PATIENCE_SECONDS):
        raise Busy
    try:
        return read(data, media_type, policy)
    except Unreadable as unreadable:
        raise ApiProblem(replace(UNREADABLE, code=unreadable.fault)) from None
    finally:
        if not is_quick:
            _places.release()


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
