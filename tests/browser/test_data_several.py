"""Several memories are picked from the list and forgotten at once, by keyboard alone."""

from __future__ import annotations

import re

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


def test_all_there_is_can_be_picked_and_left_again(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    visit = Visit(page_as(known[language]), known[language])
    page, words = visit.page, visit.words
    visit.go("/memories")
    start = visit.button("memories:pick.start")
    press(page, start)
    expect(visit.button("memories:pick.forget")).to_be_disabled()
    active = known[language].get("/memory/overview", validity="active")["memories"]
    press(page, visit.button("memories:pick.all", number=active))
    expect(page.get_by_text(words("memories:pick.picked", count=active))).to_be_visible()
    press(page, visit.button("memories:pick.none"))
    expect(page.get_by_text(words("memories:pick.picked", count=0))).to_be_visible()
    press(page, visit.button("memories:cancel"))
    expect(boxes(visit)).to_have_count(0)
    expect(start).to_be_focused()


def test_all_are_kept_paused_and_moved_at_once(talker: Person, page_as: PageAs) -> None:
    """Also those further down than the list is loaded."""
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    visit.go("/memories")
    there = talker.get("/memory/overview", validity="active")["memories"]

    def pick_all() -> None:
        press(page, visit.button("memories:pick.start"))
        press(page, visit.button("memories:pick.all", number=there))
        expect(page.get_by_text(words("memories:pick.picked", count=there))).to_be_visible()

    def counted(**wanted: object) -> int:
        return int(talker.get("/memory/overview", validity="active", **wanted)["memories"])

    bar = page.get_by_role("region", name=words("memories:pick.label"))
    pick_all()
    press(page, bar.get_by_role("button", name=words("memories:act.keep"), exact=True))
    expect(page.get_by_text(words("memories:pick.done.keep", count=there))).to_be_visible()
    assert counted(waiting=True) == 0
    pick_all()
    press(page, bar.get_by_role("button", name=words("memories:act.pause"), exact=True))
    expect(page.get_by_text(words("memories:pick.done.pause", count=there))).to_be_visible()
    assert counted(disabled=True) == there
    pick_all()
    press(page, bar.get_by_role("button", name=words("memories:pick.moveTo"), exact=True))
    dialog = visit.dialog()
    dialog.get_by_label(words("memories:form.project"), exact=True).fill("atlas")
    press(page, dialog.get_by_role("button", name=words("memories:pick.move"), exact=True))
    expect(page.get_by_text(words("memories:pick.done.move", count=there))).to_be_visible(timeout=SECONDS * 1000)
    assert counted(project_id="atlas") == there


def test_what_the_list_is_narrowed_down_to_is_in_its_address(known: dict[str, Person], page_as: PageAs) -> None:
    person = known["en"]
    visit = Visit(page_as(person), person)
    page, words = visit.page, visit.words
    visit.go("/memories")
    page.get_by_role("button", name=re.compile(f"^{words('memories:type.preference')} *[0-9]+$")).click()
    page.get_by_label(words("memories:list.order"), exact=True).select_option("oldest")
    expect(page).to_have_url(re.compile(r"/memories\?content_type=preference&sort=oldest$"))
    expected = person.get("/memory/long_term", content_type="preference", validity="active", sort="oldest")
    cards = page.get_by_role("list", name=words("memories:list.label"), exact=True).get_by_role("article")
    expect(cards.first).to_contain_text(expected[0]["content"])

    page.reload()
    expect(cards.first).to_contain_text(expected[0]["content"])
    cards.first.get_by_role("button", name=words("memories:act.why")).click()
    page.wait_for_url(re.compile(r"\?content_type=preference&sort=oldest$"))
    page.go_back()
    page.go_back()
    expect(page).to_have_url(re.compile(r"/memories\?content_type=preference$"))
    page.go_back()
    expect(page).to_have_url(re.compile(r"/memories$"))
