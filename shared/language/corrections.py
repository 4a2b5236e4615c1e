"""Find the memory a correction applies to, and apply it (X-06, CN-03)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from shared.kernel.spans import Span, cut
from shared.language.clauses import HAN, clauses, to_cut
from shared.language.meaning import TOGETHER
from shared.language.port import Readings

CORRECTS_FROM: Final = 1.0
"""Least score, 0…2: how likely a correction is about a statement plus how likely it replaces it."""
CLEARLY: Final = 0.3
"""Least lead over the second-best statement."""
ALREADY: Final = 0.8
"""Weight of "says the same" relative to "says otherwise" in the score."""
CANDIDATE_FROM: Final = 0.4
"""Least score for a text to be suggested when a correction applies to none or several."""
CANDIDATES: Final = 5


@dataclass(frozen=True, slots=True)
class Corrected:
    """The index of the text a correction applies to, or the reason there is none, and candidates by score.

    `spans` are the parts of that text it applies to; empty means all of it.
    """

    meant: int | None
    why: Literal["nothing_meant", "several_meant"] | None
    candidates: tuple[int, ...]
    spans: tuple[Span, ...] = ()


def to_correct(
    about: str, statement: str, said: Sequence[str], readings: Readings, *, between: Callable[[], None] = lambda: None
) -> Corrected:
    """Return which of some texts a correction applies to: one with a clear lead over the others.

    Args:
        between: called between questions to the reader.

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
    """Return for each text a score, 0…2, that a correction is about it and replaces it."""
    meant = readings.meant(about, said)
    related = readings.relations(statement, said)
    return [
        one.whole + one.part + max(beside["replaces"] + beside["unclear"], beside["same"] * ALREADY)
        for one, beside in zip(meant, related, strict=True)
    ]


def corrected_part(about: str, statement: str, text: str, readings: Readings) -> tuple[Span, ...]:
    """Return the parts of a text a correction applies to; empty means all of it."""
    pieces = clauses(text)
    if len(pieces) <= 1:
        return ()
    likely = _corrected(about, statement, [text[one.start : one.end] for one in pieces], readings)
    gone = [one for one, here in zip(pieces, likely, strict=True) if here >= max(CORRECTS_FROM, max(likely) - CLEARLY)]
    return to_cut(text, gone) if gone else ()


def with_statement(text: str, spans: Sequence[Span], statement: str) -> str:
    """Return a text with some spans replaced by a statement; only the statement if there are no spans."""
    if not spans:
        return statement
    rest = cut(text, spans).strip(" ,，、;；")
    chinese = HAN.search(rest) is not None
    if not rest.endswith((*".!?", *"。！？")):
        rest += "。" if chinese else "."
    return f"{rest}{'' if chinese else ' '}{statement}"
