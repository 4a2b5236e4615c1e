"""How a thread's notes and drift are exported and imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field

from shared.drift.rules import ObjectType, SignalKind
from shared.drift.sql import packing
from shared.drift.sql.notes import NoteKind
from shared.kernel.items import InPackages
from shared.kernel.records import Moment, Record

Ref = Annotated[str, Field(max_length=1_000)]


class Note(Record):
    """What a thread held from a moment on, or a question that was resolved or reopened."""

    id: UUID
    conversation_id: UUID
    at_seq: int
    kind: NoteKind
    object_type: ObjectType | None
    object_ref: Ref | None
    text: str = Field(max_length=8_000)
    noted_at: Moment


class Signal(Record):
    """One of the two moments that a drift compares."""

    value: str = Field(max_length=200)
    captured_at: Moment
    captured_in_object_ref: Ref


class Drift(Record):
    """A signal that the person's view changed. Nothing was changed because of it."""

    id: UUID
    drift_id: Annotated[str, Field(pattern=r"^drift_[0-9TZ]+_[0-9a-f]{6}$")]
    object_ref: Ref
    cognition_object: dict[str, str]
    signal_kind: SignalKind
    prior_signal: Signal
    current_signal: Signal
    delta_summary: str = Field(max_length=500)
    triggers_alert: bool
    schema_version: Literal["1.0"]
    prior_feedback_id: UUID | None
    prior_note_id: UUID | None
    current_feedback_id: UUID | None
    current_note_id: UUID | None
    observed_at: Moment


def _screened(record: Record, learnable: Callable[[str], str | None]) -> Record | None:
    """Keep no thesis that contains what the installation never keeps."""
    assert isinstance(record, Note)  # noqa: S101 # the form of this kind
    text = learnable(record.text)
    return None if text is None else record.model_copy(update={"text": text})


NOTES: Final = InPackages(
    form=Note,
    read=packing.notes,
    refers_to={"conversation_id": "conversation"},
    write={"notes of threads": packing.WRITE_NOTES},
    screened=_screened,
)
DRIFT: Final = InPackages(
    form=Drift,
    read=packing.drift,
    refers_to={
        "prior_feedback_id": "feedback",
        "prior_note_id": "thread_note",
        "current_feedback_id": "feedback",
        "current_note_id": "thread_note",
    },
    write={"drift": packing.WRITE_DRIFT, "lineage of drift": packing.WRITE_LINEAGE},
)
