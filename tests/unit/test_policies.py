"""How long things are kept: one file, checked before anything starts, refused in one line for each fault."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from deploy.embedded.data_directory import DataDirectory
from deploy.embedded.launcher import PRODUCTS
from services.cli.doctor import configured
from services.cli.doctor.patient import Patient
from services.cli.main import app
from shared.conversations.rules.summaries import USUAL_SUMMARIES
from shared.memories.rules.archiving import ArchivePolicy
from shared.portability.packages.limits import DEFAULT
from shared.runtime.lengths import length, written
from shared.runtime.policies import CANNOT_BE_OBEYED, PACKAGED, VARIABLE, PolicyRefused, policy_at, schema
from shared.runtime.settings import Settings, settings
from tests.support.policies import policy_file

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "docs" / "schemas" / "policy.schema.json"
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
IMAGE = COMPOSE["services"]["migrate"]["image"]
KEEP_NOTHING = {"migrate", "migrations", "embedder", "services.embedder"}
OURS = {
    name: service
    for name, service in COMPOSE["services"].items()
    if service["image"] == IMAGE and name not in KEEP_NOTHING
}
NOT_SHORTER = "must not be shorter than undo.longest (1min)"
PROCESSES = {str(one.argv[-1]) for one in PRODUCTS} | {one["command"][-1] for one in OURS.values()}
PROCESSES -= KEEP_NOTHING
A_LENGTH = "must be a length of time such as 90s, 15min, 24h or 180d"


def added(key: str = "sketches-first", **values: Any) -> dict[str, dict[str, Any]]:
    """Return changes to a policy that add a behavior."""
    sketching = {"en": "Sketches before building", "zh": "动手前先画草图", "evidence": "Tells of drawing it first"}
    return {"traits": {"behaviors": {key: {**sketching, "parents": ["planning-ahead"], "opposite": None, **values}}}}


WRONG: list[tuple[str, dict[str, dict[str, Any]], str]] = [
    ("a number alone", {"archive": {"unused": 180}}, f"archive.unused: {A_LENGTH}, not 180"),
    ("what YAML makes of 24:00:00", {"exports": {"kept": 86_400}}, f"exports.kept: {A_LENGTH}, not 86400"),
    ("words", {"archive": {"superseded": "a while"}}, f"archive.superseded: {A_LENGTH}, not 'a while'"),
    ("Chinese", {"archive": {"superseded": "九十天"}}, f"archive.superseded: {A_LENGTH}, not '九十天'"),
    ("a digit of another script", {"exports": {"kept": "\uff12h"}}, f"exports.kept: {A_LENGTH}, not '\uff12h'"),
    ("an empty length", {"exports": {"kept": "PT"}}, f"exports.kept: {A_LENGTH}, not 'PT'"),
    ("nothing", {"exports": {"kept": None}}, f"exports.kept: {A_LENGTH}, not None"),
    ("too long", {"undo": {"longest": "61s"}}, "undo.longest: must be from 8s to 60s, not 61s"),
    ("shorter than the web app asks for", {"undo": {"longest": "7s"}}, "undo.longest: must be from 8s to 60s, not 7s"),
    ("too short to download", {"exports": {"kept": "PT9M59S"}}, "exports.kept: must be from 10min to 30d, not PT9M59S"),
    ("no messages", {"windows": {"messages": 0}}, "windows.messages: must be greater than or equal to 1, not 0"),
    ("a text", {"windows": {"messages": "20"}}, "windows.messages: must be a valid integer, not '20'"),
    ("a truth", {"windows": {"summary_every": True}}, "windows.summary_every: must be a valid integer, not True"),
    (
        "no size",
        {"imports": {"package": "big"}},
        "imports.package: must be a size such as 256MiB or 1GiB, not 'big'",
    ),
    ("too small a size", {"imports": {"package": "1KiB"}}, "imports.package: must be from 1MiB to 16GiB"),
    (
        "a package larger than what it may hold",
        {"imports": {"package": "2GiB"}},
        "imports.unpacked: must not be less than imports.package",
    ),
    ("a limit on proof", {"receipts": {"kept": "30d"}}, "receipts.kept: must be 'forever', not '30d'"),
    ("a key nobody knows", {"archive": {"unusd": "1d"}}, "archive.unusd: is unknown; here may be unused, superseded"),
    (
        "an undo that outlasts the answer",
        {"requests": {"answers": "30s"}},
        f"requests.answers: {NOT_SHORTER}, not 30s: its answer is there while it can be undone",
    ),
    (
        "an undo that outlasts the purge",
        {"erased": {"purged_every": "59s"}},
        f"erased.purged_every: {NOT_SHORTER}, not 59s: it is not erased while it can be undone",
    ),
    (
        "a behavior the catalogue has",
        added("plans-ahead"),
        "traits.behaviors.plans-ahead: the catalogue has it already",
    ),
    (
        "a behavior below nothing",
        added(parents=["being-clever"]),
        "traits.behaviors.sketches-first: being-clever is no preference of the catalogue",
    ),
    (
        "a behavior below another behavior",
        added(parents=["plans-ahead"]),
        "traits.behaviors.sketches-first: plans-ahead is no preference of the catalogue",
    ),
    (
        "an opposite that is of another opinion",
        added(opposite="plans-ahead"),
        "traits.behaviors.sketches-first: plans-ahead must be added too, and name it as its opposite",
    ),
    (
        "a preference named twice",
        added(parents=["planning-ahead", "planning-ahead"]),
        "traits.behaviors.sketches-first: names a preference twice",
    ),
    (
        "a member nobody knows",
        added(typo=1),
        "traits.behaviors.sketches-first.typo: is unknown; here may be en, zh, evidence, parents, opposite, mood",
    ),
    (
        "a behavior of no members",
        {"traits": {"behaviors": {"sketches-first": 5}}},
        "traits.behaviors.sketches-first: must have en, zh, evidence, parents, opposite",
    ),
    *(
        (
            f"a sensitive matter in {name}",
            added(**{name: text}),
            "traits.behaviors.sketches-first: names a sensitive matter, of which nothing may be inferred",
        )
        for name, text in (
            ("en", "Has been depressed since the diagnosis"),
            ("zh", "确诊抑郁症以后很少出门"),
            ("evidence", "Tells of the church they pray in"),
        )
    ),
]
NO_POLICIES = {
    "empty": (b"", "must have version, windows, "),
    "a list": (b"- version: 1", "must have version, windows, "),
    "no YAML": (b"version: 1\n  windows: [", "line 2: mapping values are not allowed here"),
    "a key twice": (b"version: 1\nexports:\n  kept: 1h\n  kept: 2h", "line 3: a key is there twice"),
    "an object": (b"version: !!python/object:os.system 1", "line 1: could not determine a constructor"),
    "NUL": (b"version: \0", "unacceptable character"),
    "not UTF-8": (b"version: \xff", "is not UTF-8"),
}


def refused(path: Path) -> list[str]:
    with pytest.raises(PolicyRefused) as caught:
        policy_at(path)
    assert str(caught.value).splitlines() == [f"{path}: {fault}" for fault in caught.value.faults]
    return caught.value.faults


# --- What a file may say


def test_the_packaged_policy_holds_and_is_what_the_rules_are_explained_with():
    policy = policy_at(PACKAGED)
    assert policy.summary_schedule == USUAL_SUMMARIES
    assert policy.archiving == ArchivePolicy()
    assert policy.limits == DEFAULT
    assert policy.exports.kept == timedelta(hours=24)
    assert policy.erased.purged_every == timedelta(hours=1)


def test_a_policy_adds_behaviors_to_the_catalogue(tmp_path):
    both = added()["traits"]["behaviors"] | added("builds-at-once", opposite="sketches-first")["traits"]["behaviors"]
    both["sketches-first"]["opposite"] = "builds-at-once"
    policy = policy_at(policy_file(tmp_path, {"traits": {"behaviors": both}}))
    assert {one.key for one in policy.added_behaviors} == set(both)
    assert all(one.added and one.subtype == "behavior" for one in policy.added_behaviors)


@pytest.mark.parametrize(("changes", "fault"), [pytest.param(*wrong, id=name) for name, *wrong in WRONG])
def test_a_wrong_value_is_refused_in_one_line_that_says_what_is_allowed(tmp_path, changes, fault):
    assert refused(policy_file(tmp_path, changes)) == [fault]


def test_every_fault_has_its_line(tmp_path):
    policy = yaml.safe_load(PACKAGED.read_text())
    policy |= {"archive": 3, "exprts": policy.pop("exports"), "undo": {"longest": "soon"}}
    path = tmp_path / "policy.yaml"
    path.write_text(yaml.safe_dump(policy))
    faults = refused(path)
    assert sorted(fault.split(":")[0] for fault in faults) == ["archive", "exports", "exprts", "undo.longest"]
    assert "archive: must have unused, superseded" in faults
    assert f"exports: is missing; {PACKAGED} has one to copy" in faults


@pytest.mark.parametrize(("content", "fault"), NO_POLICIES.values(), ids=NO_POLICIES)
def test_what_is_no_policy_is_refused(tmp_path, content, fault):
    path = tmp_path / "policy.yaml"
    path.write_bytes(content)
    [found] = refused(path)
    assert found.startswith(fault)
    assert "\n" not in found


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    assert refused(tmp_path / "none.yaml") == ["cannot be read: No such file or directory"]
    assert refused(tmp_path) == ["cannot be read: Is a directory"]


# --- Lengths


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        *[("90s", 0.025), ("15min", 0.25), ("24h", 24), ("180d", 4320), ("PT24H", 24), ("P180D", 4320)],
        *[("P1DT12H", 36), ("PT1H30M", 1.5), ("PT90S", 0.025), ("0s", 0)],
    ],
)
def test_a_length_says_its_unit(text, hours):
    assert length(text) == timedelta(hours=hours)


@pytest.mark.parametrize(
    "text", ["", "24", "24:00:00", "1 h", "1H", "1.5h", "-1h", "1m", "P", "PT", "P1Y", "1h\n", "١h"]
)
def test_what_says_no_unit_or_another_one_is_no_length(text):
    assert length(text) is None


@given(st.builds(timedelta, days=st.integers(0, 10), seconds=st.integers(0, 86_399)))
def test_what_is_written_is_read_as_the_same(value):
    assert length(written(value)) == value


# --- Who obeys it


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """All a process is told but its policy."""
    for name, field in Settings.model_fields.items():
        if field.is_required():
            monkeypatch.setenv(f"MEMORY_CENTER_{name.upper()}", "redis://nowhere")
    return monkeypatch


@pytest.mark.parametrize("module", sorted(PROCESSES))
def test_every_process_reads_its_settings_and_with_them_the_policy(module):
    path = ROOT.joinpath(*module.split("."), "__main__.py")
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    called = {call.id for call in calls if isinstance(call, ast.Name)}
    assert called & {"settings", "run"}, "services.assembly.run reads them, too"


def test_a_process_is_told_by_its_environment_which_file(environment, tmp_path):
    assert settings.__wrapped__().retention == policy_at(PACKAGED)
    environment.setenv(VARIABLE, str(policy_file(tmp_path, {"exports": {"kept": "2h"}})))
    assert settings.__wrapped__().retention.exports.kept == timedelta(hours=2)


def test_a_process_does_not_start_with_a_policy_it_cannot_obey(environment, tmp_path):
    path = policy_file(tmp_path, {"exports": {"kept": "1min"}, "undo": {"longest": "1h"}})
    environment.setenv(VARIABLE, str(path))
    process = subprocess.run(
        [sys.executable, "-P", "-m", "services.web"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert process.returncode == CANNOT_BE_OBEYED
    assert process.stderr.splitlines() == [
        f"{path}: undo.longest: must be from 8s to 60s, not 1h",
        f"{path}: exports.kept: must be from 10min to 30d, not 1min",
    ]


def test_up_starts_nothing_with_a_policy_nobody_can_obey(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none.yaml"))
    result = CliRunner().invoke(app, ["up", "--data-dir", str(tmp_path / "data")])
    assert result.exit_code == CANNOT_BE_OBEYED
    assert f"{tmp_path / 'none.yaml'}: cannot be read" in result.output
    assert not (tmp_path / "data").exists()


def test_the_doctor_names_every_fault(monkeypatch, tmp_path):
    patient = Patient(DataDirectory(tmp_path), None, None, {})
    monkeypatch.delenv(VARIABLE, raising=False)
    [healthy] = configured.policy(patient)
    assert (healthy.level, healthy.seen) == ("ok", str(PACKAGED))
    path = policy_file(tmp_path, {"exports": {"kept": "1min"}, "undo": {"longest": "1h"}})
    monkeypatch.setenv(VARIABLE, str(path))
    found = list(configured.policy(patient))
    assert [one.level for one in found] == ["fail", "fail"]
    assert all(one.seen.startswith(f"{path}: ") for one in found)


# --- Where it is


def test_the_published_schema_is_the_codes_and_fits_the_packaged_file():
    """Write it with `make openapi`."""
    published = json.loads(SCHEMA.read_text())
    assert published == schema()
    jsonschema.Draft202012Validator.check_schema(published)
    jsonschema.validate(yaml.safe_load(PACKAGED.read_text()), published)


@pytest.mark.parametrize(
    "changes", [{"archive": {"unused": 180}}, {"archive": {"x": "1d"}}, {"exports": {"kept": "1 h"}}]
)
def test_an_editor_that_knows_the_schema_marks_what_is_wrong(tmp_path, changes):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(policy_file(tmp_path, changes).read_text()), schema())


def test_the_packaged_file_names_its_schema_for_editors():
    first = PACKAGED.read_text().splitlines()[0]
    named = first.removeprefix("# yaml-language-server: $schema=")
    assert Path(os.path.normpath(PACKAGED.parent / named)) == SCHEMA


@pytest.mark.parametrize("name", sorted(OURS))
def test_compose_tells_every_process_where_the_image_has_the_policy(name):
    copied = f"{PACKAGED.parent.relative_to(ROOT)} /policies\n"
    assert copied in (ROOT / "deploy/docker/Dockerfile").read_text()
    assert OURS[name]["environment"][VARIABLE] == f"/policies/{PACKAGED.name}"
