"""The things a description asks for, each as every way it may be said."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import rjieba

from shared.models.descriptions.identifiers import Identifier, identifiers
from shared.models.descriptions.reading import HAN, Word, words
from shared.models.descriptions.topics import Topic, topics_of
from shared.models.descriptions.words_zh import is_a_verb
from shared.models.relations.concepts import concepts, stem
from shared.models.relations.folding import fold as meaning


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


@dataclass(frozen=True, slots=True)
class Target:
    """Terms that must be met together.

    `phrase`: or its very words, several at once. `own`: what belongs to somebody else is something else. `owned`: the first is whose the others are.
    """

    terms: tuple[Term, ...]
    own: bool = False
    owned: bool = False
    phrase: str = ""


_AND: Final = re.compile(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&|;|以及|、|和|跟|与|还有|或)\s*")
_WH: Final = re.compile(
    r"\b(?:where|when|what|who|whom|whose|which|how (?:old|many|much|often|tall|long|far)|why)\b|哪|什么|几|谁|多少|怎么|多大|多高|多重|为何|为什么"
)
_NO_BEFORE: Final = re.compile(r"^(?:不|没有?)(?=[\u4e00-\u9fff])(?!同|错|锈|倒|管|仅|但)")
_GENERIC: Final = frozenset(
    "thing stuff info information detail details fact facts memory memories record records note notes message messages entry"
    " conversation conversations data content contents anything everything all said told mentioned know remember about mention"
    " ticket order invoice parcel package shipment booking reservation case number code model version account document file"
    " server machine device item ref reference id flight train bus room apartment flat locker gate seat policy contract"
    " issue task job project product part serial plate card tracking".split()
)
_KINDS: Final = _GENERIC - {"code", "job", "card", "project", "bus", "train", "car"}
_SMALL: Final = frozenset(
    "a an the my our your his her its their this that these those some any each every of for to from in on at by with and or but"
    " is are was were be been being am do does did has have had having can could will would shall should may might must not no"
    " i we you he she it they me us him them mine what where when who whom whose which how why there here as than then so if"
    " about into over under up down out off just now still also too very really ever never always already yet again please"
    " don't doesn't didn't isn't aren't wasn't weren't can't cannot won't wouldn't i'm i've i'd i'll it's that's there's he's"
    " she's they're we're you're else such own other another more most much many few one ones like get got go goes going gone"
    " went thing things stuff info information detail details fact facts memory memories everything anything all said told"
    " mentioned mention know remember regarding concerning old while because since until before after ll ve re s t m d"
    " named called call lately recently currently actually even only used first last whole entire bit part anymore longer".split()
)
_SMALL_ZH: Final = frozenset(
    "的 了 是 在 我 你 他 她 它 我们 你们 他们 咱们 咱 和 跟 与 把 将 被 给 对 对于 关于 有关 相关 这 那 这个 那个 这些 那些 这件 那件 一切 所有 全部 任何"
    " 都 也 就 才 很 还 又 再 最 太 更 过 着 地 得 吗 呢 吧 啊 呀 哦 个 只 条 件 位 种 些 点 事 事情 事儿 内容 信息 记录 资料 东西 情况 说 说过 讲 提到 提"
    " 告诉 聊 聊过 记得 记住 知道 之前 以前 之后 以后 时候 有 没 没有 不 别 会 要 想 能 可以 一个 一下 一 哪 哪里 哪儿 什么 几 谁 多少 怎么 多 大 们 及 以及"
    " 或 或者 里 上 下 中 从 到 去 来 每天 现在 目前 曾 曾经 自己 家 全 统统 说的 我家 那边 这边 这里 那里 上的 里的 叫 一些 型号 号码 编号 名字 其他 其它 别的 其余 那句 这句 那张 这张 那位 这位 那家 这家 那只 这只 那件事 这件事 那次 这次 那段 这段".split()
)
_LIGHT: Final = frozenset({"like", "love", "hate", "favorite", "want", "need", "have", "use", "call", "move", "go"})
_I: Final = re.compile(r"\b(?:i|my|we|our)\b")
_OWN: Final = re.compile(r"^(?:(?:the fact that |that )?(?:my|our)\b|我的|我们的|我家的)|^我(?!们?[和跟与])")
_PLACE_BEFORE: Final = re.compile(r"\b(?:in|at|from|to|of|near|with|on|for|by|the)\s+(?:the\s+|my\s+)?$")
_KIND_AFTER: Final = re.compile(
    r"(?:,? the [\w -]+|\s?(?:project|team|app|account|server|company|firm|brand|group|channel|repo|thing)s?|\s?(?:项目|团队|小组|品牌|系统|软件|平台|账号|群|公众号|应用|工具|服务器))$"
)
"""What only says which kind of thing a name names."""
_OWNED: Final = re.compile(r"'s? \w|\bof\b")
_OWNED_ZH: Final = re.compile(r"^(?:我们?的|我家的?)?(?P<owner>.+?)的")
_CALLED_ZH: Final = re.compile(r"叫(?:做|作)?\s?(?P<name>[^的]{1,12})的")
_SPOKEN_ALIKE: Final = frozenset({"weekday", "month", "place", "language", "country", "city"})
"""Kinds of names that other languages have other words for."""
_TITLED: Final = re.compile(
    r"[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤]"
    r"(?:老师|师傅|医生|大夫|教授|阿姨|叔叔?|先生|女士|小姐|经理|主任|校长|律师|护士|教练|总|工|姐|哥|姨|婶|爷|奶奶)"
    r"|[大二三四五六七八九十小老](?:舅|姨|叔|伯|姑|爷|哥|姐|弟|妹|婶|嫂|舅舅|姨妈|叔叔|姑姑|姑妈)"
)
"""Somebody by surname: no other teacher is meant."""
_MEASURED: Final = re.compile(r"[那这](?:张|个|只|件|条|家|辆|台|位|本|句|次|场|部|份|段)(?=[\u4e00-\u9fff])")
_LONG_ENOUGH: Final = 8
_LONG_ENOUGH_ZH: Final = 4
_ENDS: Final = re.compile(r"[\s.!?,\"'”’]*$")
_REQUESTS: Final = frozenset(
    "forget delete remove erase drop wipe clear please everything anything all what stop don't do scrub purge that the my"
    " can could would i any every get unlearn discard lose whatever stuff things".split()
)


def targets_of(text: str, typed: str, *, states: bool) -> tuple[Target, ...]:
    """Return what a description without its request is about.

    Args:
        text: folded.
        typed: the whole description as it was typed: capitals tell names.
        states: whether it makes a statement.
    """
    if states:
        terms = _terms(text, typed)
        firm = tuple(term for term in terms if not (term.names & _LIGHT and not term.topics)) or terms
        return (Target(firm, phrase=_phrase(text)),) if firm else ()
    if named := identifiers(text, _KINDS):
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
            term for term in target.terms if term.exact or term.identifiers or term.topics or term not in unheard
        )
        if terms and not all(term.names and term.names <= _LIGHT for term in terms):
            left.append(replace(target, terms=terms, owned=target.owned and len(terms) > 1))
        else:
            left.append(target)
    return tuple(left)


def kept_by(text: str, typed: str) -> tuple[Target, ...]:
    """Return what an exception keeps; any of its words will do."""
    if named := identifiers(text, _KINDS):
        return tuple(Target((Term(said=text, identifiers=keys),)) for keys, _ in named)
    return tuple(Target((term,)) for term in _terms(text, typed))


def is_small(word: str) -> bool:
    """Return whether an English word is too common to be a name unless it is written as one."""
    return word in _SMALL


def asks_which(text: str) -> bool:
    """Return whether a description asks for an answer: "where I live", "我几点起床"."""
    return _WH.search(text) is not None


def _target(text: str, typed: str) -> Target:
    terms = _described(text, typed)
    named = _CALLED_ZH.search(text) is not None or any(term.exact for term in terms)
    own = not named and (_OWN.match(text) is not None or (asks_which(text) and _I.search(text) is not None))
    owned = len(terms) > 1 and (_has_owner(text) or any(term.topics for term in terms[1:]))
    return Target(terms, own=own, owned=owned, phrase=_phrase(text) if len(terms) > 1 else "")


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
    names = [term for term in terms if term.exact]
    if not names or len(names) == len(terms):
        return terms
    if terms[-1].exact and len(names) == 1 and not _PLACE_BEFORE.search(text[: text.rfind(terms[-1].said)]):
        return tuple(names)
    after = text.partition(names[-1].said)[2]
    if _KIND_AFTER.match(after):
        return tuple(names)
    return terms


def _terms(text: str, typed: str) -> tuple[Term, ...]:
    text = _MEASURED.sub("", text)
    capitals = _capitals(typed)
    topics = topics_of(text)
    found: list[Term] = []
    asked = {topic: match[0] for topic in topics if (match := topic.asked.search(text))}
    for word in map(_affirmed, words(text, 0, len(text))):
        small = word.bare in _SMALL and word.bare not in capitals
        if small or word.bare in _SMALL_ZH or not word.bare.strip("'"):
            continue
        if term := _term(word, capitals, asked):
            found.append(term)
    uncovered = [topic for topic in topics if not any(topic in term.topics for term in found)]
    found += [Term(said=topic.name, topics=(topic,)) for topic in uncovered]
    covered = {name for term in found for name in term.names}
    several = [one.name for one in concepts(meaning(text)) if " " in one.name and one.kind == "do"]  # "get up"
    found += [Term(said=name, names=frozenset({name})) for name in several if name not in covered]
    return _joined(text, found)


def _affirmed(word: Word) -> Word:
    """Return a Chinese word without its "不": whether something is denied is asked of the whole clause."""
    bare = _NO_BEFORE.sub("", word.text)
    if bare[:1] in ("我", "你") and is_a_verb(bare[1:]):
        bare = bare[1:]
    return Word(bare, word.end - len(bare), word.end) if bare and bare != word.text else word


def _term(word: Word, capitals: frozenset[str], asked: Mapping[Topic, str]) -> Term | None:
    han = HAN.fullmatch(word.bare) is not None
    exact = word.bare in capitals and not han
    names = frozenset(
        one.name
        for one in concepts(meaning(word.bare))
        if (one.kind in _SPOKEN_ALIKE if exact else one.kind not in ("", "-"))
    )
    if _TITLED.fullmatch(word.bare):
        names = frozenset()
    names = names - _LIGHT or names
    own_topics = tuple(topic for topic, words_of_it in asked.items() if word.bare in words_of_it)
    if han and len(word.bare) == 1 and not names and not own_topics:
        return Term(said=word.bare, literal=word.bare)
    return Term(
        said=word.bare,
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
        lone = word.bare in _SMALL and (first or word.bare in _REQUESTS or not _ENDS.match(typed, word.end))
        if word.capital and not (first and word.bare in _REQUESTS) and shown[:1].isupper() and not lone:
            found.add(word.bare)
    return frozenset(found)
