"""Whether two claims say the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.models.relations.claims import Claim
from shared.models.relations.concepts import Concept, lies_in
from shared.models.relations.likeness import agree, akin

SAME_SLOTS: Final = (
    frozenset({"possession", "", "named"}),
    frozenset({"origin", ""}),
    frozenset({"editor", ""}),
    frozenset({"habit", ""}),
    frozenset({"study", "learning"}),
    frozenset({"speaking", ""}),
    frozenset({"style:form", ""}),
    frozenset({"mode", ""}),
    frozenset({"job", ""}),
)


def same(new: Claim, old: Claim) -> bool | None:
    """Return whether both claims say the same; None when words nobody taught us keep that open."""
    if not _one_subject(new, old) or new.negative != old.negative or not _same_standing(new, old):
        return False
    if new.ranking or old.ranking:
        return new.ranking == old.ranking
    if new.instead_of != old.instead_of and new.slot == "residence":
        return False
    if new.slot != old.slot and not any({new.slot, old.slot} <= slots for slots in SAME_SLOTS):
        return False
    if not agree(new.counts, old.counts):
        return False
    if not _same_nuance(new.text, old.text) or not _same_deed(new, old):
        return False
    mine, theirs = _weighed(new), _weighed(old)
    if _two_languages(new, old):
        mine, theirs = ([_SIBLINGS.get(c.name, c) for c in side] for side in (mine, theirs))
    left = [c for c in mine if not any(c.name == other.name or akin(c, other) for other in theirs)]
    right = [c for c in theirs if not any(c.name == other.name or akin(c, other) for other in mine)]
    if _spelled_alike(left, right):
        left, right = ([c for c in side if c.kind] for side in (left, right))
    crumbs_left, crumbs_right = ([c for c in side if _is_crumb(c)] for side in (left, right))
    shared = len(left) < len(mine)
    left, right = ([c for c in side if not _is_crumb(c)] for side in (left, right))
    if not left and not right:
        open_words = (crumbs_left and crumbs_right) or ((crumbs_left or crumbs_right) and not shared)
        return None if open_words else bool(mine or new.counts or new.slot)
    if not left or not right:
        return None if all(c.kind in {"", "do"} for c in (*left, *right)) and len(left) + len(right) == 1 else False
    return False if all(c.kind for c in (*left, *right)) else None


def _spelled_alike(left: Sequence[Concept], right: Sequence[Concept]) -> bool:
    """Return whether the unknown Chinese words of both are the same characters, however they were cut."""
    mine, theirs = (sorted("".join(c.name for c in side if not c.kind)) for side in (left, right))
    return bool(mine) and mine == theirs and not mine[0].isascii()


def same_together(new: Sequence[Claim], old: Sequence[Claim]) -> bool:
    """Return whether the plain statements of two sentences say the same taken together, however they are cut."""
    every = [*new, *old]
    if any(c.negative or c.ranking or c.subject != every[0].subject or not _same_standing(c, every[0]) for c in every):
        return False
    if {c.slot for c in new} - {"job", "employer", ""} or {c.slot for c in old} - {"job", "employer", ""}:
        return False
    mine, theirs = (frozenset(name for claim in claims for name in claim.names) for claims in (new, old))
    counts_new, counts_old = ([q for claim in claims for q in claim.counts] for claims in (new, old))
    return bool(mine) and mine == theirs and agree(counts_new, counts_old)


def _weighed(claim: Claim) -> list[Concept]:
    """Return the objects that must agree: not "every day" beside a clock time, nor the country beside its city."""
    return [
        _TEACHING if c.name == "teacher" and claim.slot == "job" else c
        for c in claim.objects
        if not (c.name in {"temperature", "unit"} and claim.slot in {"style:temperature", "style:unit-system"})
        and not (c.name == "per-day" and claim.slot in {"wake", "bed"})
        and not any(lies_in(other.name, c.name) for other in claim.objects)
    ]


def _two_languages(new: Claim, old: Claim) -> bool:
    return bool(_HAN.search(new.text)) != bool(_HAN.search(old.text))


def _one_subject(new: Claim, old: Claim) -> bool:
    if new.subject == old.subject:
        return True
    plain = [_SIBLINGS[who].name if who in _SIBLINGS else who for who in (new.subject, old.subject)]
    return plain[0] == plain[1] and _two_languages(new, old)


def _same_deed(new: Claim, old: Claim) -> bool:
    """Return whether neither is about having a thing that the other is about using: "no TV", "I don't watch TV"."""
    if not {new.slot, old.slot} <= {"", "possession"}:
        return True
    mine, theirs = new.said & _DEEDS, old.said & _DEEDS
    return not mine or not theirs or bool(mine & theirs)


_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_DEEDS: Final = frozenset({"have", "watch", "wear", "write", "play", "read", "sing", "build", "buy"})
_SIBLINGS: Final = {
    f"{age} {who}": Concept(who, "relative") for age in ("older", "younger") for who in ("brother", "sister")
}
"""Chinese cannot leave open who is older."""
_TEACHING: Final = Concept("teach", "do")


_NUANCES: Final = (
    (re.compile(r"\bbefore\b|之前|以前"), re.compile(r"\bafter\b|之后|以后")),
    (re.compile(r"比.{1,4}大|大(?:我|他|她)|\bolder\b"), re.compile(r"比.{1,4}小|小(?:我|他|她)|\byounger\b")),
    (
        re.compile(r"\b(?:often|usually|always|mostly|frequently)\b|经常|常常|总是|一直"),
        re.compile(r"\b(?:sometimes|occasionally|rarely|seldom)\b|偶尔|有时|很少"),
    ),
)
"""Words that carry no content of their own, but turn a statement when one stands for the other."""


def _same_nuance(one: str, other: str) -> bool:
    return not any(
        (left.search(one) and right.search(other)) or (right.search(one) and left.search(other))
        for left, right in _NUANCES
    )


def _is_crumb(concept: Concept) -> bool:
    """Return whether a single Chinese character is left over from a word we do not know."""
    return concept.kind == "" and len(concept.name) == 1 and not concept.name.isascii()


_DEGREE: Final = re.compile(r"\b(?:degree|major|university|uni|college|undergrad\w*)\b|本科|专业|大学|学的|读的")


def _same_standing(new: Claim, old: Claim) -> bool:
    mine, theirs = new.mood, old.mood
    if mine.past != theirs.past and not (
        new.slot == old.slot == "study" and _DEGREE.search(new.text) and _DEGREE.search(old.text)
    ):
        return False
    if not mine.past and mine.ended != theirs.ended:
        return False
    return (mine.tentative, mine.unreal, mine.passing, mine.partial) == (
        theirs.tentative,
        theirs.unreal,
        theirs.passing,
        theirs.partial,
    )
