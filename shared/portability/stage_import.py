"""Stage a package's records in bounded memory, so that PostgreSQL can decide about each (X-09)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final, TypeAlias, TypeVar
from uuid import UUID

from shared.kernel.database import Transaction
from shared.kernel.items import ItemKind, packed_kinds
from shared.kernel.metadata import screened
from shared.kernel.records import Record
from shared.language.rules.tasks import names_task
from shared.ledger.rules import canonical
from shared.portability.packages import records
from shared.portability.packages.histories import beginning, lives
from shared.portability.packages.package import Entry, Package
from shared.portability.sql import import_staging
from shared.portability.sql.import_staging import Thing

T = TypeVar("T")

Learnable: TypeAlias = Callable[[str], str | None]
"""Returns the part of a text that may be remembered, None if nothing may (FC-10)."""

AT_ONCE: Final = 500
CHARACTERS_AT_ONCE: Final = 1_000_000
"""Maximum characters per statement, unless a single record has more."""

ACTOR: Final = "system:importer"

_NOT_NEEDED: Final = set(records.Source.model_fields) - {"message_id", "quote_start", "quote_end"}


def stage_import(tx: Transaction, package: Package, *, learnable: Learnable, settings_id: UUID) -> None:
    """Write every record of a package into temporary tables of this transaction.

    Args:
        settings_id: id of the settings.

    Raises:
        PackageRefused: the package cannot be read.
    """
    import_staging.create(tx)
    for kind in (name for name in records.forms() if name not in ("edge", "event")):
        things = (_thing(entry, learnable, settings_id) for entry in package.entries(kind))
        for page in _pages(things, lambda thing: _size(thing.record)):
            import_staging.add(tx, kind, page)
    edges = (edge.model_dump(mode="json") for edge in package.records("edge"))
    for several in _pages(edges, _size):
        import_staging.add_edges(tx, several)
    for histories in _pages(lives(package), lambda told: 200 * len(told[0])):
        happened = [one.model_dump(mode="json") for history, _ in histories for one in history]
        import_staging.add_events(tx, happened, settings_id=settings_id)
        folded = {history[0].item_id: asdict(life) for history, life in histories if life is not None}
        import_staging.set_lives(tx, {id_: life for id_, life in folded.items() if id_ is not None})
    for untold in _pages(import_staging.without_history(tx), _size):
        begun = [beginning(records.Memory.model_validate({**one, "provenance": []}), actor=ACTOR) for one in untold]
        happened = [one.model_dump(mode="json") for history, _ in begun for one in history]
        import_staging.add_events(tx, happened, settings_id=settings_id)
        import_staging.set_lives(
            tx, {UUID(one["id"]): asdict(life) for one, (_, life) in zip(untold, begun, strict=True)}
        )
    import_staging.complete(tx)


def _thing(entry: Entry, learnable: Learnable, settings_id: UUID) -> Thing:
    match entry.record:
        case records.Settings() as settings:
            return Thing(id=settings_id, conversation_id=None, record=settings.model_dump(mode="json"))
        case records.Receipt() as receipt:
            document = canonical(receipt.model_dump(mode="json"))
            return Thing(id=receipt.receipt_id, conversation_id=None, record={"document": document})
        case records.Memory() as memory:
            return _memory(memory, learnable)
        case records.Message() as message:
            # Which task was at hand is not in a package: it follows from the words, as when they were said.
            names = names_task(message.role, message.content, message.task_hint)
            told = {**message.model_dump(mode="json"), "names_task": names}
            return Thing(id=message.id, conversation_id=message.conversation_id, record=told)
        case records.Feedback() | records.PreferenceSignal() as said:
            return Thing(id=said.id, conversation_id=said.conversation_id, record=said.model_dump(mode="json"))
        case record:
            return _other(record, entry.conversation_id, learnable)


def _other(record: Any, conversation_id: UUID | None, learnable: Learnable) -> Thing:
    """Return a record that is named by its `id`, screened as its kind says."""
    kept = record
    if isinstance(record, records.Conversation):
        kept = record.model_copy(update={"external_id": _allowed_id(record.external_id, learnable)})
    packed = next((one.in_packages for one in packed_kinds().values() if _is_form(one, record)), None)
    if packed is not None and packed.screened is not None:
        kept = packed.screened(record, learnable)
        if kept is None:
            return Thing(id=record.id, conversation_id=conversation_id, record={}, withheld=True)
    return Thing(id=record.id, conversation_id=conversation_id, record=kept.model_dump(mode="json"))


def _is_form(kind: ItemKind, record: Record) -> bool:
    return kind.in_packages is not None and isinstance(record, kind.in_packages.form)


def _memory(memory: records.Memory, learnable: Learnable) -> Thing:
    """Apply the same filter to a memory as to one written by hand."""
    content = learnable(memory.content)
    hint = None if memory.task_hint is None else learnable(memory.task_hint)
    felt = memory.emotion is None or learnable(memory.emotion.label) == memory.emotion.label
    metadata = screened(memory.metadata or {}, learnable)
    withheld = content is None or metadata is None or (hint is None and memory.task_hint is not None) or not felt
    record = memory.model_dump(mode="json", exclude={"provenance": {"__all__": _NOT_NEEDED}})
    if withheld:  # its text is not even staged
        content, hint = "", None
    return Thing(
        id=memory.id,
        conversation_id=None,
        record={
            **record,
            "content": content,
            "task_hint": hint,
            "emotion": None if withheld else record.get("emotion"),
            "metadata": None if withheld else metadata or None,
            "external_id": None if withheld else _allowed_id(memory.external_id, learnable),
        },
        withheld=withheld,
    )


def _allowed_id(external_id: str | None, learnable: Learnable) -> str | None:
    return external_id if external_id is not None and learnable(external_id) == external_id else None


def _size(value: Any) -> int:
    """Return about how many characters a record has as JSON."""
    match value:
        case str():
            return len(value)
        case dict():
            return sum(len(name) + _size(one) for name, one in value.items())
        case list() | tuple():
            return sum(map(_size, value))
        case _:
            return 8


def _pages(things: Iterable[T], size: Callable[[T], int]) -> Iterator[list[T]]:
    page: list[T] = []
    held = 0
    for thing in things:
        page.append(thing)
        held += size(thing)
        if len(page) == AT_ONCE or held > CHARACTERS_AT_ONCE:
            yield page
            page, held = [], 0
    if page:
        yield page
