"""What no linter looks at: the files as they lie in the repository."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Written apart, so that this file does not name them either.
REGISTRY_HOSTS = [
    ".".join(labels)
    for labels in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("docker", "io"),
        ("hub", "docker", "com"),
        ("ghcr", "io"),
        ("gcr", "io"),
        ("quay", "io"),
        ("debian", "org"),
    )
]


def _files() -> dict[str, str]:
    """Return the text of every file that is, or is about to be, in the repository, by path."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - whichever git there is
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    paths = [path for path in listed.stdout.decode().split("\0") if path and (ROOT / path).is_file()]
    return {path: (ROOT / path).read_text(encoding="utf-8", errors="replace") for path in paths}


FILES = _files()


def test_the_folders_are_those_of_the_architecture():
    folders = {path.split("/")[0] for path in FILES if "/" in path and not path.startswith(".")}
    assert folders == {"services", "workers", "shared", "migrations", "tests", "deploy", "docs"}


def test_no_file_names_a_package_registry():
    named = re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, REGISTRY_HOSTS)) + r")(?![\w-])", re.IGNORECASE)
    assert not [path for path, text in FILES.items() if named.search(text)]


def test_no_file_has_conflict_markers():
    marker = re.compile(rf"^(?:{'<' * 7}|{'>' * 7}) ", re.MULTILINE)
    assert not [path for path, text in FILES.items() if marker.search(text)]


def test_rules_import_the_standard_library_alone():
    """The import contracts can only forbid what they list; this forbids the rest."""
    allowed = sys.stdlib_module_names | {"shared"}
    strangers = {
        (path, module)
        for path, text in FILES.items()
        if re.match(r"shared/\w+/rules(/|\.py$)", path) and path.endswith(".py")
        for node in ast.walk(ast.parse(text))
        for module in _imported(node)
        if module.split(".")[0] not in allowed
    }
    assert not strangers


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case _:
            return []
