"""Which question about a person a clause answers: where they live, what they eat, how they want to be answered …"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from shared.models.relations.concepts import Concept, concepts
from shared.models.relations.quantities import Quantity
from shared.models.relations.subjects import PERSONS

EMPTY_PREDICATES: Final = frozenset(
    {
        "have",
        "use",
        "take",
        "buy",
        "watch",
        "wear",
        "write",
        "play",
        "read",
        "sing",
        "build",
        "sit",
        "cost",
        "meet",
        "be",
        "wash",
        "look for",
        "help",
    }
)
"""Deeds that say little beside their object: they do not divide two statements about it."""

STYLE_KINDS: Final = frozenset(
    {
        "length",
        "tone",
        "address",
        "unit-system",
        "temperature",
        "clock-format",
        "spelling",
        "script",
        "theme",
        "currency",
    }
)
EXCLUSIVE_KINDS: Final = STYLE_KINDS | {
    "seat", "work-hours", "timezone", "curl", "hair-length", "chronotype", "hand", "phone", "color", "marriage", "diet",
}  # fmt: skip
"""Kinds of which at most one holds of the same thing at a time."""

ONE_VALUE: Final = frozenset(
    {
        "birthday", "name", "address", "weight", "height", "wake", "bed", "commute", "job", "employer", "hours", "mode",
        "residence", "household", "tenure", "timezone", "marriage", "age", "birthplace", "birth-year", "origin", "study",
        "seat", "chronotype", "hand", "editor", "browser", "phone", "school", "diet",
    }
)  # fmt: skip
"""Slots with a single value: another value replaces it."""
WHEN: Final = frozenset({"period", "daypart", "weekday", "month", "season"})
"""Kinds that say when or how often."""
_COMPARING: Final = EMPTY_PREDICATES | {
    "like",
    "prefer",
    "hate",
    "eat",
    "drink",
    "go",
    "only",
    "visit",
    "live",
    "something",
}
STYLE: Final = "style:"

INTIMATES: Final = frozenset({"girlfriend", "boyfriend", "partner", "wife", "husband", "fiance"})


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot, the objects that fill it, and for a ranking the better and the worse object."""

    slot: str
    objects: tuple[Concept, ...]
    ranking: tuple[str, str] | None = None


_BETTER_FIRST: Final = re.compile(
    r"(?P<better>.+?)(?:\b(?:to|over|than|rather than|compared (?:to|with))\b|多过|胜过|超过|多于|大于|而不是)(?P<worse>.+)"
)
_WORSE_FIRST: Final = (
    re.compile(
        r"^.{0,4}?(?:比起|相比|与其|[跟和与])(?P<worse>.{1,14}?)(?:相比|来说|比|[, ]|我|还是|更|不如)(?P<better>.+)"
    ),
    re.compile(r"^(?:compared (?:to|with)|rather than|instead of) (?P<worse>[\w ]{1,30}?) (?:i|we)\b(?P<better>.+)"),
)
_COMPARES: Final = re.compile(
    r"\b(?:prefer\w*|rather|more|better|choose|pick)\b.+\b(?:to|over|than)\b|\bover\b|比起|多过|胜过|超过|多于|相比|与其|而不是|不如|大于|^[跟和与].{1,10}比"
)
_A_BETTER_B: Final = re.compile(r"(?P<better>.{1,10}?)比(?P<worse>.{1,10}?)(?:更|好|强|香)")


def _ranking(clause: str) -> tuple[str, str] | None:
    """Return the better and the worse of two things the folded clause compares, named by their concepts."""
    if not _COMPARES.search(clause) and not _A_BETTER_B.search(clause):
        return None
    for pattern in (*_WORSE_FIRST, _A_BETTER_B, _BETTER_FIRST):
        found = pattern.search(clause)
        if found:
            better, worse = (
                "+".join(
                    sorted(c.name for c in concepts(found[side]) if c.kind not in WHEN and c.name not in _COMPARING)
                )
                for side in ("better", "worse")
            )
            if better and worse:
                return better, worse
    return None


