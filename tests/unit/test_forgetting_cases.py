"""A case of forgetting by description cannot be right by accident (X-06)."""

from __future__ import annotations

from typing import Any

from tests.evaluation.forgetting import View, judge
from tests.evaluation.scoring import Case
from tests.support.tables import each


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
