"""The tools: read memories, write one, forget and correct."""

from __future__ import annotations

import hashlib
import json
from time import monotonic
from typing import Annotated, Any, Final

import anyio
from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Resolve
from mcp.types import ToolAnnotations
from pydantic import Field

from memory_center_client import MemoryCenterError, NotFound
from memory_center_client.mcp.answers import (
    SWITCHED_OFF,
    Changed,
    Explained,
    MemoryList,
    OperationState,
    Recalled,
    Remembered,
    Said,
    remembered,
)
from memory_center_client.mcp.asking import (
    SHOWN_MAX,
    Confirmation,
    Correction,
    Outdated,
    Wanted,
    ask_to_correct,
    ask_to_forget,
    find,
    find_outdated,
)
from memory_center_client.mcp.serving import Serving, Settings, check_readable, done, gateway_of, is_elsewhere, may_read

UNDO_SECONDS: Final = 60
SAID_AGAIN_MAX: Final = 20
"""How often the same statement is forgotten or corrected, and said again within a day, before repeating it counts."""
ENDED: Final = frozenset({"succeeded", "failed", "cancelled"})

Text = Annotated[str, Field(min_length=1, max_length=2_000)]
Id = Annotated[str, Field(pattern=r"^[0-9a-fA-F-]{36}$")]
ProjectId = Annotated[str | None, Field(max_length=100)]

READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
DESTROYS: Final = ToolAnnotations(
    read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
)

_INCOMPLETE: Final = frozenset({"milvus_unavailable", "embedder_failed", "store_misconfigured", "injection_off"})


def add_reading(server: MCPServer[Settings]) -> None:
    """Add the tools that read memories."""

    @server.tool(annotations=READS)
    async def recall(
        context: Context,
        question: Annotated[str, Field(min_length=1, max_length=4_000)],
        conversation_id: Id | None = None,
        project_id: ProjectId = None,
        token_budget: Annotated[int, Field(ge=500, le=8_000)] = 2_000,
    ) -> Recalled:
        """Return the memories that help to answer a question: call it before you answer anything about the person.

        Example: question "May I cook satay for her?" finds her peanut allergy. Not for general knowledge.
        """
        asked = {"query": question, "conversation_id": conversation_id, "project_id": project_id}
        found = await done(gateway_of(context).post("recall", {**asked, "token_budget": token_budget}))
        reasons = set(found["diagnostics"]["reasons"])
        return Recalled(context=found["prompt"], complete=not reasons & _INCOMPLETE)

    @server.tool(annotations=READS)
    async def list_memories(
        context: Context,
        query: Annotated[str | None, Field(max_length=4_000)] = None,
        content_type: Annotated[str | None, Field(pattern=r"^[a-z_]{1,40}$")] = None,
        taboo: bool | None = None,  # noqa: FBT001 # an argument of the tool
        project_id: ProjectId = None,
        limit: Annotated[int, Field(ge=1, le=50)] = 20,
        cursor: Annotated[str | None, Field(max_length=200)] = None,
    ) -> MemoryList:
        """Memories one by one, newest first, or by meaning with `query`. For "what do you know about me?".

        `taboo`: only what must never be missed (allergies, topics to avoid). To answer a question use recall.
        """
        gateway = gateway_of(context)
        if query and cursor:
            raise ToolError("cursor goes on with a list; a query has no next page")
        if not await may_read(gateway):
            return MemoryList(memories=[], note=SWITCHED_OFF)
        if query:
            asked = {"query": query, "project_id": project_id, "content_type": content_type, "taboo": taboo}
            found = await done(gateway.post("memory/search", {**asked, "limit": limit}))
            return MemoryList(memories=[remembered(one) for one in found["items"] if one["kind"] == "memory"])
        # The assistant gets no memory that is paused, archived, replaced by a newer one, or of another project.
        page = gateway.page(
            "memory/long_term",
            disabled=False,
            archived=False,
            content_type=content_type,
            taboo=taboo,
            limit=limit,
            cursor=cursor,
        )
        listed, following = await done(page)
        in_force = [
            remembered(one) for one in listed if one["validity"] != "superseded" and not is_elsewhere(one, project_id)
        ]
        return MemoryList(memories=in_force, next_cursor=following)

    @server.tool(annotations=READS)
    async def explain_memory(context: Context, memory_id: Id, project_id: ProjectId = None) -> Explained:
        """Why something is remembered: the person's own words, and what it replaced. For "how do you know?"."""
        gateway = gateway_of(context)
        found = await done(gateway.get(f"memory/long_term/{memory_id}/explanation"))
        memory = found["memory"]
        await check_readable(gateway, memory, project_id)
        return Explained(
            memory=remembered(memory),
            said=[
                Said(
                    quote=one["quote"],
                    role=one["role"],
                    spoken_at=one["spoken_at"],
                    conversation_id=one["conversation_id"],
                    message_id=one["message_id"],
                )
                for one in memory["evidence"]
            ],
            replaces=[one["id"] for one in found["chain"] if one["id"] != memory["id"]],
            contradicts=found["contradicts"]["id"] if found["contradicts"] else None,
        )

    @server.tool(annotations=READS)
    async def get_operation(
        context: Context, operation_id: Id, wait_seconds: Annotated[int, Field(ge=0, le=20)] = 0
    ) -> OperationState:
        """How far a forget is, waiting up to `wait_seconds`: `succeeded` means erased everywhere, checked, signed."""
        gateway, until = gateway_of(context), monotonic() + wait_seconds
        while True:
            found = await done(gateway.get(f"memory/ops/{operation_id}"))
            if found["status"] in ENDED or monotonic() >= until:
                return OperationState(
                    status=found["status"],
                    erased_at=found["erased_at"],
                    receipt_id=found["receipt_id"],
                    waits_for=found["last_error"],
                )
            await anyio.sleep(0.5)


