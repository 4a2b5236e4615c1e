"""Whether two claims can both hold, or the newer takes the other's place."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from shared.models.relations.claims import Claim
from shared.models.relations.events import EVENTS
from shared.models.relations.likeness import (
    PASSING_DETAIL,
    agree,
    alike,
    at_the_same_time,
    covers,
    covers_any,
    lasting,
    one_family,
)
from shared.models.relations.slots import STYLE
from shared.models.relations.standings import against_diet, only_apart, status_changed
from shared.models.relations.subjects import ME, SOMEBODY
from shared.models.relations.values import (
    other_count,
    other_value,
    rescheduled,
    rides_otherwise,
    stays_elsewhere,
)

Clash: TypeAlias = Literal["replaces", "disputes"]


_GIVEN_AWAY: Final = re.compile(r"\b(?:lost|sold|gave away|given away|donated|returned|broke)\b|卖|丢|送人")
"""A thing that is gone: the liking for such things may well remain."""


_LIKING: Final = frozenset({"like", "hate", "prefer", "eat", "drink", "watch", "read", "play"})
"""What ends without any of these may be liked as before."""


_AND: Final = re.compile(r"\b(?:and|both|or|nor)\b|[和跟与]|都")


def clash(new: Claim, old: Claim) -> Clash | None:
    """Return whether `new` takes the place of `old`, or casts doubt on it; None when both can stand."""
    new = _recognised(new, old)
    if new.mood.unreal or old.mood.unreal or (old.mood.tentative and not new.mood.ended) or not _same_person(new, old):
        return None
    if old.mood.past:
        return None
    if new.mood.past:
        return "replaces" if _is_over_now(new, old) else None
    if not _opposed(new, old):
        return None
    doubtful = (
        new.mood.tentative
        or new.mood.passing
        or (new.mood.partial and new.slot in {"intake", "taste", "habit", "diet", ""})
    )
    if doubtful or only_apart(new) or _crosses(new, old):
        return "disputes"
    return "replaces"


def _recognised(new: Claim, old: Claim) -> Claim:
    """Return `new` with what `old` teaches about its words: names in it, and the animal it is about."""
    named = tuple(
        c
        for c in old.objects
        if old.slot == "named" and c.kind == "name" and c.name in new.text and c.name not in new.names
    )
    animal = tuple(c for c in old.objects if c.kind == "animal" and c.name == new.subject)
    if not named and not animal:
        return new
    rest = tuple(c for c in new.objects if c.kind or not any(c.name in name.name for name in named))
    return replace(new, objects=(*animal, *rest, *named))


_USED_TO: Final = re.compile(r"\bused to\b|以前|曾经|原来|从前|之前")


def _is_over_now(new: Claim, old: Claim) -> bool:
    """Return whether what was so once ("I used to …") is what `old` says is still so."""
    if old.negative or new.negative or new.slot != old.slot or not (new.mood.ended or _USED_TO.search(new.text)):
        return False
    once = lasting(new)
    return bool(once) and not new.counts and all(covers_any(c, old.objects) for c in once)


def _crosses(new: Claim, old: Claim) -> bool:
    """Return whether giving something up meets a liking for it: the liking may well remain."""
    return {new.slot, old.slot} == {"taste", "intake"} and old.slot == "taste" and not old.negative


def _same_person(new: Claim, old: Claim) -> bool:
    if new.subject == old.subject:
        return True
    if new.subject.startswith("?"):
        if old.subject not in {ME, SOMEBODY} and new.subject[1:] in old.said:
            return True
        return new.negative and new.subject[1:] in old.names
    if old.subject == ME and new.subject in {"baby", "son", "daughter", "second child", "twin", "child"}:
        return any(event.subjects and event.pattern.search(new.text) for event in EVENTS)
    return (
        old.subject == ME
        and old.slot == "household"
        and new.subject in old.names
        and (new.mood.ended or _DIED.search(new.text) is not None)
    ) or (
        old.subject == ME
        and new.mood.ended
        and new.subject in old.names
        and old.slot in {"named", "possession"}
        and any(c.kind in {"animal", ""} for c in old.objects)
    )


def _opposed(new: Claim, old: Claim) -> bool:
    return (
        _happened(new, old)
        or _put_aside(new, old)
        or _denied(new, old)
        or _affirmed(new, old)
        or against_diet(new, old)
        or status_changed(new, old)
        or other_value(new, old)
        or other_count(new, old)
        or _reranked(new, old)
        or rescheduled(new, old)
        or stays_elsewhere(new, old)
        or rides_otherwise(new, old)
    )


_DIED: Final = re.compile(
    r"\b(?:died|passed away|passed on|is dead|put to sleep)\b|去世|过世|死了|离世|走了(?=$|,)|不在了"
)


_HISTORY: Final = re.compile(
    r"^(?:my|our) [\w' ]{2,20}? (?:taught|gave|met|bought|made|took me|told|raised|left me|died|went|came|grew up|served|won|wrote|built|said|was|were|used to)\b|教过|给过|以前|曾"
)
"""What somebody once did stays done when they are no more."""


def _happened(new: Claim, old: Claim) -> bool:
    """Return whether something happened that ends what `old` says."""
    named = new.subject.startswith("?") and new.subject[1:] in old.names
    lived_along = old.slot == "household" and new.subject in old.names
    if (new.subject == old.subject != ME or named or lived_along) and _DIED.search(new.text):
        return not old.negative and not _HISTORY.search(old.text)
    if new.mood.denied and not new.mood.ended:
        return False
    for event in EVENTS:
        if not event.pattern.search(new.text) or new.subject not in {ME, old.subject, *event.subjects}:
            continue
        if event.shared and not new.names & old.names:
            continue
        if old.negative:
            if old.names & event.denials:
                return True
        elif (
            old.slot in event.slots
            and "graduate" not in old.said
            and not (new.slot == old.slot and alike(new.names, old.names))
        ) or (old.names & event.concepts):
            return True
    return False


def _put_aside(new: Claim, old: Claim) -> bool:
    if old.negative or not new.instead_of & old.names:
        return False
    return new.slot in {"", old.slot} or bool(new.names & old.names) or one_family(new, old)


def _denied(new: Claim, old: Claim) -> bool:
    """Return whether `new` denies what `old` holds, or says that it is over."""
    if not new.negative or old.negative or not one_family(new, old):
        return False
    if old.slot in {"taste", "ranking", "intake"} and _GIVEN_AWAY.search(new.text):
        return False
    if old.slot in {"taste", "ranking"} and new.mood.ended and new.slot != old.slot and not new.said & _LIKING:
        return False
    gone = [c for c in lasting(new) if c.name not in {"drop out", "graduate"}]
    if not gone:
        return new.slot == old.slot and (
            new.slot == "pregnancy" or (new.mood.ended and new.slot not in {"", "possession", "style:form"})
        )
    if not at_the_same_time(new, old):
        return False
    shared = [c for c in gone if covers_any(c, old.objects)]
    if not shared:
        return False
    if not new.mood.ended and new.counts and not agree(new.counts, old.counts):
        return False
    extra = [c for c in gone if c not in shared]
    kinds = {c.kind for c in shared}
    if kinds == {"style"} and old.slot == "style:form":
        return True
    if new.mood.ended:
        return bool(_AND.search(new.text)) or all(c.kind in {"", "place", "do", "deed", *kinds} for c in extra)
    return not extra


def _affirmed(new: Claim, old: Claim) -> bool:
    """Return whether `new` holds what `old` denies."""
    if (
        new.negative
        or not old.negative
        or not one_family(new, old)
        or (new.slot == "learning" != old.slot)
        or new.slot.startswith(STYLE) != old.slot.startswith(STYLE)
    ):
        return False
    denied = lasting(old)
    if not denied and new.slot == old.slot in {"allergy", "intolerance"}:
        return bool(new.objects)
    if not denied or not at_the_same_time(old, new):
        return False
    if {new.slot, old.slot} == {"taste", "intake"} and not (new.mood.changed or new.mood.returned):
        return False
    if old.counts and not agree(old.counts, new.counts):
        return False
    return all(covers_any(c, new.objects) for c in denied) and _no_narrowing(new, old)


def _no_narrowing(new: Claim, old: Claim) -> bool:
    """Return whether what `new` adds leaves it about the same thing: "decaf coffee" is not what "no coffee" denies."""
    extra = [c for c in lasting(new) if not any(covers(d, c) for d in lasting(old))]
    return all(
        c.kind in {"do", "deed", "place", "name", "relative", "animal"}
        or c.name in PASSING_DETAIL
        or (c.kind == "" and not (c.name.isascii() and new.slot in {"taste", "intake"}))
        for c in extra
    )


def _reranked(new: Claim, old: Claim) -> bool:
    if old.ranking and not old.negative and new.slot == "taste" and "prefer" in new.said and not new.negative:
        return new.mood.changed and old.ranking[1] in new.names and old.ranking[0] not in new.names
    return (
        new.ranking is not None
        and old.ranking is not None
        and new.negative == old.negative
        and new.ranking == (old.ranking[1], old.ranking[0])
    )
