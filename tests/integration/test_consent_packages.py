"""What people agreed to and said about themselves leaves with them, and grants nothing where it arrives (FC-11)."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from tests.support.backing import Backing
from tests.support.commands import memory_center
from tests.support.consent import consented, path_of, thread, told, withdrawn
from tests.support.importing import brought, sent
from tests.support.packages import download, export, packed
from tests.support.workbench import Person, Workbench, test_settings, workbench
from workers.scheduler.contexts import expire


def lived(bench: Workbench, user_id: str = "ada/../x") -> Person:
    person = bench.person(user_id)
    granted = consented(person, user_focus_reason="canary-reason")
    thread_id = thread(person, granted["consent_id"])
    for rating in ("agree", "disagree"):
        person.post(
            "/api/v1/feedback", {"related_object_ref": "snapshot:1", "rating": rating, "comment": "canary-words"}
        )
    refreshed = {"current_thesis": "entirely other", "changed_inferences": ["x"] * 6}
    person.post(f"/api/v1/threads/{thread_id}/refresh", refreshed, status=200)
    person.post("/api/v1/tasks", {"route": "pre_execution", "constraints": "canary-constraint"})
    return person


def test_where_consent_is_asked_for_no_context_comes_before_it(backing: Backing, database_url: str) -> None:
    policy = {"consent": {"required": True}}
    with workbench(test_settings(backing, database_url, policy=policy)) as asking:
        package = packed(lived(asking, "ada"))
        eve = asking.person("eve")
        brought(eve, package.raw)
        assert "canary" not in str(eve.get(f"/api/v1/users/{eve.user_id}/contexts"))


def downloaded(bench: Workbench, person: Person, op_id: str) -> zipfile.ZipFile:
    bench.work()
    answer = bench.api.get(f"/api/v1/memory/exports/{op_id}/package", headers=person.headers)
    assert answer.status_code == 200, answer.text
    return zipfile.ZipFile(io.BytesIO(answer.content))


def test_the_layout_finclaw_has_its_folders_and_checksums_and_nothing_else(bench: Workbench) -> None:
    ada = lived(bench)
    asked = bench.api.get("/api/users/me/export?layout=finclaw", headers=ada.headers)
    assert asked.status_code == 202
    op_id = asked.json()["op_id"]
    archive = downloaded(bench, ada, op_id)
    again = bench.api.get("/api/users/me/export", headers=ada.headers).json()["op_id"]
    assert again == op_id, "asking again at once packs nothing again"
    with bench.database.begin() as tx:
        tx.run("update exports set ready_at = ready_at - interval '1 minute'")
    later = bench.api.get("/api/users/me/export", headers=ada.headers).json()["op_id"]
    assert later != op_id, "what was said since is in it"
    root = "ada%2F..%2Fx"
    files = {name.removeprefix(f"{root}/"): archive.read(name) for name in archive.namelist()}
    assert all(name.startswith(f"{root}/") for name in archive.namelist())
    manifest = yaml.safe_load(files.pop("manifest.yaml"))
    assert manifest["schema_version"] == "1.0"
    assert {one["path"]: one["sha256"] for one in manifest["files"]} == {
        path: hashlib.sha256(data).hexdigest() for path, data in files.items()
    }
    folders = sorted({"/".join(path.split("/")[:2]) if "contexts" in path else path.split("/")[0] for path in files})
    assert folders == [
        "consents",
        "persona_drift",
        "training_candidates",
        "user_contexts/_profile",
        "user_contexts/_task",
        "user_contexts/_thread",
    ]
    drifts = [json.loads(data) for path, data in files.items() if path.startswith("persona_drift/")]
    assert {one["signal_kind"] for one in drifts} == {"grade_reversal", "refresh_stance_flip"}
    for one in drifts:
        assert set(one) == {
            "drift_id", "object_ref", "cognition_object", "signal_kind", "prior_signal", "current_signal",
            "delta_summary", "triggers_alert", "schema_version",
        }  # fmt: skip
        assert "canary" not in json.dumps(one), "composed from dates and values"
    candidates = [json.loads(data) for path, data in files.items() if path.startswith("training_candidates/")]
    assert all(set(one) == {"id", "object_ref", "status", "withdrawal_status", "created_at"} for one in candidates)
    whole = b"".join(files.values()).decode()
    assert "canary-constraint" in whole
    assert "canary-words" not in whole


def test_a_package_brings_consents_as_history_and_contexts_without_permission(bench: Workbench) -> None:
    ada = lived(bench, "ada")
    withdrawn(ada, consented(ada)["consent_id"], "training_use_allowed")
    package = packed(ada)
    eve = bench.person("eve")
    brought(eve, package.raw)
    bench.work()
    assert eve.get(path_of(eve))["state"] == "new"
    history = eve.get(f"{path_of(eve)}/history")
    assert [one["version"] for one in history] == [3, 2, 1]
    assert all(one["imported"] for one in history)
    contexts = {one["scope"]: one for one in eve.get(f"/api/v1/users/{eve.user_id}/contexts")}
    assert set(contexts) == {"profile", "thread"}, "what was said for a task ends within a day"
    found = told(eve, "thread_refresh", conversation_id=contexts["thread"]["conversation_id"])
    assert found["context_trace"]["slices_defaulted"] == ["S1", "S2", "S3"]
    assert found["context_trace"]["slices_blocked_by_consent"] == ["S1", "S2", "S3", "S4", "S5"]
    assert "canary" not in found["user_context"]
    assert bench.count(
        "select count(*) from training_candidates c join subjects s on s.id = c.subject_id"
        " where s.user_id = 'eve' and c.withdrawal_status <> 'revoked'"
    ) == 0  # fmt: skip
    copied = "select count(*) from persona_drift d join subjects s on s.id = d.subject_id where s.user_id = 'eve'"
    assert bench.count(copied) == bench.count(copied.replace("'eve'", "'ada'")) > 0
    granted = consented(eve, save_to_profile=False)
    assert granted["version"] == 1, "imported versions count for nothing"
    eve.forget("user")
    bench.work()
    assert bench.count("select count(*) from user_contexts c join subjects s on s.id = c.subject_id"
                       " where s.user_id = 'eve'") == 0  # fmt: skip


def test_what_was_withdrawn_does_not_come_with_a_package(bench: Workbench) -> None:
    package = packed(lived(bench, "ada"))
    eve = bench.person("eve")
    withdrawn(eve, consented(eve)["consent_id"])
    bench.work()
    brought(eve, package.raw)
    consented(eve)
    assert "canary" not in str(eve.get(f"/api/v1/users/{eve.user_id}/contexts"))
    theirs = "select count(*) from persona_drift d join subjects s on s.id = d.subject_id where s.user_id = 'eve'"
    assert bench.count(theirs) == 0
    assert "canary" not in told(eve, "snapshot", query="canary")["user_context"]


@contextmanager
def served(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Let the command line speak to this application."""

    class Transport(httpx2.BaseTransport):
        def handle_request(self, request: httpx2.Request) -> httpx2.Response:
            bench.work()  # whatever was queued is done by the next look
            answer = bench.api.request(
                request.method, str(request.url), content=request.read(), headers=dict(request.headers)
            )
            headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
            return httpx2.Response(answer.status_code, headers=headers, stream=httpx2.ByteStream(answer.content))

    made = httpx2.Client

    def client(**given: Any) -> httpx2.Client:
        return made(**{**given, "transport": Transport()})

    with monkeypatch.context() as patched:
        patched.setattr(httpx2, "Client", client)
        yield {
            "MEMORY_CENTER_URL": "http://localhost",
            "MEMORY_CENTER_SIGNING_KEY": bench.settings.signing_key.get_secret_value(),
            "MEMORY_CENTER_SERVICE_KEY": bench.settings.service_key.get_secret_value(),
            "MEMORY_CENTER_DATABASE_URL": bench.settings.database_url.get_secret_value(),
        }


