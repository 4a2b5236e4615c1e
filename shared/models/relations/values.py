"""Whether a claim gives another answer to a question that has one: another home, another number, another time."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.claims import Claim
from shared.models.relations.concepts import is_region, lies_in
from shared.models.relations.likeness import (
    PASSING_DETAIL,
    agree,
    alike,
    at_the_same_time,
    covers,
    is_event,
    lasting,
    outside_time,
    places,
)
from shared.models.relations.slots import EXCLUSIVE_KINDS, ONE_VALUE, STYLE, WHEN
from shared.models.relations.subjects import PERSONS

_VALUE_KINDS: Final = {
    "job": {"job", "work-state"},
    "commute": {"transport", "do"},
    "mode": {"work-mode"},
    "timezone": {"timezone"},
    "seat": {"seat"},
    "chronotype": {"chronotype"},
    "hand": {"hand"},
    "editor": {"editor"},
    "study": {"study-field"},
    "diet": {"diet"},
    "browser": {"browser"},
    "phone": {"phone"},
    "school": {"workplace"},
}


_MANY_OF_A_KIND: Final = frozenset(
    "dog cat rabbit hamster bird parrot goldfish son daughter child brother sister sibling friend best-friend cousin"
    " older brother-younger brother nephew niece aunt uncle colleague neighbor twin classmate flatmate pet horse tortoise".split()
) | {"older brother", "younger brother", "older sister", "younger sister", "guinea pig", "second child"}


_A_SINGLE: Final = re.compile(r"\b(?:an?|one|1|my only)\b|[1一] ?[个只条位名匹头]|有(?:个|只|条)|养了?只")


_HAVING_STUDIED: Final = re.compile(r"\b(?:degree|graduated?|graduate|diploma)\b|学位|毕业|本科|大学学的")
"""What somebody has studied stays true beside what they study."""
_NOWADAYS: Final = re.compile(r"\b(?:now|nowadays|these days)\b|现在|如今|改")
_NO_HOME: Final = re.compile(r"\b(?:hotel|hostel|airbnb|resort)\b|酒店|宾馆|民宿|旅馆")


_SWITCH: Final = re.compile(
    r"\bswitch(?:ed|ing)? (?:over )?to\b|\bswitch\b|\bchanged (?:over )?to\b|改(?:喝|吃|用|成|玩|看)|换成|换到"
)


_SPEAKER_FIRST: Final = re.compile(r"^(?:i|we)\b|^我(?!的|们的|家的|们组|们公司|公司|家里的)")


def other_value(new: Claim, old: Claim) -> bool:
    """Return whether both fill a slot that holds one value, with different ones."""
    if new.negative or old.negative or new.mood.added or new.slot == "marriage":
        return False
    if new.slot == "named" and old.slot == "named":
        return _renamed(new, old)
    if new.slot != old.slot or not (new.slot in ONE_VALUE or new.slot.startswith(STYLE)):
        return other_of_a_kind(new, old)
    if new.slot == "residence":
        return lives_elsewhere(new, old)
    if new.slot == "employer":
        return _works_elsewhere(new, old)
    kinds = {new.slot.removeprefix(STYLE)} if new.slot.startswith(STYLE) else _VALUE_KINDS.get(new.slot)
    if kinds is None:
        return _other_open_value(new, old)
    values_new, values_old = ({c.name for c in claim.objects if c.kind in kinds} for claim in (new, old))
    around_new, around_old = (
        {
            c.name
            for c in claim.objects
            if c.kind not in kinds
            and c.name not in PASSING_DETAIL
            and c.name not in {"temperature", "unit", "tone"}
            and (c.kind != "" or claim.slot.startswith(STYLE))
            and (c.kind not in {"month", "season"} or claim.slot.startswith(STYLE))
        }
        for claim in (new, old)
    )
    if not values_new or not values_old or values_new & values_old - new.instead_of:
        return False
    if new.slot == "study":
        return new.mood.changed or not (_HAVING_STUDIED.search(new.text) or _HAVING_STUDIED.search(old.text))
    if new.slot == "job":
        return True
    return alike(frozenset(around_new), frozenset(around_old))


def _other_open_value(new: Claim, old: Claim) -> bool:
    """Return whether a slot whose values have no kind of their own got another one: a number, a name, a household."""
    if not agree(new.counts, old.counts) and new.counts and old.counts:
        if (new.names ^ old.names) & {"start", "end"}:
            return False
        at_a_time = new.slot in {"wake", "bed"} and not any(c.kind == "weekday" for c in new.objects)
        return alike(outside_time(new), outside_time(old)) and (at_a_time or at_the_same_time(new, old))
    if new.slot in {"name", "address"} and _name_kind(new.text) != _name_kind(old.text):
        return False
    if new.slot in {"hours", "household", "name", "address", "tenure", "birthplace", "origin"}:
        mine, theirs = {c.name for c in new.objects}, {c.name for c in old.objects}
        if new.slot in {"tenure", "origin", "birthplace"} and not new.mood.changed:
            return False
        return (
            bool(mine or new.counts)
            and bool(theirs or old.counts)
            and (not mine & theirs or (new.slot == "name" and bool(mine - theirs and theirs - mine)))
            and bool(mine or theirs or (new.counts and old.counts))
        )
    return False


_NAME_KINDS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?:nickname|handle|username|user name|screen name|gamertag|alias)\b|网名|昵称|用户名|花名|外号|绰号|艺名|笔名",
        r"\b(?:surname|last name|family name|maiden name)\b|姓(?!名)",
        r"\bmiddle name\b",
        r"\b(?:english name|chinese name)\b|英文名|中文名|日文名",
        r"小名|乳名",
    )
)
"""Names one has beside one's name."""


