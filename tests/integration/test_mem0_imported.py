"""mem0's classes by import: a program changes where they come from, and nothing else."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import anyio
import pytest

import shared.stores.mem0_library  # noqa: F401 # first: it switches off what mem0 would tell its makers

import mem0  # isort: skip

from memory_center_client import NotFound
from memory_center_client import mem0 as ours
from memory_center_client.mem0 import AsyncMemory, Memory, MemoryClient, Refused
from shared.runtime.authentication import mint_person_token
from tests.support.memories import edited
from tests.support.running import running
from tests.support.workbench import SERVICE_KEY, SIGNING_KEY, Workbench


@pytest.fixture
def url(bench: Workbench) -> Iterator[str]:
    with running(bench.api.app, lifespan="off") as address:
        yield address


@pytest.fixture
def memory(url: str) -> Iterator[Memory]:
    with Memory(url, SERVICE_KEY) as opened:
        yield opened


@pytest.mark.usefixtures("working")
def test_the_librarys_class_learns_finds_changes_and_forgets(memory: Memory, bench: Workbench) -> None:
    [learned] = memory.add("I'm allergic to peanuts.", user_id="ada")["results"]
    assert (learned["event"], "peanuts" in learned["memory"]) == ("ADD", True)
    found = memory.search("May I eat satay?", filters={"user_id": "ada"})["results"]
    assert [one["id"] for one in found] == [learned["id"]]

    memory.update(learned["id"], data="I'm allergic to peanuts and soya.")
    [changed] = memory.get_all(filters={"user_id": "ada"})["results"]
    assert changed["memory"] == "I'm allergic to peanuts and soya."
    assert [one["event"] for one in memory.history(changed["id"])] == ["ADD", "UPDATE"]

    memory.delete(changed["id"])
    assert memory.get(changed["id"]) is None
    assert memory.search("peanuts", filters={"user_id": "ada"})["results"] == []


def test_what_is_not_inferred_is_kept_and_everything_goes(memory: Memory, bench: Workbench) -> None:
    memory.add("I keep bees.", user_id="ada", agent_id="helper", metadata={"source": "crm"}, infer=False)
    memory.add("I keep wasps.", user_id="eve", infer=False)
    [kept] = memory.get_all(filters={"user_id": "ada", "agent_id": "helper"})["results"]
    assert (kept["memory"], kept["metadata"], kept["agent_id"]) == ("I keep bees.", {"source": "crm"}, "helper")

    assert memory.delete_all(user_id="ada")["receipt_id"]
    assert memory.get_all(filters={"user_id": "ada"})["results"] == []
    bench.work()
    assert bench.holds("bees") == []
    assert [one["memory"] for one in memory.get_all(filters={"user_id": "eve"})["results"]] == ["I keep wasps."]


def test_what_the_person_keeps_from_assistants_is_in_no_answer(url: str, bench: Workbench) -> None:
    ada = bench.person("ada")
    with Memory(url, ada.headers["Authorization"].removeprefix("Bearer ")) as memory:
        ids = {text: memory.add(text, infer=False)["results"][0]["id"] for text in ("I keep bees.", "I sell honey.")}
        paused, used = ids.values()
        edited(ada, paused, disabled=True)
        assert [one["memory"] for one in memory.get_all()["results"]] == ["I sell honey."]
        assert memory.get(paused) is None
        with pytest.raises(NotFound):
            memory.history(paused)
        assert (memory.get(used) or {})["user_id"] == "ada"
        switch = {"injection_enabled": False}
        assert bench.api.patch("/api/v1/memory/settings", json=switch, headers=ada.headers).status_code == 200
        assert memory.get_all()["results"] == []
        assert memory.get(used) is None
        assert memory.delete_all(user_id="ada")["receipt_id"], "it is forgotten all the same"
        bench.work()
        assert bench.holds("bees") == bench.holds("honey") == []


def test_what_belongs_to_a_project_or_is_switched_off_is_in_no_answer(url: str, bench: Workbench) -> None:
    ada = bench.person("ada")
    with Memory(url, ada.headers["Authorization"].removeprefix("Bearer ")) as memory:
        ids = {text: memory.add(text, infer=False)["results"][0]["id"] for text in ("I keep bees.", "I sell honey.")}
        project, everywhere = ids.values()
        edited(ada, project, scope="project", project_id="farm")
        assert [one["memory"] for one in memory.get_all()["results"]] == ["I sell honey."]
        assert memory.get(project) is None
        for withheld in (lambda: memory.history(project), lambda: memory.update(project, metadata={"seen": True})):
            with pytest.raises(NotFound):
                withheld()
        switch = {"injection_enabled": False}
        assert bench.api.patch("/api/v1/memory/settings", json=switch, headers=ada.headers).status_code == 200
        with pytest.raises(NotFound):
            memory.update(everywhere, metadata={"seen": True})
        memory.delete(project)
        bench.work()
        assert bench.holds("bees") == []


def test_an_event_has_no_memory_that_was_paused(url: str, bench: Workbench) -> None:
    ada = bench.person("ada")
    with MemoryClient(api_key=ada.headers["Authorization"].removeprefix("Bearer "), host=url) as client:
        event = client.add("I'm allergic to peanuts.")["event_id"]
        bench.work()
        [learned] = client._calls.event(event)["results"]
        edited(ada, learned["id"], disabled=True)
        assert client._calls.event(event)["results"] == []


@pytest.mark.usefixtures("working")
def test_what_each_message_taught_is_answered(memory: Memory) -> None:
    said = [
        {"role": "user", "content": "I'm allergic to peanuts."},
        {"role": "assistant", "content": "Noted."},
        {"role": "user", "content": "I live in Oslo."},
    ]
    found = {one["memory"] for one in memory.add(said, user_id="ada")["results"]}
    assert found == {"I'm allergic to peanuts.", "I live in Oslo."}


def test_the_end_of_time_is_a_time(memory: Memory) -> None:
    memory.add("I keep bees.", user_id="ada", infer=False)
    ever = {"user_id": "ada", "created_at": {"gte": "0001-01-01T00:00:00", "lte": "9999-12-31T23:59:59.999999"}}
    assert [one["memory"] for one in memory.get_all(filters=ever)["results"]] == ["I keep bees."]
    for beyond in ({"gte": "0001-01-01T00:00:00+09:00"}, {"lte": "9999-12-31T23:59:59-09:00"}):
        with pytest.raises(Refused):
            memory.get_all(filters={"user_id": "ada", "created_at": beyond})


@pytest.mark.usefixtures("working")
def test_transcripts_of_agents_are_recorded_whatever_their_length(memory: Memory, bench: Workbench) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    said = [
        {"role": "user", "content": "I live in Oslo."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
    ]
    said += [{"role": "tool", "content": f"Page {number}"} for number in range(120)]
    said += [{"role": "assistant", "content": "Nice. " * 6_000}]
    assert [one["memory"] for one in memory.add(said, user_id="ada")["results"]] == ["I live in Oslo."]
    with pytest.raises(Refused, match="needs a role and content"):
        memory.add([{"role": "assistant", "content": "  "}], user_id="ada")
    assert bench.count("select count(*) from messages") == 123


def test_a_call_it_does_not_have_is_none(memory: Memory) -> None:
    assert not hasattr(memory, "reset")
    with pytest.raises(Refused, match="reset"):
        memory.reset()


@pytest.mark.usefixtures("working")
def test_it_can_be_awaited(url: str) -> None:
    async def live() -> list[str]:
        async with AsyncMemory(url, SERVICE_KEY) as memory:
            said = [{"role": "user", "content": "I live in Oslo."}, {"role": "assistant", "content": "Nice."}]
            await memory.add(said, user_id="ada", run_id="monday")
            found = await memory.get_all(filters={"user_id": "ada", "run_id": "monday"})
            return [one["memory"] for one in found["results"]]

    assert anyio.run(live) == ["I live in Oslo."]


def test_the_platforms_class_answers_as_it_does(url: str, bench: Workbench) -> None:
    with MemoryClient(api_key=SERVICE_KEY, host=url) as client:
        [one] = client.add("I keep bees.", user_id="ada", infer=False)["results"]
        page = client.get_all(filters={"user_id": "ada"}, page_size=1)
        assert (page["count"], page["next"], page["results"][0]["id"]) == (1, None, one["id"])
        client.batch_update([{"memory_id": one["id"], "text": "I keep two hives."}])
        [changed] = client.get_all(filters={"user_id": "ada"})["results"]
        assert client.delete(changed["id"])["op_id"]
        with pytest.raises(NotFound):
            client.get(changed["id"])


def test_two_people_never_meet(url: str) -> None:
    tokens = [mint_person_token(SIGNING_KEY, name) for name in ("ada", "eve")]
    with Memory(url, tokens[0]) as hers, Memory(url, tokens[1]) as his:
        [kept] = hers.add("I keep bees.", user_id="ada", infer=False)["results"]
        assert his.get(kept["id"]) is None
        assert his.get_all()["results"] == []
        for refused in (
            lambda: his.search("bees", filters={"user_id": "ada"}),
            lambda: his.update(kept["id"], "I keep wasps."),
            lambda: his.delete_all(user_id="ada"),
        ):
            with pytest.raises(NotFound):
                refused()
        assert [one["memory"] for one in hers.get_all()["results"]] == ["I keep bees."]


def test_what_is_not_built_is_named_and_nothing_is_widened(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    for refused, named in (
        (lambda: memory.search("bees", filters={"user_id": "*"}), "user_id that is not one id"),
        (lambda: memory.search("bees", filters={"user_id": "ada"}, rerank=True), "rerank"),
        (lambda: memory.add("I keep bees.", user_id="ada", expiration_date="2027-01-01"), "expiration_date"),
        (lambda: memory.delete_all(user_id="ada", run_id="*"), "run_id that is not one id"),
        (lambda: memory.reset("everybody"), "reset"),
        (lambda: Memory.from_config({"vector_store": {"provider": "qdrant"}}), "vector_store"),
    ):
        with pytest.raises(Refused, match=named) as raised:
            refused()
        assert (raised.value.status, raised.value.code) == (501, "mem0_unsupported")
    with pytest.raises(Refused, match="user_id, run_id, agent_id, app_id or metadata"):
        memory.delete_all()
    monkeypatch.delenv("MEMORY_CENTER_TOKEN", raising=False)
    with pytest.raises(Refused, match="MEMORY_CENTER_TOKEN"):
        Memory("http://memory.invalid")


@pytest.mark.parametrize("name", ["Memory", "MemoryClient"])
def test_every_call_of_theirs_is_ours_or_is_named(name: str, url: str) -> None:
    theirs, mine = getattr(mem0, name), getattr(ours, name)
    calls = [call for call, _ in inspect.getmembers(theirs, inspect.isfunction) if not call.startswith("_")]
    built = {call for call in calls if hasattr(mine, call)}
    assert built >= {"add", "search", "get_all", "get", "update", "delete", "delete_all", "history"}
    with mine(SERVICE_KEY, url) if name == "MemoryClient" else mine(url, SERVICE_KEY) as made:
        for call in set(calls) - built:
            with pytest.raises(Refused, match=call):
                getattr(made, call)
