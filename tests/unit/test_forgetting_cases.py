"""The labelled set of forgetting by description is sound, and a case cannot be right by accident (X-06)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.evaluation.forgetting import KINDS, Half, View, fold, judge
from tests.evaluation.scoring import Case, cases
from tests.support.tables import each

HALVES: tuple[Half, ...] = ("open", "held_out")
EVERY = [case for half in HALVES for case in cases("forgetting", half)]


def _texts(case: Case) -> list[str]:
    return [fold(one["content"]) for one in (*case["messages"], *case["memories"])]


@each("half", HALVES)
def test_a_half_has_every_kind_and_both_languages_in_equal_parts(half: Half) -> None:
    labelled = cases("forgetting", half)
    kinds = Counter(case["kind"] for case in labelled)
    languages = Counter(case["lang"] for case in labelled)
    assert len(labelled) >= 75
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 7
    assert languages["en"] == languages["zh"] > languages["mixed"] > 0


def test_no_id_and_no_text_is_in_both_halves() -> None:
    opened, held_out = (cases("forgetting", half) for half in HALVES)
    assert {case["id"] for case in opened}.isdisjoint(case["id"] for case in held_out)
    said = [{text for case in half for text in _texts(case)} for half in (opened, held_out)]
    assert said[0].isdisjoint(said[1])


@each("case", EVERY)
def test_every_label_can_be_found_and_none_contradicts_another(case: Case) -> None:
    texts = _texts(case)
    assert case["forbidden"]
    assert case["kept"]
    for label in (*case["forbidden"], *case["kept"]):
        assert any(fold(label) in text for text in texts), label
    for forbidden in map(fold, case["forbidden"]):
        assert not any(forbidden in fold(kept) for kept in case["kept"]), forbidden
        assert case["kind"] != "correct" or forbidden not in fold(case["ask"]["statement"])
        shared = [text for text in texts if forbidden in text and any(fold(kept) in text for kept in case["kept"])]
        assert case["kind"] == "two_facts" or not shared, shared


def _view(**places: list[str]) -> View:
    empty: dict[str, list[str]] = {"memories": [], "in_force": [], "messages": [], "search": []}
    return View({**empty, **places})


FORGET: dict[str, Any] = {"kind": "substring", "forbidden": ["Ann lends"], "kept": ["annual"]}
SAID = _view(messages=["Ann lends me a ladder.", "The annual fair."])
CORRECT: dict[str, Any] = {
    "kind": "correct",
    "ask": {"about": "gym", "statement": "Gym on Tuesday."},
    "forbidden": ["Monday"],
    "kept": ["Choir"],
}
HELD = _view(in_force=["Gym on Monday.", "Choir on Friday."])


@each(
    ("case", "before", "after", "wrong"),
    [
        (FORGET, SAID, _view(messages=["The annual fair."]), []),
        (FORGET, SAID, SAID, ["still in messages: Ann lends"]),
        (FORGET, SAID, _view(memories=["ANNUAL fair"], search=["ａｎｎ  lends"]), ["still in search: Ann lends"]),
        (FORGET, SAID, _view(search=["annual"]), ["lost: annual"]),
        (FORGET, _view(), _view(memories=["annual"]), ["was never there: Ann lends", "was never there: annual"]),
        (CORRECT, HELD, _view(in_force=["Gym on Tuesday", "Choir on Friday."]), []),
        (CORRECT, HELD, HELD, ["still in force: Monday", "not in force: Gym on Tuesday"]),
        (CORRECT, HELD, _view(in_force=["Gym on Tuesday."], messages=["Choir on Friday."]), ["lost: Choir"]),
        (CORRECT, _view(), _view(in_force=["Gym on Tuesday."]), ["was never in force: Monday", "lost: Choir"]),
    ],
)
def test_a_case_is_right_only_when_everything_is_as_labelled(
    case: Case, before: View, after: View, wrong: list[str]
) -> None:
    assert judge(case, before, after) == wrong
