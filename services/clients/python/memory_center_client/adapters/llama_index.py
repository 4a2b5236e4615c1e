"""A memory block of LlamaIndex: what is known goes into the prompt, what leaves the short-term memory is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.memory.memory import BaseMemoryBlock

from memory_center_client.adapters.patience import PATIENCE_SECONDS, log, prompt_of
from memory_center_client.batches import batches
from memory_center_client.errors import MemoryCenterError

if TYPE_CHECKING:
    from memory_center_client import AsyncMemoryCenter

QUESTION_MAX = 4_000
_ROLES = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant", MessageRole.SYSTEM: "system"}


class MemoryBlock(BaseMemoryBlock[str]):
    """What Memory Center knows, for the last question of the person.

    Args:
        center: of the person.
        conversation_id: where messages are recorded; None: nowhere, and nothing is learned.
        token_budget: most tokens of what is put into the prompt; None: the installation's default.
        patience: how many seconds a prompt waits for memory.
        fail: what happens if it cannot be reached: the chat goes on without (`open`), or fails (`closed`).
    """

    name: str = "memory_center"
    conversation_id: str | None = Field(default=None)
    token_budget: int | None = Field(default=None)
    patience: float = Field(default=PATIENCE_SECONDS)
    fail: Literal["open", "closed"] = Field(default="open")
    _center: AsyncMemoryCenter = PrivateAttr()

    def __init__(self, center: AsyncMemoryCenter, **fields: Any) -> None:
        super().__init__(**fields)
        self._center = center

    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        """Return what is known; `stable` and `retrieved` only, because the messages are in the prompt already."""
        asked = [text for one in messages or [] if one.role == MessageRole.USER and (text := _text(one))]
        recall = self._center.recall(
            asked[-1][:QUESTION_MAX] if asked else "",
            layers=["stable", "retrieved"],
            token_budget=self.token_budget,
            conversation_id=self.conversation_id,
        )
        return await prompt_of(recall, patience=self.patience, fail=self.fail)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Record texts of the person, the assistant and the system."""
        said: list[Any] = [
            {"role": _ROLES[one.role], "content": text}
            for one in messages
            if one.role in _ROLES and (text := _text(one))
        ]
        if self.conversation_id is None:
            return
        try:
            for some in batches(said):
                await self._center.messages.record(self.conversation_id, some)
        except MemoryCenterError as problem:
            if self.fail == "closed":
                raise
            log.warning("messages were not recorded: %s", problem)


def _text(message: ChatMessage) -> str:
    return "\n".join(block.text for block in message.blocks if isinstance(block, TextBlock)).strip()
