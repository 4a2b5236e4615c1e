"""Who is who: "my sister Anna" makes "my sister" a name of Anna's, unless another sister is spoken of too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import rjieba

from shared.models.descriptions.reading import HAN, Reading
from shared.models.descriptions.terms import Term
from shared.models.relations.concepts import concepts
from shared.models.relations.folding import fold as meaning
from shared.models.relations.subjects import PERSONS

_NAME: Final = r"(?P<name>[A-Z][\w’-]*(?: [A-Z][\w’-]*)?)"
_ROLE: Final = r"(?P<role>(?:[a-z][a-z-]* ){0,2}[a-z][a-z-]*)"
_STATED: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:[Mm]y|[Oo]ur|[Aa]n?|[Tt]he) {_ROLE}(?:'s name)?,? (?:is |was )?(?:called|named) {_NAME}",
        rf"\b(?:[Mm]y|[Oo]ur) {_ROLE}'s name is {_NAME}",
        rf"\b(?:[Mm]y|[Oo]ur) {_ROLE} (?:is )?{_NAME}",
        rf"\b(?:[Mm]y|[Oo]ur) {_ROLE}, {_NAME},",
        rf"{_NAME} (?:is|was|has been) (?:my|our) {_ROLE}",
        rf"{_NAME}, (?:my|our) {_ROLE}\b",
        r"(?P<name>[\u4e00-\u9fff]{2,4}) is (?:my|our) (?P<role>[a-z][a-z -]*)",
    )
)
_CALLED: Final = re.compile(
    rf"{_NAME}(?: is|,)? (?:\(|a\.?k\.?a\.? |also known as |short for |nicknamed |known as |goes by |we call (?:him|her) |everyone calls (?:him|her) )(?P<other>[A-Z][\w’-]*)\)?"
)
_CALLED_ZH: Final = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)(?:,|，)?(?:我们|大家|同事们?|朋友们?|都|也|平时|一般|外号|小名|昵称|绰号|人称|又|就)*(?:叫|喊|称|管)?(?:他|她|它)?(?:外号|小名|昵称|绰号|人称)(?:是|叫)?(?P<other>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)"
)
_HAS_ZH: Final = re.compile(
    r"[一这那两][只条个位名头匹](?P<role>[\u4e00-\u9fff]{1,4}?),?(?:名字|他|她|它)?(?:名)?叫(?P<name>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)"
)
_STATED_ZH: Final = re.compile(
    r"(?:我|我们|咱)(?:的|家的?|们的?)?(?:另(?:外)?一[个位名只条])?(?P<role>[\u4e00-\u9fff]{1,6}?)(?:的名字)?,?(?:名字)?(?:叫做?|名叫|是)\s?(?P<name>[A-Z][A-Za-z]+|[\u4e00-\u9fff]{2,3})"
)
_BESIDE_ZH: Final = re.compile(
    r"(?:我|我们|咱)(?:的|家的?|们的?)?(?:另(?:外)?一?[個个位名])?(?P<role>[\u4e00-\u9fff]{1,4}) ?(?P<name>[A-Z][A-Za-z]+)|(?:我|我们|咱)(?:的|家的?|们的?)?(?:另(?:外)?一?[個个位名])?(?P<both>[\u4e00-\u9fff]{3,8})"
)
_IS_ZH: Final = re.compile(
    r"(?P<name>[A-Z][A-Za-z]+|[\u4e00-\u9fff]{2,4}?)\s?是(?:我|我们|咱)(?:的|家的?|们的?)?(?P<role>[\u4e00-\u9fff]{1,4})"
)
_BY_ENDING: Final = re.compile(
    r"(?:[a-z]{3}(?:er|or|ist|ant|ian|ee)|mate|man|woman|friend|in-law|nanny|boss|coach|guide|nurse|cook|twin|ex|godson|goddaughter|intern|vet|bestie|buddy|crush)$|(?:[\u4e00-\u9fff](?:友|长|员|师|姨|叔|哥|姐|妹|弟|嫂|婶)|同桌|搭子|闺蜜|死党|发小|对象|客户|狗|猫|徒弟)$"
)
_ADJECTIVES: Final = re.compile(
    r"^(?:old|new|little|dear|good|best|younger|older|elder|big|late|former|ex|favou?rite)\s"
)


class Names:
    """Roles and the names that were given to them, and names for the same."""

    def __init__(self) -> None:
        self._roles: dict[str, set[str]] = {}
        self._same: dict[str, set[str]] = {}
        self._found: dict[tuple[str, str], frozenset[str]] = {}
        """What was asked for before; emptied when more is learned."""

    def learn(self, reading: Reading) -> None:
        """Take in what one text says about who is who."""
        self._found.clear()
        for role, name in _stated(reading):
            self._roles.setdefault(role, set()).add(name)
        for found in (*_CALLED.finditer(reading.original), *_CALLED_ZH.finditer(reading.original)):
            one, other = found["name"].lower(), found["other"].lower()
            self._same.setdefault(one, set()).add(other)
            self._same.setdefault(other, set()).add(one)

    def roles_of(self, term: Term) -> frozenset[str]:
        """Return the roles only this name has."""
        return self._remembered("roles", term, self._roles_of)

    def names_of(self, term: Term) -> frozenset[str]:
        """Return the other names of what a term names, or the one name of a role."""
        return self._remembered("names", term, self._names_of)

    def called(self, role: str) -> frozenset[str]:
        """Return the one name of a role."""
        names = self._roles.get(role, set())
        return frozenset(names) if len(names) == 1 else frozenset()

    def _remembered(self, what: str, term: Term, find: Callable[[Term], frozenset[str]]) -> frozenset[str]:
        if (what, term.said) not in self._found:
            self._found[what, term.said] = find(term)
        return self._found[what, term.said]

    def _roles_of(self, term: Term) -> frozenset[str]:
        own = {term.said, *self._same.get(term.said, ())}
        return frozenset(role for role, names in self._roles.items() if names <= own)

    def _names_of(self, term: Term) -> frozenset[str]:
        other = set(self._same.get(term.said, ()))
        for role, names in self._roles.items():
            if len(names) == 1 and (role == term.said or role.split()[-1] == term.said):
                other |= names
        return frozenset(other)


def _stated(reading: Reading) -> Iterator[tuple[str, str]]:
    text = reading.original
    for pattern in _STATED:
        for found in pattern.finditer(text):
            role = _ADJECTIVES.sub("", found["role"].lower()).strip()
            if (role and _is_somebody(role.split()[-1])) or (role and "call" in found[0]):
                yield role, found["name"].lower()
    for found in (*_STATED_ZH.finditer(text), *_IS_ZH.finditer(text), *_HAS_ZH.finditer(text)):
        role, name = found["role"], found["name"]
        if _is_somebody(role) or "叫" in found[0]:
            yield role, name.lower()
    for found in _BESIDE_ZH.finditer(text):
        if found["both"]:
            yield from _parted(found["both"])
        elif _is_somebody(found["role"]):
            yield found["role"], found["name"].lower()


def _parted(both: str) -> Iterator[tuple[str, str]]:
    """Yield a role and the name right after it: "室友阿杰打呼"; the name is a word that means nothing else."""
    for length in range(min(4, len(both) - 2), 0, -1):
        role = both[:length]
        name = next(iter(rjieba.cut(both[length:])), "")
        means_something = any(one.kind for one in concepts(meaning(name)))
        if _is_somebody(role) and len(name) in (2, 3) and not means_something:
            yield role, name
            return


def _is_somebody(role: str) -> bool:
    if _BY_ENDING.search(role):
        return True
    found = concepts(meaning(role))
    return all(one.kind for one in found) and any(one.kind in PERSONS or one.kind == "job" for one in found)


def mentions_role(role: str, text: str, typed: str) -> Iterator[tuple[int, int]]:
    """Yield where a text speaks of "my <role>", and of nobody else by name who is one."""
    if HAN.search(role):
        pattern = re.compile(rf"(?:我|我们|咱)(?:的|家的?|们的?)?{re.escape(role)}")
        yield from (found.span() for found in pattern.finditer(text))
        return
    pattern = re.compile(rf"\b(?:my|our|the) (?:\w+ )?{re.escape(role)}\b")
    for found in pattern.finditer(text):
        if not re.match(r"(?:'s)? [A-Z]", typed[found.end() :]):
            yield found.span()
