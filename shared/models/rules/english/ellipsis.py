"""What English speakers say of themselves without "I": "Allergic to shellfish btw.", "Grew up in Leeds.", "No kids."."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared.models.rules.english.words import DIET, FAMILY, PATIENT
from shared.models.rules.table import phrase

_LONGEST: Final = 160
"""Longest clause that counts, in characters."""

_HOW = (
    r"(?:(?:also|still|currently|recently|newly|happily|severely|mildly|badly|sadly|just|now|mostly|not|fully) ){0,2}"
)
_STATE_ENDS = (
    r"(?=\W*$|,| since\b| for (?:\d|over|about|the|a)| here\b| and\b| but\b| btw\b| because\b| so\b| now\b| with\b)"
)
_ADJECTIVE = (
    rf"(?:{DIET}|{PATIENT}|(?:lactose|gluten)[- ]intolerant|married|single|divorced|widowed|engaged|retired|unemployed"
    r"|self-employed|left-handed|bilingual|debt[- ]free|between jobs)"
)
_HEADS: Final = (
    (
        phrase(
            rf"{_HOW}(?:{_ADJECTIVE}{_STATE_ENDS}|allergic to|keen on|fond of|(?:much of )?an? (?:(?:big|huge|massive|lifelong|\w{{3,9}}) )?(?:fan of"
            r"|night owl|early bird|homebody|foodie|person\W*$|lover\W*$|sleeper\W*$|eater\W*$)|based in|living (?:in|alone|with)"
            r"|working (?:as|at|for|from|in|nights|shifts|part|full)|studying|learning|training (?:for|to)|saving (?:up )?for"
            r"|trying to (?:quit|lose|get|learn|cut)|from (?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?(?=\W*$|,| originally)|fluent in|addicted to|obsessed with"
            r"|(?:terrified|scared|afraid) of|on (?:an? )?(?:[\w-]{2,15} )?(?:diet|medication|(?:maternity|parental|sick) leave))"
        ),
        "I'm ",
    ),
    (
        phrase(
            r"(?:(?:big|huge|massive|lifelong|total) )?(?:fan of|night owl|early bird|homebody|foodie"
            r"|(?:proud |single |stay-at-home |new )?(?:dad|mum|mom|mother|father|parent|grandma|grandpa) (?:of|to)"
            r"|(?:\w{2,12} )?(?:person|lover|sleeper|eater)\W*$)"
        ),
        "I'm a ",
    ),
    (phrase(r"(?:born|raised|diagnosed with|brought up)\b"), "I was "),
    (
        phrase(
            r"(?:(?:just|recently|finally|really|absolutely|honestly|still) )?(?:grew up (?:in|on|near|with|speaking|without)|moved (?:to|from|here)"
            r"|live[sd]? (?:in|alone|with|on|near)|can'?t (?:stand(?! up\b)|eat|drink|bear|live without|do without)|hate|love|adore"
            r"|prefer|dislike|loathe|despise|don'?t (?:drink(?! and\b)|eat|smoke|like|drive|own)|never (?:smoked|drank|learned)"
            r"|used to (?:live|work|smoke|play|own|teach|study|drink|run|drive|swim|dance)|quit|gave up|got (?:married|divorced|engaged|promoted))\b"
        ),
        "I ",
    ),
    (
        phrase(
            rf"(?:no|one|two|three|four|five|\d) (?:[\w-]{{1,15}} ){{0,2}}?(?:{FAMILY})\b(?=\W*$|,| and\b| at home| here)"
        ),
        "I have ",
    ),
)
_HERE = phrase(r"(?:type [12] )?(?:an? )?(?:[\w-]{2,15} ){1,3}here\W*$")
_NOT_OF_ONESELF = phrase(
    r"[:?]|\b(?:tips|ideas|advice|guides?|pros|cons|vs|benefits|checklist|recipes?|examples?|definition|meaning|essay"
    r"|article|paragraph|title|resources|curve|songs?|letters?|stor(?:y|ies)|poems?|speech|crimes?|something|anything"
    r"|option|version|that|it|he|she|his|her|they|their|who)\b|, (?-i:[A-Z])\w+ \w+(?:ed|s)\b"
)
_SUBJECT_AFTER_ALL = phrase(
    r"(?:\w+ing|(?:\w+ )?fan)\b[^,]{0,80}? (?:is|are|was|were|can|will|would|makes?|takes?|helps?|has|seems?|sounds?|feels?)\b"
)


def with_its_subject(said: str) -> Iterator[tuple[str, str]]:
    """Yield `said` with the subject it may leave out, and that subject; nothing where it is no such statement."""
    if len(said) > _LONGEST or _NOT_OF_ONESELF.search(said) or _SUBJECT_AFTER_ALL.match(said):
        return
    if _HERE.match(said):
        said = said[: said.lower().rindex("here")].rstrip()
        yield from ((subject + said, subject) for subject in ("I'm ", "I'm a "))
    yield from ((subject + said, subject) for head, subject in _HEADS if head.match(said))
