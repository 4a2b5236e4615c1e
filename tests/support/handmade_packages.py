"""Packages without a database: a good one of every kind of record, and drafts of it to spoil."""

from __future__ import annotations

import hashlib
import io
import json
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from pydantic import TypeAdapter

from shared.consent.packages import Consent
from shared.consent.rules.switches import Switches
from shared.contexts.packages import Candidate, Context, Task
from shared.documents.packages import Document
from shared.drift.packages import Drift, Note, Signal
from shared.kernel.events import (
    ConversationCreated,
    Event,
    MemoryConfirmed,
    MemoryLearned,
    MessageRecorded,
    SettingsChanged,
)
from shared.kernel.records import Record
from shared.ledger.rules import GENESIS, canonical, seal
from shared.portability.packages.manifest import SCHEMA, SCHEMA_VERSION, About, Content, Manifest
from shared.portability.packages.packing import File, Tally, pack_json, pack_zip
from shared.portability.packages.records import (
    Conversation,
    Edge,
    Episode,
    ErasedConversation,
    ErasedMessage,
    Feedback,
    Happened,
    LedgerEntry,
    Memory,
    Message,
    PreferenceSignal,
    Receipt,
    Settings,
    Source,
    Summary,
    SwitchStates,
    Withheld,
)
from shared.traits.packages import Observation, Reflection, Trait

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def id_(number: int) -> UUID:
    return UUID(int=0x0192F0C1_0000_7000_8000_000000000000 + number)


LUNCH, HOME, GONE = id_(1), id_(2), id_(3)
ASKED, NOTED, ALSO, ALSO_NOTED, FORGOTTEN, LIVES, FINE = (id_(100 + number) for number in range(7))
OLD, NEW, OTHER = id_(200), id_(201), id_(202)
SUMMARY, FIRST, SECOND, THIRD = id_(300), id_(310), id_(311), id_(312)
RATED, ACCEPTED, SIGNAL = id_(400), id_(401), id_(410)
RECEIPT = id_(500)
REFLECTED, OBSERVED, TRAIT = id_(600), id_(610), id_(620)
CONSENT, TASK = id_(700), id_(710)

FOLDER = f"conversations/{LUNCH}"
MESSAGES = f"{FOLDER}/messages.jsonl"
HEAD = f"{FOLDER}/conversation.json"
EPISODES = f"{FOLDER}/episodes.jsonl"
RECEIPT_FILE = f"receipts/{RECEIPT}.json"


def message(id_: UUID, conversation_id: UUID, seq: int, text: str, **more: Any) -> Message:
    said: dict[str, Any] = {
        "turn": (seq + 1) // 2,
        "session": 1,
        "role": "user" if seq % 2 else "assistant",
        "name": None,
        "task_hint": None,
        "client_message_id": f"m-{seq}",
        "completed": True,
        "version": 1,
        "summarize": True,
        "index_episode": True,
        "learn": True,
        "never_learn": [],
        "withheld": [],
        "spoken_at": NOON + timedelta(seconds=seq),
        "recorded_at": NOON + timedelta(seconds=seq, microseconds=123456),
    }
    return Message(id=id_, conversation_id=conversation_id, seq=seq, content=text, **(said | more))


def memory(id_: UUID, text: str, **more: Any) -> Memory:
    known: dict[str, Any] = {
        "content_type": "fact",
        "scope": "global",
        "project_id": None,
        "origin": "extracted",
        "importance": 5,
        "taboo": False,
        "disabled": False,
        "confirmed": False,
        "archived": False,
        "validity": "active",
        "supersedes_id": None,
        "contradicts_id": None,
        "conversation_id": LUNCH,
        "spoken_at": NOON,
        "method": "rules",
        "task_hint": None,
        "version": 1,
        "last_supported_at": None,
        "created_at": NOON,
        "updated_at": NOON,
        "provenance": [],
    }
    return Memory(id=id_, content=text, **(known | more))


def _conversation(id_: UUID, **more: Any) -> Conversation:
    known: dict[str, Any] = {
        "project_id": None,
        "title": None,
        "title_at_seq": None,
        "remember": True,
        "session": 1,
        "turn_open": False,
        "turn_has_user": False,
        "cleared_through": 0,
        "summary_version": 0,
        "created_at": NOON,
        "updated_at": NOON,
    }
    return Conversation(id=id_, **(known | more))


