"""How a new statement touches a remembered one where neither answers a question we know: it ends, revises or doubts it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shared.models.relations.claims import Claim
from shared.models.relations.concepts import Concept, concepts
from shared.models.relations.moods import ending
from shared.models.relations.revaluing import gave_another_value
from shared.models.relations.slots import WHEN
from shared.models.relations.topics import (
    LIGHT,
    Overlay,
    of_one,
    one,
    one_deed,
    only_whereabouts,
    overlay,
    rest,
    things,
    windows,
)
from shared.models.relations.words.changes import FINISHED
from shared.models.relations.words.contrasts import CONTRASTS

_DOUBTED: Final = re.compile(
    r"\b(?:not (?:so |too |really |entirely |quite |at all |100% |that |even )?(?:sure|certain|convinced)(?! (?:what|which|where|when|how|who))"
    r"|doubt\w*|question\w* (?:my|whether|if)|second thoughts|reconsider\w*|re-?think\w*|wonder\w*(?! (?:what|which|where|when|how|who))|torn|wavering|wobbling"
    r"|losing interest|(?:bored|tired|sick|weary|fed up) (?:of|with)|cooling on|less keen|drifting away|(?:do not know|no idea|dunno) (?:if|whether))\b"
    r"|说不清|说不好|不知道(?:还|要|自己|是)|动摇|怀疑|腻了|玩腻|吃腻|看腻|倦了|提不起|兴趣不大|淡了|纠结|犹豫|该不该|要不要|([\u4e00-\u9fff])不\1"
)
_DONE: Final = re.compile(
    r"\b(?:got|finally|now|passed|learn(?:ed|t)|installed|fitted|put in|bought|joined|signed up|arrived|came through|approved|have been|just)\b"
    r"|了(?=$|[,.!;? ])|[完好到成过](?=$|[,.!;? 了])"
)
_FROM_NOW_ON: Final = re.compile(
    r"\b(?:from (?:now|here|this point|today) on(?:wards)?|going forward|from here on(?: out)?|in future|henceforth|next time)\b"
    r"|以后|今后|往后|从今|从现在起|下次起|之后都"
)
_OUT_OF_ORDER: Final = re.compile(
    r"\b(?:while|whilst|till|until|til|because|since|as|cos) (?:my |the |our )?(?P<what>[\w' ]{2,30}?)(?: is| are|'s|'re)? (?:(?:being|getting|get|gets|been|back|still) )*"
    r"(?:repair\w*|fix\w*|service[sd]?|mended|broken|in (?:for|the) \w+|at the \w+|off the road|out of (?:action|order)|away|arriv\w*|ready|back)\b"
    r"|(?P<zh>[\w\u4e00-\u9fff]{1,8}?)(?:还|正|都)?(?:拿去|送去|送)?(?:在修|修好|修着|坏了|送修|维修|返修|保养)"
)
_UNDER_WAY: Final = re.compile(r"\b(?:am|are|is) (?:\w+ )?\w+ing\b|\bcurrently\b|\bat the moment\b|在|正|备考|准备")
_NEGATOR: Final = re.compile(
    r"\b(?:do|does|did|am|is|are|have|has|had|can|could|will|would) not(?: have| own| got| use)?(?: any| an?| been)?\b|\b(?:no|not|never|without|none of)\b"
    r"|还没有?|没有|没|不会|不能|不再|不(?!过|同|错|但|仅|久|少)|未|无"
)
_MEANING_TO: Final = re.compile(
    r"\b(?:leav|chang|swap|switch|drop|quit|stop|sell|paus|replac|ditch|rehom|renam|redo|downsiz|upgrad|convert|go|tak|becom|mov)\w*ing (?!to\b|the house\b)"
    r"|\b(?:change|swap|switch|drop|quit|stop|sell|pause|replace|ditch|rehome|rename|leave|redo|upgrade|convert|try|trade) |换|改|停|卖|退|送|转|辞|剪|戒|搬"
)
_ROUND_ABOUT: Final = frozenset({"do", "deed", "relative", "acquaintance", "animal", "workplace", *WHEN})
"""Kinds of what statements are full of: that one of them is put aside says little."""
_LIKED: Final = frozenset({"taste", "ranking"})


@dataclass(frozen=True, slots=True)
class Touch:
    """A remembered statement that a new one touches: whether for certain, and by what they share."""

    firm: bool
    shared: frozenset[str]


def touch(said: Sequence[Claim], held: Sequence[Claim]) -> Touch | None:
    """Return how the statement `said` touches the remembered `held`; None when it does not."""
    found: Touch | None = None
    for old in held:
        if old.mood.unreal or old.mood.past:
            continue
        for window in windows(said):
            one_touch = _touch(window, old)
            if one_touch is not None and (
                found is None or (one_touch.firm, len(one_touch.shared)) > (found.firm, len(found.shared))
            ):
                found = one_touch
    return found


def _touch(window: Sequence[Claim], old: Claim) -> Touch | None:
    hedged = any(claim.mood.tentative or claim.mood.passing for claim in window)
    if any(c.mood.unreal or (c.mood.added and not hedged) for c in window) or not of_one(window, old):
        return None
    laid = overlay(window, (old,))
    one_topic = laid.one_topic(hedged=hedged) or one_deed(window, old, laid)
    if gave_another_value(window, old, laid, one_topic=one_topic, hedged=hedged):
        return Touch(not hedged, laid.names)
    if _puts_aside(window, old, laid.text):
        return Touch(not hedged, laid.names)
    if hedged and _stands_in(laid):
        return Touch(firm=False, shared=laid.names)
    valued = {c.name for c in _values(window)} & {c.name for c in _values((old,))}
    if not (one_topic or valued):
        return None
    names = laid.names | valued
    if _ended(window, old, laid, valued=bool(valued)):
        return Touch(not hedged, names)
    liked = old.slot in _LIKED and not _DOUBTED.search(laid.text)
    if hedged and not old.negative and not liked and _doubts(window, laid):
        return Touch(firm=False, shared=names)
    if _undone(window, old, laid):
        return Touch(not hedged and not old.mood.tentative, names)
    if _FROM_NOW_ON.search(laid.text) and old.slot.startswith("style:"):
        return Touch(not hedged, names)
    return None


def _puts_aside(window: Sequence[Claim], old: Claim, text: str) -> bool:
    """Return whether the clauses name what `old` says as what is wrong: "Portugal instead of Greece", "not Catherine"."""
    if old.negative:
        return False
    wrong = frozenset().union(*(claim.instead_of for claim in window)) | frozenset(re.findall(r"\bnot (\w{3,})$", text))
    held = {c.name for c in old.objects if c.kind not in _ROUND_ABOUT} - old.instead_of
    return bool(wrong & held) and any(claim.objects for claim in window)


def _values(said: Iterable[Claim]) -> Iterator[Concept]:
    """Yield the scales whose values clauses name, or that they name themselves: "my faith"."""
    for claim in said:
        yield from (Concept(c.kind, c.kind) for c in claim.words if c.kind in CONTRASTS)
        yield from (Concept(c.name, c.name) for c in claim.words if c.name in CONTRASTS)


def _doubts(window: Sequence[Claim], laid: Overlay) -> bool:
    """Return whether hedged clauses doubt, deny or mean to change what they share with what is remembered."""
    if _DOUBTED.search(laid.text):
        return True
    if only_whereabouts(laid.shared):
        return False
    return any(claim.negative or claim.mood.changed for claim in window) or bool(_MEANING_TO.search(laid.text))


def _ended(window: Sequence[Claim], old: Claim, laid: Overlay, *, valued: bool) -> bool:
    """Return whether the clauses say that what they share with `old` is over."""
    if old.negative or old.slot in _LIKED or old.slot.startswith("style:"):
        return False
    over = [claim for claim in window if claim.mood.ended]
    finished = [claim for claim in window if re.search(FINISHED, claim.text)] if _UNDER_WAY.search(old.text) else []
    if not over and not finished:
        return False
    if valued:
        return True
    if not any(_meant(claim, laid) for claim in (*over, *finished)):
        return False
    if all(c.kind == "relative" for c in laid.shared):
        return False
    return not only_whereabouts(laid.shared) or not rest(laid.mine, laid.shared)


def _meant(claim: Claim, laid: Overlay) -> bool:
    """Return whether what the clause ends is shared: what stands after the ending, or else before it."""
    at = ending(claim.text)
    if at is None or not claim.text.isascii():
        return True
    after = [c for c in concepts(claim.text[at:]) if c in tuple(things((claim,)))]
    meant = after or [c for c in concepts(claim.text[:at]) if c.name not in LIGHT]
    if not meant:
        return True
    several = bool(re.search(r"\b(?:and|or|both)\b", claim.text))
    return any(one(c, other) for c in (meant if several else meant[:2]) for other in laid.shared)


def _undone(window: Sequence[Claim], old: Claim, laid: Overlay) -> bool:
    """Return whether the clauses say done what `old` says was not: "the licence came through"."""
    if not old.negative or any(claim.negative for claim in window) or not _DONE.search(laid.text):
        return False
    negated = _NEGATOR.search(old.text)
    if negated is None:
        return False
    denied = old.text[negated.end() :]
    focus = [c for c in things((old,)) if c.name in denied or c.name not in old.text]
    return bool(focus) and any(one(m, focus[0]) or one(m, focus[-1]) for m in laid.mine)


def _stands_in(laid: Overlay) -> bool:
    """Return whether something else serves while what is remembered cannot: "till my laptop's repaired"."""
    found = _OUT_OF_ORDER.search(laid.text)
    if not found:
        return False
    meant = concepts(found["what"] or found["zh"] or "")
    return any(one(m, c) for m in meant for c in laid.theirs)
