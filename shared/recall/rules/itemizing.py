"""Makes the items of a context from memories, episodes, summaries and messages, or says why one is left out."""

from __future__ import annotations

from dataclasses import replace

from shared.recall.rules.items import FOUND_BY, Candidate, Group, Item, LeftOut, Superseded, Why, WhyNot
from shared.recall.rules.selection import why_not
from shared.recall.rules.state import Digest, Moment, State, Utterance, VisibleMemory

CONVERSATION = "conversation"
"""Scope of items that never leave their conversation (decision 5)."""


def unless_refused(
    memory: VisibleMemory,
    state: State,
    why: Why,
    candidate: Candidate | None = None,
    *,
    group: Group,
    superseded: Superseded = "hide",
) -> Item | LeftOut:
    refused = why_not(memory, state.switches, superseded)
    if refused is not None:
        reason, instead = refused
        return LeftOut(id=memory.id, kind="memory", type=memory.content_type, why=reason, instead=instead)
    return Item(
        id=memory.id,
        kind="memory",
        type=memory.content_type,
        group=group,
        scope=memory.scope,
        project_id=memory.project_id,
        content=memory.text,
        provenance=memory.provenance,
        why=why,
        updated_at=memory.updated_at,
        task_hint=memory.task_hint,
        superseded=memory.superseded,
        level=memory.level,
        scores=candidate.scores if candidate else {},
        total=candidate.total if candidate else None,
    )


def of_episode(moment: Moment, candidate: Candidate) -> Item:
    """Return an episode's found messages as an item, in spoken order; its sources come best first."""
    cited = tuple(one for one in candidate.cited if one in moment.said) or tuple(moment.said)
    return Item(
        id=moment.id,
        kind="episode",
        type="episode",
        group=Group.MEMORIES,
        scope=CONVERSATION,
        content="\n".join(text for id_, text in moment.said.items() if id_ in cited),
        provenance=replace(moment.provenance, message_ids=cited),
        why=why_found(candidate),
        updated_at=moment.provenance.at,
        scores=candidate.scores,
        total=candidate.total,
    )


def of_summary(summary: Digest) -> Item:
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


def of_message(message: Utterance) -> Item:
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


def switched_off(one: Item | LeftOut) -> LeftOut:
    return LeftOut(id=one.id, kind=one.kind, type=one.type, why="switched_off")


def left_out_for(item: Item, why: WhyNot) -> LeftOut:
    return LeftOut(id=item.id, kind=item.kind, type=item.type, why=why)


def why_found(candidate: Candidate | None) -> Why:
    """Return the largest part of the score that says why it was found as the reason; ties by name."""
    if candidate is None or not candidate.scores:
        return "fixed_order"
    parts = {name: score for name, score in candidate.scores.items() if name in FOUND_BY and score > 0}
    return FOUND_BY[min(parts, key=lambda name: (-parts[name], name))] if parts else "recency"
