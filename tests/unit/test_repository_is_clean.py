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
TEST_NAME_LENGTH_MAX = 80


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


def test_names_of_tests_are_short():
    name = re.compile(r"^\s*(?:async )?def (test_\w+)", re.MULTILINE)
    too_long = [
        f"{path}::{found}"
        for path, text in FILES.items()
        if path.startswith("tests/") and path.endswith(".py")
        for found in name.findall(text)
        if len(found) > TEST_NAME_LENGTH_MAX
    ]
    assert not too_long


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


# What had names of our own, and the field's standard terms for it (docs/adr/0037-capabilities-first.md).
PRIVATE_WORDS = {
    "Bringing": "ImportContext",
    "Doomed": "StoreTarget",
    "CorrectionForeseen": "CorrectionPreview",
    "Foreseen": "DryRun",
    "Habits": "ContextDefaults",
    "Narrowed": "CurrentFilter",
    "Narrowing": "FilterQuery",
    "Pace": "LearningSchedule",
    "Rhythm": "SummarySchedule",
    "Stance": "Comparison",
    "UnitsUnknown": "MemoriesAdded",
    "Wish": "ForgetRequest",
    "compare_alone": "lock_learning",
    "foresee": "dry_run",
    "foreseen": "preview",
    "foresee_correction": "preview_correction",
    "foresee_import": "preview_import",
    "idempotently": "run_idempotent",
    "place_unit": "supersession",
    "unit_to_change": "memory_to_change",
    "run_once": "run_idempotent",
    "set_down": "stage_import",
    "withdraw_exports": "revoke_exports",
    "withdraw_imports": "revoke_imports",
}


def test_nothing_has_a_name_of_our_own_where_the_field_has_one():
    used = {
        (path, word)
        for path, text in FILES.items()
        if path.endswith(".py") and not path.startswith("tests/")
        for word in set(re.findall(r"\w+", text)) & set(PRIVATE_WORDS)
    }
    assert not used, {word: PRIVATE_WORDS[word] for _, word in used}