def test_an_operator_exports_reports_and_deletes(
    bench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived(bench, "ada")
    with served(bench, monkeypatch) as environment:
        out = tmp_path / "out"
        done = memory_center("export-user", "--user-id", "ada", "--out", str(out), told=environment)
        assert done.exit_code == 0, (done.stdout, done.stderr)
        assert (out / "ada" / "manifest.yaml").is_file()
        refused = memory_center("export-user", "--user-id", "ada", "--out", str(out), told=environment)
        assert refused.exit_code == 2, "nothing is overwritten"
        report = memory_center("drift-report", "--json", told=environment)
        assert {(one["signal_kind"], one["signals"], one["people"]) for one in json.loads(report.stdout)} == {
            ("grade_reversal", 1, 1), ("refresh_stance_flip", 1, 1),
        }  # fmt: skip
        assert "ada" not in report.stdout
        for given, code in ((["--yes"], 5), (["--yes", "--confirm", "eve"], 2), ([], 5)):
            assert memory_center("delete-user", "--user-id", "ada", *given, told=environment).exit_code == code
        assert bench.count("select count(*) from subjects where user_id = 'ada'") == 1
        gone = memory_center("delete-user", "--user-id", "ada", "--yes", "--confirm", "ada", told=environment)
        assert gone.exit_code == 0, (gone.stdout, gone.stderr)
    assert bench.count("select count(*) from subjects where user_id = 'ada'") == 0
    assert bench.holds("canary") == []


@pytest.mark.parametrize(
    "spoilt",
    [
        {"scope": "profile", "expires_at": "2027-01-01T00:00:00.000Z"},
        {"scope": "thread", "conversation_id": None, "at_seq": None},
        {"fields": {"language_preference": "fr"}},
        {"fields": {"constraints": "字" * 1999, "research_style": "字" * 1999}},
        {"version": 2147483647},
    ],
    ids="-".join,
)
def test_what_no_installation_wrote_is_refused(bench: Workbench, spoilt: dict[str, Any]) -> None:
    ada = lived(bench, "ada")
    package = packed(ada, format="json")
    document = json.loads(package.raw)
    path = "profile_consents.jsonl" if "version" in spoilt else "user_contexts.jsonl"
    document["files"][path][0] |= spoilt
    answer = sent(bench.person("eve"), json.dumps(document).encode(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 422, answer.text


def test_what_is_never_kept_does_not_come_with_a_package(bench: Workbench) -> None:
    ada = lived(bench, "ada")
    with bench.database.begin() as tx:
        secret = json.dumps({"user_focus_reason": "my password is hunter2swordfish", "research_depth": "deep"})
        tx.run(
            "delete from context_contents where context_id in (select id from user_contexts where scope = 'profile')"
        )
        tx.run(
            "insert into context_contents (context_id, fields)"
            " select id, cast(:fields as jsonb) from user_contexts where scope = 'profile'",
            fields=secret,
        )
    package = packed(ada)
    eve = bench.person("eve")
    brought(eve, package.raw)
    [profile] = [one for one in eve.get(f"/api/v1/users/{eve.user_id}/contexts") if one["scope"] == "profile"]
    assert profile["fields"] == {"research_depth": "deep"}


def test_what_was_cleared_does_not_come_back_with_an_older_package(bench: Workbench) -> None:
    ada = bench.person("ada")
    granted = consented(ada)
    thread_id = thread(ada, granted["consent_id"], research_style="canary-style", main_thesis="canary thesis")
    package = packed(ada)
    ada.post("/api/v1/clear", {"conversation_id": thread_id}, status=202)
    bench.work()
    assert bench.holds("canary") == []
    brought(ada, package.raw)
    bench.work()
    assert bench.holds("canary") == []


def test_the_end_of_a_tasks_day_withdraws_only_the_layout_that_has_it(bench: Workbench) -> None:
    ada = lived(bench, "ada")
    own = export(ada)
    finclaw = bench.api.get("/api/users/me/export", headers=ada.headers).json()["op_id"]
    bench.work()
    with bench.database.begin() as tx:
        tx.run("update user_contexts set expires_at = now() where expires_at is not null")
    assert expire(bench.database) == 1
    assert download(ada, own).status_code == 200
    assert download(ada, finclaw).status_code == 410


def test_consents_of_two_installations_are_all_kept(bench: Workbench, backing: Backing, database_url: str) -> None:
    """Both count their versions from 1: an import of the one must not end the history of the other."""
    there = bench.person("ada")
    consented(there)
    first = packed(there)
    here = bench.person("eve")
    consented(here)
    brought(here, first.raw)
    both = packed(here)

    last = bench.person("bob")
    brought(last, both.raw)

    assert len(last.get(f"{path_of(last)}/history")) == 2
