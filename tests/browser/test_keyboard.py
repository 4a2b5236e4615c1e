"""Whatever destroys something can be done by keyboard alone, and the focus is never lost."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import Visit, data_found, phrase, short_talk

FAR = 150
"""More presses of a key than any control is away."""


def reach(page: Page, control: Locator, key: str = "Tab") -> None:
    """Press a key until a control has the focus."""
    expect(control).to_be_visible()
    for _ in range(FAR):
        if control.evaluate("one => one === document.activeElement"):
            assert control.evaluate("one => one.matches(':focus-visible')"), "the focus cannot be seen"
            return
        page.keyboard.press(key)
    raise AssertionError(f"{control} cannot be reached by {key}")


def press(page: Page, control: Locator, key: str = "Enter") -> None:
    reach(page, control)
    page.keyboard.press(key)


def has_focus_in(page: Page, place: Locator) -> None:
    """Wait until the focus is inside something, or on it."""
    expect(place.locator(":focus").or_(place.and_(page.locator(":focus")))).to_have_count(1)


def undo_by_keys(visit: Visit) -> None:
    """Press Ctrl+Z once the notice that offers it stands still."""
    visit.button("forgetting:undo").click(trial=True)
    visit.page.keyboard.press("Control+z")


def focus_is_somewhere(page: Page) -> None:
    expect(page.locator(":focus")).to_have_count(1)
    assert page.evaluate("document.activeElement !== document.body")


def test_the_first_key_leads_past_the_navigation(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    visit = Visit(page_as(known[language]), known[language])
    visit.go("/memories")
    visit.page.keyboard.press("Tab")
    expect(visit.page.get_by_role("link", name=visit.words("skip"))).to_be_focused()
    visit.page.keyboard.press("Enter")
    expect(visit.page.locator("main")).to_be_focused()


def test_a_memory_is_forgotten_and_brought_back(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    visit.go("/memories")
    cards = page.get_by_role("list", name=words("memories:list.label"), exact=True).get_by_role("article")
    content = cards.first.locator("[id^=memory-]").inner_text()
    press(page, cards.first.get_by_role("button", name=words("memories:act.forget")))
    expect(page.get_by_text(words("forgetting:hidden"), exact=True)).to_be_visible()
    focus_is_somewhere(page)
    assert content not in talker.memories()
    undo_by_keys(visit)
    expect(cards.filter(has_text=content)).to_have_count(1)
    focus_is_somewhere(page)
    assert content in talker.memories()


def test_why_opens_and_closes_where_it_was_asked(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    visit = Visit(page_as(known[language]), known[language])
    page, words = visit.page, visit.words
    visit.go("/memories")
    cards = page.get_by_role("list", name=words("memories:list.label"), exact=True).get_by_role("article")
    why = cards.nth(1).get_by_role("button", name=words("memories:act.why"))
    press(page, why)
    has_focus_in(page, visit.dialog())
    page.keyboard.press("Escape")
    expect(why).to_be_focused()


def test_a_message_is_forgotten_from_its_menu(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    said = talker.sample.talks[0].turns[1][0]
    visit.go(short_talk(visit))
    message = page.get_by_role("listitem").filter(has_text=said).filter(has=visit.button("chat:message.menu"))
    menu = message.get_by_role("button", name=words("chat:message.menu"))
    press(page, menu)
    reach(page, page.get_by_role("menuitem", name=words("chat:message.forget")), "ArrowDown")
    page.keyboard.press("Enter")
    dialog = visit.dialog()
    has_focus_in(page, dialog)
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()

    page.keyboard.press("Enter")
    reach(page, page.get_by_role("menuitem", name=words("chat:message.forget")), "ArrowDown")
    page.keyboard.press("Enter")
    press(page, visit.dialog().get_by_role("button", name=words("forgetting:forget"), exact=True))
    press(page, dialog.get_by_role("button", name=words("forgetting:outcome.done")))
    expect(dialog).to_be_hidden()
    expect(page.locator("main").get_by_text(said, exact=True)).to_have_count(0)
    focus_is_somewhere(page)


def test_a_conversation_is_forgotten(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    title = talker.sample.talks[0].title
    visit.go("/data/conversation")
    row = visit.button("data:conversation.forgetNamed", name=title)
    press(page, row)
    dialog = visit.dialog()
    has_focus_in(page, dialog)
    page.keyboard.press("Escape")
    expect(row).to_be_focused()
    page.keyboard.press("Enter")
    press(page, visit.dialog().get_by_role("button", name=words("forgetting:forget"), exact=True))
    press(page, dialog.get_by_role("button", name=words("forgetting:outcome.done")))
    expect(dialog).to_be_hidden()
    expect(row).to_have_count(0)
    focus_is_somewhere(page)
    assert title not in [one["title"] for one in talker.get("/conversations")]


def test_what_a_sentence_describes_is_forgotten(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    visit.go("/data/something")
    reach(page, page.get_by_role("textbox", name=words("data:something.label")))
    page.keyboard.type(talker.sample.about_to_forget)
    page.keyboard.press("Enter")
    see = visit.button("data:found.see")
    press(page, see)
    dialog = visit.dialog()
    page.keyboard.press("Escape")
    expect(see).to_be_focused()
    page.keyboard.press("Enter")
    press(page, visit.dialog().get_by_role("button", name=words("forgetting:forget"), exact=True))
    press(page, dialog.get_by_role("button", name=words("forgetting:outcome.done")))
    expect(dialog).to_be_hidden()
    focus_is_somewhere(page)


def test_one_candidate_is_left_out_by_the_space_bar(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    visit = Visit(page_as(known[language]), known[language])
    data_found(visit)
    boxes = visit.page.locator("main").get_by_role("listitem").get_by_role("checkbox")
    press(visit.page, boxes.first, "Space")
    expect(boxes.first).not_to_be_checked()
    expect(visit.page.get_by_text(visit.words.pattern("data:found.ticked"))).to_be_visible()


def test_what_feedback_taught_is_forgotten(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    visit.go("/settings")
    press(visit.page, visit.button("settings:clear.do"))
    expect(visit.page.get_by_text(visit.words("forgetting:hidden"), exact=True)).to_be_visible()
    focus_is_somewhere(visit.page)
    undo_by_keys(visit)
    expect(visit.button("settings:clear.do")).to_be_visible()
    assert talker.get("/memory/preferences")["learned_memory_ids"] != []


def test_everything_is_forgotten(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    visit.go("/data/everything")
    reach(page, page.get_by_role("textbox", name=words("data:everything.type")))
    page.keyboard.insert_text(phrase(words))
    press(page, visit.button("data:everything.forget"))
    expect(page.get_by_role("heading", name=words("data:everything.gone"))).to_be_focused()
    assert talker.memories() == []
