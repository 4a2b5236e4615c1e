"""The things a description asks for, each as every way it may be said."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

import rjieba

from shared.models.descriptions.identifiers import identifiers
from shared.models.descriptions.reading import HAN, Word, words
from shared.models.descriptions.things import Target, Term
from shared.models.descriptions.topics import VALUES, Topic, topics_of
from shared.models.descriptions.vocabulary import (
    KINDS,
    LIGHT,
    REQUESTS,
    SMALL,
    SMALL_ZH,
    SOMEBODY,
    TITLED,
    VAGUE,
)
from shared.models.descriptions.words_zh import is_a_verb
from shared.models.relations.concepts import concepts, stem
from shared.models.relations.folding import fold as meaning

_AND: Final = re.compile(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&|;|以及|、|和|跟|与|还有|或)\s*")
_WH: Final = re.compile(
    r"\b(?:where|when|what|who|whom|whose|which|how (?:old|many|much|often|tall|long|far)|why)\b|哪|什么|几|谁|多少|怎么|多大|多高|多重|为何|为什么"
)
_NO_BEFORE: Final = re.compile(r"^(?:不|没有?)(?=[\u4e00-\u9fff])(?!同|错|锈|倒|管|仅|但)")
_I: Final = re.compile(r"\b(?:i|my|we|our)\b")
_OWN: Final = re.compile(r"^(?:(?:the fact that |that )?(?:my|our)\b|我的|我们的|我家的)|^我(?!们?[和跟与])")
_PLACE_BEFORE: Final = re.compile(r"\b(?:in|at|from|to|of|near|with|on|for|by|the)\s+(?:the\s+|my\s+)?$")
_KIND_AFTER: Final = re.compile(
    r"(?:,? the [\w -]+|\s?(?:project|team|app|account|server|company|firm|brand|group|channel|repo|thing)s?|\s?(?:项目|团队|小组|品牌|系统|软件|平台|账号|群|公众号|应用|工具|服务器))$"
)
"""What only says which kind of thing a name names."""
_REST_OF_PHRASE: Final = re.compile(r" (?:i|we|of|that|which|who|for|from|with|in|at|on|to|about)\b")
_OWNED: Final = re.compile(r"'s? \w|\bof\b")
_OWNED_ZH: Final = re.compile(r"^(?:我们?的|我家的?)?(?P<owner>.+?)的")
_CALLED_ZH: Final = re.compile(r"叫(?:做|作)?\s?(?P<name>[^的]{1,12})的")
_FORMER: Final = ("前", "现")
_SPOKEN_ALIKE: Final = frozenset({"weekday", "month", "place", "language", "country", "city"})
"""Kinds of names that other languages have other words for."""
_MEASURED: Final = re.compile(
    r"[那这](?:张|个|只|件|条|家|辆|台|位|本|句|次|场|部|份|段|排|盆|棵|株|片|块|堆|套|双|批|包|串|群|窝|缸|笔|趟|门|首|幅|把|道)(?=[\u4e00-\u9fff])"
)
_NAME_ZH: Final = 2
_LONG_ENOUGH: Final = 8
_LONG_ENOUGH_ZH: Final = 4
_ENDS: Final = re.compile(r"[\s.!?,\"'”’]*$")


def targets_of(text: str, typed: str, *, states: bool) -> tuple[Target, ...]:
    """Return what a description without its request is about.

    Args:
        text: folded.
        typed: the whole description as it was typed: capitals tell names.
        states: whether it makes a statement.
    """
    if states:
        terms = _terms(text, typed)
        firm = tuple(term for term in terms if not (term.names & LIGHT and not term.topics)) or terms
        return (Target(firm, phrase=_phrase(text)),) if firm else ()
    if named := identifiers(text, KINDS):
        return tuple(Target((Term(said=text[slice(*span)], identifiers=keys),)) for keys, span in named)
    parts = [part for part in _AND.split(text) if part.strip()]
    if len(parts) > 1 and all(_terms(part, typed) for part in parts) and not asks_which(text):
        return tuple(_target(part, typed) for part in parts)
    target = _target(text, typed)
    return (target,) if target.terms else ()


def without(targets: Sequence[Target], unheard: Collection[Term]) -> tuple[Target, ...]:
    """Return targets without terms nobody ever spoke of, as long as something is left of each.

    Names stay, and what is asked for: who was never spoken of is not somebody else.
    """
    left: list[Target] = []
    for target in targets:
        terms = tuple(
            term
            for term in target.terms
            if term not in unheard or term.exact or term.identifiers or (term.topics and term.said not in VAGUE)
        )
        light = all(term.names and term.names <= LIGHT for term in terms)
        if (
            terms
            and not light
            and (any(_is_telling(one, target) for one in terms) or 2 * len(terms) > len(target.terms))
        ):
            left.append(replace(target, terms=terms, owned=target.owned and len(terms) > 1))
        else:
            left.append(target)
    return tuple(left)


def _is_telling(term: Term, target: Target) -> bool:
    """Return whether a term alone tells what is meant: its head or a name, not the sister of "my sister's wedding".

    A Chinese word does: its compounds are said in other words ("升职", "升了店长").
    """
    return term == target.head or term.exact or bool(term.identifiers or term.literal)


def kept_by(text: str, typed: str) -> tuple[Target, ...]:
    """Return what an exception keeps; any of its words will do."""
    if named := identifiers(text, KINDS):
        return tuple(Target((Term(said=text, identifiers=keys),)) for keys, _ in named)
    return tuple(Target((term,)) for term in _terms(text, typed))


def is_small(word: str) -> bool:
    """Return whether an English word is too common to be a name unless it is written as one."""
    return word in SMALL


def asks_which(text: str) -> bool:
    """Return whether a description asks for an answer: "where I live", "我几点起床"."""
    return _WH.search(text) is not None


def _target(text: str, typed: str) -> Target:
    terms = _described(text, typed)
    named = _CALLED_ZH.search(text) is not None or any(term.exact for term in terms)
    own = not named and (_OWN.match(text) is not None or (asks_which(text) and _I.search(text) is not None))
    owned = len(terms) > 1 and (
        _has_owner(text) or any(topic.name in VALUES for term in terms[1:] for topic in term.topics)
    )
    head = _head(text, terms)
    if len(terms) > 1:  # "my gym coach" is no swimming coach
        terms = tuple(
            one
            if one is head or not one.names
            else replace(one, topics=tuple(topic for topic in one.topics if topic.name in VALUES))
            for one in terms
        )
    return Target(terms, own=own, owned=owned, phrase=_phrase(text) if len(terms) > 1 else "", head=head)


def _head(text: str, terms: Sequence[Term]) -> Term | None:
    """Return the term that says what a noun phrase is: in English the last before "of", "that", "I"; in Chinese the last."""
    first = text if HAN.search(text) else _REST_OF_PHRASE.split(text, maxsplit=1)[0]
    return next((term for term in reversed(terms) if term.said in first), None)


def _has_owner(text: str) -> bool:
    """Return whether a description is of something of somebody's: "Anna's dog", "我妈的生日"; not "我领养的狗"."""
    found = _OWNED_ZH.match(text)
    if found is None or found["owner"] in ("我", "我们"):
        return _OWNED.search(text) is not None
    return rjieba.tag(found["owner"])[-1][1].startswith(("n", "r"))


