"""Answering without a language model: what is remembered, quoted, or the admission that nothing is (LT-07, MC-14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from uuid import UUID

from shared.language import terms
from shared.language.embedding.bundled import EmbedderUnavailable, Unembeddable
from shared.language.port import Readings
from shared.language.script import Language
from shared.recall.answering.citing import citation
from shared.recall.answering.kinds import wanted
from shared.recall.answering.words import Phrase, phrase
from shared.recall.rules.items import Kind

AT_MOST: Final = 3
"""Items one answer quotes, safety aside."""
SAFETY_AT_MOST: Final = 3
NEEDED_FROM: Final = 0.5
STRONGLY: Final = 0.6
"""How likely a memory bears on a statement for it to be brought up unasked."""
ENDANGERS_FROM: Final = 0.05
"""How likely a safety matter bears on a message for it to be told: more than on one that has nothing to do with it."""
AS_GOOD: Final = 0.25
"""How far below the best one may be that is quoted beside it."""
LONGEST_QUOTE: Final = 400

_SOURCES: Final[Mapping[Kind, Phrase]] = MappingProxyType(
    {"memory": "known", "episode": "moment", "summary": "summary", "message": "recent"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One item an assistant was given, or a recent message of the person's.

    Args:
        safety: whether it is a safety matter or a taboo.
        said: whether a message shows it: then it can be said that the person said so.
    """

    id: UUID
    kind: Kind
    content: str
    safety: bool
    said: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is answered, sentence by sentence, and the items it quotes."""

    sentences: tuple[str, ...]
    cited: tuple[Known, ...]


def answer(message: str, known: Sequence[Known], language: Language, readings: Readings, *, may_use: bool) -> Answer:
    """Return an answer that says nothing but what is known.

    A question or request gets what it needs, safety first, then the best `AT_MOST`; nothing that does not reach
    `NEEDED_FROM` is mentioned. A statement is acknowledged, not said to be remembered; a memory is added to that only
    if it bears on that by `STRONGLY`.

    Args:
        known: what an assistant was given, best first; ties go to the earlier one.
        readings: tell what is needed; while nobody can, shared words do.
        may_use: whether its person lets an assistant use memories.
    """
    want = wanted(message)
    if want in {"greeting", "thanks"}:
        return Answer(sentences=(phrase(want, language),), cited=())
    if not may_use:
        return Answer(sentences=(phrase("heard" if want == "hearing" else "off", language),), cited=())
    if want == "hearing":
        return _acknowledged(message, known, language, readings)
    used = list(_what_is_needed(_judged(message, known, readings)))
    if not used:
        return Answer(sentences=(phrase("nothing", language),), cited=())
    return Answer(
        sentences=tuple(_quoted(one, line, language) for one, line in used),
        cited=tuple(one for one, _ in used),
    )


@dataclass(frozen=True, slots=True)
class _Judged:
    """One thing known, the line of it that is needed most, how much (0…1), and how much it bears on the message."""

    one: Known
    line: str
    needed: float
    bears: float


def _judged(message: str, known: Sequence[Known], readings: Readings) -> list[_Judged]:
    """Return how much of each thing the message needs; of a question that was just asked nothing is."""
    heard = [one for one in known if not (one.kind == "message" and wanted(one.content) == "answer")]
    lines = [(one, line) for one in heard for line in _lines(one)]
    likely = _likely(message, [line for _, line in lines], readings)
    found: dict[UUID, _Judged] = {}
    for (one, line), (needed, bears) in zip(lines, likely, strict=True):
        before = found.get(one.id)
        if before is None or needed > before.needed:
            found[one.id] = _Judged(one, line, needed, max(bears, before.bears if before else 0.0))
    return list(found.values())


def _likely(message: str, lines: Sequence[str], readings: Readings) -> list[tuple[float, float]]:
    try:
        return [(one.needed, one.needed + one.helps) for one in readings.needed(message, lines)]
    except (EmbedderUnavailable, Unembeddable):
        asked = frozenset(terms.words(message))
        shares = [len(asked & frozenset(terms.words(line))) / len(asked) if asked else 0.0 for line in lines]
        return [(share, share) for share in shares]


def _what_is_needed(judged: Sequence[_Judged]) -> Iterator[tuple[Known, str]]:
    by_need = sorted(judged, key=lambda one: -one.needed)
    safety = [one for one in by_need if one.one.safety and one.bears >= ENDANGERS_FROM][:SAFETY_AT_MOST]
    others = [one for one in by_need if one not in safety]
    enough = max(NEEDED_FROM, others[0].needed - AS_GOOD) if others else NEEDED_FROM
    told: dict[str, _Judged] = {}
    for one in others:
        if one.needed >= enough:
            told.setdefault(_gist(one.one.content), one)  # what was said twice is told once
    for one in [*safety, *list(told.values())[:AT_MOST]]:
        yield one.one, one.line


def _acknowledged(message: str, known: Sequence[Known], language: Language, readings: Readings) -> Answer:
    heard = phrase("heard", language)
    memories = [one for one in known if one.kind == "memory" and _gist(one.content) != _gist(message)]
    best = max(_judged(message, memories, readings), key=lambda one: one.bears, default=None)
    if best is None or best.bears < STRONGLY:
        return Answer(sentences=(heard,), cited=())
    return Answer(sentences=(heard, _sentence("related", best.one, best.one.content, language)), cited=(best.one,))


def _gist(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _lines(one: Known) -> list[str]:
    return [line for line in one.content.splitlines() if line.strip()] or [one.content]


def _quoted(one: Known, line: str, language: Language) -> str:
    if one.kind == "memory":
        name: Phrase = "mind" if one.safety else "said" if one.said else "known"
        return _sentence(name, one, one.content, language)
    return _sentence(_SOURCES[one.kind], one, line, language)


def _sentence(name: Phrase, one: Known, text: str, language: Language) -> str:
    quote = " ".join(text.split())
    if len(quote) > LONGEST_QUOTE:
        quote = quote[: LONGEST_QUOTE - 1].rstrip() + "…"
    return phrase(name, language, text=quote, citation=citation(one.id))
