"""`python -m tests.browser.loading`: how long a screen takes over a slow network, and how much it moves meanwhile.

Chromium waits 400 ms for every answer and gets 50 KB/s, with an empty cache: about a phone at the edge of its network.
For every screen, wide and narrow, it prints when the content is there and when it can be used, how many scripts and
bytes that took, and how far the layout shifted until everything was still (CLS; 0.1 and less is good).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from playwright.sync_api import Browser, Page

from tests.browser.browsing import HEIGHTS, Look, NoChromium, chromium, settled, sign_in, someone_looks
from tests.browser.people import Person, someone
from tests.browser.states import PLACES, WIDE, Visit, short_talk
from tests.browser.words import words_in
from tests.e2e.conftest import running_installation

ROUND_TRIP_MILLISECONDS: Final = 400
BYTES_PER_SECOND: Final = 50_000
STILL_MILLISECONDS: Final = 1_500

SHIFTS: Final = """
  window.shifts = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push({
      at: entry.startTime, value: entry.value,
      moved: entry.sources.map(({node}) => String(node?.outerHTML ?? node?.textContent).slice(0, 120)),
    });
  }).observe({type: 'layout-shift', buffered: true});
"""
"""Run before a page's own scripts."""

WORST_WINDOW: Final = """() => {
  let worst = 0, sum = 0, began = -Infinity, last = -Infinity;
  for (const {at, value} of window.shifts) {
    if (at - last > 1000 || at - began > 5000) { sum = 0; began = at; }
    sum += value; last = at; worst = Math.max(worst, sum);
  }
  return worst;
}"""
"""Cumulative layout shift as web.dev defines it: the worst session window."""

SHOWN: Final = "wanted => document.querySelector(wanted)?.checkVisibility() && performance.now()"
"""When what a person came for was first there, in milliseconds; looked at in each frame."""

FETCHED_BEFORE: Final = """shown => {
  const fetched = ['navigation', 'resource'].flatMap(kind => performance.getEntriesByType(kind));
  const needed = fetched.filter(one => one.startTime < shown);
  const scripts = needed.filter(one => one.name.endsWith('.js'));
  return [scripts.length, needed.reduce((sum, one) => sum + one.transferSize, 0)];
}"""
"""Scripts, and bytes of everything: what was asked for later, once the page is idle, held up nothing."""

CONTENT: Final = {
    "chat": "main ol > li",
    "conversation": "main section",
    "memories": "main article",
    "sees": "main section, main form",
    "data": "main form, main section",
    "settings": "main [class*=Switch]",
}
"""What a person came for, by place."""


@dataclass(kw_only=True)
class Loaded:
    """What one load of a place took."""

    seconds: float
    """Until what the person came for is there."""
    usable: float
    """Until the app is, and with it the way to anything else."""
    scripts: int
    kilobytes: float
    """Until then; what is fetched afterwards, while the page is idle, is not counted."""
    shift: float
    repeated: list[str] = field(default_factory=list)
    """What was asked more than once."""
    moved: list[Any] = field(default_factory=list)


@contextmanager
def slow_network(page: Page, *, latency: int = ROUND_TRIP_MILLISECONDS, rate: int = BYTES_PER_SECOND) -> Iterator[None]:
    """Let every answer take its time, and come slowly; nothing is cached."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": latency, "downloadThroughput": rate, "uploadThroughput": rate},
    )
    try:
        yield
    finally:
        session.detach()


def load(page: Page, place: str, path: str) -> Loaded:
    """Open a place, wait until its content is there and then until nothing moves any more.

    `SHIFTS` must run in the page.
    """
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url} {request.post_data or ''}"))
    page.goto("about:blank")
    asked.clear()
    page.goto(path, wait_until="commit")
    shown = float(page.wait_for_function(SHOWN, arg=CONTENT[place]).json_value())
    page.get_by_role("navigation").first.wait_for()
    page.locator(CONTENT[place]).first.wait_for()
    usable = page.evaluate("performance.now()") / 1000
    settled(page)
    page.wait_for_timeout(STILL_MILLISECONDS)
    scripts, received = page.evaluate(FETCHED_BEFORE, shown)
    return Loaded(
        seconds=shown / 1000,
        usable=usable,
        scripts=scripts,
        kilobytes=received / 1000,
        shift=page.evaluate(WORST_WINDOW),
        repeated=sorted({one for one in asked if asked.count(one) > 1}),
        moved=page.evaluate("window.shifts"),
    )


def main() -> int:
    """Print the figures; returns 1 where there is no browser."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--place", choices=PLACES, help="only this one")
    options.add_argument("--moved", action="store_true", help="also print what moved, and what was asked twice")
    chosen = options.parse_args()
    places = [chosen.place] if chosen.place else PLACES
    try:
        with running_installation() as stack, chromium() as browser, someone(stack, "en", name="Ada") as person:
            person.fill()
            speed = f"{ROUND_TRIP_MILLISECONDS} ms, {BYTES_PER_SECOND // 1000} KB/s"
            print(f"{speed}  content    usable  scripts      KB    CLS")
            for width in HEIGHTS:
                for place in places:
                    _print(browser, stack.url, person, place, width, verbose=chosen.moved)
    except NoChromium as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


def _print(browser: Browser, url: str, person: Person, place: str, width: int, *, verbose: bool) -> None:
    look = Look(language="en", width=width)
    with someone_looks(browser, url, look) as window:
        page = window.new_page()
        sign_in(page, person.token, words_in("en"))
        page.add_init_script(SHIFTS)
        path = short_talk(Visit(page, person)) if place == "chat" else f"/{place}"
        with slow_network(page):
            found = load(page, place, path)
    look_name = "wide" if width > WIDE else "narrow"
    print(
        f"{look_name:7}{place:13}{found.seconds:6.2f} s{found.usable:7.2f} s{found.scripts:9}{found.kilobytes:8.0f}"
        f"{found.shift:7.3f}",
        flush=True,
    )
    if verbose:
        for one in found.moved:
            print(f"    {one['at']:.0f} ms {one['value']:.3f} {one['moved']}")
        for request in found.repeated:
            print(f"    twice: {request}")


if __name__ == "__main__":
    sys.exit(main())
