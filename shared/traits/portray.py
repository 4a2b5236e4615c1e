"""Compute a person's portrait from what is stored and visible."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.subjects import Subject
from shared.traits.catalogue import vocabulary
from shared.traits.rules.portrait import portrait
from shared.traits.rules.types import Cycle, Decision, Known, Observation, Pattern, Trait
from shared.traits.sql import observations, recalls, reflections, refusals, writing

MANY: Final = 500
"""Reflections whose portrait may take longer to compute than a transaction usually may be idle."""


def portray(
    tx: Transaction,
    subject: Subject,
    *,
    now: datetime,
    present: Cycle | None = None,
    without: AbstractSet[UUID] = frozenset(),
    never: AbstractSet[str] = frozenset(),
    decisions: Mapping[str, Decision] | None = None,
) -> dict[str, Trait]:
    """Return a person's traits by key.

    Args:
        present: the reflection in progress, which is not stored yet.
        without: observations to leave out, because they are about to be hidden.
        never: keys to leave out, beside those that the person refused.
        decisions: by key; those stored if None.
    """
    cycles = reflections.cycles(tx, subject)
    if len(cycles) > MANY:
        tx.take_time()
    if decisions is None:
        decisions = {key: one.decision for key, one in writing.kept(tx, subject).items()}
    observed = [one for one in observations.visible(tx, subject) if one.id not in without and _may_show(one)]
    # What a deployment no longer adds to the catalogue is not inferred anew; a trait that is there stays.
    unknown = {one.key for one in observed if one.key in decisions} - vocabulary().keys()
    return portrait(
        {**vocabulary(), **{key: Pattern(key=key, subtype="behavior") for key in unknown}},
        Known(
            observations=observed,
            cycles=[*cycles, present] if present else cycles,
            now=now,
            left_out=frozenset(refusals.refused(tx, subject) | never),
            decisions=decisions,
            recalled=recalls.recalled(tx, subject),
        ),
    )


def _may_show(one: Observation) -> bool:
    """Return whether it would be observed today: a package, or an earlier policy, may have brought what would not."""
    pattern = vocabulary().get(one.key)
    return pattern is None or pattern.may_show(one.context)
