"""The English rules: safety first, then constraints, preferences and facts."""

from __future__ import annotations

from shared.models.rules.english.constraints import CONSTRAINTS, SAFETY
from shared.models.rules.english.facts import FACTS
from shared.models.rules.english.preferences import PREFERENCES
from shared.models.rules.english.words import TASK_SCOPE
from shared.models.rules.table import RuleTable

ENGLISH = RuleTable((*SAFETY, *CONSTRAINTS, *PREFERENCES, *FACTS), task_scope=TASK_SCOPE)
