"""Sentences, their clauses, and which of these are the person's statements: no question, hypothesis, report, fiction."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from shared.language.rules import framing, memory_requests
from shared.language.rules.folding import FILLER
from shared.language.rules.sentences import Clause, Sentence, clauses, sentences


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, its clauses without leading marks, and whether pasted material or fiction follows."""

    sentence: Sentence
    clauses: list[Clause]
    opens_material: bool


_BEFORE_WORDS = re.compile(rf"(?:[^\w{FILLER}《]|\d{{1,2}}[.)、](?!\d)){{0,40}}")
_TRAILING = " \t,;:–—-、.!?。…(\"'"
_FULL_STOPS = re.compile(r"[.!。…]{1,10}")
_LEAD_INS_AT_MOST = 6
_SHORTEST_CLAUSE = 2
_REPORT_TAIL = 40
_COURTESY_TAIL = 12
_COURTESY = re.compile(r"(?<=[\w,.!])\s{0,2}(?:(?<!\w)(?:thx|thanks|ty|tks)|谢谢|谢啦|多谢)$", re.IGNORECASE)


def passages(own: str) -> list[Passage]:
    """Return the passages of a folded and masked message up to the one that opens material or fiction."""
    read: list[Passage] = []
    for sentence in sentences(own):
        read.append(_passage(own, sentence))
        if read[-1].opens_material:
            break
    return read


def own_end(own: str) -> int:
    """Return where the person's own words in a folded and masked message end: pasted material or fiction follows."""
    read = passages(own)
    if not read or not read[-1].opens_material:
        return len(own)
    last = read[-1]
    return last.clauses[-1].end if last.clauses else last.sentence.start


def _passage(own: str, sentence: Sentence) -> Passage:
    kept: list[Clause] = []
    for clause in clauses(own, sentence):
        if clause.end - clause.start < _SHORTEST_CLAUSE:
            continue
        start = statement_start(own, clause)
        if framing.MATERIAL.match(own, start, sentence.end) or framing.ROLE_PLAY.match(own, start, sentence.end):
            return Passage(sentence, kept, opens_material=True)
        if not kept and framing.SUPPOSING.match(own, start, sentence.end):
            return Passage(sentence, [], opens_material=True)
        head = kept[-1] if kept else None
        if head and _is_one_with(own, head, clause):
            kept[-1] = replace(head, end=clause.end)
        elif head and framing.CONDITION_HEAD.match(own, head.start, head.end):
            kept.append(replace(clause, start=start, soft=False, head=head.start))
        else:
            kept.append(replace(clause, start=start))
    return Passage(sentence, kept, opens_material=False)


def _is_one_with(own: str, head: Clause, clause: Clause) -> bool:
    """Return whether two clauses belong together: "from now on, …" is one order, "my husband and I …" one subject."""
    if "and" in clause.joint and framing.COUPLE.match(own, head.start, head.end):
        return True
    return framing.STANDING_HEAD.match(own, head.start, head.end) is not None


def own_statements(own: str, passage: Passage) -> list[Clause]:
    """Return the clauses in which the person may state something: no question, hypothesis or report."""
    parts, asks = passage.clauses, passage.sentence.asks
    if not parts:
        return []
    first = parts[0]
    if memory_requests.content_start(own, first.start, first.end) is not None:
        return parts[:-1] if asks and is_tagged(own, parts) else parts
    if framing.NOT_MINE.match(own, first.start, first.end):
        return []
    if framing.HYPOTHESIS.match(own, first.start, first.end):
        if not framing.HARMLESS_CONDITION.match(own, first.start, first.end):
            return []
        parts = [part for part in parts[1:] if part.joint.startswith((",", "—"))]
    if asks:
        if framing.ASKING.match(own, first.start, first.end):
            return []
        parts = _before_the_question(own, parts)
    another_voice = framing.REPORT.match(own, first.start, first.end) or framing.WORK.match(own, first.start, first.end)
    kept: list[Clause] = []
    before: Clause | None = None
    for part in parts:
        quoted = before and framing.REPORT_ENDS.search(own, max(before.start, before.end - _REPORT_TAIL), before.end)
        if not quoted and not (another_voice and part.joint and "," not in part.joint):
            kept.append(part)
        before = part
    return kept


def _before_the_question(own: str, parts: list[Clause]) -> list[Clause]:
    """Return the clauses before the question; a tag also makes the clause before it a question."""
    for _ in range(2 if is_tagged(own, parts) else 1):
        while parts and parts[-1].soft:
            parts = parts[:-1]
        parts = parts[:-1]
    return parts


def is_tagged(own: str, parts: list[Clause]) -> bool:
    """Return whether the last clause is only a tag such as "right?" or "对吗？"."""
    return len(parts) > 1 and framing.TAG.match(own, parts[-1].start, parts[-1].end) is not None


def statement_start(own: str, clause: Clause) -> int:
    """Return where the statement in `clause` begins, after bullets, emoji and lead-ins such as "by the way,"."""
    start = _past_marks(own, clause.start, clause.end)
    for _ in range(_LEAD_INS_AT_MOST):
        lead_in = framing.LEAD_IN.match(own, start, clause.end)
        if lead_in is None:
            break
        start = _past_marks(own, lead_in.end(), clause.end)
    return start


def _past_marks(own: str, start: int, end: int) -> int:
    marks = _BEFORE_WORDS.match(own, start, end)
    return start if marks is None else marks.end()


def trimmed_end(own: str, start: int, end: int) -> int:
    """Return the end of a clause without closing punctuation and thanks."""
    body = own[start:end].rstrip(_TRAILING)
    if courtesy := _COURTESY.search(body, max(0, len(body) - _COURTESY_TAIL)):
        body = body[: courtesy.start()].rstrip(_TRAILING)
    if body.endswith(")") and "(" not in body:
        body = body[:-1].rstrip(_TRAILING)
    return start + len(body)


def with_full_stop(own: str, sentence: Sentence, end: int) -> int:
    """Return `end` moved past the full stop after it, if the sentence is not a question."""
    stops = None if sentence.asks else _FULL_STOPS.match(own, end, sentence.end)
    return end if stops is None else stops.end()
