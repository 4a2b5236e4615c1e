"""Which question about a person a clause answers: where they live, what they eat, how they want to be answered …"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from shared.models.relations.concepts import Concept
from shared.models.relations.quantities import Quantity
from shared.models.relations.questions import body, habits, home, person, style, work
from shared.models.relations.questions.words import Words
from shared.models.relations.slots import Filled

Reader: TypeAlias = Callable[[Words], Filled | None]
"""Returns what a clause answers; None where that is no question it knows."""

_READERS: Final[tuple[Reader, ...]] = (
    habits.compared,
    person.dates_and_sums,
    person.names_given,
    body.body,
    style.answers,
    person.traits,
    work.when_and_where_one_works,
    body.measures_and_times,
    habits.tools_and_ways,
    work.work_and_studies,
    home.home,
    habits.habits,
    person.age,
    habits.things,
)
"""In order of precedence."""


def filled(text: str, found: Sequence[Concept], counted: Sequence[Quantity]) -> Filled:
    """Return what the folded `text` answers; `found` are its concepts, `counted` its quantities.

    The first reader that knows the question wins; "" is the slot of a clause none of them knows.
    """
    if any(concept.kind == "computer" for concept in found):
        found = [concept for concept in found if concept.name != "computer"]
    words = Words(text, found, counted)
    for reader in _READERS:
        answer = reader(words)
        if answer is not None:
            return answer
    return Filled("possession" if words.names & {"have", "buy"} else "", words.without())
