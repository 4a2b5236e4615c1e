"""The documentation names everything there is, and nothing that is not."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

from prometheus_client import Counter, Gauge, Histogram

from memory_center_client import Code
from shared.consent.rules.switches import Switches
from shared.kernel import events
from shared.outbox import error_codes, job_kinds, stages
from shared.runtime import telemetry
from shared.runtime.authentication import CredentialsCode
from shared.runtime.settings import Settings
from tests.support.tables import each

ROOT = Path(__file__).parents[2]
SOURCES = [path for folder in ("services", "shared", "workers", "deploy") for path in (ROOT / folder).rglob("*.py")]
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
RECORDS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))

README = (ROOT / "README.md").read_text(encoding="utf-8")
CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
REQUIREMENTS = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
FAILURES = (ROOT / "docs" / "failure-matrix.md").read_text(encoding="utf-8")

REQUIREMENT_IDS = [
    f"{family}-{number:02}"
    for family, last in {"MC": 18, "CN": 9, "LT": 10, "TR": 13, "FC": 16, "X": 12}.items()
    for number in range(1, last + 1)
]
STATES = {"done", "partial", "planned"}
FAULTS = [
    "the API crashes before or after its commit, before it answers",
    "the scheduler crashes between marking and publishing a job, or publishes it twice",
    "the broker loses all its data, stops or hangs",
    "a worker crashes before a store call, after a delete, or in the middle of a batch",
    "a worker pauses past its lease, then continues",
    "the API process pauses while it holds the fence",
    "the API commits new messages while a forget runs, or a model answers after the forget",
    "two forgets overlap, and the person cancels one",
    "Milvus times out, deletes only a part, ignores a delete, or loses an acknowledged delete in a crash",
    "mem0 swallows an error",
    "PostgreSQL restarts, deadlocks, has no free connection, or has a full disk",
    "somebody changes the ledger while the product runs",
    "the ledger outside the database is removed, or could never be read",
    "several hosts use one database without one ledger, one place for packages, one Milvus",
    "PostgreSQL is restored under several running hosts",
    "a disk is restored as a whole, the ledger with it",
    "two histories each forgot something after the same backup",
    "hosts write the ledger at the same time",
    "one person sends very long messages",
    "clients keep connections open and send or read nothing",
    "the operator restores PostgreSQL from an older backup",
    "a client sends a forgotten message again",
    "a person forgets data during an export, or downloads the export after the forget",
    "a worker crashes during an import, a forget runs during it, or a person imports forgotten data",
    "the browser loses its network, cannot load a file of the app, or runs an older version than the server",
    "a person requests another person's operation id",
    "one step of a batch repeatedly kills its worker (a poison step)",
    "the search for a description takes too long, or the client leaves during it",
]
RECORD_LINES_MAX = 70

_ROW = re.compile(r"^\| ((?:MC|CN|LT|TR|FC|X)-\d\d) \|(.*)\|$", re.MULTILINE)
_FAULT = re.compile(r"^\| (?!fault \|)([^|]+) \|[^|]+\| ([^|]+) \|$", re.MULTILINE)
_TEST = re.compile(r"`(tests/[\w/]+\.py)((?:::\w+)+)`")
_PATH = re.compile(r"`((?:services|workers|shared|migrations|deploy|tests|docs)/[\w./-]+)")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_VARIABLE = re.compile(r"MEMORY_CENTER_[A-Z]+(?:_[A-Z0-9]+)*")


def _named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _missing(names: set[str], text: str) -> list[str]:
    """Return the names the text does not set as code."""
    return sorted(name for name in names if f"`{name}`" not in text)


def _metrics() -> set[str]:
    """Return every metric's name as a scrape shows it, without the suffixes of a histogram."""
    return {
        metric.describe()[0].name + ("_total" if isinstance(metric, Counter) else "")
        for metric in vars(telemetry).values()
        if isinstance(metric, Counter | Gauge | Histogram)
    }


def _error_codes() -> set[str]:
    """Return every `code` a problem document may carry: those written in a `ProblemKind`, and those of credentials."""
    found = set(get_args(CredentialsCode))
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found |= _codes_of(node, node.func.id)
    return found


