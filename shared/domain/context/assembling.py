"""Making a context of what was read and what was found: the one way, whoever asks (MC-02, MC-14, CN-04, CN-07)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from uuid import UUID

from shared.domain.context.fitting import Measure, fit
from shared.domain.context.items import (
    FOUND_BY,
    LAYERS,
    Candidate,
    Group,
    Item,
    Layer,
    LeftOut,
    Mode,
    Retrieved,
    Why,
    WhyNot,
)
from shared.domain.context.order import PRECISION, arranged
from shared.domain.context.rules import in_scope, why_not, why_stable
from shared.domain.context.state import Digest, Moment, State, Unit, Utterance

CONVERSATION = "conversation"
"""The scope of what never leaves its conversation (decision 5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much is wanted.

    Args:
        budget: tokens for the items, the window included.
        confirmed_only: as for `why_stable`.
    """

    budget: int
    layers: frozenset[Layer] = frozenset(LAYERS)
    confirmed_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What an assistant is given: items in the order of the prompt, then the live window, oldest first."""

    mode: Mode
    items: tuple[Item, ...]
    window: tuple[Item, ...]
    left_out: tuple[LeftOut, ...]


def assemble(state: State, retrieved: Retrieved, bounds: Bounds, *, measure: Measure) -> Context:
    """Return the context of a state: the same bytes for the same arguments, whatever the order in `state`.

    Without injection there are no items, and the live window stays (decision 7). Layers that are not wanted are
    neither in it nor left out of it.
    """
    mode: Mode = "semantic" if retrieved.semantic else "deterministic"
    wanted = bounds.layers
    window = [_of_message(one) for one in state.window] if "immediate" in wanted else []
    offered: list[Item | LeftOut] = list(_stable(state, bounds)) if "stable" in wanted else []
    if "retrieved" in wanted:
        offered += _found(state, retrieved, bounds)
    if "immediate" in wanted and state.summary is not None:
        item = _of_summary(state.summary)
        offered.append(item if state.switches.gives_summary else _left_out(item, "switched_off"))
    items = [one for one in offered if isinstance(one, Item)]
    live = {one.id for one in window}
    told = [item for item in items if _is_told_by(item, live)]
    fitted = fit(
        arranged([item for item in items if item not in told], mode), window, budget=bounds.budget, measure=measure
    )
    left_out = [one for one in offered if isinstance(one, LeftOut)]
    left_out += [_left_out(item, "budget") for item in fitted.too_much]
    live = {one.id for one in fitted.window}
    left_out += [_left_out(item, "in_window" if _is_told_by(item, live) else "budget") for item in told]
    return Context(
        mode=mode,
        items=fitted.items,
        window=fitted.window,
        left_out=tuple(sorted(left_out, key=lambda one: (one.why, one.kind, one.id))),
    )


def _is_told_by(item: Item, live: set[UUID]) -> bool:
    """Whether the window, which has these messages, shows an episode's word for word already (MC-02)."""
    return item.kind == "episode" and live.issuperset(item.provenance.message_ids)


def _stable(state: State, bounds: Bounds) -> Iterator[Item | LeftOut]:
    for unit in state.stable:
        why = _why_stable_here(unit, state, bounds)
        if why is not None:
            yield _unless_refused(unit, state, why, group=Group.SAFETY if why == "safety" else Group.PREFERENCES)


def _found(state: State, retrieved: Retrieved, bounds: Bounds) -> Iterator[Item | LeftOut]:
    stable = {unit.id for unit in state.stable if _why_stable_here(unit, state, bounds)}
    candidates = {(one.kind, one.id): _ranked(one, retrieved) for one in retrieved.candidates}
    for unit in state.found:
        candidate = candidates.get(("memory", unit.id))
        named = candidate is not None or not retrieved.semantic  # without a search by meaning all of them are meant
        if named and unit.id not in stable and in_scope(unit, state.project_id):
            yield _unless_refused(unit, state, _why_found(candidate), candidate, group=Group.MEMORIES)
    for moment in state.moments:
        candidate = candidates.get(("episode", moment.id))
        if candidate is None:
            continue
        item = _of_moment(moment, candidate)
        yield item if state.switches.gives_episodes else _left_out(item, "switched_off")


def _why_stable_here(unit: Unit, state: State, bounds: Bounds) -> Why | None:
    return why_stable(unit, confirmed_only=bounds.confirmed_only) if in_scope(unit, state.project_id) else None


def _ranked(candidate: Candidate, retrieved: Retrieved) -> Candidate:
    """Return a candidate with as much of its scores as counts: nothing where the order is fixed."""
    if not retrieved.semantic or candidate.total is None:
        return replace(candidate, scores={}, total=None)
    scores = {name: round(score, PRECISION) for name, score in sorted(candidate.scores.items())}
    return replace(candidate, scores=scores, total=round(candidate.total, PRECISION))


def _why_found(candidate: Candidate | None) -> Why:
    """Return which part of the score says most; the name decides between equal ones."""
    if candidate is None or not candidate.scores:
        return "fixed_order"
    most = min(candidate.scores, key=lambda name: (-candidate.scores[name], name))
    return FOUND_BY.get(most, "related")


def _unless_refused(
    unit: Unit, state: State, why: Why, candidate: Candidate | None = None, *, group: Group
) -> Item | LeftOut:
    refused = why_not(unit, state.switches)
    if refused is not None:
        reason, instead = refused
        return LeftOut(id=unit.id, kind="memory", type=unit.content_type, why=reason, instead=instead)
    return Item(
        id=unit.id,
        kind="memory",
        type=unit.content_type,
        group=group,
        scope=unit.scope,
        project_id=unit.project_id,
        content=unit.text,
        provenance=unit.provenance,
        why=why,
        updated_at=unit.updated_at,
        task_hint=unit.task_hint,
        scores=candidate.scores if candidate else {},
        total=candidate.total if candidate else None,
    )


def _of_moment(moment: Moment, candidate: Candidate) -> Item:
    """Return what a search found of an episode, in the order it was said; its sources come best first."""
    cited = tuple(one for one in candidate.cited if one in moment.said) or tuple(moment.said)
    return Item(
        id=moment.id,
        kind="episode",
        type="episode",
        group=Group.MEMORIES,
        scope=CONVERSATION,
        content="\n".join(text for id_, text in moment.said.items() if id_ in cited),
        provenance=replace(moment.provenance, message_ids=cited),
        why=_why_found(candidate),
        updated_at=moment.provenance.at,
        scores=candidate.scores,
        total=candidate.total,
    )


def _of_summary(summary: Digest) -> Item:
    return Item(
        id=summary.id,
        kind="summary",
        type="summary",
        group=Group.SUMMARY,
        scope=CONVERSATION,
        content=summary.text,
        provenance=summary.provenance,
        why="summary",
        updated_at=summary.provenance.at,
    )


def _left_out(item: Item, why: WhyNot) -> LeftOut:
    return LeftOut(id=item.id, kind=item.kind, type=item.type, why=why)


def _of_message(message: Utterance) -> Item:
    return Item(
        id=message.id,
        kind="message",
        type=message.role,
        group=Group.WINDOW,
        scope=CONVERSATION,
        content=message.text,
        provenance=message.provenance,
        why="window",
        updated_at=message.provenance.at,
        name=message.name,
    )
