"""Reads one message, passage by passage, and says which spans state something worth remembering."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from shared.models.rules import code_switching, framing, importance, memory_requests
from shared.models.rules.chinese import CHINESE_STYLE
from shared.models.rules.english import ENGLISH, ENGLISH_STYLE
from shared.models.rules.english.words import ABOUT_SAFETY
from shared.models.rules.folding import FILLER
from shared.models.rules.passages import (
    Passage,
    is_tagged,
    own_statements,
    passages,
    statement_start,
    trimmed_end,
    with_full_stop,
)
from shared.models.rules.sentences import Clause, Sentence
from shared.models.rules.subjects import rule_behind_front, rule_with, rule_with_its_subject, subject_of
from shared.models.rules.table import Rule, phrase


@dataclass(frozen=True, slots=True)
class Finding:
    """A half-open span, the rule it meets, and whether the person asked to have it remembered.

    `subject` goes before the span where its words leave it out.
    """

    start: int
    end: int
    rule: Rule
    explicit: bool
    subject: str = ""


_NOTE = Rule("note", "", "note", importance.NOTE)
_SAFETY = Rule("safety", "", "constraint", importance.SAFETY, taboo=True)
_ASKED_FOR_GOOD = Rule("zh_asked_for_good", "", "preference")
_ABOUT_SAFETY = phrase(ABOUT_SAFETY)
_DENIALS = frozenset({"not_allergic", "no_longer", "zh_not_allergic"})
_LASTING = frozenset({"always", "never", "stop", "taboo_order", "standing_order", "not_with_me"})
"""Rules that tell a lasting wish even when it is put as a question."""
_ORDERS = frozenset(
    {
        *("whenever", "from_now_on", "always", "standing_order", "want_you_to", "keep_answers", "style"),
        *("zh_from_now_on", "zh_always", "zh_order_for_good", "zh_style", "zh_do_not", "zh_do_not_give"),
    }
)
"""Rules for how to answer; what follows in their sentence belongs to the order."""
_TASK_NOTE = phrase(
    r"\b(?:poem|essay|story|function|loop|array|variable|word (?:limit|count)|rules?|syllables?|formula|paragraph|title"
    r"|character|semicolon|comma|syntax|exercise|step \d|index|example)\b"
    r"|题目|规则|格式|字数|公式|上面|上述|代码|变量|函数|参数|语法|标点|分号|缩进|作文|主角|从0开始"
)
"""Wording of what somebody should keep in mind for the task at hand."""
_CJK = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(rf"[\w{FILLER}]")
_SHORTEST_NOTE = 2
_QUESTION_TAIL = 12
_JOINT_SLACK = 2
"""Spaces and marks that may stand between a finding and the clause after it, besides their joint."""


def findings(own: str) -> list[Finding]:
    """Return what a folded and masked message states, in order; nothing when it asks not to be remembered."""
    read = passages(own)
    if any(memory_requests.refuses(own, clause) for passage in read for clause in passage.clauses):
        return []
    return _Reader(own, read).read()


class _Reader:
    """Reads the passages of one message in order; what one says decides how the next is understood."""

    def __init__(self, own: str, read: list[Passage]) -> None:
        self._own = own
        self._passages = read
        self._subject = ""
        self._orders_stand: bool | None = None

    def read(self) -> list[Finding]:
        """Return what the message states."""
        own = self._own
        found: list[list[Finding]] = []
        previous: Passage | None = None
        heading = False
        for passage in self._passages:
            if previous and len(passage.clauses) == 1 and memory_requests.points_back(own, passage.clauses[0]):
                found[-1] = self._read_passage(previous, explicit=True)
                continue
            if previous and heading and "\n\n" in own[previous.sentence.end : passage.sentence.start]:
                heading = not found[-1]
            found.append(self._read_passage(passage, explicit=heading))
            heading = heading or self._is_heading(passage)
            previous = passage
        return [finding for one_sentence in found for finding in one_sentence]

    def _is_heading(self, passage: Passage) -> bool:
        """Tell whether the sentence is "Remember this:", so that the lines below it are to be remembered."""
        own = self._own
        if not passage.clauses:
            return False
        first = passage.clauses[0]
        content = memory_requests.content_start(own, first.start, first.end)
        if content is None or trimmed_end(own, content, passage.sentence.end) > content:
            return False
        return ":" in own[first.start : passage.sentence.end] or own.startswith(("以下", "下面"), content - 2)

    def _read_passage(self, passage: Passage, *, explicit: bool) -> list[Finding]:
        """Return what one sentence states; with `explicit`, all of it was asked to be remembered."""
        own = self._own
        statements = own_statements(own, passage)
        if not statements:
            self._subject = ""
        if len(statements) > 1 and memory_requests.points_back(own, statements[-1]):
            statements, explicit = statements[:-1], True
        found: list[Finding] = []
        for position, clause in enumerate(statements):
            content = memory_requests.content_start(own, clause.start, clause.end)
            if content is not None:
                opening = replace(clause, start=statement_start(own, replace(clause, start=content)), head=None)
                asked = self._asked_for(passage.sentence, [opening, *statements[position + 1 :]], led_in=True)
                return [*found, *asked]
            if explicit:
                return self._asked_for(passage.sentence, statements, led_in=False)
            self._add(found, passage.sentence, clause)
        if passage.sentence.asks and not found:
            found += self._asked_politely(passage) or self._urgent(passage)
        return found

    def _add(self, found: list[Finding], sentence: Sentence, clause: Clause) -> None:
        """Add what a clause states, or let it lengthen the finding before it."""
        if found and self._elaborates(found[-1], clause):
            found[-1] = self._extended(sentence, found[-1], clause)
            return
        stated = self._stated(sentence, clause, explicit=False)
        of_a_relative = found and stated and "kin" in found[-1].rule.name and stated[0].subject
        if of_a_relative or (found and not stated and self._belongs_to(found[-1], clause)):
            found[-1] = self._extended(sentence, found[-1], clause)
        else:
            found += stated

    def _belongs_to(self, before: Finding, clause: Clause) -> bool:
        """Tell whether a clause that states nothing of its own goes on about the finding before it."""
        if trimmed_end(self._own, clause.start, clause.end) <= clause.start or not _follows(before, clause):
            return False
        if clause.soft:
            return True
        return before.rule.name in _ORDERS and not framing.REQUEST.match(self._own, clause.start, clause.end)

    def _elaborates(self, before: Finding, clause: Clause) -> bool:
        """Tell whether a clause only says more about what the finding before it names: "……，叫汤圆"."""
        if not _follows(before, clause):
            return False
        return framing.ELABORATION.match(self._own, clause.start, clause.end) is not None

    def _extended(self, sentence: Sentence, before: Finding, clause: Clause) -> Finding:
        end = trimmed_end(self._own, clause.start, clause.end)
        return replace(before, end=with_full_stop(self._own, sentence, end))

    def _asked_politely(self, passage: Passage) -> list[Finding]:
        """Return a standing order in the form of a question: "Could you always answer in French?"."""
        own, first = self._own, passage.clauses[0] if passage.clauses else None
        if first is None:
            return []
        end = trimmed_end(own, first.start, first.end)
        if framing.POLITE_QUESTION_ZH.match(own, first.start, end):
            return [Finding(first.start, end, _ASKED_FOR_GOOD, explicit=False)]
        asking = framing.POLITE_QUESTION.match(own, first.start, end)
        rule = ENGLISH.first_match(own, asking.end(), end) if asking else None
        return [Finding(first.start, end, rule, explicit=False)] if rule and rule.name in _LASTING else []

    def _urgent(self, passage: Passage) -> list[Finding]:
        """Return the safety matters a question mentions in passing: "What can I cook, I'm allergic to nuts?"."""
        own = self._own
        first = passage.clauses[0] if passage.clauses else None
        if first is None or framing.HYPOTHESIS.match(own, first.start, first.end) or is_tagged(own, passage.clauses):
            return []
        said = [part for part in passage.clauses[1:] if part.joint.startswith(",") and not part.soft]
        found = [finding for part in said for finding in self._stated(passage.sentence, part, explicit=False)]
        return [one for one in found if one.rule.taboo and not one.rule.standing and not one.subject]

    def _stated(self, sentence: Sentence, clause: Clause, *, explicit: bool) -> list[Finding]:
        """Return the clause as a finding when a rule matches it; one that names an allergy is a safety matter."""
        own, start = self._own, clause.start
        end = trimmed_end(own, start, clause.end)
        if end <= start or framing.FOR_GOOD.match(own, start, end):
            return []
        if _CJK.search(own, start, end):
            what_to_do = framing.WHAT_TO_DO.search(own, max(start, end - _QUESTION_TAIL), end)
            end = what_to_do.start() if what_to_do else end
            if framing.ASKING_INSIDE.search(own, max(start, end - _QUESTION_TAIL), end):
                return []
        rule, subject = self._rule(start, end) or rule_behind_front(own, start, end), ""
        if clause.head is not None and (whole := self._rule(clause.head, end) or rule):
            start, rule = clause.head, whole
        if rule is None:
            rule, subject = rule_with(self._subject, own, sentence, clause, end)
        if rule is None:
            return []
        if not subject:
            self._subject = subject_of(own, start, end, rule)
        if not rule.taboo and rule.name not in _DENIALS and _ABOUT_SAFETY.search(own, start, end):
            rule = _SAFETY
        return [Finding(start, with_full_stop(own, sentence, end), rule, explicit, subject)]

    def _rule(self, start: int, end: int) -> Rule | None:
        rule = rule_with_its_subject(self._own, start, end)
        if rule is None and self._orders_hold():
            rule = _order(self._own, start, end)
        return rule

    def _orders_hold(self) -> bool:
        """Tell whether an order counts that does not say how long it holds: the message says so, or is nothing else."""
        if self._orders_stand is None:
            self._orders_stand = False  # while the message is looked at
            self._orders_stand = framing.FOR_GOOD.search(self._own) is not None or self._is_about_answers()
        return self._orders_stand

    def _is_about_answers(self) -> bool:
        if any(passage.sentence.asks or passage.opens_material for passage in self._passages):
            return False
        own, ordered = self._own, False
        for clause in (clause for passage in self._passages for clause in passage.clauses):
            if _order(own, clause.start, clause.end):
                ordered = True
            elif clause.soft or framing.THANKS.match(own, clause.start, clause.end):
                continue
            elif not self._rule(clause.start, clause.end):
                return False
        return ordered

    def _asked_for(self, sentence: Sentence, parts: list[Clause], *, led_in: bool) -> list[Finding]:
        """Return what the person asked to have remembered: each statement by its rule, the words between as notes.

        `led_in` says that the first clause stood behind "remember that", so that it is no request of another kind.
        """
        own = self._own
        if framing.HYPOTHESIS.match(own, parts[0].start, parts[0].end):
            return _note(own, sentence, parts[0].start, sentence.end)
        found: list[Finding] = []
        note: Clause | None = None
        for position, part in enumerate(parts):
            if trimmed_end(own, part.start, part.end) <= part.start:
                continue  # "remember, …": the content is in the clauses after it
            if not note and found and self._elaborates(found[-1], part):
                found[-1] = self._extended(sentence, found[-1], part)
                continue
            stated = self._stated(sentence, part, explicit=True)
            if not stated and not note and found and self._belongs_to(found[-1], part):
                found[-1] = self._extended(sentence, found[-1], part)
                continue
            asked_for_itself = led_in and position == 0
            if not stated and (asked_for_itself or not framing.REQUEST.match(own, part.start, part.end)):
                note = replace(note, end=part.end) if note else part
                continue
            if note:
                found += _note(own, sentence, note.start, note.end)
                note = None
            found += stated
        return [*found, *_note(own, sentence, note.start, note.end)] if note else found


def _follows(before: Finding, clause: Clause) -> bool:
    """Tell whether nothing but their joint stands between a finding and a clause."""
    return 0 <= clause.start - before.end <= len(clause.joint) + _JOINT_SLACK


def _order(own: str, start: int, end: int) -> Rule | None:
    rule = CHINESE_STYLE.first_match(own, start, end) or ENGLISH_STYLE.first_match(own, start, end)
    if rule or not (_CJK.search(own, start, end) and code_switching.has_latin(own[start:end])):
        return rule
    said = code_switching.in_chinese(own[start:end])
    return CHINESE_STYLE.first_match(said, 0, len(said))


def _note(own: str, sentence: Sentence, start: int, end: int) -> list[Finding]:
    end = trimmed_end(own, start, end)
    if end - start < _SHORTEST_NOTE or not _WORD.search(own, start, end) or _TASK_NOTE.search(own, start, end):
        return []
    rule = _SAFETY if _ABOUT_SAFETY.search(own, start, end) else _NOTE
    return [Finding(start, with_full_stop(own, sentence, end), rule, explicit=True)]
