"""What becomes of everything made from a text of which only a part was forgotten (X-06)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from shared.conversations.index_episode import EpisodePlan, announce_episode, confirm_episode, plan_episode
from shared.conversations.summarise import SummaryOvertaken, confirm_roll, plan_roll
from shared.erasure.accept import ForgetRequest
from shared.erasure.forget_selection import forget_selection
from shared.erasure.rules.selection import Kind, Picked, version_of
from shared.erasure.sql import selections
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.events import MemoryArchived, MemoryDisputed
from shared.memories import learn
from shared.memories.change import change_memory
from shared.memories.sql import memories
from shared.memories.write import MemorySource
from shared.outbox.claim import claim_work
from shared.outbox.job_kinds import QUEUES
from shared.outbox.sql.leasing import Lease
from shared.stores.port import FenceLost
from tests.support.memories import LONG_TERM, deleted, edited, learned, validities, written
from tests.support.workbench import Person, Workbench
from workers.learner.turn import LearnedTurn

TRIP = "Let's plan the canary trip. I prefer window seats."


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person("ada")


def cut(bench: Workbench, person: Person, kind: Kind, item: Any, words: str) -> None:
    """Forget some words of a message or memory."""

    def accept(tx: Transaction) -> None:
        subject = subjects.find(tx, person.user_id)
        assert subject is not None
        [(text, version)] = selections.texts(tx, subject.id, kind, [UUID(str(item))]).values()
        spans = ((text.index(words), text.index(words) + len(words)),)
        picked = Picked(kind=kind, id=UUID(str(item)), version=version_of(text, version), spans=spans)
        forget_selection(tx, subject, [picked], ForgetRequest(actor="test"))

    bench.database.transact(accept)


def switch(person: Person, **wanted: bool) -> None:
    answer = person.bench.api.patch("/api/v1/memory/settings", json=wanted, headers=person.headers)
    assert answer.status_code == 200, answer.text


def confirm(tx: Transaction, plan: EpisodePlan) -> bool:
    return confirm_episode(tx, plan, found_by={})


def leased(bench: Workbench, kind: str) -> Lease:
    [due] = [row for row, _ in bench.due([kind])]
    [lease] = bench.database.transact(lambda tx: claim_work(tx, [due], lease_seconds=600))
    return lease


def test_the_rest_of_a_documents_part_stays_in_its_place_and_goes_with_the_document(
    bench: Workbench, ada: Person
) -> None:
    headers = {**ada.headers, "Content-Type": "text/plain"}
    document = bench.api.post(
        "/api/v1/documents", content=b"The canary leaks. The roof is new.", headers=headers
    ).json()
    bench.work()
    [part] = ada.get(f"/api/v1/documents/{document['id']}/parts")
    cut(bench, ada, "memory", part["memory_id"], "The canary leaks.")
    bench.work()
    [rest] = ada.get(f"/api/v1/documents/{document['id']}/parts")
    assert (rest["content"], rest["position"]) == ("The roof is new.", 1)
    assert bench.api.delete(f"/api/v1/documents/{document['id']}", headers=ada.headers).status_code == 202
    bench.work()
    assert bench.holds("roof is new") == bench.holds("canary") == []


def test_the_rest_of_an_edited_memory_goes_with_the_message_it_came_from(bench: Workbench, ada: Person) -> None:
    [(message, _)] = ada.say(ada.conversation(), ("I drive a Skoda.", "OK."))
    bench.work()
    [known] = ada.get(LONG_TERM)
    changed = edited(ada, known["id"], content="I drive a canary-Skoda and I park it in the barn.")
    cut(bench, ada, "memory", changed["id"], "I drive a canary-Skoda and ")
    bench.work()
    assert validities(ada) == {"I drive a Skoda.": "superseded", "I park it in the barn.": "active"}
    ada.forget("message", message_id=message, cascade=True)
    bench.work()
    assert ada.memories() == []
    assert bench.holds("Skoda") == bench.holds("barn") == []


def test_the_rest_stays_in_the_archive_at_its_level_and_in_its_contradiction(bench: Workbench, ada: Person) -> None:
    other, known, newer = (
        written(ada, text)["id"] for text in ("I park in the street.", "I park in the barn. A canary.", "I park here.")
    )
    with bench.database.begin() as tx:
        subject = subjects.find(tx, ada.user_id)
        assert subject is not None
        for one, event in (
            (known, MemoryDisputed(contradicts=UUID(other))),
            (known, MemoryArchived()),
            (newer, MemoryDisputed(contradicts=UUID(known))),
        ):
            stored = memories.for_change(tx, subject, UUID(one))
            assert stored is not None
            change_memory(tx, subject, UUID(one), stored, event, actor="test")
        tx.run("update memories set level = 'L1' where id = :id", id=UUID(known))
    cut(bench, ada, "memory", known, " A canary.")
    bench.work()
    left = """
      select count(*) from memories m join memories newer on newer.id = %(newer)s and newer.contradicts = m.id
      where m.level = 'L1' and m.archived and m.contradicts = %(other)s
    """
    assert bench.count(left, other=other, newer=newer) == 1


def test_deleting_the_rest_of_an_edited_memory_brings_no_older_wording_back(bench: Workbench, ada: Person) -> None:
    first = written(ada, "I drive a Skoda.")
    changed = edited(ada, first["id"], content="I drive a Skoda and I park it in the barn.")
    cut(bench, ada, "memory", changed["id"], " and I park it in the barn")
    bench.work()
    [rest] = [one for one in ada.get(LONG_TERM) if one["validity"] == "active"]
    deleted(ada, rest["id"])
    bench.work()
    assert ada.memories() == []


def test_the_episode_of_the_rest_waits_until_episodes_are_on(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    [(question, _)] = ada.say(conversation, (TRIP, "Noted."))
    bench.work()
    switch(ada, episodic_enabled=False)
    cut(bench, ada, "message", question, "Let's plan the canary trip. ")
    bench.work()
    switch(ada, episodic_enabled=True)
    bench.work()

    [episode] = ada.get("/api/v1/memory/episodes", conversation_id=conversation)
    assert episode["user_message"] == "I prefer window seats."


def test_an_episode_is_not_written_if_episodes_are_switched_off_meanwhile(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    for between in (announce_episode, confirm):
        ada.say(conversation, (TRIP, "Noted."))
        lease = leased(bench, "episode.index")
        plan = bench.database.transact(lambda tx, lease=lease: plan_episode(tx, lease, terms=bench.process.terms))
        assert plan is not None
        if between is confirm:
            assert bench.database.transact(lambda tx, plan=plan: announce_episode(tx, plan))
        switch(ada, episodic_enabled=False)
        assert not bench.database.transact(lambda tx, plan=plan, between=between: between(tx, plan))
        switch(ada, episodic_enabled=True)
    assert ada.get("/api/v1/memory/episodes", conversation_id=conversation) == []


def test_an_episode_of_words_that_were_cut_meanwhile_is_not_written(bench: Workbench, ada: Person) -> None:
    [(message, _)] = ada.say(ada.conversation(), (TRIP, "OK."))
    lease = leased(bench, "episode.index")
    plan = bench.database.transact(lambda tx: plan_episode(tx, lease, terms=bench.process.terms))
    assert plan is not None
    cut(bench, ada, "message", message, "Let's plan the canary trip. ")
    bench.work()
    assert not bench.database.transact(lambda tx: announce_episode(tx, plan))


def test_nothing_is_learned_from_words_that_were_cut_meanwhile(bench: Workbench, ada: Person) -> None:
    [(message, _)] = ada.say(ada.conversation(), ("I drive a canary-Skoda. I prefer window seats.", "OK."))
    lease = leased(bench, "memory.learn")
    plan = bench.database.transact(lambda tx: learn.plan_learning(tx, lease, terms=bench.process.terms, context=0))
    assert plan is not None
    cut(bench, ada, "message", message, "I drive a canary-Skoda. ")
    bench.work()
    turn = LearnedTurn(plan, bench.process.mem0)
    with pytest.raises(FenceLost):
        turn.learn()
    turn.end_writes()
    bench.work()
    assert not [one for one in ada.memories() if "canary" in one]
    assert bench.holds("canary") == []


def test_no_summary_is_stored_of_words_that_were_cut_meanwhile(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    said = ada.say(conversation, (TRIP, "OK."), *[(f"Number {one} is odd.", "It is.") for one in range(1, 30, 2)])
    lease = leased(bench, "summary.roll")
    terms, schedule = bench.process.terms, bench.process.summary_schedule
    plan = bench.database.transact(lambda tx: plan_roll(tx, lease, terms=terms, summary_schedule=schedule))
    assert plan is not None
    cut(bench, ada, "message", said[0][0], "Let's plan the canary trip. ")
    while bench.work_once([kind for kind in QUEUES if kind != "summary.roll"]):
        pass

    def confirm(tx: Transaction) -> None:
        confirm_roll(tx, plan, text="The canary trip.", method="extractive", terms=terms)

    with pytest.raises(SummaryOvertaken):
        bench.database.transact(confirm)


def a_task_of_the_same_message(bench: Workbench, ada: Person) -> str:
    [(message, _)] = ada.say(ada.conversation(), (TRIP, "OK."))
    bench.work()
    return message


def a_hint_of_the_client(bench: Workbench, ada: Person) -> str:
    said = [
        {"role": "user", "content": TRIP, "task_hint": "the canary trip"},
        {"role": "assistant", "content": "OK."},
    ]
    conversation = ada.conversation()
    ada.post("/api/v1/messages", {"conversation_id": conversation, "messages": said})
    bench.work()
    return str(ada.get("/api/v1/messages", conversation_id=conversation)[0]["id"])


@pytest.mark.parametrize("told", [a_task_of_the_same_message, a_hint_of_the_client])
def test_a_task_that_was_cut_is_in_no_other_memory(
    bench: Workbench, ada: Person, told: Callable[[Workbench, Person], str]
) -> None:
    message = told(bench, ada)
    assert any("window" in one for one in ada.memories())
    cut(bench, ada, "message", message, "Let's plan the canary trip. ")
    bench.work()
    assert any("window" in one for one in ada.memories()), "it is learned again from the rest"
    assert bench.holds("canary") == []


def test_a_memory_in_a_models_words_goes_with_any_part_of_its_message(bench: Workbench, ada: Person) -> None:
    [(message, _)] = ada.say(ada.conversation(), (TRIP, "OK."))
    bench.work()
    start = TRIP.index("I prefer")
    source = MemorySource(kind="message", id=UUID(message), quote_start=start, quote_end=len(TRIP))
    learned(bench, ada, "On the canary trip: a window seat", sources=(source,))
    cut(bench, ada, "message", message, "Let's plan the canary trip. ")
    bench.work()
    assert bench.holds("canary") == []
