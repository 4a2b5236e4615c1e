"""What a person lets the system do (MC-06, CN-02)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from shared.kernel.events import SettingsChanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """OFF stops writing and recall and deletes nothing; ON resumes and never backfills.

    `injection_enabled` stops recall for the assistant and nothing else: what is said is still learned from, and the
    live window stays (decision 7). With `privacy_mode_enabled` no sentence that identifies anybody is learned, and
    feedback teaches by its label alone (decision 26); conversations stay as they are.
    """

    summary_enabled: bool = True
    episodic_enabled: bool = True
    longterm_enabled: bool = True
    injection_enabled: bool = True
    preference_learning_enabled: bool = True
    privacy_mode_enabled: bool = False
    preference_learning_threshold: int = 3

    @property
    def gives_episodes(self) -> bool:
        """Whether an assistant is given episodes."""
        return self.injection_enabled and self.episodic_enabled

    @property
    def gives_summary(self) -> bool:
        """Whether an assistant is given a conversation's summary."""
        return self.injection_enabled and self.summary_enabled

    @property
    def gives_memories(self) -> bool:
        """Whether an assistant is given long-term memories."""
        return self.injection_enabled and self.longterm_enabled

    def for_what_is_said(self, *, remember: bool) -> Switches:
        """Return the switches for messages that are to be remembered, or not: of those nothing is made (X-08)."""
        if remember:
            return self
        return replace(self, summary_enabled=False, episodic_enabled=False, longterm_enabled=False)


def chosen(current: Switches, wanted: dict[str, Any]) -> SettingsChanged:
    """Record a first choice, even of what holds by default."""
    return SettingsChanged(**asdict(replace(current, **wanted)))


def change(current: Switches, wanted: dict[str, Any]) -> SettingsChanged | None:
    """Decide what a change of some switches means; None when it changes nothing."""
    return None if replace(current, **wanted) == current else chosen(current, wanted)


def apply(event: SettingsChanged) -> Switches:
    """Return the switches after `event`: it carries all of them."""
    return Switches(**asdict(event))
