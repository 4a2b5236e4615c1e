"""Readings by rules, for tests that count work or kill processes and need no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.language.port import Meant, Span, Turn
from shared.models.extraction import Utterance
from shared.models.relations import Statement, resolve
from shared.models.rules import RuleExtractor

RELATION = {"same": "same", "replaces": "replaces", "disputes": "unclear", "new": "unrelated"}
_rules = RuleExtractor()


class CheapReadings:
    """See `Readings`."""

    def turn(self, text: str, before: Sequence[tuple[str, str]]) -> Turn:  # rules look at the turn alone
        types = {"preference", "constraint", "episodic", "task_outcome"}
        return Turn(
            tuple(
                Span(
                    one.quote_start,
                    one.quote_end,
                    1.0,
                    one.content_type if one.content_type in types else "fact",
                    float(one.taboo),
                    "self",
                    "lasting",
                )
                for one in _rules.extract([Utterance(role="user", text=text)])
            ),
            (),
        )

    def relations(self, later: str, earlier: Sequence[str]) -> list[Mapping[str, float]]:
        new = Statement(later, "fact")
        return [{**dict.fromkeys(RELATION.values(), 0.0), "narrows": 0.0, _related(new, one): 1.0} for one in earlier]

    def meant(self, description: str, said: Sequence[str]) -> list[Meant]:  # nobody asks
        return [Meant(0.0, 0.0, 0, 0) for _ in said]


def _related(new: Statement, old: str) -> str:
    return RELATION[resolve(new, [Statement(old, "fact")]).outcome]


def instead_of(kind: Any) -> None:
    """Let a class answer by rules from now on."""
    cheap = CheapReadings()
    kind.turn = lambda _, text, before: cheap.turn(text, before)
    kind.relations = lambda _, later, earlier: cheap.relations(later, earlier)
    kind.meant = lambda _, description, said: cheap.meant(description, said)
