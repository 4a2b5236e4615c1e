"""Reads a person's data for a package from one snapshot (MC-12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from itertools import groupby, islice
from typing import Any, Final
from uuid import UUID

from shared.consent.rules.policy import Terms
from shared.consent.sql import switches
from shared.contexts.sql.packing import contexts_and_tasks
from shared.conversations.sql import summaries
from shared.kernel import subjects
from shared.kernel.database import Row, Transaction
from shared.kernel.items import packed_kinds
from shared.kernel.records import Record
from shared.ledger.receipts import read_receipt
from shared.ledger.rules import to_document
from shared.memories.sql import provenance
from shared.portability.packages import manifest, records
from shared.portability.packages.packing import File, Tally
from shared.portability.packages.view import View
from shared.portability.sql import export_memories, exporting, imports
from shared.portability.sql.exports import Export, Wanted
from shared.traits.sql import refusals

AT_ONCE: Final = 100
"""Memories whose sources are read in one query."""

_SOURCE: Final = tuple(records.Source.model_fields)


class Exported:
    """Reads the data of an export, repeatedly if needed, always as of the snapshot.

    Args:
        tx: a snapshot.
        subject_id: the person.
        wanted: what to export.
        terms: the switches of people who never set any, and the policy.
    """

    def __init__(self, tx: Transaction, subject_id: UUID, wanted: Wanted, *, terms: Terms) -> None:
        self._tx = tx
        self._subject_id = subject_id
        self._wanted = wanted
        saved, subject = switches.read(tx, subject_id), subjects.read(tx, subject_id)
        self._settings = records.Settings(
            **asdict(saved.switches if saved else terms.defaults),
            version=saved.version if saved else 0,
            updated_at=saved.updated_at if saved else None,
            refused_traits=sorted(refusals.refused(tx, subject)) if subject else [],
        )
        self.moment: datetime = tx.now()

    def files(self) -> Iterator[File]:
        """Yield every file; read each before the next."""
        match self._wanted.scope:
            case "user":
                yield from self._account()
            case "conversation":
                yield from self._conversation(self._one_conversation())
                yield File(path="history.jsonl", kind="event", records=self._history(self._of_conversation()))
            case "selection":
                yield from self._selection()

    def of_consent(self) -> Iterator[tuple[str, Record]]:
        """Yield what the layout `finclaw` holds, each with its kind."""
        for name in ("consent", "context", "drift", "candidate"):
            packed = packed_kinds()[name].in_packages
            assert packed is not None  # noqa: S101 # packed kinds have it
            read = contexts_and_tasks if name == "context" else packed.read
            for row in read(self._tx, self._subject_id):
                yield name, packed.form(**row)

    def view(self, view: View, *, alone: bool) -> Iterator[str]:
        """Yield the human-readable view, part by part."""
        wanted = self._wanted
        yield view.beginning(wanted.scope, alone=alone)
        if wanted.scope == "user":
            yield view.settings(self._settings)
        if wanted.scope != "conversation":
            yield from view.memories(
                self._memories(wanted.items.get("memory") if wanted.scope == "selection" else None)
            )
        if wanted.scope == "selection":
            yield from map(view.message, self._some_messages())
            return
        if wanted.scope == "user":
            yield view.conversations()
        for conversation_id in self._conversations():
            yield view.conversation(self._head(conversation_id))
            yield from map(view.summary, self._summary(conversation_id))
            yield from map(view.message, self._messages(conversation_id))
        if wanted.scope == "user":
            yield from view.receipts(self._receipts())

    def manifest_of(self, export: Export, user_id: str, tally: Tally) -> manifest.Manifest:
        """Return the manifest."""
        wanted = self._wanted
        running = exporting.running_operations(self._tx, self._subject_id, but=export.operation_id)
        return manifest.Manifest(
            schema_name=manifest.SCHEMA,
            schema_version=manifest.SCHEMA_VERSION,
            content=manifest.Content(
                scope=wanted.scope,
                conversation_id=wanted.conversation_id,
                counts=dict(sorted(tally.counts.items())),
                switches=records.SwitchStates(
                    **self._settings.model_dump(include=set(records.SwitchStates.model_fields))
                ),
                files=sorted(tally.files, key=lambda file: file.path),
            ),
            export=manifest.About(
                operation_id=export.operation_id,
                user_id=user_id,
                format=wanted.format,
                language=wanted.language,
                exported_at=self.moment,
                operations_running=[manifest.Operation(**one) for one in running],
                view=tally.view,
            ),
        )

    def _account(self) -> Iterator[File]:
        yield File(path="settings.json", kind="settings", records=[self._settings])
        for conversation_id in self._conversations():
            yield from self._conversation(conversation_id)
        tx, subject_id = self._tx, self._subject_id
        yield _file("erased_conversations.jsonl", "erased_conversation", exporting.erased_conversations(tx, subject_id))
        yield _file("feedback.jsonl", "feedback", exporting.feedback(tx, subject_id, None))
        yield _file("preference_signals.jsonl", "preference_signal", exporting.signals(tx, subject_id, None))
        yield File(path="memories.jsonl", kind="memory", records=self._memories(None))
        for name, kind in packed_kinds().items():
            assert kind.in_packages is not None  # noqa: S101
            yield _file(f"{kind.table.name}.jsonl", name, kind.in_packages.read(tx, subject_id))
        yield _file("lineage.jsonl", "edge", export_memories.lineage(tx, subject_id))
        yield File(path="history.jsonl", kind="event", records=self._history(export_memories.history(tx, subject_id)))
        for receipt in self._receipts():
            yield File(path=f"receipts/{receipt.receipt_id}.json", kind="receipt", records=[receipt])

    def _conversation(self, conversation_id: UUID) -> Iterator[File]:
        tx, folder = self._tx, f"conversations/{conversation_id}"
        yield File(path=f"{folder}/conversation.json", kind="conversation", records=[self._head(conversation_id)])
        yield File(path=f"{folder}/messages.jsonl", kind="message", records=self._messages(conversation_id))
        yield _file(f"{folder}/erased.jsonl", "erased_message", exporting.erased_messages(tx, conversation_id))
        yield File(path=f"{folder}/summary.json", kind="summary", records=self._summary(conversation_id))
        yield _file(f"{folder}/episodes.jsonl", "episode", exporting.episodes(tx, conversation_id))
        given = exporting.feedback(tx, self._subject_id, conversation_id)
        yield _file(f"{folder}/feedback.jsonl", "feedback", given)
        if self._wanted.scope == "conversation":
            said = exporting.signals(tx, self._subject_id, conversation_id)
            yield _file("preference_signals.jsonl", "preference_signal", said)

    def _selection(self) -> Iterator[File]:
        for conversation_id, several in groupby(self._some_messages(), lambda message: message.conversation_id):
            yield File(path=f"conversations/{conversation_id}/messages.jsonl", kind="message", records=several)
        ids = self._wanted.items.get("memory", [])
        yield File(path="memories.jsonl", kind="memory", records=self._memories(ids))
        happened = export_memories.history_of(self._tx, self._subject_id, "memory", ids)
        yield File(path="history.jsonl", kind="event", records=self._history(happened))

    def _conversations(self) -> Sequence[UUID]:
        if self._wanted.scope == "conversation":
            return [self._one_conversation()]
        return exporting.conversation_ids(self._tx, self._subject_id)

    def _one_conversation(self) -> UUID:
        conversation_id = self._wanted.conversation_id
        assert conversation_id is not None  # noqa: S101 # the scope has one
        return conversation_id

    def _of_conversation(self) -> Iterator[Row]:
        return export_memories.history_of(self._tx, self._subject_id, "conversation", [self._one_conversation()])

    def _head(self, conversation_id: UUID) -> records.Conversation:
        return records.Conversation(**exporting.conversation(self._tx, conversation_id))

    def _messages(self, conversation_id: UUID) -> Iterator[records.Message]:
        return (records.Message(**row) for row in exporting.messages(self._tx, conversation_id))

    def _some_messages(self) -> Iterator[records.Message]:
        ids = self._wanted.items.get("message", [])
        return (records.Message(**row) for row in exporting.some_messages(self._tx, ids))

    def _summary(self, conversation_id: UUID) -> Iterator[records.Summary]:
        if newest := summaries.newest(self._tx, conversation_id):
            yield records.Summary(**asdict(newest))

    def _memories(self, ids: Sequence[UUID] | None) -> Iterator[records.Memory]:
        rows = export_memories.memories(self._tx, self._subject_id, ids)
        while page := list(islice(rows, AT_ONCE)):
            sources = provenance.sources(self._tx, [row["id"] for row in page])
            for row in page:
                yield _memory(row, sources[row["id"]])

    def _history(self, rows: Iterable[Row]) -> Iterator[records.Happened]:
        return (records.Happened(**row) for row in rows)

    def _receipts(self) -> Iterator[records.Receipt]:
        for receipt_id in exporting.receipt_ids(self._tx, self._subject_id):
            if receipt := read_receipt(self._tx, receipt_id):
                entries = [to_document(entry) for entry in receipt.entries]
                said = {name: getattr(receipt, name) for name in records.Receipt.model_fields}
                yield records.Receipt(**{**said, "entries": entries})
        for brought in imports.receipts(self._tx, self._subject_id):
            yield records.Receipt.model_validate_json(brought)


def _file(path: str, kind: str, rows: Iterable[Row]) -> File:
    form = records.forms()[kind]
    return File(path=path, kind=kind, records=(form(**row) for row in rows))


def _memory(row: Row, sources: Sequence[provenance.Source]) -> records.Memory:
    validity = "superseded" if row["superseded"] else "contradicted" if row["contradicted"] else "active"
    said: list[dict[str, Any]] = [{name: getattr(one, name) for name in _SOURCE} for one in sources]
    known = records.Memory.model_fields.keys() & row.keys()
    return records.Memory(**{name: row[name] for name in known}, validity=validity, provenance=said)
