"""Which memory a correction means: the one that answers the description best, if one does better than all others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from heapq import nlargest
from typing import Final, Literal

from shared.models.descriptions.matching import Matching
from shared.models.descriptions.names import Names
from shared.models.descriptions.reading import Clause, Reading, read
from shared.models.descriptions.terms import without
from shared.models.descriptions.things import Target, Term
from shared.models.descriptions.vocabulary import VAGUE
from shared.models.descriptions.wishes import Wish, understand

_ANSWERS_ONLY: Final = 0.6
"""What it counts that a unit sounds like an answer to what was asked for, without the word."""
_ENOUGH: Final = 0.5
"""Share of a description a unit must meet more of."""
_SAID_AGAIN: Final = 0.5
"""Share of words (Jaccard) from which a statement says a unit again but for a value, however that was described."""
_CLEARLY: Final = 0.1
"""By how much it must do so more than any other unit."""
_CANDIDATES: Final = 5
"""How many units are named to somebody whose correction meant none, or several alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The place of the unit a correction means, or `why` none is and the places of the nearest, best first."""

    meant: int | None = None
    why: Literal["nothing_meant", "several_meant"] | None = None
    candidates: tuple[int, ...] = ()


def unit_meant(about: str, statement: str, units: Sequence[str], now: datetime) -> Resolved:
    """Return which of the units, each by its wording, is meant.

    Of units that meet the description, the one that does so best and whose words the new statement shares most is meant;
    when none does, the one the statement says again but for a value.
    """
    return resolve_correction(understand(about, now), statement, units)


def resolve_correction(wish: Wish, statement: str, units: Sequence[str]) -> Resolved:
    """Return which unit is meant by a description that was understood, as `unit_meant`."""
    readings = [read(unit) for unit in units]
    names = Names()
    for reading in readings:
        names.learn(reading)
    wish = replace(wish, targets=without(wish.targets, _unheard(wish, names, readings)))
    matching, said = Matching(wish, names), _words(read(statement))
    meets = [_meets(matching, wish, reading) for reading in readings]
    shared = [_shared(said, _words(reading)) for reading in readings]
    scores = {place: met + shared[place] for place, met in enumerate(meets) if met > _ENOUGH}
    by = 0.0
    if not scores:
        scores = {place: share for place, share in enumerate(shared) if share >= _SAID_AGAIN}
        by = _CLEARLY
    best = nlargest(_CANDIDATES, scores, key=lambda place: (scores[place], -place))
    if not best:
        near = {place: met + shared[place] for place, met in enumerate(meets) if met + shared[place] > 0}
        nearest = nlargest(_CANDIDATES, near, key=lambda place: (near[place], -place))
        return Resolved(why="nothing_meant", candidates=tuple(nearest))
    if len(best) > 1 and scores[best[0]] - scores[best[1]] <= by:
        return Resolved(why="several_meant", candidates=tuple(best))
    return Resolved(meant=best[0])


def _unheard(wish: Wish, names: Names, readings: Sequence[Reading]) -> list[Term]:
    """Return the vague words of a description that no unit answers."""
    unheard = [term for term in wish.terms if term.said in VAGUE]
    matching = Matching(wish, names)
    for reading in readings if unheard else ():
        matching.look_at(reading)
        unheard = [term for term in unheard if not any(matching.names(term, clause) for clause in reading.clauses)]
    return unheard


def _meets(matching: Matching, wish: Wish, reading: Reading) -> float:
    """Return how much of a description a unit meets, 0…1."""
    matching.look_at(reading)
    return max((_share(matching, target, reading.clauses) for target in wish.targets), default=0.0)


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


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how many of its words a unit shares with a statement, in both directions (Jaccard)."""
    return len(one & other) / len(one | other) if one | other else 0.0


def _words(reading: Reading) -> frozenset[str]:
    return frozenset(word for clause in reading.clauses for word in clause.stems)