_BEING: Final = re.compile(
    r"\b(?:am|are|is|turned|turning|turn|age|aged|old)\b|岁|今年|年龄|年纪|满|^\W*now\W*$|^我\s*(?:都|已经|快)?\s*了?$|现在"
)
_WITH: Final = re.compile(r"\b(?:with|together)\b|[跟和与同].{1,10}住|一起住|同住|合住|住在一起|住一起")
_JOB_ZH: Final = re.compile(r"(?:^|[我是])(?:是|当|做|干|在做|从事)|职业|当了?(?:一)?|做(?:的是|.{0,3}的)|工作")
_WORKS: Final = re.compile(
    r"\bwork\w* (?:\w+ ){0,2}(?:at|for|in|with|under|near)\b|\b(?:job|position|role) (?:at|with|in)\b|\bemployed\b|[\u4e00-\u9fff]"
)
_JOINS: Final = re.compile(
    r"\b(?:joined|start(?:ed|ing)? (?:at|with)|new employer|my employer|hired by)\b|跳槽|入职|供职"
)
EDIBLE: Final = frozenset({"food", "drink", "meat", "seafood", "dairy", "nut", "eggs", "alcohol", "alcohol-any"})
_STAGES: Final = frozenset({"kindergarten", "primary school", "middle school", "high school"})
_STUDIES: Final = frozenset({"study", "drop out", "graduate", "law school", "med school", "phd", "master", "bachelor"})
_GOING: Final = re.compile(
    r"\b(?:trip|visit(?:ing)?|travel(?:l?ing)?|vacation|holiday|business)\b|出差|旅游|旅行|度假|玩|探亲|看望"
)


