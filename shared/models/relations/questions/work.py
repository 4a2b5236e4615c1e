"""What somebody works and studies, where and when."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.concepts import Concept
from shared.models.relations.questions.words import Words
from shared.models.relations.slots import Filled

_WORKS: Final = re.compile(
    r"\bwork\w* (?:\w+ ){0,2}(?:at|for|in|with|under|near)\b|\b(?:job|position|role) (?:at|with|in)\b|\bemployed\b|[\u4e00-\u9fff]"
)
_JOINS: Final = re.compile(
    r"\b(?:joined|start(?:ed|ing)? (?:at|with)|new employer|my employer|hired by)\b|跳槽|入职|供职"
)
_NOT_A_JOB: Final = frozenset({"like", "hate", "married", "live", "watch", "visit", "learn", "study"})
"""Beside these a profession is somebody else's."""
_SCHOOLED: Final = frozenset(
    {"university", "student", "high school", "middle school", "primary school", "study", "master", "phd"}
)
_ATTENDS: Final = re.compile(r"\b(?:goes? to|in|at|start(?:s|ed|ing)?|attends?|going to|began)\b|[上读念去]")
_STAGES: Final = frozenset({"school", "kindergarten", "primary school", "middle school", "high school"})
_STUDIES: Final = frozenset({"study", "drop out", "graduate", "law school", "med school", "phd", "master", "bachelor"})


def when_and_where_one_works(words: Words) -> Filled | None:
    names, kinds = words.names, words.kinds
    if "work-hours" in kinds or ("work" in names and _hours(words)):
        return Filled("hours", words.without("work"))
    if "work-mode" in kinds or ({"work", "home"} <= names and re.search(r"from home|在家", words.text)):
        kept = words.without("work", "home", "come from")
        known = any(c.kind == "work-mode" for c in kept)
        return Filled("mode", kept if known else (Concept("work from home", "work-mode"), *kept))
    if "ordinal" in words.counts and ("study-field" in kinds or names & _SCHOOLED):
        objects = words.without("study", "learn", "university", "student", "start", "high school")
        return Filled("study", tuple(c for c in objects if c.kind != "period"))
    return Filled("job", words.without("work")) if "work-state" in kinds else None


def _hours(words: Words) -> bool:
    clause, found = words.text, words.found
    if "clock" in words.counts or re.search(
        r"\b(?:to|till|until|-)\b.*\bwork\b|\bwork(?:ing)? +(?:from +)?(?:to|till|-)|\d ?(?:to|-) ?\d", clause
    ):
        return True
    others = [c for c in found if c.kind not in {"daypart", "weekday", "period"} and c.name not in {"work", "look for"}]
    return any(c.kind in {"daypart", "weekday"} for c in found) and not others


def work_and_studies(words: Words) -> Filled | None:
    names, kinds = words.names, words.kinds
    if names & _STAGES and not names & {"work", "teach", "study", "coach"} and _ATTENDS.search(words.text):
        return Filled("school", words.without("start", "go"))
    if "job" in kinds and "event" not in kinds and not names & _NOT_A_JOB:
        job = words.without("work")
        return Filled("job", tuple(c for c in job if c.kind != "period"))
    if names & _STUDIES and not names & {"teach", "like"}:
        return Filled("study", words.without("study", "learn", "university", "high school"))
    if ("work" in names and _WORKS.search(words.text)) or _JOINS.search(words.text):
        return Filled("employer", words.without("work", "start"))
    return None
