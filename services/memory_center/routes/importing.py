"""Imports: a package is checked first, then imported by a worker (X-09)."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, Final

from anyio.to_thread import run_sync
from fastapi import Query, Request, Response
from fastapi.responses import JSONResponse

from services.api import AcceptedOut, Caller, CurrentCaller, IdempotencyKey, UserIdQuery
from services.memory_center.import_schemas import ImportPreview, ReturningOut
from services.memory_center.upload import MEDIA_TYPES, Received, opened, received
from shared.kernel.database import Transaction
from shared.kernel.idempotency import Once, earlier_answer
from shared.kernel.subjects import Subject
from shared.portability.import_package import Counts, accept_import, forgot_everything, preview_import
from shared.portability.packages.limits import Limits
from shared.portability.packages.package import Package
from shared.portability.rules.imports import FATES
from shared.portability.sql.import_resolution import Returning
from shared.runtime import telemetry
from shared.runtime.problems import ApiProblem, ProblemKind
from shared.runtime.storable_text import streamed
from shared.runtime.web import api_router
from shared.stores.sealed.files import SealedFiles

router = api_router(prefix="/api/v1/memory", tags=["imports"])

BODY_LIMITS: Final = {"/api/v1/memory/import": sys.maxsize}
"""The policy limits the size; this module enforces it."""

_BODY: Final = {
    "requestBody": {
        "required": True,
        "description": "The package: a Memory Center export, or another product's export listed in docs/import.md.",
        "content": {one: {"schema": {"type": "string", "format": "binary"}} for one in MEDIA_TYPES},
    }
}

RESTORES_FORGOTTEN: Final = ProblemKind(
    status=409,
    code="import_restores_forgotten",
    title="This package contains records that you have forgotten since.",
    detail="`details.forgets` lists when, and how many. Send `restore_forgotten=true` to restore them.",
)

RestoreForgotten = Annotated[
    bool,
    Query(
        description="Restore records that you erased by forgetting everything. If false, a package with such records"
        " is refused with 409 `import_restores_forgotten`. Items forgotten individually are never restored."
    ),
]
DryRun = Annotated[bool, Query(description="Preview the import without storing anything.")]


@router.post(
    "/import",
    status_code=202,
    response_model=AcceptedOut,
    openapi_extra=_BODY,
    responses={
        200: {"description": "The preview of a dry run.", "model": ImportPreview},
        409: {"description": "See `code`."},
        429: {"description": "See `code`."},
    },
)
@streamed
async def import_memory(
    request: Request,
    response: Response,
    caller: CurrentCaller,
    dry_run: DryRun = False,  # noqa: FBT002 # a parameter of the query
    restore_forgotten: RestoreForgotten = False,  # noqa: FBT002 # same
    user_id: UserIdQuery = None,
    key: IdempotencyKey = None,
) -> AcceptedOut | JSONResponse:
    """Import a package, or preview the import; existing data is not changed."""
    if not dry_run:
        caller.may_edit()
    files: SealedFiles = request.app.state.packages
    limits: Limits = request.app.state.retention.limits
    async with received(request, caller, user_id, limits) as found:
        if dry_run:
            preview = await run_sync(_previewed, files, caller, found, limits)
            return JSONResponse(preview.model_dump(mode="json"))
        once = _once(caller, key, found, restore_forgotten=restore_forgotten)
        accepted = await run_sync(_accepted, files, caller, found, limits, once, restore_forgotten)
    telemetry.MEMORY_OP.labels(op="import", scope="user").inc()
    response.headers.update({"Location": f"/api/v1/memory/ops/{accepted.op_id}", "Retry-After": "1"})
    return accepted


def _once(caller: Caller, key: str | None, found: Received, *, restore_forgotten: bool) -> Once:
    """Return the idempotency record of this request: same package, same person, same options."""
    once = caller.once(key, None, route=f"import {found.upload.subject.user_id} {restore_forgotten}")
    return replace(once, request=f"{once.request}{found.sha256.hex()}")


def _accepted(
    files: SealedFiles,
    caller: Caller,
    found: Received,
    limits: Limits,
    once: Once,
    restore_forgotten: bool,  # noqa: FBT001 # called through a thread, which passes no names
) -> AcceptedOut:
    if earlier := caller.transact(lambda tx: earlier_answer(tx, once)):
        return AcceptedOut(**earlier)
    with opened(files, caller, found, limits) as package:
        if not restore_forgotten:
            _ask_first(caller, found, package)

        def accept(tx: Transaction, _: Subject) -> dict[str, Any]:
            op_id = accept_import(
                tx, found.upload, package, size=found.size, restore_forgotten=restore_forgotten, actor=caller.actor
            )
            return {"op_id": str(op_id), "receipt_id": None}

        answer = caller.transact_once(once, lambda _: found.upload.subject, accept)
    return AcceptedOut(**answer)


def _ask_first(caller: Caller, found: Received, package: Package) -> None:
    """Reject a package that would restore data its person forgot when they forgot everything.

    Raises:
        ApiProblem: 409 `import_restores_forgotten`, with those forgets.
    """
    if not caller.database.of(found.upload.subject.id).transact(lambda tx: forgot_everything(tx, found.upload)):
        return
    _, returning = _dry_run(caller, found, package)
    if returning:
        forgets = [one.model_dump(mode="json") for one in _returning_out(returning)]
        raise ApiProblem(RESTORES_FORGOTTEN, details={"forgets": forgets})


def _previewed(files: SealedFiles, caller: Caller, found: Received, limits: Limits) -> ImportPreview:
    with opened(files, caller, found, limits) as package:
        return _preview(package, *_dry_run(caller, found, package))


def _dry_run(caller: Caller, found: Received, package: Package) -> tuple[Counts, list[Returning]]:
    def dry_run(tx: Transaction) -> tuple[Counts, list[Returning]]:
        return preview_import(tx, found.upload.subject, package, learnable=caller.learnable, terms=caller.terms)

    return caller.database.of(found.upload.subject.id).transact(dry_run, patient=True)


def _returning_out(returning: Sequence[Returning]) -> list[ReturningOut]:
    return [ReturningOut(op_id=one.op_id, forgotten_at=one.at, records=one.records) for one in returning]


def _preview(package: Package, counts: Counts, returning: Sequence[Returning]) -> ImportPreview:
    kinds = sorted({kind for fate in FATES for kind in counts[fate]})
    return ImportPreview(
        source=package.source,
        format=package.format,
        schema_version=package.schema_version,
        scope=package.content.scope if package.content else "user",
        counts={kind: sum(counts[fate].get(kind, 0) for fate in FATES) for kind in kinds},
        returning=_returning_out(returning),
        settings="restored" if "settings" in counts["new"] else "kept",
        **{fate: counts[fate] for fate in FATES},
    )
