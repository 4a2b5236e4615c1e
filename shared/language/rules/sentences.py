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
_CJK = r"\u4e00-\u9fff"
_CJK_CHARACTER = re.compile(f"[{_CJK}]")

_PROHIBITING = _WORDS["prohibiting"]
_I = r"(?:i|i'?m|i'?ve|i'?d)\b(?!\.e)"
_MY = _WORDS["my"]
_AFTER_COMMA = (
    rf"(?:{_I}|{_MY}|{_PROHIBITING}|please\b|call me\b|you\b|he\b|she\b|they\b|we\b|it(?:'s)?\b|there\b|this\b"
    r"|that'?s\b"
    r"|can\b|could\b|would\b|should\b|will\b|what\b|what's|how\b|where\b|which\b|who\b|why\b|when (?:can|do|is"
    r"|should)\b"
    r"|is (?:there|it|that|this)\b|are (?:there|you)\b|do (?:you|i)\b|does\b|did\b|any \w|thanks?\b|tell me|give me"
    r"|help me|write (?:me|a)\b|let(?:'s| me)\b|show me|suggest\b|recommend\b|explain\b|remember\b|right\W{0,3}$"
    r"|correct\W{0,3}$|(?:english|chinese|korean|japanese|full) name\b|aren'?t i"
    r"|don'?t i|isn'?t|from now on\b|我|本人|请|别|不要|千万|绝对|永远|以后|今后|叫我|你|他|她|记(?:住|一下|下)"
    r"|帮|能不能|可以|有没有|有什么"
    r"|怎么|为什么|什么|那|这|今天|如果|推荐|谢谢|预算)"
)
_AFTER_WORD = rf"(?:{_I}|{_MY}|{_PROHIBITING}|please\b|call me\b|can you\b|could you\b|we(?:'re|'ve)?\b|nobody\b|我|请)"
_LATIN_WORD = r"[A-Za-z][A-Za-z0-9.+#'/-]{0,20}"
_JOINT = phrase(
    rf"[,、—–]\s*(?:(?:and|but|so|because|since|also|plus|yet|though|although|while|whereas)\b,?\s+"
    rf"|而且|并且|但是|但|所以|因为|由于|同时|另外|还有|不过|可是|因此|然后|只是|毕竟|加上)?(?={_AFTER_COMMA})"
    rf"|\s(?:and|but|so|because|since(?! i was| i'?ve| i started| i moved| my)|although|though|while|whereas"
    rf"|-)\s+(?:also |now |then )?(?={_AFTER_WORD})"
    rf"|(?<=[{_CJK}\d])\s+(?=我|请|叫我|千万|记住)"
    rf"|,\s*(?:而且|并且|但是|但|所以|因为|由于|同时|另外|不过|可是|因此|然后|只是|毕竟"
    rf"|加上)?(?=[{_CJK}])(?!和|或|及|以及|与)"
    rf"|(?<=[{_CJK}]) (?=[{_CJK}])"
    r"|(?:而且|并且|但是|但|所以|因为|同时|另外|不过|可是|因此)(?=我|请)"
)
_SOFT_JOINT = phrase(
    r"(?:,(?: and| but)?| and| but) (?:also |then |now |i )?(?=(?:can'?t|cannot|don'?t|never|always|usually"
    r"|mostly|currently"
    r"|work(?:ing)?|live|living|have|am|was|born|love|like|hate|dislike|prefer|speak|use|drive|play|take|eat"
    r"|drink|moved|quit"
    r"|got|started|left|study|studying|teach|run|go|collect|married|single|divorced|retired|allergic|vegan"
    r"|vegetarian|pregnant"
    r"|diabetic|based|originally|own|rent|smoke|wear)\b(?! of\b| it\b))"
    rf"|,\s*(?={_LATIN_WORD}(?: {_LATIN_WORD}){{0,2}} ?(?![和或及与跟、]|以及|还有|之类|等)[{_CJK}])"
)
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
