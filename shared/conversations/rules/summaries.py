"""When a conversation's summary is updated (MC-03)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySchedule:
    """The assistant receives the newest `window_messages` verbatim; older messages are summarised.

    A summary is updated at most once per `every_messages` recorded messages, and when a session ends.
    """

    window_messages: int = 20
    every_messages: int = 10

    def is_due(self, *, before: int, after: int) -> bool:
        """Return whether recording the messages after seq `before` through seq `after` makes an update due.

        Uses seqs only, not content; an update with nothing to add has no effect.
        """
        return after > self.window_messages and before // self.every_messages < after // self.every_messages


USUAL_SUMMARIES: Final = SummarySchedule()
