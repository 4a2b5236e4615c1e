"""Bringing it in: what would happen is said first, then it happens; and a file that cannot be read changes nothing."""

from __future__ import annotations

import io
import json
import re
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PageAs
from tests.browser.people import Person, someone
from tests.browser.states import Visit, offer_file
from tests.browser.test_keyboard import has_focus_in, press
from tests.e2e.conftest import Stack

MILLISECONDS = 60_000


def row(visit: Visit, name: str) -> str:
    """Return what the preview says of something."""
    header = visit.page.get_by_role("rowheader", name=visit.words(name), exact=True)
    return visit.page.get_by_role("row").filter(has=header).get_by_role("cell").inner_text()


def test_a_package_is_looked_at_and_then_brought_in(
    stack: Stack, known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    before = known[language]
    package = before.exported()
    with zipfile.ZipFile(io.BytesIO(package)) as packed:
        talks = json.loads(packed.read("manifest.json"))["content"]["counts"]["conversation"]
    with someone(stack, language) as newcomer:
        visit = Visit(page_as(newcomer), newcomer)
        page, words = visit.page, visit.words
        offer_file(visit, package)
        heading = page.get_by_role("heading", name=words("data:preview.title"))
        expect(heading).to_be_focused()
        assert row(visit, "data:preview.source") == words("data:preview.sources.memoryCenter")
        coming = row(visit, "data:preview.new")
        assert words("forgetting:kinds.conversations", count=talks) in coming
        assert newcomer.memories() == []

        press(page, visit.button("data:preview.bring"))
        expect(page.get_by_role("heading", name=words("operations:done.import"))).to_be_visible(timeout=MILLISECONDS)
        expect(page.locator("main").get_by_text(words("operations:state.imported"))).to_be_visible()
        assert sorted(newcomer.memories()) == sorted(before.memories())
        page.get_by_role("link", name=words("data:import.look")).click()
        first = page.get_by_role("article").first  # of a long list only what is near is on the page
        expect(first).to_be_visible()
        assert any(memory in first.inner_text() for memory in before.memories())


def test_what_is_here_already_is_said_and_nothing_is_offered(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    visit = Visit(page_as(known[language]), known[language])
    offer_file(visit, known[language].exported(format="json"), "memory.json")
    expect(visit.page.get_by_role("heading", name=visit.words("data:preview.nothing"))).to_be_focused()
    assert visit.words.pattern("forgetting:kinds.memories").search(row(visit, "data:preview.present"))
    expect(visit.button("data:preview.bring")).to_have_count(0)
    press(visit.page, visit.button("data:preview.another"))
    expect(visit.button("data:import.choose")).to_be_focused()


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"%PDF-1.7 nothing to import", "package_unknown_format"), (b"PK\x03\x04 cut off", "package_malformed")],
)
def test_a_file_that_cannot_be_read_says_why(
    known: dict[str, Person], page_as: PageAs, language: str, content: bytes, code: str
) -> None:
    visit = Visit(page_as(known[language]), known[language])
    offer_file(visit, content)
    alert = visit.page.get_by_role("alert")
    expect(alert).to_contain_text(visit.words(f"data:refused.{code}"))
    expect(alert).to_contain_text(visit.words("data:refused.nothing"))
    expect(visit.button("data:import.choose")).to_be_focused()


def test_a_file_is_chosen_by_keyboard(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    visit = Visit(page_as(known[language]), known[language])
    visit.go("/data/import")
    with visit.page.expect_file_chooser() as chooser:
        press(visit.page, visit.button("data:import.choose"))
    assert not chooser.value.is_multiple()


def test_reading_a_large_file_can_be_broken_off(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    visit = Visit(page_as(known[language]), known[language])
    page = visit.page
    page.route(re.compile("/api/v1/memory/import"), lambda _: None)  # an answer that never comes
    offer_file(visit, b"PK\x03\x04")
    reading = page.get_by_role("status").filter(has_text=visit.words("data:import.reading", file="memory.zip"))
    expect(reading).to_be_visible()
    has_focus_in(page, reading)
    press(page, visit.button("data:import.cancel"))
    expect(visit.button("data:import.choose")).to_be_focused()
