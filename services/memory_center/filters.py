"""Filters for a person's memories, the same for lists and counts (MC-05)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Depends, Query

from services.api import CurrentCaller
from services.memory_center.memory_schemas import ContentType, Level, Origin, Scope, Validity
from services.metadata import ExternalId, MetadataQuery
from services.screening import check_filter
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.memories.queries.overview import task_of
from shared.memories.sql.listing import MemoryFilter

Waiting = Annotated[
    bool | None,
    Query(description="Whether it was learned and is not confirmed, paused, archived or superseded."),
]
TaskKey = Annotated[
    str | None,
    Query(
        pattern=r"^[0-9a-f]{32}$", description="The `key` of a task in the overview; keeps the task's name out of URLs."
    ),
]


@dataclass(frozen=True, slots=True)
class FilterQuery:
    """A filter in which the task is named by its key."""

    filter: MemoryFilter
    task: str | None

    def of(self, tx: Transaction, subject: Subject) -> MemoryFilter | None:
        """Return the filter with the task of the key; None if there is no such task."""
        if self.task is None:
            return self.filter
        hint = task_of(tx, subject, self.task)
        return replace(self.filter, task_hint=hint) if hint is not None else None


def current_filter(
    caller: CurrentCaller,
    content_type: Annotated[ContentType | None, Query()] = None,
    scope: Annotated[Scope | None, Query()] = None,
    project_id: Annotated[str | None, Query(max_length=100)] = None,
    origin: Annotated[Origin | None, Query()] = None,
    validity: Annotated[Validity | None, Query()] = None,
    level: Annotated[Level | None, Query()] = None,
    archived: Annotated[bool | None, Query()] = None,
    disabled: Annotated[bool | None, Query()] = None,
    confirmed: Annotated[bool | None, Query()] = None,
    taboo: Annotated[bool | None, Query()] = None,
    waiting: Waiting = None,
    metadata: Annotated[MetadataQuery | None, Query()] = None,
    external_id: Annotated[
        ExternalId | None, Query(description="Only the memory in force that your program calls this.")
    ] = None,
    task: TaskKey = None,
) -> FilterQuery:
    """Return the filters of a request; a dependency for routes.

    Raises:
        ApiProblem: 422 `sensitive_content`: the metadata has something that is never remembered.
    """
    check_filter(metadata, caller.sensitivity)  # type: ignore[arg-type] # parsed by its validator
    wanted = MemoryFilter(
        content_type=content_type,
        scope=scope,
        project_id=project_id,
        origin=origin,
        validity=validity,
        level=level,
        archived=archived,
        disabled=disabled,
        confirmed=confirmed,
        taboo=taboo,
        waiting=waiting,
        metadata=metadata,  # type: ignore[arg-type] # parsed by its validator
        external_id=external_id,
    )
    return FilterQuery(wanted, task)


CurrentFilter = Annotated[FilterQuery, Depends(current_filter)]
