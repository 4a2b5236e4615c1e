"""Extract statements worth remembering: the reader finds most; rules find explicit requests and tool results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from shared.language.candidates import Candidate, Utterance
from shared.language.embedding.bundled import Unembeddable
from shared.language.port import SAFETY_FROM, Readings, Span, Turn
from shared.language.rules import importance
from shared.language.rules.asked_for import asked_for, refuses
from shared.language.rules.feelings import feeling_in
from shared.language.rules.folding import FILLER, fold, letters_of, mask
from shared.language.rules.passages import own_end
from shared.language.rules.pieces import Piece, Pieces
from shared.language.rules.task_hints import task_span
from shared.language.rules.tasks import named_task, outcome_of
from shared.language.rules.tools import experience

TEXT_LIMIT: Final = 500
"""Longest text of a candidate, in characters."""
SENTENCE_LIMIT: Final = 160
"""Sentences up to this many characters are quoted whole."""
FRAGMENT: Final = 3
"""At most so many words (in Chinese, characters) are stored with the question they answer; alone they say nothing."""

MODEL: Final = "model:"
"""Prefix of the method of a language model."""

_SENTENCE: Final = re.compile(r"[^.!?。！？；;\n]+(?:[.!?。！？；;]+(?=\s|$|[\u4e00-\u9fff])|[.!?。！？；;\n]|$)")
_LIST_MARK: Final = re.compile(r"(?:[-*•–]|\d{1,2}[.)、])(?:\s+|$)")
_PAUSES: Final = ",;:，；：、"
_WORDS: Final = re.compile(r"[\w'’-]+")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_OF_ONESELF: Final = re.compile(r"\b(?:i|my|we|our)\b|[我咱]", re.IGNORECASE)
"""A statement with such a word makes clear who it is about."""
_QUESTION: Final = re.compile(r"[^.!?。！？\n]{2,120}[?？]\s*$")

_FOREIGN: Final = (FILLER, "\n")
"""Characters that replace text not written by the speaker."""


class ReaderExtractor:
    """Finds statements about the person in a turn.

    Args:
        readings: the bundled reader or a language model.
        bundled: the bundled reader beside a language model, so that safety matters the model misses are kept.
    """

    def __init__(self, readings: Readings, bundled: Readings | None = None) -> None:
        self._readings = readings
        self._bundled = bundled

    def extract(
        self,
        utterances: Sequence[Utterance],
        *,
        task: str | None = None,
        before: Sequence[tuple[str, str]] = (),
        follows: bool = True,
    ) -> list[Candidate]:
        """Return candidates ordered by their evidence, without duplicates.

        Of candidates that differ only in case, space or punctuation, the explicitly requested or first one is kept.

        Args:
            before: (role, text) of messages before this turn, oldest first.
            follows: whether nothing was said between them and this turn; otherwise it answers no question of theirs.
        """
        found: list[Candidate] = []
        said = list(before)
        for index, utterance in enumerate(utterances):
            if utterance.role == "tool":
                learned = experience(index, utterance.text, utterance.name)
                found += [learned] if learned else []
            elif utterance.role == "user":
                asked = _question(said) if follows or len(said) > len(before) else ""
                found += self._of_message(index, utterance, said, asked, task)
            said.append((utterance.role, utterance.shown))
        return sorted(_once(found), key=lambda one: (one.utterance, one.quote_start))

    def _of_message(
        self, index: int, utterance: Utterance, before: Sequence[tuple[str, str]], asked: str, task: str | None
    ) -> Iterator[Candidate]:
        text = utterance.text
        own = mask(fold(text))
        if refuses(own):
            return
        read = self._read(utterance.shown, own, before)
        stated = [(one.start, one.end) for one in read.kept]
        taken = Pieces()
        for start, end in asked_for(own, stated):
            taken.add((start, end))
            inside = [read.kept[one] for one in Pieces(stated).met((start, end))]
            yield _marked(_asked(index, text, start, end, inside), read)
        for (start, end), span in zip(quotes(text, read.kept), read.kept, strict=True):
            quote = text[start:end]
            idle = named_task(quote) or (_is_fragment(quote, span, task) and not asked)
            if start < end and not (idle and span.safety < SAFETY_FROM) and not taken.met((start, end)):
                taken.add((start, end))
                yield _marked(_found(index, quote, start, span, asked, task, read.method), read)
        ended = outcome_of(text, task) if task else None
        if task and ended and not taken.met(ended) and ended[1] - ended[0] <= TEXT_LIMIT:
            yield _marked(_ended(index, text, ended, task), read)

    def _read(self, text: str, own: str, before: Sequence[tuple[str, str]]) -> Turn:
        """Return the statements in a message worth remembering; none if the message crashes the reader."""
        try:
            read = self._readings.turn(text, before)
            if not read.method.startswith(MODEL):
                return replace(read, kept=tuple(_own(text, own, read.kept)))
            if self._bundled is None:
                return replace(read, kept=tuple(_apart(read.kept)))
            beside = _own(text, own, self._bundled.turn(text, before).kept)
        except Unembeddable:
            return Turn((), ())
        dangers = [one for one in beside if one.safety >= SAFETY_FROM]
        places = Pieces((one.start, one.end) for one in dangers)
        kept = [_as_safety(one) if places.met((one.start, one.end)) else one for one in _apart(read.kept)]
        places = Pieces((one.start, one.end) for one in kept)
        kept += [one for one in dangers if not places.met((one.start, one.end))]
        return replace(read, kept=tuple(sorted(kept, key=lambda one: one.start)))


def _marked(candidate: Candidate, read: Turn) -> Candidate:
    """Return a candidate with the categories of sensitive content found in its quote."""
    within = (one for one in read.sensitive if one.start < candidate.quote_end and one.end > candidate.quote_start)
    return replace(candidate, sensitive=frozenset(one.category for one in within))


def _apart(kept: Sequence[Span]) -> Iterator[Span]:
    """Yield spans in order; of two that overlap, the first. A model may return one twice."""
    end = 0
    for span in sorted(kept, key=lambda one: one.start):
        if span.start >= end:
            yield span
            end = span.end


def _own(text: str, own: str, kept: Sequence[Span]) -> Iterator[Span]:
    """Yield spans that are the person's own words: not quoted, not pasted material, not role play."""
    end = own_end(own)
    for span in kept:
        here = slice(span.start, span.end)
        foreign = sum(mine != said and mine in _FOREIGN for mine, said in zip(own[here], text[here], strict=True))
        if span.start < end and foreign * 2 < span.end - span.start:
            yield span


