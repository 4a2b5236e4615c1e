"""Rules for records beyond their schema: the API's limits and internal consistency (X-09)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from shared.kernel import limits
from shared.kernel.emotions import LABEL_MAX
from shared.kernel.events import EVENTS
from shared.kernel.items import kinds
from shared.kernel.metadata import is_metadata
from shared.kernel.records import Record
from shared.ledger.rules import NotAnEntry, from_document, is_intact
from shared.portability.packages import records
from shared.preferences.rules import EVIDENCE_MAX

_INT: Final = 2**31 - 1
_BIGINT: Final = 2**62
_BIG: Final = frozenset(
    {"seq", "turn", "next_seq", "first_seq", "at_seq", "title_at_seq", "cleared_through", "covered_from"}
    | {"covered_through"}
)
"""Members that number messages; all other numbers are small counters."""
_SIGNED: Final = frozenset({"rating"})
_FROM_ONE: Final = frozenset({"seq", "session", "next_seq", "first_seq"})

_PROJECT: Final = re.compile(limits.PROJECT_ID)
_CONTENT_TYPE: Final = re.compile(limits.CONTENT_TYPE)
_NAME: Final = re.compile(r"[a-z_]{1,40}")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2}){1,64}")
_METHOD_MAX: Final = 200


def keeps_rules(record: Record) -> bool:
    """Return whether this product could have exported a record."""
    rule = _RULES.get(type(record))
    return _keeps_common_rules(record) and (rule is None or rule(record))


def _keeps_common_rules(record: Record) -> bool:
    for name, value in record.__dict__.items():
        match value:
            case bool() | None | str():
                pass
            case int():
                if name in _SIGNED:
                    continue
                if not (name in _FROM_ONE) <= value <= (_BIGINT if name in _BIG else _INT):
                    return False
            case datetime():
                if not limits.EARLIEST <= value < limits.BEFORE:
                    return False
            case _:
                pass
    return True


def _within(text: str | None, most: int, least: int = 0) -> bool:
    return text is None or least <= len(text) <= most


def _is_project(project_id: str | None) -> bool:
    return project_id is None or bool(len(project_id) <= limits.PROJECT_ID_MAX and _PROJECT.fullmatch(project_id))


def _are_spans(spans: Iterable[tuple[int, int]]) -> bool:
    before = (-1, -1)
    for start, end in spans:
        if not 0 <= start <= end <= _INT or (start, end) <= before:
            return False
        before = (start, end)
    return True


def _is_quote(start: int | None, end: int | None) -> bool:
    if start is None or end is None:
        return start is None and end is None
    return 0 <= start <= end <= _INT


def _conversation(one: records.Conversation) -> bool:
    return (
        _within(one.title, limits.SHORT_MAX, 1)
        and _within(one.external_id, limits.SHORT_MAX, 1)
        and (one.title is None) == (one.title_at_seq is None)
        and (one.title_at_seq is None or one.cleared_through < one.title_at_seq <= one.next_seq)
        and one.cleared_through < one.next_seq
        and _is_project(one.project_id)
    )


def _message(one: records.Message) -> bool:
    kinds = {(each.category, each.outcome) for each in one.withheld}
    return (
        len(one.content) <= limits.MESSAGE_MAX
        and _within(one.name, limits.NAME_MAX, 1)
        and _within(one.task_hint, limits.SHORT_MAX, 1)
        and (one.metadata is None or is_metadata(one.metadata))
        and _within(one.client_message_id, limits.SHORT_MAX, 1)
        and len(one.never_learn) <= limits.MESSAGE_MAX
        and _are_spans(one.never_learn)
        and len(kinds) == len(one.withheld)
        and all(_NAME.fullmatch(each.category) and 1 <= each.count <= _INT for each in one.withheld)
    )


def _summary(one: records.Summary) -> bool:
    return (
        len(one.text) <= limits.MESSAGE_MAX
        and len(one.method) <= _METHOD_MAX
        and 1 <= one.covered_from <= one.covered_through
    )


def _episode(one: records.Episode) -> bool:
    sides = ((one.user_message_id, one.user_message), (one.assistant_message_id, one.assistant_message))
    return all(_within(text, limits.MESSAGE_MAX) and (text is None or id_ is not None) for id_, text in sides)


def _feedback(one: records.Feedback) -> bool:
    return (
        (one.rating is None or limits.RATING_MIN <= one.rating <= limits.RATING_MAX)
        and _within(one.evidence_ref, EVIDENCE_MAX)
        and _within(one.related_object_ref, limits.SHORT_MAX)
        and _within(one.comment, limits.COMMENT_MAX)
        and _within(one.reason, limits.COMMENT_MAX)
        and (one.rating is None or one.rating_word is None)
        and (one.at_seq is not None or one.conversation_id is None)
    )


def _signal(one: records.PreferenceSignal) -> bool:
    return bool(
        _within(one.quote, EVIDENCE_MAX)
        and _HEX.fullmatch(one.topic)
        and _NAME.fullmatch(one.label)
        and (one.at_seq is not None or one.conversation_id is None)
    )


def _memory(one: records.Memory) -> bool:
    return bool(
        one.content.strip()
        and len(one.content) <= limits.MESSAGE_MAX
        and _CONTENT_TYPE.fullmatch(one.content_type)
        and (one.scope == "project") == (one.project_id is not None)
        and _is_project(one.project_id)
        and limits.IMPORTANCE_MIN <= one.importance <= limits.IMPORTANCE_MAX
        and one.id not in (one.supersedes_id, one.contradicts_id)
        and _within(one.method, _METHOD_MAX)
        and _within(one.task_hint, limits.SHORT_MAX, 1)
        and _emotion(one.emotion)
        and (one.metadata is None or is_metadata(one.metadata))
        and _within(one.external_id, limits.SHORT_MAX, 1)
        and one.version >= 1
        and all(map(_source, one.provenance))
    )


def _emotion(one: records.Emotion | None) -> bool:
    return one is None or (-1 <= one.valence <= 1 and 0 <= one.arousal <= 1 and 1 <= len(one.label) <= LABEL_MAX)


def _source(one: records.Source) -> bool:
    return (
        _keeps_common_rules(one)
        and _is_quote(one.quote_start, one.quote_end)
        and _within(one.quote, limits.MESSAGE_MAX)
        and (one.quote is None) == (one.quote_start is None)
    )


def _edge(one: records.Edge) -> bool:
    sources = {kind.name for kind in kinds() if kind.in_lineage}
    return (
        _is_quote(one.quote_start, one.quote_end)
        and one.derived_kind in sources - {"message"}
        and one.source_kind in sources
        and (one.derived_kind, one.derived_id) != (one.source_kind, one.source_id)
    )


def _event(one: records.Happened) -> bool:
    known = _EVENTS.get(one.type)
    if known is None or known[0].stream != one.kind or not set(one.data) <= known[2]:
        return False
    try:
        event = known[1].validate_python(one.data)
    except (ValidationError, OverflowError):
        return False
    texts = {field.name: value for field in fields(event) if isinstance(value := getattr(event, field.name), str)}
    return (
        (one.kind == "settings") == (one.item_id is None)
        and one.version >= 1
        and 0 < len(one.actor) <= _METHOD_MAX
        and _CONTENT_TYPE.fullmatch(texts.get("content_type", "note")) is not None
        and _is_project(texts.get("project_id"))
        and all(len(text) <= _METHOD_MAX for text in texts.values())
    )


def _settings(one: records.Settings) -> bool:
    return (
        1 <= one.preference_learning_threshold <= 100  # noqa: PLR2004
        and (one.version == 0) == (one.updated_at is None)
        and one.refused_traits == sorted(set(one.refused_traits))
    )


def _receipt(one: records.Receipt) -> bool:
    try:
        entries = [from_document(entry.model_dump(mode="json")) for entry in one.entries]
    except NotAnEntry:
        return False
    return all(entry.receipt_id == one.receipt_id and is_intact(entry) for entry in entries)


_EVENTS: Final = {
    name: (type_, TypeAdapter(type_), {field.name for field in fields(type_)}) for name, type_ in EVENTS.items()
}

_RULES: Final[dict[type[Record], Callable[[Any], bool]]] = {
    records.Settings: _settings,
    records.Conversation: _conversation,
    records.Message: _message,
    records.Summary: _summary,
    records.Episode: _episode,
    records.Feedback: _feedback,
    records.PreferenceSignal: _signal,
    records.Memory: _memory,
    records.Edge: _edge,
    records.Happened: _event,
    records.Receipt: _receipt,
}
