"""What a package says of itself: what is in it, and of which export it is (MC-12)."""

from __future__ import annotations

from typing import Any, Final, Literal
from uuid import UUID

from pydantic import Field

from shared.kernel.records import Moment, Record
from shared.portability.packages.records import SwitchStates, forms

SCHEMA: Final = "memory-center-export"
SCHEMA_VERSION: Final = 1


class Operation(Record):
    """Something that was still under way."""

    id: UUID
    type: str
    scope: str
    status: Literal["pending", "running", "failed"]
    created_at: Moment


class PackedFile(Record):
    path: str
    kind: str = Field(description="Which schema its records follow; `view` and `sums` are for people and tools.")
    records: int
    bytes: int
    sha256: str


class Content(Record):
    """What importing compares: the same state gives the same, whenever and as whatever it is exported."""

    scope: Literal["user", "conversation", "selection"]
    conversation_id: UUID | None
    counts: dict[str, int] = Field(description="Records by kind.")
    switches: SwitchStates
    files: list[PackedFile]


class About(Record):
    """This export, which no two have in common."""

    operation_id: UUID
    user_id: str
    format: Literal["zip", "json", "markdown", "finclaw"]
    language: Literal["en", "zh"]
    exported_at: Moment = Field(description="The moment whose state this is.")
    operations_running: list[Operation] = Field(description="Their outcome is not in here.")
    view: PackedFile | None = Field(description="The part for people to read.")


class Manifest(Record):
    schema_name: Literal["memory-center-export"]
    schema_version: Literal[1]
    content: Content
    export: About


def schemas() -> dict[str, dict[str, Any]]:
    """Return the JSON Schema (2020-12) of every kind and of the manifest."""
    published: dict[str, type[Record]] = {**forms(), "manifest": Manifest}
    return {
        kind: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:{SCHEMA}:{SCHEMA_VERSION}:{kind}",
            **form.model_json_schema(mode="serialization"),
        }
        for kind, form in published.items()
    }
