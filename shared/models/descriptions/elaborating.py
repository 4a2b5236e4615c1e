"""Whether a clause goes on, within its sentence, about what the clause before it is about."""

from __future__ import annotations

import re
from typing import Final

import rjieba

from shared.models.descriptions.following import OWN_SUBJECT_ZH, SUBJECT_WORD, turns_away
from shared.models.descriptions.reading import ASIDE, HAN, Clause
from shared.models.relations.subjects import FIRM, ME

_GOES_ON_ZH: Final = re.compile(
    r"^(?:名?叫|名字|小名|大名|昵称|尤其|特别是|比如|例如|包括|就是|也就是|是(?:一|个|只|我)|今年|已经?|才|刚满|毛色|品种|性格|长得|很|特别|非常|有点|超|密码|号码|编号|地址|预算|价格|房租|费用|面积|颜色|品牌|型号|时间|地点|合同|医生说|老师说|教练说)"
)
_SAYS_AGAIN_ZH: Final = re.compile(r"尤其|特别是|比如|例如|包括|就是|也就是")
_BECAUSE: Final = re.compile(
    r"^[,;\s]*(?:(?:so|because|since|which|who|where|whose|that's why|that is why|therefore)\b|所以|因此|因为|于是|结果|害得|搞得)"
)
_ADDS: Final = re.compile(r"\b(?:and|while|whereas|although|though|plus|yet)\b|而且|并且|但|不过|同时|也|还")
_CONTRASTS: Final = re.compile(r"\bbut\b")
_SETS_BESIDE: Final = re.compile(r"^[,;]?\s*(?:and\s+)?$")
_MINE: Final = re.compile(r"^(?:my|our)\b")
_SPEAKER_ZH: Final = re.compile(
    r"^(?:而且|所以|因为|然后|后来|最近|现在|平时|每天|今天|昨天)*(?:我们?|咱们?)(?![的家妈爸姐哥弟妹爷奶外]|同事|同学|朋友|室友|老公|老婆|儿子|女儿|对象|男友|女友)"
)
_ANYBODY_ZH: Final = re.compile(r"大家|别人|对方|人家")
_BY_NOW: Final = ("现在", "目前", "如今", "后来", "将来", "以后")
_MY_VALUE_ZH: Final = re.compile(r"^我们?的[^,]{1,8}[是叫]")
_ABOUT_ITS_OWNER: Final = re.compile(r"^我(?!的)")
_MY_THING_ZH: Final = re.compile(r"^我们?的?[\u4e00-\u9fff]")
_VERBS: Final = frozenset("is was has had does also now got can will who which".split())


def breaks_off(clause: Clause) -> bool:
    """Return whether a clause turns to something else and says so: "by the way", "对了"."""
    return ASIDE.match(clause.text, clause.joint) is not None


def elaborates(before: Clause, clause: Clause, *, introduced: bool, attribute: bool) -> bool:
    """Return whether a clause goes on about what the one before it in the same sentence is about.

    Args:
        introduced: whether what is meant was named by what it is to the speaker: "我同桌叫高歌,…".
        attribute: whether only one thing about it is meant.
    """
    chinese = HAN.search(clause.said[:6]) is not None
    about_it = _is_about_it(before, introduced=introduced)
    if clause.soft or (not chinese and not SUBJECT_WORD.search(clause.said) and _is_verbal(clause)):
        return about_it
    if attribute:
        return chinese and _SAYS_AGAIN_ZH.match(clause.said) is not None
    if _BECAUSE.search(clause.text[clause.joint : clause.end]):
        return True
    return _elaborates_zh(before, clause, about_it=about_it) if chinese else _elaborates_en(before, clause)


def introduces(before: Clause, clause: Clause) -> bool:
    """Return whether a Chinese sentence begins with a clause without a subject: "膝盖积液,马拉松训练先停了"."""
    if not (HAN.match(before.said) and HAN.match(clause.said)) or before.joint != before.start:
        return False
    nobody = OWN_SUBJECT_ZH.search(before.said) is None and "我" not in before.said and not turns_away(before)
    return nobody and not OWN_SUBJECT_ZH.search(clause.said) and not _adds_zh(clause)


def _elaborates_en(before: Clause, clause: Clause) -> bool:
    """Return whether a clause was set after another by a mere comma, and turns to nobody else's affairs."""
    if clause.said.startswith("the ") and _SETS_BESIDE.match(clause.joins):
        return True
    begins = clause.words[0] if clause.words else None
    if begins is not None and begins.capital and SUBJECT_WORD.match(clause.said) is None:
        return False  # "…, Mia has maths with Mr Ode"
    if _ADDS.search(clause.joins) or _MINE.search(clause.said):
        return False
    speaker, told = SUBJECT_WORD.match(clause.said), SUBJECT_WORD.match(before.said)
    if speaker and told:  # "I joined a club, we meet …" goes on, "I'm vegan, I drive …" does not
        return speaker[0][0] != told[0][0] and not _CONTRASTS.search(clause.joins)
    if speaker:
        return not (_CONTRASTS.search(clause.joins) and _MINE.search(before.said))
    return not turns_away(clause) and not _CONTRASTS.search(clause.joins)


def _elaborates_zh(before: Clause, clause: Clause, *, about_it: bool) -> bool:
    if OWN_SUBJECT_ZH.search(clause.said) and not _ANYBODY_ZH.match(clause.said):
        speaks = _SPEAKER_ZH.search(clause.said) is not None
        return (
            speaks
            and not _SPEAKER_ZH.search(before.said)
            and not _MY_VALUE_ZH.match(before.said)
            and not _adds_zh(clause)
        )
    if _GOES_ON_ZH.search(clause.said):
        return True
    if about_it:
        return not _turns_to_somebody(clause) and not _has_its_own_noun(before, clause)
    return not _adds_zh(clause) and not _turns_to_somebody(clause) and not clause.said.startswith(_BY_NOW)


def _adds_zh(clause: Clause) -> bool:
    return _ADDS.search(clause.joins + clause.said[:2]) is not None


def _turns_to_somebody(clause: Clause) -> bool:
    """Return whether a Chinese clause is about somebody by name or kin; "老师只收现金" goes on about the course."""
    return turns_away(clause) and (clause.subject.startswith("?") or "relative" in clause.kinds)


def _is_about_it(clause: Clause, *, introduced: bool) -> bool:
    """Return whether what is meant is who or what a clause is about, and not its speaker."""
    if clause.subject != ME:
        return True
    if SUBJECT_WORD.search(clause.said) and not _MY_THING_ZH.search(clause.said):
        return False
    return introduced or _ABOUT_ITS_OWNER.search(clause.said) is None


def _has_its_own_noun(before: Clause, clause: Clause) -> bool:
    """Return whether a Chinese clause after one about something of the speaker's begins with another thing."""
    return before.subject in (ME, FIRM) and before.said.startswith("我") and _begins_with_a_noun(clause)


def _begins_with_a_noun(clause: Clause) -> bool:
    first = next(iter(rjieba.tag(clause.said)), ("", ""))
    return first[1].startswith("n") and len(first[0]) > 1


def _is_verbal(clause: Clause) -> bool:
    first = clause.words[0].text if clause.words else ""
    return first.endswith(("s", "ed")) or first in _VERBS
