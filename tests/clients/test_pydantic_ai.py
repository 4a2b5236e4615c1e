"""Agents of Pydantic AI know what is known, and have tools to remember and, with approval, to forget."""

from __future__ import annotations

import pytest
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from memory_center_client import AsyncMemoryCenter, ConnectionFailed
from memory_center_client.adapters.pydantic_ai import memory_instructions, memory_toolset

NOWHERE = "http://127.0.0.1:9"


async def test_instructions_say_what_is_known_for_the_prompt(awaited: AsyncMemoryCenter) -> None:
    async with awaited as center:
        await center.memories.create("Ada is allergic to peanuts.", content_type="constraint", taboo=True)
        told: list[str | None] = []

        def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            told.append(info.instructions)
            return ModelResponse(parts=[TextPart("No.")])

        agent = Agent(FunctionModel(answer), instructions=memory_instructions(center))
        assert (await agent.run("May I eat satay?")).output == "No."
        assert "Ada is allergic to peanuts." in str(told[0])


async def test_the_tools_recall_and_remember(awaited: AsyncMemoryCenter) -> None:
    async with awaited as center:
        model = TestModel(call_tools=["recall", "remember"])
        result = await Agent(model, toolsets=[memory_toolset(center)]).run("Please remember this.")
        assert set(str(result.output).replace('"', "")) >= {"r"}
        assert [one["content"] async for one in center.memories.list()] == ["a"], "what TestModel calls with"
        tools = model.last_model_request_parameters.function_tools  # type: ignore[union-attr]
        assert [one.name for one in tools] == ["recall", "remember"]


async def test_without_memory_a_run_goes_on_unless_it_must_not() -> None:
    async with AsyncMemoryCenter(NOWHERE, "token", retries=0) as nothing:
        model = FunctionModel(lambda _, __: ModelResponse(parts=[TextPart("No.")]))
        assert (await Agent(model, instructions=memory_instructions(nothing)).run("Satay?")).output == "No."
        with pytest.raises(ConnectionFailed):
            await Agent(model, instructions=memory_instructions(nothing, fail="closed")).run("Satay?")


async def test_a_refusal_is_told_to_the_model_and_the_run_goes_on(awaited: AsyncMemoryCenter) -> None:
    async with awaited as center:
        told: list[str] = []

        def answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
            told.append(str(messages[-1]))
            if len(told) == 1:
                return ModelResponse(parts=[ToolCallPart("remember", {"statement": "x" * 3_000}, "call-1")])
            return ModelResponse(parts=[TextPart("Too long.")])

        agent = Agent(FunctionModel(answer), toolsets=[memory_toolset(center)])
        assert (await agent.run("Remember this.")).output == "Too long."
        assert "validation_failed" in told[1]


async def test_forgetting_waits_for_the_person(awaited: AsyncMemoryCenter) -> None:
    async with awaited as center:
        memory = await center.memories.create("Ada has a parrot.")
        answers = [
            ModelResponse(parts=[ToolCallPart("forget", {"memory_ids": [memory["id"]]}, "call-1")]),
            ModelResponse(parts=[TextPart("Forgotten.")]),
        ]
        agent: Agent[None, str | DeferredToolRequests] = Agent(
            FunctionModel(lambda _, __: answers.pop(0)),
            toolsets=[memory_toolset(center, forgets=True)],
            output_type=[str, DeferredToolRequests],
        )
        asked = await agent.run("Forget my parrot.")
        assert isinstance(asked.output, DeferredToolRequests)
        assert [one async for one in center.memories.list()] != [], "nobody has approved it"
        approved = DeferredToolResults(approvals={"call-1": True})
        result = await agent.run(message_history=asked.all_messages(), deferred_tool_results=approved)
        assert result.output == "Forgotten."
        assert [one async for one in center.memories.list()] == []
