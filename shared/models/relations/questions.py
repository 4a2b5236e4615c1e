"""Which question about a person a clause answers: where they live, what they eat, how they want to be answered …"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from shared.models.relations.concepts import Concept
from shared.models.relations.quantities import Quantity
from shared.models.relations.rankings import ranking
from shared.models.relations.slots import EDIBLE, EMPTY_PREDICATES, INTIMATES, STYLE, STYLE_KINDS, WHEN, Filled
from shared.models.relations.subjects import PERSONS

_BEING: Final = re.compile(
    r"\b(?:am|are|is|turned|turning|turn|age|aged|old)\b|岁|今年|年龄|年纪|满|^\W*now\W*$|^我\s*(?:都|已经|快)?\s*了?$|现在"
)
_WITH: Final = re.compile(
    r"\b(?:with|together)\b|'s? (?:place|house|home)\b|s' (?:place|house|home)\b|[跟和与同].{1,10}住|一起住|同住|合住|住在一起|住一起"
)
_WORKS: Final = re.compile(
    r"\bwork\w* (?:\w+ ){0,2}(?:at|for|in|with|under|near)\b|\b(?:job|position|role) (?:at|with|in)\b|\bemployed\b|[\u4e00-\u9fff]"
)
_JOINS: Final = re.compile(
    r"\b(?:joined|start(?:ed|ing)? (?:at|with)|new employer|my employer|hired by)\b|跳槽|入职|供职"
)
_SUMS: Final = frozenset({"n", "money", "usd", "eur", "gbp", "pound"})
_ALCOHOL: Final = Concept("alcohol", "alcohol-any")
"""What "I drink" means where nothing else is named."""
_NOT_A_JOB: Final = frozenset({"like", "hate", "married", "live", "watch", "visit", "learn", "study"})
"""Beside these a profession is somebody else's."""
_SCHOOLED: Final = frozenset(
    {"university", "student", "high school", "middle school", "primary school", "study", "master", "phd"}
)
_WILL_BE_IN: Final = re.compile(r"\b(?:will|going to) (?:\w+ )?be (?:based )?in\b|(?:会|要)在")
_HOME_IS: Final = re.compile(r"家在|\bhome is\b|\bmy new home\b")
_ATTENDS: Final = re.compile(r"\b(?:goes? to|in|at|start(?:s|ed|ing)?|attends?|going to|began)\b|[上读念去]")
_STAGES: Final = frozenset({"school", "kindergarten", "primary school", "middle school", "high school"})
_STUDIES: Final = frozenset({"study", "drop out", "graduate", "law school", "med school", "phd", "master", "bachelor"})
_LEFT_THERE: Final = re.compile(r"\b(?:left|forgot|parked|locked|lost)\b|落在|忘在|停在")
_GOING: Final = re.compile(
    r"\b(?:trip|visit(?:ing)?|travel(?:l?ing)?|vacation|holiday|business)\b|出差|旅游|旅行|度假|玩|探亲|看望"
)


@dataclass(frozen=True, slots=True)
class Words:
    """A clause taken apart: its folded text, its concepts, its quantities."""

    text: str
    found: Sequence[Concept]
    counted: Sequence[Quantity]

    @property
    def names(self) -> set[str]:
        """Names of its concepts."""
        return {concept.name for concept in self.found}

    @property
    def kinds(self) -> set[str]:
        """Kinds of its concepts."""
        return {concept.kind for concept in self.found}

    @property
    def counts(self) -> set[str]:
        """Kinds of its quantities."""
        return {quantity.kind for quantity in self.counted}

    def without(self, *triggers: str) -> tuple[Concept, ...]:
        """Return the concepts that fill a slot: neither what names the slot nor predicates that say little."""
        return tuple(
            concept for concept in self.found if concept.name not in triggers and concept.name not in EMPTY_PREDICATES
        )


Reader: TypeAlias = Callable[[Words], Filled | None]


def filled(text: str, found: Sequence[Concept], counted: Sequence[Quantity]) -> Filled:
    """Return what the folded `text` answers; `found` are its concepts, `counted` its quantities.

    The first reader that knows the question wins; "" is the slot of a clause none of them knows.
    """
    if any(concept.kind == "computer" for concept in found):
        found = [concept for concept in found if concept.name != "computer"]
    words = Words(text, found, counted)
    for reader in _READERS:
        answer = reader(words)
        if answer is not None:
            return answer
    return Filled("possession" if words.names & {"have", "buy"} else "", words.without())


