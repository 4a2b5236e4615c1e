"""When two objects count as one, and two claims as speaking of the same thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.models.relations.claims import Claim
from shared.models.relations.concepts import Concept
from shared.models.relations.quantities import Quantity
from shared.models.relations.slots import WHEN

_COVERED_KINDS: Final = {
    "meat": {"meat"},
    "seafood": {"seafood"},
    "dairy": {"dairy"},
    "nut": {"nut"},
    "alcohol": {"alcohol"},
    "pet": {"animal"},
    "animal": {"animal"},
}


_COVERED: Final = {
    "child": {"son", "daughter", "baby", "second child", "eldest"},
    "sibling": {"brother", "sister", "older brother", "younger brother", "older sister", "younger sister"},
    "brother": {"older brother", "younger brother"},
    "sister": {"older sister", "younger sister"},
    "shellfish": {"shrimp", "crab", "lobster", "oyster", "mussel"},
    "bread": {"toast", "sandwich", "bagel", "baguette"},
    "red meat": {"beef", "lamb", "pork"},
    "parent": {"mother", "father"},
    "caffeine": {
        "coffee",
        "tea",
        "black tea",
        "green tea",
        "latte",
        "espresso",
        "black coffee",
        "cola",
        "energy drink",
    },
    "coffee": {"black coffee", "latte", "espresso"},
    "tea": {"green tea", "black tea", "oolong", "pu'er"},
    "spouse": {"wife", "husband"},
    "partner": {"girlfriend", "boyfriend", "wife", "husband", "fiance"},
}


_FAMILIES: Final = (
    frozenset({"taste", "intake", "habit", ""}),
    frozenset({"learning", "study", ""}),
    frozenset({"commute", ""}),
    frozenset({"possession", "named", ""}),
    frozenset({"editor", ""}),
    frozenset({"os", ""}),
    frozenset({"browser", ""}),
    frozenset({"phone", ""}),
    frozenset({"employer", ""}),
    frozenset({"employer", "hours", "mode"}) - {"hours", "mode"},
    frozenset({"residence", "household"}) - {"household"},
    frozenset({"household", ""}),
    frozenset({"tenure", ""}),
    frozenset({"diet", ""}),
    frozenset({"study", ""}),
    frozenset({"habit", "possession", ""}),
    frozenset({"marriage", ""}),
    frozenset({"hours", ""}),
    frozenset({"job", ""}),
    frozenset({"style:form", ""}),
)


PASSING_DETAIL: Final = frozenset(
    {
        "start",
        "yesterday",
        "last-week",
        "this-week",
        "last-month",
        "last-year",
        "today",
        "end",
        "per-day",
        "only",
        "tomorrow",
    }
)


_SLIPPERY: Final = 5
"""Letters of the shortest word a slip may change: shorter words differ by a letter."""


def one_family(new: Claim, old: Claim) -> bool:
    return new.slot == old.slot or any({new.slot, old.slot} <= family for family in _FAMILIES)


def lasting(claim: Claim) -> tuple[Concept, ...]:
    return tuple(c for c in claim.objects if c.kind not in WHEN and c.name not in PASSING_DETAIL)


def outside_time(claim: Claim) -> frozenset[str]:
    return frozenset(c.name for c in lasting(claim))


def at_the_same_time(narrow: Claim, wide: Claim) -> bool:
    """Return whether `narrow` is not limited to a time that `wide` does not speak of."""
    return all(
        c in wide.objects
        for c in narrow.objects
        if c.kind in WHEN and c.name not in PASSING_DETAIL and c.kind not in {"month", "season"}
    )


def covers(general: Concept, special: Concept) -> bool:
    return (
        general.name == special.name
        or special.kind in _COVERED_KINDS.get(general.name, ())
        or special.name in _COVERED.get(general.name, ())
        or akin(general, special)
    )


_IMPLIED: Final = {
    "exam": {"ielts", "toefl", "gaokao", "bar exam", "cpa", "civil service exam", "postgraduate entrance exam"},
    "input method": {"shuangpin", "wubi", "pinyin"},
    "typewrite": {"shuangpin", "wubi", "pinyin", "input method"},
    "car": {"electric car", "manual", "automatic", "manual car", "suv", "van"},
    "film": {"horror film", "crime film", "documentary"},
    "book": {"detective novel", "romance novel", "biography", "novel"},
    "music": {"jazz", "classical music", "rock music", "pop music", "folk music", "heavy metal", "electronic music"},
    "bicycle": {"e-bike"},
    "per-month": {"salary", "rent", "mortgage"},
    "student": {"phd", "master", "bachelor", "law school", "med school", "university"},
    "run": {"marathon"},
    "visit": {"abroad", "travel", "work", "school", "university"},
    "nickname": {"call"},
    "queue": {"wait"},
    "study": {"study abroad"},
    "learn": {"study abroad"},
    "wear": {"size"},
    "ride": {"cycle", "motorbike", "e-bike", "horse"},
    "dose": {"vaccine"},
    "exercise": {"gym"},
    "work": {"volunteer"},
    "sleep": {"insomnia", "light sleeper", "nap"},
    "fear": {"heights", "claustrophobia", "scared of the dark"},
}
_IMPLIED_BY_KIND: Final = {
    "typing": {"typewrite", "typ", "layout", "keyboard", "input method"},
    "breed": {"dog", "cat", "pet", "home"},
    "animal": {"home"},
    "device": {"home"},
    "job": {"work"},
    "phone": {"run"},
    "acquaintance": {"work"},
    "make": {"car", "drive"},
    "os": {"operating system"},
    "programming": {"languag", "program", "write", "code"},
}
"""Words that a kind implies: "my keyboard layout is Dvorak", "I have a dog, a corgi"."""


def implies(special: Concept, general: Concept) -> bool:
    """Return whether `special` says `general` as well, so that it need not be said beside it."""
    return special.name in _IMPLIED.get(general.name, ()) or (
        general.name != special.name
        and (
            general.name == special.kind
            or general.name in _IMPLIED_BY_KIND.get(special.kind, ())
            or special.kind in _COVERED_KINDS.get(general.name, ())
            or special.name in _COVERED.get(general.name, ())
        )
    )


def covers_any(general: Concept, others: Sequence[Concept]) -> bool:
    return any(covers(general, other) for other in others)


def akin(one: Concept, other: Concept) -> bool:
    """Return whether two words nobody taught us are one: the shorter inside the other, or a slip apart."""
    if one.kind not in {"", "name"} or other.kind not in {"", "name"} or one.kind == other.kind == "name":
        return False
    short, long = sorted((one.name, other.name), key=len)
    if short == long:
        return True
    if re.match(r"[\u4e00-\u9fff]", short):
        return len(short) > 1 and short in long  # one character is in too many names
    return len(short) >= _SLIPPERY and _one_slip(short, long)


def _one_slip(short: str, long: str) -> bool:
    if len(long) - len(short) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) == len(long):
        swapped = short[:at] + short[at + 1 : at + 2] + short[at : at + 1] + short[at + 2 :]
        return swapped == long
    return short[at:] == long[at + 1 :]


def alike(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return mine == theirs


_ONE: Final = (Quantity("n", 1), Quantity("times", 1))
"""The numbers an article says as well, and "weekly"."""


def agree(mine: Sequence[Quantity], theirs: Sequence[Quantity]) -> bool:
    """Return whether both say the same numbers, in whatever order and units."""
    left = list(theirs)
    for quantity in mine:
        match = next((other for other in left if quantity.agrees_with(other)), None)
        if match is not None:
            left.remove(match)
        elif quantity not in _ONE:
            return False
    return all(quantity in _ONE for quantity in left)


def is_event(claim: Claim) -> bool:
    return any(c.kind == "event" for c in claim.objects)


def places(claim: Claim) -> list[Concept]:
    return [c for c in claim.objects if c.kind in {"place", ""}]
