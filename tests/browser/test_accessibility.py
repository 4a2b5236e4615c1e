"""axe-core finds nothing wrong and nothing scrolls sideways, in any state: wide and narrow, light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.accessibility import faults_of
from tests.browser.browsing import HEIGHTS, Look, go, sign_in, someone_looks, unanswered
from tests.browser.conftest import LANGUAGES, PageAs, in_turns
from tests.browser.people import Person, someone
from tests.browser.states import DATA_SECTIONS, PLACES, STATES, State, Visit
from tests.browser.words import words_in
from tests.e2e.conftest import Stack
from tests.e2e.test_failure_matrix import hanging

READ_NOTHING = ("/data/something", "/data/import")
"""Before somebody asks for something."""
ADDRESSES = [
    *(f"/{place}" for place in PLACES if place != "data"),
    *(f"/data/{section}" for section in DATA_SECTIONS),
    "/memories/traits",
]
WIDTHS = {"en": 320, "zh": 1280}
"""How wide a window is where one width a language is enough: English words are the longer ones."""
UNAVAILABLE = {"code": "busy", "status": 503, "title": "Busy", "type": "about:blank", "request_id": "01a20338-9878"}


@contextmanager
def looks(browser: Browser, stack: Stack, person: Person) -> Iterator[Visit]:
    """Open a window in which scripts of a test may run."""
    with someone_looks(browser, stack.url, Look(language=person.language), measures=True, calm=True) as window:
        page = window.new_page()
        sign_in(page, person.token, words_in(person.language))
        yield Visit(page, person)


@pytest.fixture(scope="module")
def looking(
    request: pytest.FixtureRequest, browser: Browser, stack: Stack, known: dict[str, Person]
) -> Iterator[Visit]:
    """One window for each language, of somebody of whom much is known."""
    with looks(browser, stack, known[request.param]) as visit:
        yield visit


@pytest.fixture(scope="module")
def beginning(request: pytest.FixtureRequest, browser: Browser, stack: Stack) -> Iterator[Visit]:
    """One window for each language, of somebody who has said nothing yet."""
    with someone(stack, request.param) as person, looks(browser, stack, person) as visit:
        yield visit


def at(visit: Visit, width: int) -> Page:
    """Return the page of a visit, so wide."""
    visit.page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
    return visit.page


LOOKS_AT_STATES = in_turns(STATES, names=[state.name for state in STATES])
EMPTY, UNREADABLE, SLOW = (in_turns(ADDRESSES, turn=turn, of=3) for turn in range(3))
"""What may be wrong with a screen, in turns: the same few components say it on every one."""


@pytest.mark.parametrize(("looking", "state"), LOOKS_AT_STATES, indirect=["looking"])
def test_a_state_has_no_faults(looking: Visit, state: State) -> None:
    width = 320 if state.narrow_only else WIDTHS[looking.person.language]
    at(looking, width)
    state.show(looking)
    assert faults_of(looking.page, widths=(width,)) == []


@pytest.mark.full
@pytest.mark.parametrize("looking", LANGUAGES, indirect=True)
@pytest.mark.parametrize("state", [one for one in STATES if not one.narrow_only], ids=lambda state: state.name)
def test_a_state_has_no_faults_in_the_other_width_either(looking: Visit, state: State) -> None:
    [width] = set(HEIGHTS) - {WIDTHS[looking.person.language]}
    at(looking, width)
    state.show(looking)
    assert faults_of(looking.page, widths=(width,)) == []


@pytest.mark.parametrize(("beginning", "address"), EMPTY, indirect=["beginning"])
def test_a_screen_of_somebody_new_has_no_faults(beginning: Visit, address: str) -> None:
    width = WIDTHS[beginning.person.language]
    go(at(beginning, width), address)
    assert faults_of(beginning.page, widths=(width,)) == []


@pytest.mark.parametrize(("looking", "address"), UNREADABLE, indirect=["looking"])
def test_a_screen_that_cannot_be_read_says_so_without_faults(looking: Visit, address: str) -> None:
    width = WIDTHS[looking.person.language]
    page = at(looking, max(HEIGHTS))  # the list of conversations is behind a button in a narrow window
    page.route("**/api/v1/**", _refuse_reads)
    try:
        go(page, address)
        if address not in READ_NOTHING:
            expect(page.get_by_role("alert").first).to_be_visible()
            expect(page.get_by_role("alert").first).to_contain_text(looking.words("problems.busy"))
        assert faults_of(page, widths=(width,)) == []
    finally:
        page.unroute("**/api/v1/**", _refuse_reads)


def _refuse_reads(route: Route) -> None:
    if "/session" in route.request.url:
        route.continue_()
    elif "/events" in route.request.url:
        route.abort()
    else:
        route.fulfill(status=503, json=UNAVAILABLE, content_type="application/problem+json")


@pytest.mark.parametrize(("looking", "address"), SLOW, indirect=["looking"])
def test_a_screen_that_waits_long_says_so_without_faults(looking: Visit, address: str) -> None:
    width = WIDTHS[looking.person.language]
    page = at(looking, width)
    if address in READ_NOTHING:
        address = "/"  # what is waited for first is who is signed in
    keep = r"/api/v1/session" if address == "/" else r"/api/v1/(?!session|memory/events)"
    if address == "/chat":
        address += f"/{looking.person.newest_conversation()}"
    with unanswered(page, re.compile(keep)):
        page.goto(address)
        expect(page.get_by_text(looking.words("loadingLong")).first).to_be_visible()
        assert faults_of(page, widths=(width,)) == []


def test_signing_in_has_no_faults(page_as: PageAs, language: str) -> None:
    page = page_as(None, language=language, measures=True, calm=True)
    go(page, "/")
    assert faults_of(page) == []
    words = words_in(language)
    page.get_by_role("textbox").fill("no-such-token")
    page.get_by_role("textbox").press("Enter")
    expect(page.get_by_role("alert").first).to_contain_text(words("problems.credentials_invalid"))
    assert faults_of(page) == []


def test_a_server_that_went_away_is_said_without_faults(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    page, words = page_as(known[language], measures=True, calm=True), words_in(language)
    go(page, "/settings")
    page.context.set_offline(True)
    expect(page.get_by_role("button", name=words("state.offline"))).to_be_visible(timeout=30_000)
    assert faults_of(page) == []


def test_an_installation_without_its_search_index_has_no_faults(
    stack: Stack, known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    person, words = known[language], words_in(language)
    page = page_as(person, measures=True, calm=True)
    with hanging(stack, "milvus"):
        go(page, "/sees")
        page.get_by_role("textbox", name=words("sees:question.label")).fill(person.sample.question)
        page.keyboard.press("Enter")
        expect(page.get_by_text(words("sees:trouble.milvus_unavailable"))).to_be_visible(timeout=30_000)
        expect(page.get_by_role("button", name=words("state.degraded"))).to_be_visible(timeout=30_000)
        assert faults_of(page) == []


CONTROLS = {
    "/chat": [("textbox", "chat:composer.message"), ("button", "chat:composer.send")],
    "/conversation": [("combobox", "conversation:picker")],
    "/memories": [
        ("searchbox", "memories:search.label"),
        ("button", "memories:add.open"),
        ("button", "memories:pick.start"),
        ("button", "memories:facet.open"),
    ],
    "/memories/traits": [
        ("button", "traits:reflect.ask"),
        ("button", "traits:act.why"),
        ("button", "traits:act.right"),
        ("button", "traits:act.notMe"),
        ("button", "traits:act.more"),
        ("button", "traits:clear.open"),
    ],
    "/sees": [("textbox", "sees:question.label"), ("button", "sees:question.ask")],
    "/data/something": [("textbox", "data:something.label"), ("button", "data:something.find")],
    "/data/everything": [("textbox", "data:everything.type"), ("button", "data:everything.forget")],
    "/data/export": [("button", "data:export.do")],
    "/data/import": [("button", "data:import.choose")],
    "/settings": [("switch", "settings:switch.longterm_enabled.name"), ("button", "settings:clear.do")],
}


@pytest.mark.parametrize(("looking", "address"), in_turns(CONTROLS), indirect=["looking"])
def test_what_matters_is_in_a_narrow_window(looking: Visit, address: str) -> None:
    page, words = at(looking, 320), looking.words
    go(page, address)
    places = page.get_by_role("navigation", name=words("navigation")).get_by_role("link")
    expect(places).to_have_count(len(PLACES))
    for link in places.all():
        _is_inside(page, link)
    for role, name in CONTROLS[address]:
        control = page.get_by_role(role, name=words(name)).first  # type: ignore[arg-type]
        control.scroll_into_view_if_needed()
        _is_inside(page, control)


def _is_inside(page: Page, control: object) -> None:
    expect(control).to_be_visible()  # type: ignore[call-overload]
    expect(control).to_be_in_viewport(ratio=1)  # type: ignore[call-overload]
    box = control.bounding_box()  # type: ignore[attr-defined]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.viewport_size["width"]  # type: ignore[index]
    assert min(box["width"], box["height"]) >= 24
