"""A block of LlamaIndex' memory: what is known is in the prompt, what leaves the short term is recorded."""

from __future__ import annotations

import pytest
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import Memory

from memory_center_client import AsyncMemoryCenter, ConnectionFailed
from memory_center_client.adapters.llama_index import MemoryBlock
from tests.clients.conftest import Person


async def test_a_block_recalls_and_records(ada: Person, awaited: AsyncMemoryCenter) -> None:
    async with awaited as center:
        await center.memories.create("Ada is allergic to peanuts.", content_type="constraint", taboo=True)
        conversation = await center.conversations.create()
        block = MemoryBlock(center, conversation_id=conversation)
        memory = Memory.from_defaults(
            session_id="s", token_limit=60, chat_history_token_ratio=0.5, memory_blocks=[block]
        )
        await memory.aput(ChatMessage(role="user", content="May I eat satay?"))
        shown = "\n".join(str(one.content) for one in await memory.aget())
        assert "Ada is allergic to peanuts." in shown

        await memory.aput(ChatMessage(role="user", content="I live in Lisbon, near the river."))
        await memory.aput(ChatMessage(role="assistant", content="Noted. " * 30))  # too much for the short term
        await memory.aput(ChatMessage(role="user", content="Thank you."))
        recorded = [one["content"] async for one in center.messages.list(conversation)]
        assert "I live in Lisbon, near the river." in recorded
        await center.conversations.end_session(conversation)
        assert any("Lisbon" in one for one in ada.learned("Lisbon"))

        [peanuts] = [one async for one in center.memories.list() if "peanuts" in one["content"]]
        await center.memories.delete(peanuts["id"])
        assert "peanuts" not in await block.aget([ChatMessage(role="user", content="May I eat satay?")])


async def test_without_a_conversation_nothing_is_recorded(awaited: AsyncMemoryCenter) -> None:
    async with awaited as center:
        await MemoryBlock(center).aput([ChatMessage(role="user", content="I live in Lisbon.")])
        assert [one async for one in center.conversations.list()] == []


async def test_without_memory_a_chat_goes_on_unless_it_must_not() -> None:
    said = [ChatMessage(role="user", content="May I eat satay?")]
    async with AsyncMemoryCenter("http://127.0.0.1:9", "token", retries=0) as nothing:
        block = MemoryBlock(nothing, conversation_id="1")
        assert await block.aget(said) == ""
        await block.aput(said)
        closed = MemoryBlock(nothing, conversation_id="1", fail="closed")
        for work in (closed.aget(said), closed.aput(said)):
            with pytest.raises(ConnectionFailed):
                await work
