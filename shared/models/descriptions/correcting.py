"""Which memory a correction means: the one that answers the description best, if one does better than all others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal
from uuid import UUID

from shared.models.descriptions.matching import Matching
from shared.models.descriptions.names import Names
from shared.models.descriptions.reading import Clause, read
from shared.models.descriptions.terms import without
from shared.models.descriptions.things import Target
from shared.models.descriptions.vocabulary import VAGUE
from shared.models.descriptions.wishes import Wish, understand
from shared.models.relations.concepts import stem

_ANSWERS_ONLY: Final = 0.6
"""What it counts that a unit sounds like an answer to what was asked for, without the word."""
_ENOUGH: Final = 0.5
"""Share of a description a unit must meet more of."""
_SAID_AGAIN: Final = 0.5
"""Share of words (Jaccard) from which a statement says a unit again but for a value, however that was described."""
_CLEARLY: Final = 0.1
"""By how much it must do so more than any other unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A memory by its id and wording."""

    id: UUID
    text: str


def unit_meant(about: str, statement: str, units: Sequence[Unit]) -> int | Literal["nothing_meant", "several_meant"]:
    """Return the place of the unit that is meant, or why none is.

    Of units that meet the description, the one that does so best and whose words the new statement shares most is meant;
    when none does, the one the statement says again but for a value.
    """
    wish = understand(about, datetime.now(UTC))
    names = Names()
    for unit in units:
        names.learn(read(unit.text))
    matching = Matching(wish, names)
    clauses = [clause for unit in units for clause in read(unit.text).clauses]
    vague = [term for term in wish.terms if term.said in VAGUE]
    unheard = [term for term in vague if not any(matching.names(term, clause) for clause in clauses)]
    wish = replace(wish, targets=without(wish.targets, unheard))
    scored = [(_meets(matching, wish, unit.text), _shared(statement, unit.text)) for unit in units]
    fits = {place: meets + shared for place, (meets, shared) in enumerate(scored) if meets > _ENOUGH}
    if fits:
        return _best(fits, by=0.0)
    alike = {place: shared for place, (_, shared) in enumerate(scored) if shared >= _SAID_AGAIN}
    return _best(alike, by=_CLEARLY) if alike else "nothing_meant"


def _best(scores: Mapping[int, float], *, by: float) -> int | Literal["several_meant"]:
    """Return the place with the highest score, if no other comes as near."""
    best, *others = sorted(scores, key=lambda place: scores[place], reverse=True)
    return best if all(scores[best] - scores[other] > by for other in others) else "several_meant"


def _meets(matching: Matching, wish: Wish, text: str) -> float:
    """Return how much of a description a unit meets, 0…1."""
    clauses = read(text).clauses
    return max((_share(matching, target, clauses) for target in wish.targets), default=0.0)


def _share(matching: Matching, target: Target, clauses: Sequence[Clause]) -> float:
    if target.own and clauses and not any(matching.is_own(target, clause) for clause in clauses):
        return 0.0
    weights: list[float] = []
    for term in target.terms:
        codes = [matching.names(term, clause) for clause in clauses]
        by_word = any(code in ("identifier", "name", "alias") for code in codes) or any(
            matching.says(term, clause) for clause in clauses
        )
        weights.append(1.0 if by_word else _ANSWERS_ONLY if any(codes) else 0.0)
    return sum(weights) / len(weights) if weights else 0.0


def _shared(statement: str, text: str) -> float:
    """Return how many of its words a unit shares with a statement, in both directions (Jaccard)."""
    one, other = _words(statement), _words(text)
    return len(one & other) / len(one | other) if one | other else 0.0


def _words(text: str) -> frozenset[str]:
    return frozenset(stem(word.bare) for clause in read(text).clauses for word in clause.words)