def _name_kind(text: str) -> int:
    return next((at for at, pattern in enumerate(_NAME_KINDS) if pattern.search(text)), -1)


def _renamed(new: Claim, old: Claim) -> bool:
    whose_new, whose_old = ({c.name for c in claim.objects if c.kind in PERSONS} for claim in (new, old))
    called_new, called_old = ({c.name for c in claim.objects if c.kind not in PERSONS} for claim in (new, old))
    if not whose_new or whose_new != whose_old or not called_new or not called_old or called_new & called_old:
        return False
    if called_old & new.instead_of:
        return True
    return not whose_new & _MANY_OF_A_KIND or bool(re.search(r"\brenam|改名|改叫", new.text))


def other_of_a_kind(new: Claim, old: Claim) -> bool:
    """Return whether two clauses about the same thing give it different values of which only one can hold."""
    switching = (
        bool(_SWITCH.search(new.text))
        and new.slot in {"", "intake", "os"}
        and old.slot in {"", "intake", "taste", "os"}
    )
    if not switching and (new.slot != old.slot or new.slot not in {"", "possession", "os"}):
        return False
    if switching and len(lasting(new)) == len(lasting(old)) == 1:
        return lasting(new)[0].kind == lasting(old)[0].kind != "" and lasting(new) != lasting(old)
    mine = [c for c in new.objects if c not in old.objects and c.name not in PASSING_DETAIL]
    theirs = [c for c in old.objects if c not in new.objects and c.name not in PASSING_DETAIL]
    shared = [c for c in new.objects if c in old.objects]
    kinds = EXCLUSIVE_KINDS | {"os", "computer"}
    values_mine, values_theirs = ([c for c in side if c.kind in kinds] for side in (mine, theirs))
    if len(values_mine) == 1 and len(values_theirs) == 1 and values_mine[0].kind == values_theirs[0].kind:
        if (
            all(c in values_mine or (new.mood.changed and c.kind in {"", "do", "deed"}) for c in mine)
            and len(theirs) == 1
        ):
            return bool(shared) or values_mine[0].kind in {"curl", "hair-length"}
        return switching and len(mine) == 1
    return False


def lives_elsewhere(new: Claim, old: Claim) -> bool:
    now, before = places(new), places(old)
    if not now or not before:
        return False
    for place in now:
        for other in before:
            if covers(place, other) or lies_in(place.name, other.name) or lies_in(other.name, place.name):
                return False
    known = [c for c in now if c.kind == "place"]
    moving = "move" in new.said or new.mood.changed or new.mood.tentative
    if not known and all(is_region(c.name) for c in before) and not moving:
        return False  # a place we do not know may well be inside the region
    return any(c.kind == "place" for c in (*now, *before)) or moving or len(now) == len(before) == 1


def stays_elsewhere(new: Claim, old: Claim) -> bool:
    """Return whether somebody lives with others for a while: "六月之前我先住我妈家"."""
    return (
        new.mood.passing
        and new.slot in {"residence", "household"}
        and old.slot == "residence"
        and not (new.negative or old.negative)
        and "live" in new.said
        and not any(covers(a, b) for a in places(new) for b in places(old))
        and bool(re.search(r"'s\b|\bwith\b|家|跟|和|那儿|那里|那边", new.text))
        and not _NO_HOME.search(new.text)
    )


