"""Which of the things said a description means, as the reader sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.language.port import Readings

LIKELY_FROM: Final = 0.5
"""How likely a statement is meant, wholly or in part, for it to be proposed."""
SURE_FROM: Final = 0.85
"""How likely it is, for it to be taken as meant where nobody looks."""


@dataclass(frozen=True, slots=True)
class MeantHere:
    """What of one statement is meant: these characters, None for all of it; `sure` is 0…1."""

    sure: float
    span: tuple[int, int] | None = None

    @property
    def is_sure(self) -> bool:
        """Whether it is taken as meant where nobody looks."""
        return self.sure >= SURE_FROM


def meant_of(description: str, said: Sequence[str], readings: Readings) -> list[MeantHere | None]:
    """Return for each statement what of it is meant, None for nothing."""
    found: list[MeantHere | None] = []
    for one in readings.meant(description, said):
        likely = one.whole + one.part
        if likely < LIKELY_FROM:
            found.append(None)
        elif one.part > one.whole and one.end > one.start:
            found.append(MeantHere(likely, (one.start, one.end)))
        else:
            found.append(MeantHere(likely))
    return found


CORRECTS_FROM: Final = 1.0
"""How likely a correction is about a statement and takes its place, both together, 0…2."""
CLEARLY: Final = 0.3
"""By how much more than any other."""


def corrects(about: str, statement: str, said: Sequence[str], readings: Readings) -> int | None:
    """Return the place of the one statement that a correction is about, None where none or several may be."""
    likely = corrected(about, statement, said, readings)
    best = sorted(range(len(said)), key=lambda place: -likely[place])[:2]
    if not best or likely[best[0]] < CORRECTS_FROM:
        return None
    return None if len(best) > 1 and likely[best[0]] - likely[best[1]] < CLEARLY else best[0]


def corrected(about: str, statement: str, said: Sequence[str], readings: Readings) -> list[float]:
    """Return for each statement how likely a correction is about it and takes its place, 0…2."""
    meant = readings.meant(about, said)
    related = readings.relations(statement, said)
    return [one.whole + one.part + beside["replaces"] for one, beside in zip(meant, related, strict=True)]
