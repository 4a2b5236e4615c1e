"""The layout `finclaw`: a folder for each kind, a file for each thing, and a manifest in YAML (FC-11).

Consents, contexts, drift and candidates only; never credentials, other people's data, or prompts and answers of models.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import quote

import yaml

from shared.kernel.records import Record
from shared.portability.packages.manifest import PackedFile
from shared.portability.packages.packing import BEGINNING, PRIVATE, Sink, Tally

SCHEMA_VERSION: Final = "1.0"
MANIFEST: Final = "manifest.yaml"

_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "candidate": ("id", "object_ref", "status", "withdrawal_status", "created_at"),
    "drift": (
        "drift_id",
        "object_ref",
        "cognition_object",
        "signal_kind",
        "prior_signal",
        "current_signal",
        "delta_summary",
        "triggers_alert",
        "schema_version",
    ),
}
"""Kind → the members of its files; all others have every member."""


def root_of(user_id: str) -> str:
    """Return the folder of a person: their user id, in characters that every file system takes."""
    name = quote(user_id, safe="")[:200]
    return name.replace(".", "%2E") if set(name) == {"."} else name


def pack_finclaw(
    sink: Sink, user_id: str, records: Iterable[tuple[str, Record]], moment: datetime, tasks: timedelta, tally: Tally
) -> None:
    """Write a zip in this layout.

    Args:
        records: (kind, record), in any order.
        moment: the moment whose state this is.
        tasks: contexts of tasks that began so long before are included.
    """
    root = root_of(user_id)
    sums: list[dict[str, Any]] = []
    with zipfile.ZipFile(sink, "w", compression=zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # a stream suffices
        for kind, path, said in _files(records, moment - tasks):
            text = json.dumps(said, ensure_ascii=False, indent=2, sort_keys=True).encode() + b"\n"
            _write(archive, f"{root}/{path}", text)
            digest = hashlib.sha256(text).hexdigest()
            sums.append({"path": path, "sha256": digest, "bytes": len(text)})
            tally.counts[kind] += 1
            tally.files.append(PackedFile(path=path, kind=kind, records=1, bytes=len(text), sha256=digest))
        manifest = {
            "schema_version": SCHEMA_VERSION,
            "exported_at": moment.isoformat(timespec="seconds"),
            "files": sorted(sums, key=lambda one: str(one["path"])),
        }
        _write(archive, f"{root}/{MANIFEST}", yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True).encode())


def _files(records: Iterable[tuple[str, Record]], since: datetime) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for kind, record in records:
        said = record.model_dump(mode="json")
        path = _path(kind, said, since)
        if path is not None:
            yield kind, path, {name: said[name] for name in _FIELDS.get(kind, tuple(said))}


def _path(kind: str, said: Mapping[str, Any], since: datetime) -> str | None:
    """Return the file of a thing; None for the context of a task that is too old."""
    if kind == "context":
        place = {"profile": "_profile", "thread": f"_thread/{said['conversation_id']}", "task": "_task"}[said["scope"]]
        old = said["scope"] == "task" and datetime.fromisoformat(said["created_at"]) < since
        return None if old else f"user_contexts/{place}/{said['id']}.json"
    return {
        "consent": f"consents/{said.get('version', 0):04d}-{said['id']}.json",
        "drift": f"persona_drift/{said.get('drift_id')}.json",
        "candidate": f"training_candidates/{said['id']}.json",
    }[kind]


def _write(archive: zipfile.ZipFile, path: str, data: bytes) -> None:
    info = zipfile.ZipInfo(path, date_time=BEGINNING)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = PRIVATE
    archive.writestr(info, data)
