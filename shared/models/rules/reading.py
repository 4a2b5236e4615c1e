"""Reads one message, sentence by sentence, and says which spans state something worth remembering."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from shared.models.rules import framing, memory_requests
from shared.models.rules.chinese import CHINESE
from shared.models.rules.english import ENGLISH
from shared.models.rules.english.words import ABOUT_SAFETY
from shared.models.rules.folding import FILLER
from shared.models.rules.sentences import Clause, Sentence, clauses, sentences
from shared.models.rules.table import Rule, phrase


@dataclass(frozen=True, slots=True)
class Finding:
    """A half-open span, the rule it meets, and whether the person asked to have it remembered."""

    start: int
    end: int
    rule: Rule
    explicit: bool


@dataclass(frozen=True, slots=True)
class _Passage:
    """A sentence, its clauses from their first word on, and whether pasted material or fiction follows them."""

    sentence: Sentence
    clauses: list[Clause]
    opens_material: bool


_NOTE = Rule("note", "", "note")
_SAFETY = Rule("safety", "", "constraint", 9, taboo=True)
_ABOUT_SAFETY = phrase(ABOUT_SAFETY)
_DENIALS = frozenset({"not_allergic", "no_longer", "zh_not_allergic"})
_CJK = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(rf"[\w{FILLER}]")
_BEFORE_WORDS = re.compile(rf"(?:[^\w{FILLER}《]|\d{{1,2}}[.)、](?!\d)){{0,40}}")
_TRAILING = " \t,;:–—-、.!?。…(\"'"
_FULL_STOPS = re.compile(r"[.!。…]{1,10}")
_LEAD_INS_AT_MOST = 6
_SHORTEST_CLAUSE = 2
_SHORTEST_NOTE = 2
_QUESTION_TAIL = 12
_REPORT_TAIL = 40


def findings(own: str) -> list[Finding]:
    """Return what a folded and masked message states, in order; nothing when it asks not to be remembered."""
    found: list[list[Finding]] = []
    previous: _Passage | None = None
    heading = False
    for sentence in sentences(own):
        passage = _passage(own, sentence)
        if any(memory_requests.refuses(own, clause) for clause in passage.clauses):
            return []
        if previous and len(passage.clauses) == 1 and memory_requests.points_back(own, passage.clauses[0]):
            found[-1] = _read(own, previous, explicit=True)
            continue
        if previous and heading and "\n\n" in own[previous.sentence.end : sentence.start]:
            heading = not found[-1]
        found.append(_read(own, passage, explicit=heading))
        if passage.opens_material:
            break
        heading = heading or _is_heading(own, passage)
        previous = passage
    return [finding for one_sentence in found for finding in one_sentence]


def _passage(own: str, sentence: Sentence) -> _Passage:
    kept: list[Clause] = []
    for clause in clauses(own, sentence):
        if clause.end - clause.start < _SHORTEST_CLAUSE:
            continue
        start = _statement_start(own, clause)
        if framing.MATERIAL.match(own, start, sentence.end) or framing.ROLE_PLAY.match(own, start, sentence.end):
            return _Passage(sentence, kept, opens_material=True)
        head = kept[-1] if kept else None
        if head and framing.STANDING_HEAD.match(own, head.start, head.end):
            kept[-1] = Clause(head.start, clause.end, head.joint)  # "from now on, …" is one order
        else:
            kept.append(Clause(start, clause.end, clause.joint))
    return _Passage(sentence, kept, opens_material=False)


def _is_heading(own: str, passage: _Passage) -> bool:
    """Tell whether the sentence is "Remember this:", so that the lines below it are to be remembered."""
    if not passage.clauses:
        return False
    first = passage.clauses[0]
    content = memory_requests.content_start(own, first.start, first.end)
    if content is None or own[content : passage.sentence.end].strip(_TRAILING):
        return False
    return ":" in own[first.start : passage.sentence.end] or own.startswith(("以下", "下面"), content - 2)


def _read(own: str, passage: _Passage, *, explicit: bool) -> list[Finding]:
    """Return what one sentence states; with `explicit`, all of it was asked to be remembered."""
    statements = _own_statements(own, passage)
    if len(statements) > 1 and memory_requests.points_back(own, statements[-1]):
        statements, explicit = statements[:-1], True
    found: list[Finding] = []
    for position, clause in enumerate(statements):
        content = memory_requests.content_start(own, clause.start, clause.end)
        if content is not None:
            opening = replace(clause, start=_statement_start(own, replace(clause, start=content)))
            return [*found, *_asked_for(own, passage.sentence, [opening, *statements[position + 1 :]], led_in=True)]
        if explicit:
            return _asked_for(own, passage.sentence, statements, led_in=False)
        found += _stated(own, passage.sentence, clause, explicit=False)
    if passage.sentence.asks and not found:
        found += _urgent(own, passage)
    return found


def _own_statements(own: str, passage: _Passage) -> list[Clause]:
    """Return the clauses in which the person may state something: no question, hypothesis or report."""
    parts, asks = passage.clauses, passage.sentence.asks
    if not parts:
        return []
    first = parts[0]
    if memory_requests.content_start(own, first.start, first.end) is not None:
        return parts
    if framing.HYPOTHESIS.match(own, first.start, first.end):
        if not framing.HARMLESS_CONDITION.match(own, first.start, first.end):
            return []
        parts = [part for part in parts[1:] if part.joint.startswith((",", "—"))]
    if asks:
        if framing.ASKING.match(own, first.start, first.end):
            return []
        parts = parts[: -2 if _is_tagged(own, parts) else -1]
    another_voice = framing.REPORT.match(own, first.start, first.end) or framing.WORK.match(own, first.start, first.end)
    kept: list[Clause] = []
    before: Clause | None = None
    for part in parts:
        quoted = before and framing.REPORT_ENDS.search(own, max(before.start, before.end - _REPORT_TAIL), before.end)
        if not quoted and not (another_voice and part.joint and "," not in part.joint):
            kept.append(part)
        before = part
    return kept


def _is_tagged(own: str, parts: list[Clause]) -> bool:
    return len(parts) > 1 and framing.TAG.match(own, parts[-1].start, parts[-1].end) is not None


def _urgent(own: str, passage: _Passage) -> list[Finding]:
    """Return the safety matters a question mentions in passing: "What can I cook, I'm allergic to nuts?"."""
    first = passage.clauses[0] if passage.clauses else None
    if first is None or framing.HYPOTHESIS.match(own, first.start, first.end) or _is_tagged(own, passage.clauses):
        return []
    said = [part for part in passage.clauses[1:] if part.joint.startswith(",")]
    found = [finding for part in said for finding in _stated(own, passage.sentence, part, explicit=False)]
    return [finding for finding in found if finding.rule.taboo and not finding.rule.standing]


def _stated(own: str, sentence: Sentence, clause: Clause, *, explicit: bool) -> list[Finding]:
    """Return the clause as a finding when a rule matches it; one that names an allergy is a safety matter."""
    end = _trimmed_end(own, clause.start, clause.end)
    if end <= clause.start:
        return []
    rule = None
    if _CJK.search(own, clause.start, end):
        if framing.ASKING_INSIDE.search(own, max(clause.start, end - _QUESTION_TAIL), end):
            return []
        rule = CHINESE.first_match(own, clause.start, end)
    rule = rule or ENGLISH.first_match(own, clause.start, end)
    if rule is None:
        return []
    if not rule.taboo and rule.name not in _DENIALS and _ABOUT_SAFETY.search(own, clause.start, end):
        rule = _SAFETY
    return [Finding(clause.start, _with_full_stop(own, sentence, end), rule, explicit)]


def _asked_for(own: str, sentence: Sentence, parts: list[Clause], *, led_in: bool) -> list[Finding]:
    """Return what the person asked to have remembered: each statement by its rule, the words between as notes.

    `led_in` says that the first clause stood behind "remember that", so that it is no request of another kind.
    """
    if framing.HYPOTHESIS.match(own, parts[0].start, parts[0].end):
        return _note(own, sentence, parts[0].start, sentence.end)
    found: list[Finding] = []
    note: Clause | None = None
    for position, part in enumerate(parts):
        if _trimmed_end(own, part.start, part.end) <= part.start:
            continue  # "remember, …": the content is in the clauses after it
        stated = _stated(own, sentence, part, explicit=True)
        asked_for_itself = led_in and position == 0
        if not stated and (asked_for_itself or not framing.REQUEST.match(own, part.start, part.end)):
            note = replace(note, end=part.end) if note else part
            continue
        if note:
            found += _note(own, sentence, note.start, note.end)
            note = None
        found += stated
    return [*found, *_note(own, sentence, note.start, note.end)] if note else found


def _note(own: str, sentence: Sentence, start: int, end: int) -> list[Finding]:
    end = _trimmed_end(own, start, end)
    if end - start < _SHORTEST_NOTE or not _WORD.search(own, start, end):
        return []
    rule = _SAFETY if _ABOUT_SAFETY.search(own, start, end) else _NOTE
    return [Finding(start, _with_full_stop(own, sentence, end), rule, explicit=True)]


def _statement_start(own: str, clause: Clause) -> int:
    """Return where the statement in `clause` begins, past bullets, emoji and lead-ins such as "by the way,"."""
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


def _trimmed_end(own: str, start: int, end: int) -> int:
    body = own[start:end].rstrip(_TRAILING)
    if body.endswith(")") and "(" not in body:
        body = body[:-1].rstrip(_TRAILING)
    return start + len(body)


def _with_full_stop(own: str, sentence: Sentence, end: int) -> int:
    stops = None if sentence.asks else _FULL_STOPS.match(own, end, sentence.end)
    return end if stops is None else stops.end()
