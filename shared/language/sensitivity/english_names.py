"""Full names in Latin letters: two or more capitalised words after words that introduce a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sensitivity.context import HAN
from shared.language.words import word_lists

_WORDS: Final = word_lists("english_names")

_LETTERS: Final = r"a-zß-öø-ÿā-ž"
_CAPITAL: Final = r"A-ZÀ-ÖØ-ÞĀ-Ž"
_TOKEN: Final = (
    rf"(?:(?:O'|D'|Mc|Mac|Di|De|Le|La)?[{_CAPITAL}](?:[{_LETTERS}]|['’](?=[{_LETTERS}]{{2}}))"
    rf"[{_LETTERS}'’]{{0,20}}(?:-[{_CAPITAL}][{_LETTERS}]{{1,20}})?)"
)
_INITIAL: Final = rf"[{_CAPITAL}]\."
_PARTICLE: Final = r"(?:van|von|de|der|den|del|della|di|da|dos|la|le|bin|binti|ibn|al|el|ter|ten|zu|y|af)"
_FULL: Final = (
    rf"(?P<name>{_TOKEN}(?: (?:{_INITIAL}|{_TOKEN}))?(?: {_PARTICLE}){{0,2}} (?:[ae]l-)?{_TOKEN}(?: {_TOKEN})?"
    rf"|(?:{_INITIAL} ?){{1,2}}{_TOKEN})(?![{_CAPITAL}{_LETTERS}])"
)
_TITLE: Final = _WORDS["title"]

PERSON: Final = _WORDS["person"]
_IS: Final = _WORDS["is"]

_CASED: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # Introduced as a name: "my name is", a form field
        (
            rf"(?<![A-Za-z])(?P<before>\w{{0,16}}'?s? ?)\b[Nn]ames?\b(?: on (?:the|my) [\w' ]{{2,20}}?)?(?:'s| "
            rf"is| was|:| =| will be)?(?: now| actually)?:? {_TITLE}{_FULL}"
        ),
        # "I'm …", "I am …"
        (
            rf"(?:^|[.!?\n,;:(—{HAN}-] ?|\b(?:[Hh]i|[Hh]ello|[Hh]ey|[Yy]es|so|and|[Bb]tw|[Oo]k|[Mm]orning),? )"
            rf"(?:[Ii]'?m|[Ii] am|[Ii]ch bin)(?: called| named)? {_TITLE}{_FULL}(?=\s?(?:$|[.,!?;:()\n—–-]"
            rf"|and\b|from\b|but\b|btw\b|lol\b|here\b|by\b|the\b|a\b|[{HAN}]))"
        ),
        (
            rf"(?:^|[.!?\n,;] ?|\b(?:[Hh]i|[Hh]ello|[Hh]ey),? )(?:[Tt]his is|[Ii]t'?s) "
            rf"{_TITLE}{_FULL}(?=\s?(?:here\b|speaking\b|from\b|calling\b|writing\b|again\b|,))"
        ),
        # "my sister Ewa Nowicka", "her dentist is Dr. Helen Marsh"
        (
            rf"(?i:\b(?:my|our|his|her|their|your|the|a|an|old|new|best|this|whose)\b(?P<kind>(?: "
            rf"[\w'-]{{1,16}}){{0,3}}?)) (?i:{PERSON})s?(?: (?:from|across|in|at|on|of|who|that|next)(?: "
            rf"[a-z']{{1,12}}){{1,6}}?(?= is | was |, ))?{_IS} {_TITLE}{_FULL}"
        ),
        # "call me …" with a full name, "I go by …"
        (
            rf"(?i:\b(?:known as|i go by|go by the name|i was born|born as|married as|formerly|née|nee"
            rf"|signed(?: by| as)?|listed as|registered (?:as|to|under)|goes by|in (?:the|my \w{{2,12}}'s) name "
            rf"of|under the name(?: of)?|it'?s me,?|(?:married|engaged) to|dating|hired|put (?:it|me|us) under|(?:school|friends|date|live"
            rf"|living) with)) {_TITLE}{_FULL}"
        ),
        # Form fields, a booking, the end of a letter
        (
            rf"(?i:\b(?:booking|reservation|table|appointment|order|ticket|seat|tickets|contact|attn|attention"
            rf"|recipient|passenger|guest|patient|invoice(?:d)?|payable|addressed|deliver(?:ed)?|ship(?:ped)?"
            rf"|sent|made out|care of|c/o|regards|sincerely|cheers|thanks|yours|speak|spoke|talk|talked|met"
            rf"|meeting|interview|appointment|account holder|cardholder|beneficiary|payee|applicant|tenant"
            rf"|owner|author of this|signed|on behalf of|in case of emergency(?: call)?|emergency)(?: (?:is|for"
            rf"|under|to|with|in the name of|the name|by|name|of))?(?: (?:is|for|to|under|of))?\s?[:,-]?)"
            rf"\s{{1,2}}{_TITLE}{_FULL}(?=\s?(?:$|[.,!?;:()\n—–-]|and\b|at\b|on\b|for\b|\+?\d|[{HAN}]))"
        ),
        # Mr Tom Baker
        rf"(?<![A-Za-z])(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor)\.? {_FULL}",
        # 我老板叫 Robert Kessler, 姓名: …
        (
            rf"(?:叫做?|名字?(?:是|叫)?|姓名|全名|我是|联系人|收件人|乘客|英文名(?:是|叫)?)[\s:]{{0,2}}(?:是|叫"
            rf")?\s?{_TITLE}{_FULL}"
        ),
        (
            rf"(?:老板|老师|同事|朋友|室友|房东|客户|导师|医生|律师|教练|男友|女友|老公|老婆|经理|教授|邻居|同"
            rf"学)(?:是|叫|,|:)?\s?{_TITLE}{_FULL}"
        ),
    )
)
_CAPITALS: Final = re.compile(
    r"(?i:\b(?:name(?: (?:on|of) (?:the |my )?(?:card|passport|account|holder))?|card ?holder|account "
    r"holder|passenger|holder)\s?[:=]?\s(?:is )?)"
    r"(?P<name>[A-Z]{2,15}(?:[ /]{1,2}[A-Z]{2,15}){1,3})(?![A-Za-z])"
)
_LOWER: Final = re.compile(
    r"(?:\b(?:my|the|full|real|legal|his|her|their) (?:full |real |legal |whole |new |maiden )?name(?:'s| is"
    r"|:)(?: now| actually)?|(?:^|[\n,;] ?)(?i:full )?(?i:name):) "
    r"(?P<name>[a-z][a-z'-]{1,15} [a-z][a-z'-]{1,20})(?= ?(?:$|[.,!?;\n]|and\b|but\b|from\b|btw\b|i\b"
    r"|lol\b|by the way))"
)
_LOWER_ORDINARY: Final = re.compile(_WORDS["lower_ordinary"])
_NOT_PEOPLE: Final = re.compile(
    _WORDS["not_people"],
    re.IGNORECASE,
)
_FAVOURITE: Final = re.compile(
    (_WORDS["favourite"]),
    re.IGNORECASE,
)
_FIRST_NOT: Final = re.compile(
    _WORDS["first_not"],
)
_LAST_NOT: Final = re.compile(
    _WORDS["last_not"],
)

_TOLD: Final = re.compile(
    r"\s(?:in|from|of) (?:the|that|this|my favou?rite) (?:movie|film|book|novel|show|series|game|play|anime|comic)"
)
_BEFORE: Final = 24


def names(text: str) -> Iterator[tuple[int, int]]:
    """Find full names as half-open spans."""
    for pattern in _CASED:
        for found in pattern.finditer(text):
            if _is_a_person(text, found):
                yield found.span("name")
    for found in _CAPITALS.finditer(text):
        yield found.span("name")
    for found in _LOWER.finditer(text):
        if not _LOWER_ORDINARY.search(found["name"]):
            yield found.span("name")


def _is_a_person(text: str, found: re.Match[str]) -> bool:
    groups = found.groupdict()
    words = found["name"].replace(".", "").split()
    if _FIRST_NOT.fullmatch(words[0]) or _LAST_NOT.fullmatch(words[-1]):
        return False
    if _NOT_PEOPLE.fullmatch(groups.get("before") or ""):
        return False
    around = text[max(0, found.start() - _BEFORE) : found.start("name")]
    return not _FAVOURITE.search(around) and not _TOLD.match(text, found.end("name"))
