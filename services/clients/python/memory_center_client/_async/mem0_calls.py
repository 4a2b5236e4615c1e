"""mem0's calls as calls of Memory Center, with the caller's own token."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import Any, Final, Unpack
from urllib.parse import urlencode

from memory_center_client._async.client import AsyncMemoryCenter
from memory_center_client._async.operations import AsyncOperation
from memory_center_client.batches import batches
from memory_center_client.errors import ApiError, Gone, NotFound
from memory_center_client.mem0_forms import (
    AS_METADATA,
    LIMIT_MAX,
    PAGE_MAX,
    Filter,
    Refused,
    as_mem0,
    filter_of,
    is_metadata,
    members,
    messages_of,
    number,
    score_of,
    unsupported,
)
from memory_center_client.mem0_requests import (
    FILTERS,
    batch_of,
    deleted,
    id_of,
    named,
    pong,
    run_of,
    title_of,
    wanted_of,
)
from memory_center_client.options import FeedbackOptions, MemoryChanges, MemoryFilters, Rating
from memory_center_client.tokens import AsyncToken

EVERYTHING: Final = "FORGET EVERYTHING"
PICKED_MAX: Final = 2_000
"""Most memories that one operation forgets by their ids."""
CHANGED: Final = ("not_found", "selection_changed")
CHANGED_MOST: Final = 3
"""How often others may forget or change some of them meanwhile."""
RATINGS: Final[Mapping[str, Rating]] = {"POSITIVE": "thumbs_up", "NEGATIVE": "not_helpful", "VERY_NEGATIVE": -5}
"""mem0's words for what somebody thinks of a memory, and ours."""
DELETED: Final = "Memories deleted successfully!"
SHOWN: Final[MemoryFilters] = {"disabled": False, "archived": False, "scope": "global"}
"""Assistants get no paused or archived memories, and none of a project: mem0's calls name none."""


