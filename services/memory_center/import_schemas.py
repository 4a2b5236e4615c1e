"""Request and response bodies of imports."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from services.api import Body

Counted = dict[str, int]


class ReturningOut(Body):
    """An earlier forget of everything that erased records of the package."""

    op_id: UUID = Field(description="The operation of that forget.")
    forgotten_at: datetime
    records: int = Field(description="Number of records that would be restored.")


class ImportPreview(Body):
    """What an import would do, by kind of record; nothing was stored."""

    source: Literal["memory-center", "mem0", "chatgpt", "claude"] = Field(description="The product that exported it.")
    format: Literal["zip", "json"]
    schema_version: int | None = Field(description="Memory Center packages only.")
    scope: Literal["user", "conversation", "selection"]
    counts: Counted = Field(description="All records: the sum of the next five.")
    new: Counted
    present: Counted = Field(description="Already present; not changed.")
    erased: Counted = Field(description="Not imported: it, or its source, was forgotten here.")
    switched_off: Counted = Field(description="Not imported: this kind is switched off here.")
    withheld: Counted = Field(description="Not imported: it contains something that is never remembered.")
    returning: list[ReturningOut] = Field(
        description="Records in `new` that a forget of everything erased; imported only with `restore_forgotten`."
    )
    settings: Literal["restored", "kept"] = Field(
        description="`restored` if you never changed settings here; otherwise `kept`."
    )
