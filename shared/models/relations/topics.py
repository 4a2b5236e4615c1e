"""What two statements are about, whatever the words: laid over each other, what they share is their topic.

What is left over on one side is more detail; left over on both sides it makes two topics.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from shared.models.relations.claims import Claim
from shared.models.relations.concepts import Concept
from shared.models.relations.likeness import PASSING_DETAIL, covers
from shared.models.relations.slots import EMPTY_PREDICATES, WHEN
from shared.models.relations.subjects import FIRM, GROUPS, ME, PERSONS, SOMEBODY
from shared.models.relations.words.contrasts import CONTRASTS
from shared.models.relations.words.people import PEOPLE

LIGHT: Final = (
    EMPTY_PREDICATES
    | PASSING_DETAIL
    | frozenset(
        "move|live|work|like|hate|prefer|eat|drink|call|speak|learn|study|teach|visit|travel|wear|get up|go to bed|near"
        "|only|favorite|commute|graduate|receive|share|sell|lose|break|weigh|tall|budget|answer|start|end|color|home"
        "|extend|shav|tempt|trial|triall|measur|tbh|updat|correction|renam|push|delay|postpon|bring|forward|shift|bill"
        "|cancel|swap|upgrad|downgrad|migrat|transfer|report|fit|instal|currency|unit|later|earlier|week|plan|own|cost"
        "|hop|decid|decision|idea|true|right|wrong|mistake|typo|actual|case|nobody|rehearsal|practic|session|slot|siz"
        "|number|brand|model|type|properl|subscription|membership|account|member|subscrib|contract|policy|provider"
        "|normal|bad|good|high|low|strong|mild|sever|chronic|regular|usual|current|present|former|second|third"
        "|pass|fail|status|situation|version|edition|package|setting|option|choic|level|sort|kind".split("|")
    )
)
"""Words around a topic that do not make another topic of it."""

_DEEDS: Final = frozenset({"work", "sleep", "commute", "run", "walk", "swim", "cycle", "study", "smoke", "live"})
"""Deeds that are a topic of their own, though nothing else be named."""
_VERB_AFTER: Final = (
    r"\b(?:(?:want|going|have|need|try|trying|like|love|hope|hoping|plan|planning|decided|about|able|got|how|ready|start|started|begin|began|tempted|thinking"
    r"|meaning|supposed|forgot|managed|refuse|keen|learnt?|learned) to|might|may|could|will|would|can|should|shall|must|i|we|they|she|he|not|just|have|had|has"
    r"|finally|never|always|also|still|almost|already|really|barely|hardly|keep|kept|start|started|stop|stopped) "
)
"""A word we do not know is a verb after these."""
_FORM_AFTER: Final = r"\b(?:am|is|are|was|were|get|got|getting|been|being|and|of|be|my|the) "
"""A word in -ing or -ed is a verb after these."""
_WITHIN: Final = {
    "meeting": frozenset({"dentist appointment", "weekly meeting", "interview"}),
    "phone number": frozenset({"phone"}),
}
_AROUND: Final = frozenset({"do", "place", "workplace", "relative"})
"""Kinds of what a topic may have around it."""


@cache
def _animals() -> frozenset[str]:
    return frozenset(line.split(" |")[0].split(",")[0] for line in PEOPLE["animal"].strip().splitlines())


@dataclass(frozen=True, slots=True)
class Overlay:
    """Two statements laid over each other: the things of both, which of the older one's they share, and the new text."""

    mine: tuple[Concept, ...]
    theirs: tuple[Concept, ...]
    shared: tuple[Concept, ...]
    text: str

    @property
    def names(self) -> frozenset[str]:
        """Names of what they share."""
        return frozenset(concept.name for concept in self.shared)

    def one_topic(self, *, hedged: bool) -> bool:
        """Return whether one side speaks of all that the other speaks of; a name in both is topic enough.

        Of Chinese we cannot cut into words a hedged statement may hold more.
        """
        if any(c.kind == "name" for c in self.shared):
            return True
        mine = [c for c in self.mine if not (hedged and c.kind == "" and not c.name.isascii())]
        return bool(self.shared) and (not rest(mine, self.shared) or not rest(self.theirs, self.shared))


