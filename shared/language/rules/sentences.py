"""Sentence and clause boundaries in English, Chinese and mixed text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shared.language.rules.phrases import phrase
from shared.language.words import word_lists

_WORDS: Final = word_lists("sentences")


@dataclass(frozen=True, slots=True)
class Clause:
    """A half-open span; `joint` is the text that joins it to the clause before ("" for the first).

    `soft` means that it may also be part of the clause before: it shares its subject, or is no statement at all. `head`
    is the start of its condition, if that is the clause before: "when I cook, …".
    """

    start: int
    end: int
    joint: str
    soft: bool = False
    head: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A half-open span with its closing punctuation; `asks` is true for a question."""

    start: int
    end: int
    asks: bool


_CLOSING = re.compile(r"[.!?。…;\n]+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|dr|mr|mrs|ms|st|vs|approx|prof|inc|ltd|jr|sr)|(?-i:\b[A-Z]))$", re.IGNORECASE
)
_UNSPACED_STATEMENT = re.compile(r"(?:I|My)\b['\s]")
_NEW_STATEMENT = re.compile(r"\s{1,3}(?:I|My)\b")
_CJK: Final = _WORDS["cjk"]
_CJK_CHARACTER = re.compile(f"[{_CJK}]")

_JOINT = phrase(_WORDS["joint"])
_SOFT_JOINT = phrase(_WORDS["soft_joint"])
"""Where a statement may continue without repeating its subject: "I live in Rome and work at the zoo"."""
_RUN_ON = phrase(_WORDS["run_on"])
"""Where a question begins after a statement without a comma."""
_EVERY_COMMA = re.compile(rf",|(?<=[{_CJK}])[ ]{{1,3}}(?=[{_CJK}])")


def sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a folded and masked message, in order; line ends close a sentence but are not included."""
    start = 0
    for closing in _CLOSING.finditer(text):
        if not _closes(text, closing):
            continue
        line_end = closing[0].find("\n")
        end = closing.end() if line_end < 0 else closing.start() + line_end
        if end > start:
            yield Sentence(start, end, asks="?" in closing[0])
        start = closing.end()
    if start < len(text):
        yield Sentence(start, len(text), asks=False)


def _closes(text: str, closing: re.Match[str]) -> bool:
    """Return whether punctuation ends a sentence, unlike the points in `3.5`, `Node.js` and `Dr. Li`."""
    if closing[0].strip("."):
        return True
    after = text[closing.end() : closing.end() + 1]
    if after and not after.isspace() and not _CJK_CHARACTER.match(after):
        before = text[max(0, closing.start() - 1)]
        return before.islower() and _UNSPACED_STATEMENT.match(text, closing.end()) is not None
    if not _ABBREVIATION.search(text, max(0, closing.start() - 8), closing.start()):
        return True
    return not after or _NEW_STATEMENT.match(text, closing.end()) is not None


def clauses(text: str, sentence: Sentence) -> list[Clause]:
    """Return the clauses of `sentence`, in order; it is split only where a new statement or request begins.

    A list ("cats, dogs and birds") stays whole. A Chinese question is split at every comma, because only its last part
    asks. Where several breaks coincide, the hard one wins.
    """
    parts: list[Clause] = []
    start, joint, soft = sentence.start, "", False
    for begins, ends, shares in _breaks(text, sentence):
        if begins > start:
            parts.append(Clause(start, begins, joint, soft))
            start, joint, soft = ends, text[begins:ends], shares
    parts.append(Clause(start, sentence.end, joint, soft))
    return parts


def _breaks(text: str, sentence: Sentence) -> Iterator[tuple[int, int, bool]]:
    """Yield clause breaks as (end of one, start of the next, whether soft), in order."""
    span = (text, sentence.start, sentence.end)
    chinese = _CJK_CHARACTER.search(*span) is not None
    hard = [(found.start(), found.end(), False) for found in _JOINT.finditer(*span)]
    if sentence.asks and not chinese and (comma := text.rfind(",", sentence.start, sentence.end)) >= 0:
        hard.append((comma, comma + 1, False))
    if sentence.asks:
        hard += [
            (found.start(), found.end(), False) for found in (_EVERY_COMMA if chinese else _RUN_ON).finditer(*span)
        ]
    soft = [(found.start(), found.end(), True) for found in _SOFT_JOINT.finditer(*span)]
    last = sentence.start
    for begins, ends, shares in sorted([*hard, *soft]):
        if begins >= last:
            yield begins, ends, shares
            last = ends
