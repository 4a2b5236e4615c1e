"""Which parts of what was said a description means, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final, Literal

from shared.domain.cuts import Span, cut
from shared.models.descriptions.answers import answer, telling
from shared.models.descriptions.elaborating import breaks_off, elaborates, introduces
from shared.models.descriptions.following import (
    leaves_open_who,
    opens_with_pronoun,
    points_back,
    points_to_somebody,
    speaks_of_it,
    speaks_of_somebody,
    turns_away,
)
from shared.models.descriptions.matching import Matching
from shared.models.descriptions.moments import Window, window_in, years_in
from shared.models.descriptions.names import Names, given, is_said_of_somebody
from shared.models.descriptions.reading import Clause, Reading, read
from shared.models.descriptions.remainders import says_nothing, spans_to_cut
from shared.models.descriptions.said import Code, Meant, Said
from shared.models.descriptions.terms import without
from shared.models.descriptions.things import Term
from shared.models.descriptions.vocabulary import SOMEBODY
from shared.models.descriptions.wishes import Wish

_CALLS: Final = re.compile(
    r"^(?:名?叫|名字|called\b|named\b|(?:it|he|she)'s called|(?:its|his|her) name)|\bcalls? (?:him|her|it|them)\b|[叫喊称管][他她它]"
)
"""A clause that gives what the one before it is about a name."""
_NEVER: Final = Window(end=datetime.min.replace(tzinfo=UTC))


@dataclass(slots=True)
class Known:
    """What all of a person's statements tell about a wish: who is who, and when something was said."""

    wish: Wish
    names: Names = field(default_factory=Names)
    anchored_at: datetime | None = None
    spoken_of_at: set[datetime] = field(default_factory=set)
    _heard: set[Term] = field(default_factory=set)

    def learn(self, said: Said) -> None:
        """Take in one statement; every one is shown before anything is decided."""
        reading = read(said.text)
        self.names.learn(reading)
        for term in self.wish.terms:
            if (
                term.literal
                and term.literal in reading.text
                and not term.names & SOMEBODY
                and any(is_said_of_somebody(term.literal, clause) for clause in reading.clauses)
            ):
                self.names.persons.add(term.said)
        matching = Matching(self.wish, self.names)
        matching.look_at(reading)
        if not self.wish.asks_one_thing:
            self._learn_names(reading, matching)
        for term in self.wish.terms:
            if term not in self._heard and any(matching.names(term, clause) for clause in reading.clauses):
                self._heard.add(term)
        if self.wish.version:
            meets = any(matching.meets(target, clause) for target in self.wish.targets for clause in reading.clauses)
            self.spoken_of_at |= {said.at} if meets else set()
        anchor = self.wish.anchor
        if anchor is not None:
            meant = Discourse(anchor.wish, Known(anchor.wish)).read(said)
            if meant and (self.anchored_at is None or said.at < self.anchored_at):
                self.anchored_at = said.at

    def _learn_names(self, reading: Reading, matching: Matching) -> None:
        """Take in what is looked for being called by a name where it is spoken of."""
        spoken_of = -1
        for clause in reading.clauses:
            met = [target for target in self.wish.targets if matching.meets(target, clause)]
            self.names.met.update(met)
            if met or (spoken_of == clause.sentence and _CALLS.search(clause.said)):
                self.names.introduce(given(clause))
            if met:
                spoken_of = clause.sentence

    @property
    def loosely(self) -> Wish | None:
        """The wish without words nobody ever said, for when nothing meets all of it; None when that changes nothing."""
        targets = without(self.wish.targets, [term for term in self.wish.terms if term not in self._heard])
        return None if targets == self.wish.targets else replace(self.wish, targets=targets)

    @property
    def window(self) -> Window | None:
        """The time a statement must have been made in, None for any."""
        if self.wish.version and len(self.spoken_of_at) > 1:
            newest = max(self.spoken_of_at)
            return Window(end=newest) if self.wish.version == "earlier" else Window(start=newest)
        if self.wish.anchor is None:
            return self.wish.window
        if self.anchored_at is None:
            return _NEVER
        before = self.wish.anchor.side == "before"
        return Window(end=self.anchored_at) if before else Window(start=self.anchored_at)


class _Echoes:
    """Words by which an answer shows that it repeats what goes of the messages before it in its turn."""

    def __init__(self) -> None:
        self._new: list[tuple[str, Sequence[Span]]] = []
        self._taken: set[str] = set()
        self._kept: set[str] = set()
        self._echoes: set[str] = set()

    def add(self, text: str, removed: Sequence[Span]) -> None:
        """Take in a message and what goes of it; its words are looked at when an answer comes, if anything goes."""
        self._new.append((text, removed))

    @property
    def of_what_goes(self) -> set[str]:
        """The words of what goes that are in nothing that stays."""
        if self._new and (self._taken or any(removed for _, removed in self._new)):
            for text, removed in self._new:
                self._taken.update(word for start, end in removed for word in telling(text[start:end]))
                self._kept.update(telling(cut(text, removed)))
            self._new.clear()
            self._echoes = self._taken - self._kept
        return self._echoes


