"""The English rules: safety first, then constraints, preferences and facts."""

from __future__ import annotations

from shared.models.rules.english.constraints import ABSTENTIONS, CONSTRAINTS
from shared.models.rules.english.effects import EFFECTS
from shared.models.rules.english.living import LIVING
from shared.models.rules.english.people import PEOPLE
from shared.models.rules.english.possessions import POSSESSIONS
from shared.models.rules.english.preferences import PREFERENCES, STYLE
from shared.models.rules.english.safety import SAFETY
from shared.models.rules.english.words import PASSING_STATE, TASK_SCOPE
from shared.models.rules.table import RuleTable

ENGLISH = RuleTable(
    (*SAFETY, *CONSTRAINTS, *ABSTENTIONS, *PREFERENCES, *PEOPLE, *POSSESSIONS, *EFFECTS, *LIVING),
    task_scope=rf"{TASK_SCOPE}|{PASSING_STATE}",
)
ENGLISH_STYLE = RuleTable(STYLE, task_scope=TASK_SCOPE)
"""Orders that count only where nothing ties them to one task."""
