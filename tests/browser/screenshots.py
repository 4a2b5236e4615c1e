"""`python -m tests.browser.screenshots`: a picture of every screen and state, as people of both languages see them.

It starts an installation of its own, fills it with the sample, and writes `build/screenshots/<state>-<look>.png`.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path

from playwright.sync_api import Browser, Error

from tests.browser.browsing import HEIGHTS, Look, NoChromium, chromium, go, sign_in, someone_looks
from tests.browser.impressions import impress
from tests.browser.people import Person, someone
from tests.browser.states import STATES, Visit
from tests.browser.words import words_in
from tests.e2e.conftest import Stack, running_installation

FOLDER = Path(__file__).parents[2] / "build/screenshots"
NAMES = {"en": "Ada", "zh": "陈静"}
WIDE_ENOUGH = 700


def main() -> int:
    """Take the pictures; returns 1 when a state could not be reached."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--into", type=Path, default=FOLDER, help="where the pictures go")
    options.add_argument("--only", default="", help="only states whose name contains this")
    options.add_argument("--language", choices=NAMES, help="only this language")
    chosen = options.parse_args()
    chosen.into.mkdir(parents=True, exist_ok=True)
    languages = [chosen.language] if chosen.language else list(NAMES)
    try:
        with running_installation() as stack, chromium() as browser:
            missed = sum(_of_language(browser, stack, one, into=chosen.into, only=chosen.only) for one in languages)
    except NoChromium as missing:
        print(missing, file=sys.stderr)
        return 1
    print(f"{len(list(chosen.into.glob('*.png')))} pictures in {chosen.into}")
    return 1 if missed else 0


def _of_language(browser: Browser, stack: Stack, language: str, *, into: Path, only: str) -> int:
    """Take the pictures of one language; returns how many states could not be reached."""
    with someone(stack, language, name=NAMES[language]) as person:
        person.fill()
        person.forget_memory(person.sample.forgotten)
        impress(stack, person)
        person.post("/users/me/profile-consent", {"save_to_profile": True, "research_depth": "deep"})
        looks = [
            Look(language=language, width=width, dark=dark) for width, dark in itertools.product(HEIGHTS, (False, True))
        ]
        return sum(_of_look(browser, stack, person, look, into=into, only=only) for look in looks)


def _of_look(browser: Browser, stack: Stack, person: Person, look: Look, *, into: Path, only: str) -> int:
    missed: list[str] = []
    wanted = [one for one in STATES if only in one.name and (look.width < WIDE_ENOUGH or not one.narrow_only)]
    with someone_looks(browser, stack.url, look, calm=True) as window:
        page = window.new_page()
        if only in "sign-in":
            go(page, "/")
            page.screenshot(path=into / f"sign-in-{look.name}.png")
        sign_in(page, person.token, words_in(look.language))
        for state in wanted:
            try:
                state.show(Visit(page, person))
            except (AssertionError, Error) as failure:
                missed.append(state.name)
                print(f"{state.name} {look.name}: {str(failure).splitlines()[0]}", file=sys.stderr)
            page.screenshot(path=into / f"{state.name}-{look.name}.png")
    print(f"{look.name}: {len(wanted) - len(missed)} states", flush=True)
    return len(missed)


if __name__ == "__main__":
    sys.exit(main())
