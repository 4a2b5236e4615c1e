"""People made from independent authors' sentences, for `make eval-traits`: half a year of chats each.

Everybody has habits of their own told over weeks, one that changes, one pair that differs between work and private
life, two that are only a fashion of a week, two told three times in a single conversation, and tells of other people's
habits, quotations, plans and sensitive matters; most of what they write shows nothing. Some people show nothing at all.
The form is that of `data/people/README.md`; the sentences of one person all come from one group of authors.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from shared.traits.catalogue import catalogue
from shared.traits.rules.signals import MEASURED
from tests.evaluation import authors
from tests.evaluation.authors import Shown

BEGAN: Final = datetime(2026, 1, 5, 9, tzinfo=UTC)
WEEKS: Final = 26
CONVERSATIONS: Final = (40, 70)
PIECES: Final = (6, 9)
"""Pieces of evidence of a lasting habit."""
SPLIT_PIECES: Final = 4
"""Fewest lines of each half of a split, in its own context."""
LASTING: Final = (3, 5)
NOT_MADE: Final = MEASURED | {"works-late-at-night", "starts-early"}
"""Behaviors that only hours or whole conversations show."""
ANSWER: Final = "OK."
ODDS: Final = (2, 4)
"""Idle turns of a conversation."""


@dataclass(slots=True)
class Texts:
    """What one group of authors wrote in one language, by what it shows; lines are used up in turn."""

    told: dict[str, list[Shown]] = field(default_factory=dict)
    none: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, who: Sequence[str], language: str) -> Texts:
        made = cls()
        for shown in (one for name in who for one in authors.habits(name)):
            if shown.language not in (language, "mixed"):
                continue
            if shown.form in ("told", "stated") and len(shown.keys) == 1:
                made.told.setdefault(shown.keys[0], []).append(shown)
            elif shown.form == "none" and shown.why not in (None, "feedback"):
                made.none.setdefault(str(shown.why), []).append(shown.text)
        return made


class Persona:
    """One person while they are made."""

    def __init__(self, name: str, language: str, texts: Texts, chance: random.Random) -> None:
        self._chance = chance
        self._texts = texts
        self._days = sorted(chance.sample(range(WEEKS * 7), chance.randint(*CONVERSATIONS)))
        self._turns: dict[int, list[str]] = {day: [] for day in self._days}
        self._project: dict[int, str | None] = dict.fromkeys(self._days)
        self._used: dict[str, list[Shown]] = {key: chance.sample(all_, len(all_)) for key, all_ in texts.told.items()}
        self.person: dict[str, Any] = {
            "id": name,
            "lang": language,
            "time_zone": None,
            "sessions": [],
            "expect": [],
            "trends": [],
            "changes": [],
            "splits": [],
            "never": [],
            "also": [],
            "sensitive_hints": 0,
        }
        self._taken: set[str] = set()

    def live(self) -> Mapping[str, Any]:
        """Return the person with all their habits."""
        for _ in range(self._chance.randint(*LASTING)):
            self._lasting()
        self._change()
        self._split()
        for _ in range(2):
            self._fashion()
            self._performance()
        return self.idle()

    def idle(self) -> Mapping[str, Any]:
        """Return the person as they are, with turns that show nothing."""
        for why, most in (("third_party", 6), ("quotation", 2), ("role_play", 1), ("hypothetical", 4), ("once", 2)):
            self._strew(self._texts.none.get(why, []), most)
        hints = self._strew(self._texts.none.get("sensitive", []), 3)
        self.person["sensitive_hints"] = hints
        idle = self._texts.none["noise"] + self._texts.none.get("task", [])
        for turns in self._turns.values():
            turns.extend(self._chance.sample(idle, self._chance.randint(*ODDS)))
            self._chance.shuffle(turns)
        self.person["sessions"] = [
            {
                "at": (BEGAN + timedelta(days=day)).isoformat(),
                "project": self._project[day],
                "turns": [{"user": text, "assistant": ANSWER} for text in self._turns[day]],
            }
            for day in self._days
        ]
        return self.person

    def _strew(self, texts: Sequence[str], most: int) -> int:
        some = self._chance.sample(list(texts), min(most, len(texts), len(self._days)))
        for text, day in zip(some, self._chance.sample(self._days, len(some)), strict=True):
            self._turns[day].append(text)
        return len(some)

    def _pick(self, *, opposite: bool = False, lines: int = PIECES[0]) -> str | None:
        """Return a behavior that the person does not have yet, with enough lines."""
        known = catalogue()
        fitting = [
            key
            for key, all_ in self._used.items()
            if key not in self._taken
            and key not in NOT_MADE
            and len(all_) >= lines
            and (not opposite or len(self._used.get(known[key].opposite or "", [])) >= lines)
        ]
        if not fitting:
            return None
        key = self._chance.choice(sorted(fitting))
        self._taken |= {key, *([known[key].opposite] if known[key].opposite else [])}  # type: ignore[arg-type]
        return key

    def _tell(self, key: str, days: Sequence[int], context: str | None = None) -> list[int]:
        """Let the person show a habit on these days, a line each while there are any; return the days."""
        lines = self._used[key]
        fitting = [one for one in lines if context is None or one.context == context]
        told = []
        for day in days:
            if not fitting:
                break
            line = fitting.pop()
            if line in lines:
                lines.remove(line)
            self._turns[day].append(line.text)
            told.append(day)
        return told

    def _spread(self, days: Sequence[int], count: int) -> list[int]:
        """Return so many of these days, spread evenly."""
        count = min(count, len(days))
        return [days[round(number * (len(days) - 1) / max(1, count - 1))] for number in range(count)]

    def _lasting(self) -> None:
        key = self._pick()
        if key is None:
            return
        told = self._tell(key, self._spread(self._days[: len(self._days) * 3 // 4], self._chance.randint(*PIECES)))
        self._expect(key, told[min(4, len(told) - 1)] + 1)
        self.person["also"] += list(catalogue()[key].parents)

    def _expect(self, key: str, day: int) -> None:
        by = (BEGAN + timedelta(days=day + 1)).date().isoformat()
        self.person["expect"].append({"trait": key, "context": None, "by": by, "min_stage": "emerging"})

    def _change(self) -> None:
        key = self._pick(opposite=True)
        if key is None:
            return
        to = str(catalogue()[key].opposite)
        middle = WEEKS * 7 // 2
        before = [day for day in self._days if day < middle - 7]
        after = [day for day in self._days if middle <= day <= middle + 26]
        self._tell(key, self._spread(before, PIECES[0]))
        self._tell(to, self._spread(after, PIECES[0]))
        at = (BEGAN + timedelta(days=middle)).date().isoformat()
        self.person["changes"].append({"from": key, "to": to, "at": at})
        self.person["also"] += [*catalogue()[key].parents, *catalogue()[to].parents]

    def _split(self) -> None:
        key = self._pick_split()
        if key is None:
            return
        other = str(catalogue()[key].opposite)
        days = self._spread(self._days, 2 * PIECES[0])
        for day in self._tell(key, days[::2], "work"):
            self._project[day] = "Atlas"
        self._tell(other, [day for day in days[1::2] if self._project[day] is None], "personal")
        self.person["splits"].append({"traits": [key, other], "contexts": ["work", "personal"]})
        self.person["also"] += [*catalogue()[key].parents, *catalogue()[other].parents]

    def _pick_split(self) -> str | None:
        """Return a behavior told often enough at work, whose opposite is told often enough in private."""
        known = catalogue()
        fitting = [
            key
            for key, lines in self._used.items()
            if key not in self._taken | NOT_MADE
            and sum(one.context == "work" for one in lines) >= SPLIT_PIECES
            and sum(one.context == "personal" for one in self._used.get(known[key].opposite or "", [])) >= SPLIT_PIECES
        ]
        if not fitting:
            return None
        key = self._chance.choice(sorted(fitting))
        self._taken |= {key, str(known[key].opposite)}
        return key

    def _fashion(self) -> None:
        key = self._pick(lines=2)
        early = [place for place, day in enumerate(self._days[:-1]) if self._days[place + 1] - day <= 7 and day < 120]
        if key is None or not early:
            return
        place = self._chance.choice(early)
        told = self._tell(key, self._days[place : place + 2])
        until = BEGAN + timedelta(days=told[-1])
        self.person["trends"].append(
            {
                "trait": key,
                "seen_by": (until + timedelta(days=10)).date().isoformat(),
                "dissolved_by": (until + timedelta(days=38)).date().isoformat(),
            }
        )

    def _performance(self) -> None:
        key = self._pick(lines=3)
        if key is not None:
            day = self._chance.choice(self._days)
            self._tell(key, [day, day, day])
            self.person["never"].append(key)


def people(who: Sequence[str], count: int, empty: int, *, seed: int) -> Iterator[Mapping[str, Any]]:
    """Yield people made of these authors' sentences, then some who show nothing; English, Chinese and mixed in turn."""
    chance = random.Random(seed)
    languages = ("en", "zh", "mixed")
    texts = {language: Texts.of(who, language) for language in ("en", "zh")}
    texts["mixed"] = Texts(
        told={key: [*texts["en"].told.get(key, []), *texts["zh"].told.get(key, [])] for key in texts["en"].told},
        none={why: [*texts["en"].none[why], *texts["zh"].none.get(why, [])] for why in texts["en"].none},
    )
    for number in range(count + empty):
        language = languages[number % len(languages)]
        persona = Persona(f"{seed}-{number}", language, texts[language], chance)
        yield persona.live() if number < count else persona.idle()
