"""The client's server in memory answers as the real one does, for what it has."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import anyio
import pytest

from memory_center_client import ApiError, Conflict, MemoryCenter, NotFound, ValidationFailed
from memory_center_client.testing import MemoryServer
from memory_center_client.testing import memory_center as memory_center  # noqa: PLC0414 # a fixture is found by its name
from tests.support.running import running
from tests.support.workbench import Workbench

SAID = [{"role": "user", "content": "I keep bees."}, {"role": "assistant", "content": "Noted."}]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def real(bench: Workbench, stack: ExitStack) -> MemoryCenter:
    url = stack.enter_context(running(bench.api.app, lifespan="off"))
    token = bench.person("ada").headers["Authorization"].removeprefix("Bearer ")
    return stack.enter_context(MemoryCenter(url, token))


def code(work: Any) -> tuple[int, str]:
    with pytest.raises(ApiError) as refused:
        work()
    return refused.value.status, refused.value.code


def shape(value: Any) -> Any:
    """Return what members an answer has; of a list, its first item's."""
    if isinstance(value, dict):
        return set(value)
    return [shape(value[0])] if isinstance(value, list) and value else type(value).__name__


def life(memory: MemoryCenter) -> list[Any]:
    """Play a life; return the shapes of its answers, and its refusals."""
    talk = memory.conversations.find_or_create("bees", title="Bees")
    assert memory.conversations.find_or_create("bees", title="Wasps") == talk
    recorded = memory.messages.record(talk, SAID)  # type: ignore[arg-type]
    made = memory.memories.create("Ada rows on Sundays.", metadata={"source": "crm"}, external_id="crm/1")
    changed = memory.memories.update(made["id"], content="Ada rows on Mondays.")
    answers: list[Any] = [
        memory.conversations.get(talk),
        memory.messages.derived(recorded[0]["id"]),
        list(memory.conversations.list()),
        list(memory.conversations.list(external_id="wasps")),
        recorded,
        list(memory.messages.list(talk)),
        made,
        memory.memories.get(made["id"]),
        list(memory.memories.list(external_id="crm/1")),
        memory.settings.get(),
        memory.settings.update(summary_enabled=False),
    ]
    found: list[Any] = [shape(one) for one in answers]
    found += [
        memory.memories.get(made["id"])["validity"],
        (changed["external_id"], changed["metadata"], changed["supersedes_id"] == made["id"]),
        [one["content"] for one in memory.memories.list(metadata={"source": "crm"}, validity="active")],
        [one["content"] for one in memory.memories.list(metadata={"source": "form"})],
        code(lambda: memory.memories.create("x", external_id="crm/1")),
        code(lambda: memory.conversations.create(external_id="bees")),
        code(lambda: memory.memories.update(made["id"], content="x")),
        code(lambda: memory.memories.create(" ")),
        code(lambda: memory.memories.get("01900000-0000-7000-8000-000000000000")),
        code(lambda: memory.forget.everything(confirmation="yes")),
        code(lambda: memory.forget.selection(["01900000-0000-7000-8000-000000000000"])),
        [one["content"] for one in memory.search("rows", metadata={"source": "form"})["items"]],
        shape(memory.search("rows on Mondays", metadata={"source": "crm"})),
        set(memory.recall("When does Ada row?")) - {"context_trace", "hint", "task_id", "user_context"},
    ]
    gone = memory.memories.delete(changed["id"])
    found += [sorted(gone.state()), [one["content"] for one in memory.memories.list()]]
    memory.conversations.delete(talk)
    found.append(code(lambda: memory.conversations.get(talk)))
    return found


def test_it_answers_as_the_real_one(memory_center: MemoryServer, real: MemoryCenter) -> None:
    with memory_center.client("ada") as memory:
        assert life(memory) == life(real)


def test_what_is_learned_is_told_it_and_goes_with_its_message() -> None:
    server = MemoryServer(learns=lambda said: [said] if "bees" in said else [])
    with server.client("ada") as ada, server.client("eve") as eve, server.service() as service:
        talk = ada.conversations.create()
        [said, _] = ada.messages.record(talk, SAID)  # type: ignore[arg-type]
        assert "I keep bees." in ada.recall("Do I keep bees?")["prompt"]
        assert [one["content"] for one in ada.search("bees")["items"]] == ["I keep bees."]
        assert list(eve.memories.list()) == []
        with pytest.raises(NotFound):
            eve.conversations.get(talk)
        assert [one["content"] for one in service.for_user("ada").memories.list()] == ["I keep bees."]

        ada.forget.message(said["id"]).wait()
        assert ada.recall("Do I keep bees?")["prompt"] == ""
        with pytest.raises(ApiError) as refused:
            list(ada.documents.list())
        assert (refused.value.status, refused.value.code) == (501, "not_in_memory")


def test_it_can_be_awaited_and_repeats_count_once(memory_center: MemoryServer) -> None:
    async def play() -> list[str]:
        async with memory_center.async_client("ada") as memory:
            talk = await memory.conversations.create()
            once: Any = [{"role": "user", "content": "Hello.", "client_message_id": "a"}]
            await memory.messages.record(talk, once)
            [again] = await memory.messages.record(talk, once)
            return [again["outcome"], *[one["content"] async for one in memory.messages.list(talk)]]

    assert anyio.run(play) == ["repeated", "Hello."]


def test_switches_hold(memory_center: MemoryServer) -> None:
    with memory_center.client("ada") as memory:
        memory.memories.create("Ada is allergic to peanuts.", taboo=True)
        assert "peanuts" in memory.recall("What may I eat?")["prompt"]
        memory.settings.update(injection_enabled=False)
        assert memory.recall("What may I eat?")["prompt"] == ""
        memory.settings.update(longterm_enabled=False)
        with pytest.raises(Conflict) as refused:
            memory.memories.create("x")
        assert refused.value.code == "longterm_off"
        with pytest.raises(ValidationFailed):
            memory.forget.everything(confirmation="please")
        memory.forget.everything(confirmation="FORGET EVERYTHING")
        assert list(memory.memories.list()) == []