def decide(wish: Wish, known: Known, turn: Sequence[Said]) -> list[Meant | None]:
    """Return what is meant of each of the messages of one turn, in order; a memory is a turn of its own."""
    return Discourse(wish, known).decide(turn)


class Discourse:
    """Reads statements one after the other; what a clause is about may be what the one before was."""

    def __init__(self, wish: Wish, known: Known) -> None:
        self._wish = wish
        self._matching = Matching(wish, known.names)
        self._window = known.window
        self._topic: Literal["", "meant", "kept"] = ""
        """What a pronoun now stands for."""

    def decide(self, turn: Sequence[Said]) -> list[Meant | None]:
        """Return what is meant of each of the messages of the next turn of a conversation, in order."""
        found: list[Meant | None] = []
        echoes = _Echoes()
        for said in turn:
            meant = self.read(said)
            if said.role == "user":
                removed = () if meant is None else meant.spans or ((0, len(said.text)),)
                echoes.add(said.text, removed)
            elif meant is None and said.role == "assistant" and echoes.of_what_goes:
                meant = answer(said.text, echoes.of_what_goes)
            found.append(meant)
        return found

    def read(self, said: Said) -> Meant | None:
        """Return what is meant of the next statement."""
        reading = read(said.text)
        if not self._in_time(reading, said.at):
            self._topic = ""
            return None
        if said.label and self._label(said.label):
            self._topic = "meant"
            return Meant(codes=("label",))
        if said.role == "user" and not self._carries_on(reading):
            self._topic = ""
        taken = self._taken(reading)
        if not taken:
            return None
        spans = spans_to_cut(reading, taken)
        codes = tuple(dict.fromkeys(taken.values()))
        return Meant(codes=codes) if says_nothing(cut(said.text, spans)) else Meant(spans=spans, codes=codes)

    def _carries_on(self, reading: Reading) -> bool:
        """Return whether a message speaks by a pronoun of whom the one before it was about, and of nobody else before that."""
        if self._wish.statement is not None or not reading.clauses:
            return False
        first = reading.clauses[0]
        return opens_with_pronoun(first) or (self._wish.may_be_somebody and leaves_open_who(first))

    def _in_time(self, reading: Reading, at: datetime) -> bool:
        window = self._window
        if window is None or window.holds(at):
            return True
        if self._wish.said_then or self._wish.anchor is not None or self._wish.version:
            return False
        for start, end in reading.sentences:
            told, _ = window_in(reading.text[start:end], at)
            if told is not None and told.start is not None and told.start <= at and window.holds(told.start):
                return True
        return any(window.holds(at.replace(year=year, month=7, day=1)) for year in years_in(reading.text))

    def _label(self, label: str) -> bool:
        clauses = read(label).clauses
        return any(self._matching.meets(target, clause) for target in self._wish.targets for clause in clauses)

    def _taken(self, reading: Reading) -> dict[int, Code]:
        """Return the clauses that are meant, by their place, and why."""
        taken: dict[int, Code] = {}
        kept: set[int] = set()
        for place, clause in enumerate(reading.clauses):
            before = reading.clauses[place - 1] if place else None
            code = self._matching.directly(reading, clause, spoken_of=self._topic == "meant")
            if code is None and self._topic and self._goes_on(clause, before, follows=place - 1 in taken):
                if self._topic == "meant" and self._is_more_of_it(clause):
                    taken[place] = "refers_back"
            elif code is None:
                self._topic = "" if self._topic and (breaks_off(clause) or turns_away(clause)) else self._topic
            elif self._matching.is_kept(clause):
                self._topic = "kept"
                kept.add(place)
            else:
                taken[place] = code
                self._topic = "meant"
                if (
                    before
                    and before.sentence == clause.sentence
                    and place - 1 not in kept
                    and self._leads_to(before, clause)
                ):
                    taken.setdefault(place - 1, "refers_back")
        return taken

    def _goes_on(self, clause: Clause, before: Clause | None, *, follows: bool) -> bool:
        """Return whether a clause goes on about what the one before was about."""
        if breaks_off(clause) and not opens_with_pronoun(clause):
            return False
        together = before is not None and before.sentence == clause.sentence
        if points_back(clause):
            broad = (
                together
                and follows
                and not self._wish.asks_one_thing
                and not any(one.owned for one in self._wish.targets)
            )
            if broad or self._wish.may_be_somebody or not points_to_somebody(clause):
                return True
        if before is not None and follows and not self._wish.asks_one_thing and speaks_of_it(clause):
            return True
        if before is not None and together and (follows or self._topic == "kept"):
            introduced = self._matching.is_introduced(before)
            if elaborates(before, clause, introduced=introduced, attribute=self._wish.asks_one_thing):
                return True
        return speaks_of_somebody(clause) and not turns_away(clause) and self._wish.names_somebody

    def _leads_to(self, before: Clause, clause: Clause) -> bool:
        """Return whether a clause is about what only the next one names: "He's afraid of geese, Frank is."."""
        return points_back(before) or (not self._wish.asks_one_thing and introduces(before, clause))

    def _is_more_of_it(self, clause: Clause) -> bool:
        if self._wish.statement is not None and not points_back(clause):
            return False
        return not self._matching.says_something_else(clause)
