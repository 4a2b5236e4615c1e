"""Which of the things remembered a correction is about, and what stands there instead (X-06, CN-03)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from shared.kernel.spans import Span, cut
from shared.language.clauses import HAN, clauses, to_cut
from shared.language.meaning import TOGETHER
from shared.language.port import Readings

CORRECTS_FROM: Final = 1.0
"""How likely a correction is about a statement and takes its place, both together, 0…2."""
CLEARLY: Final = 0.3
"""By how much more than any other."""
ALREADY: Final = 0.8
"""How much that a text says what the statement says counts, of what it counts that it says otherwise."""
CANDIDATE_FROM: Final = 0.4
"""How likely both are for a text to be named to somebody whose correction is about none, or several."""
CANDIDATES: Final = 5


@dataclass(frozen=True, slots=True)
class Corrected:
    """The place of the text a correction is about, or why it is none, and the places that may be, likeliest first.

    `spans` are what it is about of that text; none where that is all of it.
    """

    meant: int | None
    why: Literal["nothing_meant", "several_meant"] | None
    candidates: tuple[int, ...]
    spans: tuple[Span, ...] = ()


def to_correct(
    about: str, statement: str, said: Sequence[str], readings: Readings, *, between: Callable[[], None] = lambda: None
) -> Corrected:
    """Return which of some texts a correction is about: the one that is far likelier than any other.

    Args:
        between: called between one question to the reader and the next.

    Raises:
        EmbedderUnavailable, Unembeddable: as `Readings`.
    """
    likely: list[float] = []
    for start in range(0, len(said), TOGETHER):
        between()
        likely += _corrected(about, statement, said[start : start + TOGETHER], readings)
    best = sorted(range(len(said)), key=lambda place: -likely[place])[:CANDIDATES]
    candidates = tuple(place for place in best if likely[place] >= CANDIDATE_FROM)
    if not best or likely[best[0]] < CORRECTS_FROM:
        return Corrected(None, "nothing_meant", candidates)
    if len(best) > 1 and likely[best[0]] - likely[best[1]] < CLEARLY:
        return Corrected(None, "several_meant", candidates)
    between()
    return Corrected(best[0], None, candidates, corrected_part(about, statement, said[best[0]], readings))


def _corrected(about: str, statement: str, said: Sequence[str], readings: Readings) -> list[float]:
    """Return for each text how likely a correction is about it and takes its place, 0…2."""
    meant = readings.meant(about, said)
    related = readings.relations(statement, said)
    return [
        one.whole + one.part + max(beside["replaces"] + beside["unclear"], beside["same"] * ALREADY)
        for one, beside in zip(meant, related, strict=True)
    ]


def corrected_part(about: str, statement: str, text: str, readings: Readings) -> tuple[Span, ...]:
    """Return which pieces of a text a correction is about; none for all of it."""
    pieces = clauses(text)
    if len(pieces) <= 1:
        return ()
    likely = _corrected(about, statement, [text[one.start : one.end] for one in pieces], readings)
    gone = [one for one, here in zip(pieces, likely, strict=True) if here >= max(CORRECTS_FROM, max(likely) - CLEARLY)]
    return to_cut(text, gone) if gone else ()


def with_statement(text: str, spans: Sequence[Span], statement: str) -> str:
    """Return a text with a statement in the place of some spans of it; the statement alone where there are none."""
    if not spans:
        return statement
    rest = cut(text, spans).strip(" ,，、;；")
    chinese = HAN.search(rest) is not None
    if not rest.endswith((*".!?", *"。！？")):
        rest += "。" if chinese else "."
    return f"{rest}{'' if chinese else ' '}{statement}"
