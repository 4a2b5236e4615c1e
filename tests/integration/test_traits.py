"""Traits: inferred from several conversations, shown with their evidence, and gone with what they rest on."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from shared.consent.rules.policy import Permitted, Terms
from shared.erasure.rebuild import rebuild_read_models
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.language.habits import HabitsRead
from shared.language.port import Habit
from shared.lineage.sql import lineage
from shared.lineage.sql.lineage import Derivation
from shared.traits import portray
from shared.traits.reflect import reflect
from shared.traits.sql import notes, recalls
from tests.support.dumping import dump
from tests.support.importing import brought, repacked
from tests.support.packages import export, packed
from tests.support.restoring import answers, replay, restored, url
from tests.support.traits import KEY, PIECES, SENTENCE, compares_prices, reflected, show
from tests.support.workbench import Person, Workbench
from workers.reflector.tasks import read_notes
from workers.scheduler.reflecting import queue_daily_reflections

TRAITS = "/api/v1/memory/traits"


def listed(person: Person, **query: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.get(TRAITS, **query)
    return found


def delete(person: Person, path: str, **query: Any) -> dict[str, Any]:
    answer = person.bench.api.delete(path, params=query, headers=person.headers)
    assert answer.status_code == 202, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return compares_prices(bench)


def _rows(bench: Workbench, sql: str) -> list[dict[str, Any]]:
    with bench.database.begin() as tx:
        found = [dict(row) for row in tx.rows(sql)]
    for one in found:
        one.pop("confidence")  # it decays by the microsecond
    return found


def said(person: Person) -> list[str]:
    messages: list[str] = person.messages  # type: ignore[attr-defined]
    return messages


def test_with_very_many_reflections_a_forget_may_take_its_time(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def limits(tx: Transaction) -> tuple[str, str]:
        subject = subjects.find(tx, ada.user_id)
        assert subject is not None
        portray.portray(tx, subject, now=tx.now())
        return tx.value("show transaction_timeout"), tx.value("show idle_in_transaction_session_timeout")

    usual = bench.database.transact(limits)
    monkeypatch.setattr(portray, "MANY", 0)
    assert usual != bench.database.transact(limits) == ("0", "1min")


def test_a_trait_is_shown_with_its_evidence(ada: Person) -> None:
    [trait] = [one for one in listed(ada) if one["trait_key"] == KEY]
    assert trait["content"] == SENTENCE
    assert (trait["trait_subtype"], trait["trait_stage"]) == ("behavior", "emerging")
    assert trait["conversations"] == len(PIECES)
    assert [one["quality"] for one in trait["evidence"]["supporting"]] == ["C"] * len(PIECES)
    why = ada.get(f"{TRAITS}/{trait['id']}/explanation")
    assert [one["quote"] for one in why["evidence"]] == list(PIECES)
    assert {one["weight"] for one in why["evidence"]} == {0.15}
    grown = ada.get(f"{TRAITS}/{trait['id']}/history")["events"]
    assert grown[0]["type"] == "TraitObserved"
    assert sum(one["type"] == "TraitReinforced" for one in grown) == len(PIECES)
    [run] = ada.get("/api/v1/memory/reflections")
    assert run["counts"]["observations"] == len(PIECES)


def test_reflecting_again_changes_nothing(bench: Workbench, ada: Person) -> None:
    before = (listed(ada), ada.get("/api/v1/memory/reflections"))
    assert reflected(bench, ada) is None
    after = (listed(ada), ada.get("/api/v1/memory/reflections"))
    for one in (*before[0], *after[0]):
        one.pop("confidence")  # it decays by the microsecond
    assert before == after


def test_what_is_forgotten_no_longer_supports_a_trait(bench: Workbench, ada: Person) -> None:
    [before] = listed(ada)
    ada.forget("message", message_id=said(ada)[0])
    [after] = listed(ada)
    assert after["id"] == before["id"]
    assert after["reinforcement_count"] == before["reinforcement_count"] - 1
    assert len(after["evidence"]["supporting"]) == len(PIECES) - 1
    why = ada.get(f"{TRAITS}/{after['id']}/explanation")
    assert PIECES[0] not in str(why)
    bench.work()
    assert [one["id"] for one in listed(ada)] == [before["id"]]


def test_a_trait_with_fewer_than_three_sources_left_is_erased_with_its_receipt(bench: Workbench, ada: Person) -> None:
    [trait] = listed(ada)
    ada.forget("message", message_id=said(ada)[0])
    ada.forget("message", message_id=said(ada)[1])
    assert listed(ada) == []
    bench.work()
    assert bench.api.get(f"{TRAITS}/{trait['id']}", headers=ada.headers).status_code == 404
    newest = max(ada.get("/api/v1/memory/ops"), key=lambda one: str(one["created_at"]))
    receipt = bench.api.get(f"/api/v1/receipts/{newest['receipt_id']}").json()
    assert "trait" in str(receipt)
    assert bench.count("select count(*) from traits") == 0
    assert bench.count("select count(*) from events where stream like 'trait:%%' and type <> 'TraitErased'") == 0


def test_an_undone_forget_brings_traits_back_as_they_were(bench: Workbench, ada: Person) -> None:
    [before] = listed(ada)
    history = ada.get(f"{TRAITS}/{before['id']}/history")
    operations = [ada.forget("message", message_id=one, undo_seconds=60) for one in said(ada)[:2]]
    assert listed(ada) == []
    for operation in reversed(operations):
        ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    [after] = listed(ada)
    for one in (before, after):
        for changing in ("confidence", "version", "updated_at"):
            one.pop(changing)
    assert after == before
    assert ada.get(f"{TRAITS}/{after['id']}/history") == history


@pytest.mark.parametrize("scope", ["conversation", "clear"])
def test_clearing_a_conversation_takes_its_evidence(bench: Workbench, scope: str) -> None:
    eve = bench.person()
    show(bench, eve, PIECES[:2], together=True)
    show(bench, eve, PIECES[2:], first_day=9)
    bench.work()
    reflected(bench, eve)
    [trait] = listed(eve)
    conversation = eve.get(f"{TRAITS}/{trait['id']}/explanation")["evidence"][0]["conversation_id"]
    if scope == "clear":
        eve.post("/api/v1/clear", {"conversation_id": conversation}, status=202)
    else:
        eve.forget("conversation", conversation_id=conversation)
    assert listed(eve) == []
    bench.work()
    assert bench.count("select count(*) from trait_observations") == 2


def test_what_is_not_so_is_not_inferred_again_until_it_is_allowed(bench: Workbench, ada: Person) -> None:
    [trait] = listed(ada)
    delete(ada, f"{TRAITS}/{trait['id']}")
    assert listed(ada) == []
    bench.work()
    assert bench.count("select count(*) from trait_observations") == 0
    show(bench, ada)
    reflected(bench, ada)
    assert listed(ada) == []
    assert [one["trait_key"] for one in ada.get(f"{TRAITS}/refused")] == [KEY]
    assert bench.api.delete(f"{TRAITS}/refused/{KEY}", headers=ada.headers).status_code == 204
    show(bench, ada)
    reflected(bench, ada)
    assert [one["trait_key"] for one in listed(ada)] == [KEY]
    assert ada.get(f"{TRAITS}/refused") == []


def test_the_opposite_of_what_is_not_so_can_still_be_inferred(bench: Workbench, ada: Person) -> None:
    [trait] = listed(ada)
    delete(ada, f"{TRAITS}/{trait['id']}")
    bench.work()
    show(
        bench,
        ada,
        ("Saw it in the window, bought it.", "The tent was there, so I took it.", "Came home with a kayak."),
        key="buys-on-a-whim",
    )
    reflected(bench, ada)
    assert [one["trait_key"] for one in listed(ada)] == ["buys-on-a-whim"]
    ada.forget("message", message_id=said(ada)[0])
    assert [one["trait_key"] for one in listed(ada)] == ["buys-on-a-whim"]


def test_what_came_of_a_message_names_what_it_shows(ada: Person) -> None:
    made = ada.get(f"/api/v1/memory/messages/{said(ada)[0]}/derived")["derived"]
    assert KEY in {one["label"] for one in made if one["kind"] == "observation"}


def test_everything_inferred_can_be_forgotten_and_messages_stay(bench: Workbench, ada: Person) -> None:
    ada.post(f"{TRAITS}/clear", {}, status=202)
    assert listed(ada) == []
    bench.work()
    assert bench.count("select count(*) from traits") == bench.count("select count(*) from trait_observations") == 0
    assert bench.count("select count(*) from messages") == 2 * len(PIECES)


def differing(bench: Workbench, eve: Person) -> tuple[list[str], list[str]]:
    """Let somebody check things twice at work, and be content in private; return the messages of each."""
    checks = [f"One more check of {n} before it goes out." for n in range(4)]
    at_work = show(bench, eve, checks, key="double-checks-work", context="work")
    shelves = [f"The shelf number {n} is a bit crooked, that will do." for n in range(4)]
    private = show(bench, eve, shelves, key="accepts-good-enough", context="personal", first_day=1)
    bench.work()
    reflected(bench, eve)
    return at_work, private


def test_a_forgotten_context_is_no_longer_in_the_wording(bench: Workbench) -> None:
    eve = bench.person()
    _, private = differing(bench, eve)
    eve.forget("selection", ids=private)
    bench.work()
    [trait] = listed(eve)
    assert "good enough" not in str(trait)
    assert bench.holds("good enough") == []


def test_of_a_split_pair_one_trait_is_left_and_a_rebuild_makes_the_same(bench: Workbench) -> None:
    eve = bench.person()
    show(bench, eve, PIECES[:3], key="accepts-good-enough", context="personal")
    reflected(bench, eve)
    show(bench, eve, ["One more check.", "And another.", "Once more."], key="double-checks-work", context="work")
    reflected(bench, eve)
    shown = [one["context"] for one in listed(eve) if one["trait_stage"] != "dissolved"]
    assert shown == ["contextual"]
    bench.database.transact(rebuild_read_models, patient=True)
    assert [one["context"] for one in listed(eve) if one["trait_stage"] != "dissolved"] == shown


def test_a_part_of_a_split_pair_outlives_an_undo_and_a_rebuild(bench: Workbench) -> None:
    eve = bench.person()
    show(bench, eve, PIECES[:2], key="accepts-good-enough", context="personal")
    show(bench, eve, ["One more check.", "And another."], key="double-checks-work", context="work")
    reflected(bench, eve)  # two trends
    show(bench, eve, PIECES[2:3], key="accepts-good-enough", context="personal", first_day=6)
    show(bench, eve, ["Once more.", "And the last."], key="double-checks-work", context="work", first_day=6)
    reflected(bench, eve)
    before = [(one["trait_key"], one["context"], one["trait_stage"]) for one in listed(eve)]
    assert "contextual" in str(before)
    keys = "select id, trait_key from traits order by id"
    stored = [dict(row) for row in eve.bench.database.transact(lambda tx: tx.rows(keys))]
    assert len(stored) == 2, "the other half has a row, too"
    [(message, _)] = eve.say(eve.conversation(), ("Hello.", "Hi."))
    gone = bench.api.post(
        "/api/v1/memory/forget",
        json={"scope": "message", "message_id": message, "undo_seconds": 60},
        headers=eve.headers,
    ).json()["op_id"]
    eve.post(f"/api/v1/memory/ops/{gone}/cancel", {}, status=200)
    bench.database.transact(rebuild_read_models, patient=True)
    assert [(one["trait_key"], one["context"], one["trait_stage"]) for one in listed(eve)] == before
    assert [dict(row) for row in eve.bench.database.transact(lambda tx: tx.rows(keys))] == stored


def test_a_preference_goes_with_the_confirmation_it_rests_on(bench: Workbench, ada: Person) -> None:
    figures = [f"Is the total of sheet {number} right? I added it up twice." for number in range(3)]
    show(bench, ada, figures, key="checks-the-figures", first_day=1)
    reflected(bench, ada)
    for one in listed(ada):
        answer = bench.api.patch(f"{TRAITS}/{one['id']}", json={"confirmed": True}, headers=ada.headers)
        assert answer.status_code == 200
    reflected(bench, ada)
    behaviors = [one for one in listed(ada) if one["trait_subtype"] == "behavior"]
    assert "preference" in {one["trait_subtype"] for one in listed(ada)}
    for one in behaviors:
        bench.api.patch(f"{TRAITS}/{one['id']}", json={"confirmed": False}, headers=ada.headers)
    assert {one["trait_subtype"] for one in listed(ada)} == {"behavior"}


def test_a_trait_that_can_still_be_brought_back_outlives_a_rebuild(bench: Workbench, ada: Person) -> None:
    [trait] = listed(ada)
    changed = {"content": "Looks around first.", "confirmed": True}
    assert bench.api.patch(f"{TRAITS}/{trait['id']}", json=changed, headers=ada.headers).status_code == 200
    operation = delete(ada, f"{TRAITS}/{trait['id']}", undo_seconds=60)["op_id"]
    bench.database.transact(rebuild_read_models, patient=True)
    assert listed(ada) == []
    ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    [back] = listed(ada)
    assert (back["id"], back["content"]) == (trait["id"], "Looks around first.")


def test_what_is_left_of_a_message_shows_nothing_again(bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    read = HabitsRead(habits=(Habit(KEY, 0.9, "told", "general"),))
    monkeypatch.setattr("workers.learner.turn.read_habits", lambda _text, _readings: read)
    eve = bench.person()
    eve.say(eve.conversation(), ("I keep bees. I looked at four shops for a tent.", "Fine."))
    bench.work()
    assert bench.count("select count(*) from trait_observations") == 1
    found = eve.post("/api/v1/memory/forget/find", {"description": "bees"}, status=200)
    eve.forget("selection", token=found["token"], ids=[one["id"] for one in found["candidates"]])
    bench.hurry()
    bench.work()
    assert bench.count("select count(*) from messages") > 0
    assert bench.count("select count(*) from trait_observations") == 0


def test_what_was_said_before_everything_inferred_was_forgotten_shows_nothing(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = HabitsRead(habits=(Habit(KEY, 0.9, "told", "general"),))
    monkeypatch.setattr("workers.learner.turn.read_habits", lambda _text, _readings: read)
    ada.say(ada.conversation(), ("I looked at three more shops.", "Fine."))
    ada.post(f"{TRAITS}/clear", {}, status=202)
    bench.work()  # it is learned from now
    assert bench.count("select count(*) from trait_observations") == 0
    ada.say(ada.conversation(), ("And at a fourth.", "Fine."))
    bench.work()
    assert bench.count("select count(*) from trait_observations") == 1


def test_undoing_a_forget_of_everything_inferred_lets_what_was_said_be_read_again(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = HabitsRead(habits=(Habit(KEY, 0.9, "told", "general"),))
    monkeypatch.setattr("workers.learner.turn.read_habits", lambda _text, _readings: read)
    observed = bench.count("select count(*) from trait_observations")
    ada.say(ada.conversation(), ("I looked at three more shops.", "Fine."))
    [first, second] = [ada.post(f"{TRAITS}/clear", {"undo_seconds": 60}, status=202)["op_id"] for _ in range(2)]
    for operation in (first, second):
        ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200)
    bench.work()  # it is learned from now
    assert bench.count("select count(*) from trait_observations") == observed + 1


def test_what_differs_by_context_says_so(bench: Workbench) -> None:
    eve = bench.person()
    differing(bench, eve)
    [trait] = [one for one in listed(eve) if one["trait_subtype"] == "behavior"]
    assert trait["context"] == "contextual"
    assert trait["contexts"]["work"]["tendency"] == "Double-checks work before handing it over"
    assert trait["content"].startswith("In private: Is content with good enough; At work: Double-checks")
    assert [one["id"] for one in listed(eve, context="work")] == [trait["id"]]


def test_a_person_decides(bench: Workbench, ada: Person) -> None:
    [trait] = listed(ada)
    path = f"{TRAITS}/{trait['id']}"

    def patched(body: dict[str, Any], **headers: str) -> Any:
        return bench.api.patch(path, json=body, headers={**ada.headers, **headers})

    confirmed = patched({"confirmed": True}, **{"If-Match": f'"{trait["version"]}"'}).json()
    assert confirmed["confirmed"]
    assert confirmed["confidence"] > trait["confidence"]
    assert patched({"confirmed": False}, **{"If-Match": f'"{trait["version"]}"'}).status_code == 412
    assert patched({"context": "work"}).json()["context"] == "work"
    assert patched({"context": None}).json()["context"] == "general"
    edited = patched({"content": "Looks for the best price"}).json()
    assert (edited["content"], edited["edited"], edited["wordings"]) == ("Looks for the best price", True, None)
    refused = patched({"content": "Saves because of the diabetes"})
    assert (refused.status_code, refused.json()["code"]) == (422, "trait_sensitive")
    assert patched({"content": "x" * 161}).status_code == 422
    assert patched({"context": "nowhere"}).status_code == 422
    reflected(bench, ada)
    assert listed(ada)[0]["content"] == "Looks for the best price"


def test_others_and_unknown_words_are_refused(bench: Workbench, ada: Person) -> None:
    [trait] = listed(ada)
    eve = bench.person("eve")
    for path in (f"{TRAITS}/{trait['id']}", f"{TRAITS}/{trait['id']}/explanation", f"{TRAITS}/{uuid4()}"):
        assert bench.api.get(path, headers=eve.headers).status_code == 404
    assert bench.api.delete(f"{TRAITS}/{trait['id']}", headers=eve.headers).status_code == 404
    assert bench.api.patch(f"{TRAITS}/{trait['id']}", json={"confirmed": True}, headers=eve.headers).status_code == 404
    for query in ({"subtype": "mood"}, {"stage": "sure"}, {"context": "home"}):
        assert bench.api.get(TRAITS, params=query, headers=ada.headers).status_code == 422
    answer = bench.api.post(
        "/api/v1/memory/long_term", json={"content": "x", "content_type": "trait"}, headers=ada.headers
    )
    assert answer.status_code == 422


def test_switched_off_nothing_is_inferred_and_what_is_there_stays(bench: Workbench, ada: Person) -> None:
    off = bench.api.patch("/api/v1/memory/settings", json={"traits_enabled": False}, headers=ada.headers)
    assert off.json()["traits_enabled"] is False
    show(bench, ada, ("One more shop to look at.",))
    assert reflected(bench, ada) is None
    assert len(listed(ada)) == 1
    context = ada.post("/api/v1/recall", {"query": "Which kettle?"}, status=200)
    assert "Trait#" not in context["prompt"]
    refused = bench.api.post("/api/v1/memory/reflections", json={}, headers=ada.headers)
    assert (refused.status_code, refused.json()["code"]) == (409, "traits_off")


def test_a_reflection_can_be_asked_for(bench: Workbench, ada: Person) -> None:
    show(bench, ada, ("The third shop has it for ten less.",))
    ada.post("/api/v1/memory/reflections", {"reason": "working_memory"}, status=202)
    bench.work()
    newest = ada.get("/api/v1/memory/reflections")[0]
    assert (newest["trigger"], newest["reason"]) == ("request", "working_memory")


def test_a_reflection_that_was_asked_for_stays_so(bench: Workbench, ada: Person) -> None:
    ada.post("/api/v1/memory/reflections", {"reason": "other"}, status=202)
    ada.post("/api/v1/memory/long_term", {"content": "I row.", "content_type": "fact"})
    bench.work()
    newest = ada.get("/api/v1/memory/reflections")[0]
    assert (newest["trigger"], newest["reason"]) == ("request", "other")


def test_an_assistant_is_told_and_being_used_adds_a_little(bench: Workbench) -> None:
    eve = bench.person()
    show(bench, eve, [f"Keep number {number} short please." for number in range(4)], key="asks-short-answers")
    bench.work()
    reflected(bench, eve)
    context = eve.post("/api/v1/recall", {"query": "What is a kettle?"}, status=200)
    [given] = [one for one in context["items"] if one["kind"] == "trait"]
    assert f"[Trait#{given['id']}] (inferred, perhaps)" in context["prompt"]
    before = listed(eve)[0]
    reflected(bench, eve)
    [after] = listed(eve)
    assert after["confidence"] == pytest.approx(before["confidence"] + 0.02, abs=0.001)
    assert after["reinforcement_count"] == before["reinforcement_count"]
    stored = _base(bench)
    bench.database.transact(rebuild_read_models, patient=True)
    assert _base(bench) == stored, "a rebuild counts it, too"


def _base(bench: Workbench) -> list[float]:
    with bench.database.begin() as tx:
        return [row["base_confidence"] for row in tx.rows("select base_confidence from traits order by id")]


def test_a_package_brings_traits_back_to_the_byte(bench: Workbench, ada: Person) -> None:
    before = packed(ada)
    assert [one["trait_key"] for one in before.every("trait")] == [KEY]
    assert len(before.every("observation")) == len(PIECES)
    ada.forget("user")
    bench.work()
    assert bench.count("select count(*) from traits") == 0
    brought(ada, before.raw, restore_forgotten=True)
    after = packed(ada)
    for kind in ("reflection", "observation", "trait"):
        for one, other in zip(after.every(kind), before.every(kind), strict=True):
            assert one == other


def test_a_package_brings_what_is_not_so_and_what_was_used(bench: Workbench, ada: Person) -> None:
    [trait] = listed(ada)
    with bench.database.begin() as tx:
        recalls.note_recalled(tx, [UUID(trait["id"])])
    reflected(bench, ada)
    used = pytest.approx(listed(ada)[0]["confidence"], abs=0.001)
    assert listed(ada)[0]["confidence"] > trait["confidence"] + 0.01
    package = packed(ada)
    eve = bench.person("eve")
    brought(eve, package.raw)
    assert [one["confidence"] for one in listed(eve)] == [used]
    delete(ada, f"{TRAITS}/{trait['id']}")
    lin = bench.person("lin")
    show(bench, lin)
    reflected(bench, lin)
    assert [one["trait_key"] for one in listed(lin)] == [KEY]
    brought(lin, packed(ada).raw)
    bench.work()
    assert listed(lin) == []
    assert packed(lin).every("settings")[0]["refused_traits"] == [KEY]


def test_an_import_brings_no_trait_that_nothing_here_supports(bench: Workbench, ada: Person) -> None:
    package = packed(ada)
    told = {"content": "Her password is hunter2hunter2", "edited": True}

    def without_evidence(path: str, records: list[Any]) -> list[Any]:
        if path.endswith("traits.jsonl"):
            return [{**one, **told, "supporting": [], "contradicting": []} for one in records]
        if path.endswith("trait_observations.jsonl"):
            return []
        return [one for one in records if "observation" not in (one.get("source_kind"), one.get("derived_kind"))]

    loose = repacked(package, without_evidence)
    [trait] = listed(ada)
    delete(ada, f"{TRAITS}/{trait['id']}")
    bench.work()
    brought(ada, package.raw)
    assert listed(ada) == [], "she said that it is not so"
    bob = bench.person("bob")
    brought(bob, loose)
    assert listed(bob) == []
    assert bench.holds("hunter2") == []


def test_feedback_is_read_from_when_traits_are_on_and_its_subject_never(bench: Workbench) -> None:
    eve = bench.person()
    off = {"traits_enabled": False}
    path = "/api/v1/memory/settings"
    assert bench.api.patch(path, json=off, headers=eve.headers).status_code == 200
    for _ in range(4):
        eve.post("/api/v1/feedback", {"action": "reject", "reason": "too_long"})
    assert bench.api.patch(path, json={"traits_enabled": True}, headers=eve.headers).status_code == 200
    eve.post("/api/v1/feedback", {"action": "reject", "evidence_ref": PIECES[0]})
    with bench.database.begin() as tx:
        subject = subjects.find(tx, eve.user_id)
        assert subject is not None
        assert notes.unread(tx, subject) == []
    eve.post("/api/v1/feedback", {"action": "reject", "reason": "too_long"})
    read_notes(subject.id)
    assert bench.count("select count(*) from trait_observations") == 1
    read_notes(subject.id)
    assert bench.count("select count(*) from trait_observations") == 1


def test_a_rebuild_gives_the_same_traits(bench: Workbench, ada: Person) -> None:
    [trait] = listed(ada)
    bench.api.patch(f"{TRAITS}/{trait['id']}", json={"confirmed": True, "context": "work"}, headers=ada.headers)
    rows = "select * from traits order by id"
    before = _rows(bench, rows)
    bench.database.transact(rebuild_read_models, patient=True)
    assert _rows(bench, rows) == before


def test_forgetting_a_memory_forgets_what_its_message_shows(bench: Workbench) -> None:
    eve = bench.person()
    [message] = show(bench, eve, ("I am allergic to walnuts, and I looked at four shops for a cake without.",))
    show(bench, eve, PIECES[1:])
    bench.work()
    reflected(bench, eve)
    [trait] = listed(eve)
    memory = next(one for one in eve.get("/api/v1/memory/long_term") if "walnuts" in one["content"])
    delete(eve, f"/api/v1/memory/long_term/{memory['id']}")
    [after] = listed(eve)
    assert message not in str(after["evidence"])
    assert after["id"] == trait["id"]


def test_forgetting_a_message_leaves_what_others_show_that_say_the_same(bench: Workbench) -> None:
    eve = bench.person()
    first, second = show(bench, eve, (f"I am allergic to walnuts. {PIECES[0]}", f"Walnuts again: {PIECES[1]}"))
    bench.work()
    memory = next(one["id"] for one in eve.get("/api/v1/memory/long_term") if "walnuts" in one["content"])
    with bench.database.begin() as tx:
        subject = subjects.find(tx, eve.user_id)
        assert subject is not None
        told = Derivation(derived_kind="memory", derived_id=UUID(memory), source_kind="message", source_id=UUID(second))
        lineage.add(tx, subject, [told])
    eve.forget("selection", ids=[first])
    bench.work()
    assert bench.count("select count(*) from trait_observations where source_id = %(id)s", id=first) == 0
    assert bench.count("select count(*) from trait_observations where source_id = %(id)s", id=second) == 1


def _due(bench: Workbench) -> list[tuple[str, bool]]:
    """Return the trigger of each reflection that is queued, and whether it waits."""
    with bench.database.begin() as tx:
        rows = tx.rows(
            """
            select payload ->> 'trigger' as trigger, available_at > now() + interval '20 minutes' as later
            from outbox where kind = 'trait.reflect' and state = 'ready' order by id
            """
        )
        return [(row["trigger"], row["later"]) for row in rows]


def test_new_observations_are_reflected_on_after_silence(bench: Workbench) -> None:
    show(bench, bench.person("ada"))
    assert _due(bench) == [("session", True)]


def test_evidence_that_waited_for_a_day_is_reflected_on(bench: Workbench) -> None:
    show(bench, bench.person("ada"))
    with bench.database.begin() as tx:
        tx.run("delete from outbox where kind = 'trait.reflect'")
    queue_daily_reflections(bench.database)
    assert _due(bench) == []
    with bench.database.begin() as tx:
        tx.run("update trait_observations set recorded_at = now() - interval '25 hours'")
    queue_daily_reflections(bench.database)
    assert _due(bench) == [("daily", False)]


def test_a_trait_is_reflected_on_daily_as_it_decays(bench: Workbench, ada: Person) -> None:
    with bench.database.begin() as tx:
        tx.run("delete from outbox where kind = 'trait.reflect'")
        tx.run("update traits set updated_at = now() - interval '25 hours'")
    queue_daily_reflections(bench.database)
    assert _due(bench) == []
    with bench.database.begin() as tx:
        tx.run("update trait_questions set looked_at = now() - interval '25 hours'")
    queue_daily_reflections(bench.database)
    assert _due(bench) == [("daily", False)]
    bench.work()  # nothing is new, and nothing changes
    queue_daily_reflections(bench.database)
    assert _due(bench) == [], "once a day is enough"


@pytest.mark.parametrize("everything", [False, True])
def test_a_restored_backup_does_not_bring_back_what_is_not_so(
    bench: Workbench,
    ada: Person,
    tmp_path: Path,
    everything: bool,  # a parameter of the test
) -> None:
    dump(url(bench), tmp_path / "backup")
    export(ada)  # the forget revokes it, and the ledger says nothing of that
    if everything:
        ada.post(f"{TRAITS}/clear", {}, status=202)
    else:
        [trait] = [one["id"] for one in listed(ada) if one["trait_key"] == KEY]
        delete(ada, f"{TRAITS}/{trait}")
    bench.work()
    restored(bench, tmp_path / "backup")
    assert replay(bench).exit_code == 0
    answers(bench, ada, 200)
    assert listed(ada) == []
    bench.work()
    assert [one["trait_key"] for one in ada.get(f"{TRAITS}/refused")] == ([] if everything else [KEY])
    show(bench, ada, first_day=60)
    reflected(bench, ada, days=90)
    assert bool(listed(ada)) == everything, "what was said later may be observed again, unless it is not so"


def test_without_clustering_behaviors_become_no_preference(bench: Workbench) -> None:
    ada = bench.person()
    for key in ("compares-prices", "plans-purchases"):
        show(bench, ada, key=key, form="told")
    terms = Terms(permitted=Permitted(clustering=False))
    with bench.database.begin() as tx:
        subject = subjects.find(tx, ada.user_id)
        assert subject is not None
        assert reflect(tx, subject.id, trigger="session", terms=terms)
    assert {one["trait_subtype"] for one in listed(ada)} <= {"behavior"}
    assert bench.count("select count(*) from reflections where counts ? 'ungrouped'") == 1
