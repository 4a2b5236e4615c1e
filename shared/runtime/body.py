"""Base class of request bodies: only declared members, and a limited number of them."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

MEMBERS_MAX: Final = 64
"""Per object; none of our bodies declares half as many."""


class Body(BaseModel):
    """A request body; unknown members are refused, so that a misspelt one is never silently ignored.

    Members are counted first, because reporting a hundred thousand unknown ones takes a second.
    """

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)

    @model_validator(mode="before")
    @classmethod
    def _count_members(cls, given: Any) -> Any:
        if isinstance(given, dict) and len(given) > MEMBERS_MAX:
            raise PydanticCustomError("too_many_members", "too many members")
        return given