def _codes_of(call: ast.Call, function: str) -> set[str]:
    wanted: list[ast.expr] = []
    if function in {"ProblemKind", "ApiProblem"}:
        wanted = [keyword.value for keyword in call.keywords if keyword.arg == "code"]
    elif function == "_kind":
        wanted = call.args[1:2]
    return {node.value for node in wanted if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _rows() -> dict[str, list[str]]:
    """Return the cells of each requirement's row: requirement, modules, tests, state."""
    return {found[1]: [cell.strip() for cell in found[2].split("|")] for found in _ROW.finditer(REQUIREMENTS)}


def _defined(path: str) -> set[str]:
    """Return the functions of a test file, those of classes as `Class::function`."""
    names: set[str] = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{inner.name}" for inner in node.body if isinstance(inner, ast.FunctionDef)}
    return names


def _anchors(path: Path) -> set[str]:
    headings = _HEADING.findall(_CODE.sub("", path.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def test_every_event_is_in_the_glossary():
    assert not _missing(set(events.EVENTS), GLOSSARY)


def test_every_setting_is_in_the_glossary_and_among_the_settings():
    variables = {f"MEMORY_CENTER_{name.upper()}" for name in Settings.model_fields}
    assert not _missing(variables, GLOSSARY)
    assert not _missing(variables, CONFIGURATION)


def test_every_variable_some_part_reads_is_among_the_settings():
    read = {name for path in SOURCES for name in _VARIABLE.findall(path.read_text(encoding="utf-8"))}
    assert not _missing(read, CONFIGURATION)


def test_every_switch_is_in_the_glossary():
    assert not _missing(set(Switches.__dataclass_fields__), GLOSSARY)


def test_every_metric_is_in_the_glossary():
    metrics = _metrics()
    assert metrics
    assert not [name for name in sorted(metrics) if not re.search(rf"`{name}[`{{]", GLOSSARY)]


def test_every_outbox_kind_and_step_is_in_the_glossary():
    assert not _missing({*job_kinds.QUEUES, *(name for stage in stages.STAGES for name in stage)}, GLOSSARY)


def test_every_error_code_is_in_the_glossary():
    codes = _error_codes()
    assert {"busy", "confirmation_required", "credentials_expired", "forbidden"} <= codes
    assert not _missing(codes, GLOSSARY)
    assert not _missing(set(error_codes.SENTENCES), GLOSSARY)


def test_the_client_names_every_error_code():
    assert _error_codes() <= set(Code)


def test_every_requirement_has_one_row():
    assert [found[1] for found in _ROW.finditer(REQUIREMENTS)] == REQUIREMENT_IDS


def test_done_requirements_name_a_module_and_test_and_partial_ones_what_is_missing():
    for requirement, (_, modules, tests, state) in _rows().items():
        word, _, missing = state.partition(":")
        assert word in STATES, requirement
        if word == "done":
            assert modules, requirement
            assert _TEST.search(tests), requirement
        if word == "partial":
            assert missing, requirement


def test_every_fault_has_one_row_which_names_tests_or_says_that_it_is_open():
    rows = _FAULT.findall(FAILURES)
    assert [fault for fault, _ in rows] == FAULTS
    assert not [fault for fault, shown in rows if bool(_TEST.search(shown)) is shown.startswith("open: ")]


@each("document", [REQUIREMENTS, FAILURES])
def test_every_test_a_document_relies_on_exists(document: str):
    named = _TEST.findall(document)
    assert named
    assert not [path + name for path, name in named if name.removeprefix("::") not in _defined(path)]


@each("document", DOCUMENTS)
def test_every_file_a_document_names_exists(document: Path):
    named = _PATH.findall(document.read_text(encoding="utf-8"))
    assert not [path for path in named if not (ROOT / path).exists()]


@each("document", DOCUMENTS)
def test_no_link_is_broken(document: Path):
    broken = []
    for link in _LINK.findall(_CODE.sub("", document.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in _anchors(target)):
            broken.append(link)
    assert not broken


def test_the_readme_is_short_and_says_how_to_run_and_test_it():
    assert len(README.splitlines()) <= 110
    assert "make run" in README
    assert "make test" in README


def test_a_decision_is_at_most_a_page_has_its_parts_and_is_listed():
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    assert RECORDS
    for number, record in enumerate(RECORDS, start=1):
        text = record.read_text(encoding="utf-8")
        assert text.startswith(f"# {number:04} "), record.name
        assert len(text.splitlines()) <= RECORD_LINES_MAX, record.name
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"], record.name
        assert f"]({record.name})" in index, record.name