def _episode(id_: UUID, turn: int, asked: UUID, text: str, noted: UUID, answer: str) -> Episode:
    return Episode(
        id=id_,
        turn=turn,
        first_seq=2 * turn - 1,
        user_message_id=asked,
        assistant_message_id=noted,
        user_message=text,
        assistant_message=answer,
        created_at=NOON,
    )


def _feedback(id_: UUID, **more: Any) -> Feedback:
    known = dict.fromkeys(
        ("conversation_id", "message_id", "at_seq", "action", "rating", "evidence_ref", "related_object_ref", "comment")
    )
    return Feedback(id=id_, recorded_at=NOON, **(known | more))


def _edge(
    derived: tuple[str, UUID], source: tuple[str, UUID], start: int | None = None, end: int | None = None
) -> Edge:
    return Edge(
        derived_kind=derived[0],
        derived_id=derived[1],
        source_kind=source[0],
        source_id=source[1],
        edge="text_from",
        quote_start=start,
        quote_end=end,
        context=False,
    )


def _happened(item: UUID | None, version: int, event: Event) -> Happened:
    data = TypeAdapter(type(event)).dump_python(event, mode="json")
    kind: Any = event.stream
    return Happened(
        kind=kind, item_id=item, version=version, type=type(event).__name__, data=data, actor="person", at=NOON
    )


def _learned(**more: Any) -> MemoryLearned:
    known: dict[str, Any] = {
        "content_type": "fact",
        "scope": "global",
        "project_id": None,
        "origin": "extracted",
        "importance": 5,
        "taboo": False,
        "supersedes": None,
        "conversation_id": LUNCH,
        "spoken_at": NOON,
    }
    return MemoryLearned(**(known | more))


def _receipt() -> Receipt:
    entries, before = [], GENESIS
    for seq, kind in enumerate(("accepted", "verified"), start=1):
        body = {"seq": seq, "operation": str(id_(501)), "kind": kind, "run": 1, "receipt": str(RECEIPT), "v": 1}
        sealed = seal(before, canonical(body))
        entries.append(
            LedgerEntry(body=body, prev_hash=before.hex(), hash=sealed.hex(), signature=bytes(range(64)).hex())
        )
        before = sealed
    return Receipt(
        receipt_id=RECEIPT,
        status="succeeded",
        type="forget_message",
        scope="message",
        unrecallable_at=NOON,
        erased_at=NOON,
        purged_at=None,
        entries=entries,
    )


PEANUTS, GREEN_TEA, BERLIN = "I'm allergic to peanuts.", "我喜欢喝绿茶。🍵\u2028", 'I live in "Berlin".\n\\ \x01'
SWITCHES = asdict(Switches())


def several(path: str, kind: str, *records: Record) -> File:
    return File(path=path, kind=kind, records=iter(records))


