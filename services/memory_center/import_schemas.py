"""Request and response bodies of imports."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from services.api import Body

Counted = dict[str, int]


class ReturningOut(Body):
    """A time when its person forgot everything, and what of a package went then."""

    op_id: UUID = Field(description="The operation that forgot it.")
    forgotten_at: datetime
    records: int = Field(description="So many records of the package would come back.")


class ImportPreview(Body):
    """What would become of what a package holds, by kind of record; nothing of it was stored."""

    source: Literal["memory-center", "mem0", "chatgpt", "claude"] = Field(description="Which product wrote it.")
    format: Literal["zip", "json"]
    schema_version: int | None = Field(description="Of our own packages.")
    scope: Literal["user", "conversation", "selection"]
    counts: Counted = Field(description="All there is: the sum of the next five.")
    new: Counted
    present: Counted = Field(description="The same is here already, and is left as it is.")
    erased: Counted = Field(description="It was forgotten here, or what it was made from was, and stays so.")
    switched_off: Counted = Field(description="Its kind is switched off here.")
    withheld: Counted = Field(description="It holds something that is never remembered.")
    returning: list[ReturningOut] = Field(
        description="What of `new` its person forgot with everything. It comes with `restore_forgotten` only."
    )
    settings: Literal["restored", "kept"] = Field(description="They are restored where none were ever chosen here.")
