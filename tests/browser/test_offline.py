"""Without a network, after an update of the server, while files of the app cannot be had: no click blanks the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from services.web.pages import BUILT
from tests.browser.browsing import settled
from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import PLACES, Visit

FILES = sorted(path.name for path in (BUILT / "assets").glob("*.js"))
LATER = re.compile(r"/assets/later-[^/]*\.js$")


def fetched(page: Page) -> set[str]:
    found = page.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    return {str(name).rpartition("/")[2] for name in found}


def everything_is_fetched(visit: Visit) -> None:
    """Wait until the files of every screen are there, as they are a moment after the first one."""
    other_language = next(name for name in FILES if name.startswith("en-" if visit.person.language == "zh" else "zh-"))
    wanted = set(FILES) - {other_language}
    visit.page.wait_for_function(
        """wanted => {
          const names = performance.getEntriesByType('resource').map(({name}) => name.split('/').at(-1));
          return wanted.every(name => names.includes(name));
        }""",
        arg=sorted(wanted),
    )


def click(visit: Visit, place: str) -> None:
    navigation = visit.page.get_by_role("navigation", name=visit.words("navigation"))
    navigation.get_by_role("link", name=visit.words(f"places.{place}.long")).click()


def heading(visit: Visit, name: str) -> None:
    expect(visit.page.get_by_role("heading", level=1, name=visit.words(name))).to_be_visible()


def test_offline_every_screen_shows_and_comes_back_by_itself(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    visit = Visit(page_as(known[language]), known[language])
    page, words = visit.page, visit.words
    visit.go("/chat/new")
    everything_is_fetched(visit)

    page.context.set_offline(True)
    for place in PLACES:
        click(visit, place)
        expect(page.locator("h1").first).to_be_visible()
        expect(page.get_by_role("heading", name=words("broken.title"))).to_have_count(0)
    visit.button("person", person=visit.person.name).click()
    expect(page.get_by_role("menuitem", name=words("signOut"))).to_be_visible()
    page.keyboard.press("Escape")
    click(visit, "memories")
    expect(page.get_by_text(words("problems.unreachable")).first).to_be_visible()

    page.context.set_offline(False)
    expect(page.get_by_role("list", name=words("memories:list.label"), exact=True)).to_be_visible()
    expect(page.get_by_text(words("problems.unreachable"))).to_have_count(0)


def test_a_screen_that_cannot_be_fetched_says_so_and_appears_when_the_server_is_back(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    visit = Visit(page_as(known[language]), known[language])
    page = visit.page
    page.route(LATER, lambda route: route.abort())
    visit.go("/chat/new")
    click(visit, "settings")
    heading(visit, "broken.title")
    expect(page.get_by_role("alert")).to_contain_text(visit.words("broken.unfetched"))
    click(visit, "memories")
    heading(visit, "places.memories.long")
    click(visit, "settings")
    heading(visit, "broken.title")

    page.unroute(LATER)

    heading(visit, "places.settings.long")


def test_what_cannot_be_opened_over_a_screen_leaves_the_screen(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    visit = Visit(page_as(known[language]), known[language])
    page = visit.page
    page.route(LATER, lambda route: route.abort())
    visit.go("/chat/new")
    visit.button("person", person=visit.person.name).click()
    expect(page.get_by_text(visit.words("broken.notOpened"))).to_be_visible()
    heading(visit, "chat:conversation.new")

    page.unroute(LATER)
    visit.button("person", person=visit.person.name).click()
    expect(page.get_by_role("menuitem", name=visit.words("signOut"))).to_be_visible()


def updated(visit: Visit) -> Callable[[], int]:
    """Let the server have another version of the app, without a file of this one; returns how often it was asked."""
    page = visit.page
    asked = 0

    def another_version(route: Route) -> None:
        nonlocal asked
        asked += 1
        answer = route.fetch()
        body = re.sub(r"/assets/index-[^\"]*\.js", "/assets/index-another.js", answer.text())
        route.fulfill(response=answer, body=body)

    def until_noticed(route: Route) -> None:
        if asked:
            route.continue_()
        else:
            route.fulfill(status=404)

    page.route(LATER, until_noticed)
    page.route("**/", another_version)
    return lambda: asked


def test_after_an_update_of_the_server_an_open_tab_loads_the_new_version(
    known: dict[str, Person], page_as: PageAs
) -> None:
    visit = Visit(page_as(known["en"]), known["en"])
    visit.go("/chat/new")
    visit.page.evaluate("window.isOld = true")
    asked = updated(visit)
    visit.page.goto("/chat/new")
    visit.page.evaluate("window.isOld = true")
    click(visit, "settings")
    heading(visit, "places.settings.long")
    assert asked() == 1
    assert visit.page.evaluate("window.isOld") is None


def test_after_an_update_what_was_typed_is_not_lost(known: dict[str, Person], page_as: PageAs) -> None:
    visit = Visit(page_as(known["en"]), known["en"])
    page, words = visit.page, visit.words
    updated(visit)
    visit.go("/chat/new")
    field = page.get_by_role("textbox", name=words("chat:composer.message"))
    field.fill("Not sent yet.")
    click(visit, "settings")
    expect(page.get_by_role("alert")).to_contain_text(words("broken.newer"))
    click(visit, "chat")
    expect(field).to_have_value("Not sent yet.")


@pytest.mark.parametrize("file", ["index", "shared", "start", "en"])
def test_a_page_whose_own_files_cannot_be_had_tries_again(known: dict[str, Person], page_as: PageAs, file: str) -> None:
    """It is never blank: it says that the server does not answer, and goes on when that is over."""
    visit = Visit(page_as(known["en"]), known["en"])
    page = visit.page
    wanted = re.compile(rf"/assets/{file}-[^/]*\.js$")
    page.route(wanted, lambda route: route.fulfill(status=503))
    page.goto("/settings")
    expect(page.get_by_role("heading", level=1)).to_have_text("Memory Center")
    expect(page.get_by_role("status")).to_have_text("The server does not answer. This page tries again by itself.")
    page.unroute(wanted)
    heading(visit, "places.settings.long")
    settled(page)
