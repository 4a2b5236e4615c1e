"""Turn the reader's scores into results: spans worth remembering, sensitive spans, relations, and meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np

from shared.language.embedding.bundled import bundled_embedder
from shared.language.port import Habit, Meant, Needed, Sensitive, Span, Turn
from shared.language.reader.engine import Flags, Read, Reader
from shared.language.reader.habits import HabitReader
from shared.language.reader.labels import ABOUT, CATEGORIES, KEPT, MEANT, NEEDED, RELATIONS, TIMES, TYPES
from shared.language.reader.parts import Budget, by_parts
from shared.language.rules.framing import LEAD_IN

KEPT_FROM: Final = 0.74
"""Least probability, at the best token, for a span to be kept."""
SAFETY_KEPT_FROM: Final = 0.45
"""The same for possible safety matters, lower because a missed one costs more than a false one."""
MAYBE_SAFETY_FROM: Final = 0.2
"""Least probability of a safety matter for `SAFETY_KEPT_FROM` to apply; `SAFETY_FROM` marks it later."""
DOUBTED_FROM: Final = 0.45
"""Least probability for a skipped sentence to be read again on its own."""
SAFETY_DOUBTED_FROM: Final = 0.15
"""The same by the probability that the sentence is a safety matter."""
SURE_ALONE: Final = 0.9
"""Least mean probability of a span found on the second reading."""
SAFETY_SURE_ALONE: Final = 0.6
"""The same for possible safety matters, from `SAFETY_ALONE_FROM` on."""
SAFETY_ALONE_FROM: Final = 0.3
GROWS_FROM: Final = 0.35
"""Least probability of the tokens around the best one."""
SENSITIVE_FROM: Final = 0.5
PART_FROM: Final = 0.5
FRAGMENT: Final = 2
"""A span of up to this many words (Chinese: characters) is often misread, or part of the next span."""
_WORDS: Final = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:['’-][^\W\u3400-\u9fff]+)*")
SHORTEST: Final = 2
"""Fewest characters of a span."""
GAP: Final = 2
"""Most tokens between two runs that are joined to one span."""
_ASKS: Final = frozenset("?？")
_ENDS: Final = frozenset(".!?。！？;；,，、\n")
_SENTENCE: Final = re.compile(r"[^\s.!?。！？][^.!?。！？\n]*[.!?。！？]*")
_OF_ONESELF: Final = re.compile(r"(?:i|i'm|i’m|my|no)\b|我", re.IGNORECASE)
_COMMAS: Final = frozenset(",，")
_JOIN: Final = re.compile(
    r"(?:[\s,;，；]+(?:and|but|because|so|or|plus|&)|[\s,;，；]*(?:但是?|而且|并且|因为|所以))\s*$", re.IGNORECASE
)
"""A conjunction at the end of the first of two statements."""
_BLANK_OF_CHINESE: Final = re.compile(r"[\u3400-\u9fff]\s+$")
_JOIN_REACH: Final = 12
"""Characters searched for such a conjunction."""


@cache
def bundled_habits() -> HabitReader:
    """Return this process's reader of habits."""
    return HabitReader(bundled_embedder())


