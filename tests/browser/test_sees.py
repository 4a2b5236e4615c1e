"""What the assistant sees: the prompt for a question, part by part, in both languages."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.browsing import go
from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.words import words_in
from tests.e2e.conftest import Stack
from tests.e2e.test_failure_matrix import hanging


def test_a_question_shows_what_would_be_given_why_and_what_was_left_out(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    person, words = known[language], words_in(language)
    page = page_as(person)
    go(page, "/sees")
    expect(page.get_by_text(words("sees:shortage.empty_query"))).to_be_visible()

    page.get_by_text(words("sees:choices.label")).click()
    page.get_by_label(words("sees:choices.conversation")).select_option(label=person.sample.talks[0].title)
    page.get_by_role("textbox", name=words("sees:question.label")).fill(person.sample.question)
    page.get_by_role("button", name=words("sees:question.ask")).click()

    expect(page.get_by_text(words("sees:mode.semantic"))).to_be_visible()
    always = page.get_by_role("region", name=words("sees:part.stable.name"))
    expect(always.get_by_role("listitem").filter(has_text=words("sees:why.safety"))).to_have_count(person.sample.safety)
    expect(always.get_by_text(re.compile("[0-9a-f]{12}"))).to_be_visible()
    nearest = page.get_by_role("region", name=words("sees:part.retrieved.name")).get_by_role("listitem").first
    nearest.get_by_text(words("sees:nearness.label")).click()
    expect(nearest.get_by_text(words("sees:nearness.total"))).to_be_visible()
    window = page.get_by_role("region", name=words("sees:part.window.name"))
    expect(window.get_by_role("listitem")).to_have_count(2 * len(person.sample.talks[0].turns))
    left_out = page.get_by_role("region", name=words("sees:leftOut.name"))
    left_out.get_by_text(words.pattern("sees:leftOut.why.in_window")).click()
    expect(left_out.get_by_role("listitem").first).to_be_visible()

    assert person.sample.question not in page.url
    assert person.sample.question not in page.title()
    page.get_by_text(words("sees:raw.label")).click()
    prompt = page.get_by_role("region", name=words("sees:raw.label"))
    for memory in always.get_by_role("listitem").locator("p.words").all_inner_texts():
        expect(prompt).to_contain_text(memory)


def test_a_block_leads_to_its_memory(known: dict[str, Person], page_as: PageAs, language: str) -> None:
    page, words = page_as(known[language]), words_in(language)
    go(page, "/sees")
    block = page.get_by_role("region", name=words("sees:part.stable.name")).get_by_role("listitem").first
    content = block.locator("p.words").inner_text()
    block.get_by_role("link", name=words("sees:openNamed", content=content)).click()
    page.wait_for_url(re.compile("/memories/[0-9a-f-]{36}$"))
    expect(page.get_by_text(content).first).to_be_visible()


def test_the_order_is_said_to_be_fixed_while_the_search_index_is_away(
    stack: Stack, known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    person, words = known[language], words_in(language)
    page = page_as(person)
    go(page, "/sees")
    with hanging(stack, "milvus"):
        page.get_by_role("textbox", name=words("sees:question.label")).fill(person.sample.question)
        page.keyboard.press("Enter")
        expect(page.get_by_text(words("sees:trouble.milvus_unavailable"))).to_be_visible(timeout=30_000)
        expect(page.get_by_role("region", name=words("sees:part.stable.name"))).to_be_visible()
