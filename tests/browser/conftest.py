"""A running installation, people in it, and a browser to look at it with."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.browsing import Look, NoChromium, chromium, sign_in, someone_looks
from tests.browser.impressions import impress
from tests.browser.people import Person, someone
from tests.e2e.conftest import Stack

LANGUAGES = ("en", "zh")
FAILED = pytest.StashKey[list[str]]()
FAILURES = Path(__file__).parents[2] / "build/browser"
PageAs = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        with chromium() as running:
            yield running
    except NoChromium as missing:
        pytest.fail(str(missing), pytrace=False)


class Known(dict[str, Person]):
    """For each language a person of whom much is remembered, made when somebody asks for them first."""

    def __init__(self, stack: Stack, people: ExitStack) -> None:
        super().__init__()
        self._stack, self._people = stack, people

    def __missing__(self, language: str) -> Person:
        person = self._people.enter_context(someone(self._stack, language))
        person.fill()
        person.forget_memory(person.sample.forgotten)
        impress(self._stack, person)
        self[language] = person
        return person


@pytest.fixture(scope="session")
def known(stack: Stack) -> Iterator[dict[str, Person]]:
    """For each language a person of whom much is remembered, of whom something is inferred and by whom one
    thing was forgotten; tests only look."""
    with ExitStack() as people:
        yield Known(stack, people)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let each task be done in one language, half of them in each; accessibility and layout are judged in both.

    `make test-full` does every task in both.
    """
    if "language" in metafunc.fixturenames and not _says_which(metafunc):
        both = metafunc.module.__name__.endswith("test_accessibility")
        usual = LANGUAGES if both else (LANGUAGES[crc32(metafunc.function.__name__.encode()) % len(LANGUAGES)],)
        rest = [pytest.param(one, marks=pytest.mark.full) for one in LANGUAGES if one not in usual]
        metafunc.parametrize("language", [*usual, *rest])


def _says_which(metafunc: pytest.Metafunc) -> bool:
    return any("language" in mark.args[0] for mark in metafunc.definition.iter_markers("parametrize"))


def in_turns(places: Iterable[Any], names: Sequence[str] | None = None, *, turn: int = 0, of: int = 1) -> list[Any]:
    """Return (language, place) for tests of many screens: each in one language, in turns; in both in the full run.

    Args:
        turn, of: the how many-th of how many tests this is that visit the same places, one each; all in the full run.
    """
    return [
        pytest.param(
            language,
            place,
            marks=() if number % of == turn and (number // of + side) % len(LANGUAGES) == 0 else pytest.mark.full,
            id=f"{language}-{names[number] if names else place}",
        )
        for number, place in enumerate(places)
        for side, language in enumerate(LANGUAGES)
    ]


@pytest.fixture
def newcomer(stack: Stack, language: str) -> Iterator[Person]:
    """Somebody who has said nothing yet."""
    with someone(stack, language) as person:
        yield person


@pytest.fixture
def talker(newcomer: Person) -> Person:
    """Somebody of whom much is remembered, and may be forgotten."""
    newcomer.fill()
    return newcomer


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember how a test went, for whoever closes its windows."""
    report = yield
    item.stash.setdefault(FAILED, []).extend([report.when] if report.failed else [])
    return report


@pytest.fixture
def page_as(browser: Browser, stack: Stack, request: pytest.FixtureRequest) -> Iterator[PageAs]:
    """Return a function that opens a window: `page_as(person)`, or `page_as(None)` for nobody.

    What a failed test looked at last is in `build/browser/`.
    """
    opened: list[Page] = []
    with ExitStack() as windows:

        def open_page(
            person: Person | None,
            *,
            language: str | None = None,
            width: int = 1280,
            dark: bool = False,
            measures: bool = False,
            calm: bool = False,
        ) -> Page:
            look = Look(language=language or (person.language if person else "en"), width=width, dark=dark)
            context = windows.enter_context(someone_looks(browser, stack.url, look, measures=measures, calm=calm))
            page = context.new_page()
            opened.append(page)
            if person is not None:
                sign_in(page, person.token, look.words)
            return page

        yield open_page
        if request.node.stash.get(FAILED, []):
            for number, page in enumerate(opened):
                name = re.sub(r"[^\w-]+", "-", request.node.name)
                page.screenshot(path=FAILURES / f"{name}{number or ''}.png")
