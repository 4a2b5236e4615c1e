"""Checks the records of a package: rules, order, ids and references (X-09).

Only ids are kept in memory. Kinds come in the order of `records.forms`, so a record's references are known before it;
only memories may refer to later memories.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from shared.kernel.items import packed_kinds, recorded_as
from shared.kernel.records import Record
from shared.portability.packages import records
from shared.portability.packages.layout import Place
from shared.portability.packages.limits import Limits
from shared.portability.packages.manifest import Content
from shared.portability.packages.package import Entry
from shared.portability.packages.refusals import Code, PackageRefused
from shared.portability.packages.rules import keeps_rules

_LAST: Final = UUID(int=2**128 - 1)
"""Sort key of the settings' history, which has no item."""


class _Bounds(NamedTuple):
    """Limits of a conversation's numbers; its records must be within them."""

    cleared_through: int
    next_seq: int
    turn: int
    session: int

    def have(self, seq: int, turn: int = 0, session: int = 1) -> bool:
        return seq < self.next_seq and turn <= self.turn and session <= self.session

    def show(self, seq: int, turn: int = 0, session: int = 1) -> bool:
        return self.cleared_through < seq and self.have(seq, turn, session)


class Checker:
    """Checks every record of a package, each exactly once.

    Args:
        content: from the manifest.
        limits: maximum number of ids.
    """

    def __init__(self, content: Content, limits: Limits) -> None:
        self._content = content
        self._most = limits.identified
        self._is_whole = content.scope == "user"
        self._ids: defaultdict[str, set[int]] = defaultdict(set)
        self._kept = 0
        self._conversations: dict[UUID, _Bounds] = {}
        self._messages: dict[int, UUID] = {}
        self._with_history: set[int] = set()
        self._awaited: dict[int, int] = {}
        self._place = Place(None, None)
        self._before: Any = None
        self._in_file: set[int] = set()
        self._checks: Final[Mapping[type[Record], Callable[[Any, int], Code | None]]] = {
            records.Settings: self._settings,
            records.Conversation: self._conversation,
            records.ErasedConversation: self._erased_conversation,
            records.Message: self._message,
            records.ErasedMessage: self._erased_message,
            records.Summary: self._summary,
            records.Episode: self._episode,
            records.Feedback: self._feedback,
            records.PreferenceSignal: self._signal,
            records.Memory: self._memory,
            records.Edge: self._edge,
            records.Happened: self._happened,
            records.Receipt: self._receipt,
        }

    def begin(self, place: Place) -> None:
        """Start the next file."""
        self._place = place
        self._before = None
        self._in_file = set()

    def take(self, entry: Entry) -> None:
        """Check a record.

        Raises:
            PackageRefused: it violates a rule.
        """
        if code := self._refusal(entry):
            raise PackageRefused(code, entry.path, entry.line)

    def finish(self) -> None:
        """Check what is known only at the end.

        Raises:
            PackageRefused: a memory refers to a missing one, or has no history.
        """
        memories = self._ids["memory"]
        if self._is_whole:
            for awaited, line in self._awaited.items():
                if awaited not in memories:
                    raise PackageRefused("package_references_missing", "memories.jsonl", line)
        if self._with_history != memories:
            raise PackageRefused("package_references_missing", "memories.jsonl")

    def _refusal(self, entry: Entry) -> Code | None:
        record = entry.record
        if not keeps_rules(record):
            return "package_schema_mismatch"
        if (key := _key(record)) is not None:
            if self._before is not None and key == self._before:
                return "package_duplicate_id"
            if self._before is not None and key < self._before:
                return "package_out_of_order"
            self._before = key
        check = self._checks.get(type(record))
        return check(record, entry.line) if check else self._packed(record)

    def _settings(self, record: records.Settings, _line: int) -> Code | None:
        switches = record.model_dump(include=set(records.SwitchStates.model_fields))
        return None if switches == self._content.switches.model_dump() else "package_digest_mismatch"

    def _conversation(self, record: records.Conversation, _line: int) -> Code | None:
        if record.id != self._place.conversation_id:
            return "package_references_missing"
        self._conversations[record.id] = _Bounds(record.cleared_through, record.next_seq, record.turn, record.session)
        return self._new("conversation", record.id)

    def _erased_conversation(self, record: records.ErasedConversation, _line: int) -> Code | None:
        return self._new("conversation", record.id)

    def _message(self, record: records.Message, _line: int) -> Code | None:
        folder = self._place.conversation_id
        if folder is None or record.conversation_id != folder:
            return "package_references_missing"
        if record.client_message_id is not None and self._seen_in_file(record.client_message_id):
            return "package_duplicate_id"
        if record.id.int in self._messages:
            return "package_duplicate_id"
        if self._kept >= self._most:
            return "package_too_many_entries"
        self._messages[record.id.int] = folder
        self._kept += 1
        is_inside = folder not in self._conversations or self._bounds().show(record.seq, record.turn, record.session)
        return _rule(is_inside)

    def _erased_message(self, record: records.ErasedMessage, _line: int) -> Code | None:
        if record.id.int in self._messages:
            return "package_duplicate_id"
        return self._new("erased_message", record.id) or _rule(self._bounds().have(record.seq, record.turn))

    def _summary(self, record: records.Summary, _line: int) -> Code | None:
        bounds = self._bounds()
        is_inside = bounds.show(record.covered_from) and bounds.have(record.covered_through)
        return self._new("summary", record.id) or _rule(is_inside)

    def _episode(self, record: records.Episode, _line: int) -> Code | None:
        if self._seen_in_file(record.turn):
            return "package_duplicate_id"
        said = [
            id_
            for id_, text in (
                (record.user_message_id, record.user_message),
                (record.assistant_message_id, record.assistant_message),
            )
            if id_ is not None and text is not None
        ]
        if any(self._messages.get(id_.int) != self._place.conversation_id for id_ in said):
            return "package_references_missing"
        return self._new("episode", record.id) or _rule(self._bounds().show(record.first_seq, record.turn))

    def _feedback(self, record: records.Feedback, _line: int) -> Code | None:
        if record.conversation_id != self._place.conversation_id:
            return "package_references_missing"
        if record.message_id is not None:  # the message may have been forgotten since
            said_in = self._messages.get(record.message_id.int, record.conversation_id)
            if said_in != record.conversation_id:
                return "package_references_missing"
        return self._new("feedback", record.id)

    def _signal(self, record: records.PreferenceSignal, _line: int) -> Code | None:
        if not self._is_there("feedback", record.feedback_id):
            return "package_references_missing"
        if record.conversation_id is not None and record.conversation_id not in self._conversations:
            return "package_references_missing"
        return self._new("signal", record.id)

    def _memory(self, record: records.Memory, line: int) -> Code | None:
        if self._is_whole:
            if any(self._messages.get(one.message_id.int) != one.conversation_id for one in record.provenance):
                return "package_references_missing"
            for other in (record.supersedes_id, record.contradicts_id):
                if other is not None:
                    self._awaited.setdefault(other.int, line)
        return self._new("memory", record.id)

    def _packed(self, record: Record) -> Code | None:
        """Check a record of a registered kind: its references must exist and its id must be new."""
        by_form = {kind.in_packages.form: kind for kind in packed_kinds().values() if kind.in_packages}
        kind = by_form[type(record)]
        assert kind.in_packages is not None  # noqa: S101 # only such are in it
        records_of = recorded_as()
        for member, named in kind.in_packages.refers_to.items():
            id_: UUID | None = getattr(record, member)
            if id_ is not None and not self._is_there(records_of[named].name, id_):
                return "package_references_missing"
        for member, named in kind.in_packages.lists.items():
            if len(set(getattr(record, member))) < len(getattr(record, member)):
                return "package_duplicate_id"
            if not all(self._is_there(records_of[named].name, id_) for id_ in getattr(record, member)):
                return "package_references_missing"
        return self._new(kind.name, record.id)  # type: ignore[attr-defined]  # all have one

    def _edge(self, record: records.Edge, _line: int) -> Code | None:
        ends = ((record.derived_kind, record.derived_id), (record.source_kind, record.source_id))
        return _reference(all(self._is_there(kind, id_) for kind, id_ in ends))

    def _happened(self, record: records.Happened, _line: int) -> Code | None:
        if record.item_id is None:
            return _reference(self._is_whole)
        if record.kind == "conversation":
            return _reference(record.item_id in self._conversations)
        self._with_history.add(record.item_id.int)
        return _reference(self._is_there("memory", record.item_id))

    def _receipt(self, record: records.Receipt, _line: int) -> Code | None:
        return _reference(record.receipt_id == self._place.receipt_id)

    def _bounds(self) -> _Bounds:
        folder = self._place.conversation_id
        assert folder is not None  # noqa: S101 # its kind stands in folders only, and each has its conversation
        return self._conversations[folder]

    def _is_there(self, kind: str, id_: UUID) -> bool:
        return id_.int in self._messages if kind == "message" else id_.int in self._ids[kind]

    def _seen_in_file(self, value: object) -> bool:
        """Return whether a value occurred in this file; texts are compared by their randomised hash."""
        number = hash(value)
        if number in self._in_file:
            return True
        self._in_file.add(number)
        return False

    def _new(self, kind: str, id_: UUID) -> Code | None:
        """Store an id; return a code if it is a duplicate or there are too many."""
        ids = self._ids[kind]
        if id_.int in ids:
            return "package_duplicate_id"
        if self._kept >= self._most:
            return "package_too_many_entries"
        ids.add(id_.int)
        self._kept += 1
        return None


def _reference(is_there: bool) -> Code | None:  # noqa: FBT001 # it is what is asked
    return None if is_there else "package_references_missing"


def _rule(is_kept: bool) -> Code | None:  # noqa: FBT001 # it is what is asked
    return None if is_kept else "package_schema_mismatch"


def _key(record: Record) -> Any:
    """Return the unique sort key of a record in its file."""
    key = _KEYS.get(type(record))
    return key(record) if key else getattr(record, "id", None)


_KEYS: Final[Mapping[type[Record], Callable[[Any], Any]]] = {
    records.Message: lambda one: one.seq,
    records.ErasedMessage: lambda one: (one.seq, one.id),
    records.Episode: lambda one: (one.first_seq, one.id),
    records.Edge: lambda one: (one.derived_kind, one.derived_id, one.source_kind, one.source_id),
    records.Happened: lambda one: (one.kind, one.item_id or _LAST, one.version),
}
