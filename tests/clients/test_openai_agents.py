"""Two runs of an agent in one session: the second knows the first, and both are learned from."""

from __future__ import annotations

from typing import Any

from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

from memory_center_client import AsyncMemoryCenter
from memory_center_client.adapters.openai_agents import MemorySession
from tests.clients.conftest import Person, Upstream
from tests.clients.provider import chat

set_tracing_disabled(True)


@function_tool
def weather(city: str) -> str:
    """Return the weather of a city."""
    return f"sunny in {city}"


def agent(client: AsyncOpenAI) -> Agent[Any]:
    return Agent(name="a", model=OpenAIChatCompletionsModel(model="scripted", openai_client=client), tools=[weather])


async def test_a_session_goes_on_and_is_learned_from(
    ada: Person, awaited: AsyncMemoryCenter, upstream: Upstream
) -> None:
    async with awaited as center, AsyncOpenAI(base_url=f"{upstream.url}/v1", api_key="none") as client:
        session = await MemorySession.begin(center, title="Agents")
        upstream.script = [chat("Nice to meet you."), chat(tool=("weather", {"city": "Rome"})), chat("It is sunny.")]
        await Runner.run(agent(client), "I live in Rome.", session=session)
        result = await Runner.run(agent(client), "How is the weather at home?", session=session)

        assert result.final_output == "It is sunny."
        roles = [(one["role"], one.get("content")) for one in upstream.asked[1]["messages"]]
        assert roles == [
            ("user", "I live in Rome."),
            ("assistant", "Nice to meet you."),
            ("user", "How is the weather at home?"),
        ]
        items = await session.get_items()
        kinds = [one.get("type") or one.get("role") for one in items]
        assert kinds == ["user", "assistant", "user", "function_call", "function_call_output", "assistant"]
        assert [one.get("role") for one in await session.get_items(limit=1)] == ["assistant"]
        assert any("Rome" in one for one in ada.learned("Rome"))

        popped = await session.pop_item()
        assert popped == {"role": "assistant", "content": "It is sunny."}
        assert len(await session.get_items()) == 5
        await session.clear_session()
        assert await session.get_items() == []
        assert [one async for one in center.memories.list()] == []
