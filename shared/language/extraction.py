"""What a turn says that is worth remembering: the reader finds it, rules know what was asked for in so many words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from shared.language.port import Readings, Span
from shared.models.embedder import Unembeddable
from shared.models.extraction import Candidate, Utterance
from shared.models.rules import RuleExtractor, importance
from shared.models.rules.feelings import feeling_in

TEXT_LIMIT: Final = 500
"""Longest text of a candidate, in characters."""
SENTENCE_LIMIT: Final = 160
"""A sentence no longer than this is kept whole around what is worth remembering in it."""
SAFETY_FROM: Final = 0.5
FRAGMENT: Final = 3
"""Words (of Chinese, characters) up to which a piece says too little by itself to do without the question before it."""

_SENTENCE: Final = re.compile(r"[^.!?。！？；;\n]+(?:[.!?。！？；;]+(?=\s|$|[\u4e00-\u9fff])|[.!?。！？；;\n]|$)")
_WORDS: Final = re.compile(r"[\w'’-]+")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_QUESTION: Final = re.compile(r"[^.!?。！？\n]{2,120}[?？]\s*$")

_IMPORTANCE: Final = {
    "constraint": importance.LIMIT,
    "preference": importance.PREFERENCE,
    "fact": importance.FACT,
    "episodic": importance.PASSING,
    "task_outcome": importance.PASSING,
}


class ReaderExtractor:
    """Finds what a turn says by the reader; what was asked to be remembered, and what tools answered, by rules."""

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
                found += self._of_message(index, utterance.text, said, exact, task)
            said.append((utterance.role, utterance.text))
        return sorted(found, key=lambda one: (one.utterance, one.quote_start))

    def _of_message(
        self,
        index: int,
        text: str,
        before: Sequence[tuple[str, str]],
        by_rules: Sequence[Candidate],
        task: str | None,
    ) -> Iterator[Candidate]:
        """Yield what the reader finds where nothing was asked for, and what only the rules find."""
        try:
            spans = self._readings.turn(text, before).kept
        except Unembeddable:
            spans = ()
        taken = [(one.quote_start, one.quote_end) for one in by_rules if one.explicit]
        for (start, end), span in zip(quotes(text, spans), spans, strict=True):
            if any(start < last and end > first for first, last in taken):
                continue
            taken.append((start, end))
            yield _candidate(index, text[start:end], start, span, before, task)
        for one in by_rules:
            if not one.explicit and not any(one.quote_start < end and one.quote_end > start for start, end in taken):
                yield one


def _candidate(
    index: int, quote: str, start: int, span: Span, before: Sequence[tuple[str, str]], task: str | None
) -> Candidate:
    asked = _question(before) if _is_fragment(quote) else ""
    safety = span.safety >= SAFETY_FROM
    return Candidate(
        utterance=index,
        text=f"{asked}{quote}"[:TEXT_LIMIT],
        content_type=span.type,
        quote_start=start,
        quote_end=start + len(quote),
        taboo=safety,
        importance=importance.SAFETY if safety else _IMPORTANCE[span.type],
        task_hint=task if span.type == "task_outcome" else None,
        emotion=feeling_in(quote),
        answers=bool(asked),
        method="reader",
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
