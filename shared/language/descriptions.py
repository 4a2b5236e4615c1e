"""Which of the things somebody said a description means, and which part of each (X-06).

The reader judges by meaning. Exact is what it would only guess at: identifiers and words that are named, the time in
which something was said, and that everything is meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Final, Literal, TypeAlias

from shared.domain.cuts import Span, cut, merged
from shared.language import terms
from shared.language.moments import Window, days_in, window_in
from shared.language.port import Meant as Reading
from shared.language.port import Readings

Reason: TypeAlias = Literal["identifier", "words", "meaning", "label", "answer"]

LIKELY_FROM: Final = 0.5
"""How likely a statement is meant, wholly or in part, for it to be proposed."""
SURE_FROM: Final = 0.85
"""How likely it is, for it to be taken as meant where nobody looks."""
NAMED_LIKELY_FROM: Final = 0.15
NAMED_SURE_FROM: Final = 0.25
"""The same of what holds every word of the description."""
TERMS_MAX: Final = 20
"""Most words a description may look for: each of them is looked for in everything."""
CORRECTS_FROM: Final = 1.0
"""How likely a correction is about a statement and takes its place, both together, 0…2."""
CLEARLY: Final = 0.3
"""By how much more than any other."""
ALREADY: Final = 0.8
"""How much that a text says what the statement says counts, of what it counts that it says otherwise."""
CANDIDATE_FROM: Final = 0.4
"""The same for it to be named to somebody whose correction is about none, or several."""
CANDIDATES: Final = 5
TOGETHER: Final = 20
"""Texts in one question to the reader: so long others wait for their turn."""
PIECES_MAX: Final = 6
"""Pieces of a text that are all read."""
_ECHO: Final = 4
"""Letters of the shortest word whose return shows that an answer speaks of what was said; of Chinese two."""


class TooManyTerms(Exception):
    """A description looks for more than `TERMS_MAX` words."""

    def __init__(self, terms: int) -> None:
        super().__init__(f"{terms} terms")
        self.terms = terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message or a memory. `label`: what else is written on it, a name or a task."""

    text: str
    at: datetime
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What is meant of one text: all of it, or the `spans`, in order; whether that is sure, and why it is meant."""

    reason: Reason
    sure: bool
    spans: tuple[Span, ...] = ()


# What is asked --------------------------------------------------------------------------------------------------------

_ASKS: Final = r"(?:please |just |can you |could you |i want you to |now )*"
_FORGET: Final = r"(?:forget|delete|erase|remove|wipe|clear|drop|purge|scrub|clean)(?: out| up)?"
_ALL: Final = (
    r"(?:absolutely |literally )?everything|all(?: of)?(?: it| this| that| them)?|it all|the (?:whole )?lot|me|who i am"
)
_MINE: Final = (
    r"(?:all(?: of)? )?(?:my|your|the) (?:whole |entire )?"
    r"(?:stuff|data|memor(?:y|ies)|records?|notes?|history|information|info|account|profile)"
)
_KNOWN: Final = (
    r" (?:that )?(?:you(?:'ve| have)? (?:ever )?(?:know|knew|known|have|got|remember|stored?|saved?|learn(?:ed|t))"
    r"|i(?:'ve| have)? (?:ever )?(?:said|told you|tell you|wrote|written|mentioned)|there is)"
)
_EVERYTHING: Final = re.compile(
    rf"{_ASKS}(?:{_FORGET} )?(?:about )?(?:{_ALL}|{_MINE})(?:{_KNOWN})?(?: (?:about|on|of|from) (?:me|us))?"
    r"(?: (?:here|so far|ever|completely|entirely|now|please|thanks?))*"
)
_FORGET_ZH: Final = r"(?:忘|删|清|抹|擦|丢)(?:记|掉|除|空|了|光)*"
_THINGS_ZH: Final = r"(?:东西|内容|记忆|数据|资料|信息|记录|事|事情|话)"
_EVERYTHING_ZH: Final = re.compile(
    rf"(?:请|麻烦|帮我|给我|你|要|想|能不能|可以)*[把将]?(?:{_FORGET_ZH})?"
    r"(?:(?:关于|有关)?[我你]?(?:的|说过的|知道的|记得的|记住的|存的|跟你说的|告诉你的)*"
    rf"(?:一切|全部|所有|所有的|全部的|整个)的?{_THINGS_ZH}?|(?:关于|有关)我的{_THINGS_ZH}|我的(?:所有|全部)?{_THINGS_ZH})"
    rf"(?:都|全|全都|统统)?(?:给我)?(?:{_FORGET_ZH})?[吧了]?"
)
_TELLING: Final = re.compile(
    r"\b(?:sa(?:id|y)|told|tell|mention(?:ed)?|wrote|written|talk(?:ed)?|chat(?:s|ted)?|conversations?|messages?"
    r"|discussed|asked)\b"
    r"|说|讲|聊|告诉|提到|提过|对话|聊天|消息|记的|问"
)
"""A time in a description of telling is when it was told; in any other, it may be what was told of."""
_WORDS_FILE: Final = Path(__file__).with_name("words") / "requests.txt"
_REQUEST_WORDS: Final = frozenset(terms.words(_WORDS_FILE.read_text(encoding="utf-8")))
"""Words that only ask to forget, or name a thing of any kind."""
_MARKED: Final = re.compile(r"[a-z0-9]+(?:[-_./:#·•@+]+[a-z0-9]+)*")
_MARKS: Final = " .,!?。"
_SHORTEST_NUMBER: Final = 4
_SHORTEST_MARK: Final = 3


@dataclass(frozen=True)
class Description:
    """What somebody asks to be found, in their words.

    Args:
        text: as it was typed.
        now: what "last week" counts from.
    """

    text: str
    now: datetime

    @cached_property
    def _folded(self) -> str:
        return _folded(self.text)

    @cached_property
    def _timed(self) -> tuple[Window | None, str]:
        window, rest = window_in(self._folded, self.now)
        if window is None or (_looked_for(rest) and not _TELLING.search(self._folded)):
            return None, self.text
        return window, rest

    @property
    def window(self) -> Window | None:
        """When it was said, if the description tells."""
        return self._timed[0]

    @property
    def about(self) -> str:
        """The description without that time."""
        return self._timed[1].strip()

    @cached_property
    def words(self) -> frozenset[str]:
        """What it looks for, as an index knows it."""
        return _looked_for(self.about)

    @cached_property
    def identifiers(self) -> frozenset[str]:
        """Names with digits in it, however they are spelled, and days of the year."""
        return frozenset(one for one in identifiers(_folded(self.about)) if _is_telling(one))

    def check(self) -> None:
        """Raise `TooManyTerms` when it looks for too much."""
        if len(self.words) > TERMS_MAX:
            raise TooManyTerms(len(self.words))

    @property
    def nothing(self) -> Literal["everything", "nothing_named"] | None:
        """Why it names nothing that could be looked for."""
        bare = self._folded.strip(_MARKS)
        if _EVERYTHING.fullmatch(bare) or _EVERYTHING_ZH.fullmatch(bare.replace(" ", "").replace(",", "")):
            return "everything"
        return None if self.words or self.window is not None else "nothing_named"

    @property
    def language(self) -> Literal["en", "zh"]:
        """The language it is answered in."""
        return "zh" if re.search(r"[\u3400-\u9fff]", self.text) else "en"

    def could_mean(self, said: Said) -> bool:
        """Return whether it was said in time."""
        return self.window is None or self.window.holds(said.at)

    def share(self, text: str) -> float:
        """Return the share of the words looked for that a text holds, 0…1; 1 where it has an identifier of them."""
        if self.identifiers and not self.identifiers.isdisjoint(identifiers(_folded(text))):
            return 1.0
        if not self.words:
            return 0.0
        held = words_of(text)
        met = (word in held or not held.isdisjoint(terms.translations(word)) for word in self.words)
        return sum(met) / len(self.words)


def words_of(text: str) -> set[str]:
    """Return the words of a text as an index knows them, to its end."""
    found: set[str] = set()
    start = 0
    while start < len(text):
        end = start + terms.LONGEST_TEXT
        if end < len(text):
            end = max(text.rfind(" ", start, end), text.rfind("\n", start, end), start + terms.LONGEST_TEXT // 2)
        found.update(terms.words(text[start:end]))
        start = end
    return found


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())


def _looked_for(text: str) -> frozenset[str]:
    return frozenset(terms.words(text)) - _REQUEST_WORDS


def identifiers(folded: str) -> Iterator[str]:
    """Yield names with digits in them without what parts them ("AB-1234" and "ab 1234" are both "ab1234"), and days
    of the year as "4/12"."""
    before = ""
    for found in _MARKED.finditer(folded):
        key = re.sub(r"[^a-z0-9]", "", found[0])
        if any(one.isdigit() for one in key):
            yield key
            if before and folded[found.start() - 1 : found.start()] == " ":
                yield before + key
                if before[-1].isdigit() and key.isdigit():
                    before += key
                    continue
        before = key
    yield from days_in(folded)


def _is_telling(key: str) -> bool:
    return "/" in key or len(key) >= (_SHORTEST_NUMBER if key.isdigit() else _SHORTEST_MARK)


# Texts in pieces ------------------------------------------------------------------------------------------------------

_SENTENCE_END: Final = re.compile(r"[.!?]+[\"'”’)]*(?=\s|$)\s*|[。！？；;\n]+[”’」』)]*\s*")
_SUBJECT: Final = (
    r"(?:i|we|you|he|she|it|they|there|this|that|my|our|his|her|their|its|the|an?)\b"
    r"|(?:i'm|i've|we're|we've|he's|she's|it's|they're)\b"
)
_JOINT: Final = re.compile(
    r"\s*[,，、]?\s*(?:(?<=\s)|(?<=[,，]))(?:and|but|so|plus|while|although|though|because|also)\s+(?:also\s+)?"
    r"|\s*[,，]\s*|\s+[-–—]+\s+|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])",
    re.IGNORECASE,
)
_STARTS: Final = re.compile(rf"{_SUBJECT}|[我他她它咱你俺]", re.IGNORECASE)
_KIN_ZH: Final = "爸妈爹娘爷奶哥弟姐妹姨叔舅姑婶嫂公婆婿媳孙侄表堂儿女老对先太男同室朋闺邻房导领"
"""How a word begins for somebody of one's own: 我妈 is not oneself."""
_OF_ONESELF: Final = re.compile(
    rf"(?:i|we|i'm|i've|we're|we've|i'd|i'll)\b\s?(?:am |have |are )?|[我咱俺]们?(?![{_KIN_ZH}])", re.IGNORECASE
)
_POINTS_BACK: Final = re.compile(
    r"(?:he|she|it|they|his|her|its|their|him|them|he's|she's|it's|they're)\b|[他她它]", re.IGNORECASE
)
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_ALONE: Final = 3
"""Words (of Chinese, characters) of the shortest piece that may stand without its sentence's beginning."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Where a piece of a sentence is without what joins it to others, and its sentence's number.

    `has_subject`: whether it begins with one; what does not leans on the beginning of its sentence.
    """

    start: int
    end: int
    sentence: int
    has_subject: bool


