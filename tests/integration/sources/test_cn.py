"""A client written from CN V1's Memory System alone: its channels, in camel case (CN-01…09)."""

from __future__ import annotations

import pytest

from shared.consent.sql import switches
from shared.kernel.database_errors import DatabaseUnavailable
from tests.support.literal_client import LiteralClient
from tests.support.workbench import Workbench

SETTINGS = {
    "injectionEnabled": True,
    "preferenceLearningEnabled": True,
    "privacyModeEnabled": False,
    "preferenceLearningThreshold": 3,
}
UNIT = ("id", "type", "scope", "content", "projectId", "updatedAt", "origin")
PREVIEW = ("items", "mode", "diagnostics")
ITEM = ("id", "type", "scope", "content", "reason")


def test_it_works_unchanged(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    client = LiteralClient("003 CN", bench, bench.person().headers)
    settings_are_patched(client, monkeypatch)
    memories_are_managed(client)
    injection_is_previewed(client)
    preferences_are_learned(client)
    client.finish()


def settings_are_patched(client: LiteralClient, monkeypatch: pytest.MonkeyPatch) -> None:
    call = client.call
    # 2 settings: partial, and answered whole
    told = call("POST", "/memory:settings:get", {}, has=SETTINGS, lacks=["injection_enabled"])
    client.expect("the defaults", holds={name: told[name] for name in SETTINGS} == SETTINGS)
    told = call("POST", "/memory:settings:update", {"preferenceLearningThreshold": 2}, has=SETTINGS)
    client.expect("a patch changes one", holds=told["preferenceLearningThreshold"] == 2 and told["injectionEnabled"])
    call("GET", "/memory/settings", has=["injection_enabled"])
    call("PATCH", "/api/v1/memory/settings", {"privacyModeEnabled": False}, has=SETTINGS)
    with monkeypatch.context() as broken:

        def fails(*_: object, **__: object) -> None:
            raise DatabaseUnavailable

        broken.setattr(switches, "save", fails)
        problem = call("POST", "/memory:settings:update", {"privacyModeEnabled": True}, status=503, has=["error_code"])
        client.expect("a stable code", holds=problem["error_code"] == problem["errorCode"] == "DB_ERROR")


def memories_are_managed(client: LiteralClient) -> None:
    call = client.call
    # 1, 3: types, scopes, create, list, update, delete
    made = {}
    for type_, scope, project in (
        ("preference", "global", None),
        ("fact", "project", "novel-1"),
        ("note", "global", None),
    ):
        body = {"type": type_, "scope": scope, "content": f"{type_} in {scope}", "projectId": project}
        made[type_] = call("POST", "/memory:create", body, status=201, has=UNIT)
    bare = {"type": "note", "scope": "global", "content": "only short names"}
    call("POST", "/memory/create", bare, status=201, has=UNIT)
    call("POST", "/api/v1/memory/long_term", {**bare, "content": "at our own path"}, status=201, has=UNIT)
    call("GET", "/memory/list", each_has=UNIT)
    listed = call("POST", "/memory:list", {"type": "fact", "projectId": "novel-1"}, each_has=UNIT)
    client.expect("one fact", holds=[one["content"] for one in listed] == ["fact in project"])
    call("GET", "/api/v1/memory/long_term", projectId="novel-1", type="fact", each_has=UNIT)
    body = {"id": made["note"]["id"], "content": "another note"}
    updated = call("POST", "/memory:update", body, has=UNIT)
    client.expect("updated", holds=updated["content"] == "another note")
    call("POST", "/memory:delete", {"id": updated["id"]}, status=202, has=["status", "opId"])
    listed = call("POST", "/memory:list", {}, each_has=UNIT)
    client.expect("what is deleted is filtered", holds=updated["id"] not in {one["id"] for one in listed})
    call("POST", "/memory:delete", {}, status=422)
    call("POST", "/memory:update", {"id": "no-id", "content": "x"}, status=422)


def injection_is_previewed(client: LiteralClient) -> None:
    call = client.call
    # 4 injection preview
    preview = call("POST", "/memory:injection:preview", {"projectId": None}, has=PREVIEW)
    client.expect("without a question it is deterministic", holds=preview["mode"] == "deterministic")
    preview = call("POST", "/memory:injection:preview", {"projectId": "novel-1", "queryText": "fact"}, has=PREVIEW)
    client.expect("every item is explained", holds=all(name in one for one in preview["items"] for name in ITEM))
    client.expect("there are items", holds=preview["items"] != [])
    call("POST", "/api/v1/memory/injection/preview", {"queryText": "fact"}, has=[*PREVIEW, "leftOut"])


def preferences_are_learned(client: LiteralClient) -> None:
    call = client.call
    # 5 preference learning
    answers = [
        call("POST", "/ai:skill:feedback", {"action": "accept", "evidenceRef": "bullet points"}, status=201)
        for _ in range(2)
    ]
    client.expect("feedback has an id", holds=all(one["id"] for one in answers))
    preview = call("POST", "/memory:injection:preview", {}, has=PREVIEW)
    said = [one["content"] for one in preview["items"] if one["type"] == "preference"]
    client.expect("the learned preference is injected", holds="Prefers: bullet points" in said)
    body = {"action": "reject", "evidenceRef": "long intros", "reason": "读起来像广告"}
    counted = call("POST", "/memory:preferences:ingest", body, has=["outcome", "count", "threshold"])
    client.expect("one signal", holds=(counted["outcome"], counted["count"]) == ("counted", 1))
    ignored = call("POST", "/memory:preferences:ingest", {"action": "partial", "evidenceRef": ""}, has=["outcome"])
    client.expect("noise is ignored", holds=ignored["outcome"] == "ignored")
    call("POST", "/memory:preferences:clear", {}, status=202, has=["opId"])

    # 7 injection off: empty, and the template stays
    call("POST", "/memory:settings:update", {"injectionEnabled": False}, has=SETTINGS)
    preview = call("POST", "/memory:injection:preview", {"queryText": "fact"}, has=[*PREVIEW, "stablePrefixHash"])
    client.expect("nothing is injected", holds=preview["items"] == [])
