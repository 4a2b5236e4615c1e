"""Few files, nothing asked twice, nothing shifts: what `make measure-web` times over a slow network."""

from __future__ import annotations

import pytest

from tests.browser.browsing import HEIGHTS
from tests.browser.conftest import PageAs
from tests.browser.loading import SHIFTS, load, slow_network
from tests.browser.people import Person
from tests.browser.states import PLACES, Visit, short_talk

ONE_AFTER_THE_OTHER_MILLISECONDS = 120
"""Long enough that answers come apart, as they do far from the server."""
QUICK_BYTES_PER_SECOND = 10_000_000
SHIFT_MAX = 0.1
SCRIPTS_MAX = 8
KILOBYTES_MAX = 230


@pytest.mark.parametrize("width", HEIGHTS)
def test_every_screen_is_a_few_files_asks_nothing_twice_and_does_not_shift(
    known: dict[str, Person], page_as: PageAs, width: int
) -> None:
    person = known["en"]
    page = page_as(person, width=width)
    page.add_init_script(SHIFTS)
    talk = short_talk(Visit(page, person))
    with slow_network(page, latency=ONE_AFTER_THE_OTHER_MILLISECONDS, rate=QUICK_BYTES_PER_SECOND):
        for place in PLACES:
            found = load(page, place, talk if place == "chat" else f"/{place}")
            print(f"\n{place} {width}: {found.scripts} scripts, {found.kilobytes:.0f} kB, {found.shift:.3f}", end="")
            assert found.shift <= SHIFT_MAX, (place, found.moved)
            assert found.repeated == [], place
            if place in {"chat", "memories"}:
                assert found.scripts <= SCRIPTS_MAX
                assert found.kilobytes <= KILOBYTES_MAX
