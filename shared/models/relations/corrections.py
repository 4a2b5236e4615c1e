"""What a clause itself puts aside: "instead of the train", "a 43, not a 42"."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.concepts import concepts
from shared.models.relations.moods import Mood
from shared.models.relations.numerals import with_digits
from shared.models.relations.quantities import quantities

_INSTEAD: Final = (
    re.compile(r"\b(?:instead of|rather than|in place of|no longer|replacing|not) (?P<out>[^,.;]{1,60})"),
    re.compile(
        r"\b(?:traded(?: in)?|trading(?: in)?|swapp?(?:ed|ing)?|replac(?:ed|ing)|exchang(?:ed|ing)|ditched|dropped|switched from|moved from|changed from|went from|from|gave up|sold) (?:my |the |our )?(?P<out>[^,.;]{1,40}?) (?:for|with|to)\b"
    ),
    re.compile(r"\bmore (?:of )?(?:an? )?[\w -]{2,30}? than (?P<out>[^,.;]{1,40})"),
    re.compile(r"(?:把|将)(?P<out>[^,.;]{1,12}?)(?:换成|改成|换|改)"),
    re.compile(r"从(?P<out>[^,.;]{1,12}?)(?:换|改|搬|转|跳|调|升|到|变)"),
    re.compile(r"(?P<out>[\w\u4e00-\u9fff ]{1,14}?)(?:已经)?换成"),
    re.compile(r"(?:而不是|不是|代替|取代|不再是)(?P<out>[^,.;]{1,12})"),
)


_WRONG_NUMBER: Final = re.compile(
    r"\b(?:and )?(?:not|instead of|rather than|no longer|up from|down from)(?: an?| at| on| the)? [#£$€]?\d[\d.,:]*(?: ?[ap]m\b)?"
    r"|(?:而不是|不是|并非|不再是) ?\d[\d.:]*[点号楼岁块元斤个次]?"
)


_WRONG_NAME: Final = re.compile(
    r"(?<=\ue001),? (?:and )?not (?:the |my )?[\w'\ue000 -]{1,24}\ue001?$|(?<=\ue001),?(?:不是|而不是|不叫).{1,8}$"
)


def wrong_names(piece: str) -> frozenset[str]:
    wrong = _WRONG_NAME.search(piece)
    return (
        frozenset(re.findall(r"[a-z'-]{2,}|[\u4e00-\u9fff]{2,}", wrong[0])) - {"not", "the", "my"}
        if wrong
        else frozenset()
    )


def without_what_is_wrong(piece: str) -> str:
    """Return the clause without the number or name it puts aside for another: "a 43, not a 42"."""
    digits = with_digits(piece)
    right = _WRONG_NUMBER.sub(" ", digits)
    if right != digits and re.search(r"\d", right):
        return right
    return _WRONG_NAME.sub("", piece)


def put_aside(piece: str, feelings: Mood) -> frozenset[str]:
    """Return the concepts the clause names as what no longer holds: "instead of the train"."""
    aside: set[str] = set()
    for at, pattern in enumerate(_INSTEAD):
        for found in pattern.finditer(piece):
            if (
                at == 0
                and found[0].startswith(("not ", "no longer"))
                and (found.start() < len("not ") or feelings.denied is False)
            ):
                continue
            if found[0].startswith("not ") and not re.search(r"[a-z]+ .*", piece[: found.start()]):
                continue
            if found[0].startswith("not ") and re.search(
                r"\b(?:am|is|are|do|does|did|can|will|have|has|would|could|should|may|might|was|were)\s*$",
                piece[: found.start()],
            ):
                continue
            aside |= {
                c.name
                for c in concepts(quantities(found["out"])[0])
                if c.kind != "do" or c.name in {"smoke", "cycle", "drive", "rent"}
            }
    return frozenset(aside)