def _once(found: Sequence[Candidate]) -> Iterable[Candidate]:
    kept: dict[str, Candidate] = {}
    for one in found:
        letters = letters_of(one.text) or one.text
        rival = kept.get(letters)
        if rival is None or (one.explicit and not rival.explicit):
            kept[letters] = one
    return kept.values()


def _as_safety(span: Span) -> Span:
    return replace(span, safety=max(span.safety, SAFETY_FROM), type="constraint")


def _asked(index: int, text: str, start: int, end: int, inside: Sequence[Span]) -> Candidate:
    """Return a candidate for an explicit request; its type is that of the reader's largest span in it, or note."""
    end = _shortened_end(text, start, end)
    most = max(inside, key=lambda one: min(end, one.end) - max(start, one.start), default=None)
    content_type = most.type if most else "note"
    safety = any(one.safety >= SAFETY_FROM for one in inside)
    quote = text[start:end]
    return Candidate(
        utterance=index,
        text=quote,
        content_type="constraint" if safety else content_type,
        quote_start=start,
        quote_end=end,
        taboo=safety,
        importance=importance.of(content_type, quote, safety=safety, asked_for=True),
        explicit=True,
        task_hint=_task_hint(quote),
        emotion=feeling_in(quote),
    )


def _found(index: int, quote: str, start: int, span: Span, asked: str, task: str | None, method: str) -> Candidate:
    ended = task if span.type == "task_outcome" else None
    asked = asked if _is_fragment(quote, span, task) else ""
    safety = span.safety >= SAFETY_FROM
    return Candidate(
        utterance=index,
        text=(span.wording or (f"{ended}: {quote}" if ended else f"{asked}{quote}"))[:TEXT_LIMIT],
        content_type=span.type,
        quote_start=start,
        quote_end=start + len(quote),
        taboo=safety,
        importance=importance.of(span.type, quote, safety=safety),
        task_hint=ended or _task_hint(quote),
        emotion=feeling_in(quote),
        answers=bool(asked),
        reworded=bool(span.wording) and method.startswith(MODEL),
        method=method,
    )


