"""What a new statement does to the remembered ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias

from shared.models.relations.claims import Claim, claims
from shared.models.relations.comparison import Clash, clash
from shared.models.relations.paraphrase import same, same_together
from shared.models.relations.slots import WHEN
from shared.models.relations.topics import only_whereabouts, overlay, rest
from shared.models.relations.touching import Touch, touch

Outcome: TypeAlias = Literal["new", "same", "replaces", "disputes"]

_POINTS_BACK: Final = re.compile(
    r"^(?:i|we) (?:\w+ ){0,3}(?:like|love|hate|do|enjoy|adore|prefer|eat|drink|use|mean|know) (?:it|them|that|this|so)(?: \w+)?$"
)
"""A clause that only says of what was just named what was just said: "…, I love it"."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence about a person, what kind of memory it is, and when they said it, if that is known."""

    text: str
    content_type: str
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Resolution:
    """What becomes of a new statement.

    new: it stands beside what is remembered. same: it says again what `of` says. replaces: `of` hold no more.
    disputes: it may contradict `of`, and only its person can tell. `of` are indexes into what was remembered.
    """

    outcome: Outcome
    of: tuple[int, ...] = ()


def resolve(new: Statement, remembered: Sequence[Statement]) -> Resolution:
    """Return what `new` does to `remembered`, without side effects and always the same for the same words.

    Rules decide, and what they do not know stays apart: a wrong merge loses a memory. No embedder is asked: short
    sentences about different things are as near as paraphrases are. A statement known to be older than a remembered one
    never replaces or disputes it.
    """
    said = claims(new.text)
    replaced: list[int] = []
    disputed: list[int] = []
    touched: dict[int, Touch] = {}
    for index, statement in enumerate(remembered):
        held = claims(statement.text)
        if _folded(new.text) == _folded(statement.text) or _same(said, held):
            return Resolution("same", (index,))
        if new.said_at is not None and statement.said_at is not None and new.said_at < statement.said_at:
            continue
        verdict = _verdict(said, held)
        if verdict == "replaces":
            replaced.append(index)
        elif verdict == "disputes":
            disputed.append(index)
        elif (near := touch(said, held)) is not None:
            touched[index] = near
    if replaced:
        concerned = _nearest_of(replaced, said, remembered)
        named = frozenset[str]().union(*(overlay(said, claims(remembered[index].text)).names for index in concerned))
        besides = [
            index
            for index, near in touched.items()
            if near.firm and near.shared and not _overlapping(near.shared, named)
        ]
        return Resolution("replaces", tuple(sorted((*concerned, *besides))))
    if disputed:
        return Resolution("disputes", tuple(disputed))
    if touched:
        nearest = _nearest(touched)
        firm = tuple(index for index in nearest if touched[index].firm)
        return Resolution("replaces", firm) if firm else Resolution("disputes", nearest)
    return Resolution("new")


def _overlapping(names: frozenset[str], others: frozenset[str]) -> bool:
    return any(name in other or other in name for name in names for other in others)


def _nearest_of(indexes: Sequence[int], said: Sequence[Claim], remembered: Sequence[Statement]) -> list[int]:
    """Return `indexes` without a statement that shares less with what is said than another does."""
    shared = {index: overlay(said, claims(remembered[index].text)) for index in indexes}
    return [
        index
        for index in indexes
        if not (
            shared[index].names
            and (rest(shared[index].theirs, shared[index].shared) or only_whereabouts(shared[index].shared))
            and any(shared[index].names < other.names for other in shared.values())
        )
    ]


def _nearest(touched: dict[int, Touch]) -> tuple[int, ...]:
    """Return the statements of which no other shares all that they share, and more."""
    return tuple(
        index for index, one in touched.items() if not any(one.shared < other.shared for other in touched.values())
    )


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _verdict(said: Sequence[Claim], held: Sequence[Claim]) -> Clash | None:
    verdicts = {clash(new, old) for new in said for old in held}
    if "replaces" in verdicts:
        return "replaces"
    return "disputes" if "disputes" in verdicts else None


def _same(said: Sequence[Claim], held: Sequence[Claim]) -> bool:
    mine, theirs = _stated(said), _stated(held)
    if not mine or not theirs:
        return False
    if len(mine) != len(theirs):
        return same_together(mine, theirs)
    return all(_in_any_order(mine, theirs))


def _in_any_order(mine: Sequence[Claim], theirs: Sequence[Claim]) -> list[bool | None]:
    """Return for each of `mine` how it compares with the claim of `theirs` that says it again, else with its own place."""
    left = list(theirs)
    open_claims: list[Claim] = []
    for claim in mine:
        again = next((other for other in left if same(claim, other)), None)
        if again is None:
            open_claims.append(claim)
        else:
            left.remove(again)
    return [same(claim, other) for claim, other in zip(open_claims, left, strict=True)]


def _stated(said: Sequence[Claim]) -> list[Claim]:
    """Return the claims without those that only rule something else out: "…, not for a company"."""
    said = [claim for claim in said if claim.objects or claim.counts or claim.slot]
    main = [claim for claim in said if not claim.text.startswith(("not ", "rather than ", "而不是"))]
    main = _allergies_with_their_causes(main or list(said))
    about = [claim for claim in main if not (claim.subject == main[0].subject and _POINTS_BACK.match(claim.text))]
    return _once(about or main)


def _allergies_with_their_causes(said: Sequence[Claim]) -> list[Claim]:
    """Return the claims with "…, I'm allergic" said of what stands before it, which then says no more than that."""
    if not any(claim.slot == "allergy" and not claim.objects for claim in said):
        return list(said)
    causes = tuple(c for claim in said for c in claim.objects if c.kind not in {"", "do", "deed", *WHEN})
    allergy = next(claim for claim in said if claim.slot == "allergy")
    return [replace(allergy, objects=causes)] if causes else list(said)


def _once(said: Sequence[Claim]) -> list[Claim]:
    """Return the claims without those that say again what one before them said: "I can't dance, I'm no good at it"."""
    kept: list[Claim] = []
    for claim in said:
        if not any(same(claim, other) for other in kept):
            kept.append(claim)
    return kept
