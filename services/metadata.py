"""What a program keeps with a memory, in request bodies and queries."""

from __future__ import annotations

import json
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field, StrictBool, StrictFloat, StrictInt, StrictStr
from pydantic_core import PydanticCustomError

from shared.kernel import limits
from shared.kernel.metadata import is_metadata

Flat: TypeAlias = dict[str, str | bool | int | float]


def _checked(metadata: Flat) -> Flat:
    if not is_metadata(metadata):
        raise PydanticCustomError("metadata", "not a flat object of at most 2,000 bytes with names as keys")
    return metadata


def _parsed(text: str) -> Flat:
    try:
        return _checked(json.loads(text))
    except (ValueError, RecursionError):
        raise PydanticCustomError("metadata", "not a JSON object") from None


_Checked = Annotated[dict[str, StrictStr | StrictBool | StrictInt | StrictFloat], AfterValidator(_checked)]
_FORM = "a flat object of texts, booleans and numbers (1e-15 to 2^53), at most 2,000 bytes as JSON"
Metadata = Annotated[
    _Checked,
    Field(
        description=f"What your program keeps with it: {_FORM}. Exported and erased with the memory, never given to an"
        " assistant.",
        examples=[{"source": "crm", "priority": 2}],
    ),
]
MessageMetadata = Annotated[
    _Checked,
    Field(
        description=f"What your program keeps with it, and with each new memory that is learned from it: {_FORM}."
        " Exported and erased with the message, never given to an assistant.",
        examples=[{"agent_id": "travel"}],
    ),
]
MetadataQuery = Annotated[
    str,
    Field(
        max_length=limits.METADATA_MAX,
        description="A JSON object; only memories that have all of its members.",
        examples=['{"source": "crm"}'],
    ),
    AfterValidator(_parsed),
]
ExternalId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.SHORT_MAX,
        description="What your program calls it; unique among the person's memories in force.",
    ),
]
ConversationExternalId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=limits.SHORT_MAX,
        description="What your program calls it, to find it again whatever its title is; unique among the person's"
        " conversations.",
        examples=["ticket-4711"],
    ),
]
