"""What a turn says that is worth remembering: the reader finds it; rules know what was asked for, and plain dangers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from shared.language.port import SAFETY_FROM, Readings, Span
from shared.models.embedder import Unembeddable
from shared.models.extraction import Candidate, Utterance
from shared.models.rules import RuleExtractor, importance
from shared.models.rules.feelings import feeling_in
from shared.models.rules.folding import FILLER, fold, mask
from shared.models.rules.passages import own_end

TEXT_LIMIT: Final = 500
"""Longest text of a candidate, in characters."""
SENTENCE_LIMIT: Final = 160
"""A sentence no longer than this is kept whole around what is worth remembering in it."""
FRAGMENT: Final = 3
"""Words (of Chinese, characters) up to which a piece says too little by itself to do without the question before it."""

MODEL: Final = "model:"
"""How the method of a language model begins."""

_SENTENCE: Final = re.compile(r"[^.!?。！？；;\n]+(?:[.!?。！？；;]+(?=\s|$|[\u4e00-\u9fff])|[.!?。！？；;\n]|$)")
_WORDS: Final = re.compile(r"[\w'’-]+")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_QUESTION: Final = re.compile(r"[^.!?。！？\n]{2,120}[?？]\s*$")

_FOREIGN: Final = (FILLER, "\n")
"""What stands for characters that are not the speaker's own."""

_IMPORTANCE: Final = {
    "constraint": importance.LIMIT,
    "preference": importance.PREFERENCE,
    "fact": importance.FACT,
    "episodic": importance.PASSING,
    "task_outcome": importance.PASSING,
}


class ReaderExtractor:
    """Finds what a turn says: what was asked to be remembered, and what tools answered, by rules.

    The bundled reader adds to what rules find in plain statements; a language model is asked instead of them.
    """

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self._rules = RuleExtractor()

    def extract(
        self, utterances: Sequence[Utterance], *, task: str | None = None, before: Sequence[tuple[str, str]] = ()
    ) -> list[Candidate]:
        """Return candidates in the order of their evidence, without two of one piece.

        Args:
            before: (role, text) of what was said before this turn, oldest first.
        """
        by_rules = self._rules.extract(utterances, task=task)
        found = [one for one in by_rules if one.explicit or utterances[one.utterance].role == "tool"]
        said = list(before)
        for index, utterance in enumerate(utterances):
            if utterance.role == "user":
                exact = [one for one in by_rules if one.utterance == index]
                found += self._of_message(index, utterance, said, exact, task)
            said.append((utterance.role, utterance.shown))
        return sorted(found, key=lambda one: (one.utterance, one.quote_start))

    def _of_message(
        self,
        index: int,
        utterance: Utterance,
        before: Sequence[tuple[str, str]],
        by_rules: Sequence[Candidate],
        task: str | None,
    ) -> Iterator[Candidate]:
        """Yield what the reader finds where nothing was asked for, and safety matters that only the rules find."""
        text = utterance.text
        try:
            read = self._readings.turn(utterance.shown, before)
        except Unembeddable:
            yield from (one for one in by_rules if not one.explicit)
            return
        with_rules = not read.method.startswith(MODEL)
        if with_rules:
            read = replace(read, kept=tuple(_own(text, read.kept)))
        part = _parts_of_dangers(by_rules, read.kept)
        stays = [one for one in by_rules if one.explicit or (with_rules and one not in part)]
        yield from (_with_what_reader_knows(one, read.kept) for one in stays if not one.explicit)
        taken = list(map(_quoted, stays))
        for whole, span in zip(quotes(text, read.kept), read.kept, strict=True):
            # Where rules have another part of its sentence, it is what the reader saw of it, and no more.
            start, end = (span.start, span.end) if with_rules and _meets(whole, taken) else whole
            if _meets((start, end), taken):
                continue
            taken.append((start, end))
            apart = [one for one in by_rules if not one.explicit and _meets(_quoted(one), [(start, end)])]
            if len(apart) > 1:  # "I'm allergic to nuts, and I live in Rome": two things, and no pause that tells
                yield from apart
                continue
            found = _candidate(index, text[start:end], start, span, before, task, read.method)
            yield _with_what_rules_know(found, by_rules)
        for one in by_rules:
            if one.taboo and not one.explicit and not _meets(_quoted(one), taken):
                yield one


