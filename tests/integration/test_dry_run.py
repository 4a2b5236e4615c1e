"""A dry run says exactly what a forget takes, by store, and changes nothing (X-08)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.workbench import Workbench

PEANUTS = ("I'm allergic to peanuts.", "Noted, no peanuts.")
GREEN_TEA = ("我喜欢喝绿茶。", "好的,记住了。")


def everything_stored(bench: Workbench) -> list[int]:
    tables = ("messages", "memories", "episodes", "hides", "operations", "outbox", "events", "vector_refs", "subjects")
    return [bench.count(f"select count(*) from {table}") for table in tables]


@pytest.mark.parametrize("scope", ["message", "conversation", "user"])
def test_the_counts_are_what_the_forget_then_takes(bench: Workbench, scope: str) -> None:
    ada = bench.person()
    conversation = ada.conversation(title="Tea")
    [(question, _), _] = ada.say(conversation, PEANUTS, GREEN_TEA)
    bench.work()
    target: dict[str, Any] = {
        "message": {"message_id": question, "cascade": True},
        "conversation": {"conversation_id": conversation},
        "user": {},
    }[scope]
    before = everything_stored(bench)

    foreseen = ada.post("/api/v1/memory/forget/dry-run", {"scope": scope, **target}, status=200)

    assert everything_stored(bench) == before
    turns = 1 if scope == "message" else 2
    counts = foreseen["counts"]
    assert counts["postgres"]["messages"] == 2 * turns
    assert (counts["postgres"]["memories"], counts["postgres"]["episodes"]) == (turns, turns)
    assert (counts["milvus"], counts["mem0"]) == ({"keys": turns}, {"keys": turns})
    operation = ada.forget(scope, **target)
    bench.work()
    steps = {step["name"]: step["counts"] for step in ada.operation(operation)["steps"]}
    items = sum(counts["postgres"][name] for name in ("messages", "memories", "episodes"))
    assert (steps["postgres"]["erased"], steps["milvus"]["erased"], steps["mem0"]["erased"]) == (items, turns, turns)


def test_a_dry_run_of_nothing_counts_nothing_and_remembers_nobody(bench: Workbench) -> None:
    ada = bench.person()
    foreseen = ada.post("/api/v1/memory/forget/dry-run", {"scope": "user"}, status=200)
    assert foreseen == {"counts": {"postgres": {}}, "turns_learned_again": 0}
    assert bench.count("select count(*) from subjects where user_id is not null") == 0


def test_another_persons_message_is_a_404(bench: Workbench) -> None:
    ada, eve = bench.person(), bench.person()
    [(question, _)] = ada.say(ada.conversation(), PEANUTS)
    ada.post("/api/v1/memory/forget/dry-run", {"scope": "message", "message_id": question}, status=200)
    eve.post("/api/v1/memory/forget/dry-run", {"scope": "message", "message_id": question}, status=404)
