"""Explanations: why something is remembered (MC-16, LT-03)."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated
from uuid import UUID

from fastapi import Path

from services.api import CurrentCaller, UserIdQuery
from services.memory_center.explanation_schemas import (
    AheadOut,
    DerivedOut,
    EffectOut,
    ExplanationOut,
    HistoryOut,
    LivedOut,
    WhatBecameOut,
    WithheldOut,
)
from services.memory_center.memory_views import explained_out, memory_out
from services.memory_center.schemas import Switches
from shared.kernel.database import Transaction
from shared.kernel.errors import NotFound
from shared.kernel.event_log import Happened
from shared.memories.queries.derived import Derived, derived_from
from shared.memories.queries.history import history_of
from shared.recall.queries.explanation import Explanation, explain
from shared.runtime.web import api_router

router = api_router(prefix="/api/v1/memory", tags=["memories"])

MemoryId = Annotated[UUID, Path()]


@router.get("/long_term/{memory_id}/history")
def get_history(memory_id: MemoryId, caller: CurrentCaller, user_id: UserIdQuery = None) -> HistoryOut:
    """Return the history of a memory, with the memories it replaced and those that replaced it."""

    def work(tx: Transaction) -> HistoryOut:
        subject = caller.owner(tx, "memory", memory_id, user_id)
        found = history_of(tx, subject.id, memory_id)
        if found is None:
            raise NotFound("memory")
        return HistoryOut(
            memories=[memory_out(one.memory, one.sources) for one in found.memories],
            events=[_lived(event) for event in found.events],
        )

    return caller.transact(work)


@router.get("/long_term/{memory_id}/explanation")
def get_explanation(memory_id: MemoryId, caller: CurrentCaller, user_id: UserIdQuery = None) -> ExplanationOut:
    """Return why a memory is remembered, which memories it contradicts, and where it applies."""

    def work(tx: Transaction) -> ExplanationOut:
        subject = caller.owner(tx, "memory", memory_id, user_id)
        found = explain(tx, subject.id, memory_id, terms=caller.terms)
        if found is None:
            raise NotFound("memory")
        return _explanation(found)

    return caller.transact(work)


@router.get("/messages/{message_id}/derived")
def get_derived(
    message_id: Annotated[UUID, Path()], caller: CurrentCaller, user_id: UserIdQuery = None
) -> WhatBecameOut:
    """Return everything derived from a message, and what was withheld, by kind."""

    def work(tx: Transaction) -> WhatBecameOut:
        subject = caller.owner(tx, "message", message_id, user_id)
        found = derived_from(tx, subject.id, message_id)
        if found is None:
            raise NotFound("message")
        return WhatBecameOut(
            message_id=message_id,
            derived=[_derived(one) for one in found.derived],
            withheld=[WithheldOut(**asdict(one)) for one in found.withheld],
            awaited=list(found.awaited),
            turn_open=found.turn_open,
            ahead=AheadOut(**asdict(found.ahead)) if found.ahead else None,
        )

    return caller.transact(work)


def _lived(event: Happened) -> LivedOut:
    members = asdict(event)
    return LivedOut(memory_id=members.pop("item_id"), **members)


def _explanation(found: Explanation) -> ExplanationOut:
    memory, effect = found.explained.memory, found.effect
    return ExplanationOut(
        memory=explained_out(found.explained),
        chain=[explained_out(memory) for memory in found.chain],
        edited_from=list(found.edited_from),
        contradicts=memory_out(found.contradicts.memory, found.contradicts.sources) if found.contradicts else None,
        contradicted_by=[memory_out(one.memory, one.sources) for one in found.contradicted_by],
        effect=EffectOut(
            scope=memory.scope,
            project_id=memory.project_id,
            switches=Switches(**asdict(effect.switches)),
            given_now=effect.given_now,
            reasons=list(effect.reasons),
            searchable=effect.searchable,
        ),
    )


def _derived(one: Derived) -> DerivedOut:
    link = asdict(one.link)
    return DerivedOut(**asdict(one.item), **{name: value for name, value in link.items() if name != "id"})
