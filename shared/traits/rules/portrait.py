"""What a person's observations amount to: their traits, with grades, stages and history (TR-01 to TR-08). Pure.

A portrait is computed from all observations, every past reflection and the person's own decisions, never from an
earlier portrait. Therefore the result does not depend on the order in which observations arrived, repeating a
reflection changes nothing, and leaving out what was forgotten gives exactly the traits that the rest supports.
"""

from __future__ import annotations

from collections.abc import Mapping

from shared.traits.rules.families import Family
from shared.traits.rules.parents import Parents
from shared.traits.rules.types import Known, Observation, Pattern, Trait


def portrait(vocabulary: Mapping[str, Pattern], known: Known) -> dict[str, Trait]:
    """Return a person's traits by key, dissolved ones included."""
    cycles = sorted(known.cycles, key=lambda cycle: (cycle.at, cycle.id))
    families: dict[str, list[Observation]] = {}
    for one in known.observations:
        pattern = vocabulary.get(one.key)
        if pattern is not None and pattern.subtype == "behavior" and one.cycle is not None:
            families.setdefault(min(one.key, pattern.opposite or one.key), []).append(one)
    families_alive = [
        Family(vocabulary, key, families[key], known, {cycle.id: cycle for cycle in cycles}) for key in sorted(families)
    ]
    parents = Parents(vocabulary, known)
    for cycle in cycles:
        for family in families_alive:
            family.reflect(cycle)
        if cycle.grouped:
            behaviors = [child for family in families_alive for child in family.children(cycle.at)]
            parents.reflect(cycle, behaviors, [key for family in families_alive for key in family.denied()])
    found = {key: trait for family in families_alive for key, trait in family.traits(known.now, steps=True)}
    return {**found, **parents.traits(known.now)}