def clauses(text: str) -> list[Clause]:
    """Return the pieces of a text in order: parts of sentences that may be about different things."""
    found: list[Clause] = []
    begin = 0
    for number, stop in enumerate([*_SENTENCE_END.finditer(text), None]):
        end = stop.start() if stop else len(text)
        start = begin
        for joint in _JOINT.finditer(text, begin, end):
            if _long_enough(text, start, joint.start()) and _long_enough(text, joint.end(), end):
                _add(found, text, start, joint.start(), number)
                start = joint.end()
        _add(found, text, start, end, number)
        begin = stop.end() if stop else end
    return found


def _long_enough(text: str, start: int, end: int) -> bool:
    return sum(1 for _ in _WORD.finditer(text, start, end)) >= _ALONE


def _add(found: list[Clause], text: str, start: int, end: int, number: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        first = not found or found[-1].sentence != number
        found.append(Clause(start, end, number, first or _STARTS.match(text, start) is not None))


def to_cut(text: str, gone: Sequence[Clause]) -> tuple[Span, ...]:
    """Return what to cut so that these pieces are gone and the rest still reads; nothing where no rest says anything.

    With a piece goes what joins it to the next of its sentence, or to the one before; with a sentence its end. The
    subject stays that the next piece leans on.
    """
    every, goes = clauses(text), frozenset(gone)
    left = [one for one in every if one not in goes]
    if not any(character.isalnum() for one in left for character in text[one.start : one.end]):
        return ()
    last_left = {one.sentence: one for one in left}
    spans: list[Span] = []
    for place, one in enumerate(every):
        if one not in goes:
            continue
        after = every[place + 1] if place + 1 < len(every) else None
        before = every[place - 1] if place else None
        stays = last_left.get(one.sentence)
        if after is not None and stays is not None and stays.start > one.start:
            leans = after not in goes and not after.has_subject
            subject = _OF_ONESELF.match(text, one.start, one.end) if leans and one.has_subject else None
            spans.append((subject.end() if subject else one.start, after.start))
        elif before is not None and stays is not None:
            spans.append((before.end, one.end))
        elif after is not None:
            spans.append((one.start, after.start))
        elif before is not None:
            spans.append((_end_of(text, before.end), len(text)))
    return merged(spans)


def _end_of(text: str, end: int) -> int:
    """Return where the stop after the end of a piece ends."""
    stop = _SENTENCE_END.match(text, end)
    return end + len(stop[0].rstrip()) if stop else end


# What is meant --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Judged:
    """What is meant of one text: these of its clauses, and how likely."""

    gone: list[Clause]
    likely: float


def meant_of(
    description: Description, said: Sequence[Said], readings: Readings, *, between: Callable[[], None] = lambda: None
) -> list[Meant | None]:
    """Return for each of some texts what of it is meant, None for nothing.

    Where some of them hold an identifier that is named, no other is meant; where some hold every word of the
    description, others must be meant for sure.

    Args:
        between: called between one question to the reader and the next.

    Raises:
        EmbedderUnavailable, Unembeddable: as `Readings`.
    """
    judged = _judged(description, [one.text for one in said], readings, between)
    held = [description.identifiers & set(identifiers(_folded(one.text))) for one in said]
    shares = [description.share(one.text) for one in said]
    exact, named = any(held), any(share >= 1.0 for share in shares)
    found: list[Meant | None] = []
    for one, read, mine, share in zip(said, judged, held, shares, strict=True):
        if not description.could_mean(one) or (exact and not mine):
            found.append(None)
        elif not description.words:  # only a time is named
            found.append(Meant(reason="words", sure=True))
        elif one.label and description.share(one.label) >= 1.0:
            found.append(Meant(reason="label", sure=True))
        else:
            likely_from = NAMED_LIKELY_FROM if share >= 1.0 else SURE_FROM if named else LIKELY_FROM
            sure_from = NAMED_SURE_FROM if share >= 1.0 else SURE_FROM
            reason: Reason = "identifier" if mine else "words" if share else "meaning"
            spans = to_cut(one.text, read.gone or _naming(description, one.text))
            sure = read.likely >= sure_from and not (named and share < 1.0)
            found.append(Meant(reason=reason, sure=sure, spans=spans) if read.likely >= likely_from else None)
    return found


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
    return [_of_text(text, by_text.get(number, {})) for number, text in enumerate(texts)]


def _parts(description: Description, text: str) -> list[Span | None]:
    """Return what is read of a text: None for all of it, or its pieces, of a long one those with words looked for."""
    pieces = clauses(text)
    if len(pieces) <= 1:
        return [None]
    if len(pieces) > PIECES_MAX:
        near = [one for one in pieces if description.share(text[one.start : one.end])]
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
    if _OF_ONESELF.match(text, before.start):
        return False
    leans = sentence is not None and before.sentence == one.sentence and sentence.whole >= sentence.part
    return leans or _POINTS_BACK.match(text, one.start) is not None


def follows(before: str, gone: Meant, text: str) -> Meant | None:
    """Return what of a text goes on about what goes of the one before it: begun with its pronoun."""
    last = clauses(before)[-1:]
    if not last or _OF_ONESELF.match(before, last[0].start):
        return None
    if gone.spans and gone.spans[-1][1] < last[0].end:
        return None
    pieces = clauses(text)
    leading = [one for one in pieces if one.sentence == pieces[0].sentence]
    if not leading or not _POINTS_BACK.match(text, leading[0].start):
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
    return len(word) >= (2 if _HAN.match(word) else _ECHO)


# Corrections ----------------------------------------------------------------------------------------------------------


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
    chinese = _HAN.search(rest) is not None
    if not rest.endswith((*".!?", *"。！？")):
        rest += "。" if chinese else "."
    return f"{rest}{'' if chinese else ' '}{statement}"
