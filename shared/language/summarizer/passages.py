"""The candidate sentences for a summary: from new messages and from the previous summary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shared.language.candidates import Extractor, Utterance
from shared.language.rules.folding import FILLER, fold
from shared.language.rules.sentences import sentences
from shared.language.summarizer.port import Spoken
from shared.language.summarizer.words import content_words, is_chinese, length_in_words

PASSAGE_CHARACTERS: Final = 300
"""Longest passage; a longer sentence is cut after a whole word."""

_OPENING_WORDS: Final = 3
"""A message's opening is its first sentence of at least this many words, not "Hi!"."""

_LABELS: Final = {"user": ("User: ", "用户："), "assistant": ("Assistant: ", "助手：")}
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|^[ \t]*+~~~.*?(?:^[ \t]*+~~~|\Z)", re.MULTILINE | re.DOTALL)
_ADDRESS: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'`。！？；、\u4e00-\u9fff]*[^\s<>\"'`。！？；、\u4e00-\u9fff.,;:!?)]"
)
_MARKS: Final = re.compile(r"(?:[-*+•>#|]+|\d{1,2}[.)、])[ \t]+")
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A sentence that may become part of a summary.

    Args:
        speaker: user, assistant, or empty if a language model wrote it.
        words: its content words.
        length: in words.
        opens: it is the first of its message.
        asks: it is a question.
        kept: it was in the previous summary.
        importance: 1…10 if it states something about the person worth remembering, else 0.
        taboo: that statement is a safety matter.
    """

    speaker: str
    text: str
    words: frozenset[str]
    length: float
    opens: bool = False
    asks: bool = False
    kept: bool = False
    importance: int = 0
    taboo: bool = False

    @property
    def line(self) -> str:
        """Return the passage as a line of a summary: speaker and text."""
        if self.speaker not in _LABELS:
            return self.text
        english, chinese = _LABELS[self.speaker]
        return (chinese if is_chinese(self.text) else english) + self.text


def of_summary(summary: str, extractor: Extractor) -> Iterator[Passage]:
    """Yield the passages of a summary in order, whether extractive or written by a model."""
    for line in summary.splitlines():
        speaker, text = _without_label(line)
        if speaker:
            yield from _passages(
                speaker, text, [(0, len(text), text.rstrip().endswith(("?", "？")))], extractor, kept=True
            )
        else:
            yield from _passages("", text, _spans(text), extractor, kept=True)


def of_messages(messages: Sequence[Spoken], extractor: Extractor) -> Iterator[Passage]:
    """Yield the passages of messages in order, without code and empty phrases."""
    for message in messages:
        yield from _passages(message.role, message.text, _spans(message.text), extractor, kept=False)


def _passages(
    speaker: str, text: str, spans: Sequence[tuple[int, int, bool]], extractor: Extractor, *, kept: bool
) -> Iterator[Passage]:
    stated = extractor.extract([Utterance(role="user", text=text)]) if speaker == "user" else []
    opens = not kept
    for start, end, asks in spans:
        words = content_words(text[start:end])
        if all(word.isdigit() for word in words):
            continue
        length = length_in_words(text[start:end])
        inside = [one for one in stated if one.quote_start < end and start < one.quote_end]
        yield Passage(
            speaker=speaker,
            text=_tidy(text[start:end]),
            words=words,
            length=length,
            opens=opens,
            asks=asks,
            kept=kept,
            importance=max((one.importance for one in inside), default=0),
            taboo=any(one.taboo for one in inside),
        )
        opens = opens and length < _OPENING_WORDS


def _spans(text: str) -> list[tuple[int, int, bool]]:
    """Return the spans of sentences and whether each is a question; code is skipped."""
    whole = _CODE.sub(lambda found: "\n" * len(found[0]), fold(text))
    whole = _ADDRESS.sub(lambda found: FILLER * len(found[0]), whole)
    return [(sentence.start, sentence.end, sentence.asks) for sentence in sentences(whole)]


def _tidy(sentence: str) -> str:
    """Return a sentence on one line without list marks, at most `PASSAGE_CHARACTERS` long."""
    plain = _SPACE.sub(" ", _MARKS.sub("", sentence.strip(), count=1)).strip()
    return shortened(plain, PASSAGE_CHARACTERS)


def shortened(text: str, limit: int) -> str:
    """Return at most `limit` characters of a text, cut after a whole word and marked with "…"."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    if not text[limit - 1].isspace() and " " in cut[limit // 2 :]:
        cut = cut[: cut.rindex(" ")]
    return cut.rstrip() + "…"


def _without_label(line: str) -> tuple[str, str]:
    for speaker, labels in _LABELS.items():
        for label in labels:
            if line.startswith(label):
                return speaker, line.removeprefix(label)
    return "", line
