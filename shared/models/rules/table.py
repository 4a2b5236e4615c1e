"""Named rules and the one compiled pattern that tries them in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.models.extraction import ContentType


@dataclass(frozen=True, slots=True)
class Rule:
    """How a clause must begin, and what it then is.

    `pattern` is written for `phrase`; its groups do not capture.
    `standing` rules hold only for what outlives the task at hand.
    """

    name: str
    pattern: str
    content_type: ContentType
    importance: int = 5
    taboo: bool = False
    standing: bool = False


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile `pattern`; in it " " stands for one to three white-space characters, " ?" for up to three.

    Case is ignored. The bounds keep runs of spaces from costing more than their length.
    """
    return re.compile(pattern.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}"), re.IGNORECASE)


class RuleTable:
    """Rules in order of precedence."""

    def __init__(self, rules: Sequence[Rule], *, task_scope: str) -> None:
        """Compile `rules` as one alternation, which keeps the cost of a clause that matches none small."""
        self._rules = {rule.name: rule for rule in rules}
        if len(self._rules) != len(rules):
            raise ValueError("rule names must differ")
        self._any = phrase("|".join(f"(?P<{rule.name}>{rule.pattern})" for rule in rules))
        self._task_scope = phrase(task_scope)

    def first_match(self, text: str, start: int, end: int) -> Rule | None:
        """Return the first rule that matches at `start`, or None, also when a standing rule met task wording."""
        found = self._any.match(text, start, end)
        if found is None or found.lastgroup is None:
            return None
        rule = self._rules[found.lastgroup]
        if rule.standing and self._task_scope.search(text, start, end):
            return None
        return rule
