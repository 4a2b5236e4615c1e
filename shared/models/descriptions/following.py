"""Whether a clause goes on about what the one before it was about."""

from __future__ import annotations

import re
from typing import Final

from shared.models.descriptions.reading import Clause
from shared.models.relations.subjects import FIRM, ME, SOMEBODY

_PERSONAL: Final = re.compile(r"\b(?:he|she|him|her|his|hers|they|them|their|theirs)\b|他|她|他们|她们")
_POINTING: Final = re.compile(
    r"^(?:(?:and|but|so|also|because|since|then|besides|,|\s)\s*)*(?:it|its|it's|this|that|these|those|he|she|they|his|her|their|he's|she's|they're|it'll|he'll|she'll|both|(?:one|some|both|all|each|none) of (?:them|it))\b(?! (?:is|was|'s)? ?(?:raining|snowing|sunny|cold|hot|warm|late|early|time|windy|dark)\b)"
    r"|^(?:而且|并且|但是?|不过|所以|因为|还有|另外|然后|后来|最近|现在)?(?:他|她|它|他们|她们|它们|其(?!实|他|中)|这(?:个|只|条|家|件|里|款|台|辆|位)?(?!周|月|年|几|次|边|段|两)|那(?:个|只|条|家|件|里|款|台|辆|位)(?!地方|时候|天))"
)
_OPENS: Final = re.compile(
    r"(?:(?:and|but|also|oh|plus|yesterday|today|last \w+|recently),? )*(?:he|she|his|her|its?|(?:one|some|both|all|each|none) of (?:them|it))(?:'s|'ll|'d)?\b(?!'s? my\b)|(?:而且|但是?|不过|还有|另外|昨天|今天|上周|最近|现在)*[他她它](?!们)"
)
_DUMMY: Final = re.compile(
    r"^(?:it(?:'s| is| was)|this is|that's) (?:raining|snowing|sunny|cold|hot|warm|late|early|time|windy|dark|nice to|hard to|good to|important|worth|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:all|that|it)\b|why|fine|ok)"
    r"|^it (?:just |always |often |never |also )*(?:rain|snow|pour|drizzl|hail|thunder|depend)\w*\b"
)
OWN_SUBJECT_ZH: Final = re.compile(
    r"^(?:(?:而且|并且|但是?|不过|所以|因为|还有|另外|然后|同时|后来|最近|现在|平时|周末|每天|以后|今天|明天|昨天|下周|上周)*)(?:我|我们|咱|你|您|大家|别人)"
)
SUBJECT_WORD: Final = re.compile(r"^(?:i(?:'m|'ve|'d|'ll)?|we(?:'re|'ve|'d|'ll)?)\b|^(?:我们?|咱们?|俺|本人)")
_OTHERS: Final = re.compile(r"^(?:my|our) (?:\w+ ){0,2}(?:is|are|was|were|has|have|had)\b|^(?:the|a|an) \w+")
_SOMEBODY_FIRST: Final = re.compile(
    r"^(?:(?:and|but|so|also|because|since|then|besides|,|\s)\s*)*(?:he|she|his|her|him)\b|^[^它其这那]{0,4}[他她]"
)
_OBJECT: Final = re.compile(r"\b(?:him|her|them|he|she)\b|[他她](?!们)")
_SOMEBODY_BEFORE: Final = re.compile(
    r"\b(?:my|our|his|a|an|the) (?:\w+ )?(?:\w+(?:er|or|ist|man|woman|mate)|mum|mom|dad|son|wife|aunt|uncle|cousin|niece|nephew|friend|boss|kids?|child(?:ren)?|boy|girl|people|dog|cat|husband|parents|neighbours?|twins?)\b"
    r"|我们?(?:的|家)?(?:妈|爸|姐|哥|弟|妹|爷|奶|外|姨|姑|舅|叔|伯|老婆|老公|儿|女|孩|朋友|同[事学桌]|室友|邻居|老[板师]|狗|猫)|[小老阿][\u4e00-\u9fff]|(?:妈|爸|姐|哥|弟|妹|爷|奶)"
)
_IT: Final = re.compile(r"\b(?:it|them|those|there)\b|[它]|那[里儿边]|里面")


def points_back(clause: Clause) -> bool:
    """Return whether a clause begins with a pronoun that stands for something said before."""
    return _POINTING.search(clause.said) is not None and _DUMMY.search(clause.said) is None


def opens_with_pronoun(clause: Clause) -> bool:
    """Return whether a clause can only be understood by what was said before: "She also …", "它…"."""
    return _OPENS.match(clause.said) is not None and _DUMMY.search(clause.said) is None


def leaves_open_who(clause: Clause) -> bool:
    """Return whether a clause has a pronoun for somebody, and nobody before it that it may stand for: "I owe her money"."""
    pronoun = _OBJECT.search(clause.said)
    if pronoun is None:
        return False
    before = clause.said[: pronoun.start()]
    named = any(
        word.capital and word.start > clause.start and word.text != "i"
        for word in clause.words
        if word.end <= clause.start + pronoun.start()
    )
    return not named and _SOMEBODY_BEFORE.search(before) is None


def speaks_of_somebody(clause: Clause) -> bool:
    """Return whether a clause has a pronoun for a person in it."""
    return _PERSONAL.search(clause.said) is not None


def turns_away(clause: Clause) -> bool:
    """Return whether a clause turns to somebody or something else."""
    if clause.subject in (ME, FIRM, SOMEBODY):
        return clause.subject != SOMEBODY and begins_with_a_thing(clause)
    return True


def speaks_of_it(clause: Clause) -> bool:
    """Return whether a clause has a pronoun for a thing in it that was named before: "… a nasal spray for it"."""
    return _IT.search(clause.said) is not None and _DUMMY.search(clause.said) is None


def begins_with_a_thing(clause: Clause) -> bool:
    """Return whether something else stands at its beginning: "my car is …", "the rent …"."""
    return _OTHERS.search(clause.said) is not None


def points_to_somebody(clause: Clause) -> bool:
    """Return whether the pronoun a clause begins with stands for a person."""
    return _SOMEBODY_FIRST.search(clause.said) is not None
