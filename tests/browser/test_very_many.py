"""Very many memories: the list scrolls, keeps few cards in the page, and reaches the last one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from services.cli.installation import running_database_url
from shared.kernel.database import Database
from tests.browser.browsing import go
from tests.browser.conftest import PageAs
from tests.browser.people import Person, someone
from tests.browser.words import words_in
from tests.e2e.conftest import Stack
from tests.support.seeding import very_many

COUNTS = (2_000, pytest.param(10_000, marks=pytest.mark.full))
PAGES = 60
IN_THE_PAGE = 60
SCROLLING = """pages => new Promise(resolve => {
  const frames = [];
  let before = performance.now();
  let left = pages;
  const step = now => {
    frames.push(now - before);
    before = now;
    if (left-- <= 0) return resolve(frames.slice(1).sort((a, b) => a - b));
    scrollBy(0, innerHeight * 0.8);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""


@pytest.fixture
def hoarder(stack: Stack, count: int) -> Iterator[Person]:
    """Somebody of whom so many things are remembered, written past the queues."""
    url = running_database_url(stack.data_dir)
    assert url is not None
    database = Database(url, application="test")
    try:
        with someone(stack, "en") as person:
            very_many(database, person.name, count)
            yield person
    finally:
        database.close()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("count", COUNTS)
def test_very_many_memories_scroll(hoarder: Person, page_as: PageAs, count: int) -> None:
    page, words = page_as(hoarder), words_in("en")
    go(page, "/memories")
    cards = page.get_by_role("list", name=words("memories:list.label"), exact=True).get_by_role("article")
    expect(cards.first).to_be_visible()
    frames = page.evaluate(SCROLLING, PAGES)
    median, late, worst = frames[len(frames) // 2], frames[int(len(frames) * 0.95)], frames[-1]
    print(
        f"\n{count} memories, {PAGES} windows: frames {median:.0f} ms, p95 {late:.0f} ms, worst {worst:.0f} ms", end=""
    )
    assert cards.count() <= IN_THE_PAGE

    page.goto("about:blank")
    go(page, "/memories")
    reached = 0
    while reached < count:
        before = reached
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        expect(cards.last).to_be_visible()
        page.wait_for_timeout(50)
        last = page.locator("[aria-posinset]").last
        reached = int(last.get_attribute("aria-posinset") or 0)
        assert cards.count() <= IN_THE_PAGE
        assert reached >= before
    print(f"; the last one was reached, {cards.count()} cards in the page")
    expect(cards.last).to_contain_text("#0")
