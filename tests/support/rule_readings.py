"""Readings by rules, for tests that kill processes and need no model, or one that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from shared.language.port import Meant, Related, Span, Turn
from shared.models.extraction import Utterance
from shared.models.relations import Statement, resolve
from shared.models.rules import RuleExtractor

_RELATION: Final[Mapping[str, Related]] = {
    "same": "same",
    "replaces": "replaces",
    "disputes": "unclear",
    "new": "unrelated",
}
_EVERY: Final[tuple[Related, ...]] = ("same", "replaces", "narrows", "unclear", "unrelated")


class RuleReadings:
    """See `Readings`. Descriptions are understood elsewhere (`shared.models.descriptions`): it finds none."""

    def __init__(self) -> None:
        self._rules = RuleExtractor()

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:
        del before  # rules look at the turn alone
        found = self._rules.extract([Utterance(role="user", text=text)])
        return Turn(
            tuple(
                Span(
                    one.quote_start, one.quote_end, 1.0, one.content_type, float(one.taboo), "self", "lasting", one.text
                )
                for one in found
                if not one.explicit
            ),
            (),
            method="rules",
        )

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        new = Statement(later, "fact")
        told = [_RELATION[resolve(new, [Statement(one, "fact")]).outcome] for one in earlier]
        return [{name: float(name == one) for name in _EVERY} for one in told]

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:
        del description
        return [Meant(0.0, 0.0, 0, 0) for _ in said]