def filled(clause: str, found: Sequence[Concept], counted: Sequence[Quantity]) -> Filled:  # noqa: PLR0912, PLR0915 - the list of slots is the function
    """Return what the folded `clause` answers; `found` are its concepts, `counted` its quantities."""
    names = {concept.name for concept in found}
    kinds = {concept.kind for concept in found}
    of = {quantity.kind for quantity in counted}

    if "computer" in kinds:
        found = [concept for concept in found if concept.name != "computer"]

    def rest(*triggers: str, kinds_too: frozenset[str] = frozenset()) -> tuple[Concept, ...]:
        return tuple(
            concept
            for concept in found
            if concept.name not in triggers and concept.kind not in kinds_too and concept.name not in EMPTY_PREDICATES
        )

    ranking = _ranking(clause) if names & {"prefer", "like", "hate"} or " over " in clause else None
    if ranking is not None:
        return Filled("ranking", rest("like", "prefer", "hate", "eat", "drink"), ranking)
    if "budget" in names and (of & {"n", "money", "usd", "eur", "gbp", "pound"} or "spend" not in clause):
        return Filled("budget", rest("budget", "buy", "visit", "cny", "usd", "eur", "gbp"))
    if "birthday" in names or ("born" in names and ("date" in of or "month" in kinds)):
        return Filled("birthday", rest("birthday", "born"))
    if "born" in names and not kinds & PERSONS:
        return Filled("birthplace" if "place" in kinds else "birth-year", rest("born"))
    if "anniversary" in names:
        return Filled("", rest("wedding"))
    if "name" in kinds and not names & {"drink", "eat"}:
        return _named(clause, found, rest)
    if "call" in names and "address" not in kinds:
        return _named(clause, found, rest)
    if names & {"allergy", "intolerance"}:
        objects = rest("allergy", "intolerance", "eat", "drink", "have")
        known = tuple(c for c in objects if c.kind not in {"", "period", "do"})
        return Filled("allergy" if "allergy" in names else "intolerance", known or objects)
    if "pregnant" in names:
        return Filled("pregnancy", rest("pregnant"))
    if "diet" in kinds and not names & {"cook", "restaurant", "recipe"}:
        return Filled("diet", rest("eat", "diet", "like", "go"))
    style = sorted(kinds & STYLE_KINDS)
    if style and _is_a_request(style[0], clause, found):
        return Filled(
            STYLE + style[0], rest("use", "prefer", "like", "answer", "call", "speak", "unit", "tone", "weigh")
        )
    if "language" in kinds and _is_answer_language(clause, names):
        return Filled(STYLE + "language", rest("use", "prefer", "like", "answer", "call", "speak", "write"))
    if "answer" in names and not names & {"work", "live"}:
        return Filled(STYLE + "form", rest("use", "prefer", "like", "answer"))
    if "emoji" in names or (found and all(c.kind == "style" or c.name in {"use", "prefer", "like"} for c in found)):
        return Filled(STYLE + "form", rest("use", "prefer", "like", "answer"))
    if "timezone" in kinds or "timezone" in names:
        return Filled("timezone", rest("timezone", "live"))
    if "marriage" in kinds or (names & INTIMATES and names & {"have"} and "name" not in kinds):
        return Filled("marriage", rest())
    if "seat" in kinds:
        return Filled("seat", rest("prefer", "like", "plane", "sit"))
    if "chronotype" in kinds:
        return Filled("chronotype", rest())
    if "hand" in kinds:
        return Filled("hand", rest())
    if "work-hours" in kinds or ("work" in names and _hours(clause, found, of)):
        return Filled("hours", rest("work"))
    if "work-mode" in kinds or ("work" in names and "home" in names and re.search(r"from home|在家", clause)):
        kept = rest("work", "home", "come from")
        return Filled(
            "mode",
            kept if any(c.kind == "work-mode" for c in kept) else (Concept("work from home", "work-mode"), *kept),
        )
    if "ordinal" in of and (
        kinds & {"study-field"}
        or names & {"university", "student", "high school", "middle school", "primary school", "study", "master", "phd"}
    ):
        return Filled(
            "study",
            rest("study", "learn", "university", "student", "start", "high school", kinds_too=frozenset({"period"})),
        )
    if "work-state" in kinds:
        return Filled("job", rest("work"))
    if "weigh" in names or ("kg" in of and not kinds & {"food", "drink", "meat"}):
        return Filled("weight", rest("weigh"))
    if "tall" in names or ("m" in of and len(found) == 0):
        return Filled("height", rest("tall"))
    if "get up" in names:
        return Filled("wake", rest("get up"))
    if "go to bed" in names and ("clock" in of or len(names) <= 2):  # noqa: PLR2004
        return Filled("bed", rest("go to bed"))
    if ("transport" in kinds or names & {"cycle", "drive", "walk", "run"}) and names & {"commute", "work", "office"}:
        return Filled("commute", rest("commute", "work", "visit", "go", "office", "start"))
    if "commute" in names:
        return Filled("commute", rest("commute", "work"))
    if "editor" in kinds and names & {"use", "write", "switch", "editor"}:
        return Filled("editor", rest("switch", "code", "editor"))
    if "browser" in kinds:
        return Filled("browser", rest("switch", "web browser"))
    if "phone" in kinds:
        return Filled("phone", rest("phone", "switch"))
    if names & _STAGES and not names & {"work", "teach", "study"}:
        return Filled("school", rest("start", "go"))
    if (
        "job" in kinds
        and "event" not in kinds
        and not names & {"like", "hate", "married", "live", "watch", "visit"}
        and not (names & {"learn", "study"})
    ):
        job = tuple(concept for concept in rest("work") if concept.kind == "job")
        return Filled("job", tuple(c for c in rest("work") if c.kind != "period") if job else rest("work"))
    if names & _STUDIES and "teach" not in names and not (names & {"like"}):
        return Filled("study", rest("study", "learn", "university", "high school"))
    if ("work" in names and _WORKS.search(clause)) or _JOINS.search(clause):
        return Filled("employer", rest("work", "start"))
    if names & {"rent", "own place"}:
        return Filled("tenure", rest("live", "flat", "home"))
    if names & {"live", "move"} or (
        "home" in names and ("place" in kinds or re.search(r"家在|\bhome is\b|\bmy new home\b", clause))
    ):
        return _living(clause, found, rest)
    if names & {"live alone", "dormitory", "share a flat"}:
        return Filled("household", rest("live"))
    if "come from" in names or re.search(r"\b(?:originally|native)\b", clause):
        return Filled("origin", rest("come from"))
    if "learn" in names:
        return Filled("learning", rest("learn"))
    if "speak" in names and "language" in kinds:
        return Filled("speaking", rest("speak"))
    if "smoke" in names:
        habits = tuple(Concept("alcohol", "alcohol-any") if c.name == "drink" else c for c in rest())
        return Filled("habit", habits)
    if names & {"like", "hate", "prefer"}:
        return Filled("taste", rest("like", "hate", "prefer", "eat", "drink"))
    if names & {"eat", "drink"}:
        objects = rest("eat", "drink", "only")
        if "drink" in names and not {c.kind for c in objects} & {
            "drink",
            "alcohol",
            "alcohol-any",
            "dairy",
            "food",
            "health",
        }:
            objects = (*objects, Concept("alcohol", "alcohol-any"))
        return Filled("intake", objects)
    if "age" in of and all(c.kind in {"period", "month", "do"} for c in found):
        return Filled("age", ())
    if all(c.kind == "period" for c in found) and of == {"n"} and _BEING.search(clause):
        return Filled("age", ())
    if "editor" in kinds:
        return Filled("editor", rest("switch"))
    if kinds & {"os"}:
        return Filled("os", rest("run"))
    objects = rest()
    edible = [
        c
        for c in objects
        if c.kind not in {"period", "daypart", "event", "weekday", "season", "month"} and c.name != "only"
    ]
    if (
        edible
        and "buy" not in names
        and (
            all(c.kind in EDIBLE for c in edible)
            or (
                names & {"take", "have"}
                and any(c.kind == "drink" for c in edible)
                and all(c.kind in EDIBLE | {"color", ""} for c in edible)
            )
        )
    ):
        return Filled("intake", objects)
    if "have" in names or "buy" in names:
        return Filled("possession", objects)
    return Filled("", objects)


