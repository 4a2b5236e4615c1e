"""Whether a marriage or a diet as it is now can stand beside what is remembered of it."""

from __future__ import annotations

from typing import Final

from shared.models.relations.claims import Claim
from shared.models.relations.slots import INTIMATES

_FORBIDDEN_BY_DIET: Final = {
    "vegetarian": ({"meat", "seafood"}, {"meat", "seafood", "fish"}),
    "vegan": ({"meat", "seafood", "dairy", "eggs"}, {"meat", "seafood", "dairy", "honey"}),
    "pescatarian": ({"meat"}, {"meat"}),
}


_STATUS: Final = {
    "married": "married", "wife": "married", "husband": "married", "single": "single", "divorced": "divorced",
    "widowed": "widowed", "engaged": "engaged", "fiance": "engaged", "separated": "apart", "on a break": "apart",
    "couple": "couple", "girlfriend": "couple", "boyfriend": "couple", "partner": "couple", "break up": "over",
}  # fmt: skip


_ENDS_STATUS: Final = {
    "married": {"single", "couple", "engaged", "divorced", "widowed", "apart"},
    "single": {"couple", "engaged", "married"},
    "divorced": {"married", "apart"},
    "widowed": {"married"},
    "engaged": {"single", "couple", "divorced"},
    "couple": {"single", "over"},
    "over": {"couple", "engaged", "apart"},
    "apart": {"couple", "engaged", "married"},
}


def against_diet(new: Claim, old: Claim) -> bool:
    if new.slot == "intake" and old.slot == "diet":
        eaten, diet = new, old
    elif new.slot == "diet" and old.slot == "intake":
        eaten, diet = old, new
    else:
        return False
    if eaten.negative or diet.negative:
        return False
    for name in diet.names:
        kinds, names = _FORBIDDEN_BY_DIET.get(name, (set(), set()))
        if any(c.kind in kinds or c.name in names for c in eaten.objects):
            return True
    return False


def _status(claim: Claim) -> set[str]:
    """Return what the claim says a relationship is; who takes part says so only where nothing else does."""
    said = {_STATUS[name] for name in claim.names if name in _STATUS and name not in INTIMATES}
    return said or {_STATUS[name] for name in claim.names if name in _STATUS}


def status_changed(new: Claim, old: Claim) -> bool:
    if new.slot != "marriage" or old.slot != "marriage":
        return False
    was, now = _status(old), _status(new)
    gone = (old.mood.denied and not old.mood.ended) or (
        old.mood.ended and not was & {"over", "divorced", "apart", "widowed"}
    )
    denied = (new.mood.denied and not new.mood.ended) or (
        new.mood.ended and not now & {"over", "divorced", "apart", "widowed"}
    )
    partners_new = {c.name for c in new.objects if c.kind in {"", "name"}}
    partners_old = {c.name for c in old.objects if c.kind in {"", "name"}}
    if denied or gone:
        return denied != gone and bool(was & now) and not (denied and now - was)
    if now & {"over", "apart"} and partners_new and partners_old and not partners_new & partners_old:
        return False
    return bool(now) and not now & was and any(status in _ENDS_STATUS.get(one, ()) for one in now for status in was)


def only_apart(claim: Claim) -> bool:
    return claim.slot == "marriage" and _status(claim) == {"apart"}
