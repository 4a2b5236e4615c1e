"""Several memories are picked from the list and forgotten at once, by keyboard alone."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import Visit
from tests.browser.test_keyboard import focus_is_somewhere, has_focus_in, press, undo_by_keys
from tests.e2e.conftest import wait_for

SECONDS = 60


def boxes(visit: Visit) -> Locator:
    cards = visit.page.get_by_role("list", name=visit.words("memories:list.label"), exact=True)
    return cards.get_by_role("listitem").get_by_role("checkbox")


def pick_two(visit: Visit) -> list[str]:
    """Pick the two newest memories by keyboard; return what they say."""
    press(visit.page, visit.button("memories:pick.start"))
    for place in range(2):
        press(visit.page, boxes(visit).nth(place), "Space")
    expect(visit.page.get_by_text(visit.words("memories:pick.picked", count=2))).to_be_visible()
    sentences = visit.page.get_by_role("list", name=visit.words("memories:list.label"), exact=True)
    return sentences.locator("[id^=memory-]").all_inner_texts()[:2]


def forget_picked(visit: Visit) -> None:
    press(visit.page, visit.button("memories:pick.forget"))
    dialog = visit.dialog()
    has_focus_in(visit.page, dialog)
    expect(dialog).to_contain_text(visit.words("forgetting:kinds.memories", count=2))
    expect(dialog).to_contain_text(visit.words("forgetting:stays.sources"))
    press(visit.page, dialog.get_by_role("button", name=visit.words("forgetting:forget"), exact=True))
    expect(dialog).to_be_hidden()
    focus_is_somewhere(visit.page)


def test_what_was_picked_goes_together_and_comes_back_together(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    visit.go("/memories")
    before = talker.memories()
    picked = pick_two(visit)
    forget_picked(visit)
    assert sorted(talker.memories()) == sorted(one for one in before if one not in picked)
    undo_by_keys(visit)
    expect(visit.page.get_by_text(visit.words("forgetting:undone"))).to_be_visible()
    assert sorted(talker.memories()) == sorted(before)
    cards = visit.page.get_by_role("list", name=visit.words("memories:list.label"), exact=True)
    cards.evaluate("list => list.scrollIntoView()")  # only what is near the window is in the page
    for sentence in picked:
        expect(visit.page.get_by_role("article").filter(has_text=sentence).first).to_be_visible()


def test_what_was_picked_is_erased_by_one_operation(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    visit.go("/memories")
    picked = pick_two(visit)
    forget_picked(visit)
    [operation] = talker.get("/memory/ops")
    assert operation["type"] == "forget_selection"
    wait_for(lambda: talker.has_forgotten(operation["id"]), seconds=SECONDS, what="the verified forget")
    assert not set(picked) & set(talker.memories())


def test_all_that_is_shown_is_picked_and_left_again(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    visit = Visit(page_as(known[language]), known[language])
    page, words = visit.page, visit.words
    visit.go("/memories")
    start = visit.button("memories:pick.start")
    press(page, start)
    expect(visit.button("memories:pick.forget")).to_be_disabled()
    press(page, visit.button("memories:pick.all"))
    active = known[language].get("/memory/overview", validity="active")["memories"]
    expect(page.get_by_text(words("memories:pick.picked", count=active))).to_be_visible()
    press(page, visit.button("memories:pick.none"))
    expect(page.get_by_text(words("memories:pick.picked", count=0))).to_be_visible()
    press(page, visit.button("memories:cancel"))
    expect(boxes(visit)).to_have_count(0)
    expect(start).to_be_focused()
