"""Readings without a model, for runs that kill processes: whoever says "I …" says something worth remembering."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from shared.language.port import Habit, Meant, Related, Span, Turn

_STATEMENT: Final = re.compile(r"(?:I|I'm|My)\b[^.?!。\n]{0,200}[.。]|我[^.?!。\n]{0,200}。")
_ONE_HOME: Final = re.compile(r"I live in|我住在")
_DANGER: Final = re.compile(r"allergic|过敏")
_EVERY: Final[tuple[Related, ...]] = ("same", "replaces", "narrows", "unclear", "unrelated")


class PlainReadings:
    """See `Readings`. A new home replaces the old one; nothing is ever meant by a description."""

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        del before
        return Turn(
            tuple(
                Span(*one.span(), 1.0, "fact", float(bool(_DANGER.search(one.group()))), "self", "lasting")
                for one in _STATEMENT.finditer(text)
            ),
            (),
        )

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        told = [_relation(later, one) for one in earlier]
        return [{name: float(name == one) for name in _EVERY} for one in told]

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:
        del description
        return [Meant(0.0, 0.0, 0, 0) for _ in said]

    def habits(self, text: str) -> list[Habit]:
        """Take whoever states something for somebody who plans ahead."""
        return [Habit("plans-ahead", 1.0, "told", "general")] if _STATEMENT.search(text) else []


def _relation(later: str, earlier: str) -> Related:
    if later == earlier:
        return "same"
    homes = _ONE_HOME.match(later), _ONE_HOME.match(earlier)
    return "replaces" if homes[0] and homes[1] else "unrelated"
