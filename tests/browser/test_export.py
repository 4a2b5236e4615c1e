"""Taking it along: what is packed, how it is downloaded, and that it goes with what is forgotten."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import Visit, ask_to_export
from tests.browser.test_keyboard import has_focus_in, press, reach
from tests.browser.words import Words

MILLISECONDS = 60_000


def confirmed(visit: Visit) -> Locator:
    """Export everything as the form stands, and mean it; return the package's card, once it can be downloaded."""
    ask_to_export(visit).get_by_role("button", name=visit.words("data:confirm.do"), exact=True).click()
    return packed(visit)


def packed(visit: Visit) -> Locator:
    """Return the card of the package that was asked for just now, once it can be downloaded."""
    card = visit.page.get_by_role("article").first
    expect(card).to_be_focused()
    link = card.get_by_role("link", name=visit.words("data:package.download"))
    expect(link).to_be_visible(timeout=MILLISECONDS)
    return card


def downloaded(page: Page, card: Locator, words: Words) -> tuple[str, bytes]:
    """Return the name and content of what the browser saves."""
    with page.expect_download() as download:
        card.get_by_role("link", name=words("data:package.download")).click()
    return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def test_everything_leaves_once_it_was_asked_and_is_downloaded_as_it_is_shown(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    person = known[language]
    visit = Visit(page_as(person), person)
    page, words = visit.page, visit.words
    before = len(person.get("/memory/ops", limit=200))
    visit.go("/data/export")
    ask = visit.button("data:export.do")
    press(page, ask)
    dialog = visit.dialog()
    do = dialog.get_by_role("button", name=words("data:confirm.do"), exact=True)
    has_focus_in(page, dialog)
    expect(dialog).to_contain_text(words("data:confirm.title.user"))
    expect(dialog).to_contain_text(words("data:confirm.means.readable"))
    there = len(person.get("/conversations", limit=200))  # other tests talk, too
    expect(dialog).to_contain_text(words("forgetting:kinds.conversations", count=there))
    expect(dialog.get_by_role("textbox")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(ask).to_be_focused()
    assert len(person.get("/memory/ops", limit=200)) == before

    page.keyboard.press("Enter")
    has_focus_in(page, visit.dialog())
    press(page, do)
    expect(dialog).to_be_hidden()
    card = packed(visit)

    name, content = downloaded(visit.page, card, visit.words)

    assert name.endswith(".zip")
    expect(card).to_contain_text(hashlib.sha256(content).hexdigest())
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        counts = json.loads(package.read("manifest.json"))["content"]["counts"]
        page_to_read = package.read("README.md").decode()
    assert counts["memory"] >= len(person.memories())
    assert person.sample.talks[0].title in page_to_read
    expect(visit.page).to_have_url("/data/export")


def test_one_conversation_is_packed_to_be_read(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    person = known[language]
    visit = Visit(page_as(person), person)
    page, words = visit.page, visit.words
    first, *_, last = person.sample.talks
    visit.go("/data/export")
    page.get_by_label(words("data:export.scopes.conversation"), exact=True).check()
    page.get_by_label(words("data:export.which")).select_option(label=first.title)
    page.get_by_label(words("data:export.formats.markdown"), exact=True).check()

    dialog = ask_to_export(visit)
    expect(dialog).to_contain_text(words("data:confirm.title.conversation"))
    expect(dialog).to_contain_text(first.title)
    expect(dialog.get_by_role("textbox")).to_have_count(0)
    press(page, dialog.get_by_role("button", name=words("data:confirm.do"), exact=True))
    name, content = downloaded(page, packed(visit), words)

    assert name.endswith(".md")
    assert first.title in content.decode()
    assert last.title not in content.decode()


def test_a_package_goes_with_what_is_forgotten_while_somebody_looks(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    visit.go("/data/export")
    card = confirmed(visit)
    address = str(card.get_by_role("link", name=visit.words("data:package.download")).get_attribute("href"))
    assert talker.api.get(address).status_code == 200

    talker.forget_memory(talker.sample.forgotten)

    gone = visit.page.get_by_role("article").filter(has_text=visit.words("data:package.gone"))
    expect(gone).to_be_visible()
    expect(visit.page.get_by_role("link", name=visit.words("data:package.download"))).to_have_count(0)
    assert talker.api.get(address).status_code == 410
    gone.get_by_role("button", name=visit.words("data:package.again")).click()
    expect(visit.button("data:export.do")).to_be_focused()


def test_who_forgets_everything_may_export_first_and_comes_back(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    visit = Visit(page_as(known[language]), known[language])
    page, words = visit.page, visit.words
    visit.go("/data/everything")
    offer = visit.button("data:everything.exportFirst")
    press(page, offer)
    expect(page.get_by_role("heading", name=words("data:export.title"), exact=True)).to_be_focused()
    expect(page.get_by_label(words("data:export.scopes.user"), exact=True)).to_be_checked()
    press(page, visit.button("data:export.do"))
    has_focus_in(page, visit.dialog())
    page.keyboard.press("Escape")
    expect(visit.button("data:export.do")).to_be_focused()
    press(page, visit.button("data:export.back"))
    expect(offer).to_be_focused()
    reach(page, page.get_by_role("textbox", name=words("data:everything.type")))
