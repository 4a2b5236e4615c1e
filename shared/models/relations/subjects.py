"""Whom a clause is about: its speaker, somebody or some animal of theirs, or somebody else."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from shared.models.relations.concepts import NAMED, Concept, concepts
from shared.models.relations.words.people import PEOPLE

ME: Final = "me"
SOMEBODY: Final = "somebody"
PERSONS: Final = frozenset(PEOPLE)
"""Kinds of concepts a clause may be about."""
FIRM: Final = "firm"
"""Where the speaker works or studies, as something that is itself spoken of."""
GROUPS: Final = frozenset({"team", "family"})
"""Persons whose affairs are the speaker's own: "our team meets on Fridays"."""

_LEAD: Final = (
    r"^(?:(?:and|but|so|also|actually|yes|no|well|oh|ok|okay|now|btw|fyi|sorry|today|yesterday|recently|finally|sadly|turns out"
    r"|apparently|hey|hi|update|correction|unfortunately|luckily|because|since|last (?:week|month|year|night)),? )*"
)
_FIRST_PERSON: Final = re.compile(_LEAD + r"(?:i|we|me|both of us)\b")
_POSSESSED: Final = re.compile(_LEAD + r"(?:my|our)(?: own)? (?P<thing>.+)")
_AGENT: Final = re.compile(
    r"\bmy (?:landlord|landlady|boss|manager|doctor|employer|gp|therapist|dentist|teacher|coach|company)\b (?:has |just |have )*"
    r"(?:raised|increased|lowered|gave|put|moved|changed|switched|prescribed|upped|doubled|halved|adjusted|stopped|reduced|promoted|cut|took|told me|confirmed) (?:the|our|my|me|us|it|that)\b"
    r"|^(?:my|our|the) (?:landlord|landlady|boss|manager|doctor|employer|gp|therapist|physio|vet|school|uni|college|council|bank|insurer|insurance|hr|surgery|clinic|airline|agency|company|team) (?:[\w']+ ){0,3}(?:raise|increase|lower|put|move|change|switch|prescribe|up|double|halve|adjust|stop|reduce|promote|cut|take|extend|postpone|cancel)(?:s|d|ed)? (?:the|our|my|me|us|it)\b"
    r"|^they (?:[\w']+ ){0,3}(?:let|fired?|sacked?|laid|promoted?|moved?|transferred|gave|put|made|offered|sent|dropped|kicked) me\b|^they (?:[\w']+ ){1,4}(?:my|our)\b|^they (?:are |have been )?(?:\w+ing) (?:the|it)\b"
    r"|^they (?:have |just |may |might |will |could )*(?:changed|moved|raised|increased|cancelled|canceled|extended|postponed|closed|renamed|put|upped|doubled|halved|adjusted|lowered)\b"
    r"|^(?:我(?:的|们)?)?(?:房东|医生|大夫|老板|领导|经理|公司|老师|教练)(?:[^,]{0,3})(?:把|给我|让我|帮我|同意我)"
)
"""Somebody who changes something of the speaker's."""
_THEIRS: Final = re.compile(r"^(?!my\b|our\b)\w+'s (?P<who>\w+)\b")
_BARE: Final = re.compile(
    r"^(?P<who>\w+) (?:is|has|was|lives?|works?|moved|likes?|loves?|hates?|got|died|had|can|wants?|turned|quit|stopped|just|\w+ed)\b"
)
_OTHERS: Final = re.compile(_LEAD + r"(?:he|she|they|his|her|their)\b|^(?:他|她|它|他们|她们)")
_FIRM: Final = re.compile(
    _LEAD
    + r"(?:my|our|the) (?:office|company|firm|employer)(?!s?'s? )\b|^(?:我|我们|咱们?)?的?(?:公司|办公室|学校)(?!发|配|给|的[\u4e00-\u9fff])"
)
_COORDINATED: Final = re.compile(_LEAD + r"(?:my )?[\w-]+ (?:and|&) (?:i|me)\b|^我(?:和|跟|与|同)")
_VERBS: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|had|lives?|moved|works?|got|just|can|does|do|did|will|might|may|said|quit|gets?|likes?|loves?|hates?|needs?|takes?|goes|died|passed|went|turned|would|could|should|runs?|eats?|drinks?|speaks?|uses?|wants?|started|stopped|smokes?)\b"
)
_OUR_WAY_ZH: Final = re.compile(
    r"^(?:[,\s]|其实|对了|另外|今天|昨天|最近|现在|刚刚|刚|上周|去年|上个月|但是?|不过|因为|而且)*(?:我们家|我们|我家|咱们|咱|俺|本人|我)(?:自己)?(?:的|家的|那个|这个|家)?"
)
_LEAD_ZH: Final = re.compile(r"^(?:其实|对了|另外|今天|昨天|最近|现在|刚刚|刚|上周|去年|上个月|但是?|不过|因为|而且)*")
_NOT_A_PERSON_ZH: Final = re.compile(r"^(?:家|这边|那边|节|毛|肉|粮|砂|皮)|^的?(?:房子|家)")
_SOMEONE_NAMED: Final = re.compile(
    r"^([A-Z][a-zé]{2,14})(?:'s (?=\d)|(?:'s)? (?:is|was|has|had|got|died|passed|lives?|works?|moved|quit|likes?|loves?|hates?|just|can|does|will|turned|ran|now|[a-z]{2,}s)\b)"
)
_TO_ME: Final = re.compile(
    r"^(?!我|比起|以后|今后|请|别|不|麻烦|能|可|都|就)[\u4e00-\u9fff]{1,3}(?:欠|给|比|教|帮|借|骂|追)我"
)
_NAMED_ZH: Final = re.compile(
    r"^([\u4e00-\u9fff]{2,4}?)(?:已经|刚|昨天|上周|上个月|前几天|去年|今年|被)*(?:去世|走丢|死了|走了|离世|送人|生病|(?:满)?[一二三四五六七八九十\d]+岁)"
)
_NO_NAMES: Final = frozenset(
    "one two three four five six seven eight nine ten eleven twelve both all most some any every each these those his her its their other only just still also never always sometimes usually my our the this that there here what when where who why how yes no not please everything everyone nobody somebody someone"
    " work coffee tea english chinese french music home life today it he she they we you one two life dinner breakfast lunch".split()
)