class LocalReadings:
    """The bundled reader in this process; see `Readings`.

    Args:
        habits: returns the reader of habits, which needs an embedder; by default one in this process.
    """

    def __init__(self, reader: Reader, habits: Callable[[], HabitReader] = bundled_habits) -> None:
        self._reader = reader
        self._habits = habits

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        return by_parts(self.part, text, before)

    def part(self, text: str, before: Sequence[tuple[str, str]], left: Budget) -> tuple[Turn, Budget]:
        """Read a part of a message; return what is left of its budget."""
        kept: list[Span] = []
        sensitive: list[Sensitive] = []
        doubted: dict[tuple[int, int], None] = {}  # a sentence may reach over two windows
        reads = self._reader.turn(text, before, most=left.segments)
        for read in reads:
            kept += _kept(read, text)
            sensitive += _sensitive(read)
            doubted |= dict.fromkeys(_doubted(read, text))
        again = [
            (start, end)
            for start, end in doubted
            if (before or text[start:end] != text.strip())
            and not any(one.start < end and one.end > start for one in kept)
        ][: left.again]
        for start, end in again:
            kept += self._alone(text, start, end)
        turn = Turn(tuple(sorted(kept, key=lambda one: one.start)), tuple(sensitive))
        return turn, Budget(left.segments - len(reads), left.again - len(again))

    def _alone(self, text: str, start: int, end: int) -> Iterator[Span]:
        """Yield spans of a sentence, read on its own without its context."""
        sentence = text[start:end]
        for read in self._reader.turn(sentence, (), most=1):
            for span in _kept(read, sentence):
                enough = SAFETY_SURE_ALONE if span.safety >= SAFETY_ALONE_FROM else SURE_ALONE
                if span.sure >= enough:
                    yield replace(span, start=start + span.start, end=start + span.end)

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        rows = [self._reader.pair(one, later) for one in earlier]
        return [
            dict(zip(RELATIONS, map(float, read.whole_of("relation")), strict=True))
            for read in self._reader.read(rows, "relation")
        ]

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:
        rows = [self._reader.pair(description, one) for one in said]
        return [_meant(read) for read in self._reader.read(rows, "meant")]

    def needed(self, question: str, remembered: Sequence[str]) -> list[Needed]:
        rows = [self._reader.pair(question, one) for one in remembered]
        likely = [read.whole_of("needed") for read in self._reader.read(rows, "needed")]
        return [Needed(float(one[NEEDED.index("needed")]), float(one[NEEDED.index("helps")])) for one in likely]

    def habits(self, text: str) -> list[Habit]:
        return self._habits().read(text)


def _meant(read: Read) -> Meant:
    likely = read.whole_of("meant")
    wanted = read.token("part")[:, 1] >= PART_FROM
    runs = _runs(wanted, np.zeros(len(wanted), bool))
    spans = tuple((read.input.offsets[start][0], read.input.offsets[end - 1][1]) for start, end in runs)
    return Meant(float(likely[MEANT.index("whole")]), float(likely[MEANT.index("part")]), spans)


def _kept(read: Read, text: str) -> Iterator[Span]:
    likely = read.token("kept")
    wanted = likely[:, KEPT.index("begins")] + likely[:, KEPT.index("inside")]
    opens = (likely[:, KEPT.index("begins")] > likely[:, KEPT.index("inside")]) & _may_begin(read, text)
    for start, end in _whole_clauses(read, text, _runs(wanted >= GROWS_FROM, opens)):
        first, last = _clause(read, text, start, end)
        safety = float(read.token("safety")[start:end, 1].mean())
        is_question = text[last - 1 : last + 1].strip()[-1:] in _ASKS
        maybe_safety = safety >= MAYBE_SAFETY_FROM and _words(text, first, last) > FRAGMENT and not is_question
        enough = SAFETY_KEPT_FROM if maybe_safety else KEPT_FROM
        if last - first >= SHORTEST and np.max(wanted[start:end]) >= enough:
            yield Span(
                first,
                last,
                float(wanted[start:end].mean()),
                TYPES[_most(read, "type", start, end)],
                safety,
                ABOUT[_most(read, "about", start, end)],
                TIMES[_most(read, "time", start, end)],
            )


