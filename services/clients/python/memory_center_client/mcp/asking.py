"""Asks the person before anything is forgotten or corrected, through their own client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

from memory_center_client import AsyncTransport, Conflict, MemoryCenterError, NotFound
from memory_center_client.mcp.answers import Doubtful
from memory_center_client.mcp.serving import Serving, done, is_elsewhere, is_withheld, may_read

SHOWN_MAX = 200
"""Characters of content in a question to the person."""


class Confirmation(BaseModel):
    """The person's answer to a question about forgetting."""

    confirm: bool = Field(title="Go ahead", description="Yes: do it. It can be undone for a minute.")


class Correction(BaseModel):
    """The person's answer to a question about a correction."""

    confirm: bool = Field(title="Go ahead", description="Yes: do it. The old statement stays in the history only.")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be forgotten: the request to send, and what to tell the person of it."""

    request: dict[str, Any] | None
    question: str
    doubtful: tuple[Doubtful, ...] = ()


@dataclass(frozen=True, slots=True)
class Outdated:
    """The memory a correction is about, as it was read, and what it would say; no id if none is meant."""

    id: str | None
    content: str = ""
    corrected: str = ""
    version: int = 0


async def find(
    context: Context,
    description: str | None = None,
    memory_ids: list[str] | None = None,
    message_id: str | None = None,
    conversation_id: str | None = None,
) -> Wanted:
    """Find what a forget would take along. It changes nothing."""
    gateway = Serving.of(context).gateway()
    if sum(one is not None for one in (description, memory_ids, message_id, conversation_id)) != 1:
        raise ToolError("exactly one of description, memory_ids, message_id, conversation_id")
    if description is not None:
        return await _described(gateway, description)
    if memory_ids is not None:
        picked = {"ids": memory_ids}
        counts = (await done(gateway.post("memory/forget/preview", picked)))["counts"]
        first = (await done(_named(gateway, memory_ids[0])))["content"]
        return Wanted({"scope": "selection", **picked}, _question(counts, first, len(memory_ids)))
    target: dict[str, Any]
    if message_id is not None:
        target = {"scope": "message", "message_id": message_id}
        first = (await done(gateway.get(f"messages/{message_id}")))["content"]
    else:
        target = {"scope": "conversation", "conversation_id": conversation_id}
        conversation = await done(gateway.get(f"conversations/{conversation_id}"))
        first = conversation["title"] or conversation["opening"] or ""
    counts = (await done(gateway.post("memory/forget/dry-run", target)))["counts"]
    return Wanted(target, _question(counts, first, 1))


async def _named(gateway: AsyncTransport, item_id: str) -> Any:
    """Return a memory, or a message: both may be named by id."""
    try:
        return await gateway.get(f"memory/long_term/{item_id}")
    except NotFound:
        return await gateway.get(f"messages/{item_id}")


def _question(counts: dict[str, Any], first: str, number: int) -> str:
    """Return a question that says how much would go, and quotes the first of what was named."""
    more = f" and {number - 1} more" if number > 1 else ""
    return f"Forget {_said(counts)}? “{_shown(first)}”{more}"


def _shown(text: str, most: int = SHOWN_MAX) -> str:
    """Return the beginning of a text in one line; blanks could push the rest out of sight."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


async def _described(gateway: AsyncTransport, description: str) -> Wanted:
    found = await done(gateway.post("memory/forget/find", {"description": description}))
    sure = [one for one in found["candidates"] if one["sure"]]
    others = [one for one in found["candidates"] if not one["sure"]]
    shown = await may_read(gateway)
    doubtful = tuple([await _doubtful(gateway, one, shown=shown) for one in others])
    if not sure or found["token"] is None:
        return Wanted(None, "", doubtful)
    counts = (await done(gateway.post("memory/forget/preview", {"token": found["token"]})))["counts"]
    request = {"scope": "selection", "token": found["token"], "ids": [one["id"] for one in sure]}
    return Wanted(request, _question(counts, sure[0]["content"], len(sure)), doubtful)


async def _doubtful(gateway: AsyncTransport, one: dict[str, Any], *, shown: bool) -> Doubtful:
    """Return what may be meant; its content only where the assistant may be given it."""
    if shown and one["kind"] == "memory":
        memory = await done(gateway.get(f"memory/long_term/{one['id']}"))
        shown = not is_withheld(memory) and not is_elsewhere(memory, None)
    return Doubtful(id=one["id"], kind=one["kind"], content=_shown(one["content"]) if shown else None)


def _said(counts: dict[str, Any]) -> str:
    """Return counts in words: `2 messages, 1 memory`."""
    rows = counts.get("postgres", counts)
    words = [
        f"{number} {name if number != 1 else _one(name)}"
        for name, number in sorted(rows.items())
        if isinstance(number, int) and number
    ]
    return ", ".join(words) or "this"


def _one(name: str) -> str:
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")


async def ask_to_forget(
    context: Context, wanted: Annotated[Wanted, Resolve(find)]
) -> Confirmation | Elicit[Confirmation]:
    """Ask the person, if there is something to ask about and their client can."""
    if wanted.request is None or not Serving.of(context).can_ask:
        return Confirmation(confirm=False)
    return Elicit(wanted.question, Confirmation)


async def find_outdated(context: Context, about: str, statement: str) -> Outdated:
    """Find the memory that a statement would replace. It changes nothing."""
    body = {"about": about, "statement": statement}
    try:
        found = await Serving.of(context).gateway().post("memory/long_term/correct/dry-run", body)
    except MemoryCenterError as refused:
        if isinstance(refused, Conflict) and refused.code == "nothing_corrected":
            return Outdated(id=None)
        raise ToolError(str(refused)) from None
    return Outdated(id=found["id"], content=found["content"], corrected=found["corrected"], version=found["version"])


async def ask_to_correct(
    context: Context, outdated: Annotated[Outdated, Resolve(find_outdated)]
) -> Correction | Elicit[Correction]:
    """Ask the person whether a statement is to replace a memory; they see both."""
    if outdated.id is None or not Serving.of(context).can_ask:
        return Correction(confirm=False)
    return Elicit(f"Replace “{_shown(outdated.content)}” by “{_shown(outdated.corrected)}”?", Correction)
