"""What the browser itself enforces and measures: the content policy, less motion, the size of what is loaded."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.browsing import go, settled, unanswered
from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import PLACES, STATES, Visit, memories_why
from tests.browser.words import words_in

QUICK_MILLISECONDS = 50

MEANT = ("status of 404", "status of 422")
"""The receipt that is not there, and the file that is none to import."""
REFUSALS = "addEventListener('securitypolicyviolation', event => console.error('refused: ' + event.violatedDirective))"


def test_nothing_breaks_the_content_policy_and_nothing_is_asked_elsewhere(
    known: dict[str, Person], page_as: PageAs
) -> None:
    person = known["en"]
    page = page_as(person)
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    errors: list[str] = []
    asked: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(meant in message.text for meant in MEANT):
            errors.append(message.text)

    page.add_init_script(REFUSALS)
    page.on("console", hear)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    visit = Visit(page, person)
    for state in STATES:
        if not state.narrow_only:
            state.show(visit)
    assert errors == []
    assert [url for url in asked if not url.startswith((f"{origin}/", "data:", "blob:"))] == []
    answer = page.request.get("/")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy
    assert "unsafe-eval" not in policy


def test_the_policy_is_enforced(known: dict[str, Person], page_as: PageAs) -> None:
    page = page_as(known["en"])
    page.add_init_script(REFUSALS)
    go(page, "/settings")
    with page.expect_console_message(lambda message: message.text.startswith("refused: script-src")):
        page.evaluate("document.head.append(Object.assign(document.createElement('script'), {text: '1'}))")


ANIMATED = """() => document.getAnimations()
  .filter(one => one.playState === 'running' && one.effect.getComputedTiming().duration > 50)
  .map(one => (one.animationName ?? one.transitionProperty) + ' on ' + one.effect.target.className)"""


def test_whoever_asked_for_less_motion_sees_none(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    person = known[language]
    page = page_as(person, calm=True)
    visit = Visit(page, person)
    with unanswered(page, re.compile(r"/api/v1/memory/long_term\?")):
        page.goto("/memories")
        expect(page.get_by_text(visit.words("loadingLong")).first).to_be_visible()
        assert page.evaluate(ANIMATED) == []
    memories_why(visit)
    assert page.evaluate(ANIMATED) == []
    page.keyboard.press("Escape")
    assert page.evaluate(ANIMATED) == []


def _entry(page: Page, kind: str, name: str) -> float:
    found: float = page.evaluate(
        """([kind, name]) => new Promise(resolve =>
          new PerformanceObserver(list => {
            const entry = list.getEntriesByName(name)[0];
            if (entry) resolve(entry.startTime);
          }).observe({type: kind, buffered: true}))""",
        [kind, name],
    )
    return found


INTERACTIONS = """() => {
  window.interactions = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (entry.interactionId) window.interactions.push(entry.duration);
  }).observe({type: 'event', durationThreshold: 16, buffered: false});
}"""


def test_how_soon_something_is_seen_and_answered(known: dict[str, Person], page_as: PageAs) -> None:
    """Printed, not judged: how fast it is depends on the machine."""
    person, words = known["en"], words_in("en")
    page = page_as(person)
    for place in PLACES:
        page.goto(f"/{place}")
        paint = _entry(page, "paint", "first-contentful-paint")
        settled(page)
        ready = page.evaluate("performance.now()")
        print(f"\n/{place}: first contentful paint {paint:.0f} ms, complete within {ready:.0f} ms", end="")
        assert paint > 0
    go(page, "/memories")
    page.evaluate(INTERACTIONS)
    page.get_by_role("searchbox").press_sequentially("peanuts", delay=QUICK_MILLISECONDS)
    page.get_by_role("button", name=words("memories:add.open"), exact=True).click()
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("link", name=words("places.settings.long")).click()
    page.wait_for_url(re.compile("/settings$"))
    settled(page)
    took = sorted(page.evaluate("window.interactions"))
    print(f"\ninteractions of 16 ms and more: {took or 'none'} ms (the longest is what INP calls it)")
