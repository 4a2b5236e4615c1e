"""Whether a clause names what a description asks for."""

from __future__ import annotations

import re
from typing import Final

from shared.models.descriptions.following import SUBJECT_WORD, begins_with_a_thing, speaks_of_somebody
from shared.models.descriptions.identifiers import places_of
from shared.models.descriptions.names import Names, mentions, places_of_role, places_of_somebody
from shared.models.descriptions.reading import HAN, Clause, Reading, names_of_word
from shared.models.descriptions.said import Code
from shared.models.descriptions.terms import is_small
from shared.models.descriptions.things import Target, Term
from shared.models.descriptions.wishes import Wish
from shared.models.descriptions.words_zh import is_a_phrase, is_a_verb, places_named
from shared.models.relations.concepts import spellings, stem
from shared.models.relations.subjects import FIRM, ME, SOMEBODY

_ORDER: Final[tuple[Code, ...]] = ("identifier", "name", "alias", "refers_back", "topic")
"""The reason that tells most, first."""
_OF_ANOTHER_KIND: Final = frozenset(
    "熊猫 斑马 河马 海马 木马 人马 蜗牛 天牛 吹牛 黄牛 海狗 热狗 走狗 壁虎 马虎 海狮 章鱼 鲸鱼 鳄鱼 鱿鱼 飞机 手机 司机".split()
)
"""Chinese words that end like what they are not."""
_SHORT_WORD_ZH: Final = 2
_SHORT_NAME: Final = 5
_LUMPED: Final = frozenset(
    "cousin aunt uncle nephew niece grandmother grandfather grandchild mother-in-law father-in-law brother-in-law sister-in-law ex".split()
)
"""Kin Chinese tells apart where English does not: "表哥" is not "表姐"."""
_I: Final = re.compile(r"\b(?:i|we)(?:'\w+)?\b|我")