def files() -> Iterator[File]:
    """Yield what an account has of which there is a little of everything."""
    yield several("settings.json", "settings", Settings(**SWITCHES, version=1, updated_at=NOON))
    yield several(
        HEAD,
        "conversation",
        _conversation(
            LUNCH, title="Lunch *special*", title_at_seq=1, next_seq=6, turn=3, turn_open=True, summary_version=2
        ),
    )
    yield several(
        MESSAGES,
        "message",
        message(ASKED, LUNCH, 1, PEANUTS, never_learn=[(0, 3), (4, 10)], name="Ada"),
        message(NOTED, LUNCH, 2, "Noted.", withheld=[Withheld(category="email", outcome="redacted", count=2)]),
        message(ALSO, LUNCH, 3, GREEN_TEA, spoken_at=datetime(1970, 1, 1, 8, tzinfo=UTC)),
        message(ALSO_NOTED, LUNCH, 4, "好的。", task_hint="lunch"),
    )
    yield several(
        f"{FOLDER}/erased.jsonl", "erased_message", ErasedMessage(id=FORGOTTEN, seq=5, turn=3, erased_at=NOON)
    )
    yield several(
        f"{FOLDER}/summary.json",
        "summary",
        Summary(
            id=SUMMARY,
            text="Lunch.",
            version=2,
            method="extractive",
            covered_from=1,
            covered_through=2,
            covered_message_count=2,
            updated_at=NOON,
        ),
    )
    yield several(
        EPISODES,
        "episode",
        _episode(FIRST, 1, ASKED, PEANUTS, NOTED, "Noted."),
        _episode(SECOND, 2, ALSO, GREEN_TEA, ALSO_NOTED, "好的。"),
    )
    yield several(
        f"{FOLDER}/feedback.jsonl",
        "feedback",
        _feedback(RATED, conversation_id=LUNCH, message_id=NOTED, at_seq=3, rating=-5, comment="No. <b>"),
    )
    home = f"conversations/{HOME}"
    yield several(
        f"{home}/conversation.json", "conversation", _conversation(HOME, project_id="flat", next_seq=3, turn=1)
    )
    yield several(
        f"{home}/messages.jsonl",
        "message",
        message(LIVES, HOME, 1, BERLIN),
        message(FINE, HOME, 2, "A fine city."),
    )
    yield several(f"{home}/episodes.jsonl", "episode", _episode(THIRD, 1, LIVES, BERLIN, FINE, "A fine city."))
    yield several("erased_conversations.jsonl", "erased_conversation", ErasedConversation(id=GONE, erased_at=NOON))
    yield several("feedback.jsonl", "feedback", _feedback(ACCEPTED, action="accept", evidence_ref="shorter answers"))
    yield several(
        "preference_signals.jsonl",
        "preference_signal",
        PreferenceSignal(
            id=SIGNAL,
            feedback_id=ACCEPTED,
            conversation_id=None,
            at_seq=None,
            action="accept",
            topic="ab" * 32,
            label="length",
            language="en",
            quote="shorter answers",
            recorded_at=NOON,
        ),
    )
    source = Source(
        message_id=ASKED,
        conversation_id=LUNCH,
        role="user",
        turn=1,
        session=1,
        quote="peanuts",
        quote_start=15,
        quote_end=22,
        spoken_at=NOON,
    )
    yield several(
        "memories.jsonl",
        "memory",
        memory(OLD, "Allergic to nuts.", validity="superseded"),
        memory(NEW, PEANUTS, supersedes_id=OLD, provenance=[source], confirmed=True, version=2),
        memory(OTHER, "Eats peanuts.", contradicts_id=NEW, scope="project", project_id="flat", importance=10),
    )
    yield several(
        "reflections.jsonl",
        "reflection",
        Reflection(id=REFLECTED, trigger="session", reason=None, at=NOON, counts={"observations": 1}),
    )
    yield several(
        "trait_observations.jsonl",
        "observation",
        Observation(
            id=OBSERVED,
            trait_key="asks-short-answers",
            shows=True,
            form="told",
            context="general",
            conversation_id=LUNCH,
            at_seq=1,
            message_id=ASKED,
            memory_id=None,
            feedback_id=None,
            sure=0.75,
            observed_at=NOON,
            reflection_id=REFLECTED,
        ),
    )
    yield several("traits.jsonl", "trait", _trait())
    yield from _of_consent()
    document = Document(
        id=id_(760),
        title="notes.md",
        media_type="text/markdown",
        size=7,
        pages=None,
        parts=[],
        part_pages=[],
        created_at=NOON,
    )
    yield several("documents.jsonl", "document", document)
    yield several(
        "lineage.jsonl",
        "edge",
        _edge(("episode", FIRST), ("message", ASKED)),
        _edge(("memory", NEW), ("message", ASKED), 15, 22),
        _edge(("memory", OTHER), ("signal", SIGNAL)),
        _edge(("signal", SIGNAL), ("feedback", ACCEPTED)),
        _edge(("summary", SUMMARY), ("message", ASKED)),
    )
    recorded = MessageRecorded(message_id=ASKED, seq=1, turn=1, session=1, role="user", completed=True, spoken_at=NOON)
    yield several(
        "history.jsonl",
        "event",
        _happened(LUNCH, 1, ConversationCreated(project_id=None)),
        _happened(LUNCH, 2, recorded),
        _happened(HOME, 1, ConversationCreated(project_id="flat")),
        _happened(OLD, 1, _learned()),
        _happened(NEW, 1, _learned(supersedes=OLD)),
        _happened(NEW, 2, MemoryConfirmed()),
        _happened(OTHER, 1, _learned(contradicts=NEW, importance=10, scope="project", project_id="flat")),
        _happened(None, 1, SettingsChanged(**SWITCHES)),
    )
    yield several(RECEIPT_FILE, "receipt", _receipt())


