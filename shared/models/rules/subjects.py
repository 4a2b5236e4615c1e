"""Who a statement is about: the subject it names, and the one it leaves to the statement before it."""

from __future__ import annotations

import re
from typing import Final

from shared.models.rules import code_switching, framing
from shared.models.rules.chinese import CHINESE
from shared.models.rules.english import ENGLISH, ellipsis
from shared.models.rules.sentences import Clause, Sentence
from shared.models.rules.table import Rule, phrase

_CLAUSE_READ: Final = 600
"""How much of a clause is read once a subject is put before it, in characters."""
_SUBJECT_WITHIN: Final = 60
"""How far into a statement its subject is looked for, in characters."""

_SAID_ALONE = frozenset(
    {
        *(
            "zh_allergic",
            "zh_no_food",
            "zh_diet",
            "zh_home",
            "zh_pregnant",
            "zh_illness",
            "zh_faith_diet",
            "zh_can_not",
        ),
        *("zh_own", "zh_family", "zh_medicine", "zh_work", "zh_role", "zh_age", "zh_surgery"),
    }
)
"""Rules for what Chinese speakers say of themselves without any "我"."""

_OF_A_PROPERTY = frozenset({"zh_my", "zh_own", "zh_like", "zh_illness", "zh_allergic", "zh_language", "zh_work"})
"""Rules for what English speakers name by a word of theirs, verb or noun: "我是 PM,cover SEA 市场的"."""

_CJK = re.compile(r"[\u4e00-\u9fff]")
_CHINESE_SUBJECT = phrase(r"(?:[^,]{0,16}?)(我们家|我们俩?|我家里?|我这人|我|俺|本人|咱们?家?)")
_ENGLISH_SUBJECT = phrase(r"(?:[^,]{0,40}?\b)(i|we)(?:\b|')")
_RELATIVE = phrase(
    r"我们?家?的?[\u4e00-\u9fff]{1,3}?(?=今年|是|在|有|对|叫|不|也|都|从|已|住|特|很|最|喜|讨|跟|和|刚|快|上|会|每|\d"
    r"|[一二三四五六七八九十]{1,3}岁)"
)
_SUPPLIED_IN_ENGLISH = {"i": ("I ", "I'm "), "we": ("We ", "We're ")}
_ENGLISH_HEAD = phrase(r"I (是|have|)\s*(?:个|只|条|台|部|辆|a )?")
_READ_AS = {"是": ("I am ", "I am a "), "have": ("I have ", "I have a "), "": ("I ", "I'm ")}
"""How an English sentence goes on after "我", "我是", "我有"."""
_UNKNOWN_VERB = re.compile(r"我们?[a-z][\w.-]{0,3}(?:$|了|过|着|完|个|到|在|不|[一两三几\d])", re.ASCII)
_HAS_A_SUBJECT = phrase(r"我|俺|本人|咱|你|您|他|她|它|这|那|有人|(?:i|i'\w{1,2}|my|we|our)\b")
_ASKED_OF_YOU = phrase(r"麻烦|请(?!假|客)|帮我|给我|求|^(?:想|要(?!上|带|吃药)|能|可以|写|翻译|改)")
_ABOUT_OTHERS = re.compile(r"里的|主角|故事|还是|多久|介绍|的人|的菜|的话|患者|帮|请|求|会|的$")


def subject_of(own: str, start: int, end: int, rule: Rule) -> str:
    """Return the subject that a clause after this statement may leave out, "" for none."""
    window = min(end, start + _SUBJECT_WITHIN)
    if rule.name.startswith("zh_kin") and (relative := _RELATIVE.match(own, start, window)):
        return relative[0]
    if found := _CHINESE_SUBJECT.match(own, start, window):
        return found[1]
    if rule.name in {"style", "zh_style"} or "kin" in rule.name:
        return ""
    found = _ENGLISH_SUBJECT.match(own, start, window)
    return found[1] if found else ""


