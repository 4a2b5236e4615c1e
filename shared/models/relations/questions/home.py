"""Where somebody lives, and with whom."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.questions.words import Words
from shared.models.relations.slots import EMPTY_PREDICATES, Filled
from shared.models.relations.subjects import PERSONS

_WITH: Final = re.compile(
    r"\b(?:with|together)\b|'s? (?:place|house|home)\b|s' (?:place|house|home)\b|[跟和与同].{1,10}住|一起住|同住|合住|住在一起|住一起"
)
_WILL_BE_IN: Final = re.compile(r"\b(?:will|going to) (?:\w+ )?be (?:based )?in\b|(?:会|要)在")
_HOME_IS: Final = re.compile(r"家在|\bhome is\b|\bmy new home\b")
_GOING: Final = re.compile(
    r"\b(?:trip|visit(?:ing)?|travel(?:l?ing)?|vacation|holiday|business)\b|出差|旅游|旅行|度假|玩|探亲|看望"
)


def home(words: Words) -> Filled | None:
    names = words.names
    if names & {"rent", "own place"}:
        return Filled("tenure", words.without("live", "flat", "home"))
    if "place" in words.kinds and _WILL_BE_IN.search(words.text):
        return _living(words)
    at_home = "home" in names and ("place" in words.kinds or _HOME_IS.search(words.text))
    if names & {"live", "move"} or at_home:
        return _living(words)
    if names & {"live alone", "dormitory", "share a flat"}:
        return Filled("household", words.without("live"))
    if "come from" in names or re.search(r"\b(?:originally|native)\b", words.text):
        return Filled("origin", words.without("come from"))
    return None


def _living(words: Words) -> Filled:
    clause, found = words.text, words.found
    fillers = {"live", "move", "home", "flat", "visit", "own place", "city", "come from"}
    objects = tuple(
        c
        for c in found
        if c.name not in fillers and c.name not in EMPTY_PREDICATES and c.kind not in {"month", "period", "season"}
    )
    if any(c.kind == "event" for c in found) or re.search(
        r"^(?:我们?)?(?:公司|单位|学校|办公室)|\b(?:my|our|the) (?:office|company|school|firm|gym)\b", clause
    ):
        return Filled("", tuple(c for c in found if c.name not in EMPTY_PREDICATES and c.name != "move"))
    if any(c.name in {"dormitory", "live alone"} for c in objects):
        return Filled("household", objects)
    people = any(c.kind in PERSONS for c in objects)
    if people and (_WITH.search(clause) or "out" in clause.split()) and not any(c.kind == "place" for c in objects):
        return Filled("household", objects)
    if _GOING.search(clause) and "live" not in {c.name for c in found}:
        return Filled("", objects)
    if any(c.kind in {"place", ""} for c in objects):
        return Filled("residence", tuple(c for c in objects if c.kind not in PERSONS))
    return Filled("household" if people or _WITH.search(clause) else "residence", objects)
