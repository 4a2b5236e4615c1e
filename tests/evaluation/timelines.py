"""What people said over months, by independent authors: what each line does to those before it that still hold.

`data/authors/README.md` says how `timelines.txt` is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tests.evaluation import authors
from tests.evaluation.authors import labelled, lines_of

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Something said, and its relation to lines before it, by their places; it leaves all others as they are.

    What it does to a line it does to those that say the same.
    """

    date: str
    text: str
    relations: dict[int, str]


@dataclass(slots=True, kw_only=True)
class Timeline:
    """What one person said about themselves over months, oldest first."""

    author: str
    language: str
    lines: list[Line] = field(default_factory=list)

    def in_force(self, place: int) -> list[int]:
        """Return the places of the lines before `place` that none of them replaced."""
        before = self.lines[:place]
        gone = {old for line in before for old, relation in line.relations.items() if relation == "replaces"}
        return [old for old in range(place) if old not in gone]

    def nearest(self, place: int, vectors: Vectors, looking: Sequence[float]) -> list[int]:
        """Return the places of the lines in force before `place`, nearest in meaning first.

        Args:
            vectors: of the lines, as they are stored; number × width.
            looking: the vector of this line that looks for them; width.
        """
        before = self.in_force(place)
        return [before[one] for one in np.argsort(-(vectors[before] @ np.array(looking, np.float32)))]


def timelines(author: str) -> list[Timeline]:
    """Return what an author let people say over months."""
    found: list[Timeline] = []
    for line in lines_of(authors.AUTHORS / author / "timelines.txt"):
        if line.startswith("==="):
            found.append(Timeline(author=author, language=line.removeprefix("=== ").partition(" | ")[0]))
            continue
        (_, date, *labels), text = labelled(line)
        lines = found[-1].lines
        relations: dict[int, str] = {}
        relation = ""
        for label in labels:
            if not label.isdigit():
                relation = label
                continue
            named = {int(label) - 1}
            named |= {old for one in named for old, kind in lines[one].relations.items() if kind == "same"}
            named |= {old for old, one in enumerate(lines) if any(one.relations.get(n) == "same" for n in named)}
            relations |= dict.fromkeys(named - relations.keys(), relation)
        lines.append(Line(date=date, text=text, relations=relations))
    return found
