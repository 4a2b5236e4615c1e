"""The Chinese rules: safety first, then constraints, preferences and facts.

They are written in simplified characters; `folding` maps the traditional ones they use.
"""

from __future__ import annotations

from shared.models.rules.chinese.body import BODY
from shared.models.rules.chinese.constraints import CONSTRAINTS, SAFETY
from shared.models.rules.chinese.household import HOUSEHOLD
from shared.models.rules.chinese.living import LIVING, NOTES, PLAIN
from shared.models.rules.chinese.people import PEOPLE
from shared.models.rules.chinese.preferences import PREFERENCES, STYLE
from shared.models.rules.chinese.words import PASSING_STATE, TASK_SCOPE
from shared.models.rules.table import RuleTable

CHINESE = RuleTable(
    (*SAFETY, *BODY, *CONSTRAINTS, *PREFERENCES, *PEOPLE, *LIVING, *HOUSEHOLD, *NOTES, *PLAIN),
    task_scope=rf"{TASK_SCOPE}|{PASSING_STATE}",
)
CHINESE_STYLE = RuleTable(STYLE, task_scope=TASK_SCOPE)
"""Orders that count only where nothing ties them to one task."""
