"""Which of two things somebody prefers."""

from __future__ import annotations

import re
from typing import Final

from shared.models.relations.concepts import concepts
from shared.models.relations.slots import EMPTY_PREDICATES, WHEN

_COMPARING: Final = EMPTY_PREDICATES | {
    "like",
    "prefer",
    "hate",
    "eat",
    "drink",
    "go",
    "only",
    "visit",
    "live",
    "something",
}
_BETTER_FIRST: Final = re.compile(
    r"(?P<better>.+?)(?:\b(?:to|over|than|rather than|compared (?:to|with))\b|多过|胜过|超过|多于|大于|而不是)(?P<worse>.+)"
)
_WORSE_FIRST: Final = (
    re.compile(
        r"^.{0,4}?(?:比起|相比|与其|[跟和与])(?P<worse>.{1,14}?)(?:相比|来说|比|[, ]|我|还是|更|不如)(?P<better>.+)"
    ),
    re.compile(r"^(?:compared (?:to|with)|rather than|instead of) (?P<worse>[\w ]{1,30}?) (?:i|we)\b(?P<better>.+)"),
)
_COMPARES: Final = re.compile(
    r"\b(?:prefer\w*|rather|more|better|choose|pick)\b.+\b(?:to|over|than)\b|\bover\b|比起|多过|胜过|超过|多于|相比|与其|而不是|不如|大于|^[跟和与].{1,10}比"
)
_A_BETTER_B: Final = re.compile(r"(?P<better>.{1,10}?)比(?P<worse>.{1,10}?)(?:更|好|强|香)")


def ranking(clause: str) -> tuple[str, str] | None:
    """Return the better and the worse of two things the folded clause compares, named by their concepts."""
    if not _COMPARES.search(clause) and not _A_BETTER_B.search(clause):
        return None
    for pattern in (*_WORSE_FIRST, _A_BETTER_B, _BETTER_FIRST):
        found = pattern.search(clause)
        if found:
            better, worse = (
                "+".join(
                    sorted(c.name for c in concepts(found[side]) if c.kind not in WHEN and c.name not in _COMPARING)
                )
                for side in ("better", "worse")
            )
            if better and worse:
                return better, worse
    return None
