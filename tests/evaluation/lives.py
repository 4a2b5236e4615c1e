"""What lives are judged by: what was inferred of a person day by day, and how much of it is right.

The scoring is described in `data/people/README.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from shared.traits.rules.confidence import Stage

AFTERWARDS: Final = timedelta(days=30)
ORDER: Final[list[Stage]] = ["dissolved", "trend", "candidate", "emerging", "established", "core"]
LASTS: Final = 28
"""Days after a change within which it must be seen."""
ENOUGH: Final = 2
"""Expected children that make a parent neither right nor wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A trait at the end of a day; `contexts` are tendencies by context, if they differ."""

    key: str
    subtype: str
    stage: Stage
    confidence: float
    context: str
    contexts: Mapping[str, str]
    occasions: int
    told: bool


@dataclass(slots=True)
class Life:
    """What was inferred about a person, by day, and whose evidence was counted."""

    person: Mapping[str, Any]
    days: dict[date, list[Seen]] = field(default_factory=dict)
    evidence: list[tuple[str, str]] = field(default_factory=list)
    """(behavior, message) of all evidence of traits that were ever present."""
    refused: int = 0


def last_day(person: Mapping[str, Any]) -> datetime:
    """Return until when a person is watched."""
    spoken = [datetime.fromisoformat(one["at"]) for one in person["sessions"]]
    return max([*spoken, *_named(person)]) + AFTERWARDS


def _named(person: Mapping[str, Any]) -> Iterator[datetime]:
    """Yield the dates that a person's expectations name."""
    for one in person["expect"]:
        yield _date(one["by"])
    for one in person["trends"]:
        yield _date(one["dissolved_by"])
    for one in person["changes"]:
        yield _date(one["at"]) + timedelta(days=LASTS)


def _date(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if "T" not in text else datetime.fromisoformat(text)


@dataclass(slots=True)
class Score:
    """Counts over people, as (right, all) where a share is wanted."""

    precision: list[int] = field(default_factory=lambda: [0, 0])
    recall: list[int] = field(default_factory=lambda: [0, 0])
    context: list[int] = field(default_factory=lambda: [0, 0])
    changed: list[int] = field(default_factory=lambda: [0, 0])
    split: list[int] = field(default_factory=lambda: [0, 0])
    dissolved: list[int] = field(default_factory=lambda: [0, 0])
    seen_trends: list[int] = field(default_factory=lambda: [0, 0])
    empty: list[int] = field(default_factory=lambda: [0, 0])
    never: int = 0
    single: int = 0
    people: int = 0
    wrong: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)

    def add(self, life: Life, parents: Callable[[str], Sequence[str]]) -> None:
        """Count one person."""
        person = life.person
        self.people += 1
        present = {day: {one.key: one for one in seen if one.told} for day, seen in life.days.items()}
        flat = {day: _flat(seen) for day, seen in present.items()}
        ever = {key for seen in flat.values() for key in seen}
        behaviors = [one for seen in present.values() for one in seen.values() if one.subtype == "behavior"]
        self.single += sum(one.occasions == 1 for one in behaviors)
        self.never += len(ever & set(person["never"]))
        if not person["expect"]:
            self.empty[0] += len(ever)
            self.empty[1] += 1
        end = max(life.days)
        self._right(person, flat[end], parents)
        self._reached(person, life)
        for one in person["changes"]:
            seen = flat[min((_date(one["at"]) + timedelta(days=LASTS)).date(), end)]
            before, after = seen.get(one["from"]), seen.get(one["to"])
            _count(self.changed, right=after is not None and (before is None or before < after))
        for one in person["splits"]:
            _count(self.split, right=_is_split(present[end], one))
        for one in person["trends"]:
            later = _stages(life, one["trait"], since=_date(one["dissolved_by"]).date())
            _count(self.dissolved, right=all(stage in ("dissolved", "candidate") for stage in later))
            early = _stages(life, one["trait"], until=_date(one["seen_by"]).date())
            _count(self.seen_trends, right=any(stage != "dissolved" for stage in early))

    def _right(self, person: Mapping[str, Any], there: Iterable[str], parents: Callable[[str], Sequence[str]]) -> None:
        """Count how many of the traits present at the end are right."""
        was = {one["from"] for one in person["changes"]}
        wanted = {one["trait"] for one in person["expect"]} | {one["to"] for one in person["changes"]}
        right = (wanted | {key for one in person["splits"] for key in one["traits"]}) - was
        neutral = set(person["also"]) - right
        for key in there:
            below = [one for one in right | neutral | was if key in parents(one)]
            if key in neutral or (key not in right and len(below) >= ENOUGH):
                continue
            _count(self.precision, right=key in right)
            if key not in right:
                self.wrong[key] += 1

    def _reached(self, person: Mapping[str, Any], life: Life) -> None:
        """Count how many of the expected traits were seen in time."""
        for one in person["expect"]:
            by = _date(one["by"]).date()
            reached = [
                seen
                for day, all_seen in life.days.items()
                if day <= by
                for seen in all_seen
                if _means(seen, one["trait"]) and ORDER.index(seen.stage) >= ORDER.index(one["min_stage"])
            ]
            _count(self.recall, right=bool(reached))
            if not reached:
                self.missed[one["trait"]] += 1
            elif one["context"]:
                _count(self.context, right=any(seen.context in (one["context"], "contextual") for seen in reached))

    def line(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "people": self.people,
            "precision": share(self.precision),
            "recall": share(self.recall),
            "context": share(self.context),
            "empty_per_person": round(self.empty[0] / self.empty[1], 3) if self.empty[1] else None,
            "changed_within_28d": share(self.changed),
            "split": share(self.split),
            "trend_seen": share(self.seen_trends),
            "trend_dissolved": share(self.dissolved),
            "never": self.never,
            "single_conversation": self.single,
        }


def _count(counts: list[int], *, right: bool) -> None:
    counts[0] += right
    counts[1] += 1


def _stages(life: Life, key: str, *, since: date = date.min, until: date = date.max) -> list[Stage]:
    """Return the stages of a trait on the days of a range."""
    days = [seen for day, seen in life.days.items() if since <= day <= until]
    return [one.stage for seen in days for one in seen if one.key == key]


def _flat(seen: Mapping[str, Seen]) -> dict[str, float]:
    """Return the confidence of each key, those of traits that differ by context on their own."""
    found: dict[str, float] = {}
    for one in seen.values():
        for key in one.contexts.values() or (one.key,):
            found[key] = one.confidence
    return found


def _means(seen: Seen, key: str) -> bool:
    return seen.key == key if not seen.contexts else key in seen.contexts.values()


def _is_split(seen: Mapping[str, Seen], wanted: Mapping[str, Any]) -> bool:
    places = dict(zip(wanted["traits"], wanted["contexts"], strict=True))
    for one in seen.values():
        if set(one.contexts.values()) == set(places):
            return all(one.contexts.get(place) == key for key, place in places.items())
    return all(key in seen and seen[key].context == place for key, place in places.items())


def share(counts: Sequence[int]) -> float | None:
    """Return a share, rounded; None of nothing."""
    return round(counts[0] / counts[1], 3) if counts[1] else None
