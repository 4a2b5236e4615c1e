"""Answers without a language model: quotes memories, or says that nothing is known (LT-07, MC-14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final
from uuid import UUID

from shared.language import terms
from shared.language.embedding.bundled import EmbedderUnavailable, Unembeddable
from shared.language.embedding.socket import EmbedderFailed
from shared.language.port import Readings
from shared.language.script import Language
from shared.recall.answering.citing import Page, citation
from shared.recall.answering.kinds import wanted
from shared.recall.answering.words import Phrase, phrase
from shared.recall.rules.items import Kind

AT_MOST: Final = 3
"""Maximum number of items one answer quotes, besides safety."""
SAFETY_AT_MOST: Final = 3
NEEDED_FROM: Final = 0.55
"""Minimum probability that a question needs an item; chosen by the questions of the author saffron."""
STRONGLY: Final = 0.6
"""Minimum probability that a memory is related to a statement for the answer to mention it."""
ENDANGERS_FROM: Final = 0.1
"""Minimum probability that a safety item is related to a message; above that of unrelated items."""
AS_GOOD: Final = 0.25
"""Maximum distance in probability from the best item for another to be quoted too."""
LONGEST_QUOTE: Final = 400

_SOURCES: Final[Mapping[Kind, Phrase]] = MappingProxyType(
    {"memory": "known", "episode": "moment", "summary": "summary", "message": "recent"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """One item the assistant was given, or a recent message of the person.

    Args:
        safety: whether it is a safety item or a taboo.
        said: whether a message shows that the person said it; feedback shows only what they like, and what a tool
            answered is the tool's.
        page: of a part of a document.
    """

    id: UUID
    kind: Kind
    content: str
    safety: bool
    said: bool
    page: Page | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The sentences of an answer, and the items it quotes."""

    sentences: tuple[str, ...]
    cited: tuple[Known, ...]


def answer(message: str, known: Sequence[Known], language: Language, readings: Readings, *, may_use: bool) -> Answer:
    """Return an answer that states only known items.

    A question or request gets related safety items first, then the best `AT_MOST` items with a probability of at least
    `NEEDED_FROM`. A statement is acknowledged, without a claim to remember it; a memory is added only if it is related
    with a probability of at least `STRONGLY`.

    Args:
        known: the items given to the assistant, best first; on a tie the earlier one wins.
        readings: estimates which items are needed; if unavailable, shared words decide.
        may_use: whether the person allows the assistant to use memories.
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
    """A known item, its most needed line, how much that is needed (0…1), and how much the item relates to the
    message.
    """

    one: Known
    line: str
    needed: float
    bears: float


def _judged(message: str, known: Sequence[Known], readings: Readings) -> list[_Judged]:
    """Rate every known item for the message; questions among the recent messages are left out."""
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
    except (EmbedderUnavailable, EmbedderFailed, Unembeddable):
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
            told.setdefault(_gist(one.one.content), one)  # quote duplicates once
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
        name: Phrase = "mind" if one.safety else "page" if one.page else "said" if one.said else "known"
        return _sentence(name, one, one.content, language)
    return _sentence(_SOURCES[one.kind], one, line, language)


def _sentence(name: Phrase, one: Known, text: str, language: Language) -> str:
    quote = " ".join(text.split())
    if len(quote) > LONGEST_QUOTE:
        quote = quote[: LONGEST_QUOTE - 1].rstrip() + "…"
    return phrase(name, language, text=quote, citation=citation(one.id, one.page))
