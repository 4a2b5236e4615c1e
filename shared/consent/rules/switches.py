"""The switches with which a person controls memory (MC-06, CN-02)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from shared.kernel.events import SettingsChanged


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """A person's memory switches. OFF stops writing and recall but deletes nothing; ON resumes without backfilling.

    `injection_enabled` stops only recall for the assistant: messages are still learned from, and the live window
    stays (decision 7). With `privacy_mode_enabled` no sentence that identifies a person is learned, and feedback is
    reduced to its label (decision 26); conversations are not affected. Without `traits_enabled` no trait is inferred or
    used. `time_zone`, a name of the IANA database, says which hours of a message are late or early.
    """

    summary_enabled: bool = True
    episodic_enabled: bool = True
    longterm_enabled: bool = True
    injection_enabled: bool = True
    preference_learning_enabled: bool = True
    privacy_mode_enabled: bool = False
    preference_learning_threshold: int = 3
    traits_enabled: bool = True
    time_zone: str | None = None

    @property
    def gives_episodes(self) -> bool:
        """Whether the assistant receives episodes."""
        return self.injection_enabled and self.episodic_enabled

    @property
    def gives_summary(self) -> bool:
        """Whether the assistant receives the conversation summary."""
        return self.injection_enabled and self.summary_enabled

    @property
    def gives_memories(self) -> bool:
        """Whether the assistant receives long-term memories."""
        return self.injection_enabled and self.longterm_enabled

    @property
    def infers_traits(self) -> bool:
        """Whether traits may be inferred and used; both need long-term memory, and injection for them to be of use."""
        return self.traits_enabled and self.gives_memories

    def for_what_is_said(self, *, remember: bool) -> Switches:
        """Return the switches for new messages: with `remember` false nothing is derived from them (X-08)."""
        if remember:
            return self
        return replace(self, summary_enabled=False, episodic_enabled=False, longterm_enabled=False)


def chosen(current: Switches, wanted: dict[str, Any]) -> SettingsChanged:
    """Return the event of a first choice, even if it equals the defaults."""
    return SettingsChanged(**asdict(replace(current, **wanted)))


def change(current: Switches, wanted: dict[str, Any]) -> SettingsChanged | None:
    """Return the event of a change; None if it changes nothing."""
    return None if replace(current, **wanted) == current else chosen(current, wanted)


def apply(event: SettingsChanged) -> Switches:
    """Return the switches after `event`, which carries all of them."""
    return Switches(**asdict(event))
