"""What an import does with each record of a package (X-09)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

Fate: TypeAlias = Literal["new", "present", "erased", "switched_off", "withheld"]
"""`new`: create. `present`: already present and left unchanged. `erased`: it or its source was forgotten here.
`switched_off`: the person switched this kind off. `withheld`: it contains sensitive content.
"""
Reason: TypeAlias = Literal["forgotten", "expired", "restored"]
"""Why a package is not imported."""

FATES: Final[tuple[Fate, ...]] = ("new", "present", "erased", "switched_off", "withheld")

OPERATION_TYPE: Final = "import"
STEP: Final = "apply"
METHOD: Final = "import"
"""Method of a memory whose package names none."""

AT_ONCE: Final = 3
"""Maximum number of waiting or incoming packages per person."""

SWITCH_OF: Final = {
    "summary": "summary_enabled",
    "episode": "episodic_enabled",
    "memory": "longterm_enabled",
    "document": "longterm_enabled",
    "preference_signal": "preference_learning_enabled",
    "reflection": "traits_enabled",
    "observation": "traits_enabled",
    "trait": "traits_enabled",
}
"""Kind of record → the switch that must be on."""