def _is_fragment(quote: str, span: Span, task: str | None) -> bool:
    """Return whether a quote is a few words that say nothing without the question they answer."""
    alone = (task and span.type == "task_outcome") or span.wording or _OF_ONESELF.search(quote)
    return not alone and _words(quote) <= FRAGMENT


def _ended(index: int, text: str, span: Piece, task: str) -> Candidate:
    """Return a candidate for the outcome of the current task, as the person stated it."""
    return Candidate(
        utterance=index,
        text=f"{task}: {text[slice(*span)]}",
        content_type="task_outcome",
        quote_start=span[0],
        quote_end=span[1],
        task_hint=task,
    )


def _task_hint(quote: str) -> str | None:
    span = task_span(fold(quote))
    return quote[slice(*span)].strip() or None if span else None


def _shortened_end(text: str, start: int, end: int) -> int:
    """Return the end of a statement cut to `TEXT_LIMIT`: after the last whole word, or inside one endless word."""
    if end - start <= TEXT_LIMIT:
        return end
    longest = text[start : start + TEXT_LIMIT]
    whole_words = longest.rstrip()
    if len(whole_words) == TEXT_LIMIT and " " in longest:
        whole_words = longest[: longest.rindex(" ")].rstrip()
    return start + len(whole_words)


def quotes(text: str, spans: Sequence[Span]) -> list[Piece]:
    """Return the quote for each span: its whole sentence, or the part of it that belongs to no other span.

    List marks are not included. A span that is only a list mark, or a word beside other spans, gets an empty quote.

    Args:
        spans: in order, without overlaps.
    """
    found: list[Piece] = []
    sentences = _SENTENCE.finditer(text)
    around = next(sentences, None)
    for number, span in enumerate(spans):
        while around is not None and around.end() <= span.start:
            around = next(sentences, None)
        start, end = span.start, span.end
        if around is not None and around.start() <= start and around.end() - around.start() <= SENTENCE_LIMIT:
            first = number == 0 or spans[number - 1].end <= around.start()
            last = number + 1 == len(spans) or spans[number + 1].start >= around.end()
            start, end = _within_sentence(text, span, around, first=first, last=last)
        found.append(_trimmed(text, start, end))
    return found


def _within_sentence(text: str, span: Span, around: re.Match[str], *, first: bool, last: bool) -> Piece:
    """Return the part of a sentence that belongs to a span; `first` and `last`: of the spans in this sentence."""
    start, end = span.start, span.end
    if first and last:
        return around.start(), max(end, around.end())
    if last and not _WORDS.search(text, end, around.end()):
        end = max(end, around.end())  # the full stop belongs to the last span
    if _words(text[start:end]) < FRAGMENT and span.safety < SAFETY_FROM:
        end = start  # one or two words of a sentence that has other spans
    return start, end


def _trimmed(text: str, start: int, end: int) -> Piece:
    """Return a piece without spaces, list marks and pauses at its ends, cut to `TEXT_LIMIT`."""
    while start < end and text[start].isspace():
        start += 1
    mark = _LIST_MARK.match(text, start, end)
    start = mark.end() if mark else start
    while end > start and (text[end - 1].isspace() or text[end - 1] in _PAUSES):
        end -= 1
    return start, min(end, start + TEXT_LIMIT)


def _words(text: str) -> int:
    """Return the number of words; each Chinese character counts as one."""
    return len(_HAN.findall(text)) + len(_WORDS.findall(_HAN.sub(" ", text)))


def _question(before: Sequence[tuple[str, str]]) -> str:
    """Return the question a fragment answers, if the assistant's last message ended with one."""
    if not before or before[-1][0] != "assistant":
        return ""
    asked = _QUESTION.search(before[-1][1])
    return f"{asked.group().strip()} " if asked else ""
