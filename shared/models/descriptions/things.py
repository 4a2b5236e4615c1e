"""What a description asks for: terms, each as every way it may be said, and targets, met by all of their terms."""

from __future__ import annotations

from dataclasses import dataclass

from shared.models.descriptions.identifiers import Identifier
from shared.models.descriptions.persons import is_somebody
from shared.models.descriptions.topics import Topic
from shared.models.descriptions.vocabulary import DONE_WITH, JOURNEYS, SOMEBODY


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that must be spoken of: any of its spellings, words, concepts or topics will do.

    `literal` is looked for as it stands, between words; an `exact` one is a name, whatever it means otherwise. Of a word
    made of several (`together`) all concepts must be there.
    """

    said: str
    identifiers: tuple[Identifier, ...] = ()
    literal: str = ""
    stems: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    topics: tuple[Topic, ...] = ()
    exact: bool = False
    together: bool = False

    @property
    def may_be_somebody(self) -> bool:
        """Whether it names somebody, or something unknown that may be a name."""
        return self.exact or not self.names or bool(self.names & SOMEBODY) or is_somebody(self.said)


@dataclass(frozen=True, slots=True)
class Target:
    """Terms that must be met together.

    `head` says what it is: the money of "the money I owe my sister". `phrase`: or its very words, several at once. `own`: what belongs to somebody else is something else. `owned`: the first is whose the others are.
    """

    terms: tuple[Term, ...]
    own: bool = False
    owned: bool = False
    phrase: str = ""
    head: Term | None = None

    def goes_without(self, term: Term) -> bool:
        """Return whether a term only says what is done with what the others name: "pottery class", "Kyoto trip"."""
        named = any(other.exact for other in self.terms if other is not term)
        return len(self.terms) > 1 and (term.said in DONE_WITH or (named and term.said in JOURNEYS))

    @property
    def may_be_somebody(self) -> bool:
        """Whether "she" may stand for it: not for "the money I owe my sister"."""
        if self.head is None or len(self.terms) == 1:
            return self.head is None or self.head.may_be_somebody
        return self.head.may_be_somebody and bool(self.head.exact or self.head.names or self.head.literal)