def _of_consent() -> Iterator[File]:
    """Yield a consent, a task with its context, a thread's note, a candidate, and a drift between two ratings."""
    yield several(
        "profile_consents.jsonl",
        "consent",
        Consent(
            id=CONSENT,
            grant_id=CONSENT,
            version=1,
            create_task=True,
            save_to_thread=True,
            save_to_profile=True,
            training_use_allowed=False,
            text_version="2026-11",
            locale="en",
            channel="person",
            granted_at=NOON,
            revoked_at=None,
            imported=False,
        ),
    )
    yield several(
        "tasks.jsonl",
        "task",
        Task(id=TASK, route="snapshot", status="succeeded", conversation_id=LUNCH, created_at=NOON, ended_at=NOON),
    )
    yield several(
        "user_contexts.jsonl",
        "context",
        Context(
            id=id_(720),
            scope="task",
            written_by="task",
            task_id=TASK,
            conversation_id=LUNCH,
            at_seq=1,
            consent_blocked=False,
            training_excluded=False,
            expires_at=NOON,
            created_at=NOON,
            fields={"research_depth": "quick"},
        ),
    )
    yield several(
        "training_candidates.jsonl",
        "candidate",
        Candidate(
            id=id_(730),
            object_ref="snapshot:1",
            status="pending",
            withdrawal_status="none",
            conversation_id=LUNCH,
            at_seq=1,
            created_at=NOON,
        ),
    )
    yield several(
        "thread_notes.jsonl",
        "thread_note",
        Note(
            id=id_(740),
            conversation_id=LUNCH,
            at_seq=1,
            kind="thesis",
            object_type="asset",
            object_ref="snapshot:1",
            text="Peanuts go up.",
            noted_at=NOON,
        ),
    )
    side = Signal(value="thumbs_up", captured_at=NOON, captured_in_object_ref="snapshot:1")
    yield several(
        "persona_drift.jsonl",
        "drift",
        Drift(
            id=id_(750),
            drift_id="drift_20260101T120000Z_0123ab",
            object_ref="snapshot:1",
            cognition_object={},
            signal_kind="grade_reversal",
            prior_signal=side,
            current_signal=side,
            delta_summary="2026-01-01 rated thumbs_up, 2026-01-01 rated not_helpful",
            triggers_alert=True,
            schema_version="1.0",
            prior_feedback_id=ACCEPTED,
            prior_note_id=None,
            current_feedback_id=ACCEPTED,
            current_note_id=None,
            observed_at=NOON,
        ),
    )


def _trait() -> Trait:
    return Trait(
        id=TRAIT,
        trait_key="asks-short-answers",
        content="Usually asks for short answers",
        edited=False,
        trait_subtype="behavior",
        trait_stage="emerging",
        confidence=0.4,
        base_confidence=0.4,
        valid_from=None,
        valid_until=None,
        context="general",
        contexts={},
        chosen_context=None,
        confirmed_at=None,
        importance=5,
        first_observed=NOON,
        last_reinforced=NOON,
        reinforcement_count=3,
        contradiction_count=0,
        derived_from="reflection",
        overruled=False,
        supporting=[OBSERVED],
        contradicting=[],
        version=1,
        created_at=NOON,
        updated_at=NOON,
    )


def manifest_of(format_: Literal["zip", "json"]) -> Callable[[Tally], Record]:
    def made(tally: Tally) -> Manifest:
        return Manifest(
            schema_name=SCHEMA,
            schema_version=SCHEMA_VERSION,
            content=Content(
                scope="user",
                conversation_id=None,
                counts=dict(sorted(tally.counts.items())),
                switches=SwitchStates(**SWITCHES),
                files=sorted(tally.files, key=lambda file: file.path),
            ),
            export=About(
                operation_id=id_(900),
                user_id="ada",
                format=format_,
                language="en",
                exported_at=NOON,
                operations_running=[],
                view=tally.view,
            ),
        )

    return made


def good_zip() -> bytes:
    sink = io.BytesIO()
    pack_zip(sink, files(), ["# What is remembered\n", "中文\n"], manifest_of("zip"), Tally())
    return sink.getvalue()


