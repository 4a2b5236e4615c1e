"""A client written from FinClaw V1 alone: consent, tasks, recall by route, threads, feedback, revocation (FC-01…16)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.runtime.settings import Settings
from tests.support.backing import Backing
from tests.support.literal_client import LiteralClient
from tests.support.workbench import Workbench, test_settings, workbench

FINCLAW = Path(__file__).parents[3] / "deploy" / "policies" / "finclaw.yaml"


@pytest.fixture
def finclaw(backing: Backing, database_url: str) -> Iterator[Workbench]:
    settings: Settings = test_settings(backing, database_url, policy_file=FINCLAW)
    with workbench(settings) as opened:
        yield opened


def test_a_client_written_from_the_source_works_unchanged(finclaw: Workbench) -> None:
    person = finclaw.person()
    client = LiteralClient("000 FinClaw", finclaw, person.headers)
    call = client.call
    snapshot = "snapshot:2026-05-18-SOL"
    consent = f"/api/users/{person.user_id}/profile-consent"

    # 8.4: no task before consent
    problem = call("POST", "/api/tasks", {"route": "snapshot"}, status=403)
    client.expect("its code", holds=problem["code"] == "profile_consent_required")
    client.expect("what is missing", holds=problem["details"]["required_scopes"] == ["create_task"])

    # 5.2: onboarding
    granted = call(
        "POST",
        consent,
        {
            "save_to_thread": True,
            "save_to_profile": True,
            "training_use_allowed": False,
            "language_preference": "zh",
            "research_depth": "deep",
            "risk_prompt_preference": "counter_first",
        },
        status=201,
        has=["consent_id", "version"],
    )
    # 6, 8.3: a task gets its slices
    task = call("POST", "/api/tasks", {"route": "snapshot", "user_context_overrides": {"research_depth": "quick"}},
                status=201, has=["task_id"])  # fmt: skip
    found = call("POST", "/api/recall", {"task_id": task["task_id"], "query": "SOL?"}, status=200)
    trace = found["context_trace"]
    client.expect("required slices", holds=trace["slices_loaded"] == ["S1", "S2", "S3"])
    client.expect("nothing blocked", holds=trace["slices_blocked_by_consent"] == [])
    client.expect("the task wins", holds="research_depth: quick" in found["user_context"])
    client.expect("the profile", holds="risk_prompt_preference: counter_first" in found["user_context"])

    # 5.3: save as thread
    body = {
        "save_user_context": True,
        "consent_ack": {"consent_id": granted["consent_id"]},
        "user_focus_reason": "看好链上活跃度",
        "research_style": "short bullet points",
        "main_thesis": "SOL benefits from on-chain activity",
    }
    thread = call("POST", f"/api/snapshots/{snapshot}/save-as-thread", body, status=201, has=["thread_id"])
    # 5.4: refresh appends
    thread_id = thread["thread_id"]
    refreshed = {
        "user_supplied_context": {"research_depth": "standard"},
        "current_thesis": "SOL benefits from on-chain activity and fees",
        "changed_inferences": ["fees matter too"],
        "watch_question_updates": [{"id": "wq-1", "status": "resolved"}],
    }
    call("POST", f"/api/threads/{thread_id}/refresh", refreshed, status=200)
    found = call("POST", "/api/recall", {"route": "thread_refresh", "conversation_id": thread_id}, status=200)
    loaded = found["context_trace"]["slices_loaded"]
    client.expect("a thread's slices", holds=loaded == ["S1", "S2", "S3", "S4", "S5"])
    client.expect("thread over profile", holds="research_depth: standard" in found["user_context"])

    # 5.5, 9.1: feedback in words; a reversal is only observed
    for rating in ("thumbs_up", "not_helpful", "agree", "disagree"):
        told = {"related_object_ref": snapshot, "rating": rating, "comment": "我之前的判断错了"}
        call("POST", "/api/feedback", told, status=201, has=["id"])
    call("POST", "/api/feedback", {"related_object_ref": snapshot, "rating": "great"}, status=422)
    client.expect("drift", holds=finclaw.count("select count(*) from persona_drift") >= 1)

    # 7: boundaries
    arranged = call("GET", "/api/personalization?route=risk_challenge", status=200)
    client.expect("order by risk", holds=arranged["advisors"][0] == "counter_thesis")
    client.expect("a fixed set", holds=arranged["advisor_set_fixed"] is True)

    # 11.2: forget a thread's preferences
    call("PATCH", f"/api/threads/{thread_id}", {"consent_blocked": True}, status=200)
    found = call("POST", "/api/recall", {"route": "thread_refresh", "conversation_id": thread_id}, status=200)
    client.expect("blocked", holds=found["context_trace"]["slices_blocked_by_consent"] == ["S4", "S5"])

    # 5.6: the end of a task
    call("POST", f"/api/tasks/{task['task_id']}/end", {"status": "succeeded"}, status=200, has=["expires_at"])
    call("POST", "/api/recall", {"task_id": task["task_id"]}, status=409)

    # 10.4, 11.2: withdrawal, once and again
    gone = call("DELETE", f"{consent}/{granted['consent_id']}", status=202, has=["op_id", "receipt_id"])
    again = call("DELETE", f"{consent}/{granted['consent_id']}", status=202)
    client.expect("the same operation", holds=again["op_id"] == gone["op_id"])
    found = call("POST", "/api/recall", {"route": "snapshot"}, status=200)
    client.expect("cold", holds=found["context_trace"]["slices_defaulted"] == ["S1", "S2", "S3"])
    problem = call("POST", f"/api/snapshots/{snapshot}/save-as-thread", body, status=403)
    client.expect("no new thread", holds=problem["details"]["required_scopes"] == ["save_to_thread"])
    finclaw.hurry()
    finclaw.work()
    client.expect("no profile", holds=finclaw.count("select count(*) from user_contexts where scope = 'profile'") == 0)
    client.expect("no drift", holds=finclaw.count("select count(*) from persona_drift") == 0)
    client.finish()
