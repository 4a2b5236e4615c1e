"""What is inferred: why, that it is right, that it is not so, and that it stays away; by mouse and by keyboard."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import faults_of
from tests.browser.conftest import PageAs
from tests.browser.impressions import HABITS, SHORT_MESSAGES, Turn, impress
from tests.browser.people import Person
from tests.browser.states import Visit
from tests.browser.test_keyboard import focus_is_somewhere, has_focus_in, press, undo_by_keys
from tests.e2e.conftest import Stack, wait_for

SECONDS = 60


def inferred(person: Person, key: str = SHORT_MESSAGES) -> dict[str, Any] | None:
    """Return a trait as it is now."""
    return next((one for one in person.get("/memory/traits", limit=200) if one["trait_key"] == key), None)


def sentence_of(person: Person) -> str:
    trait = inferred(person)
    assert trait is not None
    return str(trait["wordings"][person.language])


def card(visit: Visit, sentence: str) -> Locator:
    return visit.page.get_by_role("article", name=sentence, exact=True)


def act(visit: Visit, inside: Locator, name: str) -> Locator:
    return inside.get_by_role("button", name=visit.words(f"traits:act.{name}"), exact=True)


def every_quote_is_there(visit: Visit, dialog: Locator) -> None:
    quotes = dialog.get_by_role("blockquote")
    expect(quotes).to_have_count(len(HABITS[SHORT_MESSAGES]))
    for turn in HABITS[SHORT_MESSAGES]:
        assert isinstance(turn, Turn)
        said, _ = visit.person.sample.talks[turn.talk].turns[turn.number]
        expect(quotes.filter(has_text=said)).to_have_count(1)


def refusal_lasts(visit: Visit, sentence: str, trait_id: str) -> None:
    """Wait until the undo is over; then it is gone for the API as well, with the preference that rested on it."""
    person = visit.person
    [operation] = [one for one in person.get("/memory/ops") if one["status"] != "cancelled"]
    wait_for(lambda: person.has_forgotten(operation["id"]), seconds=SECONDS, what="the verified forget")
    assert inferred(person) is None
    assert inferred(person, "concise-communication") is None
    assert person.api.get(f"/api/v1/memory/traits/{trait_id}").status_code == 404
    assert [one["trait_key"] for one in person.get("/memory/traits/refused")] == [SHORT_MESSAGES]
    visit.go("/memories/traits")
    refused = visit.page.get_by_role("region", name=visit.words("traits:refused.title"))
    expect(refused.get_by_role("listitem").filter(has_text=sentence)).to_have_count(1)
    expect(card(visit, sentence)).to_have_count(0)


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.full)])
def test_a_trait_is_asked_about_confirmed_refused_and_gone(stack: Stack, talker: Person, page_as: PageAs) -> None:
    impress(stack, talker)
    sentence = sentence_of(talker)
    visit = Visit(page_as(talker, measures=True, calm=True), talker)
    page, words = visit.page, visit.words
    visit.go("/memories")
    notice = page.get_by_role("region", name=words("traits:title"))
    expect(notice).to_contain_text(words("traits:notice.formed"))
    page.get_by_role("link", name=words("traits:parts.traits"), exact=True).click()
    page.wait_for_url(re.compile("/memories/traits$"))
    expect(notice).to_have_count(0)
    here = card(visit, sentence)
    expect(here).to_contain_text(words("traits:stage.emerging"))

    act(visit, here, "why").click()
    dialog = visit.dialog()
    every_quote_is_there(visit, dialog)
    act(visit, dialog, "right").click()
    expect(dialog).to_contain_text(words("traits:badge.confirmed"))
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(act(visit, here, "right")).to_have_attribute("aria-pressed", "true")
    trait = inferred(talker)
    assert trait is not None
    assert trait["confirmed"]

    act(visit, here, "notMe").click()
    expect(page.get_by_text(words("traits:forgotten.one"), exact=True)).to_be_visible()
    expect(here).to_have_count(0)
    assert inferred(talker) is None
    visit.button("forgetting:undo").click()
    expect(here).to_contain_text(words("traits:badge.confirmed"))
    assert inferred(talker) is not None

    act(visit, here, "notMe").click()
    expect(here).to_have_count(0)
    refusal_lasts(visit, sentence, trait["id"])
    assert faults_of(page) == []
    visit.button("traits:refused.allow").click()
    expect(page.get_by_text(words("traits:refused.allowed"))).to_be_visible()
    expect(page.get_by_role("region", name=words("traits:refused.title"))).to_have_count(0)
    assert talker.get("/memory/traits/refused") == []


@pytest.mark.parametrize("language", ["zh", pytest.param("en", marks=pytest.mark.full)])
def test_a_trait_is_asked_about_confirmed_refused_and_gone_by_keyboard(
    stack: Stack, talker: Person, page_as: PageAs
) -> None:
    impress(stack, talker)
    sentence = sentence_of(talker)
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    visit.go("/memories")
    press(page, page.get_by_role("link", name=words("traits:parts.traits"), exact=True))
    page.wait_for_url(re.compile("/memories/traits$"))
    here = card(visit, sentence)
    why = act(visit, here, "why")
    press(page, why)
    dialog = visit.dialog()
    has_focus_in(page, dialog)
    every_quote_is_there(visit, dialog)
    press(page, act(visit, dialog, "right"), "Space")
    expect(dialog).to_contain_text(words("traits:badge.confirmed"))
    expect(act(visit, dialog, "right")).to_be_focused()
    page.keyboard.press("Escape")
    expect(why).to_be_focused()
    trait = inferred(talker)
    assert trait is not None
    assert trait["confirmed"]

    press(page, act(visit, here, "notMe"))
    expect(page.get_by_text(words("traits:forgotten.one"), exact=True)).to_be_visible()
    expect(here).to_have_count(0)
    focus_is_somewhere(page)
    undo_by_keys(visit)
    expect(here).to_contain_text(words("traits:badge.confirmed"))
    focus_is_somewhere(page)
    assert inferred(talker) is not None

    press(page, act(visit, here, "notMe"))
    expect(here).to_have_count(0)
    refusal_lasts(visit, sentence, trait["id"])


def test_what_the_assistant_sees_names_impressions_and_leads_to_them(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    person = known[language]
    visit = Visit(page_as(person), person)
    page, words = visit.page, visit.words
    visit.go("/sees")
    page.get_by_role("textbox", name=words("sees:question.label")).fill(person.sample.question)
    visit.button("sees:question.ask").click()
    expect(page.get_by_text(words("sees:mode.semantic"))).to_be_visible()
    sentence = "Usually asks for short answers" if language == "en" else "通常希望回答简短"
    block = page.get_by_role("listitem").filter(has_text=words("sees:why.fitting_trait")).filter(has_text=sentence)
    expect(block).to_contain_text(words("sees:trait.behavior"))
    block.get_by_role("link", name=words("sees:openNamed", content=sentence), exact=True).click()
    page.wait_for_url(re.compile("/memories/traits/[0-9a-f-]{36}$"))
    expect(visit.dialog()).to_contain_text(sentence)

    visit.go("/sees")
    left_out = page.get_by_role("region", name=words("sees:leftOut.name"))
    left_out.get_by_text(words.pattern("sees:leftOut.why.not_related")).click()
    preference = "Prefers short and clear communication" if language == "en" else "偏好简短明了的沟通"
    expect(left_out.get_by_role("link", name=preference, exact=True)).to_have_attribute(
        "href", re.compile("^/memories/traits/[0-9a-f-]{36}$")
    )
