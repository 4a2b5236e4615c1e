"""Decide which texts, and which parts of them, a description means (X-06).

The reader judges each clause by its meaning; named words and identifiers also count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeAlias

from shared.kernel.spans import Span
from shared.language import terms
from shared.language.clauses import HAN, OF_ONESELF, POINTS_BACK, Clause, clauses, to_cut
from shared.language.descriptions import Description, Said, folded, identifiers
from shared.language.port import Meant as Reading
from shared.language.port import Readings

Reason: TypeAlias = Literal["identifier", "words", "meaning", "label", "answer"]

LIKELY_FROM: Final = 0.25
"""Least probability for a statement to be suggested. A suggestion is not selected: one too many costs a look."""
SURE_FROM: Final = 0.85
"""Least probability for a statement to be selected without review."""
NAMED_FROM: Final = 0.15
"""The same for texts that contain every word of the description, in any language: what is suggested is selected."""
TOGETHER: Final = 20
"""Texts per request to the reader; others wait meanwhile."""
PIECES_MAX: Final = 6
"""Most clauses of a text that are all read; in longer texts only those with words of the description are."""
PIECES_READ: Final = 40
"""If more clauses than this contain such words, none is read: the whole text is suggested for review."""
_ECHO: Final = 4
"""Shortest word (in letters; Chinese: two) whose repetition shows that an answer refers to the person's message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """The meant part of one text: the `spans`, in order, or all of it; whether that is sure, and the reason."""

    reason: Reason
    sure: bool
    spans: tuple[Span, ...] = ()


@dataclass(slots=True)
class _Judged:
    """The meant clauses of one text, and the probability."""

    gone: list[Clause]
    likely: float
    was_read: bool = True


def meant_of(
    description: Description, said: Sequence[Said], readings: Readings, *, between: Callable[[], None] = lambda: None
) -> list[Meant | None]:
    """Return for each text the part a description means, or None.

    If a text contains a named identifier, only such texts are meant. If some contain every word of the description,
    others need the higher probability `SURE_FROM` and are still not selected without review.

    Args:
        between: called between questions to the reader.

    Raises:
        EmbedderUnavailable, Unembeddable: as `Readings`.
    """
    judged = _judged(description, [one.text for one in said], readings, between)
    held = [bool(description.identifiers & set(identifiers(folded(one.text)))) for one in said]
    shares = [description.share(one.text) for one in said]
    named = any(share >= 1.0 for share in shares)
    return [
        None
        if not description.could_mean(one) or (any(held) and not mine)
        else _decided(description, one, read, share, mine=mine, named=named)
        for one, read, share, mine in zip(said, judged, shares, held, strict=True)
    ]


def _decided(
    description: Description, said: Said, read: _Judged, share: float, *, mine: bool, named: bool
) -> Meant | None:
    """Return the meant part of a text that is in the time range.

    Args:
        share: the share of the description's words the text contains.
        mine: whether the text contains one of its identifiers.
        named: whether any text contains all its words.
    """
    if not description.words:  # the description names only a time
        return Meant(reason="words", sure=True)
    if said.label and description.share(said.label) >= 1.0:
        return Meant(reason="label", sure=True)
    if not read.was_read:
        return Meant(reason="words", sure=False)
    whole = share >= 1.0
    likely_from = 0.0 if mine else NAMED_FROM if whole else SURE_FROM if named else LIKELY_FROM
    if read.likely < likely_from:
        return None
    sure_from = NAMED_FROM if mine or whole else SURE_FROM
    return Meant(
        reason="identifier" if mine else "words" if share else "meaning",
        sure=read.likely >= sure_from and (whole or not named),
        spans=to_cut(said.text, read.gone or _naming(description, said.text)),
    )


def _naming(description: Description, text: str) -> list[Clause]:
    """Return the clauses of a text that contain search words."""
    return [one for one in clauses(text) if description.share(text[one.start : one.end])]


def by_words(description: Description, said: Sequence[Said]) -> list[Meant | None]:
    """Return what may be meant when the reader is unavailable: texts that contain every word of the description."""
    found: list[Meant | None] = []
    for one in said:
        timely = description.could_mean(one)
        share = max(description.share(one.text), description.share(one.label))
        found.append(Meant(reason="words", sure=False) if timely and share >= 1.0 else None)
    return found


