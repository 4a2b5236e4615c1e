"""Counts of memories by kind (MC-05)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from pydantic import Field

from services.api import Body, CurrentCaller, UserIdQuery
from services.memory_center.filters import CurrentFilter
from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.memories.queries.overview import Overview, overview_of, task_key
from shared.outbox.sql import scheduling
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["memories"])


class CountOut(Body):
    value: str
    count: int


class TaskCountOut(CountOut):
    key: str = Field(description="The value for `long_term?task=`; keeps the task's name out of URLs.")


class OverviewOut(Body):
    """Number of memories and conversations the person can see; each count matches a `long_term` list.

    With filters, `memories` counts the matches; each facet's counts ignore the filter on that facet.
    """

    memories: int
    conversations: int
    archived: int
    disabled: int
    confirmed: int
    waiting: int = Field(
        description="Learned and not confirmed, paused, archived or superseded: `long_term?waiting=true`."
    )
    contradicted: int = Field(description="May be contradicted by a newer memory; the person decides.")
    content_type: list[CountOut]
    scope: list[CountOut]
    project_id: list[CountOut]
    origin: list[CountOut]
    validity: list[CountOut]
    task: list[TaskCountOut]


@router.get("/overview")
def get_overview(caller: CurrentCaller, filtered: CurrentFilter, user_id: UserIdQuery = None) -> OverviewOut:
    """Count a person's memories by each facet you can filter by, largest first."""

    def work(tx: Transaction) -> OverviewOut:
        subject = caller.known_subject(tx, user_id)
        wanted = filtered.of(tx, subject) if subject else None
        if subject is None or wanted is None:
            return _out(Overview(memories=0, conversations=0, facets={}), None)
        return _out(overview_of(tx, subject.id, wanted), subject)

    return caller.transact(work)


class LearningOut(Body):
    """Messages that are waiting to be learned from."""

    messages: int = Field(description="Number of waiting messages, including those in progress.")
    since: datetime | None = Field(description="When the first of them started waiting; null if none is waiting.")


@router.get("/learning")
def get_learning(caller: CurrentCaller, user_id: UserIdQuery = None) -> LearningOut:
    """Return how many messages are waiting to be learned from; they may still become memories."""

    def work(tx: Transaction) -> LearningOut:
        subject = caller.known_subject(tx, user_id)
        if subject is None:
            return LearningOut(messages=0, since=None)
        return LearningOut(**asdict(scheduling.learning_ahead(tx, subject.id)))

    return caller.transact(work)


def _out(found: Overview, subject: Subject | None) -> OverviewOut:
    facets = {name: _counts(found.facets.get(name, {})) for name in ("content_type", "scope", "project_id", "origin")}
    marks = {name: found.facets.get(name, {}).get("true", 0) for name in ("archived", "disabled", "confirmed")}
    validity = found.facets.get("validity", {})
    tasks = _counts(found.facets.get("task_hint", {}))
    return OverviewOut(
        memories=found.memories,
        conversations=found.conversations,
        **marks,
        waiting=found.facets.get("waiting", {}).get("true", 0),
        contradicted=validity.get("contradicted", 0),
        **facets,
        validity=_counts(validity),
        task=[
            TaskCountOut(value=one.value, count=one.count, key=task_key(subject, one.value)) for one in tasks if subject
        ],
    )


def _counts(of: Mapping[str, int]) -> list[CountOut]:
    ordered = sorted(of.items(), key=lambda one: (-one[1], one[0]))
    return [CountOut(value=value, count=number) for value, number in ordered]
