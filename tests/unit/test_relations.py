"""What is made of how sure a reader is that one statement does something to others: nothing is lost by a doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from shared.language.relations import Resolution, Statement, resolve


class Sure:
    """A reader that is as sure as it is told to be, by the earlier statement."""

    def __init__(self, **replaces: float) -> None:
        self._replaces = replaces

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        found = []
        for one in earlier:
            replaces = self._replaces.get(one, 0.0)
            rest = {"same": 0.0, "narrows": 0.0, "unclear": 0.0, "unrelated": 1 - replaces}
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
    allergy = Statement("allergic to nuts", danger=True)
    assert outcome(Statement("nuts are fine"), [allergy], **{allergy.text: sure}).outcome == wanted


def test_a_safety_matter_gives_way_to_another_as_anything_does() -> None:
    allergy = Statement("allergic to nuts", danger=True)
    found = outcome(Statement("no longer allergic to nuts", danger=True), [allergy], **{allergy.text: 0.9})
    assert found == Resolution("replaces", (0,))