def _compared(words: Words) -> Filled | None:
    if not (words.names & {"prefer", "like", "hate"} or " over " in words.text):
        return None
    order = ranking(words.text)
    return None if order is None else Filled("ranking", words.without("like", "prefer", "hate", "eat", "drink"), order)


def _dates_and_sums(words: Words) -> Filled | None:
    names, counts = words.names, words.counts
    if "budget" in names and (counts & _SUMS or "spend" not in words.text):
        return Filled("budget", words.without("budget", "buy", "visit", "cny", "usd", "eur", "gbp"))
    if "birthday" in names or ("born" in names and ("date" in counts or "month" in words.kinds)):
        return Filled("birthday", words.without("birthday", "born"))
    if "born" in names and not words.kinds & PERSONS:
        return Filled("birthplace" if "place" in words.kinds else "birth-year", words.without("born"))
    if "anniversary" in names:
        return Filled("", words.without("wedding"))
    return None


def _names_given(words: Words) -> Filled | None:
    if "name" in words.kinds and not words.names & {"drink", "eat"}:
        return _named(words)
    if "call" in words.names and "address" not in words.kinds:
        return _named(words)
    return None


def _body(words: Words) -> Filled | None:
    names, kinds = words.names, words.kinds
    if names & {"allergy", "intolerance"}:
        objects = words.without("allergy", "intolerance", "eat", "drink", "have")
        known = tuple(c for c in objects if c.kind not in {"", "period", "do"})
        return Filled("allergy" if "allergy" in names else "intolerance", known or objects)
    if "pregnant" in names:
        return Filled("pregnancy", words.without("pregnant"))
    if "diet" in kinds and not names & {"cook", "restaurant", "recipe"}:
        return Filled("diet", words.without("eat", "diet", "like", "go"))
    return None


def _answers(words: Words) -> Filled | None:
    style = sorted(words.kinds & STYLE_KINDS)
    if style and _is_a_request(style[0], words):
        return Filled(
            STYLE + style[0], words.without("use", "prefer", "like", "answer", "call", "speak", "unit", "tone", "weigh")
        )
    if "language" in words.kinds and _is_answer_language(words):
        return Filled(STYLE + "language", words.without("use", "prefer", "like", "answer", "call", "speak", "write"))
    only_style = words.found and all(c.kind == "style" or c.name in {"use", "prefer", "like"} for c in words.found)
    if ("answer" in words.names and not words.names & {"work", "live"}) or "emoji" in words.names or only_style:
        return Filled(STYLE + "form", words.without("use", "prefer", "like", "answer"))
    return None


def _traits(words: Words) -> Filled | None:
    names, kinds = words.names, words.kinds
    if "timezone" in kinds or "timezone" in names:
        return Filled("timezone", words.without("timezone", "live"))
    if "marriage" in kinds or (names & INTIMATES and "have" in names and "name" not in kinds):
        return Filled("marriage", words.without())
    if "seat" in kinds:
        return Filled("seat", words.without("prefer", "like", "plane", "sit"))
    for kind in ("chronotype", "hand"):
        if kind in kinds:
            return Filled(kind, words.without())
    return None


def _when_and_where_one_works(words: Words) -> Filled | None:
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


def _measures_and_times(words: Words) -> Filled | None:
    names, counts = words.names, words.counts
    if "weigh" in names or ("kg" in counts and not words.kinds & EDIBLE):
        return Filled("weight", words.without("weigh"))
    if "tall" in names or ("m" in counts and not words.found):
        return Filled("height", words.without("tall"))
    if "get up" in names:
        return Filled("wake", words.without("get up"))
    if "go to bed" in names and ("clock" in counts or len(names) <= 2):  # noqa: PLR2004 - and perhaps how often
        return Filled("bed", words.without("go to bed"))
    return None


def _tools_and_ways(words: Words) -> Filled | None:
    names, kinds = words.names, words.kinds
    rides = ("transport" in kinds or names & {"cycle", "drive", "walk", "run"}) and not _LEFT_THERE.search(words.text)
    if "commute" in names or (rides and names & {"work", "office"}):
        return Filled("commute", words.without("commute", "work", "visit", "go", "office", "start"))
    if "editor" in kinds and names & {"use", "write", "switch", "editor"}:
        return Filled("editor", words.without("switch", "code", "editor"))
    if "browser" in kinds:
        return Filled("browser", words.without("switch", "web browser"))
    return Filled("phone", words.without("phone", "switch")) if "phone" in kinds else None


