"""What somebody's body needs, and its measures."""

from __future__ import annotations

from shared.models.relations.questions.words import Words
from shared.models.relations.slots import EDIBLE, Filled


def body(words: Words) -> Filled | None:
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


def measures_and_times(words: Words) -> Filled | None:
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
