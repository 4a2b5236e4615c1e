"""Settings: each switch holds at once and says so, and a failure puts it back."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.browsing import go
from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.words import words_in
from tests.e2e.conftest import wait_for

SWITCHES = (
    "injection_enabled",
    "longterm_enabled",
    "episodic_enabled",
    "summary_enabled",
    "traits_enabled",
    "preference_learning_enabled",
    "privacy_mode_enabled",
)


def test_every_switch_is_kept_as_soon_as_it_is_turned(newcomer: Person, page_as: PageAs, language: str) -> None:
    page, words = page_as(newcomer), words_in(language)
    go(page, "/settings")
    before = newcomer.get("/memory/settings")
    for name in SWITCHES:
        switch = page.get_by_role("switch", name=words(f"settings:switch.{name}.name"))
        expect(switch).to_have_accessible_description(
            f"{words(f'settings:switch.{name}.on')} {words(f'settings:switch.{name}.off')}"
        )
        expect(switch).to_be_checked(checked=before[name])
        switch.press("Space")
        expect(switch).to_be_checked(checked=not before[name])
    expect(page.get_by_text(words("settings:saved"))).to_have_count(len(SWITCHES))
    page.get_by_role("textbox", name=words("settings:threshold.name")).fill("5")
    expect(page.get_by_text(words("settings:saved"))).to_have_count(len(SWITCHES) + 1)
    after = newcomer.get("/memory/settings")
    assert {name: after[name] for name in SWITCHES} == {name: not before[name] for name in SWITCHES}
    assert after["preference_learning_threshold"] == 5


def test_a_switch_that_could_not_be_kept_goes_back_and_says_why(
    newcomer: Person, page_as: PageAs, language: str
) -> None:
    page, words = page_as(newcomer), words_in(language)
    go(page, "/settings")
    page.route("**/api/v1/memory/settings", lambda route: route.abort())
    switch = page.get_by_role("switch", name=words("settings:switch.longterm_enabled.name"))
    switch.press("Space")
    expect(page.get_by_role("alert").filter(has_text=words("problems.unreachable")).first).to_be_visible()
    expect(switch).to_be_checked()


def test_what_feedback_taught_is_counted_and_goes_with_undo(talker: Person, page_as: PageAs, language: str) -> None:
    page, words = page_as(talker), words_in(language)
    go(page, "/settings")
    length = words("settings:counters.action.reject", label=words("settings:counters.label.length"))
    learning = page.get_by_role("region", name=words("settings:learning.title"))
    expect(learning.get_by_role("listitem").filter(has_text=length)).to_contain_text(
        words("settings:counters.times", count=3)
    )
    [learned] = talker.get("/memory/preferences")["learned_memory_ids"]
    content = talker.get(f"/memory/long_term/{learned}")["content"]
    expect(learning.get_by_role("link", name=content)).to_be_visible()

    forget = page.get_by_role("button", name=words("settings:clear.do"))
    forget.click()
    expect(page.get_by_text(words("forgetting:hidden"), exact=True)).to_be_visible()
    expect(learning.get_by_text(words("settings:counters.nothing"))).to_be_visible()
    page.get_by_role("button", name=words("forgetting:undo")).click()
    expect(learning.get_by_role("link", name=content)).to_be_visible()

    forget.click()
    expect(learning.get_by_text(words("settings:counters.nothing"))).to_be_visible()
    [operation] = [one for one in talker.get("/memory/ops") if one["status"] != "cancelled"]
    wait_for(
        lambda: talker.get(f"/memory/ops/{operation['id']}")["status"] == "succeeded",
        seconds=60,
        what="the verified forget",
    )
    assert content not in talker.memories()


def test_language_and_colours_are_kept_in_this_browser(newcomer: Person, page_as: PageAs, language: str) -> None:
    page, words = page_as(newcomer), words_in(language)
    other = words_in("en" if language == "zh" else "zh")
    go(page, "/settings")
    page.get_by_role("radiogroup", name=words("settings:appearance.language")).get_by_text(
        "English" if other.language == "en" else "中文"
    ).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(other("places.settings.long"))
    page.get_by_role("radiogroup", name=other("colours.label")).get_by_text(other("colours.dark")).click()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text(other("places.settings.long"))
    html = page.locator("html")
    expect(html).to_have_attribute("lang", "en" if other.language == "en" else "zh-CN")
    expect(html).to_have_attribute("data-mantine-color-scheme", "dark")
