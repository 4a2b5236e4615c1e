"""What may be arranged for a person, and what is the same for everybody (FC-07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shared.contexts.rules.slices import Route, Slice, SlicePolicy

TASK_TYPES: Final[tuple[Route, ...]] = ("snapshot", "thread_refresh", "risk_challenge")
"""Shown to a person who has not asked for anything yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arranging:
    """What a deployment lets be arranged.

    Args:
        advisors: the order by risk preference; each has the same advisors.
        always_first: the advisor that begins a route, whatever the person prefers.
        skills: all skills by the kind of object they are about, in the order for everybody.
        refresh_conditions: by the kind of object, never by what a person did.
        forbidden_execution_fields: what a task before execution must not contain, for everybody.
        refresh_frequency: how threads are refreshed, for everybody.
        examples: a first question by language.
    """

    advisors: Mapping[str, tuple[str, ...]]
    always_first: Mapping[Route, str]
    skills: Mapping[str, tuple[str, ...]]
    refresh_conditions: Mapping[str, tuple[str, ...]]
    forbidden_execution_fields: tuple[str, ...]
    refresh_frequency: str
    examples: Mapping[str, str]


def advisors_for(route: Route, risk_preference: str | None, arranging: Arranging, policy: SlicePolicy) -> list[str]:
    """Return the advisors of a route in order: always the same ones, whatever the person prefers.

    A preference counts only on routes that may be given it (S3).
    """
    heard = _may_be_given(route, "S3", policy)
    order = arranging.advisors.get(risk_preference or "balanced") if heard else None
    order = order or arranging.advisors["balanced"]
    first = arranging.always_first.get(route)
    return [first, *order] if first is not None else list(order)


def skills_for(route: Route, object_types: Sequence[str], arranging: Arranging, policy: SlicePolicy) -> list[str]:
    """Return all skills, those about the person's newest threads first, on routes that may be given these (S6).

    Args:
        object_types: what the person's newest threads are about, newest first.
    """
    heard = object_types if _may_be_given(route, "S6", policy) else ()
    kinds = [*dict.fromkeys(one for one in heard if one in arranging.skills)]
    kinds += [one for one in arranging.skills if one not in kinds]
    return list(dict.fromkeys(skill for kind in kinds for skill in arranging.skills[kind]))


def _may_be_given(route: Route, wanted: Slice, policy: SlicePolicy) -> bool:
    return wanted in {*policy.routes[route].required, *policy.routes[route].optional}


def task_types_for(recent: Sequence[Route]) -> list[Route]:
    """Return three kinds of tasks to offer: the last ones used, then the usual ones."""
    return list(dict.fromkeys([*recent, *TASK_TYPES]))[:3]
