"""Answering without a language model: what is remembered, quoted, or the admission that nothing is (LT-07, MC-14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from uuid import UUID

from shared.domain.context.items import Kind
from shared.models.answering.citing import citation
from shared.models.answering.concern import CONCERNS, STRONGLY, Read, concern, endangers
from shared.models.answering.kinds import wanted
from shared.models.answering.words import Phrase, phrase
from shared.models.prompts import Language
from shared.models.relations.folding import fold

AT_MOST: Final = 3
"""Items one answer quotes, safety aside."""
SAFETY_AT_MOST: Final = 3
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


def answer(message: str, known: Sequence[Known], language: Language, *, may_use: bool) -> Answer:
    """Return an answer that says nothing but what is known.

    A question or request gets what concerns it, safety first, then the best `AT_MOST`; nothing that does not reach
    `CONCERNS` is mentioned. A statement is acknowledged, not said to be remembered; a memory is added to that only from
    `STRONGLY` on.

    Args:
        known: what an assistant was given, best first; ties go to the earlier one.
        may_use: whether its person lets an assistant use memories.
    """
    want = wanted(message)
    if want in {"greeting", "thanks"}:
        return Answer(sentences=(phrase(want, language),), cited=())
    if not may_use:
        return Answer(sentences=(phrase("heard" if want == "hearing" else "off", language),), cited=())
    read = Read(message)
    if want == "hearing":
        return _acknowledged(read, known, language)
    used = list(_what_concerns(read, known))
    if not used:
        return Answer(sentences=(phrase("nothing", language),), cited=())
    return Answer(
        sentences=tuple(_quoted(read, one, language) for one in used),
        cited=tuple(used),
    )


def _what_concerns(message: Read, known: Sequence[Known]) -> Iterator[Known]:
    heard = [one for one in known if not (one.kind == "message" and wanted(one.content) == "answer")]
    scored = sorted(((_concern(message, one), one) for one in heard), key=lambda pair: -pair[0])
    safety = [one for _, one in scored if one.safety and endangers(message, Read(one.content))][:SAFETY_AT_MOST]
    yield from safety
    others = [(score, one) for score, one in scored if one not in safety]
    enough = max(CONCERNS, others[0][0] - AS_GOOD) if others else CONCERNS
    told: dict[str, Known] = {}
    for score, one in others:
        if score >= enough:
            told.setdefault(_gist(one.content), one)  # what was said twice is told once
    yield from list(told.values())[:AT_MOST]


def _acknowledged(message: Read, known: Sequence[Known], language: Language) -> Answer:
    heard = phrase("heard", language)
    related = [
        (_concern(message, one), one)
        for one in known
        if one.kind == "memory" and _gist(one.content) != _gist(message.text)
    ]
    best = max(related, key=lambda pair: pair[0], default=None)
    if best is None or best[0] < STRONGLY:
        return Answer(sentences=(heard,), cited=())
    _, one = best
    return Answer(sentences=(heard, _sentence("related", one, one.content, language)), cited=(one,))


def _gist(text: str) -> str:
    return fold(text).strip(" .!")


def _concern(message: Read, one: Known) -> float:
    return max((concern(message, Read(line)) for line in _lines(one)), default=0.0)


def _lines(one: Known) -> list[str]:
    return [line for line in one.content.splitlines() if line.strip()] or [one.content]


def _quoted(message: Read, one: Known, language: Language) -> str:
    if one.kind == "memory":
        name: Phrase = "mind" if one.safety else "said" if one.said else "known"
        return _sentence(name, one, one.content, language)
    best = max(_lines(one), key=lambda line: concern(message, Read(line)))
    return _sentence(_SOURCES[one.kind], one, best, language)


def _sentence(name: Phrase, one: Known, text: str, language: Language) -> str:
    quote = " ".join(text.split())
    if len(quote) > LONGEST_QUOTE:
        quote = quote[: LONGEST_QUOTE - 1].rstrip() + "…"
    return phrase(name, language, text=quote, citation=citation(one.id))
