"""Who is who: "my sister Anna" makes "my sister" a name of Anna's, unless another sister is spoken of too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import Final

import rjieba

from shared.models.descriptions.persons import is_somebody
from shared.models.descriptions.places import Places
from shared.models.descriptions.reading import HAN, Clause, Reading
from shared.models.descriptions.things import Target, Term
from shared.models.descriptions.words_zh import named_in, places_named, run_around
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
_KNOWN_AS: Final = 30
"""Names or roles that are looked for in place of one term, the first that were learned: newest memories come first."""
_NEAR: Final = 20
"""Characters on each side of a name that tell whether somebody is meant."""
_CAPITAL_OR_HAN: Final = re.compile(r"[A-Z\u4e00-\u9fff]")
_OTHERWISE_ZH: Final = re.compile("外号|小名|昵称|绰号|人称")


class Names:
    """Roles and the names that were given to them, and names for the same."""

    def __init__(self) -> None:
        self._roles: dict[str, set[str]] = {}
        self._by_name: dict[str, dict[str, None]] = {}
        """Roles by who has them, and below by their last word, in the order they were learned."""
        self._by_last_word: dict[str, dict[str, None]] = {}
        self._same: dict[str, dict[str, None]] = {}
        self.introduced: dict[str, None] = {}
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
        for start, end in reading.sentences:
            text = reading.original[start:end]
            for role, name in _stated(text):
                self._roles.setdefault(role, set()).add(name)
                self._by_name.setdefault(name, {})[role] = None
                self._by_last_word.setdefault(role.split()[-1], {})[role] = None
            for found in _called(text):
                one, other = found["name"].lower(), found["other"].lower()
                self._same.setdefault(one, {})[other] = None
                self._same.setdefault(other, {})[one] = None

    def introduce(self, names: Iterable[str]) -> None:
        """Take in names that what is looked for has."""
        for name in names:
            if len(self.introduced) < _KNOWN_AS:
                self.introduced[name] = None

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
        own = {term.said, *islice(self._same.get(term.said, ()), _KNOWN_AS)}
        roles = islice((role for name in own for role in self._by_name.get(name, ())), _KNOWN_AS)
        return frozenset(role for role in roles if self._roles[role] <= own)

    def _names_of(self, term: Term) -> frozenset[str]:
        same = islice(self._same.get(term.said, ()), _KNOWN_AS)
        roles = islice(chain((term.said,), self._by_last_word.get(term.said, ())), _KNOWN_AS)
        named = (name for role in roles if len(names := self._roles.get(role, ())) == 1 for name in names)
        return frozenset(chain(same, named))


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
    run = run_around(text, start, end)
    if run is None:
        return True
    first, last = start - run.start, end - run.start
    before = rjieba.tag(run.text[max(0, first - _NEAR) : first])
    if before and (before[-1][0] in _NOT_BEFORE_SOMEBODY or (before[-1][1] == "n" and not is_somebody(before[-1][0]))):
        return False
    after = next(iter(rjieba.cut(run.text[last : last + _NEAR], hmm=False)), "")
    if not after or after[0] in _AFTER_SOMEBODY or is_somebody(after):
        return True
    return rjieba.tag(after)[0][1][0] not in "nzai"


@lru_cache(maxsize=4_000)
def places_of_somebody(literal: str, text: str) -> Places:
    """Return where a text names somebody by these characters."""
    return Places(span for span in named_in(literal, text) if may_be_somebody(text, *span))


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


def _called(text: str) -> Iterator[re.Match[str]]:
    if _CAPITAL_OR_HAN.search(text):
        yield from _CALLED.finditer(text)
    if _OTHERWISE_ZH.search(text):
        yield from _CALLED_ZH.finditer(text)


def _stated(text: str) -> Iterator[tuple[str, str]]:
    """Yield the roles and names a sentence gives as typed."""
    for pattern in _STATED if _CAPITAL_OR_HAN.search(text) else ():
        for found in pattern.finditer(text):
            role = _ADJECTIVES.sub("", found["role"].lower()).strip()
            if (role and is_somebody(role.split()[-1])) or (role and "call" in found[0]):
                yield role, found["name"].lower()
    if not HAN.search(text):
        return
    for found in (*_STATED_ZH.finditer(text), *_IS_ZH.finditer(text), *_HAS_ZH.finditer(text)):
        role, name = found["role"], found["name"]
        if is_somebody(role) or "叫" in found[0]:
            yield role, name.lower()
    for found in _BESIDE_ZH.finditer(text):
        if found["both"]:
            yield from _parted(found["both"])
        elif is_somebody(found["role"]):
            yield found["role"], found["name"].lower()


@lru_cache(maxsize=4_000)
def _parted(both: str) -> tuple[tuple[str, str], ...]:
    """Return a role and the name right after it: "室友阿杰打呼"; the name is a word that means nothing else."""
    for length in range(min(4, len(both) - 2), 0, -1):
        role = both[:length]
        if not is_somebody(role):
            continue
        name = next(iter(rjieba.cut(both[length:])), "")
        if len(name) in (2, 3) and not any(one.kind for one in concepts(meaning(name))):
            return ((role, name),)
    return ()


def mentions(names: frozenset[str], clause: Clause) -> bool:
    """Return whether a clause has one of these names as a word of its own."""
    words, chinese = _spelled(names)
    return not words.isdisjoint(clause.bares) or any(
        name in clause.said and places_named(name, clause.text).begin_in(clause.start, clause.end) for name in chinese
    )


@lru_cache(maxsize=1_000)
def _spelled(names: frozenset[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the words of names, and those in Chinese."""
    chinese = tuple(name for name in names if HAN.search(name))
    return frozenset(word for name in names.difference(chinese) for word in name.replace("-", "").split()), chinese


@lru_cache(maxsize=4_000)
def places_of_role(role: str, text: str, typed: str) -> Places:
    """Return where a text speaks of "my <role>", and of nobody else by name who is one."""
    return Places(_mentions_role(role, text, typed))


def _mentions_role(role: str, text: str, typed: str) -> Iterator[tuple[int, int]]:
    if HAN.search(role):
        pattern = re.compile(rf"(?:我|我们|咱)(?:的|家的?|们的?)?{re.escape(role)}")
        yield from (found.span() for found in pattern.finditer(text))
        return
    pattern = re.compile(rf"\b(?:my|our|the) (?!(?:{_ANOTHER}) )(?:\w+ )?{re.escape(role)}\b")
    for found in pattern.finditer(text):
        if not _NAMED_OTHERWISE.match(typed, found.end()):
            yield found.span()
