"""What a new statement does to the remembered ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from shared.models.relations.claims import Claim, claims
from shared.models.relations.comparison import Clash, clash
from shared.models.relations.paraphrase import same, same_together

Outcome: TypeAlias = Literal["new", "same", "replaces", "disputes"]
Similarity: TypeAlias = Callable[[str, str], float]

PARAPHRASE: Final = 0.985
"""Least cosine of two texts in one language that says they mean the same where the rules leave it open.
Between languages the rules alone decide: short sentences about different things are as near as translations are."""

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


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


def resolve(new: Statement, remembered: Sequence[Statement], similarity: Similarity) -> Resolution:
    """Return what `new` does to `remembered`, without side effects and always the same for the same words.

    Rules decide; `similarity`, the cosine of the embedder over two texts, is asked at most once a pair, and only where
    the rules know that two sentences could be paraphrases but not all of their words. A statement known to be older
    than a remembered one never replaces or disputes it.
    """
    said = claims(new.text)
    replaced: list[int] = []
    disputed: list[int] = []
    for index, statement in enumerate(remembered):
        held = claims(statement.text)
        if _folded(new.text) == _folded(statement.text) or _same(new.text, said, statement.text, held, similarity):
            return Resolution("same", (index,))
        if new.said_at is not None and statement.said_at is not None and new.said_at < statement.said_at:
            continue
        verdict = _verdict(said, held)
        if verdict == "replaces":
            replaced.append(index)
        elif verdict == "disputes":
            disputed.append(index)
    if replaced:
        return Resolution("replaces", tuple(replaced))
    if disputed:
        return Resolution("disputes", tuple(disputed))
    return Resolution("new")


def _folded(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _verdict(said: Sequence[Claim], held: Sequence[Claim]) -> Clash | None:
    verdicts = {clash(new, old) for new in said for old in held}
    if "replaces" in verdicts:
        return "replaces"
    return "disputes" if "disputes" in verdicts else None


def _same(text: str, said: Sequence[Claim], other: str, held: Sequence[Claim], similarity: Similarity) -> bool:
    mine, theirs = _stated(said), _stated(held)
    if not mine or not theirs:
        return False
    if len(mine) != len(theirs):
        return same_together(mine, theirs)
    verdicts = [same(new, old) for new, old in zip(mine, theirs, strict=True)]
    if False in verdicts:
        return False
    if None not in verdicts:
        return True
    one_language = bool(_HAN.search(text)) == bool(_HAN.search(other))
    return one_language and similarity(text, other) >= PARAPHRASE


def _stated(said: Sequence[Claim]) -> list[Claim]:
    """Return the claims without those that only rule something else out: "…, not for a company"."""
    said = [claim for claim in said if claim.objects or claim.counts or claim.slot]
    main = [claim for claim in said if not claim.text.startswith(("not ", "rather than ", "而不是"))]
    return main or list(said)