def _own(text: str, kept: Sequence[Span]) -> Iterator[Span]:
    """Yield the pieces that are not quoted, pasted to be worked on, or said in a part somebody plays."""
    own = mask(fold(text))
    end = own_end(own)
    for span in kept:
        here = slice(span.start, span.end)
        foreign = sum(mine != said and mine in _FOREIGN for mine, said in zip(own[here], text[here], strict=True))
        if span.start < end and foreign * 2 < span.end - span.start:
            yield span


def _quoted(candidate: Candidate) -> tuple[int, int]:
    return candidate.quote_start, candidate.quote_end


def _meets(piece: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(piece[0] < end and piece[1] > start for start, end in others)


def _parts_of_dangers(by_rules: Sequence[Candidate], kept: Sequence[Span]) -> list[Candidate]:
    """Return what rules found that is a part of a danger the reader saw: "dairy, my stomach can't take it"."""
    found: list[Candidate] = []
    for span in kept:
        if span.safety >= SAFETY_FROM:
            here = [one for one in by_rules if _meets(_quoted(one), [(span.start, span.end)])]
            if len(here) == 1 and span.start <= here[0].quote_start and here[0].quote_end <= span.end:
                found += [one for one in here if not one.explicit and _quoted(one) != (span.start, span.end)]
    return found


def _with_what_reader_knows(found: Candidate, kept: Sequence[Span]) -> Candidate:
    """Return what rules found, marked as safety matter where the reader takes its words for one."""
    if found.taboo or not any(
        one.safety >= SAFETY_FROM and _meets(_quoted(found), [(one.start, one.end)]) for one in kept
    ):
        return found
    return _as_safety(found)


def _with_what_rules_know(found: Candidate, by_rules: Sequence[Candidate]) -> Candidate:
    """Return a finding marked as safety matter where the rules take its words for one too: none may be lost."""
    if found.taboo or not any(one.taboo and _meets(_quoted(one), [_quoted(found)]) for one in by_rules):
        return found
    return _as_safety(found)


def _as_safety(found: Candidate) -> Candidate:
    return replace(found, taboo=True, content_type="constraint", importance=importance.SAFETY)


def _candidate(
    index: int, quote: str, start: int, span: Span, before: Sequence[tuple[str, str]], task: str | None, method: str
) -> Candidate:
    asked = _question(before) if _is_fragment(quote) and not span.wording else ""
    safety = span.safety >= SAFETY_FROM
    return Candidate(
        utterance=index,
        text=(span.wording or f"{asked}{quote}")[:TEXT_LIMIT],
        content_type=span.type,
        quote_start=start,
        quote_end=start + len(quote),
        taboo=safety,
        importance=importance.SAFETY if safety else _IMPORTANCE.get(span.type, importance.FACT),
        task_hint=task if span.type == "task_outcome" else None,
        emotion=feeling_in(quote),
        answers=bool(asked),
        reworded=bool(span.wording) and method.startswith(MODEL),  # the rules word a piece from itself alone
        method=method,
    )


def quotes(text: str, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Return for each span what is quoted: its whole sentence, or as much of it as no other span has."""
    found: list[tuple[int, int]] = []
    for number, span in enumerate(spans):
        start, end = span.start, span.end
        around = next((one for one in _SENTENCE.finditer(text) if one.start() <= start < one.end()), None)
        if around is not None and around.end() - around.start() <= SENTENCE_LIMIT:
            first = max([around.start(), *(one.end for one in spans[:number])])
            last = min([around.end(), *(one.start for one in spans[number + 1 :])])
            alone = (first, last) == (around.start(), around.end()) or last <= first
            if alone and last > first:
                start, end = min(start, first), max(end, last)
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        found.append((start, min(end, start + TEXT_LIMIT)))
    return found


def _is_fragment(quote: str) -> bool:
    return len(_HAN.findall(quote)) + len(_WORDS.findall(_HAN.sub(" ", quote))) <= FRAGMENT


def _question(before: Sequence[tuple[str, str]]) -> str:
    """Return the question a fragment answers, if the last thing said to the person was one."""
    if not before or before[-1][0] != "assistant":
        return ""
    asked = _QUESTION.search(before[-1][1])
    return f"{asked.group().strip()} " if asked else ""
