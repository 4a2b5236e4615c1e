"""What is made of how sure a reader is that one statement does something to others: nothing is lost by a doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from uuid import UUID

import pytest

from shared.language.compare import Resolution, Statement, resolve
from shared.memories.confirm_learning import Fact
from shared.memories.sql.comparable import Comparable
from workers.learner.comparing import Comparer, Nearest

AT = datetime(2026, 3, 1, tzinfo=UTC)


class Sure:
    """A reader that is as sure as it is told to be, by the earlier statement."""

    def __init__(self, *, same: float = 0.0, **replaces: float) -> None:
        self._same, self._replaces = same, replaces

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        found = []
        for one in earlier:
            replaces = self._replaces.get(one, 0.0)
            rest = {"same": self._same, "narrows": 0.0, "unclear": 0.0, "unrelated": 1 - replaces - self._same}
            found.append({"replaces": replaces, **rest})
        return found


def outcome(new: Statement, remembered: Sequence[Statement], **replaces: float) -> Resolution:
    return resolve(new, remembered, Sure(**replaces))  # type: ignore[arg-type]  # asked for nothing else


def test_a_correction_replaces_only_the_statement_it_clearly_corrects() -> None:
    remembered = [Statement("salary"), Statement("rent"), Statement("pets")]
    found = outcome(Statement("it is 2000 now"), remembered, salary=0.93, rent=0.86, pets=0.2)
    assert found == Resolution("replaces", (0,))


@pytest.mark.parametrize("safety", [False, True], ids=["by an ordinary statement", "by a safety matter"])
@pytest.mark.parametrize(("sure", "wanted"), [(0.96, "replaces"), (0.9, "disputes"), (0.5, "new")])
def test_a_safety_matter_gives_way_only_without_a_doubt(sure: float, wanted: str, safety: bool) -> None:
    allergy, new = Statement("allergic to nuts", safety=True), Statement("nuts are fine", safety=safety)
    assert outcome(new, [allergy], **{allergy.text: sure}).outcome == wanted


@pytest.mark.parametrize(("safety", "sure", "wanted"), [(True, 0.8, "new"), (True, 0.92, "same"), (False, 0.8, "same")])
def test_a_safety_matter_is_taken_for_something_else_only_without_a_doubt(
    safety: bool, sure: float, wanted: str
) -> None:
    found = resolve(Statement("nuts", safety=safety), [Statement("peanuts")], Sure(same=sure))  # type: ignore[arg-type]
    assert found.outcome == wanted


@pytest.mark.parametrize(("sure", "wanted"), [(0.85, "new"), (0.92, "disputes"), (0.96, "replaces")])
def test_among_many_statements_a_correction_must_be_clearer(sure: float, wanted: str) -> None:
    beside = [Statement(f"thing {number}") for number in range(11)]
    assert outcome(Statement("it is in June"), [Statement("party")], party=sure).outcome == "replaces"
    assert outcome(Statement("it is in June"), [*beside, Statement("party")], party=sure).outcome == wanted


def test_of_many_one_that_shares_words_is_replaced_as_if_it_were_alone() -> None:
    home, colour = Statement("I live in Riga now."), Statement("Riga has a red bridge.")
    beside = [Statement(f"thing {number}") for number in range(11)]
    new = Statement("I live in Oslo now.")
    assert outcome(new, [*beside, home], **{home.text: 0.85}) == Resolution("replaces", (11,))
    assert outcome(new, [*beside, colour], **{colour.text: 0.85}).outcome == "new"
    allergy = Statement("I live with a nut allergy now.", safety=True)
    assert outcome(new, [*beside, allergy], **{allergy.text: 0.9}).outcome == "disputes"


@pytest.mark.parametrize(("sure", "wanted"), [(0.75, "new"), (0.85, "same")])
def test_among_many_statements_a_repetition_must_be_clearer(sure: float, wanted: str) -> None:
    party, beside = Statement("party"), [Statement(f"thing {number}") for number in range(11)]
    assert resolve(Statement("a party"), [party], Sure(same=sure)).outcome == "same"  # type: ignore[arg-type]
    assert resolve(Statement("a party"), [*beside, party], Sure(same=sure)).outcome == wanted  # type: ignore[arg-type]


def test_a_comparison_knows_which_memories_are_safety_matters() -> None:
    allergy = Comparable(id=UUID(int=1), text="allergic to nuts", content_type="constraint", said_at=AT, taboo=True)
    seen, _ = compared([allergy], recent=())
    assert [(one.text, one.safety) for one in seen] == [("I like tea", False), ("allergic to nuts", True)]


def test_beside_the_nearest_only_memories_without_a_vector_are_compared() -> None:
    near, far, without = (
        Comparable(id=UUID(int=number), text=text, content_type="fact", said_at=AT, searchable=text != "no vector")
        for number, text in enumerate(("near", "far", "no vector"))
    )
    seen, known = compared([near], recent=(far, without))
    assert [one.text for one in seen] == ["I like tea", "near", "no vector"]
    assert known == {near.id, far.id, without.id}, "they are not compared again before the fact is kept"


def compared(nearest: Sequence[Comparable], *, recent: Sequence[Comparable]) -> tuple[list[Statement], frozenset[UUID]]:
    """Compare a fact; return the statements given to the reader, the fact first, and the ids of `Comparer.compared`."""
    seen: list[Statement] = []

    def resolved(new: Statement, remembered: Sequence[Statement], *, among: int) -> Resolution:
        assert among <= len(nearest)
        seen.extend([new, *remembered])
        return Resolution("new")

    plan = SimpleNamespace(recent=recent, turn=SimpleNamespace(messages=[SimpleNamespace(spoken_at=AT)]))
    fact = Fact(
        text="I like tea", content_type="preference", importance=5, taboo=False, origin="extracted", method="reader"
    )
    comparer = Comparer(plan=plan, search=lambda _: Nearest(tuple(nearest), len(nearest)), resolve=resolved)  # type: ignore[arg-type]
    comparer.comparison(fact, None, said_before=())  # type: ignore[arg-type]  # the quote is only kept
    return seen, comparer.compared
