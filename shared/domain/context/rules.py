"""Which memories an assistant may be given, which belong in every context, and which of two that contradict holds."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

from shared.domain.context.items import Why, WhyNot
from shared.domain.context.state import Rival, Unit
from shared.domain.switches import Switches

STABLE_TYPES: Final = frozenset({"preference", "constraint"})
_SURE_ORIGINS: Final[dict[str, Why]] = {"stated": "stated", "learned": "learned"}


def why_stable(unit: Unit, *, confirmed_only: bool = False) -> Why | None:
    """Return why a memory belongs in every context, None when only a question brings it in (decision 9).

    Safety always does; preferences and constraints do once they are confirmed, were stated explicitly, or were learned
    from feedback up to the threshold.

    Args:
        confirmed_only: of preferences and constraints, only confirmed ones do (policy `finclaw`).
    """
    if unit.taboo:
        return "safety"
    if unit.content_type not in STABLE_TYPES:
        return None
    if unit.confirmed:
        return "confirmed"
    return None if confirmed_only else _SURE_ORIGINS.get(unit.origin)


def in_scope(unit: Unit, project_id: str | None) -> bool:
    """Whether a memory concerns what the assistant works on: global ones do, and those of the project."""
    return unit.scope == "global" or (project_id is not None and unit.project_id == project_id)


def why_not(unit: Unit, switches: Switches) -> tuple[WhyNot, UUID | None] | None:
    """Return why a memory in scope is not given, and what is given instead of it; None when it may be given."""
    reasons: list[tuple[WhyNot, bool]] = [
        ("switched_off", not switches.gives_memories),
        ("superseded", unit.superseded),
        ("paused", unit.paused),
        ("archived", unit.archived),
    ]
    for reason, holds in reasons:
        if holds:
            return reason, None
    stronger = [rival for rival in unit.rivals if _strength(rival) > _strength(unit)]
    if stronger:
        return "conflict", max(stronger, key=_strength).id
    return None


def _strength(of: Unit | Rival) -> tuple[bool, datetime, UUID]:
    """Of two that contradict each other the one its person confirmed holds, else the newer one (MC-14)."""
    return of.confirmed, of.said_at, of.id
