"""The Chinese rules: safety first, then constraints, preferences and facts.

They are written in simplified characters; `folding` maps the traditional ones they use.
"""

from __future__ import annotations

from shared.models.rules.chinese.constraints import CONSTRAINTS, SAFETY
from shared.models.rules.chinese.facts import FACTS
from shared.models.rules.chinese.preferences import PREFERENCES
from shared.models.rules.chinese.words import TASK_SCOPE
from shared.models.rules.table import RuleTable

CHINESE = RuleTable((*SAFETY, *CONSTRAINTS, *PREFERENCES, *FACTS), task_scope=TASK_SCOPE)