def _phrase(text: str) -> str:
    """Return a description as it may be said word by word, "" when it is too short to tell."""
    return text if len(text) >= (_LONG_ENOUGH_ZH if HAN.search(text) else _LONG_ENOUGH) else ""


def _described(text: str, typed: str) -> tuple[Term, ...]:
    """Return the terms of a noun phrase: of a name after its description ("my colleague Frank") the name is enough."""
    terms = _terms(text, typed)
    if called := _CALLED_ZH.search(text):
        named = [term for term in terms if term.said in called["name"]]
        return tuple([term for term in named if term.exact] or named) or terms
    if len(terms) > 1 and _is_named_zh(text, terms[-2], terms[-1]):
        return terms[-1:]
    names = [term for term in terms if term.exact]
    if not names or len(names) == len(terms):
        return terms
    if terms[-1].exact and len(names) == 1 and not _PLACE_BEFORE.search(text[: text.rfind(terms[-1].said)]):
        return tuple(names)
    after = text.partition(names[-1].said)[2]
    if _KIND_AFTER.match(after):
        return tuple(names)
    return terms


def _is_named_zh(text: str, role: Term, name: Term) -> bool:
    """Return whether a description ends with somebody's role and name: "我前同事老冯"."""
    somebody = bool(role.names & SOMEBODY) and bool(name.literal) and not (name.names or name.topics)
    called = name.literal[:1] in "老小阿大" or (somebody and rjieba.tag(name.literal)[-1][1] == "nr")
    return somebody and called and text.endswith(f"{role.literal}{name.literal}")


