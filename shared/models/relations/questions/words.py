"""What a clause is made of, for those who read what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shared.models.relations.concepts import Concept
from shared.models.relations.quantities import Quantity
from shared.models.relations.slots import EMPTY_PREDICATES


@dataclass(frozen=True, slots=True)
class Words:
    """A clause taken apart: its folded text, its concepts, its quantities."""

    text: str
    found: Sequence[Concept]
    counted: Sequence[Quantity]

    @property
    def names(self) -> set[str]:
        """Names of its concepts."""
        return {concept.name for concept in self.found}

    @property
    def kinds(self) -> set[str]:
        """Kinds of its concepts."""
        return {concept.kind for concept in self.found}

    @property
    def counts(self) -> set[str]:
        """Kinds of its quantities."""
        return {quantity.kind for quantity in self.counted}

    def without(self, *triggers: str) -> tuple[Concept, ...]:
        """Return the concepts that fill a slot: neither what names the slot nor predicates that say little."""
        return tuple(
            concept for concept in self.found if concept.name not in triggers and concept.name not in EMPTY_PREDICATES
        )
