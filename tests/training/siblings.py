"""Pairs about things of one kind, one easily taken for another: a peanut is no walnut, in either language."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

HALF: Final = 0.5
FILE: Final = Path(__file__).with_name("siblings.txt")


@dataclass(slots=True)
class Kind:
    """Things of a kind in English and Chinese, and how one speaks of them; of `one` a later replaces an earlier."""

    one: bool
    ways: dict[str, list[str]] = field(default_factory=dict)
    things: list[dict[str, str]] = field(default_factory=list)

    def say(self, thing: dict[str, str], chance: random.Random) -> str:
        """Return a way to say that somebody has to do with a thing."""
        language = chance.choice(("en", "zh"))
        said = chance.choice(self.ways[language]).format(thing[language])
        return said[:1].upper() + said[1:] if chance.random() < HALF else said


def kinds() -> list[Kind]:
    """Return what the file holds."""
    found: list[Kind] = []
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("==="):
            found.append(Kind(one=line.endswith("> one")))
        elif line[:3] in ("en:", "zh:"):
            found[-1].ways[line[:2]] = [way.strip() for way in line[3:].split("|")]
        elif line.strip() and not line.startswith("#"):
            for thing in line.split(","):
                english, _, chinese = thing.strip().rpartition(" ")
                found[-1].things.append({"en": english, "zh": chinese})
    return found


def pairs(each: int, chance: random.Random) -> Iterator[tuple[str, str, str]]:
    """Yield (earlier, later, relation) of each kind: half about two things, half about one said otherwise.

    Args:
        each: how many of a kind.
    """
    for kind in kinds():
        for number in range(each):
            first, second = chance.sample(kind.things, 2)
            if number % 2:
                yield kind.say(first, chance), kind.say(second, chance), "replaces" if kind.one else "unrelated"
            else:
                yield kind.say(first, chance), kind.say(first, chance), "same"
