"""How consents are exported and imported. An imported one is history and grants nothing."""

from __future__ import annotations

from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field

from shared.consent.sql import packing
from shared.kernel.items import InPackages
from shared.kernel.records import Moment, Record


class Consent(Record):
    """One version of what the person consented to."""

    id: UUID
    grant_id: UUID
    version: Annotated[int, Field(ge=1, le=1_000_000)]
    create_task: bool
    save_to_thread: bool
    save_to_profile: bool
    training_use_allowed: bool
    text_version: str = Field(max_length=64)
    locale: str = Field(max_length=35)
    channel: Literal["person", "service"]
    granted_at: Moment
    revoked_at: Moment | None
    imported: bool = Field(description="It was given to another installation, and grants nothing in this one.")


CONSENTS: Final = InPackages(
    form=Consent, read=packing.consents, refers_to={}, write={"consents": packing.WRITE_CONSENTS}
)
