"""A client written from FinClaw V1 alone: feedback works; consent, tasks and threads are not built yet (FC-01…16)."""

from __future__ import annotations

from tests.support.literal_client import LiteralClient
from tests.support.workbench import Workbench


def test_feedback_works_and_everything_else_says_that_it_is_not_built(bench: Workbench) -> None:
    person = bench.person()
    client = LiteralClient("000 FinClaw", bench, person.headers)
    call = client.call
    snapshot = "snapshot:2026-05-18-SOL"

    # 5.5, 9.1: ratings in words, a comment about an object
    for rating in ("thumbs_up", "not_helpful", "agree", "disagree"):
        body = {"related_object_ref": snapshot, "rating": rating, "comment": "我之前的判断错了"}
        call("POST", "/api/feedback", body, status=201, has=["id"])
    call("POST", "/api/feedback", {"related_object_ref": snapshot, "rating": "great"}, status=422)

    # 5.2, 11.2: consent
    consent = f"/api/users/{person.user_id}/profile-consent"
    granted = {
        "save_to_thread": True,
        "save_to_profile": True,
        "training_use_allowed": False,
        "language_preference": "zh",
        "research_depth": "standard",
        "risk_prompt_preference": "balanced",
    }
    problem = call("POST", consent, granted, status=501)
    client.expect("it says so", holds=problem["code"] == "not_built_yet")
    call("DELETE", f"{consent}/consent-1", status=501)
    # 8.4: tasks
    call("POST", "/api/tasks", {"route": "snapshot", "user_context_overrides": {"research_depth": "deep"}}, status=501)
    # 5.3, 5.4, 11.2: threads
    body = {"save_user_context": True, "consent_ack": {"consent_id": "consent-1"}}
    call("POST", f"/api/snapshots/{snapshot}/save-as-thread", body, status=501)
    call("POST", "/api/threads/thread-1/refresh", {"user_supplied_context": {"research_depth": "quick"}}, status=501)
    call("PATCH", "/api/threads/thread-1", {"consent_blocked": True}, status=501)
    # 4.4: the export
    call("GET", "/api/users/me/export", status=501)
    client.expect("nothing was done", holds=bench.count("select count(*) from conversations") == 0)
    client.finish()