class AsyncMem0Calls:
    """Memories of whom the token, or the request with a service key, names."""

    def __init__(self, center: AsyncMemoryCenter, token: AsyncToken) -> None:
        self._center, self._token = center, token

    async def whose(self) -> dict[str, Any]:
        """Return who the key is, in the form of mem0's `ping`."""
        person = await self._of(None).whose()
        if person is None:
            await self._of("anybody").settings.get()  # only a service key may act for somebody; reading stores nothing
        return pong(person)

    async def add(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Record messages, from which memories are learned; with `infer: false` keep the person's texts verbatim."""
        infer = body.get("infer", True)
        if not isinstance(infer, bool):
            raise Refused(422, "mem0_invalid", "infer must be true or false.")
        given = members(
            body,
            "messages",
            "user_id",
            "run_id",
            *AS_METADATA,
            "metadata",
            "infer",
            "filters",
            ignored=("version", "output_format", "async_mode"),
        )
        messages = messages_of(given.get("messages"))
        wanted = wanted_of(given)
        center = self._of(wanted.user_id)
        if not infer:
            if wanted.run_id is not None:  # a run is a conversation, and these texts are in none
                raise unsupported("run_id with infer: false")
            written = [
                await center.memories.create(one["content"], metadata=wanted.metadata or None)
                for one in messages
                if one["role"] == "user"
            ]
            return {"results": [{"id": one["id"], "memory": one["content"], "event": "ADD"} for one in written]}
        conversation = await center.conversations.find_or_create(run_of(wanted), title=title_of(wanted))
        kept = {"metadata": wanted.metadata} if wanted.metadata else {}
        recorded: list[tuple[str, str]] = []
        for some in batches([{**one, **kept} for one in messages]):
            ids = [one["id"] for one in await center.messages.record(conversation, some)]
            recorded += zip((one["role"] for one in some), ids, strict=True)
        if messages[-1]["role"] != "assistant":
            await center.conversations.end_session(conversation)  # nothing answers it: it is learned from as it is
        said = [message for role, message in recorded if role == "user"] or [recorded[-1][1]]
        return {
            "message": "Memories are learned in the background.",
            "status": "PENDING",
            "event_id": said[-1],
            **({"event_ids": said} if len(said) > 1 else {}),
            "results": [],
        }

    async def event(self, event_id: str) -> dict[str, Any]:
        """Return what came of a message that was added, as far as assistants may have it."""
        became = await self._of(None).messages.derived(id_of(event_id))
        results = []
        for one in became["derived"]:
            if one["kind"] == "memory":
                with suppress(NotFound):  # forgotten meanwhile, or not for assistants
                    await self._readable(one["id"])
                    results.append({"id": one["id"], "memory": one["content"], "event": "ADD"})
        return {"id": event_id, "status": "PENDING" if became["awaited"] else "SUCCEEDED", "results": results}

    async def search(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return memories by meaning, best first, each with its score."""
        given = members(body, *FILTERS, "query", "top_k", "limit", "threshold", ignored=("version", "output_format"))
        wanted = wanted_of(given)
        limit = number(given.get("top_k", given.get("limit")), usual=10, most=LIMIT_MAX)
        center = self._of(wanted.user_id)
        query = given.get("query")
        if not isinstance(query, str) or not query.strip():
            raise Refused(422, "mem0_invalid", "query is needed.")
        conversations = await self._conversations(center, wanted) if wanted.run_id else [None]
        if not conversations:
            return {"results": []}
        found = await center.search(
            query,
            limit=LIMIT_MAX,
            metadata=wanted.metadata or None,
            content_type=wanted.content_type,
            learned_in=conversations[0],  # an external_id names one conversation
            **wanted.times,  # type: ignore[typeddict-item] # its two times
        )
        results = [
            {**as_mem0(one, wanted.user_id), "score": one["score"]}
            for one in found["items"]
            if one["kind"] == "memory"
            and wanted.holds(one["created_at"])
            and wanted.content_type in (None, one["content_type"])
        ]
        if "threshold" in given:
            threshold = score_of(given["threshold"])
            results = [one for one in results if one["score"] is not None and one["score"] >= threshold]
        return {"results": results[:limit]}

    async def page(self, body: Mapping[str, Any], query: Mapping[str, str]) -> dict[str, Any]:
        """Return a page of memories, newest first."""
        known = (*FILTERS, "page", "page_size", "top_k", "limit")
        given = members({**query, **body}, *known, ignored=("version", "output_format"))
        wanted = wanted_of(given)
        size = number(given.get("page_size", given.get("top_k", given.get("limit"))), usual=100, most=PAGE_MAX)
        page = number(given.get("page"), usual=1, most=1_000_000)
        center = self._of(wanted.user_id)
        found = await self._all(center, wanted, **SHOWN) if await _may_read(center) else []
        shown = [as_mem0(one, wanted.user_id) for one in islice(found, (page - 1) * size, page * size)]

        def at(number: int) -> str:  # with the filters of the query: without them it would be a page of everything
            return "?" + urlencode({**query, "page": number, "page_size": size})

        return {
            "count": len(found),
            "next": at(page + 1) if page * size < len(found) else None,
            "previous": at(page - 1) if page > 1 else None,
            "results": shown,
        }

    async def get(self, memory_id: str) -> dict[str, Any]:
        """Return one memory, as it is now, if assistants may have it."""
        return named(*await self._readable(memory_id))

    async def history(self, memory_id: str) -> list[dict[str, Any]]:
        """Return what a memory was before, and is now."""
        await self.get(memory_id)
        memories = await self._versions(memory_id)
        return [
            {
                "id": one["id"],
                "memory_id": memory_id,
                "old_memory": memories[at - 1]["content"] if at else None,
                "new_memory": one["content"],
                "event": "UPDATE" if at else "ADD",
                "created_at": one["created_at"],
                "updated_at": one["updated_at"],
            }
            for at, one in enumerate(memories)
        ]

    async def update(self, memory_id: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Change the words of a memory."""
        given = members(body, "text", "data", "metadata")
        text, metadata = given.get("text", given.get("data")), given.get("metadata")
        if metadata is not None and not is_metadata(metadata):
            raise unsupported("metadata other than a flat object")
        if metadata is None and (not isinstance(text, str) or not text.strip()):
            raise Refused(422, "mem0_invalid", "text is needed.")
        newest, _, person = await self._readable(memory_id)
        changes: MemoryChanges = {}
        if text is not None:
            changes["content"] = text
        if metadata is not None:  # whose agent it is stays, as it does there
            old = newest["metadata"] or {}
            changes["metadata"] = {key: old[key] for key in AS_METADATA if key in old} | metadata
        changed = await self._of(None).memories.update(newest["id"], **changes)
        return named(changed, memory_id, person)

    async def feedback(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Record what a person thinks of a memory; with a service's key the request must name the person."""
        given = members(body, "memory_id", "feedback", "feedback_reason", "user_id")
        word = str(given.get("feedback") or "").upper()
        if not word:
            raise unsupported("feedback that is taken back")
        if word not in RATINGS:
            raise Refused(422, "mem0_invalid", f"feedback must be one of {', '.join(RATINGS)}.")
        person = self._of(given.get("user_id"))
        newest = await person.memories.get((await self._newest(given.get("memory_id")))["id"])
        if _is_withheld(newest) or not await _may_read(person):
            raise _withheld()
        reason = given.get("feedback_reason") or None
        said: FeedbackOptions = {"rating": RATINGS[word], "comment": reason, "related_object_ref": newest["id"]}
        return {"id": await person.feedback(**said), "feedback": word, "feedback_reason": reason}

    async def delete(self, memory_id: str) -> dict[str, Any]:
        """Forget a memory, with all it was before."""
        return deleted("Memory deleted successfully!", *await self._forgotten(memory_id))

    async def update_batch(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Change the words of several memories."""
        changes = [(one, members(one, "memory_id", "text", "metadata")) for one in batch_of(body)]
        for _, given in changes:
            await self.update(given.get("memory_id", ""), {name: given.get(name) for name in ("text", "metadata")})
        return {"message": f"Successfully updated {len(changes)} memories"}

    async def delete_batch(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Forget several memories; all must be there."""
        ids = [id_of(members(one, "memory_id").get("memory_id")) for one in batch_of(body)]
        for one in ids:
            await self._of(None).memories.get(one)
        operations = [operation for one in ids for operation in await self._forgotten(one)]
        return {
            "message": f"Successfully deleted {len(ids)} memories",
            "op_ids": [one.id for one in operations],
            "receipt_ids": [one.receipt_id for one in operations],
        }

    async def delete_all(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Forget the memories that a filter means, withheld ones too, a run, or everything about a person.

        With a person's own token everything needs their name too, so that no request without a filter erases it. An
        empty filter is refused: left out, it would mean more.
        """
        if empty := sorted(name for name, value in query.items() if value in ("", False) or value in ([], {})):
            raise Refused(422, "mem0_invalid", f"{', '.join(empty)} must not be empty.")
        wanted = filter_of(None, **members(query, "user_id", "run_id", *AS_METADATA, "metadata"))
        if wanted == Filter():
            raise Refused(400, "mem0_filter_needed", "user_id, run_id, agent_id, app_id or metadata is needed.")
        center = self._of(wanted.user_id)
        if wanted.metadata:
            operations, message = await self._forgotten_together(center, wanted)
        elif wanted.run_id is not None:
            operations, message = await self._forgotten_runs(center, wanted), DELETED
        else:
            operations, message = [await center.forget.everything(confirmation=EVERYTHING)], DELETED
        if not operations:
            return {"message": "There is nothing that this filter means."}
        return deleted(message, *operations)

    def _of(self, user_id: str | None) -> AsyncMemoryCenter:
        return self._center.for_user(user_id, token=self._token)

    async def _versions(self, memory_id: Any) -> list[Mapping[str, Any]]:
        """Return all versions of a memory, oldest first: mem0 has one id for all of them."""
        found = await self._of(None).memories.history(id_of(memory_id))
        return sorted(found["memories"], key=lambda one: one["created_at"])

    async def _forgotten(self, memory_id: str) -> list[AsyncOperation]:
        """Forget all versions of a memory, the oldest first: edited versions go with the one they were made from."""
        memories, operations = self._of(None).memories, list[AsyncOperation]()
        for version in await self._versions(memory_id):
            try:
                operations.append(await memories.delete(version["id"]))
            except NotFound:
                if not operations:
                    raise
        return operations

    async def _forgotten_runs(self, center: AsyncMemoryCenter, wanted: Filter) -> list[AsyncOperation]:
        """Forget the conversations of a run; one that somebody else forgot meanwhile is gone as well."""
        operations: list[AsyncOperation] = []
        for conversation in await self._conversations(center, wanted):
            with suppress(NotFound, Gone):
                operations.append(await center.forget.conversation(conversation))
        return operations

    async def _forgotten_together(self, center: AsyncMemoryCenter, wanted: Filter) -> tuple[list[AsyncOperation], str]:
        """Forget the memories that are meant, with all their wordings, until none is left; return what to say too.

        One that they had replaced holds again then, and goes as well if it is meant.
        """
        operations: list[AsyncOperation] = []
        accepted: set[str] = set()
        changed = 0
        while ids := [one["id"] for one in await self._all(center, wanted) if one["id"] not in accepted][:PICKED_MAX]:
            try:
                operations.append(await center.forget.selection(ids))
                accepted.update(ids)
            except ApiError as refused:
                if refused.code not in CHANGED:
                    raise
                changed += 1
                if changed > CHANGED_MOST:
                    if not operations:
                        raise
                    return operations, "Some memories were deleted, others changed meanwhile: ask again."
        return operations, DELETED

    async def _readable(self, memory_id: str) -> tuple[Mapping[str, Any], str, str | None]:
        """Return one memory as it is now, the id it was asked for by, and whose it is (None: a service key asks).

        Raises:
            NotFound: there is none, or assistants may not have it.
        """
        memory, person = await self._newest(memory_id), await self._of(None).whose()
        if _is_withheld(memory) or (person is not None and not await _may_read(self._of(None))):
            raise _withheld()
        return memory, memory_id, person

    async def _newest(self, memory_id: Any) -> Mapping[str, Any]:
        """Return what a memory is now."""
        memories = self._of(None).memories
        found: Mapping[str, Any] = await memories.get(id_of(memory_id))
        if found["validity"] != "superseded":
            return found
        in_force = [one["id"] for one in await self._versions(memory_id) if one["validity"] != "superseded"]
        return await memories.get(in_force[-1]) if in_force else found

    async def _all(
        self, center: AsyncMemoryCenter, wanted: Filter, **only: Unpack[MemoryFilters]
    ) -> list[Mapping[str, Any]]:
        """Return all memories that are meant; what a server that does not know a filter lists besides is not."""
        conversations = await self._conversations(center, wanted) if wanted.run_id else [None]
        return [
            one
            for conversation in conversations
            async for one in center.memories.list(
                conversation_id=conversation,
                **wanted.times,
                metadata=wanted.metadata or None,
                content_type=wanted.content_type,
                limit=PAGE_MAX,
                **only,
            )
            if one["validity"] != "superseded"
            and wanted.holds(one["created_at"])
            and wanted.metadata.items() <= (one["metadata"] or {}).items()
        ]

    async def _conversations(self, center: AsyncMemoryCenter, wanted: Filter) -> list[str]:
        """Return the conversation of a run, or of what is added without one; none if there is none."""
        run = run_of(wanted)
        return [one["id"] async for one in center.conversations.list(external_id=run) if one["external_id"] == run]


async def _may_read(center: AsyncMemoryCenter) -> bool:
    """Return whether the person lets assistants use their memories."""
    switches = await center.settings.get()
    return switches["injection_enabled"] and switches["longterm_enabled"]


def _withheld() -> NotFound:
    return NotFound(404, {"code": "not_found", "title": "There is nothing here, or it is not for assistants."})


def _is_withheld(memory: Mapping[str, Any]) -> bool:
    return bool(memory["disabled"] or memory["archived"] or memory["scope"] != "global")
