"""What people said over months is read as its authors labelled it, and scored as the product meets it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from shared.language.compare import Resolution, Statement
from tests.evaluation import authors
from tests.evaluation.by_author import over_months
from tests.evaluation.timelines import Timeline, timelines
from tests.support.mem0_stores import WordEmbedder

LIFE = """\
=== en | somebody
1 2026-01-04 | I live in Riga
2 2026-01-05 | my sister lives in Oslo
3 2026-02-01 same 1 | still at home in Riga
4 2026-03-01 unclear 3 | they may send me to Porto
5 2026-05-01 replaces 1 4 | signed the lease in Porto
6 2026-05-02 narrows 5 | the new flat is near the river
"""


@pytest.fixture
def life(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Timeline:
    (tmp_path / "somebody").mkdir()
    (tmp_path / "somebody" / "timelines.txt").write_text(LIFE, encoding="utf-8")
    monkeypatch.setattr(authors, "AUTHORS", tmp_path)
    [found] = timelines("somebody")
    return found


def test_what_a_line_does_to_another_it_does_to_those_that_say_the_same(life: Timeline) -> None:
    assert life.lines[3].relations == {2: "unclear", 0: "unclear"}
    assert life.lines[4].relations == {0: "replaces", 2: "replaces", 3: "replaces"}
    assert life.in_force(4) == [0, 1, 2, 3]
    assert life.in_force(5) == [1, 4]


class Alike(WordEmbedder):
    """All texts are equally near."""

    def query(self, text: str) -> list[float]:
        return super().query("")


def test_who_answers_as_the_author_did_loses_nothing(life: Timeline) -> None:
    outcomes = {"same": "same", "replaces": "replaces", "unclear": "disputes"}
    places = {line.text: place for place, line in enumerate(life.lines)}

    def resolve(new: Statement, remembered: Sequence[Statement], *, among: int) -> Resolution:
        relations = life.lines[places[new.text]].relations
        for relation, outcome in outcomes.items():
            of = tuple(n for n, one in enumerate(remembered) if relations.get(places[one.text]) == relation)
            if of:
                return Resolution(outcome, of)  # type: ignore[arg-type]
        return Resolution("new")

    found = over_months([life], resolve, Alike())
    assert {name: found[name] for name in ("lost", "replaced", "repeated", "asked", "bothered", "lines")} == {
        "lost": 0.0, "replaced": 1.0, "repeated": 1.0, "asked": 1.0, "bothered": 0.0, "lines": 5,
    }  # fmt: skip


def test_who_takes_everything_for_a_repetition_loses_what_is_new(life: Timeline) -> None:
    found = over_months([life], lambda new, remembered, among: Resolution("same", (0,)), Alike())
    assert found["lost"] == pytest.approx(3 / 5, abs=0.01)


@pytest.mark.parametrize("author", authors.authors("timelines.txt"))
def test_no_line_concerns_what_was_replaced_before(author: str) -> None:
    for timeline in timelines(author):
        for place, line in enumerate(timeline.lines):
            assert set(line.relations) <= set(timeline.in_force(place)), (author, timeline.lines[place].text)
            assert line.date >= timeline.lines[max(0, place - 1)].date