class Matching:
    """A wish, beside what is known of who is who."""

    def __init__(self, wish: Wish, names: Names) -> None:
        self._wish = wish
        self._names = names
        self._reading: Reading | None = None
        self._named: dict[tuple[int, Clause], Code | None] = {}
        self._in_sentence: dict[tuple[int, int], bool] = {}
        self._things_in: dict[int, int] = {}

    def look_at(self, reading: Reading) -> None:
        """Begin to remember what the clauses of one text name; what another named is dropped."""
        if reading is not self._reading:
            self._reading = reading
            self._named.clear()
            self._in_sentence.clear()
            self._things_in.clear()

    def directly(self, reading: Reading, clause: Clause, *, spoken_of: bool) -> Code | None:
        """Return why a clause itself is meant.

        Args:
            spoken_of: whether what is meant was just spoken of, so that a pronoun may stand for it.
        """
        self.look_at(reading)
        for target in self._wish.targets:
            if code := self.meets(target, clause, spoken_of=spoken_of):
                return code
            together = len(target.terms) > 1 and self._wish.statement is None
            if together and self._meets_with_others(target, reading, clause):
                return "topic"
        return None

    def meets(self, target: Target, clause: Clause, *, spoken_of: bool = False) -> Code | None:
        """Return why a clause meets every term of a target, the first of which a pronoun may stand for."""
        codes: list[Code] = []
        at_once = _has_phrase(target, clause) or self._is_called(target, clause)
        if not at_once and self._is_the_one(target, clause):
            return "alias"
        word_by_word = () if at_once else target.terms
        for place, term in enumerate(word_by_word):
            code = self.names(term, clause)
            if code is None and place == 0 and len(target.terms) > 1 and spoken_of and speaks_of_somebody(clause):
                code = "refers_back"
            if code is None and not target.goes_without(term):
                return None
            codes += [code] if code else []
        if word_by_word and not codes:
            return None
        statement = self._wish.statement
        if statement is not None:
            agrees = statement.denies == clause.denies and _same_subject(statement, clause)
            return "statement" if agrees else None
        if target.own and not self.is_own(target, clause):
            return None
        return next((code for code in _ORDER if code in codes), "topic")

    def _is_the_one(self, target: Target, clause: Clause) -> bool:
        """Return whether a clause speaks of "the wedding", with no word on whose it is, of what was spoken of in full."""
        if target not in self._names.met or target.head is None or len(target.terms) == 1 or self._wish.asks_one_thing:
            return False
        said = re.escape(target.head.said)
        if HAN.search(target.head.said):
            return (
                re.search(
                    rf"^(?:在|关于|因为)?(?:(?:那|这)[个只条家辆台张把道场])?{said}(?!的?[人们])|(?:那|这)[个只条家辆台张把道场]{said}",
                    clause.said,
                )
                is not None
            )
        return re.search(rf"\b(?:the|that) {said}\b(?! (?:of|in|at|from|for|with)\b|'s?\b)", clause.said) is not None

    def is_kept(self, clause: Clause) -> bool:
        """Return whether a clause speaks of what is to be kept."""
        return any(self.names(term, clause) for target in self._wish.exceptions for term in target.terms)

    def says_something_else(self, clause: Clause) -> bool:
        """Return whether only one thing about somebody is meant, and a clause that goes on about them says another."""
        return any(
            (target.owned or (self._wish.asks_which and len(target.terms) > 1))
            and self._wish.asks_one_thing
            and not all(self.names(term, clause) for term in target.terms[1:])
            for target in self._wish.targets
        )

    def is_introduced(self, clause: Clause) -> bool:
        """Return whether a clause names what is meant by what it is to the speaker."""
        return any(role in clause.said for term in self._wish.terms for role in self._names.roles_of(term))

    def _meets_with_others(self, target: Target, reading: Reading, clause: Clause) -> bool:
        """Return whether a clause meets a term, and the others are met in the rest of its sentence."""
        if target.own and not self.is_own(target, clause):
            return False
        if not any(self.names(term, clause) for term in target.terms):
            return False
        if self._things(reading, clause) > begins_with_a_thing(clause):
            return False
        return all(self._sentence_names(term, reading, clause) for term in target.terms)

    def _things(self, reading: Reading, clause: Clause) -> int:
        """Return how many clauses of a sentence something else stands at the beginning of."""
        if clause.sentence not in self._things_in:
            self._things_in[clause.sentence] = sum(map(begins_with_a_thing, reading.together(clause)))
        return self._things_in[clause.sentence]

    def _sentence_names(self, term: Term, reading: Reading, clause: Clause) -> bool:
        key = (id(term), clause.sentence)
        if key not in self._in_sentence:
            self._in_sentence[key] = any(self.names(term, one) for one in reading.together(clause))
        return self._in_sentence[key]

    def names(self, term: Term, clause: Clause) -> Code | None:
        """Return how a clause names a term."""
        key = (id(term), clause)
        if key not in self._named:
            self._named[key] = self._names_it(term, clause)
        return self._named[key]

    def _names_it(self, term: Term, clause: Clause) -> Code | None:
        if term.identifiers:
            found = any(
                places_of(identifier, clause.text).lie_in(clause.start, clause.end)
                for identifier in term.identifiers
                if not identifier.near or identifier.near & clause.bares
            )
            return "identifier" if found else None
        if term.exact:
            if _is_named(term, clause) or (HAN.search(clause.said) and _shares_a_concept(term, clause)):
                return "name"
        elif term.literal and (self._wish.is_a_person or term.said in self._names.persons):
            if places_of_somebody(term.literal, clause.text).lie_in(clause.start, clause.end):
                return "name"
        elif term.literal and places_named(term.literal, clause.text, common=_is_common(term)).lie_in(
            clause.start, clause.end
        ):
            return "name" if not term.names else "topic"
        elif (
            term.stems & clause.stems
            or _shares_a_concept(term, clause)
            or any(topic.said.search(clause.said) for topic in term.topics)
        ):
            return "topic"
        return "alias" if self._is_alias(term, clause) else None

    def says(self, term: Term, clause: Clause) -> bool:
        """Return whether a clause has the word of a term itself, or one for the same."""
        if term.literal and places_named(term.literal, clause.text, common=_is_common(term)).begin_in(
            clause.start, clause.end
        ):
            return True
        return bool(term.stems & clause.stems) or _shares_a_concept(term, clause)

    def _is_called(self, target: Target, clause: Clause) -> bool:
        """Return whether a clause names who has the role several terms describe: "my personal trainer"."""
        if self._wish.statement is not None:
            return False
        if mentions(frozenset(self._names.introduced), clause):
            return True
        if len(target.terms) == 1:
            return False
        between = "" if HAN.search(target.terms[0].said) else " "
        names = self._names.called(between.join(term.said for term in target.terms))
        names |= self._names.names_of(target.terms[-1]) if not target.owned else frozenset()
        return mentions(names, clause)

    def _is_alias(self, term: Term, clause: Clause) -> bool:
        if self._wish.statement is not None:
            return False
        if mentions(self._names.names_of(term), clause):
            return True
        return any(
            role in clause.said
            and places_of_role(role, clause.text, clause.original).begin_in(clause.start, clause.end)
            for role in self._names.roles_of(term)
        )

    def is_own(self, target: Target, clause: Clause) -> bool:
        """Return whether a clause speaks of its speaker's own: nobody else owns it, or is who it is about."""
        said = {term.said for term in target.terms} | {name for term in target.terms for name in term.names}
        stems = {one for term in target.terms for one in term.stems}
        for before, word in zip(clause.words, clause.words[1:], strict=False):
            theirs = before.text.endswith(("'s", "s'")) and stem(before.bare) not in stems and before.bare not in said
            if theirs and (stem(word.bare) in stems or word.bare in said):
                return False
        if clause.subject in (ME, FIRM, SOMEBODY) or clause.subject in said or clause.subject.removeprefix("?") in said:
            return True
        if self._is_called(target, clause) or any(self._is_alias(term, clause) for term in target.terms):
            return True
        words = "|".join(map(re.escape, sorted(said)))
        mine = rf"\b(?:my|our) (?:\w+ )?(?:{words})\b|(?:我|我们|咱们?)(?:的|家的?|那[个只条])?(?:{words})"
        return re.search(mine, clause.said) is not None


