"""What a person brings back: what becomes of each thing of a package (X-09)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Fate: TypeAlias = Literal["new", "present", "erased", "switched_off", "withheld"]
"""`new`: it comes. `present`: it is here already, and is left as it is. `erased`: it was forgotten here, or what it was
made from was. `switched_off`: its person turned that kind off. `withheld`: it holds something sensitive."""
Reason: TypeAlias = Literal["forgotten", "expired", "restored"]
"""Why a package is not imported."""

FATES: Final[tuple[Fate, ...]] = ("new", "present", "erased", "switched_off", "withheld")

OPERATION_TYPE: Final = "import"
STEP: Final = "apply"
METHOD: Final = "import"
"""How a unit came to be of which its package does not say it."""

AT_ONCE: Final = 3
"""So many packages of one person wait or are on their way at once."""

SWITCH_OF: Final = {
    "summary": "summary_enabled",
    "episode": "episodic_enabled",
    "memory": "longterm_enabled",
    "preference_signal": "preference_learning_enabled",
}
"""Kind of record → the switch that must not be off."""
