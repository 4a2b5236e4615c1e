"""How much each kind of statement weighs, 1…10 (LT-01). Fixed, so that the same words always weigh the same."""

from __future__ import annotations

from typing import Final

LIFE_THREATENING: Final = 10
"""Anaphylaxis, an EpiPen, "it could kill me"."""

SAFETY: Final = 9
"""Allergies, illness, pregnancy, medicine, doctor's orders; topics never to raise."""

ASKED_FOR: Final = 8
"""At least this much for whatever the person asked to have remembered."""

LIMIT: Final = 7
"""Diets, budgets, hours, what is not allowed."""

IDENTITY: Final = 6
"""Name, form of address, home, work."""

PREFERENCE: Final = 5
FACT: Final = 5
"""Everything else that is lastingly true of the person."""

NOTE: Final = 4
"""Words that meet no rule; they are kept only when asked for, which lifts them to `ASKED_FOR`."""

PASSING: Final = 3
"""What happened once."""