def _is_named(term: Term, clause: Clause) -> bool:
    """Return whether a clause has a name as a word, or of a longer name all of it or its first part alone."""
    if (
        any(
            word.capital and word.end - word.start > _SHORT_NAME and stem(word.bare) in term.stems
            for word in clause.words
        )
        and term.names
    ):
        return True  # "Thursdays"
    if " " in term.literal:
        if re.search(rf"(?<!\w){re.escape(term.literal)}(?!\w)", clause.said):
            return True
        parts = set(term.literal.split())
        for place, word in enumerate(clause.words):
            after = clause.words[place + 1] if place + 1 < len(clause.words) else None
            longer = after is not None and after.capital and after.bare not in parts and after.start - word.end == 1
            if word.bare in term.stems and not longer and (word.capital or not is_small(word.bare)):
                return True
        return False
    return any(word.bare in term.stems and (word.capital or not is_small(word.bare)) for word in clause.words)


def _has_phrase(target: Target, clause: Clause) -> bool:
    """Return whether a clause says just what the description does."""
    return (
        bool(target.phrase)
        and re.search(rf"(?<![a-z0-9]){re.escape(target.phrase)}(?![a-z0-9])", clause.said) is not None
    )


def _is_common(term: Term) -> bool:
    """Return whether a Chinese word is a common one, no name."""
    return bool(term.names or term.topics) or is_a_phrase(term.literal) or is_a_verb(term.literal)


def _shares_a_concept(term: Term, clause: Clause) -> bool:
    """Return whether a clause has a word for the same; in another language several words may be one."""
    if not term.names:
        return False
    other_script = (HAN.search(term.said) is None) != (HAN.search(clause.said) is None)
    if HAN.search(term.said) and term.names & _LUMPED:
        return any(not HAN.search(word.text) and term.names & names_of_word(word.owner) for word in clause.words)
    if len(term.literal) == 1 and not other_script and not is_a_verb(term.literal):
        ends = [
            word.text for word in clause.words if word.text.endswith(term.literal) and word.text not in _OF_ANOTHER_KIND
        ]
        return any(
            len(word) > _SHORT_WORD_ZH or term.names & names_of_word(word) for word in ends
        )  # "花猫"; "马" is part of "马上"
    if term.together:
        if other_script:
            return all(_may_name(name, clause) for name in term.names) and term.names <= clause.names
        missing = term.names - clause.names_of_words
        return not missing or (all(_may_name(name, clause) for name in missing) and missing <= clause.names)
    if term.names & clause.names_of_words:
        return True
    several_words = any(" " in name for name in term.names)
    if not (several_words or other_script) or not any(_may_name(name, clause) for name in term.names):
        return False
    return bool(term.names & clause.names)


def _may_name(name: str, clause: Clause) -> bool:
    """Return whether a clause has a word of a concept's names: to look for the concept itself costs a hundred times more."""
    english, chinese = spellings(name)
    return not english.isdisjoint(clause.stems) or any(word in clause.said for word in chinese)


def _same_subject(statement: Clause, clause: Clause) -> bool:
    if statement.subject == ME and SUBJECT_WORD.match(statement.said) and not HAN.search(clause.said[:6]):
        spoken = _I.search(clause.said) is not None or clause.soft
        return clause.subject == ME and spoken
    if statement.subject == clause.subject:
        return True
    return SOMEBODY in (statement.subject, clause.subject) and ME not in (statement.subject, clause.subject)
