"""Consent: nothing ticked, skipped or given, seen, withdrawn one by one and at once; by mouse and by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.accessibility import faults_of
from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import Visit
from tests.browser.test_keyboard import has_focus_in, press
from tests.e2e.conftest import wait_for

CONSENT = "/users/me/profile-consent"


def standing(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = person.get(CONSENT)
    return found


def section(visit: Visit) -> Locator:
    return visit.page.get_by_role("region", name=visit.words("consent:title"), exact=True)


def scope(visit: Visit, inside: Locator, name: str) -> Locator:
    return inside.get_by_role("checkbox", name=visit.words(f"consent:scope.{name}.name"))


def test_nothing_is_ticked_and_skipping_grants_nothing(newcomer: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(newcomer, measures=True), newcomer)
    visit.go("/settings")
    expect(section(visit)).to_contain_text(visit.words("consent:state.new"))
    visit.button("consent:choose").click()
    dialog = visit.dialog()
    boxes = dialog.get_by_role("checkbox")
    expect(boxes).to_have_count(4)
    for box in boxes.all():
        expect(box).not_to_be_checked()
    assert faults_of(visit.page) == []
    dialog.get_by_role("button", name=visit.words("consent:dialog.skip"), exact=True).click()
    expect(visit.page.get_by_role("dialog")).to_have_count(0)
    assert standing(newcomer)["state"] == "new"


@pytest.mark.parametrize("language", ["zh", pytest.param("en", marks=pytest.mark.full)])
def test_consent_is_given_seen_and_withdrawn(newcomer: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(newcomer, measures=True, calm=True), newcomer)
    words = visit.words
    visit.go("/settings")
    visit.button("consent:choose").click()
    dialog = visit.dialog()
    for name in ("create_task", "save_to_profile", "save_to_thread"):
        scope(visit, dialog, name).check()
    dialog.get_by_role("combobox", name=words("consent:research_depth.name")).click()
    visit.page.get_by_role("option", name=words("consent:research_depth.deep"), exact=True).click()
    dialog.get_by_role("textbox", name=words("consent:user_focus_reason.name")).fill("Fees")
    dialog.get_by_role("button", name=words("consent:dialog.save"), exact=True).click()
    expect(visit.page.get_by_role("dialog")).to_have_count(0)
    found = standing(newcomer)
    assert (found["state"], found["consent"]["training_use_allowed"]) == ("granted", False)
    assert found["preferences"] == {"research_depth": "deep", "user_focus_reason": "Fees"}
    expect(section(visit)).to_contain_text(words("consent:research_depth.deep"))

    visit.button("consent:kept.remove", name=words("consent:research_depth.name")).click()
    expect(section(visit)).not_to_contain_text(words("consent:research_depth.deep"))
    assert standing(newcomer)["preferences"] == {"user_focus_reason": "Fees"}

    visit.button("consent:withdrawName", name=words("consent:scope.save_to_profile.name")).click()
    visit.dialog().get_by_role("button", name=words("consent:confirm.keep"), exact=True).click()
    assert standing(newcomer)["preferences"] == {"user_focus_reason": "Fees"}, "what is deleted is asked about first"
    visit.button("consent:withdrawName", name=words("consent:scope.save_to_profile.name")).click()
    assert faults_of(visit.page) == []
    visit.dialog().get_by_role("button", name=words("consent:confirm.do"), exact=True).click()
    expect(section(visit)).not_to_contain_text("Fees")
    assert standing(newcomer)["preferences"] == {}
    assert faults_of(visit.page) == []
    visit.button("consent:withdrawAll").click()
    expect(visit.button("consent:choose")).to_be_visible()
    assert standing(newcomer)["state"] == "revoked"
    section(visit).get_by_role("button", name=words("consent:history.show"), exact=True).click()
    expect(section(visit).get_by_role("listitem")).to_have_count(4)
    wait_for(
        lambda: all(one["status"] == "succeeded" for one in newcomer.get("/memory/ops")),
        seconds=60,
        what="every withdrawal verified",
    )


@pytest.mark.parametrize("language", ["en", pytest.param("zh", marks=pytest.mark.full)])
def test_consent_is_given_and_withdrawn_by_keyboard(newcomer: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(newcomer), newcomer)
    page = visit.page
    visit.go("/settings")
    choose = visit.button("consent:choose")
    press(page, choose)
    dialog = visit.dialog()
    has_focus_in(page, dialog)
    press(page, scope(visit, dialog, "save_to_thread"), "Space")
    press(page, dialog.get_by_role("button", name=visit.words("consent:dialog.save"), exact=True))
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert standing(newcomer)["consent"]["save_to_thread"]
    press(page, visit.button("consent:withdrawAll"))
    expect(choose).to_be_visible()
    assert standing(newcomer)["state"] == "revoked"


def test_a_threads_preferences_are_forgotten_from_its_menu(newcomer: Person, page_as: PageAs) -> None:
    granted = newcomer.post(CONSENT, {"save_to_thread": True})
    thread = newcomer.post(
        "/snapshots/snapshot:1/save-as-thread",
        {
            "title": "SOL",
            "main_thesis": "Fees rise",
            "research_style": "bullets",
            "save_user_context": True,
            "consent_ack": {"consent_id": granted["consent_id"]},
        },
    )["thread_id"]
    visit = Visit(page_as(newcomer), newcomer)
    visit.go(f"/chat/{thread}")
    visit.button("chat:conversation.menu").click()
    visit.page.get_by_role("menuitem", name=visit.words("consent:thread.forget")).click()
    expect(visit.page.get_by_text(visit.words("consent:thread.done"))).to_be_visible()
    [context] = [one for one in newcomer.get("/users/me/contexts") if one["scope"] == "thread"]
    assert context["consent_blocked"]
    visit.button("chat:conversation.menu").click()
    expect(visit.page.get_by_role("menu")).to_be_visible()
    expect(visit.page.get_by_role("menuitem", name=visit.words("consent:thread.forget"))).to_have_count(0)