def _judged(
    description: Description, texts: Sequence[str], readings: Readings, between: Callable[[], None]
) -> list[_Judged]:
    """Return the reader's judgement of each text; of several clauses, each is read alone and with its sentence."""
    parts = [(number, part) for number, text in enumerate(texts) for part in _parts(description, text)]
    by_text: dict[int, dict[Span | None, Reading]] = {}
    for start in range(0, len(parts), TOGETHER):
        between()
        some = parts[start : start + TOGETHER]
        asked = [texts[number] if part is None else texts[number][slice(*part)] for number, part in some]
        for (number, part), reading in zip(some, readings.meant(description.about, asked), strict=True):
            by_text.setdefault(number, {})[part] = reading
    return [
        _of_text(text, by_text[number]) if number in by_text else _Judged([], NAMED_FROM, was_read=False)
        for number, text in enumerate(texts)
    ]


def _parts(description: Description, text: str) -> list[Span | None]:
    """Return the parts of a text to read: None for all of it, or clauses and sentences.

    In a long text these are the ones with search words; nothing is returned if too many clauses contain such words.
    """
    pieces = clauses(text)
    if len(pieces) <= 1:
        return [None]
    if len(pieces) > PIECES_MAX:
        near = [one for one in pieces if description.share(text[one.start : one.end])]
        if len(near) > PIECES_READ:
            return []
        wanted = {one.sentence for one in near or pieces[:PIECES_MAX]}
        pieces = [one for one in pieces if one.sentence in wanted]
    return [*((one.start, one.end) for one in pieces), *_sentences(pieces)]


def _sentences(pieces: Sequence[Clause]) -> Iterator[Span]:
    """Yield the spans of sentences with several clauses."""
    for _, some in groupby(pieces, key=lambda one: one.sentence):
        first, *others = some
        if others:
            yield first.start, others[-1].end


def _of_text(text: str, read: Mapping[Span | None, Reading]) -> _Judged:
    if None in read:
        return _Judged(clauses(text), read[None].whole + read[None].part)
    gone: list[Clause] = []
    likely = 0.0
    before: Clause | None = None
    for one in clauses(text):
        reading = read.get((one.start, one.end))
        here = reading.whole + reading.part if reading else 0.0
        sentence = None if one.has_subject else _sentence_of(one, read)
        if sentence is not None and sentence.whole >= SURE_FROM:
            here = max(here, sentence.whole)
        likely = max(likely, here)
        is_meant = here >= LIKELY_FROM or (before is not None and _goes_on(text, before, one, sentence))
        gone += [one] if is_meant else []
        before = one if is_meant else None
    return _Judged(gone, likely)


def _sentence_of(one: Clause, read: Mapping[Span | None, Reading]) -> Reading | None:
    """Return the reading of the sentence a clause belongs to, None if the clause is the whole sentence."""
    return next(
        (
            reading
            for span, reading in read.items()
            if span and span[0] <= one.start and one.end <= span[1] and span != (one.start, one.end)
        ),
        None,
    )


def _goes_on(text: str, before: Clause, one: Clause, sentence: Reading | None) -> bool:
    """Return whether a clause continues the meant clause before it, by a pronoun or a missing subject.

    This is not so after a clause about the speaker.
    """
    if OF_ONESELF.match(text, before.start):
        return False
    leans = sentence is not None and before.sentence == one.sentence and sentence.whole >= sentence.part
    return leans or POINTS_BACK.match(text, one.start) is not None


def follows(before: str, gone: Meant, text: str) -> Meant | None:
    """Return the part of a text that continues the removed end of the text before it, if it begins with a pronoun."""
    last = clauses(before)[-1:]
    if not last or OF_ONESELF.match(before, last[0].start):
        return None
    if gone.spans and gone.spans[-1][1] < last[0].end:
        return None
    pieces = clauses(text)
    leading = [one for one in pieces if one.sentence == pieces[0].sentence]
    if not leading or not POINTS_BACK.match(text, leading[0].start):
        return None
    return Meant(reason=gone.reason, sure=gone.sure, spans=to_cut(text, leading))


def echoed(text: str, gone: Iterable[str], stays: Iterable[str]) -> Meant | None:
    """Return the sentences of an answer that repeat a word only the removed texts have; None if there are none.

    Args:
        gone, stays: texts of the turn that are removed, and that remain.
    """
    telling = {word for one in gone for word in terms.words(one) if _is_long(word)}
    telling -= {word for one in stays for word in terms.words(one)}
    repeated = [one for one in clauses(text) if not telling.isdisjoint(terms.words(text[one.start : one.end]))]
    if not repeated:
        return None
    return Meant(reason="answer", sure=True, spans=to_cut(text, repeated))


def _is_long(word: str) -> bool:
    return len(word) >= (2 if HAN.match(word) else _ECHO)
