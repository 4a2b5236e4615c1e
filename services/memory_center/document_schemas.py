"""Response bodies of uploaded documents (TR-12)."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from pydantic import Field

from services.api import Body
from shared.documents.rules.media_types import MediaType


class DocumentOut(Body):
    """An uploaded document. The file itself is not kept: its text is in its parts, which are memories."""

    id: UUID
    title: str
    media_type: MediaType
    size: int = Field(description="Bytes of the file.")
    pages: int | None = Field(description="Of a PDF.")
    parts: int = Field(description="How many parts there are; those that were forgotten one by one are not counted.")
    created_at: datetime


class DocumentPartOut(Body):
    """A part of a document, as it is recalled."""

    memory_id: UUID
    position: int = Field(description="From 1.")
    page: int | None = Field(description="From 1; null where there are no pages.")
    content: str
