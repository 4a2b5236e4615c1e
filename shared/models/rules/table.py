"""Named rules and the one compiled pattern that tries them in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from shared.models.extraction import ContentType
from shared.models.rules import importance as weights


@dataclass(frozen=True, slots=True)
class Rule:
    """How a clause must begin, and what it then is.

    `pattern` is written for `phrase`; its groups do not capture.
    `standing` rules hold only for what outlives the task at hand.
    `elliptic` rules also hold for a clause that leaves out the subject it shares with the one before.
    """

    name: str
    pattern: str
    content_type: ContentType
    importance: int = weights.FACT
    taboo: bool = False
    standing: bool = False
    elliptic: bool = False


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile `pattern`; in it " " stands for one to three white-space characters, " ?" for up to three.

    Case is ignored. The bounds keep runs of spaces from costing more than their length.
    """
    return re.compile(pattern.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}"), re.IGNORECASE)


def one_of(words: str) -> str:
    """Return a group that matches any of `words`, patterns with "|" between them on one line or several.

    Line ends with the space around them mean nothing, nor does space around a "|" outside brackets.
    """
    found, depth = [""], 0
    for character in re.sub(r"\s*\n\s*", "", words):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return "(?:" + "|".join(word.strip() for word in found if word.strip()) + ")"


class RuleTable:
    """Rules in order of precedence."""

    def __init__(self, rules: Sequence[Rule], *, task_scope: str) -> None:
        """Take `rules` as one alternation, which keeps the cost of a clause that matches none small."""
        self._rules = {rule.name: rule for rule in rules}
        if len(self._rules) != len(rules):
            raise ValueError("rule names must differ")
        self._task_scope_pattern = task_scope

    @cached_property
    def _any(self) -> re.Pattern[str]:
        """All rules. It takes up to a second to compile, which only a process that reads sentences should pay."""
        return phrase("|".join(f"(?P<{rule.name}>{rule.pattern})" for rule in self._rules.values()))

    @cached_property
    def _task_scope(self) -> re.Pattern[str]:
        return phrase(self._task_scope_pattern)

    def first_match(self, text: str, start: int, end: int, *, elliptic: bool = False) -> Rule | None:
        """Return the first rule that matches at `start`, or None, also when a standing rule met task wording.

        `elliptic` says that the subject was supplied from the clause before; only `elliptic` rules hold then.
        """
        found = self._any.match(text, start, end)
        if found is None or found.lastgroup is None:
            return None
        rule = self._rules[found.lastgroup]
        if elliptic and not rule.elliptic:
            return None
        if rule.standing and self.is_about_task(text, start, end):
            return None
        return rule

    def is_about_task(self, text: str, start: int, end: int) -> bool:
        """Tell whether the wording ties a statement to the task at hand."""
        return self._task_scope.search(text, start, end) is not None