def _work_and_studies(words: Words) -> Filled | None:
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


def _home(words: Words) -> Filled | None:
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


def _habits(words: Words) -> Filled | None:
    names = words.names
    if "learn" in names:
        return Filled("learning", words.without("learn"))
    if "speak" in names and "language" in words.kinds:
        return Filled("speaking", words.without("speak"))
    if "smoke" in names:
        return Filled("habit", tuple(_ALCOHOL if c.name == "drink" else c for c in words.without()))
    if names & {"like", "hate", "prefer"}:
        return Filled("taste", words.without("like", "hate", "prefer", "eat", "drink"))
    if names & {"eat", "drink"}:
        objects = words.without("eat", "drink", "only")
        drinks_what = {c.kind for c in objects} & {*EDIBLE, "health"}
        return Filled("intake", objects if "drink" not in names or drinks_what else (*objects, _ALCOHOL))
    return None


def _age(words: Words) -> Filled | None:
    if "age" in words.counts and all(c.kind in {"period", "month", "do"} for c in words.found):
        return Filled("age", ())
    if words.counts == {"n"} and all(c.kind == "period" for c in words.found) and _BEING.search(words.text):
        return Filled("age", ())
    return None


def _things(words: Words) -> Filled | None:
    for kind, fillers in (("editor", ("switch",)), ("os", ("run",))):
        if kind in words.kinds:
            return Filled(kind, words.without(*fillers))
    objects = words.without()
    edible = [c for c in objects if c.kind not in {*WHEN, "event"} and c.name != "only"]
    if not edible or "buy" in words.names:
        return None
    taken_so = bool(words.names & {"take", "have"}) and any(c.kind == "drink" for c in edible)
    if all(c.kind in EDIBLE or (taken_so and c.kind in {"color", ""}) for c in edible):
        return Filled("intake", objects)
    return None


_READERS: Final[tuple[Reader, ...]] = (
    _compared,
    _dates_and_sums,
    _names_given,
    _body,
    _answers,
    _traits,
    _when_and_where_one_works,
    _measures_and_times,
    _tools_and_ways,
    _work_and_studies,
    _home,
    _habits,
    _age,
    _things,
)
"""In order of precedence."""


def _named(words: Words) -> Filled:
    objects = tuple(
        c
        for c in words.found
        if c.name not in EMPTY_PREDICATES and c.name not in {"call", "plain-you", "like", "prefer", "answer", "born"}
    )
    if any(c.kind in PERSONS or c.kind == "job" for c in objects) and any(c.kind in {"", "name"} for c in objects):
        return Filled("named", objects)
    return Filled(
        "address" if re.search(r"calls? me|address|go by|[叫称喊]|be called|refer", words.text) else "name", objects
    )


def _is_a_request(style: str, words: Words) -> bool:
    if style in {
        "unit-system",
        "temperature",
        "clock-format",
        "spelling",
        "script",
        "theme",
        "address",
        "register",
        "indentation",
    }:
        return True
    names = words.names
    if style == "programming":
        return bool(names & {"code", "example"})
    if names & {"answer", "tone", "formal"} or re.search(r"\bwith me\b|\bspeak\b|\btalk\b|跟我|对我|和我", words.text):
        return True
    if names & {"like", "hate", "have", "eat", "live", "work", "wear", "buy", "watch", "play", "budget"}:
        return False
    return (
        len([c for c in words.found if c.kind not in STYLE_KINDS and c.name not in {"use", "prefer"}]) <= 1
        and style != "currency"
    )


def _is_answer_language(words: Words) -> bool:
    names, clause = words.names, words.text
    if names & {"learn", "study", "teach", "graduate", "fluent"}:
        return False
    if len(names) == 1 and not re.search(r"\bi\b|我", clause):
        return True
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


def _hours(words: Words) -> bool:
    clause, found = words.text, words.found
    if "clock" in words.counts or re.search(
        r"\b(?:to|till|until|-)\b.*\bwork\b|\bwork(?:ing)? +(?:from +)?(?:to|till|-)|\d ?(?:to|-) ?\d", clause
    ):
        return True
    others = [c for c in found if c.kind not in {"daypart", "weekday", "period"} and c.name not in {"work", "look for"}]
    return any(c.kind in {"daypart", "weekday"} for c in found) and not others


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
