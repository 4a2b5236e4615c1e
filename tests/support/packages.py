"""Packages as a person downloads them."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.support.workbench import Person

EXPORT = "/api/v1/memory/export"


def export(person: Person, scope: str = "user", **more: Any) -> str:
    """Ask for an export; return its operation."""
    body = {"scope": scope, "confirmation": scope == "user", "format": "zip", **more}
    return str(person.post(EXPORT, body, status=202)["op_id"])


def download(person: Person, op_id: str, **headers: str) -> Any:
    """Return the answer to asking for a package."""
    path = f"/api/v1/memory/exports/{op_id}/package"
    return person.bench.api.get(path, headers=person.headers | headers)


@dataclass(frozen=True)
class Package:
    """A downloaded zip."""

    raw: bytes

    @cached_property
    def files(self) -> dict[str, bytes]:
        with zipfile.ZipFile(io.BytesIO(self.raw)) as archive:
            assert archive.testzip() is None
            return {name: archive.read(name) for name in archive.namelist()}

    @property
    def manifest(self) -> Any:
        return json.loads(self.files["manifest.json"])

    @property
    def view(self) -> str:
        return self.files["README.md"].decode()

    def records(self, path: str) -> list[Any]:
        """Return the records of a file; none when there is no such file."""
        return [json.loads(line) for line in self.files.get(path, b"").splitlines()]

    def every(self, kind: str) -> list[Any]:
        """Return all records of a kind."""
        return [
            record
            for file in self.manifest["content"]["files"]
            if file["kind"] == kind
            for record in self.records(file["path"])
        ]

    @property
    def compared(self) -> dict[str, bytes]:
        """Return what the same state has the same of: everything but the manifest's `export`, and its sum."""
        manifest = self.manifest
        del manifest["export"]
        kept = {name: data for name, data in self.files.items() if name not in ("manifest.json", "SHA256SUMS")}
        return {**kept, "manifest.json": json.dumps(manifest, sort_keys=True).encode()}

    def check(self) -> None:
        """Check every file against SHA256SUMS, as `sha256sum -c` does, and against the manifest."""
        sums = dict(reversed(line.split("  ", 1)) for line in self.files["SHA256SUMS"].decode().splitlines())
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in self.files.items()}
        del digests["SHA256SUMS"]
        assert sums == digests
        listed = {file["path"]: file for file in [*self.manifest["content"]["files"], self.manifest["export"]["view"]]}
        assert set(listed) == set(digests) - {"manifest.json"}
        for path, file in listed.items():
            assert (file["bytes"], file["sha256"]) == (len(self.files[path]), digests[path])


def packed(person: Person, scope: str = "user", **more: Any) -> Package:
    """Export, let the workers run, and return the package."""
    op_id = export(person, scope, **more)
    person.bench.work()
    assert person.operation(op_id)["status"] == "succeeded"
    answer = download(person, op_id)
    assert answer.status_code == 200, answer.text
    return Package(answer.content)
