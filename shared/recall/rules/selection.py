"""Which memories an assistant may be given, which belong in every context, and which of two contradicting ones is
used.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final, TypeAlias
from uuid import UUID

from shared.consent.rules.switches import Switches
from shared.recall.rules.items import Superseded, Why, WhyNot
from shared.recall.rules.state import Listed, VisibleMemory

STABLE_TYPES: Final = frozenset({"preference", "constraint"})
_STANDING: Final[tuple[Why, ...]] = ("confirmed", "stated", "learned", "extracted")
"""Reasons for a preference or constraint, most certain first (decision 9)."""


def why_stable(memory: VisibleMemory, *, confirmed_only: bool = False) -> Why | None:
    """Return why a memory belongs in every context; None if only a question can retrieve it (decision 9).

    Safety items, preferences and constraints belong in every context.

    Args:
        confirmed_only: of preferences and constraints, only confirmed ones do (policy `finclaw`).
    """
    if memory.taboo:
        return "safety"
    if memory.content_type not in STABLE_TYPES:
        return None
    if memory.confirmed:
        return "confirmed"
    if confirmed_only:
        return None
    return "stated" if memory.origin == "stated" else "learned" if memory.origin == "learned" else "extracted"


def precedence(memory: VisibleMemory) -> tuple[int, int, float, UUID]:
    """Return the sort key by which preferences and constraints compete for their share of a context, best first.

    The most certain come first, then the most important, then the newest (decision 9).
    """
    why = why_stable(memory)
    standing = _STANDING.index(why) if why in _STANDING else len(_STANDING)
    return standing, -memory.importance, -memory.said_at.timestamp(), memory.id


def why_unread(memory: Listed, switches: Switches, project_id: str | None, *, searched: bool) -> WhyNot:
    """Return why a memory is not given that is neither in every context nor found.

    Args:
        searched: by meaning; otherwise others came first in the fixed order.
    """
    if not switches.gives_memories:
        return "switched_off"
    if not in_scope(memory, project_id):
        return "other_project"
    if memory.paused:
        return "paused"
    if memory.archived:
        return "archived"
    return "not_related" if searched else "limit"


def in_scope(memory: VisibleMemory | Listed, project_id: str | None) -> bool:
    """Whether a memory is global or belongs to the assistant's project."""
    return memory.scope == "global" or (project_id is not None and memory.project_id == project_id)


def why_not(
    memory: VisibleMemory, switches: Switches, superseded: Superseded = "hide"
) -> tuple[WhyNot, UUID | None] | None:
    """Return why a memory in scope is not given and which is given instead; None if it may be given."""
    reasons: list[tuple[WhyNot, bool]] = [
        ("switched_off", not switches.gives_memories),
        ("superseded", memory.superseded and superseded == "hide"),
        ("paused", memory.paused),
        ("archived", memory.archived),
    ]
    for reason, holds in reasons:
        if holds:
            return reason, None
    rival = given_instead(memory)
    return ("conflict", rival) if rival is not None else None


def given_instead(memory: VisibleMemory) -> UUID | None:
    """Return which of the memories that contradict one is given instead of it; None if it is given itself."""
    rivals = [(one.confirmed, one.said_at, one.id) for one in memory.rivals]
    return strongest_rival(rivals, (memory.confirmed, memory.said_at, memory.id), taboo=memory.taboo)


Strength: TypeAlias = tuple[bool, datetime, UUID]
"""Of two contradicting memories the confirmed one wins, else the newer one (MC-14): confirmed, said at, id."""


def strongest_rival(rivals: Iterable[Strength], own: Strength, *, taboo: bool) -> UUID | None:
    """Return which of the memories that contradict one is given instead of it; None if it is given itself.

    A safety matter (`taboo`) is kept until the person has confirmed what may contradict it.
    """
    stronger = [rival for rival in rivals if rival > own and (rival[0] or not taboo)]
    return max(stronger)[2] if stronger else None
