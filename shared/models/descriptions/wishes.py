"""What a description asks for: whom or what, which of it not, and said when."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, Literal

import rjieba

from shared.models.descriptions.asking import exceptions, names_everything, without_request, without_scope
from shared.models.descriptions.moments import Window, window_in
from shared.models.descriptions.reading import HAN, Clause, folded, read
from shared.models.descriptions.terms import Target, Term, asks_which, kept_by, targets_of


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
    version: Literal["", "earlier", "newest"] = ""

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        return tuple(term for target in self.targets for term in target.terms)

    @cached_property
    def asks_one_thing(self) -> bool:
        """Whether one thing about somebody is asked for, or that something is so."""
        return self.statement is not None or any(term.topics for term in self.terms)

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
    r"(?:在)?(?P<event>(?:我|我们)[^,]{2,20}?)(?P<side>之前|以前|前|之后|以后|后)(?:的|,|我|说的)?(?P<rest>.+)$"
)
_STATES: Final = re.compile(
    r"^(?:that |the fact that |how )?(?P<s>(?:i|we)(?:'m|'ve|'d|'ll)?\b|(?:my|our) (?:[\w'-]+ ){1,3}?(?:is|are|was|were|has|have|had|does|do|likes?|loves?|hates?|lives?|works?|can|can't|will|won't|[a-z]+n't)\b)"
)
_THAT: Final = re.compile(r"^(?:that|the fact that)\s+")
_STATES_ZH: Final = re.compile(
    r"^(?:我|我们|咱们?)(?!的|妈|爸|姐|哥|弟|妹|老婆|老公|儿子|女儿|家|爷|奶|外|同事|同学|朋友|室友|邻居|老板|对象|男友|女友|男朋友|女朋友)"
)
_THING_ZH: Final = re.compile(r"的[\u4e00-\u9fff]{1,4}$")
_NO: Final = re.compile(r"不|没|别|未|无")
_NOTHING_NAMED: Final = frozenset(
    "everything|all|anything|everything about me|all of it|一切|全部|所有|所有事|me|我||it|that|this|them|these|that one|这|那|这个|那个|这条"
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
_SPACE: Final = re.compile(r"\s+")


def understand(description: str, now: datetime) -> Wish:
    """Return what a description asks for; a wish without targets names nothing.

    Args:
        now: what "last week" counts from.
    """
    typed = _SPACE.sub(" ", description).strip()
    script: Literal["en", "zh"] = "zh" if HAN.search(typed) else "en"
    text, kept = exceptions(without_request(_SPACE.sub(" ", folded(description)).strip()))
    text, anchor = _anchored(text, typed, now)
    window, text = (None, text) if anchor else window_in(text, now)
    said_then = window is None or _SAID.search(text) is not None
    asked = without_request(text)
    text, version = _versioned(without_scope(asked))
    if text in _NOTHING_NAMED:
        return Wish(is_everything=names_everything(asked), script=script, window=window)
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
        version=version,
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
    if found is None or _WE_SAID.fullmatch(found["event"]) or window_in(found["event"] + found["side"], now)[0]:
        return text, None
    return found["rest"], Anchor("before" if found["side"] in _BEFORE else "after", understand(found["event"], now))


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
    if _THING_ZH.search(text) and rjieba.tag(text)[-1][1].startswith("n"):
        return False  # "我吃的药"
    said = re.sub(r"^(?:我们?|咱们?)", "", text)
    return bool(_NO.search(said)) or any(tag.startswith(("v", "a")) for _, tag in rjieba.tag(said))


def _as_typed(text: str, typed: str) -> str:
    """Return a part of a folded description as it was typed."""
    place = folded(typed).find(text)
    return typed[place : place + len(text)] if place >= 0 else text
