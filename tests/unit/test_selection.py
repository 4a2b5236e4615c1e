"""Which memories may say what was cut out of a message (X-06)."""

from __future__ import annotations

from shared.erasure.rules.selection import may_say
from tests.support.tables import each

TRIP = "Let's plan the canary trip. I prefer window seats."


@each(
    ("text", "method", "goes"),
    [
        ("I prefer window seats.", "rules", False),
        ("canary trip: I prefer window seats.", "rules", True),
        ("I always take the window.", "person", False),
        ("I take the window.", "model:any", True),
        (None, "rules", True),
    ],
)
def test_a_memory_goes_if_it_may_say_what_was_cut(text: str | None, method: str, goes: bool) -> None:
    quote, cut_off = (TRIP.index("I prefer"), len(TRIP)), (0, TRIP.index("I prefer"))
    assert may_say(text, TRIP, quote, [cut_off], method=method) == goes
