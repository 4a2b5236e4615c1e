"""Makes a context from a person's state and search results, for every caller (MC-02, MC-14, CN-04, CN-07)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias
from uuid import UUID

from shared.recall.rules.fitting import Measure, fit, within_share
from shared.recall.rules.impressions import fitting_impressions, stable_impressions
from shared.recall.rules.itemizing import (
    left_out_for,
    of_episode,
    of_message,
    of_summary,
    switched_off,
    unless_refused,
    why_found,
)
from shared.recall.rules.items import (
    LAYERS,
    LIMIT,
    Candidate,
    Group,
    Item,
    Layer,
    LeftOut,
    Mode,
    Retrieved,
    Superseded,
    Why,
    WhyNot,
)
from shared.recall.rules.order import PRECISION, arranged
from shared.recall.rules.selection import STABLE_TYPES, in_scope, precedence, why_stable, why_unread
from shared.recall.rules.state import State, VisibleMemory

Given: TypeAlias = Literal["all", "confirmed", "none"]
_WITHHELD: Final[Mapping[Given, WhyNot]] = {"confirmed": "not_confirmed", "none": "route"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits of a context.

    Args:
        budget: tokens for the items, the window included.
        beside: of these, the tokens of what else the prompt contains. The share of the stable items is a share of the
            whole budget, so that they do not depend on it (CN-07).
        limit: maximum number of memories and episodes in the layer `retrieved`.
        confirmed_only: as for `why_stable`.
        superseded: `label` also gives superseded memories that a search found, marked as such.
        now: for the recency of habits; they have none without it.
        given: which memories a task is given: all, only confirmed ones (and safety), or none.
    """

    budget: int
    beside: int = 0
    limit: int = LIMIT
    layers: frozenset[Layer] = frozenset(LAYERS)
    confirmed_only: bool = False
    superseded: Superseded = "hide"
    now: datetime | None = None
    given: Given = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What an assistant is given: items in the order of the prompt, then the recent window, oldest first.

    Args:
        layers: those requested; the others are not mentioned in the prompt.
    """

    mode: Mode
    items: tuple[Item, ...]
    window: tuple[Item, ...]
    left_out: tuple[LeftOut, ...]
    layers: frozenset[Layer] = frozenset(LAYERS)


def assemble(state: State, retrieved: Retrieved, bounds: Bounds, *, measure: Measure) -> Context:
    """Return the context of a state: the same bytes for the same arguments, whatever the order in `state`.

    Without injection there are no items, but the recent window stays (decision 7). Items of layers that were not
    requested are neither in the context nor in `left_out`.
    """
    mode: Mode = "semantic" if retrieved.semantic else "deterministic"
    state = _narrowed(state, bounds.given)
    shown = _window_of(state, bounds)
    window = [of_message(one) for one in state.window if one.id in shown]
    offered = _offered(state, retrieved, bounds, measure)
    items = [one for one in offered if isinstance(one, Item)]
    told = [item for item in items if _is_told_by(item, shown)]
    given = [item for item in items if not _is_told_by(item, shown)]
    fitted = fit(arranged(given, mode), window, budget=bounds.budget, beside=bounds.beside, measure=measure)
    left_out = [one for one in offered if isinstance(one, LeftOut)]
    left_out += [left_out_for(item, "budget") for item in fitted.too_much]
    shown = {one.id for one in fitted.window}
    left_out += [left_out_for(item, "in_window" if _is_told_by(item, shown) else "budget") for item in told]
    if bounds.layers >= {"stable", "retrieved"}:
        left_out += _unread(state, retrieved, bounds, {one.id for one in fitted.items} | {one.id for one in left_out})
    return Context(
        mode=mode,
        items=fitted.items,
        window=fitted.window,
        left_out=tuple(sorted(left_out, key=lambda one: (one.why, one.kind, one.id))),
        layers=bounds.layers,
    )


def _offered(state: State, retrieved: Retrieved, bounds: Bounds, measure: Measure) -> list[Item | LeftOut]:
    """Return what the requested layers offer, before it is arranged and fitted into the budget."""
    wanted = bounds.layers
    always = _stable(state, bounds, measure) if "stable" in wanted else _Stable()
    found = list(_found(state, retrieved, bounds, always)) if "retrieved" in wanted else []
    met_again = {one.id for one in found}
    offered: list[Item | LeftOut] = [*always.kept, *always.left_out, *found]
    offered += [left_out_for(item, "budget") for item in always.crowded_out if item.id not in met_again]
    if "immediate" in wanted and state.summary is not None and state.summary.text:  # there is none of code alone
        item = of_summary(state.summary)
        offered.append(item if state.switches.gives_summary else left_out_for(item, "switched_off"))
    if "retrieved" in wanted:
        habits = fitting_impressions(state.impressions, now=bounds.now)
        offered += habits if state.switches.infers_traits else [switched_off(one) for one in habits]
    return offered


def _narrowed(state: State, given: Given) -> State:
    """Return what of a state may be given.

    "confirmed": without what the person did not confirm, safety matters excepted; nothing inferred, no episode.
    """
    if given == "all":
        return state
    if given != "confirmed":
        return replace(state, stable=(), found=(), impressions=(), moments=(), summary=None)
    return replace(
        state,
        stable=tuple(memory for memory in state.stable if memory.confirmed or memory.taboo),
        found=tuple(memory for memory in state.found if memory.confirmed or memory.taboo),
        impressions=(),
        moments=(),
        summary=None,
    )


def _window_of(state: State, bounds: Bounds) -> set[UUID]:
    return {one.id for one in state.window} if "immediate" in bounds.layers else set()


def _is_told_by(item: Item, live: set[UUID]) -> bool:
    """Whether the window already shows all messages of an episode verbatim (MC-02)."""
    return item.kind == "episode" and live.issuperset(item.provenance.message_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stable:
    """Items for every context: given, refused, and those that do not fit in their share of the budget."""

    kept: tuple[Item, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    crowded_out: tuple[Item, ...] = ()


def _is_labelled(memory: VisibleMemory, bounds: Bounds) -> bool:
    """Whether a memory is given although it is superseded; such a memory never belongs in every context."""
    return memory.superseded and bounds.superseded == "label"


def _stable(state: State, bounds: Bounds, measure: Measure) -> _Stable:
    """Select the items for every context; preferences and constraints compete for their share (decision 9).

    The question has no influence (CN-07).
    """
    belonging = [
        (memory, why) for memory in state.stable if (why := _why_stable_here(memory, state, bounds)) is not None
    ]
    ranked = sorted(belonging, key=lambda one: precedence(one[0]))
    offered = [
        unless_refused(memory, state, why, group=Group.SAFETY if why == "safety" else Group.PREFERENCES)
        for memory, why in ranked
    ]
    items = [one for one in offered if isinstance(one, Item)]
    inferred = stable_impressions(state.impressions)
    if state.switches.infers_traits:
        items += inferred
    else:
        offered += [switched_off(one) for one in inferred]
    kept, crowded_out = within_share(items, budget=bounds.budget, measure=measure)
    left_out = tuple(one for one in offered if isinstance(one, LeftOut))
    return _Stable(kept=kept, left_out=left_out, crowded_out=crowded_out)


def _found(state: State, retrieved: Retrieved, bounds: Bounds, always: _Stable) -> Iterator[Item | LeftOut]:
    """Return the items a search found, at most `bounds.limit` of them, best first.

    What the context contains anyway is not among them and takes nobody's place; preferences that did not fit in
    their share are.
    """
    if "stable" in bounds.layers:
        elsewhere = {one.id for one in always.kept} | {one.id for one in always.left_out}
    else:
        elsewhere = {memory.id for memory in state.stable if _why_stable_here(memory, state, bounds)}
    memories = {one.id: one for one in state.found if one.id not in elsewhere and in_scope(one, state.project_id)}
    offered = _hits(state, retrieved, bounds, memories)
    if not retrieved.semantic:  # then all memories count as found, in the fixed order
        rest = [_memory(one, state, bounds) for one in memories.values() if one.id not in offered]
        offered |= {one.id: one for one in arranged((one for one in rest if isinstance(one, Item)), "deterministic")}
        offered |= {one.id: one for one in rest if isinstance(one, LeftOut)}
    return _limited(list(offered.values()), bounds.limit, _window_of(state, bounds))


def _limited(offered: Sequence[Item | LeftOut], limit: int, window: set[UUID]) -> Iterator[Item | LeftOut]:
    counted = [one.id for one in offered if isinstance(one, Item) and not _is_told_by(one, window)]
    beyond = set(counted[limit:])
    for one in offered:
        yield left_out_for(one, "limit") if isinstance(one, Item) and one.id in beyond else one


def _hits(
    state: State, retrieved: Retrieved, bounds: Bounds, memories: Mapping[UUID, VisibleMemory]
) -> dict[UUID, Item | LeftOut]:
    """Return the search results among these memories and the episodes, best first."""
    moments = {one.id: one for one in state.moments}
    hits: dict[UUID, Item | LeftOut] = {}
    for hit in sorted(retrieved.candidates, key=lambda hit: (-(hit.total or 0.0), hit.id)):
        candidate = _ranked(hit, retrieved)
        if hit.kind == "memory" and hit.id in memories:
            hits[hit.id] = _memory(memories[hit.id], state, bounds, candidate)
        elif hit.kind == "episode" and hit.id in moments:
            item = of_episode(moments[hit.id], candidate)
            hits[hit.id] = item if state.switches.gives_episodes else left_out_for(item, "switched_off")
    return hits


def _memory(memory: VisibleMemory, state: State, bounds: Bounds, candidate: Candidate | None = None) -> Item | LeftOut:
    why = why_found(candidate)
    return unless_refused(memory, state, why, candidate, group=Group.MEMORIES, superseded=bounds.superseded)


def _unread(state: State, retrieved: Retrieved, bounds: Bounds, told: set[UUID]) -> Iterator[LeftOut]:
    """Yield the reason for every other memory that is not given, so that no memory is silently missing."""
    for one in state.listed:
        if one.id in told:
            continue
        why = why_unread(one, state.switches, state.project_id, searched=retrieved.semantic)
        if bounds.given != "all" and why in ("limit", "not_related"):
            yield LeftOut(id=one.id, kind="memory", type=one.content_type, why=_WITHHELD[bounds.given])
            continue
        if why in ("limit", "not_related") and one.content_type in STABLE_TYPES and not bounds.confirmed_only:
            # It belongs in every context, but ranks below the memories that were read.
            why = "budget"
        yield LeftOut(id=one.id, kind="memory", type=one.content_type, why=why)


def _why_stable_here(memory: VisibleMemory, state: State, bounds: Bounds) -> Why | None:
    if not in_scope(memory, state.project_id) or _is_labelled(memory, bounds):
        return None
    return why_stable(memory, confirmed_only=bounds.confirmed_only)


def _ranked(candidate: Candidate, retrieved: Retrieved) -> Candidate:
    """Return a candidate with rounded scores, or without scores in the fixed order."""
    if not retrieved.semantic or candidate.total is None:
        return replace(candidate, scores={}, total=None)
    scores = {name: round(score, PRECISION) for name, score in sorted(candidate.scores.items())}
    return replace(candidate, scores=scores, total=round(candidate.total, PRECISION))
