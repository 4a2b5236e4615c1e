"""How documents are exported and imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Self
from uuid import UUID

from pydantic import Field, model_validator

from shared.documents.rules.media_types import MediaType
from shared.documents.sql import packing
from shared.kernel.items import InPackages
from shared.kernel.records import Moment, Record

TITLE_MAX: Final = 300
PAGES_MAX: Final = 1_000_000


class Document(Record):
    """An uploaded document. Its text is in the memories that are its parts."""

    id: UUID
    title: str = Field(min_length=1, max_length=TITLE_MAX)
    media_type: MediaType
    size: Annotated[int, Field(ge=0)]
    pages: Annotated[int, Field(ge=1, le=PAGES_MAX)] | None
    parts: list[UUID] = Field(max_length=50_000, description="The memories that are its parts, in order.")
    part_pages: list[Annotated[int, Field(ge=1, le=PAGES_MAX)] | None] = Field(
        max_length=50_000, description="The page of each."
    )
    created_at: Moment

    @model_validator(mode="after")
    def _each_part_has_its_page(self) -> Self:
        if len(self.parts) != len(self.part_pages):
            raise ValueError("a page, or null, for each part")
        return self


def _screened(record: Record, learnable: Callable[[str], str | None]) -> Record | None:
    """Leave out a title that the installation never keeps."""
    assert isinstance(record, Document)  # noqa: S101 # the form of this kind
    return record.model_copy(update={"title": learnable(record.title) or "–"})


DOCUMENTS: Final = InPackages(
    form=Document,
    read=packing.documents,
    refers_to={},
    lists={"parts": "memory"},
    write={"documents": packing.WRITE_DOCUMENTS},
    screened=_screened,
)