def windows(said: Sequence[Claim]) -> Iterator[Sequence[Claim]]:
    """Yield each clause, and each with its neighbour: "rent went up, it's 1,140 now"."""
    for at, claim in enumerate(said):
        yield (claim,)
        if at:
            yield (said[at - 1], claim)


def overlay(window: Sequence[Claim], held: Sequence[Claim]) -> Overlay:
    """Lay the clauses of a new statement over those of a remembered one."""
    text = " ".join(claim.text for claim in window)
    mine, theirs = tuple(things(window)), tuple(things(held))
    shared = tuple(c for c in theirs if any(one(other, c) for other in mine) or (c.kind == "name" and c.name in text))
    return Overlay(mine, theirs, shared, text)


def things(said: Iterable[Claim]) -> Iterator[Concept]:
    """Yield what clauses are about: neither times nor predicates nor values of a scale."""
    for claim in said:
        for concept in claim.words:
            if (
                concept.kind not in WHEN
                and concept.kind not in CONTRASTS
                and concept.name not in LIGHT
                and concept.name != claim.subject
                and not (concept.kind == "" and (len(concept.name) == 1 or _is_verb(concept.name, claim.text)))
            ):
                yield concept


def _is_verb(name: str, text: str) -> bool:
    if not name.isascii():
        return False
    word = re.escape(name)
    return bool(re.search(rf"{_VERB_AFTER}{word}\w{{0,4}}\b|(?:^|{_FORM_AFTER}){word}\w?(?:ing|ed)\b", text))


def one(mine: Concept, theirs: Concept) -> bool:
    """Return whether two things may be the same: equal, one of the other's kind, or a common run of Chinese."""
    if (mine.kind == "name") != (theirs.kind == "name"):
        return mine.name == theirs.name
    return (
        covers(mine, theirs)
        or covers(theirs, mine)
        or theirs.name in _WITHIN.get(mine.name, ())
        or _overlap(mine, theirs)
    )


def _overlap(mine: Concept, theirs: Concept) -> bool:
    if mine.kind not in {"", "name"} or theirs.kind not in {"", "name"} or mine.name.isascii() or theirs.name.isascii():
        return False
    short, long = sorted((mine.name[:20], theirs.name[:20]), key=len)
    return any(short[at : at + 2] in long for at in range(len(short) - 1))


def rest(side: Iterable[Concept], shared: Sequence[Concept]) -> list[Concept]:
    """Return what only this side names, beside places and deeds around it."""
    return [c for c in side if c.kind not in _AROUND and not any(one(c, other) for other in shared)]


def one_deed(window: Sequence[Claim], old: Claim, laid: Overlay) -> bool:
    """Return whether neither side names a thing, but both the same deed: "I sleep six hours"."""
    said = frozenset(name for claim in window for name in claim.said)
    return not laid.mine and not laid.theirs and bool(said & old.said & _DEEDS)


def of_one(window: Sequence[Claim], old: Claim) -> bool:
    """Return whether the clauses may be about whom `old` is about, or about somebody it names."""
    if any(claim.mood.past and not claim.mood.ended for claim in window):
        return False
    subjects = {claim.subject for claim in window}
    if old.subject in subjects or (old.subject == FIRM and subjects == {ME}):
        return True
    own = {ME, SOMEBODY, *(subject for subject in subjects if subject.startswith("?"))}
    if not subjects <= own:
        return False
    text = " ".join(claim.text for claim in window)
    if any(c.name in text for c in old.words if c.kind == "name" and len(c.name) > 1):
        return True
    return old.subject in _animals() and bool(window[0].words) and window[0].words[0] in old.words


def only_whereabouts(shared: Iterable[Concept]) -> bool:
    """Return whether all that is shared are places and people, which many statements share."""
    return all(c.kind in {"place", "org", "workplace", "home", *PERSONS} and c.name not in GROUPS for c in shared)
