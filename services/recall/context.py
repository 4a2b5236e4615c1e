"""The assistant's context over HTTP: assembled by `shared.recall.assemble`, timed and serialised here."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Literal, cast

from services.recall.context_schemas import (
    Asked,
    ContextDiagnostics,
    ContextOut,
    GivenOut,
    InDocumentOut,
    LeftOutOut,
    OriginOut,
    ScoreOut,
    TokensOut,
)
from services.recall.routed import Routed
from shared.consent.rules.policy import Terms
from shared.language.script import Language
from shared.recall import prompts
from shared.recall.assemble import Assembled, ContextDefaults, ContextRequest, Sources, assemble_context
from shared.recall.rules.fitting import Measure
from shared.recall.rules.items import Item, LeftOut
from shared.runtime.telemetry import RECALL_DEGRADED, RECALL_SECONDS
from shared.traits.rules.confidence import Stage


def context_for(
    sources: Sources,
    user_id: str,
    asked: Asked,
    usual: ContextDefaults,
    *,
    terms: Terms,
    task: Routed | None = None,
) -> ContextOut:
    """Return the assistant's context for a question, or without one.

    Args:
        terms: the switches of people who have not set any, and the policy.

        task: what the task of the question adds.

    Raises:
        NotFound: the conversation belongs to another person, or was forgotten.
    """
    begun = time.perf_counter()
    wanted = ContextRequest(
        question=asked.question,
        conversation_id=task.conversation_id if task else asked.conversation_id,
        project_id=asked.project_id,
        task=asked.task,
        token_budget=asked.token_budget,
        layers=asked.layers,
        language=asked.language,
        limit=asked.limit,
        superseded=asked.superseded,
        given=task.given if task else "all",
        user_context=task.user_context if task else None,
    )
    found = assemble_context(sources, user_id, wanted, usual, terms=terms)
    RECALL_SECONDS.labels(found.context.mode).observe(time.perf_counter() - begun)
    for reason in found.degraded:
        RECALL_DEGRADED.labels(reason).inc()
    out = _context_out(found)
    if task is None:
        return out
    return out.model_copy(update=task.members())


def _context_out(found: Assembled) -> ContextOut:
    context, prompt, language, measure = found.context, found.prompt, found.language, found.measure
    return ContextOut(
        items=[_given_out(item, language, measure) for item in context.items],
        window=[_given_out(item, language, measure) for item in context.window],
        left_out=[_left_out_out(one, language) for one in context.left_out],
        mode=context.mode,
        diagnostics=ContextDiagnostics(
            reasons=found.shortages,
            sentences=[prompts.explain_shortage(reason, language) for reason in found.shortages],
        ),
        language=language,
        prompt=prompt.text,
        tokens=TokensOut(used=prompt.tokens, budget=found.budget),
        stable_prefix_hash=prompt.stable_prefix_hash,
        stable_prefix_bytes=prompt.stable_prefix_bytes,
    )


def _given_out(item: Item, language: Language, measure: Measure) -> GivenOut:
    said = item.provenance
    return GivenOut(
        id=item.id,
        kind=item.kind,
        type=item.type,
        layer=item.group.layer,
        scope=item.scope,
        project_id=item.project_id,
        task_hint=item.task_hint,
        superseded=item.superseded,
        name=item.name,
        level=cast("Literal['L1', 'L2'] | None", item.level),
        stage=cast("Stage | None", item.stage),
        content=item.content,
        provenance=OriginOut(
            session_id=said.conversation_id,
            session=said.session,
            turn=said.turn,
            message_ids=list(said.message_ids),
            covers=said.covers,
            document=InDocumentOut(**asdict(said.document)) if said.document else None,
            origin=said.origin,
            at=said.at,
        ),
        score=None if item.total is None else ScoreOut(total=item.total, parts=dict(item.scores)),
        reason=prompts.explain(item.why, language),
        reason_code=item.why,
        tokens=measure(item),
    )


def _left_out_out(one: LeftOut, language: Language) -> LeftOutOut:
    return LeftOutOut(
        id=one.id,
        kind=one.kind,
        type=one.type,
        reason=prompts.explain_left_out(one.why, language),
        reason_code=one.why,
        instead=one.instead,
    )
