"""Memories, documents and traits: what is remembered, and where it comes from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from memory_center_client._async.operations import AsyncOperation
from memory_center_client._async.transport import AsyncPages, AsyncTransport, json_of

if TYPE_CHECKING:
    from typing import Unpack

    from memory_center_client import schemas
    from memory_center_client.options import MemoryChanges, MemoryFilters, MemoryOptions

LONG_TERM = "memory/long_term"


class AsyncMemories:
    """What is remembered for the long term."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, content: str, **more: Unpack[MemoryOptions]) -> schemas.MemoryWrittenOut:
        """Remember a statement as it stands."""
        memory: schemas.MemoryWrittenOut = await self._transport.post(LONG_TERM, {"content": content, **more})
        return memory

    def list(self, **filters: Unpack[MemoryFilters]) -> AsyncPages[schemas.MemoryOut]:
        """Return memories, newest first unless `sort` says otherwise; with all of `metadata`, if given."""
        query: dict[str, Any] = {**filters}
        if filters.get("metadata") is not None:
            query["metadata"] = json.dumps(filters["metadata"])
        return AsyncPages(self._transport, LONG_TERM, query)

    async def get(self, memory_id: str) -> schemas.MemoryOut:
        """Return a memory; its `version` is for `update`."""
        memory: schemas.MemoryOut = await self._transport.get(f"{LONG_TERM}/{memory_id}")
        return memory

    async def update(
        self, memory_id: str, *, version: int | None = None, **changes: Unpack[MemoryChanges]
    ) -> schemas.MemoryWrittenOut:
        """Change a memory: `disabled` pauses it, all else makes a new memory, which is returned and replaces it.

        Args:
            version: the one the change was made from; None: whichever there is.

        Raises:
            Changed: it has another version by now.
        """
        headers = {} if version is None else {"If-Match": f'"{version}"'}
        answer = await self._transport.send("PATCH", f"{LONG_TERM}/{memory_id}", body=changes, headers=headers)
        memory: schemas.MemoryWrittenOut = json_of(answer)
        return memory

    async def confirm(self, memory_id: str, *, resolve: Literal["replaces", "both"] | None = None) -> schemas.MemoryOut:
        """Confirm that a memory is right; `resolve` says what becomes of one that contradicts it."""
        body = {"memory_id": memory_id, "resolve": resolve}
        memory: schemas.MemoryOut = await self._transport.post(f"{LONG_TERM}/confirm", body)
        return memory

    async def correct(self, about: str, statement: str) -> schemas.CorrectedOut:
        """Replace what is remembered about a matter by a statement.

        Raises:
            Conflict: `nothing_corrected`: nothing is remembered that it could replace.
        """
        body = {"about": about, "statement": statement}
        corrected: schemas.CorrectedOut = await self._transport.post(f"{LONG_TERM}/correct", body)
        return corrected

    async def dry_run_correct(self, about: str, statement: str) -> schemas.CorrectionPreview:
        """Return which memory `correct` would replace now, and by what; nothing changes.

        Raises:
            Conflict: as `correct`.
        """
        body = {"about": about, "statement": statement}
        preview: schemas.CorrectionPreview = await self._transport.post(f"{LONG_TERM}/correct/dry-run", body)
        return preview

    async def delete(self, memory_id: str, *, undo_seconds: int = 0) -> AsyncOperation:
        """Forget a memory."""
        accepted = await self._transport.delete(f"{LONG_TERM}/{memory_id}", undo_seconds=undo_seconds)
        return AsyncOperation(self._transport, accepted)

    async def explain(self, memory_id: str) -> schemas.ExplanationOut:
        """Return the person's own words behind a memory, and what it replaced."""
        explanation: schemas.ExplanationOut = await self._transport.get(f"{LONG_TERM}/{memory_id}/explanation")
        return explanation

    async def history(self, memory_id: str) -> schemas.HistoryOut:
        """Return what happened to a memory and to those it replaced."""
        history: schemas.HistoryOut = await self._transport.get(f"{LONG_TERM}/{memory_id}/history")
        return history

    async def overview(self) -> schemas.OverviewOut:
        """Return how many memories there are of each type, scope and so on."""
        overview: schemas.OverviewOut = await self._transport.get("memory/overview")
        return overview


class AsyncDocuments:
    """Documents a person added."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def add(
        self, content: bytes, *, media_type: str, name: str, project_id: str | None = None
    ) -> schemas.DocumentOut:
        """Add a file; it is read before the answer comes.

        Args:
            media_type: `text/plain`, `text/markdown` or `application/pdf`.
            name: of the file.

        Raises:
            ValidationFailed: it cannot be read; `code` says why.
        """
        headers = {
            "Content-Type": media_type,
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
        }
        query = {"project_id": project_id}
        answer = await self._transport.send("POST", "documents", query=query, content=content, headers=headers)
        document: schemas.DocumentOut = json_of(answer)
        return document

    def list(self) -> AsyncPages[schemas.DocumentOut]:
        """Return all documents, newest first."""
        return AsyncPages(self._transport, "documents", {})

    async def get(self, document_id: str) -> schemas.DocumentOut:
        """Return a document."""
        document: schemas.DocumentOut = await self._transport.get(f"documents/{document_id}")
        return document

    async def delete(self, document_id: str, *, undo_seconds: int = 0) -> AsyncOperation:
        """Forget a document with all its parts."""
        accepted = await self._transport.delete(f"documents/{document_id}", undo_seconds=undo_seconds)
        return AsyncOperation(self._transport, accepted)


class AsyncTraits:
    """What was inferred about a person, with its evidence."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self) -> AsyncPages[schemas.TraitOut]:
        """Return all traits."""
        return AsyncPages(self._transport, "memory/traits", {})

    async def explain(self, trait_id: str) -> schemas.TraitExplanationOut:
        """Return the evidence for and against a trait."""
        explanation: schemas.TraitExplanationOut = await self._transport.get(f"memory/traits/{trait_id}/explanation")
        return explanation

    async def delete(self, trait_id: str, *, undo_seconds: int = 0) -> AsyncOperation:
        """Forget a trait; it is not inferred again."""
        accepted = await self._transport.delete(f"memory/traits/{trait_id}", undo_seconds=undo_seconds)
        return AsyncOperation(self._transport, accepted)
