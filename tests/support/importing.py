"""Packages as a person brings them back, and another installation to bring them to."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from shared.consent.rules.switches import Switches
from shared.kernel.new_ids import new_id
from shared.portability.packages.manifest import SCHEMA, SCHEMA_VERSION, About, Content, Manifest
from shared.portability.packages.packing import File, Tally, pack_json, pack_zip
from shared.portability.packages.records import Conversation, Message, Settings, SwitchStates, forms
from tests.support.backing import Backing
from tests.support.memories import deleted, edited, written
from tests.support.packages import Package
from tests.support.workbench import Person, Workbench, test_settings, workbench
from workers import process as worker_process

IMPORT = "/api/v1/memory/import"
ZIP = {"Content-Type": "application/zip"}
TEXTS = [
    "I'm allergic to peanuts.",
    "我喜欢喝绿茶。",
    "I live in Berlin.",
    "Remember that I cycle to work.",
    "Hm. \u202e\t<i>\r\n- x",
]


def sent(person: Person, raw: bytes, *, headers: Mapping[str, str] = ZIP, **query: Any) -> Any:
    """Send a package; return the answer, whatever it is."""
    return person.bench.api.post(IMPORT, content=raw, params=query, headers={**person.headers, **headers})


def preview(person: Person, raw: bytes) -> Any:
    """Return what would become of a package."""
    answer = sent(person, raw, dry_run=True)
    assert answer.status_code == 200, answer.text
    return answer.json()


def asked(person: Person, raw: bytes, **query: Any) -> str:
    """Ask for an import; return its operation."""
    answer = sent(person, raw, **query)
    assert answer.status_code == 202, answer.text
    return str(answer.json()["op_id"])


def brought(person: Person, raw: bytes, **query: Any) -> dict[str, int]:
    """Import a package and let the workers run; return what the operation counted."""
    op_id = asked(person, raw, **query)
    person.bench.work()
    operation = person.operation(op_id)
    assert (operation["type"], operation["status"]) == ("import", "succeeded"), operation
    [step] = operation["steps"]
    counts: dict[str, int] = step["counts"]
    return counts


def compared(package: Package) -> dict[str, bytes]:
    """Return what an import restores to the byte: every file of records, and what the manifest says of them."""
    return {name: held for name, held in package.compared.items() if name != "README.md"} | {
        "manifest.json": repr(package.manifest["content"]).encode()
    }


def repacked(package: Package, change: Callable[[str, list[Any]], list[Any]]) -> bytes:
    """Return a good package that holds something else.

    Args:
        change: returns the records a file has now, given its path and those it had.
    """
    files = []
    for file in package.manifest["content"]["files"]:
        records = change(file["path"], package.records(file["path"]))
        form = forms()[file["kind"]]
        files.append(File(path=file["path"], kind=file["kind"], records=[form.model_validate(one) for one in records]))
    told = package.manifest["content"]
    return _zip(files, scope=told["scope"], conversation_id=told["conversation_id"], switches=told["switches"])


def empty_package() -> bytes:
    """Return the package of somebody of whom there is nothing."""
    files = [File(path="settings.json", kind="settings", records=[_no_settings()])]
    return _zip(files, scope="user", conversation_id=None, switches=asdict(Switches()))


def long_package(messages: int) -> bytes:
    """Return the package of somebody who said much in one conversation."""
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    conversation = Conversation(
        id=new_id(),
        project_id=None,
        title=None,
        title_at_seq=None,
        remember=True,
        session=1,
        next_seq=messages + 1,
        turn=messages,
        turn_open=False,
        turn_has_user=False,
        cleared_through=0,
        summary_version=0,
        created_at=at,
        updated_at=at,
    )
    said = (
        Message(
            id=new_id(),
            conversation_id=conversation.id,
            seq=number,
            turn=number,
            session=1,
            role="user",
            name=None,
            content=f"{number} " * 40,
            task_hint=None,
            client_message_id=None,
            completed=True,
            version=1,
            summarize=True,
            index_episode=True,
            learn=True,
            never_learn=[],
            withheld=[],
            spoken_at=at,
            recorded_at=at,
        )
        for number in range(1, messages + 1)
    )
    folder = f"conversations/{conversation.id}"
    files = [
        File(path="settings.json", kind="settings", records=[_no_settings()]),
        File(path=f"{folder}/conversation.json", kind="conversation", records=[conversation]),
        File(path=f"{folder}/messages.jsonl", kind="message", records=said),
    ]
    return _zip(files, scope="user", conversation_id=None, switches=asdict(Switches()))


def empty_document() -> dict[str, Any]:
    """Return the same as one JSON document, never the same twice."""
    settings = _no_settings()
    target = io.BytesIO()
    files = [File(path="settings.json", kind="settings", records=[settings])]
    told = {"scope": "user", "conversation_id": None, "switches": asdict(Switches()), "format": "json"}
    pack_json(target, files, lambda tally: _manifest(tally, **told), Tally())
    document: dict[str, Any] = json.loads(target.getvalue())
    return document


def _no_settings() -> Settings:
    return Settings(**asdict(Switches()), version=0, updated_at=None)


def _zip(files: Sequence[File], **told: Any) -> bytes:
    target = io.BytesIO()
    pack_zip(target, files, ["# Packed by a test\n"], lambda tally: _manifest(tally, format="zip", **told), Tally())
    return target.getvalue()


def _manifest(
    tally: Tally,
    *,
    scope: Any,
    conversation_id: Any,
    switches: Mapping[str, Any],
    format: Any,  # noqa: A002 # theirs
) -> Manifest:
    return Manifest(
        schema_name=SCHEMA,
        schema_version=SCHEMA_VERSION,
        content=Content(
            scope=scope,
            conversation_id=conversation_id,
            counts=dict(sorted(tally.counts.items())),
            switches=SwitchStates(**switches),
            files=sorted(tally.files, key=lambda file: file.path),
        ),
        export=About(
            operation_id=new_id(),
            user_id="somebody",
            format=format,
            language="en",
            exported_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
            operations_running=[],
            view=tally.view,
        ),
    )


class Elsewhere:
    """A second installation beside a workbench; of the two one works at a time."""

    def __init__(self, here: Workbench, there: Workbench, installed: Mapping[int, Any]) -> None:
        self.here, self.there = here, there
        self._installed = installed

    def work_at(self, bench: Workbench) -> None:
        """Let the workers be those of one of the two."""
        worker_process._installed[:] = [self._installed[id(bench)]]


@contextmanager
def elsewhere(here: Workbench, backing: Backing) -> Iterator[Elsewhere]:
    """Open another installation with nobody in it."""
    first = worker_process._installed[0]
    with backing.cloned_database() as url, workbench(test_settings(backing, url)) as there:
        both = Elsewhere(here, there, {id(here): first, id(there): worker_process._installed[0]})
        try:
            yield both
        finally:
            both.work_at(there)
    worker_process._installed[:] = [first]


SAY, WRITE, EDIT, FORGET_MESSAGE, FORGET_MEMORY, CLEAR, FEEDBACK, SETTING, SESSION, END = range(10)


def happen(person: Person, happened: Sequence[tuple[int, int]]) -> None:
    """Let things happen to an account, and the workers finish."""
    bench = person.bench
    conversations = [person.conversation(title=TEXTS[4], project_id="flat"), person.conversation()]

    def active() -> list[Any]:
        return [one for one in person.get("/api/v1/memory/long_term") if one["validity"] == "active"]

    acts: dict[int, Callable[[int], Any]] = {
        SAY: lambda n: person.say(conversations[n % 2], (TEXTS[n], "Noted.")),
        WRITE: lambda n: written(person, TEXTS[n]),
        EDIT: lambda n: [edited(person, one["id"], content=f"{n} times") for one in active()[:1]],
        FORGET_MESSAGE: lambda n: [
            person.forget("message", message_id=one["id"], cascade=bool(n % 2))
            for one in person.get("/api/v1/messages", conversation_id=conversations[n % 2])[:1]
        ],
        FORGET_MEMORY: lambda _: [deleted(person, one["id"]) for one in active()[:1]],
        CLEAR: lambda n: person.post("/api/v1/clear", {"conversation_id": conversations[n % 2]}, status=202),
        FEEDBACK: lambda n: [
            person.post(
                "/api/v1/feedback", {"conversation_id": conversations[n % 2], "rating": n, "comment": TEXTS[n]}
            ),
            person.post("/api/v1/feedback", {"action": "accept", "evidence_ref": "shorter answers"}),
        ],
        SETTING: lambda n: bench.api.patch(
            "/api/v1/memory/settings", json={"privacy_mode_enabled": bool(n % 2)}, headers=person.headers
        ),
        SESSION: lambda n: bench.api.post(
            f"/api/v1/conversations/{conversations[n % 2]}/session-end", headers=person.headers
        ),
        END: lambda _: bench.work(),
    }
    for act, which in happened:
        acts[act](which)
    bench.work()
