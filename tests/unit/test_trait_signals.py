"""What whole conversations show: hours over weeks, and only what the person wrote themselves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from shared.traits.observe import own_texts
from shared.traits.rules.signals import Conversation, signals

NIGHT = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)


def at_night(*days: float) -> list[str]:
    said = [Conversation(texts=["How so?"], times=[NIGHT + timedelta(days=day)]) for day in days]
    return signals(said, UTC)


def test_one_night_makes_nobody_active_late() -> None:
    assert at_night(0, 0.01, 0.02, 0.03, 0.04, 0.05) == []
    assert at_night(5, 6, 6.5, 7) == [], "a week with a deadline"
    assert at_night(0, 2, 7, 9) == ["works-late-at-night"]


def test_what_was_pasted_or_quoted_is_not_measured() -> None:
    log = "```\n" + "ERROR worker stopped unexpectedly, please restart it, thanks\n" * 40 + "```"
    said = [Conversation(texts=own_texts([f"Why?\n{log}", "Still."]), times=[NIGHT]) for _ in range(6)]
    assert signals(said, None) == ["writes-short-messages"]
    written = [Conversation(texts=own_texts(["thanks, one more question"]), times=[NIGHT]) for _ in range(6)]
    assert signals(written, None) == ["says-please-and-thanks"]
