"""What a person lets the system do (MC-06, CN-02)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from shared.domain.events import SettingsChanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """OFF stops writing and recall and deletes nothing; ON resumes and never backfills."""

    summary_enabled: bool = True
    episodic_enabled: bool = True
    longterm_enabled: bool = True
    injection_enabled: bool = True
    preference_learning_enabled: bool = True
    privacy_mode_enabled: bool = False
    preference_learning_threshold: int = 3


def chosen(current: Switches, wanted: dict[str, Any]) -> SettingsChanged:
    """Record a first choice, even of what holds by default."""
    return SettingsChanged(**asdict(replace(current, **wanted)))


def change(current: Switches, wanted: dict[str, Any]) -> SettingsChanged | None:
    """Decide what a change of some switches means; None when it changes nothing."""
    return None if replace(current, **wanted) == current else chosen(current, wanted)


def apply(event: SettingsChanged) -> Switches:
    """Return the switches after `event`: it carries all of them."""
    return Switches(**asdict(event))
