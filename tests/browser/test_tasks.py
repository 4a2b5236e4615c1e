"""What people come for, from beginning to end, in both languages."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.browsing import go, sign_in
from tests.browser.conftest import PageAs
from tests.browser.people import Person
from tests.browser.states import Visit, chat_conversation_menu, data_found, phrase
from tests.browser.words import words_in
from tests.e2e.conftest import wait_for

SAID = {"en": "I'm allergic to peanuts.", "zh": "我对花生过敏。"}
EDITED = {"en": "I'm allergic to peanuts and cashews.", "zh": "我对花生和腰果过敏。"}
CHANGED = {
    "en": ("I live in Berlin.", "I live in Lisbon now."),
    "zh": ("我住在北京。", "我现在住在上海。"),
}
SECONDS = 60
MILLISECONDS = SECONDS * 1000


def say(visit: Visit, words: str) -> None:
    """Say something in a new conversation, and wait until it was answered and recorded."""
    visit.go("/chat/new")
    visit.page.get_by_role("textbox", name=visit.words("chat:composer.message")).fill(words)
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url(re.compile("/chat/[0-9a-f-]{36}$"))
    expect(visit.page.get_by_text(visit.words("chat:responder.means"))).to_be_visible(timeout=MILLISECONDS)


def test_what_is_said_is_remembered_explained_put_right_paused_and_forgotten(
    newcomer: Person, page_as: PageAs, language: str
) -> None:
    visit = Visit(page_as(newcomer), newcomer)
    page, words = visit.page, visit.words
    say(visit, SAID[language])
    chip = page.get_by_role("list").filter(has=visit.button("chat:learned.keep")).last
    chip.get_by_role("button", name=words("chat:learned.keep")).click(timeout=MILLISECONDS)
    expect(page.get_by_text(words("chat:learned.kept"))).to_be_visible()
    [memory] = newcomer.get("/memory/long_term")
    assert memory["confirmed"]

    page.get_by_role("link", name=words("chat:learned.why")).click()
    page.wait_for_url(f"**/memories/{memory['id']}")
    why = visit.dialog()
    expect(why.get_by_role("blockquote").filter(has_text=SAID[language])).to_be_visible()
    why.get_by_role("button", name=words("memories:act.edit")).click()
    content = page.get_by_label(words("memories:form.content"))
    content.fill(EDITED[language])
    visit.button("memories:edit.save").click()
    expect(content).to_be_hidden()
    expect(why.get_by_text(EDITED[language]).first).to_be_visible()

    why.get_by_role("button", name=words("memories:act.pause")).click()
    expect(why.get_by_text(words("memories:effect.reason.disabled"))).to_be_visible()
    why.get_by_role("button", name=words("memories:act.resume")).click()
    expect(why.get_by_text(words("memories:effect.reason.disabled"))).to_be_hidden()

    why.get_by_role("button", name=words("memories:act.forget")).click()
    expect(page.get_by_text(words("forgetting:hidden"), exact=True)).to_be_visible()
    assert EDITED[language] not in newcomer.memories()
    visit.button("forgetting:undo").click()
    expect(page.get_by_role("article").filter(has_text=EDITED[language])).to_be_visible()
    assert EDITED[language] in newcomer.memories()

    page.get_by_role("article").filter(has_text=EDITED[language]).get_by_role(
        "button", name=words("memories:act.forget")
    ).click()
    gone = re.compile("|".join(map(re.escape, (words("memories:forgotten.done"), words("memories:forgotten.gone")))))
    expect(page.get_by_role("list", name=words("memories:list.label"), exact=True)).to_contain_text(
        gone, timeout=MILLISECONDS
    )
    assert EDITED[language] not in newcomer.memories()


def test_a_memory_is_added_by_hand_and_found_by_meaning(newcomer: Person, page_as: PageAs, language: str) -> None:
    visit = Visit(page_as(newcomer), newcomer)
    page, words = visit.page, visit.words
    visit.go("/memories")
    expect(page.get_by_text(words("memories:empty.nothing"))).to_be_visible()
    visit.button("memories:add.open").click()
    visit.dialog().get_by_label(words("memories:form.content")).fill(SAID[language])
    visit.button("memories:add.save").click()
    expect(page.get_by_role("article").filter(has_text=SAID[language])).to_be_visible()
    [written] = newcomer.get("/memory/long_term")
    explanation = f"/memory/long_term/{written['id']}/explanation"
    wait_for(lambda: newcomer.get(explanation)["effect"]["searchable"], seconds=SECONDS, what="indexing the memory")
    page.get_by_role("searchbox").fill(SAID[language][:-3])
    expect(page.get_by_text(words("memories:search.found", count=1))).to_be_visible()
    expect(page.get_by_role("article").filter(has_text=SAID[language])).to_be_visible()


def test_things_are_forgotten_by_describing_them(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    named = "小明" if talker.language == "zh" else "Frank"
    assert any(named in memory for memory in talker.memories())
    data_found(visit)
    candidates = page.get_by_role("listitem").filter(has=page.get_by_role("checkbox"))
    found = candidates.count()
    assert found >= 3
    for one in candidates.get_by_role("checkbox").all():
        one.check()  # what the reader is not sure of is offered unticked
    offered = " ".join(candidates.all_inner_texts())
    visit.button("data:found.see").click()
    dialog = visit.dialog()
    expect(dialog.get_by_text(words("forgetting:staysTitle"))).to_be_visible()
    dialog.get_by_role("button", name=words("forgetting:forget")).click()
    expect(dialog.get_by_text(words("forgetting:outcome.erased"))).to_be_visible(timeout=MILLISECONDS)
    dialog.get_by_role("button", name=words("forgetting:outcome.done")).click()

    left = [memory for memory in talker.memories() if named in memory]
    assert not [memory for memory in left if memory in offered]
    assert not left or talker.language == "zh"  # of the Chinese sentences the reader does not offer one
    for conversation in talker.get("/conversations"):
        said = talker.get("/messages", conversation_id=conversation["id"], limit=200)
        assert not [one for one in said if named in one["content"] and one["content"] not in left]
    go(page, "/data/operations")
    title = page.get_by_role("article").first.get_by_role("heading", level=3)
    expect(title).to_have_text(words.pattern("operations:doneTo.forget"))  # says how much, not what was asked


def test_a_conversation_is_forgotten_with_what_was_learned_from_it(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    talk = talker.sample.talks[0]
    before = talker.memories()
    assert talk.turns[0][0] in before
    visit.go("/data/conversation")
    visit.button("data:conversation.forgetNamed", name=talk.title).click()
    dialog = visit.dialog()
    expect(dialog.get_by_text(words("forgetting:stays.elsewhere"))).to_be_visible()
    expect(dialog).to_contain_text(words("forgetting:kinds.messages", count=2 * len(talk.turns)))
    dialog.get_by_role("button", name=words("forgetting:keep")).click()
    expect(dialog).to_be_hidden()
    assert talker.memories() == before

    visit.button("data:conversation.forgetNamed", name=talk.title).click()
    visit.dialog().get_by_role("button", name=words("forgetting:forget"), exact=True).click()
    expect(dialog.get_by_text(words("forgetting:outcome.erased"))).to_be_visible(timeout=MILLISECONDS)
    dialog.get_by_role("button", name=words("forgetting:outcome.done")).click()
    expect(page.get_by_text(talk.title)).to_have_count(0)
    assert talk.title not in [one["title"] for one in talker.get("/conversations")]
    assert talk.turns[0][0] not in talker.memories()


def test_deleting_the_open_conversation_shows_its_erasure_and_then_its_receipt(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    chat_conversation_menu(visit)
    address = page.url
    page.get_by_role("menuitem", name=words("chat:conversation.delete")).click()
    dialog = visit.dialog()
    dialog.get_by_role("button", name=words("forgetting:forget"), exact=True).click()

    expect(dialog.get_by_text(words("forgetting:outcome.erased"))).to_be_visible(timeout=MILLISECONDS)
    expect(page.get_by_text(words("chat:gone.title"))).to_have_count(0)
    milestones = dialog.get_by_role("list", name=words("operations:milestones.label"))
    expect(milestones).to_contain_text(words("operations:milestones.erased"))
    expect(milestones).to_contain_text(words.pattern("operations:milestones.goneBy"))
    assert page.url != address
    dialog.get_by_role("link", name=words("forgetting:outcome.receipt")).click()
    _receipt_is_there(page, visit)


def test_what_a_message_taught_stays_under_it_when_something_newer_replaced_it(
    newcomer: Person, page_as: PageAs
) -> None:
    visit = Visit(page_as(newcomer), newcomer)
    page, words = visit.page, visit.words
    before, after = CHANGED[newcomer.language]
    talk = newcomer.post("/conversations", {})["id"]
    for said in (before, after):
        turn = [{"role": "user", "content": said}, {"role": "assistant", "content": "OK."}]
        newcomer.post("/messages", {"conversation_id": talk, "messages": turn})
        wait_for(lambda said=said: said in newcomer.memories(), seconds=SECONDS, what="learning")
    visit.go(f"/chat/{talk}")
    message = page.get_by_role("listitem").filter(has=page.get_by_text(before, exact=True)).first
    message.get_by_role("button", name=words("chat:learned.some", count=1)).click()
    expect(message.locator("li")).to_contain_text([words("chat:learned.replacedBy")])
    expect(message.get_by_role("link", name=words("chat:learned.quoted", words=after))).to_be_visible()


def test_everything_goes_after_the_phrase_and_the_receipt_stays(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    visit.go("/data/everything")
    expect(page.get_by_text(words("forgetting:kinds.memories", count=talker.sample.memories))).to_be_visible()
    button = visit.button("data:everything.forget")
    typed = page.get_by_role("textbox", name=words("data:everything.type"))
    typed.fill(phrase(words)[:-1])
    expect(button).to_be_disabled()
    typed.fill(phrase(words))
    button.click()
    expect(page.get_by_role("heading", name=words("data:everything.gone"))).to_be_focused()
    assert talker.memories() == []
    assert talker.get("/conversations") == []
    done = re.compile("|".join(map(re.escape, (words("operations:state.erased"), words("operations:state.gone")))))
    expect(page.locator("main").get_by_text(done)).to_be_visible(timeout=MILLISECONDS)
    page.locator("main").get_by_role("link", name=words("data:operations.receipt")).click()
    _receipt_is_there(page, visit)

    address = page.url
    somebody_else = page_as(None, language=talker.language)
    somebody_else.goto(address)
    _receipt_is_there(somebody_else, visit)
    assert talker.name not in somebody_else.locator("body").inner_text()


def test_an_account_is_closed_and_its_receipt_outlives_it(talker: Person, page_as: PageAs) -> None:
    visit = Visit(page_as(talker), talker)
    page, words = visit.page, visit.words
    visit.go("/data/everything")
    page.get_by_role("checkbox", name=words("data:everything.close")).check()
    page.get_by_role("textbox", name=words("data:everything.type")).fill(phrase(words))
    visit.button("data:everything.forgetAndClose").click()
    page.wait_for_url(re.compile("/receipts/[0-9a-f-]{36}$"))
    _receipt_is_there(page, visit)
    page.goto("/")
    expect(page.get_by_role("button", name=words("signIn:enter"))).to_be_visible()


def _receipt_is_there(page: Page, visit: Visit) -> None:
    words = visit.words
    expect(page.get_by_text(words("receipt:verdict.proven"))).to_be_visible(timeout=MILLISECONDS)
    expect(page.get_by_role("heading", name=words("receipt:counts.title"))).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name=words("receipt:proof.download")).click()
    assert download.value.suggested_filename.endswith(".json")


def test_typed_words_appear_at_the_caret_and_remain_after_visiting_another_screen(
    newcomer: Person, page_as: PageAs
) -> None:
    visit = Visit(page_as(newcomer), newcomer)
    page, words = visit.page, visit.words
    visit.go("/chat/new")
    field = page.get_by_role("textbox", name=words("chat:composer.message"))
    field.click()
    page.keyboard.type("a fast horse")
    for _ in " horse":
        page.keyboard.press("ArrowLeft")
    page.keyboard.type(", patient", delay=20)
    expect(field).to_have_value("a fast, patient horse")
    page.get_by_role("link", name=words("places.settings.long")).click()
    page.get_by_role("link", name=words("places.chat.long")).first.click()
    expect(field).to_have_value("a fast, patient horse")


def test_a_conversation_that_is_not_remembered_teaches_nothing(
    newcomer: Person, page_as: PageAs, language: str
) -> None:
    visit = Visit(page_as(newcomer), newcomer)
    page, words = visit.page, visit.words
    visit.go("/chat/new")
    page.get_by_role("switch", name=words("chat:remember.off")).check()
    page.get_by_role("textbox", name=words("chat:composer.message")).fill(SAID[language])
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("chat:learned.nothing"))).to_be_visible(timeout=MILLISECONDS)
    assert newcomer.memories() == []
    [conversation] = newcomer.get("/conversations")
    assert not conversation["remember"]


def test_a_token_signs_in_and_signing_out_leaves_nothing(
    known: dict[str, Person], page_as: PageAs, language: str
) -> None:
    person = known[language]
    visit = Visit(page_as(None, language=language), person)
    page, words = visit.page, visit.words
    page.goto("/memories")
    page.get_by_label(words("signIn:token"), exact=True).fill(person.token)
    visit.button("signIn:enter").click()
    expect(page.get_by_role("list", name=words("memories:list.label"), exact=True)).to_be_visible()
    visit.button("person", person=person.name).click()
    page.get_by_role("menuitem", name=words("signOut")).click()
    expect(visit.button("signIn:enter")).to_be_visible()
    assert page.context.cookies() == []
    assert person.sample.talks[0].turns[0][0] not in page.content()


def test_a_link_opened_over_the_page_that_asks_for_it_signs_in(known: dict[str, Person], page_as: PageAs) -> None:
    page = page_as(None)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()

    sign_in(page, known["en"].token, words_in("en"))

    assert "#" not in page.url
