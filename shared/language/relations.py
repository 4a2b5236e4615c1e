"""What a new statement does to remembered ones: rules tell what is exact, the reader the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.language.port import Readings
from shared.models.embedder import Unembeddable
from shared.models.relations import Resolution, Statement
from shared.models.relations import resolve as resolve_by_rules

SAME_FROM: Final = 0.6
SAME_ACROSS_FROM: Final = 0.97
"""The same of two that share no script, English beside Chinese: of 我喜欢滑雪 and "I love climbing" it is 0.94 sure."""
REPLACES_FROM: Final = 0.7
DISPUTES_FROM: Final = 0.6
"""How sure the reader is, at least. Doubt is left to the person, and a wrong merge loses a memory."""
TOUCHES_FROM: Final = 0.7
"""How likely it is that one replaces or disputes the other, together, for the person to be asked."""

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")


def resolve_together(new: Statement, remembered: Sequence[Statement], readings: Readings) -> Resolution:
    """Return what `new` does to `remembered`: as rules say, or as the reader does where they see nothing."""
    exact = resolve_by_rules(new, remembered)
    return exact if exact.of else resolve(new, remembered, readings)


def resolve(new: Statement, remembered: Sequence[Statement], readings: Readings) -> Resolution:
    """Return what `new` does to `remembered`.

    A statement known to be older than a remembered one never replaces or disputes it.
    """
    if not remembered:
        return Resolution("new")
    replaced: list[int] = []
    disputed: list[int] = []
    try:
        likely = readings.relations(new.text, [one.text for one in remembered])
    except Unembeddable:
        return Resolution("new")
    same = [
        place
        for place, one in enumerate(likely)
        if _folded(new.text) == _folded(remembered[place].text)
        or (
            one["same"] >= (SAME_FROM if _in_one_script(new.text, remembered[place].text) else SAME_ACROSS_FROM)
            and _numbers_agree(new.text, remembered[place].text)
        )
    ]
    if same:
        return Resolution("same", (max(same, key=lambda place: likely[place]["same"]),))
    for place, (one, old) in enumerate(zip(likely, remembered, strict=True)):
        if new.said_at is not None and old.said_at is not None and new.said_at < old.said_at:
            continue
        if one["replaces"] >= REPLACES_FROM:
            replaced.append(place)
        elif one["unclear"] >= DISPUTES_FROM or one["replaces"] + one["unclear"] >= TOUCHES_FROM:
            disputed.append(place)
    if replaced:
        return Resolution("replaces", tuple(replaced))
    return Resolution("disputes", tuple(disputed)) if disputed else Resolution("new")


def _in_one_script(one: str, other: str) -> bool:
    return bool(_HAN.search(one)) == bool(_HAN.search(other))


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _numbers_agree(one: str, other: str) -> bool:
    """Return whether no number of one is contradicted by the other: each has none, or they share them."""
    mine, theirs = set(_NUMBER.findall(one)), set(_NUMBER.findall(other))
    return not mine or not theirs or mine <= theirs or theirs <= mine
