"""Event histories in a package, from which memories are rebuilt (X-09)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any, Final

from pydantic import TypeAdapter

from shared.kernel.events import EVENTS, MemoryArchived, MemoryConfirmed, MemoryDisabled, MemoryLearned
from shared.memories.rules.memories import Memory, MemoryEvent, fold
from shared.portability.packages import records
from shared.portability.packages.package import Package
from shared.portability.packages.records import Happened
from shared.portability.packages.refusals import PackageRefused
from shared.portability.rules.imports import METHOD

HISTORY: Final = "history.jsonl"
EVENTS_MAX: Final = 10_000
"""Of one memory, which are folded together."""
PORTION: Final = 500


def check_histories(package: Package) -> None:
    """Check what a rebuild of the read models relies on; call this after `Package.check`.

    Raises:
        PackageRefused: a history has a gap or a wrong beginning, or memories supersede each other in a cycle.
    """
    for _ in lives(package):
        pass
    superseded = {
        one.id.int: one.supersedes_id.int
        for one in package.records("memory")
        if isinstance(one, records.Memory) and one.supersedes_id is not None
    }
    while superseded:
        start, before = superseded.popitem()
        seen = {start}
        while before not in seen:
            seen.add(before)
            if before not in superseded:
                break
            before = superseded.pop(before)
        else:
            raise PackageRefused("package_references_missing", "memories.jsonl")


def lives(package: Package) -> Iterator[tuple[list[Happened], Memory | None]]:
    """Yield each memory's history, with the memory it folds to, and other kinds' in portions, with None.

    Raises:
        PackageRefused: as `check_histories`.
    """
    for (kind, _), told in groupby(_told(package), lambda one: (one[0].kind, one[0].item_id)):
        history: list[Happened] = []
        line = 0
        for version, (happened, line) in enumerate(told, start=1):
            if happened.version != version:
                raise PackageRefused("package_schema_mismatch", HISTORY, line)
            if kind == "memory" and version > EVENTS_MAX:
                raise PackageRefused("package_too_large", HISTORY, line)
            history.append(happened)
            if kind != "memory" and len(history) == PORTION:
                yield history, None
                history = []
        life = fold(map(_recorded, history)) if kind == "memory" else None
        if (kind == "memory") != (life is not None):
            raise PackageRefused("package_schema_mismatch", HISTORY, line)
        yield history, life


def _told(package: Package) -> Iterator[tuple[Happened, int]]:
    for entry in package.entries("event"):
        if isinstance(entry.record, Happened):
            yield entry.record, entry.line


def beginning(memory: records.Memory, *, actor: str) -> tuple[list[Happened], Memory]:
    """Return a new history for a memory without one in the package, and the memory it folds to."""
    learned = MemoryLearned(
        content_type=memory.content_type,
        scope=memory.scope,
        project_id=memory.project_id,
        origin=memory.origin,
        importance=memory.importance,
        taboo=memory.taboo,
        supersedes=memory.supersedes_id,
        contradicts=memory.contradicts_id,
        conversation_id=memory.conversation_id,
        spoken_at=memory.spoken_at,
        method=memory.method or METHOD,
        level=memory.level,
    )
    marks = (
        (memory.confirmed, MemoryConfirmed()),
        (memory.disabled, MemoryDisabled()),
        (memory.archived, MemoryArchived()),
    )
    events: list[MemoryEvent] = [learned, *(event for is_so, event in marks if is_so)]
    history = [
        Happened(
            kind="memory",
            item_id=memory.id,
            version=version,
            type=type(event).__name__,
            data=_adapter(type(event).__name__).dump_python(event, mode="json"),
            actor=actor,
            at=memory.created_at,
        )
        for version, event in enumerate(events, start=1)
    ]
    life = fold((event, memory.created_at) for event in events)
    assert life is not None  # noqa: S101 # it just began
    return history, life


def _recorded(happened: Happened) -> tuple[MemoryEvent, datetime]:
    return _adapter(happened.type).validate_python(happened.data), happened.at


@cache
def _adapter(type_name: str) -> TypeAdapter[Any]:
    return TypeAdapter(EVENTS[type_name])