def _named(clause: str, found: Sequence[Concept], _rest: object) -> Filled:
    objects = tuple(
        c
        for c in found
        if c.name not in EMPTY_PREDICATES and c.name not in {"call", "plain-you", "like", "prefer", "answer", "born"}
    )
    if any(c.kind in PERSONS or c.kind == "job" for c in objects) and any(c.kind in {"", "name"} for c in objects):
        return Filled("named", objects)
    return Filled(
        "address" if re.search(r"calls? me|address|go by|[叫称喊]|be called|refer", clause) else "name", objects
    )


def _is_a_request(style: str, clause: str, found: Sequence[Concept]) -> bool:
    if style in {"unit-system", "temperature", "clock-format", "spelling", "script", "theme", "address"}:
        return True
    names = {concept.name for concept in found}
    if names & {"answer", "tone", "formal"} or re.search(r"\bwith me\b|\bspeak\b|\btalk\b|跟我|对我|和我", clause):
        return True
    if names & {"like", "hate", "have", "eat", "live", "work", "wear", "buy", "watch", "play", "budget"}:
        return False
    return (
        len([c for c in found if c.kind not in STYLE_KINDS and c.name not in {"use", "prefer"}]) <= 1
        and style != "currency"
    )


def _is_answer_language(clause: str, names: set[str]) -> bool:
    if names & {"learn", "study", "teach", "graduate", "fluent"}:
        return False
    if "answer" in names:
        return True
    if "speak" in names:
        return bool(re.search(r"\b(?:to me|with me)\b|跟我|和我|对我|请", clause))
    return bool(names & {"use", "prefer", "write"}) or bool(
        re.search(
            r"\b(?:in|to) (?:english|chinese|french|german|spanish|mandarin|japanese|korean|italian)\b|^(?:please|only|just|always)|用.{1,4}[文语话]",
            clause,
        )
        and not names & {"like", "live", "work"}
    )


def _hours(clause: str, found: Sequence[Concept], of: set[str]) -> bool:
    if "clock" in of or re.search(
        r"\b(?:to|till|until|-)\b.*\bwork\b|\bwork(?:ing)? +(?:from +)?(?:to|till|-)|\d ?(?:to|-) ?\d", clause
    ):
        return True
    others = [c for c in found if c.kind not in {"daypart", "weekday", "period"} and c.name not in {"work", "look for"}]
    return any(c.kind in {"daypart", "weekday"} for c in found) and not others


def _living(clause: str, found: Sequence[Concept], _rest: object) -> Filled:
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
