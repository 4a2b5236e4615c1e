"""Feedback teaches what a person prefers, and forgetting it takes that back (CN-06, CN-09)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from prometheus_client import REGISTRY

from tests.support.overlap import together
from tests.support.small_api import assert_problem
from tests.support.workbench import Person, Workbench

CANARY = "canary-bullets"
HELLO = ("Hello.", "Hi.")


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def ingest(person: Person, evidence: str | None, action: str = "accept", **more: Any) -> Any:
    body = {"action": action, "evidence_ref": evidence, **more}
    return person.post("/api/v1/memory/preferences/ingest", body, status=200)


def switch(person: Person, **wanted: Any) -> None:
    answer = person.bench.api.patch("/api/v1/memory/settings", json=wanted, headers=person.headers)
    assert answer.status_code == 200, answer.text


def accepted_answers(person: Person, *evidence: str, action: str = "accept") -> list[tuple[str, str, str]]:
    """Give feedback on one answer of a conversation each; return (conversation, user message, answer)."""
    given = []
    for one in evidence:
        conversation = person.conversation()
        [(question, answer)] = person.say(conversation, HELLO)
        person.post("/api/v1/feedback", {"action": action, "evidence_ref": one, "message_id": answer})
        given.append((conversation, question, answer))
    return given


def learned(person: Person) -> dict[str, str]:
    """Return the learned preferences in the list of memories: text → validity."""
    found = person.get("/api/v1/memory/long_term", limit=200)
    for one in found:
        assert (one["content_type"], one["origin"], one["scope"]) == ("preference", "learned", "global")
    return {one["content"]: one["validity"] for one in found}


def clear(person: Person, **more: Any) -> str:
    return str(person.post("/api/v1/memory/preferences/clear", more, status=202)["op_id"])


@pytest.mark.parametrize(
    ("evidence", "action", "text"),
    [
        ("concise-bullets", "accept", "Prefers: concise-bullets"),
        ("更短一点", "accept", "偏好：更短一点"),
        ("long introductions", "reject", "Dislikes: long introductions"),
        ("语气太正式", "reject", "不喜欢：语气太正式"),
        ("the table", "partial", "Partly prefers: the table"),
    ],
)
def test_the_third_signal_of_a_kind_makes_one_preference_that_is_found(
    bench: Workbench, ada: Person, evidence: str, action: str, text: str
) -> None:
    answers = [ingest(ada, evidence, action) for _ in range(2)]
    assert answers == [{"outcome": "counted", "count": count, "threshold": 3, "memory_id": None} for count in (1, 2)]
    assert ada.memories() == []

    third = ingest(ada, evidence.upper() + "!", action)

    assert (third["outcome"], third["count"]) == ("learned", 3)
    assert [one.casefold() for one in learned(ada)] == [(text + "!").casefold()], "in the words of the newest"
    assert ada.get("/api/v1/memory/preferences")["learned_memory_ids"] == [third["memory_id"]]
    fourth = ingest(ada, evidence, action)
    assert fourth == {"outcome": "learned", "count": 4, "threshold": 3, "memory_id": third["memory_id"]}
    assert len(learned(ada)) == 1
    supported = "select count(*) from events where type = 'MemorySupported'"
    assert bench.count(supported) == 1
    bench.work()
    assert ada.search(evidence) == list(learned(ada))


def test_a_preference_from_three_accepts_reaches_the_next_context_if_injection_is_on(
    bench: Workbench, ada: Person
) -> None:
    accepted_answers(ada, "concise-bullets", "Concise bullets", "concise_bullets")
    bench.work()
    assert ada.search("how should answers look?") == ["Prefers: concise_bullets"]
    [memory] = ada.get("/api/v1/memory/long_term")
    assert memory["method"] == "feedback"

    switch(ada, injection_enabled=False)

    assert ada.search("how should answers look?") == []
    assert len(ada.memories()) == 1


def test_a_reason_in_free_text_is_kept_and_teaches_where_there_is_no_evidence(bench: Workbench, ada: Person) -> None:
    for _ in range(3):
        taught = ingest(ada, None, "reject", reason="canary, far too many tables")
    assert taught["outcome"] == "learned"
    assert learned(ada) == {"Dislikes: canary, far too many tables": "active"}
    ingest(ada, "long introductions", "reject", reason="canary again")
    assert bench.count("select count(*) from visible_feedback where reason like 'canary%%'") == 4


def test_in_privacy_mode_a_reason_in_free_text_is_neither_kept_nor_learned_from(bench: Workbench, ada: Person) -> None:
    switch(ada, privacy_mode_enabled=True)
    for _ in range(3):
        assert ingest(ada, None, "reject", reason=CANARY)["outcome"] == "ignored"
        ada.post("/api/v1/feedback", {"action": "reject", "reason": CANARY})
    ingest(ada, None, "reject", reason="too_long")

    assert bench.holds(CANARY) == []
    assert ada.memories() == []
    assert bench.count("select count(*) from visible_feedback where reason = 'too_long'") == 1


def test_its_sources_are_the_answers_that_were_judged(bench: Workbench, ada: Person) -> None:
    given = accepted_answers(ada, *[CANARY] * 3)
    [memory] = ada.get("/api/v1/memory/long_term")
    assert {source["message_id"] for source in memory["sources"]} == {answer for _, _, answer in given}
    assert memory["provenance"]["source_type"] == "user"
    conversation, question, answer = given[0]
    for wanted, found in (({"message_id": answer}, [memory["id"]]), ({"message_id": question}, [])):
        assert [one["id"] for one in ada.get("/api/v1/memory/long_term", **wanted)] == found
    assert [one["id"] for one in ada.get("/api/v1/memory/long_term", conversation_id=conversation)] == [memory["id"]]
    switch(ada, preference_learning_threshold=2)

    ada.forget("message", message_id=given[0][2])
    bench.work()

    [memory] = ada.get("/api/v1/memory/long_term")
    assert {source["message_id"] for source in memory["sources"]} == {answer for _, _, answer in given[1:]}


def test_its_explanation_holds_every_judgement(bench: Workbench, ada: Person) -> None:
    [(_, _, answer)] = accepted_answers(ada, "canary，短一点")
    ingest(ada, "canary 短一点")
    switch(ada, privacy_mode_enabled=True)
    ingest(ada, "canary 短一点")  # another kind: its topic is the label
    switch(ada, privacy_mode_enabled=False)
    made = ingest(ada, "Canary 短一点！")

    why = ada.get(f"/api/v1/memory/long_term/{made['memory_id']}/explanation")["memory"]

    assert [(one["action"], one["label"], one["quote"], one["message_id"]) for one in why["judgements"]] == [
        ("accept", "length", "canary，短一点", answer),
        ("accept", "length", "canary 短一点", None),
        ("accept", "length", "Canary 短一点！", None),
    ]
    assert [one["message_id"] for one in why["evidence"]] == [answer]


@pytest.mark.parametrize("evidence", [None, "", "  ", "ok", "好", "👍👍👍👍", "！！！！"])
def test_noise_is_ignored_and_counted(bench: Workbench, ada: Person, evidence: str | None) -> None:
    def metric() -> float:
        return REGISTRY.get_sample_value("memory_center_preference_signals_total", {"outcome": "ignored"}) or 0.0

    before = metric()
    for _ in range(3):
        assert ingest(ada, evidence) == {"outcome": "ignored", "count": 0, "threshold": 3, "memory_id": None}
    ada.post("/api/v1/feedback", {"action": "reject", "evidence_ref": evidence})
    ada.post("/api/v1/feedback", {"rating": 1})

    assert metric() == before + 4
    shown = ada.get("/api/v1/memory/preferences")
    assert (shown["ignored"], shown["signals"], shown["learned_memory_ids"]) == (4, [], [])
    assert ada.memories() == []


def test_what_is_sensitive_is_never_learned(bench: Workbench, ada: Person) -> None:
    for said in ("my password is hunter2xyz", "我的密码是 hunter2xyz", "my password is hunter2xyz"):
        assert ingest(ada, said)["outcome"] == "ignored"
    made = [ingest(ada, "send summaries to ada@example.com") for _ in range(3)][-1]
    assert made["outcome"] == "learned"
    assert list(learned(ada)) == ["Prefers: send summaries to [email]"]
    assert bench.holds("hunter2xyz") == bench.holds("ada@example.com") == ["feedback_contents"]


def test_only_signals_of_one_kind_add_up(bench: Workbench, ada: Person) -> None:
    for action, evidence in [
        ("accept", "short answers"),
        ("accept", "shorter answers"),
        ("accept", "更短一点"),
        ("partial", "short answers"),
        ("reject", "short answers"),
        ("accept", "Short Answers"),
    ]:
        assert ingest(ada, evidence, action)["outcome"] == "counted"

    assert ada.memories() == []
    assert ada.get("/api/v1/memory/preferences") == {
        "enabled": True,
        "threshold": 3,
        "signals": [
            {"label": "length", "action": "accept", "count": 4},
            {"label": "length", "action": "partial", "count": 1},
            {"label": "length", "action": "reject", "count": 1},
        ],
        "ignored": 0,
        "learned_memory_ids": [],
    }


def test_a_picked_reason_decides_the_label(bench: Workbench, ada: Person) -> None:
    ingest(ada, "the middle part", "reject", reason="too_long")
    [signal] = ada.get("/api/v1/memory/preferences")["signals"]
    assert signal == {"label": "length", "action": "reject", "count": 1}
    ingest(ada, "the last part", "reject", reason="because I say so")
    labels = {one["label"] for one in ada.get("/api/v1/memory/preferences")["signals"]}
    assert labels == {"length", "other"}, "a reason in free text decides no label"


@pytest.mark.parametrize(
    ("evidence", "text"), [(f"{CANARY} please", "Prefers: format"), ("canary，短一点", "偏好：篇幅")]
)
def test_privacy_mode_keeps_a_label_and_no_quote_anywhere(
    bench: Workbench, ada: Person, evidence: str, text: str
) -> None:
    switch(ada, privacy_mode_enabled=True)
    conversation = ada.conversation()
    [(_, answer)] = ada.say(conversation, HELLO)
    headers = ada.headers | {"Idempotency-Key": "once"}
    body = {"action": "accept", "evidence_ref": evidence}
    bench.api.post("/api/v1/memory/preferences/ingest", json=body, headers=headers)
    ada.post("/api/v1/feedback", body | {"message_id": answer})
    made = ingest(ada, f"{evidence}, more of canary")

    label = {"Prefers: format": "format", "偏好：篇幅": "length"}[text]
    assert made["outcome"] == "learned"
    assert list(learned(ada)) == [text]
    assert ada.get("/api/v1/memory/preferences")["signals"] == [{"label": label, "action": "accept", "count": 3}]
    bench.work()
    assert bench.holds("canary") == []
    assert ada.search(text) == [text]
    # Made again after a forget it still speaks the language of its evidence.
    switch(ada, preference_learning_threshold=2)
    ada.forget("conversation", conversation_id=conversation)
    assert learned(ada) == {}
    bench.work()
    assert list(learned(ada)) == [text]


@pytest.mark.parametrize("off", [{"preference_learning_enabled": False}, {"longterm_enabled": False}])
def test_off_stores_no_signal_and_on_resumes_without_what_came_meanwhile(
    bench: Workbench, ada: Person, off: dict[str, bool]
) -> None:
    ingest(ada, CANARY)
    switch(ada, **off)
    for _ in range(3):
        assert ingest(ada, CANARY) == {"outcome": "off", "count": 0, "threshold": 3, "memory_id": None}
    assert bench.count("select count(*) from feedback") == 1
    accepted_answers(ada, CANARY, CANARY)
    assert bench.count("select count(*) from preference_signals") == 1
    assert bench.count("select count(*) from feedback") == 3, "feedback is kept for its own sake"

    switch(ada, **dict.fromkeys(off, True))

    assert ingest(ada, CANARY)["count"] == 2
    assert ada.memories() == []


def test_nothing_is_learned_from_a_conversation_that_is_not_to_be_remembered(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(remember=False)
    answers = [ingest(ada, CANARY, conversation_id=conversation) for _ in range(3)]
    assert {answer["outcome"] for answer in answers} == {"off"}
    assert bench.count("select count(*) from preference_signals") == 0


def test_an_opposite_majority_supersedes_and_a_forget_brings_the_first_back(bench: Workbench, ada: Person) -> None:
    for _ in range(3):
        first = ingest(ada, "更短一点")
    rejected = accepted_answers(ada, *["更短一点"] * 3, action="reject")
    assert learned(ada) == {"偏好：更短一点": "active"}, "three against three is no majority"

    second = ingest(ada, "更短一点", "reject")

    assert (second["outcome"], second["count"]) == ("learned", 4)
    assert learned(ada) == {"偏好：更短一点": "superseded", "不喜欢：更短一点": "active"}
    memory = ada.get(f"/api/v1/memory/long_term/{second['memory_id']}")
    assert memory["supersedes_id"] == first["memory_id"]
    assert ada.get("/api/v1/memory/preferences")["learned_memory_ids"] == [second["memory_id"]]
    bench.work()
    assert ada.search("更短") == ["不喜欢：更短一点"]
    operation = ada.forget("message", message_id=rejected[0][2])
    assert learned(ada) == {"偏好：更短一点": "active"}
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert learned(ada) == {"偏好：更短一点": "active"}, "three rejects are no majority"


def test_what_a_person_said_in_its_place_stands_against_more_feedback(bench: Workbench, ada: Person) -> None:
    made = [ingest(ada, "更短一点") for _ in range(3)][-1]
    path = f"/api/v1/memory/long_term/{made['memory_id']}"
    etag = bench.api.get(path, headers=ada.headers).headers["etag"]
    edited = bench.api.patch(path, json={"content": "只要重点"}, headers=ada.headers | {"If-Match": etag})
    assert edited.status_code == 200, edited.text

    again = ingest(ada, "更短一点")
    rejected = [ingest(ada, "更短一点", "reject") for _ in range(6)]

    assert again["memory_id"] == made["memory_id"]
    assert {answer["outcome"] for answer in rejected} == {"counted"}
    validity = {one["content"]: one["validity"] for one in ada.get("/api/v1/memory/long_term")}
    assert validity == {"偏好：更短一点": "superseded", "只要重点": "active"}


@pytest.mark.few(2)
@pytest.mark.parametrize("target", ["answer", "turn", "conversation", "clear"])
def test_forgetting_evidence_below_the_threshold_takes_the_preference(
    bench: Workbench, ada: Person, target: str
) -> None:
    given = accepted_answers(ada, *[CANARY] * 3)
    bench.work()
    assert learned(ada) == {f"Prefers: {CANARY}": "active"}

    for conversation, question, answer in given:
        operation = forget(ada, target, conversation, question, answer)
        assert learned(ada) == {}, "hidden with the 202"
        assert ada.search(CANARY) == []
        bench.work()
        assert ada.operation(operation)["status"] == "succeeded"
        assert learned(ada) == {}

    assert ada.get("/api/v1/memory/preferences")["signals"] == []
    assert bench.holds("canary") == []
    assert bench.count("select count(*) from lineage where source_kind in ('signal', 'feedback')") == 0
    assert ingest(ada, CANARY)["count"] == 1


def forget(ada: Person, target: str, conversation: str, question: str, answer: str) -> str:
    match target:
        case "answer":
            return ada.forget("message", message_id=answer)
        case "turn":
            return ada.forget("message", message_id=question, cascade=True)
        case "conversation":
            return ada.forget("conversation", conversation_id=conversation)
        case _:
            return str(ada.post("/api/v1/clear", {"conversation_id": conversation}, status=202)["op_id"])


@pytest.mark.parametrize("target", ["answer", "turn", "conversation", "clear"])
def test_a_preference_with_enough_evidence_left_is_rewritten_from_that_evidence(
    bench: Workbench, ada: Person, target: str
) -> None:
    given = accepted_answers(ada, "canary table", "canary table", "Canary, table", "CANARY TABLE")
    bench.work()
    assert learned(ada) == {"Prefers: Canary, table": "active"}

    operation = forget(ada, target, *given[2])

    assert learned(ada) == {}
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert learned(ada) == {"Prefers: CANARY TABLE": "active"}
    assert bench.holds("Canary, table") == []
    assert ada.search("canary") == ["Prefers: CANARY TABLE"]
    assert ingest(ada, "canary table")["count"] == 4
    assert len(learned(ada)) == 1


def test_feedback_stays_with_its_answer_when_only_the_question_is_forgotten(bench: Workbench, ada: Person) -> None:
    given = accepted_answers(ada, *[CANARY] * 3)
    bench.work()
    [before] = ada.get("/api/v1/memory/long_term")
    switch(ada, preference_learning_threshold=9)

    ada.forget("message", message_id=given[0][1])

    assert [one["id"] for one in ada.get("/api/v1/memory/long_term")] == [before["id"]]
    bench.work()
    assert [one["id"] for one in ada.get("/api/v1/memory/long_term")] == [before["id"]]


def test_a_forget_that_is_undone_gives_the_preference_back_and_never_a_second_one(
    bench: Workbench, ada: Person
) -> None:
    given = accepted_answers(ada, *[CANARY] * 3)
    operation = ada.forget("message", message_id=given[0][2], undo_seconds=60)
    assert learned(ada) == {}
    assert ingest(ada, CANARY)["outcome"] == "learned", "three are visible"
    assert learned(ada) == {f"Prefers: {CANARY}": "active"}

    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)

    memories = ada.get("/api/v1/memory/long_term")
    assert sorted(memory["validity"] for memory in memories) == ["active", "superseded"]
    bench.work()
    assert ada.search(CANARY) == [f"Prefers: {CANARY}"]
    assert ingest(ada, CANARY)["count"] == 5


def test_what_may_come_back_is_waited_for_before_a_preference_is_given_up(bench: Workbench, ada: Person) -> None:
    given = accepted_answers(ada, *[CANARY] * 4)
    undoable = ada.forget("message", message_id=given[0][2], undo_seconds=60)
    final = ada.forget("message", message_id=given[1][2])
    bench.work()
    assert ada.operation(final)["status"] == "running"
    assert learned(ada) == {}
    ada.post(f"/api/v1/memory/ops/{undoable}/cancel", {}, status=200)
    bench.work()
    assert ada.operation(final)["status"] == "succeeded"
    assert learned(ada) == {f"Prefers: {CANARY}": "active"}


def test_a_deleted_preference_loses_its_evidence_and_is_not_relearned_at_once(bench: Workbench, ada: Person) -> None:
    made = [ingest(ada, CANARY) for _ in range(3)][-1]
    ingest(ada, "canary tables")
    bench.work()
    answer = bench.api.delete(f"/api/v1/memory/long_term/{made['memory_id']}", headers=ada.headers)
    assert answer.status_code == 202
    bench.work()
    assert ada.operation(answer.json()["op_id"])["status"] == "succeeded"
    assert bench.holds(CANARY) == []
    assert ingest(ada, CANARY) == {"outcome": "counted", "count": 1, "threshold": 3, "memory_id": None}
    assert ingest(ada, "canary tables")["count"] == 2


def test_clear_forgets_every_learned_preference_with_its_evidence_and_ends_verified(
    bench: Workbench, ada: Person
) -> None:
    ada.say(ada.conversation(), ("I'm allergic to peanuts.", "Noted."))
    accepted_answers(ada, *[CANARY] * 3)
    for _ in range(3):
        ingest(ada, "canary 更短一点", "reject")
    ingest(ada, "ok")
    other = bench.person()
    for _ in range(3):
        ingest(other, "theirs")
    bench.work()
    assert len(ada.memories()) == 3

    operation = clear(ada)

    assert ada.memories() == ["I'm allergic to peanuts."]
    assert ada.get("/api/v1/memory/preferences") == {
        "enabled": True,
        "threshold": 3,
        "signals": [],
        "ignored": 0,
        "learned_memory_ids": [],
    }
    bench.work()
    done = ada.operation(operation)
    assert (done["status"], done["scope"], done["type"]) == ("succeeded", "selection", "forget_selection")
    receipt = bench.api.get(f"/api/v1/receipts/{done['receipt_id']}").json()
    assert [entry["body"]["kind"] for entry in receipt["entries"]] == ["accepted", "verified"]
    assert bench.holds("canary") == []
    assert bench.process.mem0.keys(bench.namespace(ada)) != set(), "what was said stays"
    assert ada.search("nuts") == ["I'm allergic to peanuts."]
    assert other.memories() == ["Prefers: theirs"]
    assert ingest(ada, CANARY)["count"] == 1


def test_a_clear_can_be_undone(bench: Workbench, ada: Person) -> None:
    for _ in range(3):
        ingest(ada, CANARY)
    before = ada.get("/api/v1/memory/preferences")
    operation = clear(ada, undo_seconds=60)
    assert ada.memories() == []
    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    assert ada.get("/api/v1/memory/preferences") == before
    assert ada.memories() == [f"Prefers: {CANARY}"]


def test_signals_that_come_at_once_make_one_preference(bench: Workbench, ada: Person) -> None:
    ingest(ada, CANARY)
    answers = together(ada, *[lambda: ingest(ada, CANARY) for _ in range(4)])
    assert sorted(answer["count"] for answer in answers) == [2, 3, 4, 5]
    assert len({answer["memory_id"] for answer in answers} - {None}) == 1
    assert len(learned(ada)) == 1


def test_a_repeated_request_is_counted_once(bench: Workbench, ada: Person) -> None:
    headers = ada.headers | {"Idempotency-Key": "once"}
    body = {"action": "accept", "evidence_ref": CANARY}
    for path in ("/api/v1/memory/preferences/ingest", "/api/v1/feedback"):
        answers = [
            bench.api.post(path, json=body, headers=headers | {"Idempotency-Key": path}).json() for _ in range(3)
        ]
        assert answers[0] == answers[1] == answers[2]
    assert bench.count("select count(*) from preference_signals") == 2


def test_nobody_learns_from_or_sees_what_is_another_persons(bench: Workbench, ada: Person) -> None:
    lin = bench.person()
    [(conversation, _, answer)] = accepted_answers(lin, CANARY)
    for target in ({"message_id": answer}, {"conversation_id": conversation}, {"message_id": str(uuid4())}):
        body = {"action": "accept", "evidence_ref": CANARY, **target}
        refused = bench.api.post("/api/v1/memory/preferences/ingest", json=body, headers=ada.headers)
        assert_problem(refused, 404, "not_found")
    named = {"user_id": lin.user_id}
    for refused in (
        bench.api.get("/api/v1/memory/preferences", params=named, headers=ada.headers),
        bench.api.post("/api/v1/memory/preferences/clear", json=named, headers=ada.headers),
        bench.api.post("/api/v1/memory/preferences/ingest", json=named | {"action": "accept"}, headers=ada.headers),
    ):
        assert_problem(refused, 404, "not_found")
    assert ada.get("/api/v1/memory/preferences")["signals"] == []
    assert len(lin.get("/api/v1/memory/preferences")["signals"]) == 1
    # The same evidence of two people is not one topic.
    assert bench.count("select count(distinct topic) from preference_signals") == 1
    ingest(ada, CANARY)
    assert bench.count("select count(distinct topic) from preference_signals") == 2


def test_forgetting_a_person_leaves_no_signal(bench: Workbench, ada: Person) -> None:
    for _ in range(3):
        ingest(ada, CANARY)
    operation = ada.forget("user")
    assert ada.get("/api/v1/memory/preferences")["signals"] == []
    bench.work()
    assert ada.operation(operation)["status"] == "succeeded"
    assert bench.count("select count(*) from preference_signals") == 0
    assert bench.holds("canary") == []


def test_events_and_traces_hold_no_evidence(bench: Workbench, ada: Person) -> None:
    for _ in range(4):
        ingest(ada, CANARY)
    assert set(bench.holds(CANARY)) == {"feedback_contents", "preference_signal_contents", "memory_contents"}
