"""Who is who: "my sister Anna" makes "my sister" a name of Anna's, unless another sister is spoken of too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import rjieba

from shared.models.descriptions.persons import is_somebody
from shared.models.descriptions.reading import HAN, Clause, Reading
from shared.models.descriptions.things import Target, Term
from shared.models.relations.concepts import concepts
from shared.models.relations.folding import fold as meaning

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
        rf"\b(?:[Mm]y|[Oo]ur) {_ROLE},? (?:who(?:m)? |and )?(?:we|I|they|everyone|everybody|people|the kids)(?: all)? calls? (?:him |her |it |them )?(?:the )?{_NAME}",
        r"(?P<name>[\u4e00-\u9fff]{2,4}) is (?:my|our) (?P<role>[a-z][a-z -]*)",
    )
)
_CALLED: Final = re.compile(
    rf"{_NAME}(?: is|,)? (?:\(|a\.?k\.?a\.? |also known as |short for |nicknamed |known as |goes by |we call (?:him|her) |everyone calls (?:him|her) )(?P<other>[A-Z][\w’-]*)\)?"
)
_CALLED_ZH: Final = re.compile(
    r"(?P<name>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)(?:,|，)?(?:我们|大家|同事们?|朋友们?|都|也|平时|一般|外号|小名|昵称|绰号|人称|又|就)*(?:叫|喊|称|管)?(?:他|她|它)?(?:外号|小名|昵称|绰号|人称)(?:是|叫)?(?P<other>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)"
)
_GIVEN: Final = re.compile(
    rf"(?:\b(?:is|are|was|were|an?|the|our|my)\b|'s|,)(?: [a-z'-]+){{0,4}},? (?:called|named|(?:whose |her |his |its |the )?name is) {_NAME}|^(?:called|named) {_NAME.replace('name', 'first')}"
    rf"|calls? (?:him|her|it|them) (?:the )?{_NAME.replace('name', 'other')}|\b(?:is|was) {_NAME.replace('name', 'known')}$"
)
_GIVEN_ZH: Final = re.compile(
    r"(?:名?叫做?|名字是|取名|小名|外号|[叫喊称管][他她它]们?(?:叫)?)\s?(?P<name>[\u4e00-\u9fff]{2,4}|[A-Z][A-Za-z]+)$"
)
_WHOLE_NAME_ZH: Final = 3
_NOT_BEFORE_SOMEBODY: Final = frozenset(
    "下 飘 刮 落 特别 很 非常 真 太 挺 最 更 有点 好 不 这么 那么 十分 超 超级 比我 我 看".split()
)
_AFTER_SOMEBODY: Final = frozenset("的们家总哥姐叔姨妈爸上下今明昨前后去带还又也都")
_WHEN_ZH: Final = frozenset("昨天 今天 前天 上周 上个月 去年 刚 刚才 又 也 还 总 老 总是 经常 以前 最近 说好".split())
_TO_ME_ZH: Final = frozenset("把让叫请约帮教借送欠陪骗骂追带跟和给找问喊催劝告答介")
_HAS_ZH: Final = re.compile(
    r"[一这那两了养开买][只条个位名头匹家台辆](?P<role>[\u4e00-\u9fff]{1,4}?),?(?:名字|他|她|它)?(?:名)?叫(?P<name>[\u4e00-\u9fff]{2,3}|[A-Z][a-z]+)"
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
_ANOTHER: Final = "other|second|third|next|new|old|previous|former|ex|late|own|first"
_NAMED_OTHERWISE: Final = re.compile(r"(?:'s)?,? (?:(?:is |was )?(?:called|named) )?[A-Z]")
"""Somebody else by name has the role."""
_ADJECTIVES: Final = re.compile(
    r"^(?:old|new|little|dear|good|best|younger|older|elder|big|late|former|ex|favou?rite)\s"
)


class Names:
    """Roles and the names that were given to them, and names for the same."""

    def __init__(self) -> None:
        self._roles: dict[str, set[str]] = {}
        self._same: dict[str, set[str]] = {}
        self.introduced: set[str] = set()
        """Names that were given to what is looked for where it was spoken of: "a beekeeper called Hamid"."""
        self.persons: set[str] = set()
        """Chinese words of a description that name somebody: "高兴是我同学", "小雨帮我"."""
        self.met: set[Target] = set()
        """What is looked for in all its terms and was spoken of in all of them: "the wedding" is enough from there."""
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


def is_said_of_somebody(literal: str, clause: Clause) -> bool:
    """Return whether a clause says of these characters what is only said of people."""
    if not HAN.search(literal) or literal not in clause.said:
        return False
    found = re.search(rf"(?:^|[跟和]){re.escape(literal)}(?P<does>.*)", clause.said)
    if found is None:
        return False
    called = re.match(r"是(?:我|我们|他|她)?[^,]{0,6}", found["does"])
    if called and any(is_somebody(called[0][place:]) for place in range(1, len(called[0]))):
        return True
    does = [word for word in rjieba.cut(found["does"]) if word not in _WHEN_ZH]
    return bool(does) and (
        does[0] == "说" or (does[0][0] in _TO_ME_ZH and not is_somebody(does[0]) and "我" in "".join(does[:3]))
    )


def may_be_somebody(text: str, start: int, end: int) -> bool:
    """Return whether a name that is a word, too, stands where a person may: not "下小雨", "白雪皑皑", "特别高兴"."""
    run = next((one for one in HAN.finditer(text) if one.start() <= start and end <= one.end()), None)
    if run is None:
        return True
    before = rjieba.tag(run[0][: start - run.start()])
    if before and (before[-1][0] in _NOT_BEFORE_SOMEBODY or (before[-1][1] == "n" and not is_somebody(before[-1][0]))):
        return False
    after = next(iter(rjieba.cut(run[0][end - run.start() :], hmm=False)), "")
    if not after or after[0] in _AFTER_SOMEBODY or is_somebody(after):
        return True
    return rjieba.tag(after)[0][1][0] not in "nzai"


def given(clause: Clause) -> Iterator[str]:
    """Yield the names a clause gives: "… called Hamid", "叫慢慢"."""
    for found in (*_GIVEN.finditer(clause.typed), *_GIVEN_ZH.finditer(clause.typed)):
        name = next(one for one in found.groups() if one).lower()
        if (
            HAN.search(name) is None
            and len(words := name.split()) == 1
            and concepts(words[0])
            and all(one.kind for one in concepts(words[0]))
        ):
            continue  # "is French"
        yield name
        if HAN.search(name) and len(name) == _WHOLE_NAME_ZH:
            yield name[1:]


def _stated(reading: Reading) -> Iterator[tuple[str, str]]:
    text = reading.original
    for pattern in _STATED:
        for found in pattern.finditer(text):
            role = _ADJECTIVES.sub("", found["role"].lower()).strip()
            if (role and is_somebody(role.split()[-1])) or (role and "call" in found[0]):
                yield role, found["name"].lower()
    for found in (*_STATED_ZH.finditer(text), *_IS_ZH.finditer(text), *_HAS_ZH.finditer(text)):
        role, name = found["role"], found["name"]
        if is_somebody(role) or "叫" in found[0]:
            yield role, name.lower()
    for found in _BESIDE_ZH.finditer(text):
        if found["both"]:
            yield from _parted(found["both"])
        elif is_somebody(found["role"]):
            yield found["role"], found["name"].lower()


def _parted(both: str) -> Iterator[tuple[str, str]]:
    """Yield a role and the name right after it: "室友阿杰打呼"; the name is a word that means nothing else."""
    for length in range(min(4, len(both) - 2), 0, -1):
        role = both[:length]
        name = next(iter(rjieba.cut(both[length:])), "")
        means_something = any(one.kind for one in concepts(meaning(name)))
        if is_somebody(role) and len(name) in (2, 3) and not means_something:
            yield role, name
            return


def mentions_role(role: str, text: str, typed: str) -> Iterator[tuple[int, int]]:
    """Yield where a text speaks of "my <role>", and of nobody else by name who is one."""
    if HAN.search(role):
        pattern = re.compile(rf"(?:我|我们|咱)(?:的|家的?|们的?)?{re.escape(role)}")
        yield from (found.span() for found in pattern.finditer(text))
        return
    pattern = re.compile(rf"\b(?:my|our|the) (?!(?:{_ANOTHER}) )(?:\w+ )?{re.escape(role)}\b")
    for found in pattern.finditer(text):
        if not _NAMED_OTHERWISE.match(typed[found.end() :]):
            yield found.span()
