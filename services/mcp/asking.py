"""Asks the person before anything is forgotten or corrected, through their own client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

from services.mcp.answers import Doubtful
from services.mcp.gateway import Gateway
from services.mcp.serving import Serving, done

SHOWN_MAX = 200
"""Characters of content in a question to the person."""


class Confirmation(BaseModel):
    """The person's answer."""

    confirm: bool = Field(title="Go ahead", description="Yes: do it. It can be undone for a minute.")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be forgotten: the request to send, and what to tell the person of it."""

    request: dict[str, Any] | None
    question: str
    doubtful: tuple[Doubtful, ...] = ()


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
        return Wanted({"scope": "selection", **picked}, f"Forget {_said(counts)}?")
    target = (
        {"scope": "message", "message_id": message_id}
        if message_id is not None
        else {"scope": "conversation", "conversation_id": conversation_id}
    )
    counts = (await done(gateway.post("memory/forget/dry-run", target)))["counts"]
    return Wanted(target, f"Forget {_said(counts)}?")


async def _described(gateway: Gateway, description: str) -> Wanted:
    found = await done(gateway.post("memory/forget/find", {"description": description}))
    sure = [one for one in found["candidates"] if one["sure"]]
    doubtful = tuple(
        Doubtful(id=one["id"], kind=one["kind"], content=one["content"][:SHOWN_MAX])
        for one in found["candidates"]
        if not one["sure"]
    )
    if not sure or found["token"] is None:
        return Wanted(None, "", doubtful)
    counts = (await done(gateway.post("memory/forget/preview", {"token": found["token"]})))["counts"]
    first = sure[0]["content"][:SHOWN_MAX]
    more = f" and {len(sure) - 1} more" if len(sure) > 1 else ""
    request = {"scope": "selection", "token": found["token"], "ids": [one["id"] for one in sure]}
    return Wanted(request, f"Forget {_said(counts)}? “{first}”{more}", doubtful)


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


async def ask_to_correct(context: Context, about: str, statement: str) -> Confirmation | Elicit[Confirmation]:
    """Ask the person whether a statement is to replace what is remembered."""
    if not Serving.of(context).can_ask:
        return Confirmation(confirm=False)
    return Elicit(f"Replace what is remembered about “{about[:100]}” by “{statement[:SHOWN_MAX]}”?", Confirmation)
