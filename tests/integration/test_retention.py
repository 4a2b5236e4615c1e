"""What the policy file says is what happens: windows, undo, exports, answers, records, purging."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from shared.portability.packages.limits import MIB
from tests.support.backing import Backing
from tests.support.importing import asked, empty_package, sent
from tests.support.rounds import time_passes
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench, test_settings, workbench
from workers.scheduler.periodic import parts_of

POLICY = {
    "windows": {"messages": 4, "summary_every": 2},
    "undo": {"longest": "30s"},
    "exports": {"kept": "2h"},
    "imports": {"package": "1MiB", "unpacked": "1MiB", "kept": "3h"},
    "requests": {"answers": "1h", "records": "30min"},
    "erased": {"purged_every": "2h"},
}


@pytest.fixture
def bench(backing: Backing, database_url: str) -> Iterator[Workbench]:
    with workbench(test_settings(backing, database_url, policy=POLICY)) as opened:
        yield opened


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def swept(bench: Workbench, part: str) -> int | None:
    return parts_of(bench.settings, bench.database)[part]()


def minutes_go_by(bench: Workbench, table: str, minutes: int) -> None:
    with bench.database.begin() as tx:
        tx.run(f"update {table} set created_at = created_at - make_interval(mins => :minutes)", minutes=minutes)


def test_a_package_is_kept_for_as_long_as_the_policy_says(bench: Workbench, ada: Person) -> None:
    op_id = ada.post("/api/v1/memory/export", {"scope": "user", "confirmation": True, "format": "zip"}, status=202)[
        "op_id"
    ]
    bench.work()
    assert bench.count("select count(*) from exports where expires_at = ready_at + interval '2 h'") == 1
    assert ada.get(f"/api/v1/memory/exports/{op_id}")["ready"] is True


def test_a_package_may_be_as_large_as_the_policy_says(bench: Workbench, ada: Person) -> None:
    assert_problem(sent(ada, bytes(MIB + 1)), 413, "package_too_large")
    assert_problem(sent(ada, bytes(MIB)), 422, "package_unknown_format")


def test_a_package_waits_to_be_imported_for_as_long_as_the_policy_says(bench: Workbench, ada: Person) -> None:
    op_id = asked(ada, empty_package())
    minutes_go_by(bench, "imports", 179)
    assert not swept(bench, "imports")
    minutes_go_by(bench, "imports", 2)
    assert swept(bench, "imports") == 1
    assert ada.operation(op_id)["status"] == "cancelled"


def test_an_answer_is_repeated_for_as_long_as_the_policy_says(bench: Workbench, ada: Person) -> None:
    def export() -> str:
        headers = {**ada.headers, "Idempotency-Key": "one"}
        body = {"scope": "user", "confirmation": True, "format": "json"}
        answer = bench.api.post("/api/v1/memory/export", json=body, headers=headers)
        return str(answer.json()["op_id"])

    first = export()
    minutes_go_by(bench, "idempotency_keys", 59)
    assert export() == first
    assert not swept(bench, "idempotency_keys")
    minutes_go_by(bench, "idempotency_keys", 2)
    assert export() != first
    minutes_go_by(bench, "idempotency_keys", 61)
    assert swept(bench, "idempotency_keys") == 1


def test_a_record_of_a_request_is_kept_for_as_long_as_the_policy_says(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), ("你好。", "Hello."))
    kept = bench.count("select count(*) from debug_records")
    assert kept
    minutes_go_by(bench, "debug_records", 29)
    assert not swept(bench, "traces")
    minutes_go_by(bench, "debug_records", 2)
    assert swept(bench, "traces") == kept


def test_the_window_is_as_long_as_the_policy_says(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, *[(f"Day {day} in Kyoto.", f"第{day}天。") for day in range(6)])
    recalled = ada.post("/api/v1/recall", {"query": "Kyoto", "conversation_id": conversation}, status=200)
    assert [one["content"] for one in recalled["window"]] == [
        "Day 4 in Kyoto.",
        "第4天。",
        "Day 5 in Kyoto.",
        "第5天。",
    ]


def test_what_was_erased_is_purged_as_often_as_the_policy_says(bench: Workbench, ada: Person) -> None:
    purge = parts_of(bench.settings, bench.database)["purge"]

    def forget() -> None:
        ada.forget("conversation", conversation_id=ada.conversation(title="Tea"))
        bench.work()

    forget()
    assert purge() == 1
    bench.work()
    forget()
    time_passes(bench.database, "purge", 2 * 3600 - 60)
    assert purge() is None
    time_passes(bench.database, "purge", 60)
    assert purge() == 1


def ask(ada: Person, what: str, seconds: int) -> Any:
    """Ask for a forget that can be undone for so long."""
    conversation = ada.conversation(title="Tea")
    [(message, _)] = ada.say(conversation, ("I'm allergic to peanuts.", "Noted."))
    ada.bench.work()
    api, headers, undo = ada.bench.api, ada.headers, {"undo_seconds": seconds}
    match what:
        case "forget":
            body = {"scope": "message", "message_id": message, **undo}
            return api.post("/api/v1/memory/forget", json=body, headers=headers)
        case "clear":
            return api.post("/api/v1/clear", json={"conversation_id": conversation, **undo}, headers=headers)
        case "preferences":
            return api.post("/api/v1/memory/preferences/clear", json=undo, headers=headers)
        case "conversation":
            return api.delete(f"/api/v1/conversations/{conversation}", params=undo, headers=headers)
        case _:
            memory = ada.get("/api/v1/memory/long_term")[0]["id"]
            return api.delete(f"/api/v1/memory/long_term/{memory}", params=undo, headers=headers)


@pytest.mark.parametrize("what", ["forget", "clear", "preferences", "conversation", "memory"])
def test_nothing_can_be_undone_for_longer_than_the_policy_says(bench: Workbench, ada: Person, what: str) -> None:
    refused = ask(ada, what, 31)
    assert (refused.status_code, refused.json()["code"]) == (422, "undo_too_long")
    assert refused.json()["details"] == {"longest_seconds": 30}
    assert bench.count("select count(*) from operations where receipt_id is not null") == 0

    accepted = ask(ada, what, 30)
    assert accepted.status_code == 202