def _terms(text: str, typed: str) -> tuple[Term, ...]:
    text = _MEASURED.sub("", text)
    capitals = _capitals(typed)
    topics = topics_of(text)
    found: list[Term] = []
    asked = {topic: match[0] for topic in topics if (match := topic.asked.search(text))}
    for word in map(_affirmed, words(text, 0, len(text))):
        small = word.bare in SMALL and word.bare not in capitals
        if small or word.bare in SMALL_ZH or not word.bare.strip("'"):
            continue
        if term := _term(word, capitals, asked):
            found.append(term)
    uncovered = [
        topic for topic in topics if not any(topic in term.topics or _is_part_of(topic, term) for term in found)
    ]
    found += [Term(said=topic.name, topics=(topic,)) for topic in uncovered]
    covered = {name for term in found for name in term.names}
    several = [one.name for one in concepts(meaning(text)) if " " in one.name and one.kind == "do"]  # "get up"
    found += [Term(said=name, names=frozenset({name})) for name in several if name not in covered]
    return _joined(text, found)


def _is_part_of(topic: Topic, term: Term) -> bool:
    """Return whether the name of a topic is only a part of a word: "读书" of "读书会"."""
    asked = topic.asked.search(term.said)
    return asked is not None and asked[0] != term.said and bool(term.names or term.literal)


def _affirmed(word: Word) -> Word:
    """Return a Chinese word without its "不": whether something is denied is asked of the whole clause."""
    bare = _NO_BEFORE.sub("", word.text)
    if (
        bare[:1] in ("我", "你")
        and len(bare) > 1
        and bare[1] not in "们家"
        and (is_a_verb(bare[1:]) or bare[1:] in _FORMER)
    ):
        bare = bare[1:]
    return Word(bare, word.end - len(bare), word.end) if bare and bare != word.text else word


def _term(word: Word, capitals: frozenset[str], asked: Mapping[Topic, str]) -> Term | None:
    han = HAN.fullmatch(word.bare) is not None
    exact = word.bare in capitals and not han
    meant = concepts(meaning(word.owner))
    if han and len(word.bare) == _NAME_ZH and not all(one.kind for one in meant):
        meant = []  # of "马超" the horse is only a part
    names = frozenset(one.name for one in meant if (one.kind in _SPOKEN_ALIKE if exact else one.kind not in ("", "-")))
    if TITLED.fullmatch(word.bare):
        names = frozenset()
    names = names - LIGHT or names
    own_topics = tuple(topic for topic, words_of_it in asked.items() if word.bare in words_of_it)
    if han and len(word.bare) == 1 and not names and not own_topics:
        return Term(said=word.bare, literal=word.bare)
    return Term(
        said=word.owner,
        literal=word.bare if han else "",
        stems=frozenset({word.bare if exact else stem(word.bare)}) if not han else frozenset(),
        names=names,
        topics=own_topics,
        exact=exact,
        together=han and len(names) > 1,
    )


def _joined(text: str, terms: list[Term]) -> tuple[Term, ...]:
    """Join what segmentation took apart: Chinese words without a meaning of their own that stand side by side."""
    joined: list[Term] = []
    for term in terms:
        before = joined[-1] if joined else None
        if before and before.exact and term.exact and f"{before.said} {term.said}" in text:
            parts = {one for one in before.stems | term.stems if not _known(one)}
            joined[-1] = Term(
                said=f"{before.said} {term.said}",
                literal=f"{before.literal or before.said} {term.said}",
                stems=frozenset(parts),
                exact=True,
            )
        elif (
            before
            and before.literal
            and term.literal
            and not (before.names or before.topics)
            and not (term.names or term.topics)
            and before.literal + term.literal in text
            and min(len(before.literal), len(term.literal)) == 1
        ):
            joined[-1] = Term(said=before.said + term.said, literal=before.literal + term.literal)
        else:
            joined.append(term)
    return tuple(dict.fromkeys(joined))


def _known(word: str) -> bool:
    return any(one.kind and one.kind != "-" for one in concepts(word))


def _capitals(typed: str) -> frozenset[str]:
    """Return the words of a description that are names by how they are written, folded."""
    found = set()
    for word in words(typed, 0, len(typed)):
        shown = typed[word.start : word.end]
        first = not typed[: word.start].strip(" \"'“”‘’")
        lone = word.bare in SMALL and (first or word.bare in REQUESTS or not _ENDS.match(typed, word.end))
        if word.capital and not (first and word.bare in REQUESTS) and shown[:1].isupper() and not lone:
            found.add(word.bare)
    return frozenset(found)
