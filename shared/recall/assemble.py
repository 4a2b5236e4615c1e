"""Assemble the context of an assistant, by the same code for injection and for the preview."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import cast
from uuid import UUID

from shared.consent.allows import effective
from shared.consent.rules.policy import Terms
from shared.consent.rules.switches import Switches
from shared.kernel import readers
from shared.kernel.database import Database
from shared.kernel.errors import NotFound
from shared.kernel.sensitivity import Policy
from shared.language.rules.tasks import named_task
from shared.language.script import Language, language_of
from shared.language.sensitivity import mask
from shared.recall import prompts
from shared.recall.hints import look_up
from shared.recall.impressions import with_relevance
from shared.recall.prompts import Prompt, Shortage
from shared.recall.queries.context import task_at_hand, who_asks
from shared.recall.retrieve import Found, find
from shared.recall.rules.assembling import Bounds, Context, Given, assemble
from shared.recall.rules.fitting import Measure
from shared.recall.rules.items import Item, Layer, Question, Retrieved, Superseded
from shared.recall.rules.state import State
from shared.recall.sql.context import Asking
from shared.recall.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextDefaults:
    """Deployment settings for every context.

    Args:
        budget: tokens of a prompt, unless a request sets its own.
        window: how many of the newest messages are given verbatim (MC-02).
        confirmed_only: of preferences and constraints, only confirmed ones are in every context.
        sensitivity: what is masked in earlier moments. Recent messages are not masked (MC-17).
    """

    budget: int
    window: int
    confirmed_only: bool
    sensitivity: Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What a context is read from: PostgreSQL under recall's role, and the stores that return hints."""

    database: Database
    stores: Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class UserContext:
    """The block with a task's slices, and the language the person set, if the task is given it."""

    block: str
    language: Language | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """A request for a context.

    Args:
        question: what the assistant is about to answer; may be empty.
        task: the current task; None takes the one named in the question, or else last in the running session.
        token_budget: tokens of the whole prompt; None takes the deployment's.
        language: of the template and the reasons; None takes the question's.
        limit: maximum number of memories and episodes to retrieve.
    """

    question: str
    conversation_id: UUID | None
    project_id: str | None
    task: str | None
    token_budget: int | None
    layers: Collection[Layer]
    language: Language | None
    limit: int
    superseded: Superseded
    given: Given = "all"
    user_context: Callable[[], UserContext] | None = None
    """Reads a task's slices (FC-04), after everything else was read: what is withdrawn meanwhile is in none of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    """A context with its prompt.

    Args:
        shortages: why it contains less than it could, in a fixed order.
        degraded: codes of the stores or indexes that did not answer.
        budget: maximum tokens of the prompt.
        measure: counts the tokens of an item, with a cache.
    """

    context: Context
    prompt: Prompt
    shortages: list[Shortage]
    degraded: tuple[str, ...]
    language: Language
    budget: int
    measure: Measure


def assemble_context(
    sources: Sources, user_id: str, asked: ContextRequest, usual: ContextDefaults, *, terms: Terms
) -> Assembled:
    """Return the context an assistant is given, with or without a question.

    Args:
        terms: the switches of people who never set any, and the policy.

    Raises:
        NotFound: the conversation is not this person's, or was forgotten.
    """
    conversation_id = asked.conversation_id
    reader, database = readers.find(sources.database, user_id)
    asking, task = database.transact(
        lambda tx: (
            who_asks(tx, reader, conversation_id, terms=terms),
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
    searched = terms.permitted.vector_search_over_user_memory
    if asking.reader is not None and "retrieved" in asked.layers:
        hints = look_up(
            database, sources.stores, asking.reader, question, asking.switches, asking.talk, vectors=searched
        )
    window = usual.window if "immediate" in asked.layers else 0
    retrieved, state = Retrieved(), State(switches=asking.switches, project_id=question.project_id)
    more_listed = False
    if asking.reader is not None:
        list_others = {"stable", "retrieved"} <= set(asked.layers)
        found = find(database, asking.reader, question, hints, window=window, list_others=list_others)
        retrieved, state, more_listed = (
            found.retrieved,
            _state_of(state, found, usual.sensitivity, sources.stores, question.text),
            found.memories.more_listed,
        )
    told, state = _told(database, asking, asked, state, terms)
    budget = asked.token_budget or usual.budget
    bounds = Bounds(
        budget=budget - prompts.skeleton_tokens(),
        beside=prompts.count(told.block),
        limit=asked.limit,
        layers=frozenset(asked.layers),
        confirmed_only=usual.confirmed_only,
        superseded=asked.superseded,
        now=datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0),  # all day the same bytes (CN-05)
        given=asked.given,
    )
    measure = _counting_once()
    context = assemble(state, retrieved, bounds, measure=measure)
    language = asked.language or told.language or language_of(asked.question)
    prompt = prompts.render(context, language, user_context=told.block)
    reasons = _shortages(
        asking.switches, question, retrieved, over_budget=prompt.tokens > budget, more_listed=more_listed
    )
    return Assembled(
        context=context,
        prompt=prompt,
        shortages=reasons,
        degraded=tuple(retrieved.reasons),
        language=language,
        budget=budget,
        measure=measure,
    )


def _told(
    database: Database, asking: Asking, asked: ContextRequest, state: State, terms: Terms
) -> tuple[UserContext, State]:
    """Return the slices of a task, and the state with the switches as they are once these were read.

    Where consent covers memories, those that were read before it was withdrawn are not given beside slices that were
    read after (FC-05).
    """
    read = asked.user_context or (lambda: UserContext(block="", language=None))
    told = read()
    if asking.reader is None or not terms.consent.covers_memories:
        return told, state
    subject_id = asking.reader.subject_id
    switches = database.transact(lambda tx: effective(tx, subject_id, terms=terms))
    if switches == asking.switches:
        return told, state
    return read(), replace(state, switches=switches)


def _state_of(state: State, found: Found, sensitivity: Policy, stores: Stores, asked: str) -> State:
    """Add to a state what was found, masked, and what belongs in every context."""
    named = [one.id for one in found.retrieved.candidates if one.kind == "memory"]
    memories = found.memories.memories
    return replace(
        state,
        stable=found.memories.stable,
        found=tuple(memories[id_] for id_ in dict.fromkeys((*named, *found.memories.first)) if id_ in memories),
        listed=found.memories.listed,
        impressions=with_relevance(found.impressions, stores, asked),
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
    """Return why there is less than there could be, in a fixed order."""
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
    # Reasons only the search knows: which store did not answer.
    return reasons + [cast("Shortage", reason) for reason in retrieved.reasons if reason not in dict(holding)]


def _counting_once() -> Measure:
    """Return `prompts.tokens_of` with a cache: each item is measured for fitting and again for the result."""
    counts: dict[UUID, int] = {}

    def measure(item: Item) -> int:
        if item.id not in counts:
            counts[item.id] = prompts.tokens_of(item)
        return counts[item.id]

    return measure