def rule_with(subject: str, own: str, sentence: Sentence, clause: Clause, end: int) -> tuple[Rule | None, str]:
    """Return the rule a clause meets once `subject` is put before it, with what was put there.

    With "" only what Chinese speakers say without any subject counts: "对花生过敏，…".
    """
    said = own[clause.start : min(end, clause.start + _CLAUSE_READ)]
    if _HAS_A_SUBJECT.match(said):
        return None, ""
    if _CJK.search(said) and _CJK.search(subject or "我"):
        if framing.QUESTIONING.search(said) or framing.REQUEST.match(said) or _ASKED_OF_YOU.search(said):
            return None, ""
        supplied = subject or "我"
        retold = code_switching.in_chinese(said)
        rule = CHINESE.first_match(*_whole(supplied + retold), elliptic=True)
        if rule and retold[:1].islower() and rule.name not in _OF_A_PROPERTY:
            return None, ""  # an English word that is no verb is a subject of its own
        if rule and (subject or _stands_alone(sentence, clause, rule, said)):
            return rule, supplied
    elif not clause.joint:
        return _rule_said_alone_in_english(said)
    else:
        for supplied in _SUPPLIED_IN_ENGLISH.get(subject.lower(), ()):
            rule = ENGLISH.first_match(*_whole(supplied + said), elliptic=True)
            if rule:
                return rule, supplied
    return None, ""


def _rule_said_alone_in_english(said: str) -> tuple[Rule | None, str]:
    for text, supplied in ellipsis.with_its_subject(said):
        if rule := ENGLISH.first_match(*_whole(text), elliptic=True):
            return rule, supplied
    return None, ""


def rule_with_its_subject(own: str, start: int, end: int) -> Rule | None:
    """Return the rule a clause meets as it stands.

    A clause of both languages is said in Chinese first, then in English: "我 team 全 remote", "我 prefer oat milk". What
    ties it to the task at hand in the one keeps it out in the other too.
    """
    said = own[start : min(end, start + _CLAUSE_READ)]
    if not _CJK.search(said):
        return ENGLISH.first_match(own, start, end)
    if not code_switching.has_latin(said):
        return CHINESE.first_match(own, start, end) or ENGLISH.first_match(own, start, end)
    chinese = code_switching.in_chinese(said)
    rule = CHINESE.first_match(*_whole(chinese))
    if rule and not (rule.name == "zh_plain" and _UNKNOWN_VERB.match(chinese)):
        return rule
    if CHINESE.is_about_task(*_whole(chinese)):
        return None
    return _said_in_english(own, start, end) or _said_in_english(*_whole(code_switching.in_english(said)))


def rule_behind_front(own: str, start: int, end: int) -> Rule | None:
    """Return the rule met behind what stands in front of the subject: "after my divorce I …" / "工作邮件我……"."""
    if before := framing.FRONT.match(own, start, end):
        rule = ENGLISH.first_match(own, before.end(), end)
        return rule if rule and not ENGLISH.is_about_task(own, start, end) else None
    said = own[start : min(end, start + _CLAUSE_READ)]
    if not _CJK.search(said):
        return None
    chinese = code_switching.in_chinese(said)
    if before := framing.FRONT_ZH.match(chinese):
        rule = CHINESE.first_match(chinese, before.end(), len(chinese))
        return rule if rule and not CHINESE.is_about_task(*_whole(chinese)) else None
    return None


def _said_in_english(text: str, start: int, end: int) -> Rule | None:
    """Return the rule of an English sentence with Chinese words in it; the plain one tells nothing there."""
    subject = _ENGLISH_HEAD.match(text, start, end)
    rest = text[subject.end() if subject else start : end]
    for supplied in _READ_AS[subject[1]] if subject else ("",):
        if supplied == "I am a " and _CJK.search(rest):
            continue  # an article makes a role of whatever stands behind it
        rule = ENGLISH.first_match(*_whole(supplied + rest))
        if rule and rule.name != "plain":
            return rule
    return None


def _whole(text: str) -> tuple[str, int, int]:
    return text, 0, len(text)


def _stands_alone(sentence: Sentence, clause: Clause, rule: Rule, said: str) -> bool:
    """Tell whether a clause without a subject is a statement about the speaker."""
    if clause.joint or clause.soft or rule.name not in _SAID_ALONE:
        return False
    return not _ABOUT_OTHERS.search(said) and not (sentence.asks and clause.end == sentence.end)