def _doubted(read: Read, text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences that the reader was not sure to skip, whether something of them is kept or not.

    A sentence right after another is often underrated.
    """
    likely = read.token("kept")
    wanted = likely[:, KEPT.index("begins")] + likely[:, KEPT.index("inside")]
    safety = read.token("safety")[:, 1]
    begins = np.array([first for first, _ in read.input.offsets])
    for start, end in (found.span() for found in _SENTENCE.finditer(text)):
        within = (begins >= start) & (begins < end)
        if text[end - 1] in _ASKS or not within.any():
            continue
        if np.max(wanted[within]) >= DOUBTED_FROM or np.max(safety[within]) >= SAFETY_DOUBTED_FROM:
            yield start, end


def _clause(read: Read, text: str, start: int, end: int) -> tuple[int, int]:
    """Return the characters of a run of tokens, without a pause at its beginning or a conjunction at its end."""
    first, last = _whole_words(text, read.input.offsets[start][0], read.input.offsets[end - 1][1])
    while first < last and (text[first] in _COMMAS or text[first].isspace()):
        first += 1
    join = _JOIN.search(text, first, last)
    return first, join.start() if join else last


def _whole_clauses(read: Read, text: str, runs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield runs of tokens; one of up to two words, or that only leads in, is merged with the next if they belong.

    They do if a conjunction or only a comma separates them ("Frank and I play chess", "by the way, I'm vegan"), unless
    the first is about the speaker ("I'm vegan, …").
    """
    begun: int | None = None
    for start, end in runs:
        begin = start if begun is None else begun
        first, last = _clause(read, text, begin, end)
        joined = bool(_JOIN.search(text, first, read.input.offsets[end - 1][1]))
        joined |= bool(_COMMAS & set(text[last - 1 : last + 1])) and not _OF_ONESELF.match(text, first)
        if joined and (_words(text, first, last) <= FRAGMENT or _leads_in(text, first, last)):
            begun = begin
            continue
        yield begin, end
        begun = None
    if begun is not None:
        yield begun, end


def _leads_in(text: str, first: int, last: int) -> bool:
    """Return whether these characters only lead in to a statement, such as "by the way,"."""
    lead_in = LEAD_IN.match(text, first, last)
    return lead_in is not None and not _words(text, lead_in.end(), last)


def _words(text: str, first: int, last: int) -> int:
    return len(_WORDS.findall(text, first, last))


def _may_begin(read: Read, text: str) -> Flags:
    """Return for each token whether a pause or conjunction is right before it: only there may a new span begin."""
    before = [text[max(0, start - _JOIN_REACH) : start] for start, _ in read.input.offsets]
    return np.array(
        [one.rstrip()[-1:] in _ENDS or bool(_JOIN.search(one) or _BLANK_OF_CHINESE.search(one)) for one in before], bool
    )


def _sensitive(read: Read) -> Iterator[Sensitive]:
    likely = read.token("sensitive")
    any_kind = 1 - likely[:, 0]
    for start, end in _runs(any_kind >= SENSITIVE_FROM, np.zeros(len(likely), bool)):
        kind = int(np.argmax(likely[start:end, 1:].mean(0)))
        first, last = read.input.offsets[start][0], read.input.offsets[end - 1][1]
        yield Sensitive(first, last, float(any_kind[start:end].mean()), CATEGORIES[kind])


def _most(read: Read, head: str, start: int, end: int) -> int:
    return int(np.argmax(read.token(head)[start:end].mean(0)))


def _runs(wanted: Flags, opens: Flags) -> Iterator[tuple[int, int]]:
    """Yield runs of wanted tokens; a new run begins at a token that opens one."""
    start = last = None
    for place, one in enumerate(wanted):
        if not one:
            continue
        if start is None:
            start = place
        elif place - last > 1 + GAP or (opens[place] and not opens[place - 1]):  # type: ignore[operator]
            yield start, last + 1  # type: ignore[operator]
            start = place
        last = place
    if start is not None:
        yield start, last + 1  # type: ignore[operator]


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span widened to whole words of ASCII characters and without surrounding blanks."""

    def joined(place: int) -> bool:
        return 0 < place < len(text) and all(one.isascii() and one.isalnum() for one in text[place - 1 : place + 1])

    while joined(start):
        start -= 1
    while joined(end):
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
