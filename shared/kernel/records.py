"""The base class of all package records (MC-12)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

Moment = Annotated[datetime, AfterValidator(lambda at: at.astimezone(UTC))]
"""A time in UTC."""


class Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
