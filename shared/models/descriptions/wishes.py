"""What a description asks for: whom or what, which of it not, and said when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Literal

import rjieba

from shared.models.descriptions.asking import (
    exceptions,
    names_everything,
    without_asides,
    without_request,
    without_scope,
)
from shared.models.descriptions.moments import Window, window_in
from shared.models.descriptions.persons import is_somebody
from shared.models.descriptions.reading import HAN, Clause, folded, read
from shared.models.descriptions.terms import asks_which, kept_by, targets_of
from shared.models.descriptions.things import Target, Term
from shared.models.descriptions.topics import VALUES
from shared.models.descriptions.vocabulary import SOMEBODY


@dataclass(frozen=True)
class Wish:
    """A description as understood.

    Args:
        targets: any of these.
        exceptions: none of these.
        window: said in this time.
        anchor: said before (or after) something else was said; its time is known once that is found.
        statement: the description as a statement, when it is one: polarity and subject must agree.
        is_everything: it names nothing because it asks for all there is.
        script: of the description.
        said_then: the window is when it was said, not of what.
        asks_which: it asks for an answer rather than for all about something.
        is_a_person: it says so: "小雨这个人".
        version: of several things said of it at different times all but the newest, or that one.
    """

    targets: tuple[Target, ...] = ()
    exceptions: tuple[Target, ...] = ()
    window: Window | None = None
    anchor: Anchor | None = None
    statement: Clause | None = None
    is_everything: bool = False
    script: Literal["en", "zh"] = "en"
    said_then: bool = True
    asks_which: bool = False
    is_a_person: bool = False
    version: Literal["", "earlier", "newest"] = ""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        return tuple(term for target in self.targets for term in target.terms)

    @property
    def count(self) -> int:
        """How many terms are looked for, those of what is kept and of what dates it among them."""
        kept = sum(len(target.terms) for target in self.exceptions)
        return len(self.terms) + kept + (self.anchor.wish.count if self.anchor else 0)

    @cached_property
    def asks_one_thing(self) -> bool:
        """Whether one thing about somebody is asked for, or that something is so."""
        return (
            self.statement is not None
            or self.asks_which
            or any(topic.name in VALUES for term in self.terms for topic in term.topics)
        )

    @cached_property
    def may_be_somebody(self) -> bool:
        """Whether "she" may stand for what is meant."""
        return self.statement is not None or any(target.may_be_somebody for target in self.targets)

    @cached_property
    def names_somebody(self) -> bool:
        """Whether a name is asked for: "he" may stand for it."""
        return any(term.exact or (term.literal and not term.topics) for term in self.terms)


@dataclass(frozen=True)
class Anchor:
    """Something that was said, and on which side of it the rest was."""

    side: Literal["before", "after"]
    wish: Wish


_ANCHOR: Final = re.compile(
    r"[,\s]*\b(?P<side>before|after|since|until|prior to)\s+(?P<event>(?:i|we|my|he|she|they)\b.+)$"
)
_ANCHOR_THING: Final = re.compile(
    r"[,\s]+(?P<side>before|after|since|until|prior to)\s+(?P<event>(?:the |a |an |our )?\w[\w' -]*)$"
)
_ANCHOR_ZH: Final = re.compile(
    r"(?:在|自从)?(?P<event>(?:我|我们)[^,]{2,20}?)(?P<side>之前|以前|前|之后|以后|后)(?:的|,|我|说的)?(?P<rest>.+)$"
    r"|^(?:在|自从)?(?P<other>[^,]{2,20}?)(?P<then>之前|以前|之后|以后)(?:的|,|我|说的)?(?P<what>.+)$"
)
_STATES: Final = re.compile(
    r"^(?:that |the fact that |how )?(?P<s>(?:i|we)(?:'m|'ve|'d|'ll)?\b|(?:my|our) (?:[\w'-]+ ){1,3}?(?:is|are|was|were|has|have|had|does|do|likes?|loves?|hates?|lives?|works?|can|can't|will|won't|[a-z]+n't)\b)"
)
_THAT: Final = re.compile(r"^(?:that|the fact that)\s+")
_STATES_ZH: Final = re.compile(
    r"^(?:我|我们|咱们?)(?!的|妈|爸|姐|哥|弟|妹|老婆|老公|儿子|女儿|家|爷|奶|外|同事|同学|朋友|室友|邻居|老板|对象|男友|女友|男朋友|女朋友)"
)
_DOES_ZH: Final = re.compile(r"^(?:我们|我)(?![们的家])")
"""One thing its speaker does or is, rather than a thing of theirs: "我吃的药", "我信佛"."""
_OURS_ZH: Final = re.compile(r"^我们?(?:家|公司|单位|学校|小区|班|部门|店|村|楼)")
_SAYS_ZH: Final = re.compile(r"不|没|别|是|有|了|过|着|会|能|想|要|爱|恨|在|被|把|给|跟|对|喜欢|讨厌|叫|养|住|当|做")
_THING_ZH: Final = re.compile(r"的[\u4e00-\u9fff]{1,4}$")
_NO: Final = re.compile(r"不|没|别|未|无")
_NOTHING_NAMED: Final = frozenset(
    "|所有的|全部的|everything|all|anything|everything about me|all of it|一切|全部|所有|所有事|me|我||it|that|this|them|these|that one|这|那|这个|那个|这条"
    "|那些|we|you|你".split("|")
)
_VERSIONS: Final[tuple[tuple[re.Pattern[str], Literal["earlier", "newest"]], ...]] = (
    (
        re.compile(r"^(?:my|our|the) (?P<word>(?:old|previous|former|earlier|prior|past|outdated|original) )(?=\w)"),
        "earlier",
    ),
    (
        re.compile(
            r"(?P<word>(?:以前|之前|原来|原先|从前|过去|早先|旧|老)的|(?:上一|前一)[个份家任套处])(?=[\u4e00-\u9fff])"
        ),
        "earlier",
    ),
    (re.compile(r"^(?:my|our|the) (?P<word>(?:new|current|latest|newest|most recent|present) )(?=\w)"), "newest"),
    (re.compile(r"(?P<word>(?:新|最新|现在|目前|如今|最近)的|现任)(?=[\u4e00-\u9fff])"), "newest"),
)
_BEFORE: Final = frozenset({"before", "until", "prior to", "之前", "以前", "前"})
_SAID: Final = re.compile(r"\b(?:said|told|mentioned|wrote|shared)\b|说|讲|提|告诉")
_WE_SAID: Final = re.compile(r"我们?说?")
_PERSON: Final = re.compile(r"(?:这|那)(?:一?个|位)?人")
_ROLE_ZH: Final = re.compile(r"(?<=[\u4e00-\u9fff])[这那](?:一?[个位])(?P<role>[\u4e00-\u9fff]{2,3})$")
_ALL_ABOUT: Final = re.compile(r"关于|有关|相关|所有|全部内容|一切")
_MYSELF_ZH: Final = re.compile(r"(?<=我)自己(?=的)")
_SPACE: Final = re.compile(r"\s+")


def understand(description: str, now: datetime) -> Wish:
    """Return what a description asks for; a wish without targets names nothing.

    Args:
        now: what "last week" counts from.
    """
    typed = _SPACE.sub(" ", description).strip()
    script: Literal["en", "zh"] = "zh" if HAN.search(typed) else "en"
    text, kept = exceptions(without_request(without_asides(_SPACE.sub(" ", folded(description)).strip())))
    text = _MYSELF_ZH.sub("", text)
    text, anchor = _anchored(without_request(text) if kept else text, typed, now)
    window, text = (None, text) if anchor else window_in(text, now)
    said_then = window is None or _SAID.search(text) is not None
    asked = without_request(text) if window else text
    text, version = _versioned(without_scope(asked))
    if text in _NOTHING_NAMED:
        return Wish(is_everything=names_everything(asked), script=script, window=window)
    text, is_a_person = _person(text, typed)
    about, statement = _statement(text, typed)
    targets = targets_of(about, typed, states=statement is not None)
    meant = {term.said for target in targets for term in target.terms}
    excepted = [target for one in kept for target in kept_by(without_scope(one), typed)]
    return Wish(
        targets=targets,
        exceptions=tuple(one for one in excepted if one.terms[0].said not in meant),
        window=window,
        anchor=anchor,
        statement=statement,
        script=script,
        said_then=said_then,
        asks_which=asks_which(about) or (_ALL_ABOUT.search(typed) is None and _is_done(about, targets)),
        version=version,
        is_a_person=is_a_person,
    )


def _person(text: str, typed: str) -> tuple[str, bool]:
    """Return a description without "这个同事" after a name, and whether it says that somebody is meant."""
    role = _ROLE_ZH.search(text)
    if role and is_somebody(role["role"]):
        return text[: role.start()], True
    return text, _PERSON.search(typed) is not None


def _is_done(text: str, targets: Sequence[Target]) -> bool:
    """Return whether a Chinese description is of one thing its speaker does or is: "我吃的药", not "我表姐婚礼"."""
    about = [term for target in targets for term in (*target.terms[:1], target.head) if term]
    last, tag = rjieba.tag(text)[-1]
    if _DOES_ZH.match(text) and about and about[0].names & SOMEBODY and tag[0] in "vau" and not is_somebody(last):
        return True  # "我老婆怀孕了"
    return _DOES_ZH.match(text) is not None and not any(
        term.names & SOMEBODY or not term.names or is_somebody(term.said) for term in about
    )


def _versioned(text: str) -> tuple[str, Literal["", "earlier", "newest"]]:
    """Return a description without the word for which of several versions is meant, and that."""
    for pattern, version in _VERSIONS:
        if found := pattern.search(text):
            return _SPACE.sub(" ", f"{text[: found.start('word')]}{text[found.end('word') :]}").strip(), version
    return text, ""


def _anchored(text: str, typed: str, now: datetime) -> tuple[str, Anchor | None]:
    """Return a description without what dates it by something else that was said, and that."""
    found = _ANCHOR.search(text)
    if found and found.start() > 0:
        side: Literal["before", "after"] = "before" if found["side"] in _BEFORE else "after"
        return text[: found.start()], Anchor(side, understand(f"that {found['event']}", now))
    found = _ANCHOR_THING.search(text)
    if found and found.start() > 0 and window_in(found[0].strip(), now)[0] is None:
        side = "before" if found["side"] in _BEFORE else "after"
        return text[: found.start()], Anchor(side, understand(_as_typed(found["event"], typed), now))
    found = _ANCHOR_ZH.search(text)
    if found is None:
        return text, None
    event, when, rest = (
        (found["event"], found["side"], found["rest"])
        if found["event"]
        else (found["other"], found["then"], found["what"])
    )
    if _WE_SAID.fullmatch(event) or window_in(event + when, now)[0]:
        return text, None
    return rest, Anchor("before" if when in _BEFORE else "after", understand(event, now))


def _statement(text: str, typed: str) -> tuple[str, Clause | None]:
    """Return what a description is about, and the statement it makes, if it makes one rather than ask which."""
    that = _THAT.match(text)
    text = text[that.end() :] if that else text
    states = _STATES.match(text) if not HAN.search(text[:6]) else _STATES_ZH.match(text)
    if (states or that) and not asks_which(text) and (not HAN.search(text) or _is_sentence_zh(text)):
        clauses = read(_as_typed(text, typed)).clauses
        return text, clauses[0] if clauses else None
    return text, None


def _is_sentence_zh(text: str) -> bool:
    tagged = rjieba.tag(text)
    says = any(_SAYS_ZH.match(word) for word, _ in tagged)
    if _OURS_ZH.match(text) and not says:
        return False  # "我们公司年会"
    if _THING_ZH.search(text) and tagged[-1][1].startswith("n"):
        return False  # "我吃的药"
    said = re.sub(r"^(?:我们?|咱们?)", "", text)
    if not says and is_somebody(tagged[-1][0]):
        return False  # "我健身教练"
    return bool(_NO.search(said)) or any(tag.startswith(("v", "a")) for _, tag in rjieba.tag(said))


def _as_typed(text: str, typed: str) -> str:
    """Return a part of a folded description as it was typed."""
    place = folded(typed).find(text)
    return typed[place : place + len(text)] if place >= 0 else text
