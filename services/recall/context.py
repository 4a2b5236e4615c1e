"""The assistant's context: one code path for what is injected and for its preview."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Literal, cast
from uuid import UUID

from services.recall.context_schemas import (
    Asked,
    ContextDiagnostics,
    ContextOut,
    GivenOut,
    LeftOutOut,
    OriginOut,
    ScoreOut,
    TokensOut,
)
from services.recall.hints import look_up
from services.recall.retrieval import Found, find
from services.recall.stores import Stores
from shared.kernel.database import Database
from shared.kernel.errors import NotFound
from shared.kernel.sensitivity import Policy
from shared.language.rules.tasks import named_task
from shared.language.script import Language
from shared.language.sensitivity import mask
from shared.recall import prompts
from shared.recall.prompts import Prompt, Shortage
from shared.recall.queries.context import task_at_hand, who_asks
from shared.recall.rules.assembling import Bounds, Context, assemble
from shared.recall.rules.fitting import Measure
from shared.recall.rules.items import Item, LeftOut, Question, Retrieved
from shared.recall.rules.state import State
from shared.runtime.telemetry import RECALL_DEGRADED, RECALL_SECONDS
from shared.switches.rules import Switches


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """What the deployment decides about every context.

    Args:
        budget: tokens of a prompt, unless a request says otherwise.
        window: how many of the newest messages are given as they are (MC-02).
        confirmed_only: of preferences and constraints, only confirmed ones are in every context.
        sensitivity: what is masked in an earlier moment. Recent messages are given as they are (MC-17).
    """

    budget: int
    window: int
    confirmed_only: bool
    sensitivity: Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where a context comes from: PostgreSQL under recall's role, and the stores that give hints."""

    database: Database
    stores: Stores


def context_for(sources: Sources, user_id: str, asked: Asked, habits: Habits, *, defaults: Switches) -> ContextOut:
    """Return what an assistant is given for a question, or for none.

    Args:
        defaults: the switches of people who never chose.

    Raises:
        NotFound: the conversation is not this person's, or was forgotten.
    """
    begun = time.perf_counter()
    conversation_id = asked.conversation_id
    database = sources.database
    asking, task = database.transact(
        lambda tx: (
            who_asks(tx, user_id, conversation_id, defaults=defaults),
            None if conversation_id is None or asked.task else task_at_hand(tx, conversation_id),
        )
    )
    if conversation_id is not None and not asking.conversation_is_theirs:
        raise NotFound("conversation")
    question = Question(
        text=asked.question,
        conversation_id=conversation_id,
        project_id=asked.project_id or asking.project_id,
        task=asked.task or named_task(asked.question) or task,
        limit=asked.limit,
        superseded=asked.superseded,
    )
    hints = None
    if asking.reader is not None and "retrieved" in asked.layers:
        hints = look_up(database, sources.stores, asking.reader, question, asking.switches, asking.talk)
    window = habits.window if "immediate" in asked.layers else 0
    retrieved, state = Retrieved(), State(switches=asking.switches, project_id=question.project_id)
    more_listed = False
    if asking.reader is not None:
        list_others = {"stable", "retrieved"} <= set(asked.layers)
        found = find(database, asking.reader, question, hints, window=window, list_others=list_others)
        retrieved, state, more_listed = (
            found.retrieved,
            _state_of(state, found, habits.sensitivity),
            found.memories.more_listed,
        )
    budget = asked.token_budget or habits.budget
    bounds = Bounds(
        budget=budget - prompts.skeleton_tokens(),
        layers=frozenset(asked.layers),
        confirmed_only=habits.confirmed_only,
        superseded=asked.superseded,
    )
    measure = _counting_once()
    context = assemble(state, retrieved, bounds, measure=measure)
    language = asked.language or prompts.language_of(asked.question)
    prompt = prompts.render(context, language)
    reasons = _shortages(
        asking.switches, question, retrieved, over_budget=prompt.tokens > budget, more_listed=more_listed
    )
    RECALL_SECONDS.labels(context.mode).observe(time.perf_counter() - begun)
    for reason in retrieved.reasons:
        RECALL_DEGRADED.labels(reason).inc()
    return _context_out(context, prompt, reasons, language, budget, measure)


def _state_of(state: State, found: Found, sensitivity: Policy) -> State:
    """Return a state with everything in it that was found, masked, and what belongs in every context."""
    named = [one.id for one in found.retrieved.candidates if one.kind == "memory"]
    units = found.memories.units
    return replace(
        state,
        stable=found.memories.stable,
        found=tuple(units[id_] for id_ in dict.fromkeys((*named, *found.memories.first)) if id_ in units),
        listed=found.memories.listed,
        moments=tuple(
            replace(moment, said={id_: mask(text, sensitivity) for id_, text in moment.said.items()})
            for moment in found.said.moments
        ),
        summary=found.said.summary,
        window=found.said.window,
    )


def _shortages(
    switches: Switches, question: Question, retrieved: Retrieved, *, over_budget: bool, more_listed: bool
) -> list[Shortage]:
    """Say why there is less than there could be, in a fixed order."""
    holding: list[tuple[Shortage, bool]] = [
        ("injection_off", not switches.injection_enabled),
        ("longterm_off", not switches.longterm_enabled),
        ("episodic_off", not switches.episodic_enabled),
        ("summary_off", not switches.summary_enabled),
        ("no_conversation", question.conversation_id is None),
        ("empty_query", not question.text.strip()),
        ("over_budget", over_budget),
        ("more_left_out", more_listed),
    ]
    reasons = [reason for reason, holds in holding if holds]
    # What only the engine knows: which store did not answer.
    return reasons + [cast("Shortage", reason) for reason in retrieved.reasons if reason not in dict(holding)]


def _counting_once() -> Measure:
    """Return `prompts.tokens_of`, which is asked what fits and then again what was given."""
    counts: dict[UUID, int] = {}

    def measure(item: Item) -> int:
        if item.id not in counts:
            counts[item.id] = prompts.tokens_of(item)
        return counts[item.id]

    return measure


def _context_out(
    context: Context, prompt: Prompt, reasons: list[Shortage], language: Language, budget: int, measure: Measure
) -> ContextOut:
    return ContextOut(
        items=[_given_out(item, language, measure) for item in context.items],
        window=[_given_out(item, language, measure) for item in context.window],
        left_out=[_left_out_out(one, language) for one in context.left_out],
        mode=context.mode,
        diagnostics=ContextDiagnostics(
            reasons=reasons, sentences=[prompts.explain_shortage(reason, language) for reason in reasons]
        ),
        language=language,
        prompt=prompt.text,
        tokens=TokensOut(used=prompt.tokens, budget=budget),
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
        content=item.content,
        provenance=OriginOut(
            session_id=said.conversation_id,
            session=said.session,
            turn=said.turn,
            message_ids=list(said.message_ids),
            covers=said.covers,
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
