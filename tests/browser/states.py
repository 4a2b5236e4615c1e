"""Every screen, and what can be open on it: each state is reached as a person reaches it.

The accessibility checks look at all of them, and `make screenshots` takes their pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.browser.browsing import go, settled
from tests.browser.people import Person
from tests.browser.words import Words, words_in

PLACES: Final = ("chat", "conversation", "memories", "sees", "data", "settings")
DATA_SECTIONS: Final = ("something", "conversation", "everything", "export", "import", "operations")
WIDE: Final = 768
"""From so many pixels on nothing hides in menus."""
NO_RECEIPT: Final = "/receipts/00000000-0000-7000-8000-000000000000"


@dataclass(frozen=True)
class Visit:
    """Somebody at a page."""

    page: Page
    person: Person

    @property
    def words(self) -> Words:
        return words_in(self.person.language)

    def go(self, path: str) -> None:
        go(self.page, path)

    def button(self, text: str, **values: object) -> Locator:
        return self.page.get_by_role("button", name=self.words(text, **values), exact=True)

    def dialog(self) -> Locator:
        """Return what is open over the page, once it is."""
        dialog = self.page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        expect(dialog.locator("[class*=Skeleton]")).to_have_count(0)
        return dialog


def narrow(page: Page) -> bool:
    """Whether controls hide in menus, for lack of room."""
    size = page.viewport_size
    return size is not None and size["width"] < WIDE


Show = Callable[[Visit], None]


@dataclass(frozen=True)
class State:
    name: str
    show: Show
    narrow_only: bool = False


STATES: list[State] = []


def state(show: Show) -> Show:
    """Count a function among the states, under its name."""
    STATES.append(State(show.__name__.replace("_", "-"), show))
    return show


def narrow_state(show: Show) -> Show:
    """Count one that narrow windows alone have."""
    STATES.append(State(show.__name__.replace("_", "-"), show, narrow_only=True))
    return show


def short_talk(visit: Visit) -> str:
    """Return the address of a conversation that fits on a page."""
    title = visit.person.sample.talks[0].title
    [found] = [one["id"] for one in visit.person.get("/conversations") if one["title"] == title]
    return f"/chat/{found}"


@state
def chat(visit: Visit) -> None:
    visit.go(short_talk(visit))
    expect(visit.page.get_by_text(visit.person.sample.talks[0].turns[-1][1])).to_be_visible()


@state
def chat_new(visit: Visit) -> None:
    visit.go("/chat/new")
    expect(visit.page.get_by_text(visit.words("chat:starter.first"))).to_be_visible()


@state
def chat_not_remembered(visit: Visit) -> None:
    visit.go("/chat/new")
    visit.page.get_by_role("switch", name=visit.words("chat:remember.off")).check()
    expect(visit.page.get_by_text(visit.words("chat:remember.offMeans"))).to_be_visible()


@state
def chat_answer(visit: Visit) -> None:
    """A question is answered from what is remembered, and its sources are open."""
    visit.go("/chat/new")
    field = visit.page.get_by_role("textbox", name=visit.words("chat:composer.message"))
    field.fill(visit.person.sample.question)
    field.press("Enter")
    one, several = (visit.words.pattern("chat:used.some", count=count) for count in (1, 2))
    used = visit.page.get_by_role("button", name=several).or_(visit.page.get_by_role("button", name=one))
    used.click()
    expect(visit.page.get_by_role("link", name=visit.words("chat:source.memory")).first).to_be_visible()


def first_message_menu(visit: Visit) -> None:
    chat(visit)
    visit.button("chat:message.menu").first.click()
    expect(visit.page.get_by_role("menu")).to_be_visible()


@state
def chat_message_menu(visit: Visit) -> None:
    first_message_menu(visit)


@state
def chat_derived(visit: Visit) -> None:
    first_message_menu(visit)
    visit.page.get_by_role("menuitem", name=visit.words("chat:message.derived")).click()
    expect(visit.dialog().get_by_role("article").first).to_be_visible()


@state
def chat_forget_message(visit: Visit) -> None:
    first_message_menu(visit)
    visit.page.get_by_role("menuitem", name=visit.words("chat:message.forget")).click()
    expect(visit.dialog().get_by_role("heading", name=visit.words("forgetting:goes"))).to_be_visible()


@state
def chat_conversation_menu(visit: Visit) -> None:
    """What can be done with a conversation, from the list of all of them."""
    chat(visit)
    place = visit.page.get_by_role("navigation", name=visit.words("chat:conversations.title"))
    if visit.page.get_by_role("button", name=visit.words("chat:conversations.show")).is_visible():
        visit.button("chat:conversations.show").click()
    title = visit.person.sample.talks[0].title
    place.get_by_role("button", name=visit.words("chat:conversations.menu", name=title), exact=True).click()
    expect(visit.page.get_by_role("menuitem", name=visit.words("chat:conversation.delete"))).to_be_visible()


@narrow_state
def chat_conversations(visit: Visit) -> None:
    chat(visit)
    visit.button("chat:conversations.show").click()
    expect(visit.dialog().get_by_role("link").first).to_be_visible()


@state
def conversation(visit: Visit) -> None:
    title = visit.person.sample.talks[-1].title
    [longest] = [one["id"] for one in visit.person.get("/conversations") if one["title"] == title]
    visit.go(f"/conversation/{longest}")
    expect(visit.page.get_by_role("heading", name=visit.words("conversation:recent.title"))).to_be_visible()


@state
def memories(visit: Visit) -> None:
    visit.go("/memories")
    expect(visit.page.get_by_role("list", name=visit.words("memories:list.label"), exact=True)).to_be_visible()


@state
def memories_found(visit: Visit) -> None:
    visit.go("/memories")
    visit.page.get_by_role("searchbox").fill(visit.person.sample.question)
    expect(visit.page.get_by_role("heading", name=visit.words("memories:search.title"))).to_be_visible()
    expect(visit.page.locator("main").get_by_role("article").first).to_be_visible()


@state
def memories_not_found(visit: Visit) -> None:
    visit.go("/memories")
    visit.page.get_by_role("searchbox").fill("0123456789")
    expect(visit.page.get_by_role("heading", name=visit.words("memories:search.title"))).to_be_visible()
    settled(visit.page)


@narrow_state
def memories_filter(visit: Visit) -> None:
    visit.go("/memories")
    visit.button("memories:facet.open").click()
    visit.dialog()


def card(visit: Visit) -> Locator:
    """Return the newest memory."""
    memories(visit)
    cards = visit.page.get_by_role("list", name=visit.words("memories:list.label"), exact=True)
    return cards.get_by_role("listitem").first


@state
def memories_picked(visit: Visit) -> None:
    """Two memories are picked out of the list."""
    memories(visit)
    visit.button("memories:pick.start").click()
    boxes = visit.page.locator("main").get_by_role("listitem").get_by_role("checkbox")
    boxes.nth(0).check()
    boxes.nth(1).check()
    expect(visit.page.get_by_text(visit.words("memories:pick.picked", count=2))).to_be_visible()


@state
def memories_picked_consequences(visit: Visit) -> None:
    memories_picked(visit)
    visit.button("memories:pick.forget").click()
    expect(visit.dialog().get_by_role("heading", name=visit.words("forgetting:goes"))).to_be_visible()


@state
def memories_why(visit: Visit) -> None:
    card(visit).get_by_role("button", name=visit.words("memories:act.why")).click()
    expect(visit.dialog().get_by_role("heading", name=visit.words("memories:why.effect"))).to_be_visible()


@state
def memories_edit(visit: Visit) -> None:
    newest, edit = card(visit), visit.words("memories:act.edit")
    if narrow(visit.page):
        newest.get_by_role("button", name=visit.words("memories:act.more")).click()
        visit.page.get_by_role("menuitem", name=edit).click()
    else:
        newest.get_by_role("button", name=edit).click()
    expect(visit.dialog().get_by_label(visit.words("memories:form.content"))).to_be_visible()


@state
def memories_add(visit: Visit) -> None:
    visit.go("/memories")
    visit.button("memories:add.open").click()
    expect(visit.dialog().get_by_label(visit.words("memories:form.content"))).to_be_visible()


@state
def documents(visit: Visit) -> None:
    if not visit.person.get("/documents"):
        lease = b"# Lease\n\nThe lease ends on 30 June.\n"
        headers = {"Content-Type": "text/markdown", "Content-Disposition": 'attachment; filename="lease.md"'}
        visit.person.api.post("/api/v1/documents", content=lease, headers=headers).raise_for_status()
    visit.go("/memories/documents")
    expect(visit.page.get_by_role("article", name="lease.md")).to_be_visible()


@state
def documents_text(visit: Visit) -> None:
    documents(visit)
    visit.button("documents:look").click()
    expect(visit.dialog().get_by_text("The lease ends on 30 June.")).to_be_visible()


@state
def traits(visit: Visit) -> None:
    visit.go("/memories/traits")
    expect(visit.page.get_by_role("heading", name=visit.words("traits:shelf.behavior"))).to_be_visible()


@state
def traits_forming(visit: Visit) -> None:
    """What is forming is open, and what can be done with it."""
    traits(visit)
    visit.page.get_by_text(visit.words("traits:forming.title")).click()
    visit.button("traits:act.more").last.click()
    expect(visit.page.get_by_role("menu")).to_be_visible()


@state
def traits_why(visit: Visit) -> None:
    """Why a habit is seen: messages and a memory."""
    traits(visit)
    habits = visit.page.get_by_role("region", name=visit.words("traits:shelf.behavior"))
    habits.get_by_role("button", name=visit.words("traits:act.why")).last.click()
    dialog = visit.dialog()
    expect(dialog.get_by_role("heading", name=visit.words("traits:why.for"))).to_be_visible()
    expect(dialog.get_by_role("heading", name=visit.words("traits:why.grew"))).to_be_visible()


@state
def traits_why_preference(visit: Visit) -> None:
    """Why a preference is seen: the habits it rests on."""
    traits(visit)
    preferences = visit.page.get_by_role("region", name=visit.words("traits:shelf.preference"))
    preferences.get_by_role("button", name=visit.words("traits:act.why")).click()
    expect(visit.dialog().get_by_role("heading", name=visit.words("traits:why.restsOn"))).to_be_visible()


@state
def traits_edit(visit: Visit) -> None:
    traits(visit)
    visit.button("traits:act.more").first.click()
    visit.page.get_by_role("menuitem", name=visit.words("traits:act.edit")).click()
    expect(visit.dialog().get_by_label(visit.words("traits:edit.label"))).to_be_visible()


@state
def traits_clear(visit: Visit) -> None:
    """All that is inferred is about to be forgotten."""
    traits(visit)
    visit.button("traits:clear.open").click()
    expect(visit.dialog().get_by_role("heading", name=visit.words("forgetting:goes"))).to_be_visible()


@state
def sees(visit: Visit) -> None:
    visit.go("/sees")
    expect(visit.page.get_by_role("heading", name=visit.words("sees:leftOut.name"))).to_be_visible()


@state
def sees_question(visit: Visit) -> None:
    """A question is asked, and everything that can be opened is open."""
    visit.go("/sees")
    page, words = visit.page, visit.words
    page.get_by_text(words("sees:choices.label")).click()
    choice = page.get_by_label(words("sees:choices.conversation"))
    choice.select_option(label=visit.person.sample.talks[0].title)
    page.get_by_role("textbox", name=words("sees:question.label")).fill(visit.person.sample.question)
    visit.button("sees:question.ask").click()
    expect(page.get_by_text(words("sees:mode.semantic"))).to_be_visible()
    page.get_by_text(words("sees:nearness.label")).first.click()
    page.get_by_text(words.pattern("sees:leftOut.why.in_window")).click()
    page.get_by_text(words("sees:raw.label")).click()
    expect(page.get_by_role("region", name=words("sees:raw.label"))).to_be_visible()


def find(visit: Visit, sentence: str) -> None:
    visit.go("/data/something")
    visit.page.get_by_role("textbox", name=visit.words("data:something.label")).fill(sentence)
    visit.button("data:something.find").click()


@state
def data_something(visit: Visit) -> None:
    visit.go("/data/something")


@state
def data_found(visit: Visit) -> None:
    find(visit, visit.person.sample.about_to_forget)
    expect(visit.button("data:found.see")).to_be_visible()


@state
def data_nothing_found(visit: Visit) -> None:
    find(visit, "xylophone 0123456789")
    expect(visit.page.get_by_text(visit.words("data:nothing.nothing_matches"))).to_be_visible()


@state
def data_consequences(visit: Visit) -> None:
    data_found(visit)
    visit.button("data:found.see").click()
    expect(visit.dialog().get_by_role("heading", name=visit.words("forgetting:goes"))).to_be_visible()


@state
def data_conversation(visit: Visit) -> None:
    visit.go("/data/conversation")


@state
def data_forget_conversation(visit: Visit) -> None:
    visit.go("/data/conversation")
    visit.button("data:conversation.forgetNamed", name=visit.person.sample.talks[0].title).click()
    expect(visit.dialog().get_by_role("heading", name=visit.words("forgetting:goes"))).to_be_visible()


@state
def data_everything(visit: Visit) -> None:
    visit.go("/data/everything")
    visit.page.get_by_role("textbox", name=visit.words("data:everything.type")).fill(phrase(visit.words))
    expect(visit.button("data:everything.forget")).to_be_enabled()


def phrase(words: Words) -> str:
    """Return what must be typed before everything is forgotten."""
    return "忘掉一切" if words.language == "zh" else "FORGET EVERYTHING"


@state
def data_export(visit: Visit) -> None:
    """Something was exported and can be downloaded; the next is to be one conversation."""
    visit.person.exported()
    visit.go("/data/export")
    expect(visit.page.get_by_role("link", name=visit.words("data:package.download")).first).to_be_visible()
    visit.page.get_by_label(visit.words("data:export.scopes.conversation"), exact=True).check()
    expect(visit.page.get_by_label(visit.words("data:export.which"))).to_be_visible()


def ask_to_export(visit: Visit) -> Locator:
    """Ask for what the form says; return the dialog that asks back."""
    visit.button("data:export.do").click()
    return visit.dialog()


@state
def data_export_everything(visit: Visit) -> None:
    """Everything is about to leave, and is counted."""
    visit.go("/data/export")
    dialog = ask_to_export(visit)
    expect(dialog.get_by_role("button", name=visit.words("data:confirm.do"), exact=True)).to_be_enabled()


@state
def data_export_conversation(visit: Visit) -> None:
    visit.go("/data/export")
    visit.page.get_by_label(visit.words("data:export.scopes.conversation"), exact=True).check()
    expect(visit.page.get_by_label(visit.words("data:export.which"))).to_be_visible()
    ask_to_export(visit)


@state
def data_import(visit: Visit) -> None:
    visit.go("/data/import")


def offer_file(visit: Visit, content: bytes, name: str = "memory.zip") -> None:
    """Choose a file to import."""
    visit.go("/data/import")
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    visit.page.locator("input[type=file]").set_input_files(file)


@state
def data_import_preview(visit: Visit) -> None:
    offer_file(visit, visit.person.exported())
    expect(visit.page.get_by_role("rowheader", name=visit.words("data:preview.present"))).to_be_visible()


@state
def data_import_refused(visit: Visit) -> None:
    offer_file(visit, b"%PDF-1.7 nothing to import", "report.zip")
    expect(visit.page.get_by_role("alert")).to_contain_text(visit.words("data:refused.package_unknown_format"))


@state
def data_operations(visit: Visit) -> None:
    visit.go("/data/operations")
    visit.page.get_by_role("button", name=visit.words.pattern("data:operations.steps")).first.click()


@state
def data_operation_details(visit: Visit) -> None:
    visit.go("/data/operations")
    visit.button("data:operations.details").first.click()
    visit.dialog()


@state
def settings(visit: Visit) -> None:
    visit.go("/settings")
    expect(visit.button("settings:clear.do")).to_be_visible()
    expect(visit.button("consent:choose").or_(visit.button("consent:change"))).to_be_visible()


@state
def settings_consent_dialog(visit: Visit) -> None:
    settings(visit)
    visit.button("consent:choose").or_(visit.button("consent:change")).click()
    expect(visit.dialog().get_by_role("checkbox")).to_have_count(4)


@state
def receipt(visit: Visit) -> None:
    [done] = [one for one in visit.person.get("/memory/ops") if one["receipt_id"] and one["status"] == "succeeded"]
    visit.go(f"/receipts/{done['receipt_id']}")
    expect(visit.page.get_by_role("heading", name=visit.words("receipt:proof.title"))).to_be_visible()


@state
def receipt_none(visit: Visit) -> None:
    visit.go(NO_RECEIPT)
    expect(visit.page.get_by_role("heading", name=visit.words("receipt:none.title"))).to_be_visible()
