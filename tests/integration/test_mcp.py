"""Memory over the Model Context Protocol, with its official client in both protocols, on the real gateway."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.types import (
    ClientCapabilities,
    ElicitationCapability,
    ElicitRequestParams,
    ElicitResult,
    FormElicitationCapability,
    TextContent,
    UrlElicitationCapability,
)

from memory_center_client import AsyncMemoryCenter
from memory_center_client.mcp.server import memory_server
from memory_center_client.mcp.serving import Mode, Serving, Settings
from tests.support.memories import LONG_TERM
from tests.support.workbench import LOCALHOST, Person, Workbench

PROTOCOLS = ("legacy", "2026-07-28")
TOOLS = {
    "recall",
    "list_memories",
    "explain_memory",
    "remember",
    "correct_memory",
    "forget",
    "get_operation",
}

pytestmark = pytest.mark.parametrize("protocol", PROTOCOLS)


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


class Asked:
    """A person who is asked through their client."""

    def __init__(self, action: str = "accept", *, confirm: bool = True) -> None:
        self._answer = ElicitResult(action=action, content={"confirm": confirm} if action == "accept" else None)  # type: ignore[arg-type]
        self.questions: list[str] = []

    async def __call__(self, _: Any, params: ElicitRequestParams) -> ElicitResult:
        self.questions.append(params.message)
        return self._answer


def token_of(person: Person) -> str:
    return person.headers["Authorization"].removeprefix("Bearer ")


@asynccontextmanager
async def connected(
    person: Person, protocol: str, asked: Asked | None = None, *, mode: Mode = "elicit"
) -> AsyncIterator[Client]:
    transport = httpx2.ASGITransport(app=person.bench.api.app)
    async with AsyncMemoryCenter(LOCALHOST, transport=transport) as center:
        settings = Settings(
            center=center, token_of=lambda: token_of(person), web="https://memory.example.org", mode=mode
        )
        async with Client(memory_server(settings), mode=protocol, elicitation_callback=asked) as client:  # type: ignore[arg-type]
            yield client


def talk(
    person: Person, protocol: str, *calls: tuple[str, dict[str, Any]], asked: Asked | None = None, mode: Mode = "elicit"
) -> list[Any]:
    """Call tools one after the other; return what they answered, or the text of an error."""

    async def work() -> list[Any]:
        async with connected(person, protocol, asked, mode=mode) as client:
            return [_read(await client.call_tool(name, given)) for name, given in calls]

    return anyio.run(work)


def _read(result: Any) -> Any:
    if result.is_error:
        [text] = result.content
        assert isinstance(text, TextContent)
        return text.text
    return result.structured_content


def inquire(person: Person, protocol: str, ask: Callable[[Client], Any]) -> Any:
    async def work() -> Any:
        async with connected(person, protocol) as client:
            return await ask(client)

    return anyio.run(work)


def test_there_are_seven_tools_well_described_and_small(ada: Person, protocol: str) -> None:
    listed = inquire(ada, protocol, lambda client: client.list_tools())
    assert {tool.name for tool in listed.tools} == TOOLS
    for tool in listed.tools:
        assert len(tool.description) > 60
        assert tool.output_schema is not None
        assert "user_id" not in json.dumps(tool.input_schema)
        assert tool.annotations.open_world_hint is False
        assert bool(tool.annotations.destructive_hint) == (tool.name in ("forget", "correct_memory"))
    described = [(tool.name, tool.description, tool.input_schema) for tool in listed.tools]
    assert len(json.dumps(described)) < 6_000


def test_what_is_remembered_is_recalled_listed_and_explained(ada: Person, protocol: str) -> None:
    ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    ada.bench.work()
    recalled, listed = talk(ada, protocol, ("recall", {"question": "May I eat satay?"}), ("list_memories", {}))
    [memory] = listed["memories"]
    assert memory["taboo"]
    assert memory["cite_as"] in recalled["context"]
    assert recalled["complete"]
    [explained] = talk(ada, protocol, ("explain_memory", {"memory_id": memory["id"]}))
    assert explained["said"][0]["quote"] in "I'm allergic to peanuts."
    [searched] = talk(ada, protocol, ("list_memories", {"query": "nuts"}))
    assert [one["id"] for one in searched["memories"]] == [memory["id"]]


def test_a_memory_of_a_project_is_explained_within_it_only(ada: Person, protocol: str) -> None:
    memory = ada.post(LONG_TERM, {"content": "We ship on Fridays.", "scope": "project", "project_id": "shop"})["id"]

    async def read(client: Client) -> str:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(f"memory://memories/{memory}")
        return str(refused.value)

    outside, elsewhere, within = talk(
        ada,
        protocol,
        *(("explain_memory", {"memory_id": memory, **named}) for named in ({}, {"project_id": "home"})),
        ("explain_memory", {"memory_id": memory, "project_id": "shop"}),
    )
    assert within["memory"]["content"] == "We ship on Fridays."
    assert "Fridays" not in f"{outside}{elsewhere}{inquire(ada, protocol, read)}"


def test_remembering_twice_is_remembering_once(ada: Person, protocol: str) -> None:
    wanted = ("remember", {"content": "I keep bees.", "content_type": "fact"})
    one, two = talk(ada, protocol, wanted, wanted)
    assert one["id"] == two["id"]
    assert ada.memories() == ["I keep bees."]


def test_what_was_forgotten_or_corrected_can_be_said_again(ada: Person, protocol: str) -> None:
    bees = ("remember", {"content": "I keep bees."})
    [memory] = talk(ada, protocol, bees)
    ada.bench.api.delete(f"/api/v1/memory/long_term/{memory['id']}", headers=ada.headers)
    [again] = talk(ada, protocol, bees)
    assert again["id"] != memory["id"]
    monday = ("remember", {"content": "My gym day is Monday."})
    tuesday = ("correct_memory", {"about": "my gym day", "statement": "My gym day is Tuesday."})
    talk(ada, protocol, monday, tuesday, asked=Asked())
    talk(ada, protocol, monday)
    active = {one["content"] for one in ada.get("/api/v1/memory/long_term") if one["validity"] != "superseded"}
    assert "My gym day is Monday." in active


def test_a_person_sees_all_of_what_they_confirm(ada: Person, protocol: str) -> None:
    asked = Asked("decline")
    [(message, _)] = ada.say(ada.conversation(title="Honey"), ("I   sell honey.", "Noted."))
    [memory] = talk(ada, protocol, ("remember", {"content": "My gym day is Monday."}))
    padded = " " * 150 + "My gym day is Tuesday."
    talk(
        ada,
        protocol,
        ("forget", {"memory_ids": [memory["id"]]}),
        ("forget", {"message_id": message}),
        ("forget", {"conversation_id": ada.get(f"/api/v1/messages/{message}")["conversation_id"]}),
        ("correct_memory", {"about": "my gym day", "statement": padded}),
        ("correct_memory", {"about": "my gym day", "statement": "x" * 201}),
        asked=asked,
    )
    by_id, by_message, by_conversation, correction = asked.questions
    assert by_id == "Forget 1 memory? “My gym day is Monday.”"
    assert "“I sell honey.”" in by_message
    assert "“Honey”" in by_conversation
    assert correction == "Replace “My gym day is Monday.” by “My gym day is Tuesday.”?"


def test_lists_hold_what_the_assistant_may_use_and_filters_hold(ada: Person, protocol: str) -> None:
    path = "/api/v1/memory/long_term"
    for content, kind, taboo in (
        ("I'm allergic to nuts.", "constraint", True),
        ("Nuts are a gift I like.", "preference", False),
    ):
        ada.post(path, {"content": content, "content_type": kind, "taboo": taboo})
    paused = ada.post(path, {"content": "I keep bees."})["id"]
    changed = ada.post(path, {"content": "I live in Riga."})["id"]
    for memory, change in ((paused, {"disabled": True}), (changed, {"content": "I live in Oslo."})):
        assert ada.bench.api.patch(f"{path}/{memory}", json=change, headers=ada.headers).status_code == 200
    ada.bench.work()
    every, found, first, second, odd = talk(
        ada,
        protocol,
        ("list_memories", {}),
        ("list_memories", {"query": "nuts", "content_type": "constraint"}),
        ("list_memories", {"query": "nuts", "taboo": True}),
        ("list_memories", {"taboo": True}),
        ("list_memories", {"query": "nuts", "cursor": "x"}),
    )
    assert {one["content"] for one in every["memories"]} == {
        "I'm allergic to nuts.",
        "Nuts are a gift I like.",
        "I live in Oslo.",
    }
    for narrowed in (found, first, second):
        assert [one["content"] for one in narrowed["memories"]] == ["I'm allergic to nuts."]
    assert "cursor" in str(odd)
    off = {"injection_enabled": False}
    assert ada.bench.api.patch("/api/v1/memory/settings", json=off, headers=ada.headers).status_code == 200
    [nothing] = talk(ada, protocol, ("list_memories", {}))
    assert nothing["memories"] == []


def test_what_the_person_keeps_from_assistants_is_in_no_answer(ada: Person, protocol: str) -> None:
    paused, used = (ada.post(LONG_TERM, {"content": content})["id"] for content in ("I keep bees.", "I sell honey."))
    change = {"disabled": True}
    assert ada.bench.api.patch(f"{LONG_TERM}/{paused}", json=change, headers=ada.headers).status_code == 200
    ada.bench.work()

    def told() -> str:
        calls = [("explain_memory", {"memory_id": one}) for one in (paused, used)]
        calls += [("forget", {"description": "insects that make something sweet"})]
        return json.dumps([*talk(ada, protocol, *calls, asked=Asked("decline")), *map(resource, (paused, used))])

    def resource(memory: str) -> str:
        async def read(client: Client) -> str:
            try:
                return str(await client.read_resource(f"memory://memories/{memory}"))
            except MCPError as refused:
                return str(refused)

        return str(inquire(ada, protocol, read))

    assert "honey" in told()
    assert "bees" not in told()
    off = {"injection_enabled": False}
    assert ada.bench.api.patch("/api/v1/memory/settings", json=off, headers=ada.headers).status_code == 200
    assert not {"honey", "bees"} & set(re.findall(r"\w+", told()))


def test_a_client_that_only_opens_addresses_is_sent_to_the_web_app(protocol: str) -> None:
    del protocol  # the same in both

    def can_ask(elicitation: ElicitationCapability | None) -> bool:
        settings = Settings(center=None, token_of=None, web="", mode="elicit")  # type: ignore[arg-type]
        request = SimpleNamespace(lifespan_context=settings)
        capabilities = ClientCapabilities(elicitation=elicitation)
        context = SimpleNamespace(request_context=request, client_capabilities=capabilities)
        return Serving.of(context).can_ask  # type: ignore[arg-type]

    form, url = FormElicitationCapability(), UrlElicitationCapability()
    assert can_ask(ElicitationCapability())
    assert can_ask(ElicitationCapability(form=form, url=url))
    assert not can_ask(ElicitationCapability(url=url))
    assert not can_ask(None)


def test_a_statement_that_was_corrected_and_is_said_twice_again_is_remembered_once(ada: Person, protocol: str) -> None:
    wanted = ("remember", {"content": "I keep bees."})
    [first] = talk(ada, protocol, wanted)
    change = {"content": "I keep goats."}
    assert ada.bench.api.patch(f"{LONG_TERM}/{first['id']}", json=change, headers=ada.headers).status_code == 200
    one, two = talk(ada, protocol, wanted, wanted)
    assert one["id"] == two["id"] != first["id"]
    assert sorted(ada.memories()) == ["I keep bees.", "I keep bees.", "I keep goats."], "the first is superseded"


def test_lists_go_on_where_they_ended(ada: Person, protocol: str) -> None:
    for number in range(3):
        talk(ada, protocol, ("remember", {"content": f"Number {number}."}))
    [first] = talk(ada, protocol, ("list_memories", {"limit": 2}))
    [rest] = talk(ada, protocol, ("list_memories", {"limit": 2, "cursor": first["next_cursor"]}))
    assert [one["content"] for one in (*first["memories"], *rest["memories"])] == [
        "Number 2.",
        "Number 1.",
        "Number 0.",
    ]
    assert rest["next_cursor"] is None


def test_a_list_contains_global_memories_and_those_of_the_named_project(ada: Person, protocol: str) -> None:
    for content, more in (("I keep bees.", {}), ("Honey.", {"project_id": "hive"}), ("Wax.", {"project_id": "wax"})):
        talk(ada, protocol, ("remember", {"content": content, **more}))
    ada.bench.work()
    for asked in ({}, {"query": "what about bees?"}):
        everywhere, there = talk(
            ada, protocol, ("list_memories", asked), ("list_memories", {**asked, "project_id": "hive"})
        )
        assert [one["content"] for one in everywhere["memories"]] == ["I keep bees."]
        assert {one["content"] for one in there["memories"]} == {"I keep bees.", "Honey."}


def test_a_person_is_asked_and_what_they_confirm_is_erased_and_proven(ada: Person, protocol: str) -> None:
    asked = Asked()
    talk(ada, protocol, ("remember", {"content": "Quillfeather is my neighbour."}))
    ada.bench.work()
    [forgotten] = talk(ada, protocol, ("forget", {"description": "Quillfeather"}), asked=asked)
    assert forgotten["status"] == "accepted"
    [question] = asked.questions
    assert question == "Forget 1 memory? “Quillfeather is my neighbour.”"
    [recalled] = talk(ada, protocol, ("recall", {"question": "Who is my neighbour?"}))
    assert "Quillfeather" not in recalled["context"], "gone from the next request on"
    ada.bench.hurry()
    ada.bench.work()
    [state] = talk(ada, protocol, ("get_operation", {"operation_id": forgotten["operation_id"], "wait_seconds": 5}))
    assert (state["status"], state["receipt_id"]) == ("succeeded", forgotten["receipt_id"])
    assert ada.bench.holds("Quillfeather") == []


@pytest.mark.parametrize("action", ["decline", "cancel", "no"])
def test_what_is_not_confirmed_stays(ada: Person, protocol: str, action: str) -> None:
    asked = Asked(confirm=False) if action == "no" else Asked(action)
    [memory] = talk(ada, protocol, ("remember", {"content": "I keep bees."}))
    forget, correct = talk(
        ada,
        protocol,
        ("forget", {"memory_ids": [memory["id"]]}),
        ("correct_memory", {"about": "bees", "statement": "I keep no bees any more."}),
        asked=asked,
    )
    assert forget["status"] == correct["status"] == "not_confirmed"
    assert len(asked.questions) == 2
    assert ada.memories() == ["I keep bees."]


def test_a_client_that_cannot_ask_is_sent_to_the_web_app(ada: Person, protocol: str) -> None:
    [memory] = talk(ada, protocol, ("remember", {"content": "I keep bees."}))
    calls = (
        ("forget", {"memory_ids": [memory["id"]]}),
        ("correct_memory", {"about": "bees", "statement": "I keep no bees."}),
    )
    for answers in (talk(ada, protocol, *calls), talk(ada, protocol, *calls, asked=Asked(), mode="web")):
        assert [one["status"] for one in answers] == ["needs_person", "needs_person"]
        assert answers[0]["url"] == "https://memory.example.org/data"
    assert ada.memories() == ["I keep bees."]


def test_switched_off_nothing_can_be_forgotten_here(ada: Person, protocol: str) -> None:
    async def names() -> set[str]:
        async with connected(ada, protocol, mode="off") as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert anyio.run(names) == TOOLS - {"forget", "correct_memory"}


def test_a_correction_replaces_what_is_no_longer_so(ada: Person, protocol: str) -> None:
    talk(ada, protocol, ("remember", {"content": "My gym day is Monday."}))
    ada.bench.work()
    wanted = ("correct_memory", {"about": "my gym day", "statement": "My gym day is Tuesday."})
    [corrected] = talk(ada, protocol, wanted, asked=Asked())
    assert corrected["status"] == "corrected"
    ada.bench.work()
    [recalled] = talk(ada, protocol, ("recall", {"question": "When is my gym day?"}))
    assert "Tuesday" in recalled["context"]
    assert "Monday" not in recalled["context"]


def test_what_is_asked_about_is_what_is_corrected(ada: Person, protocol: str) -> None:
    for content in ("My gym day is Monday.", "My gym bag is blue."):
        talk(ada, protocol, ("remember", {"content": content}))
    asked = Asked()
    wanted = {"about": "my gym day", "statement": "My gym day is Tuesday."}
    [corrected] = talk(ada, protocol, ("correct_memory", wanted), asked=asked)
    assert corrected["status"] == "corrected"
    assert "Monday" in asked.questions[0]
    assert {one["content"] for one in ada.get("/api/v1/memory/long_term", validity="active")} == {
        "My gym day is Tuesday.",
        "My gym bag is blue.",
    }
    nothing = {"about": "my boat", "statement": "My boat is green."}
    asked = Asked()
    [found] = talk(ada, protocol, ("correct_memory", nothing), asked=asked)
    assert (found["status"], asked.questions) == ("nothing_found", [])


def test_two_people_never_meet(ada: Person, protocol: str) -> None:
    eve = ada.bench.person("eve")
    [memory] = talk(ada, protocol, ("remember", {"content": "I keep bees."}))
    asked = Asked()
    listed, explained, forgotten = talk(
        eve,
        protocol,
        ("list_memories", {}),
        ("explain_memory", {"memory_id": memory["id"]}),
        ("forget", {"memory_ids": [memory["id"]]}),
        asked=asked,
    )
    assert listed["memories"] == []
    assert "not_found" in explained
    assert "not_found" in str(forgotten)
    assert asked.questions == []


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("recall", {"question": ""}),
        ("recall", {"question": "x" * 4_001}),
        ("recall", {"question": "a\x00b"}),
        ("remember", {"content": "x" * 2_001}),
        ("remember", {"content": "my password is hunter2swordfish"}),
        ("explain_memory", {"memory_id": "../../secrets"}),
        ("forget", {}),
        ("forget", {"description": "bees", "memory_ids": ["0192f0c1-0000-7000-8000-000000000001"]}),
        ("forget", {"memory_ids": []}),
        ("get_operation", {"operation_id": "x"}),
        ("list_memories", {"cursor": "nonsense"}),
    ],
)
def test_bad_input_is_an_error_without_content(ada: Person, protocol: str, name: str, given: dict[str, Any]) -> None:
    [answer] = talk(ada, protocol, (name, given), asked=Asked())
    assert isinstance(answer, str)
    assert "hunter2swordfish" not in answer
    assert ada.memories() == []


def test_resources_and_prompts(ada: Person, protocol: str) -> None:
    [memory] = talk(ada, protocol, ("remember", {"content": "I'm allergic to peanuts.", "taboo": True}))

    async def read(client: Client) -> list[str]:
        found = [
            await client.read_resource("memory://context"),
            await client.read_resource(f"memory://memories/{memory['id']}"),
        ]
        prompts = await client.list_prompts()
        assert {one.name for one in prompts.prompts} == {"with_memory", "what_do_you_know", "forget_about"}
        return [one.contents[0].text for one in found]  # type: ignore[union-attr]

    context, one = inquire(ada, protocol, read)
    assert "peanuts" in context
    assert json.loads(one)["id"] == memory["id"]


def test_a_service_key_is_nobodys_token(ada: Person, protocol: str) -> None:
    del protocol  # the same in both

    async def whose(token: str) -> str | None:
        transport = httpx2.ASGITransport(app=ada.bench.api.app)
        async with AsyncMemoryCenter(LOCALHOST, token, transport=transport) as center:
            return await center.whose()

    service = ada.bench.service["Authorization"].removeprefix("Bearer ")
    assert [anyio.run(whose, token) for token in (token_of(ada), service, "nonsense")] == ["ada", None, None]