def rides_otherwise(new: Claim, old: Claim) -> bool:
    """Return whether somebody gets about in another way for a while."""
    return (
        (new.mood.passing or bool(_NOWADAYS.search(new.text)))
        and old.slot == "commute"
        and new.slot == ""
        and not new.negative
        and any(c.kind == "transport" for c in new.objects)
        and not new.names & old.names
    )


def _works_elsewhere(new: Claim, old: Claim) -> bool:
    now, before = lasting(new), lasting(old)
    if not now or not before:
        return False
    if all(c.kind == "place" for c in now) != all(c.kind == "place" for c in before):
        return False
    if any(covers(a, b) or lies_in(a.name, b.name) or lies_in(b.name, a.name) for a in now for b in before):
        return False
    return not any(c.kind in {"weekday", "daypart"} for c in new.objects) and not any(
        q.kind == "clock" for q in new.counts
    )


def other_count(new: Claim, old: Claim) -> bool:
    """Return whether both count or measure the same thing, differently."""
    if new.negative or old.negative or new.mood.added:
        return False
    if new.slot in {"", "budget"} and old.slot == "budget" and new.counts and old.counts:
        return not agree(new.counts, old.counts) and alike(outside_time(new), outside_time(old))
    if new.slot != old.slot:
        return False
    mine, theirs = outside_time(new), outside_time(old)
    if new.slot == "study" and {q.kind for q in (*new.counts, *old.counts)} == {"ordinal"}:
        return (mine <= theirs or theirs <= mine) and not agree(new.counts, old.counts)
    about_one = alike(mine, theirs) or (not new.slot and new.mood.changed and mine < theirs)
    how_often = {c for c in new.objects if c.kind == "period"}
    regular = (
        new.slot in {"employer", "commute"} and how_often == {c for c in old.objects if c.kind == "period"} != set()
    )
    if not (mine or regular or new.slot in {"budget", "pregnancy"}) or not about_one:
        return False
    if new.counts and old.counts:
        if {q.kind for q in new.counts} & {"clock", "date"} and not (new.mood.changed or is_event(new)):
            return False
        return {q.kind for q in new.counts} & {q.kind for q in old.counts} != set() and not agree(
            new.counts, old.counts
        )
    if new.slot == "possession" and new.counts and not old.counts:
        return bool(_A_SINGLE.search(old.text)) and any(q.kind == "n" and q.value > 1 for q in new.counts)
    if new.slot == "possession" and old.counts and not new.counts:
        return bool(re.search(r"\b(?:one|1|only)\b|[1一] ?[个只条]|只有", new.text))
    return False


def rescheduled(new: Claim, old: Claim) -> bool:
    """Return whether the same thing is now at another time or place: "the meeting is on Thursday now"."""
    if (
        new.negative
        or old.negative
        or new.slot != old.slot
        or new.slot not in {"", "mode", "hours", "habit", "possession", "os"}
        or new.mood.added
    ):
        return False
    if not (new.mood.changed or is_event(new)):
        return False
    mine, theirs = outside_time(new), outside_time(old)
    if is_event(new) and new.mood.changed and not alike(mine, theirs):
        events = {c.name for c in new.objects if c.kind == "event"} - {"end", "start"}
        if (
            events & old.names
            and all(c.kind in {"", "event"} for c in lasting(new))
            and all(c.kind in {"", "event", "workplace"} for c in lasting(old))
        ):
            mine = theirs = frozenset(events)
    if mine and alike(mine, theirs):
        when_new, when_old = ({c for c in claim.objects if c.kind in WHEN} for claim in (new, old))
        return bool(when_new and when_old and when_new != when_old) or (
            bool(new.counts and old.counts) and not agree(new.counts, old.counts)
        )
    if new.slot not in {"", "os"} or not new.mood.changed or not new.objects or not old.objects:
        return False
    if (
        _SPEAKER_FIRST.match(new.text)
        or new.objects[0] != old.objects[0]
        or new.objects[0].kind in {"do", "activity", *PERSONS, *WHEN}
    ):
        return False
    mine, theirs = new.names - old.names, old.names - new.names
    return (
        bool(mine and theirs)
        and not (new.counts and old.counts)
        and {c.name for c in new.objects[: len(new.names & old.names)]} <= old.names
    )
