"""Whether clauses give the topic of a remembered one another value: another number, day, member of a set, answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.models.relations.claims import Claim
from shared.models.relations.concepts import Concept, concepts
from shared.models.relations.quantities import Quantity
from shared.models.relations.slots import WHEN
from shared.models.relations.subjects import PERSONS
from shared.models.relations.topics import LIGHT, Overlay, one, rest, things
from shared.models.relations.words.contrasts import CONTRASTS

_DAYS: Final = frozenset({"weekday", "month", "date", "day"})
_SCALES: Final = {"usd": "money", "eur": "money", "gbp": "money", "pound": "money", "date": "days", "day": "days"}
"""Kinds of quantities that answer the same question."""
_TELLING: Final = frozenset({"mg", "kg", "workdays"})
"""Units of which one needs to name nothing else: doses, weights."""
_MACHINES: Final = {"os": "machine", "computer": "machine"}
"""Kinds that stand for one another where somebody switches."""
_SWITCHABLE: Final = frozenset({"machine", "phone", "editor", "browser", "seat"})
_ONE_AT_A_TIME: Final = frozenset({"drive", "insur"})
"""Deeds of which the object is one at a time: the car one drives."""
RESCHEDULED: Final = re.compile(
    r"\b(?:mov(?:e|ed|ing)|postpon\w+|push(?:ed|ing)?|delay\w*|reschedul\w+|bring|brought|shift\w*|put back|bumped|slip\w*|extend\w*)\b"
    r"|推迟|提前|改期|延期|延后|往后(?:推|延|挪)|推后|往前(?:挪|提)|改天|另约|挪|调整|顺延|改时间|改到"
)
_SWITCHED: Final = re.compile(
    r"\bswitch\w*\b|\bswap\w*\b|\binstead\b|\breplac\w+|\bmigrat\w+|\bport(?:ed|ing)\b|\bconvert\w*|\b(?:up|down)grad\w+|\bnow\b|\bthese days\b|\b(?:back|over) to\b"
    r"|换|改|转|携码|变成|升级"
)
_ATTRIBUTE: Final = (
    re.compile(
        r"^(?:my|our|the) (?P<of>[\w' -]{2,40}?) (?:is|are|ends? in|is with|costs?|goes to|belongs to|runs on|lives? (?=in|on|under))\b"
        r" ?(?:called |named |with |at |on |in |by |from |under )?(?P<value>.+)$"
    ),
    re.compile(
        r"^(?:我们?的?|咱们?的?)?(?P<of>[\w\u4e00-\u9fff ]{2,12}?)(?:是|叫做?|姓|为|放在?|在|用的是|选的是)(?P<value>.+)$"
    ),
)
_ANSWER: Final = re.compile(
    r"\b(?:favou?rite|main|usual|go-to|default|current|number|code|password|pin|name|handle|username)\b|最喜欢|最爱|密码|口令|号码?$|尾号|名$|主要|默认|常用"
)
"""Questions with one answer, whatever they are about."""


def gave_another_value(window: Sequence[Claim], old: Claim, laid: Overlay, *, one_topic: bool, hedged: bool) -> bool:
    """Return whether the clauses, laid over `old`, give its topic another value, or put in doubt that it keeps it."""
    if old.negative or (window[-1].negative and not (window[-1].instead_of or hedged)):
        return False
    changed = hedged or any(claim.mood.changed for claim in window)
    telling = not [c for c in laid.mine if c.kind or c.name.isascii()] and bool(
        _TELLING & _scales(*window).keys() & _scales(old).keys()
    )
    if changed and (one_topic or telling):
        if _other_scales(window, old):
            return True
        if RESCHEDULED.search(laid.text) and _days(old) and not _days(*window) and not _clocks(*window):
            return True
    return (
        _contrasts(window, old, changed=changed, one_topic=one_topic, switched=bool(_SWITCHED.search(laid.text)))
        or _other_answer(window, old, laid, changed=changed)
        or (changed and _done_with_another(window, old))
    )


def _contrasts(window: Sequence[Claim], old: Claim, *, changed: bool, one_topic: bool, switched: bool) -> bool:
    mine, theirs = (_members(said, old.subject) for said in (window, (old,)))
    for kind in mine.keys() & theirs.keys():
        if mine[kind] & theirs[kind]:
            continue
        if kind in CONTRASTS and CONTRASTS[kind].personal:
            return True
        if changed and (one_topic or switched):
            return True
    return False


def _members(said: Sequence[Claim], subject: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for claim in said:
        for c in claim.words:
            kind = _MACHINES.get(c.kind, c.kind)
            known = kind in _SWITCHABLE or (kind in CONTRASTS and claim.subject == subject)
            if known and c.name not in claim.instead_of:
                found.setdefault(kind, set()).add(c.name)
    return found


def _other_answer(window: Sequence[Claim], old: Claim, laid: Overlay, *, changed: bool) -> bool:
    """Return whether "my X is Y" is answered anew: all of X is named again, none of Y, and something else is."""
    asked = next((found for pattern in _ATTRIBUTE if (found := pattern.match(old.text))), None)
    if asked is None or not (changed or _ANSWER.search(asked["of"])):
        return False
    of = [c for c in concepts(asked["of"]) if c.kind not in WHEN and c.name not in LIGHT]
    value = [c for c in concepts(asked["value"]) if c.kind not in WHEN]
    named = [c for claim in window for c in claim.words]
    if not of or not value or any(_in(c, named, laid.text) for c in value):
        return False
    if not all(any(one(n, c) for n in named) or old.subject == c.name for c in of):
        return False
    anew = [c for c in rest(things(window), of) if c.name not in {o.name for o in of}]
    kinds = {c.kind for c in value} - {"", "name"}
    return any(
        c.kind in kinds
        or (c.kind == "color" and kinds <= {"color"})
        or (c.kind in {"", "name"} and (not kinds or bool(kinds & PERSONS) or _stands_as_answer(c, laid.text)))
        for c in (*anew, *_placed(window))
    )


def _stands_as_answer(concept: Concept, text: str) -> bool:
    return bool(
        re.search(
            rf"(?:\b(?:with|at|to|is|are|by|use|called|from) (?:the |an? |my )?|[是叫到在用成]){re.escape(concept.name)}",
            text,
        )
    )


def _placed(window: Sequence[Claim]) -> list[Concept]:
    return [c for claim in window for c in claim.words if c.kind in {"place", "color", "name"}]


def _in(concept: Concept, named: Sequence[Concept], text: str) -> bool:
    return any(one(n, concept) for n in named) or (concept.kind == "name" and concept.name in text)


def _done_with_another(window: Sequence[Claim], old: Claim) -> bool:
    """Return whether what one has one at a time is another now: "driving my sister's Fiat"."""
    deed = old.said & frozenset(name for claim in window for name in claim.said) & _ONE_AT_A_TIME
    mine, theirs = (
        [c for c in things(claims) if c.name not in _ONE_AT_A_TIME and c.kind not in PERSONS]
        for claims in (window, (old,))
    )
    return bool(deed and mine and theirs) and not any(one(a, b) for a in mine for b in theirs)


def _other_scales(window: Sequence[Claim], old: Claim) -> bool:
    if _days(*window) and _days(old):
        return not _days(*window) & _days(old)
    mine, theirs = _scales(*window), _scales(old)
    if any(
        not any(a.agrees_with(b) for a in mine[kind] for b in theirs[kind]) or len(mine[kind]) > len(theirs[kind])
        for kind in mine.keys() & theirs.keys()
    ):
        return True
    if mine.keys() & theirs.keys():
        return False
    bare, summed = (mine, theirs) if "n" in mine else (theirs, mine)
    return "n" in bare and "money" in summed and not any(a.value == b.value for a in bare["n"] for b in summed["money"])


def _scales(*said: Claim) -> dict[str, list[Quantity]]:
    found: dict[str, list[Quantity]] = {}
    for claim in said:
        for quantity in claim.counts:
            found.setdefault(_SCALES.get(quantity.kind, quantity.kind), []).append(quantity)
    return found


def _days(*said: Claim) -> set[str | float]:
    named: set[str | float] = {c.name for claim in said for c in claim.words if c.kind in _DAYS}
    return named | {q.value for claim in said for q in claim.counts if q.kind in _DAYS}


def _clocks(*said: Claim) -> bool:
    return any(q.kind == "clock" for claim in said for q in claim.counts)