def good_json() -> bytes:
    sink = io.BytesIO()
    pack_json(sink, files(), manifest_of("json"), Tally())
    return sink.getvalue()


def every_record() -> list[tuple[str, str, Record]]:
    """Return all records with their kinds and paths, in the order in which they are read."""
    return [
        (file.kind, file.path, record) for file in sorted(files(), key=lambda one: one.path) for record in file.records
    ]


@dataclass
class Draft:
    """A package taken apart. Its manifest and sums fit again when it is packed, unless they are changed themselves."""

    lines: dict[str, list[bytes]]
    kinds: dict[str, str]
    manifest: dict[str, Any]
    view: bytes
    after: list[Callable[[dict[str, Any]], Any]] = field(default_factory=list)

    def change(self, path: str, number: int = 0, **members: Any) -> Draft:
        """Change members of a record."""
        record = json.loads(self.lines[path][number])
        assert set(members) <= set(record), "a draft changes what is there"
        self.lines[path][number] = canonical(record | members).encode()
        return self

    def put(self, path: str, number: int, raw: bytes) -> Draft:
        """Write something else in the place of a record."""
        self.lines[path][number] = raw
        return self

    def drop(self, path: str, number: int | None = None) -> Draft:
        """Leave out a record, or a file."""
        if number is None:
            del self.lines[path], self.kinds[path]
        else:
            del self.lines[path][number]
        return self

    def add(self, path: str, kind: str, *raw: bytes) -> Draft:
        """Add a file."""
        self.lines[path], self.kinds[path] = list(raw), kind
        return self

    def declare(self, change: Callable[[dict[str, Any]], Any]) -> Draft:
        """Change the manifest after it was made to fit."""
        self.after.append(change)
        return self

    def fitting_manifest(self, format_: str) -> bytes:
        listed = []
        counts: Counter[str] = Counter()
        for path in sorted(self.lines):
            data = b"".join(line + b"\n" for line in self.lines[path])
            counts[self.kinds[path]] += len(self.lines[path])
            listed.append(
                {
                    "path": path,
                    "kind": self.kinds[path],
                    "records": len(self.lines[path]),
                    "bytes": len(data),
                    "sha256": hashlib.sha256(data).hexdigest(),
                }
            )
        made: dict[str, Any] = json.loads(json.dumps(self.manifest))
        made["content"] |= {"files": listed, "counts": dict(counts)}
        made["export"]["format"] = format_
        if format_ == "json":
            made["export"]["view"] = None
        for change in self.after:
            change(made)
        return canonical(made).encode()

    def members(self) -> dict[str, bytes]:
        """Return the files of a zip, in the order in which they are packed."""
        manifest = self.fitting_manifest("zip") + b"\n"
        found = {path: b"".join(line + b"\n" for line in lines) for path, lines in self.lines.items()}
        found |= {"README.md": self.view, "manifest.json": manifest}
        sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(found.items()))
        return found | {"SHA256SUMS": sums.encode()}

    def zip(self) -> bytes:
        return zip_of(self.members())

    def json(self) -> bytes:
        parts = []
        for path, lines in self.lines.items():
            held = b",\n".join(lines)
            parts.append(canonical(path).encode() + b":" + (b"[" + held + b"]" if path.endswith(".jsonl") else held))
        return b'{"files":{' + b",\n".join(parts) + b'},\n"manifest":' + self.fitting_manifest("json") + b"}\n"


def draft() -> Draft:
    """Take the good package apart."""
    with zipfile.ZipFile(io.BytesIO(good_zip())) as archive:
        held = {path: archive.read(path) for path in archive.namelist()}
    manifest = json.loads(held["manifest.json"])
    kinds = {file["path"]: file["kind"] for file in manifest["content"]["files"]}
    lines = {path: held[path].removesuffix(b"\n").split(b"\n") for path in held if path in kinds}
    return Draft(lines=lines, kinds=kinds, manifest=manifest, view=held["README.md"])


def zip_of(
    members: dict[str, bytes] | list[tuple[str | zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """Return a zip of files, or of entries, which may repeat."""
    sink = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(sink, "w", compression=method) as archive:
        warnings.simplefilter("ignore")  # it warns of repeated names
        for path, data in members.items() if isinstance(members, dict) else members:
            archive.writestr(path, data)
    return sink.getvalue()
