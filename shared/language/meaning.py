"""Which of the things somebody said a description means, and which part of each (X-06).

The reader judges by meaning, each piece of a text by itself; words and identifiers that are named decide beside it.
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

LIKELY_FROM: Final = 0.5
"""How likely a statement is meant, wholly or in part, for it to be proposed."""
SURE_FROM: Final = 0.85
"""How likely it is, for it to be taken as meant where nobody looks."""
NAMED_LIKELY_FROM: Final = 0.15
NAMED_SURE_FROM: Final = 0.2
"""The same of what holds every word of the description, in whichever language."""
TOGETHER: Final = 20
"""Texts in one question to the reader: so long others wait for their turn."""
PIECES_MAX: Final = 6
"""Pieces of a text that are all read; of a longer one those that hold words of the description are."""
PIECES_READ: Final = 40
"""Of more such pieces than these none is read: the text is proposed as a whole, and not for sure."""
_ECHO: Final = 4
"""Letters of the shortest word whose return shows that an answer speaks of what was said; of Chinese two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What is meant of one text: all of it, or the `spans`, in order; whether that is sure, and why it is meant."""

    reason: Reason
    sure: bool
    spans: tuple[Span, ...] = ()


@dataclass(slots=True)
class _Judged:
    """What is meant of one text: these of its clauses, and how likely."""

    gone: list[Clause]
    likely: float
    was_read: bool = True


def meant_of(
    description: Description, said: Sequence[Said], readings: Readings, *, between: Callable[[], None] = lambda: None
) -> list[Meant | None]:
    """Return for each of some texts what of it is meant, None for nothing.

    What holds an identifier that is named is meant, and then nothing else is; where some hold every word of the
    description, others must be likely enough to be sure, and are not taken for sure all the same.

    Args:
        between: called between one question to the reader and the next.

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
    """Return what is meant of a text that was said in time.

    Args:
        share: of the description's words, those the text holds.
        mine: whether it holds an identifier of it.
        named: whether any text holds all its words.
    """
    if not description.words:  # only a time is named
        return Meant(reason="words", sure=True)
    if said.label and description.share(said.label) >= 1.0:
        return Meant(reason="label", sure=True)
    if not read.was_read:
        return Meant(reason="words", sure=False)
    whole = share >= 1.0
    likely_from = 0.0 if mine else NAMED_LIKELY_FROM if whole else SURE_FROM if named else LIKELY_FROM
    if read.likely < likely_from:
        return None
    sure_from = NAMED_LIKELY_FROM if mine else NAMED_SURE_FROM if whole else SURE_FROM
    return Meant(
        reason="identifier" if mine else "words" if share else "meaning",
        sure=read.likely >= sure_from and (whole or not named),
        spans=to_cut(said.text, read.gone or _naming(description, said.text)),
    )


def _naming(description: Description, text: str) -> list[Clause]:
    """Return the pieces of a text that name what is looked for."""
    return [one for one in clauses(text) if description.share(text[one.start : one.end])]


def by_words(description: Description, said: Sequence[Said]) -> list[Meant | None]:
    """Return what may be meant of texts nobody can read now: what holds every word of the description."""
    found: list[Meant | None] = []
    for one in said:
        timely = description.could_mean(one)
        share = max(description.share(one.text), description.share(one.label))
        found.append(Meant(reason="words", sure=False) if timely and share >= 1.0 else None)
    return found


def _judged(
    description: Description, texts: Sequence[str], readings: Readings, between: Callable[[], None]
) -> list[_Judged]:
    """Return what the reader takes to be meant of each text: of several pieces each is read, and their sentence."""
    parts = [(number, part) for number, text in enumerate(texts) for part in _parts(description, text)]
    by_text: dict[int, dict[Span | None, Reading]] = {}
    for start in range(0, len(parts), TOGETHER):
        between()
        some = parts[start : start + TOGETHER]
        asked = [texts[number] if part is None else texts[number][slice(*part)] for number, part in some]
        for (number, part), reading in zip(some, readings.meant(description.about, asked), strict=True):
            by_text.setdefault(number, {})[part] = reading
    return [
        _of_text(text, by_text[number]) if number in by_text else _Judged([], NAMED_LIKELY_FROM, was_read=False)
        for number, text in enumerate(texts)
    ]


def _parts(description: Description, text: str) -> list[Span | None]:
    """Return what is read of a text: None for all of it, or its pieces, of a long one those with words looked for.

    Nothing of one in which too many hold such words.
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
    """Yield the sentences of several pieces."""
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
    """Return the reading of the sentence a piece is a part of, None where it is all of it."""
    return next(
        (
            reading
            for span, reading in read.items()
            if span and span[0] <= one.start and one.end <= span[1] and span != (one.start, one.end)
        ),
        None,
    )


def _goes_on(text: str, before: Clause, one: Clause, sentence: Reading | None) -> bool:
    """Return whether a piece speaks of the same as the one before it, which is meant: by a pronoun, or its lack of one.

    After what somebody says of themselves it does not.
    """
    if OF_ONESELF.match(text, before.start):
        return False
    leans = sentence is not None and before.sentence == one.sentence and sentence.whole >= sentence.part
    return leans or POINTS_BACK.match(text, one.start) is not None


def follows(before: str, gone: Meant, text: str) -> Meant | None:
    """Return what of a text goes on about what goes of the one before it: begun with its pronoun."""
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
    """Return what an answer repeats of what goes: the sentences with a word that only what goes has.

    Args:
        gone, stays: what its turn said that goes, and that stays.
    """
    telling = {word for one in gone for word in terms.words(one) if _is_long(word)}
    telling -= {word for one in stays for word in terms.words(one)}
    repeated = [one for one in clauses(text) if not telling.isdisjoint(terms.words(text[one.start : one.end]))]
    if not repeated:
        return None
    return Meant(reason="answer", sure=True, spans=to_cut(text, repeated))


def _is_long(word: str) -> bool:
    return len(word) >= (2 if HAN.match(word) else _ECHO)
