"""The sentences a summary is chosen from: those of new messages, and the lines of the summary before."""

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
"""A message opens with its first sentence of so many words, not with "Hi!"."""

_LABELS: Final = {"user": ("User: ", "用户："), "assistant": ("Assistant: ", "助手：")}
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|^[ \t]*+~~~.*?(?:^[ \t]*+~~~|\Z)", re.MULTILINE | re.DOTALL)
_ADDRESS: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"'`。！？；、\u4e00-\u9fff]*[^\s<>\"'`。！？；、\u4e00-\u9fff.,;:!?)]"
)
_MARKS: Final = re.compile(r"(?:[-*+•>#|]+|\d{1,2}[.)、])[ \t]+")
_SPACE: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One sentence that may stand in a summary.

    Args:
        speaker: user, assistant, or empty where a language model wrote it.
        words: what it is about.
        length: in words.
        opens: it is the first of its message.
        asks: it is a question.
        kept: it stood in the summary before.
        importance: 1…10 where it states something about the person worth remembering, else 0.
        taboo: that is a safety matter.
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
        """Return the passage as a summary has it: who said it, and what."""
        if self.speaker not in _LABELS:
            return self.text
        english, chinese = _LABELS[self.speaker]
        return (chinese if is_chinese(self.text) else english) + self.text


def of_summary(summary: str, extractor: Extractor) -> Iterator[Passage]:
    """Yield the passages of a summary in their order, whoever wrote it."""
    for line in summary.splitlines():
        speaker, text = _without_label(line)
        if speaker:
            yield from _passages(
                speaker, text, [(0, len(text), text.rstrip().endswith(("?", "？")))], extractor, kept=True
            )
        else:
            yield from _passages("", text, _spans(text), extractor, kept=True)


def of_messages(messages: Sequence[Spoken], extractor: Extractor) -> Iterator[Passage]:
    """Yield the passages of messages in their order: no code, no empty phrases."""
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
    """Return where the sentences of a text are, and whether each asks; code is none."""
    whole = _CODE.sub(lambda found: "\n" * len(found[0]), fold(text))
    whole = _ADDRESS.sub(lambda found: FILLER * len(found[0]), whole)
    return [(sentence.start, sentence.end, sentence.asks) for sentence in sentences(whole)]


def _tidy(sentence: str) -> str:
    """Return a sentence on one line without marks of a list, at most `PASSAGE_CHARACTERS` long."""
    plain = _SPACE.sub(" ", _MARKS.sub("", sentence.strip(), count=1)).strip()
    return shortened(plain, PASSAGE_CHARACTERS)


def shortened(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters, cut after a whole word and marked where it was cut."""
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