@cache
def _people_zh() -> dict[str, str]:
    """Chinese words for persons and animals → the concept's name."""
    found: dict[str, str] = {}
    for block in PEOPLE.values():
        for line in block.strip().splitlines():
            english, _, chinese = line.partition(" | ")
            for word in chinese.split(","):
                if word.strip() and not word.strip().endswith("毛"):
                    found[word.strip()] = english.split(",")[0].strip()
    return found


def subject(clause: str, original: str) -> str:
    """Return whom a folded clause is about.

    `original` is the clause as it was typed: capitals tell names. A name stands as "?name".
    """
    if _COORDINATED.search(clause):
        return ME
    if _AGENT.search(clause):
        return ME
    if _OTHERS.search(clause):
        return SOMEBODY
    if _FIRM.search(clause):
        return FIRM
    if re.search(r"[\u4e00-\u9fff]", clause[:4]):
        return _subject_zh(clause)
    if _FIRST_PERSON.search(clause):
        return ME
    theirs = _THEIRS.match(clause)
    if theirs and any(_is_person(concept) for concept in concepts(theirs["who"])):
        return SOMEBODY
    bare = _BARE.match(clause)
    who = concepts(bare["who"]) if bare else []
    if len(who) == 1 and who[0].kind == "relative":
        return who[0].name
    possessed = _POSSESSED.search(clause)
    if possessed:
        return _possessed(possessed["thing"])
    named = _SOMEONE_NAMED.match(original.strip())
    if named and named[1].casefold() not in _NO_NAMES and _is_a_name(named[1].casefold()):
        return f"?{named[1].casefold()}"
    return ME


def is_agent(clause: str) -> bool:
    """Return whether the clause says that somebody changed something of the speaker's: "my landlord raised the rent"."""
    return bool(_AGENT.search(clause))


def _is_a_name(word: str) -> bool:
    return all(not concept.kind for concept in concepts(word)) and bool(concepts(word))


def _possessed(thing: str) -> str:
    """Return whose "my …" is spoken of: the first person or animal before the verb, unless a thing comes first."""
    verb = _VERBS.search(thing)
    head = thing[: verb.start()] if verb else thing
    named = concepts(head.split(NAMED[0])[0])
    if verb and len(named) == 1 and named[0].kind == "job" and re.fullmatch(r"[\w-]+ ?", head):
        return named[0].name  # whom one goes to: "my dentist is on Mill Street"
    for concept in named:
        if _is_person(concept):
            return concept.name
        if concept.kind:
            break
    return ME


def _is_person(concept: Concept) -> bool:
    return concept.kind in PERSONS and concept.name not in GROUPS


def _subject_zh(clause: str) -> str:
    if _AGENT.search(clause):
        return ME
    if _TO_ME.match(clause):
        return SOMEBODY
    people = _people_zh()
    own = _OUR_WAY_ZH.match(clause)
    start = own.end() if own else _LEAD_ZH.match(clause).end()  # type: ignore[union-attr] # may match nothing, but matches
    for length in range(min(6, len(clause) - start), 0, -1):
        word = clause[start : start + length]
        name = people.get(word)
        if name is None or (own is None and length == 1) or name in GROUPS:
            continue
        if _NOT_A_PERSON_ZH.match(clause[start + length :]):
            return ME
        return name
    named = None if own else _NAMED_ZH.match(clause)
    if named:
        return f"?{named[1]}"
    return ME
