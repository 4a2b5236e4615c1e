"""Documents: added, looked into, forgotten and brought back, by mouse and by keyboard."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.accessibility import faults_of
from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import Visit
from tests.browser.test_keyboard import press, undo_by_keys
from tests.support.pdfs import encrypted, pdf


def choose(page: Page, visit: Visit, file: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=visit.words("documents:add")).click()
    chooser.value.set_files(file)


def test_a_document_is_added_looked_into_and_forgotten(newcomer: Person, page_as: PageAs, tmp_path: Path) -> None:
    visit = Visit(page_as(newcomer, measures=True), newcomer)
    page, words = visit.page, visit.words
    file = tmp_path / "boiler.pdf"
    file.write_bytes(pdf("The boiler was made in 1987.", "The roof is new."))
    visit.go("/memories/documents")
    expect(page.get_by_text(words("documents:none.title"))).to_be_visible()
    choose(page, visit, file)
    card = page.get_by_role("article", name="boiler.pdf")
    expect(card).to_be_visible()
    assert faults_of(page) == []
    card.get_by_role("button", name=words("documents:look")).click()
    dialog = page.get_by_role("dialog", name="boiler.pdf")
    expect(dialog.get_by_text("The roof is new.")).to_be_visible()
    assert faults_of(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    press(page, card.get_by_role("button", name=words("documents:forget")))
    expect(card).to_have_count(0)
    undo_by_keys(visit)
    expect(card).to_be_visible()
    assert [one["title"] for one in newcomer.get("/documents")] == ["boiler.pdf"]


def test_a_file_that_cannot_be_read_says_why(newcomer: Person, page_as: PageAs, tmp_path: Path) -> None:
    visit = Visit(page_as(newcomer), newcomer)
    file = tmp_path / "locked.pdf"
    file.write_bytes(encrypted("a secret"))
    visit.go("/memories/documents")
    choose(visit.page, visit, file)
    expect(visit.page.get_by_text(visit.words("documents:faults.document_encrypted"))).to_be_visible()
    assert newcomer.get("/documents") == []
