"""A description on its way through all a person said: what is kept between one page of it and the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from shared.models.descriptions.correcting import Resolved, resolve_correction
from shared.models.descriptions.deciding import Discourse, Known, decide
from shared.models.descriptions.said import Meant, Said
from shared.models.descriptions.wishes import Wish, understand

TERMS_MAX: Final = 20
"""Most things one description may name: every one of them is looked for in everything."""


class TooManyTerms(Exception):
    """A description names more than `TERMS_MAX` things."""

    def __init__(self, terms: int) -> None:
        super().__init__(f"{terms} terms")
        self.terms = terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How a description was understood.

    Args:
        nothing: why it names nothing that could be looked for.
        script: the language it is answered in.
        terms: how many things it names.
    """

    nothing: Literal["everything", "nothing_named"] | None
    script: Literal["en", "zh"]
    terms: int


class Search:
    """Looks for what a description means: shown everything once to learn who is who, then again to decide.

    Args:
        now: what "last week" counts from.
    """

    def __init__(self, description: str, now: datetime) -> None:
        self._wish = understand(description, now)
        self._known = Known(self._wish)
        self._understood = self._wish
        self._discourse = Discourse(self._wish, self._known)

    def asked(self) -> Asked:
        """Return how the description was understood."""
        wish = self._wish
        nothing: Literal["everything", "nothing_named"] = "everything" if wish.is_everything else "nothing_named"
        return Asked(nothing=None if wish.targets else nothing, script=wish.script, terms=wish.count)

    def learn(self, page: Sequence[Said]) -> None:
        """Take in some of what the person said or is remembered for; every page comes before anything is decided."""
        for said in page:
            self._known.learn(said)

    def anchor_found(self) -> bool:
        """Return whether what dates the description was ever said, if anything does."""
        return self._wish.anchor is None or self._known.anchored_at is not None

    def begin(self, *, loosely: bool) -> bool:
        """Begin to decide; `loosely` without words nobody ever said. False when that would change nothing."""
        understood: Wish | None = self._known.loosely if loosely else self._wish
        if understood is None:
            return False
        self._understood = understood
        return True

    def memories(self, page: Sequence[Said]) -> list[Meant | None]:
        """Return what is meant of each of some memories."""
        return [meant for said in page for meant in decide(self._understood, self._known, [said])]

    def turns(self, page: Sequence[tuple[bool, Sequence[Said]]]) -> list[list[Meant | None]]:
        """Return what is meant of each message of some turns, in order; true stands with the first of a conversation."""
        found: list[list[Meant | None]] = []
        for begins, turn in page:
            if begins:
                self._discourse = Discourse(self._understood, self._known)
            found.append(self._discourse.decide(turn))
        return found


class Correcting:
    """Looks for the memory a correction means among all there are."""

    def __init__(self, about: str, now: datetime) -> None:
        self._wish = understand(about, now)
        self._units: list[str] = []

    def terms(self) -> int:
        """Return how many things the description names."""
        return self._wish.count

    def add(self, page: Sequence[str]) -> None:
        """Take in some memories by their wording."""
        self._units += page

    def resolve(self, statement: str) -> Resolved:
        """Return which memory the statement is to take the place of."""
        return resolve_correction(self._wish, statement, self._units)
