"""Whether a clause goes on about what the one before it was about."""

from __future__ import annotations

import re
from typing import Final

import rjieba

from shared.models.descriptions.reading import HAN, Clause
from shared.models.relations.subjects import FIRM, ME, SOMEBODY

_PERSONAL: Final = re.compile(r"\b(?:he|she|him|her|his|hers|they|them|their|theirs)\b|他|她|他们|她们")
_POINTING: Final = re.compile(
    r"^(?:(?:and|but|so|also|because|since|then|besides|,|\s)\s*)*(?:it|its|it's|this|that|these|those|he|she|they|his|her|their|he's|she's|they're|it'll|he'll|she'll|both)\b(?! (?:is|was|'s)? ?(?:raining|snowing|sunny|cold|hot|warm|late|early|time|windy|dark)\b)"
    r"|^(?:而且|并且|但是?|不过|所以|因为|还有|另外|然后|后来|最近|现在)?(?:他|她|它|他们|她们|它们|其(?!实|他|中)|这(?:个|只|条|家|件|里|款|台|辆|位)?(?!周|月|年|几|次|边|段|两)|那(?:个|只|条|家|件|里|款|台|辆|位)(?!地方|时候|天))"
)
_OPENS: Final = re.compile(
    r"(?:(?:and|but|also|oh|plus|yesterday|today|last \w+|recently),? )*(?:he|she|his|her|its?)(?:'s|'ll|'d)?\b(?!'s? my\b)|(?:而且|但是?|不过|还有|另外|昨天|今天|上周|最近|现在)*[他她它](?!们)"
)
_DUMMY: Final = re.compile(
    r"^(?:it(?:'s| is| was)|this is|that's) (?:raining|snowing|sunny|cold|hot|warm|late|early|time|windy|dark|nice to|hard to|good to|important|worth|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:all|that|it)\b|why|fine|ok)"
    r"|^it (?:just |always |often |never |also )*(?:rain|snow|pour|drizzl|hail|thunder|depend)\w*\b"
)
_GOES_ON_ZH: Final = re.compile(
    r"^(?:名?叫|名字|小名|大名|昵称|尤其|特别是|比如|例如|包括|就是|也就是|是(?:一|个|只|我)|今年|已经?|才|刚满|毛色|品种|性格|长得|很|特别|非常|有点|超|密码|号码|编号|地址|预算|价格|房租|费用|面积|颜色|品牌|型号|时间|地点|合同|医生说|老师说|教练说)"
)
OWN_SUBJECT_ZH: Final = re.compile(
    r"^(?:(?:而且|并且|但是?|不过|所以|因为|还有|另外|然后|同时|后来|最近|现在|平时|周末|每天|以后|今天|明天|昨天|下周|上周)*)(?:我|我们|咱|你|您|大家|别人)"
)
SUBJECT_WORD: Final = re.compile(r"^(?:i(?:'m|'ve|'d|'ll)?|we(?:'re|'ve|'d|'ll)?)\b|^(?:我们?|咱们?|俺|本人)")
_OTHERS: Final = re.compile(r"^(?:my|our) (?:\w+ ){0,2}(?:is|are|was|were|has|have|had)\b|^(?:the|a|an) \w+")
_BECAUSE: Final = re.compile(
    r"^[,;\s]*(?:(?:so|because|since|which|that's why|that is why|therefore)\b|所以|因此|因为|于是|结果|害得|搞得)"
)
_VERBS: Final = frozenset("is was has had does also now got can will who which".split())
_ABOUT_ITS_OWNER: Final = re.compile(r"^我(?!的)")
_MY_THING_ZH: Final = re.compile(r"^我们?的?[\u4e00-\u9fff]")


def points_back(clause: Clause) -> bool:
    """Return whether a clause begins with a pronoun that stands for something said before."""
    return _POINTING.search(clause.said) is not None and _DUMMY.search(clause.said) is None


def opens_with_pronoun(clause: Clause) -> bool:
    """Return whether a clause can only be understood by what was said before: "She also …", "它…"."""
    return _OPENS.match(clause.said) is not None and _DUMMY.search(clause.said) is None


def speaks_of_somebody(clause: Clause) -> bool:
    """Return whether a clause has a pronoun for a person in it."""
    return _PERSONAL.search(clause.said) is not None


def turns_away(clause: Clause) -> bool:
    """Return whether a clause turns to somebody or something else."""
    if clause.subject in (ME, FIRM, SOMEBODY):
        return clause.subject != SOMEBODY and begins_with_a_thing(clause)
    return True


def begins_with_a_thing(clause: Clause) -> bool:
    """Return whether something else stands at its beginning: "my car is …", "the rent …"."""
    return _OTHERS.search(clause.said) is not None


def shares_subject(before: Clause, clause: Clause, *, introduced: bool, attribute: bool) -> bool:
    """Return whether a clause without a subject of its own goes on about what the one before names.

    Args:
        introduced: whether what is meant was named by what it is to the speaker: "我同桌叫高歌,…".
        attribute: whether only one thing about it is meant.
    """
    chinese = HAN.search(clause.said[:6]) is not None
    about_it = _is_about_it(before, introduced=introduced)
    if clause.soft or (not chinese and not SUBJECT_WORD.search(clause.said) and _is_verbal(clause)):
        return about_it
    if not attribute and _BECAUSE.search(clause.text[clause.joint : clause.end]):
        return True
    if not chinese:
        return not attribute and clause.said.startswith("the ")
    if OWN_SUBJECT_ZH.search(clause.said):
        return False
    if _GOES_ON_ZH.search(clause.said):
        return True
    return about_it and not attribute and not turns_away(clause) and not _has_its_own_noun(before, clause)


def _is_about_it(clause: Clause, *, introduced: bool) -> bool:
    """Return whether what is meant is who or what a clause is about, and not its speaker."""
    if clause.subject != ME:
        return True
    if SUBJECT_WORD.search(clause.said) and not _MY_THING_ZH.search(clause.said):
        return False
    return introduced or _ABOUT_ITS_OWNER.search(clause.said) is None


def _has_its_own_noun(before: Clause, clause: Clause) -> bool:
    """Return whether a Chinese clause after one about something of the speaker's begins with another thing."""
    if before.subject not in (ME, FIRM) or not before.said.startswith("我"):
        return False
    first = next(iter(rjieba.tag(clause.said)), ("", ""))
    return first[1].startswith(("n", "t")) and len(first[0]) > 1


def _is_verbal(clause: Clause) -> bool:
    first = clause.words[0].text if clause.words else ""
    return first.endswith(("s", "ed")) or first in _VERBS
