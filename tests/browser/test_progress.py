"""A forget as it goes on, watched: the search index stands still, dies, and comes back."""

from __future__ import annotations

import os
import re
import signal

from playwright.sync_api import expect

from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import Visit
from tests.e2e.conftest import Stack, wait_for
from tests.e2e.test_failure_matrix import hanging

SECONDS = 120


def test_a_forget_reports_its_status_while_the_search_index_is_down_and_after(
    stack: Stack, talker: Person, page_as: PageAs
) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    talk = talker.sample.talks[0]
    milvus = stack.pid("milvus")
    with hanging(stack, "milvus"):
        visit.go("/data/conversation")
        visit.button("data:conversation.forgetNamed", name=talk.title).click()
        dialog = visit.dialog()
        dialog.get_by_role("button", name=words("forgetting:forget"), exact=True).click()
        expect(dialog.get_by_text(words("forgetting:outcome.hidden"))).to_be_visible()
        dialog.get_by_role("link", name=words("forgetting:outcome.follow")).click()

        operation = page.get_by_role("article").first
        milestones = operation.get_by_role("list", name=words("operations:milestones.label"))
        reached = milestones.locator("[data-reached]")
        expect(reached).to_have_count(1)
        expect(reached).to_contain_text(words("operations:milestones.hidden"))
        away = words("operations:errors.milvus_unavailable")
        expect(operation).to_contain_text(away, timeout=60_000)
        bar = page.get_by_role("region", name=words("operations:bar.label"))
        expect(bar).to_contain_text(words("operations:doing.forget_conversation"))
        visit.go("/memories")
        expect(bar).to_contain_text(away)
        assert talk.turns[0][0] not in page.locator("main").inner_text()
        visit.go("/data/operations")
        os.kill(milvus, signal.SIGKILL)  # as a crash would: the launcher starts another

    wait_for(lambda: stack.pid("milvus") not in (0, milvus), seconds=60, what="another search index")
    expect(bar).to_contain_text(words("operations:done.forget_conversation"), timeout=SECONDS * 1000)
    reached = page.get_by_role("article").first.locator("[data-reached]")
    expect(reached.filter(has_text=words("operations:milestones.erased"))).to_be_visible()
    erased = re.compile("|".join(map(re.escape, (words("operations:state.erased"), words("operations:state.gone")))))
    expect(page.get_by_role("article").first.get_by_text(erased)).to_be_visible()
    expect(bar).to_be_hidden()
    [operation_id] = [one["id"] for one in talker.get("/memory/ops")]
    assert talker.has_forgotten(operation_id)
    wait_for(stack.is_ready, seconds=60, what="the whole installation")
