"""Lives played by the rules alone come out as those played on PostgreSQL do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from shared.kernel.database import Database
from shared.language.port import Habit, Readings
from tests.evaluation import traits, traits_by_rules
from tests.evaluation.lives import Life, Score

HABITS: Mapping[str, Habit] = {
    "Which of the two is cheaper?": Habit("compares-prices", 0.9, "told", "personal"),
    "I always ask three shops first.": Habit("compares-prices", 0.95, "stated", "personal"),
    "Is there a cheaper one at the hardware store?": Habit("compares-prices", 0.8, "told", "personal"),
    "Saw it, bought it.": Habit("buys-on-a-whim", 0.9, "told", "work"),
    "I check every invoice twice.": Habit("double-checks-work", 0.9, "stated", "work"),
}
SAID = (
    ("2026-01-05", None, ["Which of the two is cheaper?", "What is the capital of Peru?"]),
    ("2026-01-14", "Atlas", ["I check every invoice twice.", "Saw it, bought it."]),
    ("2026-01-20", None, ["I always ask three shops first."]),
    ("2026-02-02", None, ["Is there a cheaper one at the hardware store?", "Thank you for that."]),
)
PERSON: Mapping[str, Any] = {
    "id": "ada",
    "time_zone": None,
    "sessions": [
        {
            "at": f"{day}T09:00:00+00:00",
            "project": project,
            "turns": [{"user": text, "assistant": "OK."} for text in texts],
        }
        for day, project, texts in SAID
    ],
    "expect": [{"trait": "compares-prices", "context": None, "by": "2026-02-04", "min_stage": "emerging"}],
    "trends": [],
    "changes": [],
    "splits": [],
    "never": [],
    "also": [],
}


class Told:
    """Reads of each message exactly what the table says."""

    def habits(self, text: str) -> list[Habit]:
        return [HABITS[text]] if text in HABITS else []


def states(life: Life) -> dict[str, list[tuple[Any, ...]]]:
    return {
        str(day): sorted((one.key, one.stage, one.context, one.told) for one in seen) for day, seen in life.days.items()
    }


def test_lives_by_the_rules_alone_are_those_lived_on_postgresql(database: Database) -> None:
    readings = cast("Readings", Told())
    lived, played = traits.play(database, readings, PERSON), traits_by_rules.play(readings, PERSON)
    assert states(played) == states(lived)
    assert set(played.evidence) == set(lived.evidence)
    assert any(stage == "emerging" for day in states(lived).values() for _, stage, *_ in day)
    lines = []
    for life in (lived, played):
        score = Score()
        score.add(life, lambda _: ())
        lines.append(score.line())
    assert lines[0] == lines[1]
    assert lines[0]["recall"] == 1.0
