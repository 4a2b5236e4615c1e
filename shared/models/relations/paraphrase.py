"""Whether two claims say the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.models.relations.claims import Claim
from shared.models.relations.concepts import Concept, lies_in
from shared.models.relations.contrasts import contrasted
from shared.models.relations.likeness import agree, akin, implies
from shared.models.relations.slots import EMPTY_PREDICATES, STYLE
from shared.models.relations.wording import written_alike

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
    if not agree(new.counts, old.counts) or contrasted(new.text, old.text):
        return False
    verdict = _same_answer(new, old)
    if verdict is not True and (_same_words(new, old) or _same_writing(new, old)):
        return True
    return verdict


def _same_writing(new: Claim, old: Claim) -> bool:
    return (
        not new.ranking
        and not old.ranking
        and new.slot.startswith(STYLE) == old.slot.startswith(STYLE)
        and new.instead_of == old.instead_of
        and written_alike(new.text, old.text)
    )


def _same_answer(new: Claim, old: Claim) -> bool | None:
    """Return whether both answer one question alike."""
    if new.ranking or old.ranking:
        return new.ranking == old.ranking
    if new.instead_of != old.instead_of and new.slot == "residence":
        return False
    if new.slot != old.slot and not any({new.slot, old.slot} <= slots for slots in SAME_SLOTS):
        return False
    if not _same_deed(new, old):
        return False
    mine, theirs = _weighed(new), _weighed(old)
    if _two_languages(new, old):
        mine, theirs = _of_any_age(mine, theirs), _of_any_age(theirs, mine)
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


_LIGHT: Final = EMPTY_PREDICATES - {"watch", "wear", "write", "read", "sing", "meet", "wash", "look for", "help"}
"""What is said besides counts for nothing: "I have", "I use", "it is"."""
_ONE_WORD: Final = {
    **dict.fromkeys(("live", "home", "flat"), "dwell"),
    **dict.fromkeys(("drive", "car"), "car"),
    "teacher": "teach",
    "study": "learn",
    "see": "watch",
    "travel": "visit",
    "subscription": "membership",
}
"""Words that stand for each other beside the same others: "my flat is in …", "I live in …"."""
_PARTS: Final = {
    "blood pressure medication": (Concept("blood pressure", "health"), Concept("medication", "health")),
    "electric car": (Concept("car", "transport"), Concept("electric", "deed")),
}
"""Compounds that may as well be said in two words."""
_FRAMES: Final = frozenset(_ONE_WORD.values())


def _same_words(new: Claim, old: Claim) -> bool:
    """Return whether both are made of the same words of content, whichever question they seem to answer."""
    if new.ranking or old.ranking or new.instead_of != old.instead_of:
        return False
    if new.slot.startswith(STYLE) != old.slot.startswith(STYLE) or not _same_deed(new, old):
        return False
    mine, theirs = bag([new]), bag([old])
    if not mine & theirs or min(mine, theirs, key=len) <= _FRAMES:
        return False
    return (
        mine == theirs
        or _left_unsaid(theirs - mine, mine - theirs, new)
        or _left_unsaid(mine - theirs, theirs - mine, old)
    )


_PERSONAL: Final = re.compile(r"\b(?:i|we|my|our|me|he|she|they|it|is|are|am)\b|我")
_PREDICATES: Final = frozenset({"work", "dwell", "come from", "car", "learn"})
_HABITUALLY: Final = re.compile(r"\b(?:always|usually|normally|routinely|generally)\b|都会?|总是?|一般|通常|平时|习惯")


def _left_unsaid(more: frozenset[str], less: frozenset[str], fragment: Claim) -> bool:
    """Return whether all that `fragment` lacks is its verb ("still at the bakery"), or "every day" for "always"."""
    if less or len(more) != 1:
        return False
    if more == {"per-day"}:
        return bool(_HABITUALLY.search(fragment.text))
    return more <= _PREDICATES and not _PERSONAL.search(fragment.text)


def bag(claims: Sequence[Claim]) -> frozenset[str]:
    """Return the words of content of all `claims`; what another of them implies is left out: "IELTS exam" is "IELTS"."""
    said = {c.name: c for claim in claims for c in claim.objects}
    names = {name for claim in claims for name in claim.said if name not in _LIGHT} | (said.keys() - _LIGHT)
    concepts = [said.get(name, Concept(name, "?")) for name in names]
    concepts = [part for c in concepts for part in _PARTS.get(c.name, (c,))]
    return frozenset(
        _ONE_WORD.get(c.name, c.name)
        for c in concepts
        if not any(c.name != other.name and (implies(other, c) or lies_in(other.name, c.name)) for other in concepts)
    )


def _spelled_alike(left: Sequence[Concept], right: Sequence[Concept]) -> bool:
    """Return whether the unknown Chinese words of both are the same characters, however they were cut."""
    mine, theirs = (sorted("".join(c.name for c in side if not c.kind)) for side in (left, right))
    return bool(mine) and mine == theirs and not mine[0].isascii()


def same_together(new: Sequence[Claim], old: Sequence[Claim]) -> bool:
    """Return whether the plain statements of two sentences say the same taken together, however they are cut."""
    every = [*new, *old]
    first = every[0]
    if any(c.ranking or c.instead_of or c.negative != first.negative or c.subject != first.subject for c in every):
        return False
    if any(not _same_standing(c, first) or c.slot.startswith(STYLE) for c in every):
        return False
    counts_new, counts_old = ([q for claim in claims for q in claim.counts] for claims in (new, old))
    if contrasted(*(" ".join(c.text for c in claims) for claims in (new, old))):
        return False
    mine, theirs = bag(new), bag(old)
    return mine == theirs and not mine <= _FRAMES and agree(counts_new, counts_old)


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
    ages = [_SIBLINGS[who].name if who in _SIBLINGS else "" for who in (new.subject, old.subject)]
    return _two_languages(new, old) and (ages[0] == old.subject or ages[1] == new.subject)


def _of_any_age(mine: Sequence[Concept], theirs: Sequence[Concept]) -> list[Concept]:
    """Return `mine` with the age of a brother or sister left open where `theirs` leaves it so."""
    named = {c.name for c in theirs}
    return [_SIBLINGS[c.name] if c.name in _SIBLINGS and _SIBLINGS[c.name].name in named else c for c in mine]


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
