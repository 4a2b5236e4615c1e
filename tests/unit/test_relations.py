"""What is made of how sure a reader is that one statement does something to others: nothing is lost by a doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from uuid import UUID

import pytest

from shared.language.compare import Resolution, Statement, resolve
from shared.memories.confirm_learning import Fact
from shared.memories.sql.comparable import Unit
from workers.learner.comparing import Comparer


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


@pytest.mark.parametrize(("sure", "wanted"), [(0.96, "replaces"), (0.9, "disputes"), (0.5, "new")])
def test_a_safety_matter_gives_way_to_what_is_none_only_without_a_doubt(sure: float, wanted: str) -> None:
    allergy = Statement("allergic to nuts", safety=True)
    assert outcome(Statement("nuts are fine"), [allergy], **{allergy.text: sure}).outcome == wanted


def test_a_safety_matter_gives_way_to_another_as_anything_does() -> None:
    allergy = Statement("allergic to nuts", safety=True)
    found = outcome(Statement("no longer allergic to nuts", safety=True), [allergy], **{allergy.text: 0.9})
    assert found == Resolution("replaces", (0,))


@pytest.mark.parametrize(("safety", "sure", "wanted"), [(True, 0.8, "new"), (True, 0.92, "same"), (False, 0.8, "same")])
def test_a_safety_matter_is_taken_for_something_else_only_without_a_doubt(
    safety: bool, sure: float, wanted: str
) -> None:
    found = resolve(Statement("nuts", safety=safety), [Statement("peanuts")], Sure(same=sure))  # type: ignore[arg-type]
    assert found.outcome == wanted


def test_what_is_compared_says_whether_it_is_a_safety_matter() -> None:
    seen: list[Statement] = []

    def resolved(new: Statement, remembered: Sequence[Statement]) -> Resolution:
        seen.extend([new, *remembered])
        return Resolution("new")

    at = datetime(2026, 3, 1, tzinfo=UTC)
    message = SimpleNamespace(spoken_at=at)
    plan = SimpleNamespace(recent=(), turn=SimpleNamespace(messages=[message]))
    allergy = Unit(id=UUID(int=1), text="allergic to nuts", content_type="constraint", said_at=at, taboo=True)
    fact = Fact(
        text="I like tea", content_type="preference", importance=5, taboo=False, origin="extracted", method="reader"
    )
    comparer = Comparer(plan=plan, search=lambda _: [allergy], resolve=resolved)  # type: ignore[arg-type]
    comparer.comparison(fact, None, said_before=())  # type: ignore[arg-type]  # the quote is only kept
    assert [(one.text, one.safety) for one in seen] == [("I like tea", False), ("allergic to nuts", True)]
