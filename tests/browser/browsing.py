"""A real Chromium that somebody looks at the app with."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Route, expect, sync_playwright

from tests.browser.words import Words, words_in

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-maglev --no-turbofan",  # pages here do not live long enough for their scripts to be optimized
)
HEIGHTS = {1280: 800, 320: 720}
PATIENCE_MILLISECONDS = 45_000


@dataclass(frozen=True, kw_only=True)
class Look:
    """How somebody looks at it."""

    language: str = "en"
    width: int = 1280
    dark: bool = False

    @property
    def words(self) -> Words:
        return words_in(self.language)

    @property
    def name(self) -> str:
        return f"{self.language}-{'wide' if self.width > 700 else 'narrow'}-{'dark' if self.dark else 'light'}"


class NoChromium(Exception):
    """Nothing here can show a page."""


def _program(playwright: Playwright) -> str:
    """Return where Chromium is: $CHROMIUM, the system's, or Playwright's own."""
    named = os.environ.get("CHROMIUM")
    found = next(filter(None, map(shutil.which, [named] if named else PROGRAMS)), None)
    own = Path(playwright.chromium.executable_path)
    if found is None and not named and own.exists():
        found = str(own)
    if found is None:
        raise NoChromium(
            f"no {named or 'Chromium'} here: install your system's `chromium`, run "
            "`.venv/bin/playwright install chromium`, or name one with CHROMIUM=/path/to/chromium"
        )
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser.

    Raises:
        NoChromium: says what to install.
    """
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_program(playwright), args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


def someone_looks(
    browser: Browser, url: str, look: Look, *, measures: bool = False, calm: bool = False
) -> BrowserContext:
    """Open a browser window for one person.

    Args:
        measures: scripts of the test may run in its pages, as the accessibility checks need; the page's policy is off.
        calm: who looks has asked for less motion.
    """
    context = browser.new_context(
        base_url=url,
        viewport={"width": look.width, "height": HEIGHTS[look.width]},
        locale=look.words.locale,
        color_scheme="dark" if look.dark else "light",
        reduced_motion="reduce" if calm else "no-preference",
        bypass_csp=measures,
    )
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    return context


def sign_in(page: Page, token: str, words: Words) -> None:
    """Open the link that `memory-center sign-in` prints, and wait until somebody is signed in."""
    page.goto(f"/#token={quote(token)}")
    page.get_by_role("navigation", name=words("navigation")).wait_for()


def go(page: Page, path: str) -> None:
    """Open a place, and wait until its title stands there and nothing is loading any more."""
    page.goto(path)
    settled(page)


def settled(page: Page) -> None:
    """Wait until nothing on the page waits."""
    page.locator("h1").first.wait_for()
    expect(page.locator("main [class*=Skeleton]")).to_have_count(0)


def narrow_scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


@contextmanager
def unanswered(page: Page, asked: re.Pattern[str]) -> Iterator[None]:
    """Let what a page asks for wait, as for a server that takes its time, and be refused in the end."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(asked, hold)
    try:
        yield
    finally:
        for route in held:
            route.abort()
        page.unroute(asked, hold)
