"""What somebody likes, eats and uses, and how they get about."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.concepts import Concept
from shared.models.relations.questions.words import Words
from shared.models.relations.rankings import ranking
from shared.models.relations.slots import EDIBLE, WHEN, Filled

_ALCOHOL: Final = Concept("alcohol", "alcohol-any")
"""What "I drink" means where nothing else is named."""
_LEFT_THERE: Final = re.compile(r"\b(?:left|forgot|parked|locked|lost)\b|落在|忘在|停在")


def compared(words: Words) -> Filled | None:
    if not (words.names & {"prefer", "like", "hate"} or " over " in words.text):
        return None
    order = ranking(words.text)
    return None if order is None else Filled("ranking", words.without("like", "prefer", "hate", "eat", "drink"), order)


def tools_and_ways(words: Words) -> Filled | None:
    names, kinds = words.names, words.kinds
    rides = ("transport" in kinds or names & {"cycle", "drive", "walk", "run"}) and not _LEFT_THERE.search(words.text)
    if "commute" in names or (rides and names & {"work", "office"}):
        return Filled("commute", words.without("commute", "work", "visit", "go", "office", "start"))
    if "editor" in kinds and names & {"use", "write", "switch", "editor"}:
        return Filled("editor", words.without("switch", "code", "editor"))
    if "browser" in kinds:
        return Filled("browser", words.without("switch", "web browser"))
    return Filled("phone", words.without("phone", "switch")) if "phone" in kinds else None


def habits(words: Words) -> Filled | None:
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


def things(words: Words) -> Filled | None:
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
