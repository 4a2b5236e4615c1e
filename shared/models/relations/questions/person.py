"""Who somebody is: their name, their dates and sums, their traits."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.questions.words import Words
from shared.models.relations.slots import EMPTY_PREDICATES, INTIMATES, Filled
from shared.models.relations.subjects import PERSONS

_BEING: Final = re.compile(
    r"\b(?:am|are|is|turned|turning|turn|age|aged|old)\b|岁|今年|年龄|年纪|满|^\W*now\W*$|^我\s*(?:都|已经|快)?\s*了?$|现在"
)
_SUMS: Final = frozenset({"n", "money", "usd", "eur", "gbp", "pound"})


def dates_and_sums(words: Words) -> Filled | None:
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


def names_given(words: Words) -> Filled | None:
    if "name" in words.kinds and not words.names & {"drink", "eat"}:
        return _named(words)
    if "call" in words.names and "address" not in words.kinds:
        return _named(words)
    return None


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


def traits(words: Words) -> Filled | None:
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


def age(words: Words) -> Filled | None:
    if "age" in words.counts and all(c.kind in {"period", "month", "do"} for c in words.found):
        return Filled("age", ())
    if words.counts == {"n"} and all(c.kind == "period" for c in words.found) and _BEING.search(words.text):
        return Filled("age", ())
    return None
