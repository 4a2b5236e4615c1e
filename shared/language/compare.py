"""Decide what a new statement does to existing memories, with the reader; different numbers are never the same."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from shared.language import terms
from shared.language.embedding.bundled import Unembeddable
from shared.language.port import Readings
from shared.language.rules.folding import letters_of

Outcome: TypeAlias = Literal["new", "same", "replaces", "disputes"]


@dataclass(frozen=True, slots=True)
class Limits:
    """How sure the reader must be, as least probabilities. In doubt the person decides: a wrong merge loses a memory.

    Args:
        same_across: the same across scripts (English and Chinese), where the reader errs: 我喜欢滑雪 and "I love
            climbing" get 0.94.
        same_unlike: the same of two of which one is a safety matter and the other is not.
        as_sure: how much less sure than of the surest the reader may be of another replaced statement. A correction of
            one thing looks like a correction of others too, but less.
        safety_replaced: that a safety matter is replaced. Otherwise the person is asked.
        touches: least joint probability of replacing or disputing for the person to be asked.
        among: how fast the least log-odds grow with the logarithm of how many statements are compared (ADR 0022). By
            Bayes it would be 1 for a reader taught by pairs of which half are related, and 0 for one taught by
            statements as it meets them.
    """

    same: float = 0.5
    same_across: float = 0.97
    same_unlike: float = 0.9
    replaces: float = 0.8
    as_sure: float = 0.02
    safety_replaced: float = 0.95
    disputes: float = 0.6
    touches: float = 0.7
    among: float = 0.57

    def of(self, least: float, compared: int) -> float:
        """Return the least probability that counts for each of `compared` (1 or more) statements; for one `least`."""
        return 1 / (1 + (1 / least - 1) * math.pow(compared, -self.among))


LIMITS: Final = Limits()
"""Chosen by the authors hawthorn, juniper and tamarind (`make eval-among`)."""

COMPARED: Final = 4
"""Most memories that a statement is compared with."""
AS_NEAR: Final = 0.06
"""How much farther than the nearest, as a cosine, a memory may be to be compared too: only 3 of 100 that a statement
concerns are farther (the author hawthorn's), and each one more costs time and may be taken for concerned."""

_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence about a person.

    Args:
        said_at: when they said it, if that is known.
        safety: whether it is a safety matter: an allergy, a diet, a medicine, a topic never to raise.
    """

    text: str
    said_at: datetime | None = None
    safety: bool = False


@dataclass(frozen=True, slots=True)
class Resolution:
    """The effect of a new statement.

    new: independent of existing memories. same: repeats `of`. replaces: `of` are no longer true. disputes: may
    contradict `of`; only the person can tell. `of` are indexes into the existing memories.
    """

    outcome: Outcome
    of: tuple[int, ...] = ()


def resolve(
    new: Statement,
    remembered: Sequence[Statement],
    readings: Readings,
    *,
    sure: float = 0.0,
    among: int = 0,
    limits: Limits = LIMITS,
) -> Resolution:
    """Return what `new` does to `remembered`.

    A statement known to be older than a memory never replaces or disputes it.

    Args:
        sure: minimum confidence of the reader, 0…1, in addition to the limits.
        among: how many memories these are the nearest of: one that is the nearest of many is not alone.
    """
    if not remembered:
        return Resolution("new")
    try:
        likely = readings.relations(new.text, [one.text for one in remembered])
    except Unembeddable:
        return Resolution("new")
    compared = max(len(likely), min(among, COMPARED))
    effects = [_effect(new, old, one, limits, sure, compared) for one, old in zip(likely, remembered, strict=True)]
    same = [place for place, effect in enumerate(effects) if effect == "same"]
    if same:
        return Resolution("same", (max(same, key=lambda place: likely[place]["same"]),))
    replaced = [(likely[place]["replaces"], place) for place, effect in enumerate(effects) if effect == "replaces"]
    if replaced:
        surest = max(replaced)[0]
        return Resolution("replaces", tuple(place for one, place in replaced if one >= surest - limits.as_sure))
    disputed = tuple(place for place, effect in enumerate(effects) if effect == "disputes")
    return Resolution("disputes", disputed) if disputed else Resolution("new")


def _effect(
    new: Statement, old: Statement, likely: Mapping[str, float], limits: Limits, sure: float, compared: int
) -> Outcome:
    """Return what a statement does to one of `compared` memories, given how likely each relation is."""
    if letters_of(new.text) == letters_of(old.text):
        return "same"
    alike = max(sure, _same_from(new, old, limits), limits.of(limits.same, compared))
    if likely["same"] >= alike and _numbers_agree(new.text, old.text):
        return "same"
    if new.said_at is not None and old.said_at is not None and new.said_at < old.said_at:
        return "new"
    compared = 1 if share_words(new.text, old.text) else compared
    touches = likely["replaces"] + likely["unclear"]
    enough = limits.safety_replaced if old.safety else limits.replaces
    if likely["replaces"] >= max(sure, enough, limits.of(limits.replaces, compared)):
        return "replaces"
    unclear, touching = limits.of(limits.disputes, compared), limits.of(limits.touches, compared)
    if touches >= sure and (likely["unclear"] >= unclear or touches >= touching):
        return "disputes"
    return "new"


def _same_from(one: Statement, other: Statement, limits: Limits) -> float:
    in_one_script = bool(_HAN.search(one.text)) == bool(_HAN.search(other.text))
    if not in_one_script:
        return limits.same_across
    return limits.same if one.safety == other.safety else limits.same_unlike


def worth_comparing(nearness: Sequence[float]) -> int:
    """Return how many of the nearest memories, given their cosines, nearest first, a statement is compared with."""
    return sum(nearness[0] - one <= AS_NEAR for one in nearness[:COMPARED])


def share_words(one: str, other: str) -> bool:
    """Return whether two statements share two words or more ("I live in Oslo now", "I live in Riga now").

    Then one is not among many: of the twelve nearest statements of other people hardly any does (14 of 3,600), of those
    that are replaced one in five.
    """
    return len(set(terms.words(one)) & set(terms.words(other))) > 1


def _numbers_agree(one: str, other: str) -> bool:
    """Return whether the numbers are compatible: one text has none, or all its numbers are in the other."""
    mine, theirs = set(_NUMBER.findall(one)), set(_NUMBER.findall(other))
    return not mine or not theirs or mine <= theirs or theirs <= mine