def add_writing(server: MCPServer[Settings]) -> None:
    """Add the tool that writes a memory."""

    @server.tool(annotations=WRITES)
    async def remember(
        context: Context,
        content: Text,
        content_type: Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")] = "note",
        taboo: bool = False,  # noqa: FBT001, FBT002 # an argument of the tool
        project_id: ProjectId = None,
    ) -> Remembered:
        """Keep one statement about the person, in their words, when they ask you to or state a lasting fact.

        `taboo`: it must never be missed (allergies, topics to avoid). Not for what you conclude, and never for secrets.
        """
        body = {
            "content": content,
            "content_type": content_type,
            "taboo": taboo,
            "scope": "project" if project_id else "global",
            "project_id": project_id,
        }
        gateway = gateway_of(context)
        for again in range(SAID_AGAIN_MAX):
            try:
                known = await gateway.post("memory/long_term", body, key=_key(body, again))
            except NotFound:
                continue  # said before, and forgotten meanwhile
            except MemoryCenterError as refused:
                raise ToolError(str(refused)) from None
            if known["validity"] != "superseded":  # or corrected
                return remembered(known)
        return remembered(await done(gateway.post("memory/long_term", body)))


def add_forgetting(server: MCPServer[Settings]) -> None:
    """Add the tools that forget and correct; each asks the person first."""

    @server.tool(annotations=DESTROYS)
    async def forget(
        context: Context,
        wanted: Annotated[Wanted, Resolve(find)],
        answer: Annotated[ElicitationResult[Confirmation], Resolve(ask_to_forget)],
        description: Annotated[str | None, Field(max_length=1_000)] = None,
        memory_ids: Annotated[list[Id] | None, Field(min_length=1, max_length=50)] = None,
        message_id: Id | None = None,
        conversation_id: Id | None = None,
    ) -> Changed:
        """Erase something from every store, with a signed receipt, when the person asks for it; they are asked first.

        Give exactly one: a description ("everything about Frank"), memory_ids, message_id or conversation_id.
        """
        del description, memory_ids, message_id, conversation_id  # what the resolvers read
        serving = Serving.of(context)
        if wanted.request is None:
            return Changed(status="nothing_found", doubtful=list(wanted.doubtful))
        if not serving.can_ask:
            return Changed(status="needs_person", url=f"{serving.settings.web}/data")
        if not _confirmed(answer):
            return Changed(status="not_confirmed")
        accepted = await done(serving.gateway().post("memory/forget", {**wanted.request, "undo_seconds": UNDO_SECONDS}))
        return Changed(
            status="accepted",
            operation_id=accepted["op_id"],
            receipt_id=accepted["receipt_id"],
            doubtful=list(wanted.doubtful),
            undo_seconds=UNDO_SECONDS,
        )

    @server.tool(annotations=DESTROYS)
    async def correct_memory(
        context: Context,
        about: Annotated[str, Field(min_length=1, max_length=1_000)],
        statement: Annotated[str, Field(min_length=1, max_length=SHOWN_MAX)],
        outdated: Annotated[Outdated, Resolve(find_outdated)],
        answer: Annotated[ElicitationResult[Correction], Resolve(ask_to_correct)],
    ) -> Changed:
        """Replace an outdated memory when the person says that it changed; they are asked first.

        Example: about "my gym day", statement "My gym day is Tuesday."
        """
        del about, statement  # what the resolvers read
        serving = Serving.of(context)
        if outdated.id is None:
            return Changed(status="nothing_found")
        if not serving.can_ask:
            return Changed(status="needs_person", url=f"{serving.settings.web}/memories")
        if not _confirmed(answer):
            return Changed(status="not_confirmed")
        # The one they were shown, as it was: another one, or another version, was not confirmed.
        path, headers = f"memory/long_term/{outdated.id}", {"If-Match": f'"{outdated.version}"'}
        await done(serving.gateway().send("PATCH", path, body={"content": outdated.corrected}, headers=headers))
        return Changed(status="corrected")


def _key(body: dict[str, Any], again: int) -> str:
    """Return the idempotency key of a statement that was forgotten or corrected `again` times.

    The same one within a day is remembered once.
    """
    return hashlib.sha256(json.dumps([body, again], sort_keys=True).encode()).hexdigest()


def _confirmed(answer: ElicitationResult[Confirmation] | ElicitationResult[Correction]) -> bool:
    return isinstance(answer, AcceptedElicitation) and answer.data.confirm
