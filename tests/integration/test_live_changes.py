"""A person is told what changes while they look, and never what it says (MC-08)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from services.memory_center.change_feed import Watch
from services.memory_center.routes import live
from shared.kernel import subjects
from shared.kernel.database import Transaction
from shared.kernel.database_errors import DatabaseUnavailable
from shared.outbox.sql import changes
from shared.runtime.authentication import mint_person_token
from shared.traits.reflect import queue_reflection
from tests.support.small_api import assert_problem
from tests.support.streams import Sent, events_in
from tests.support.tables import each
from tests.support.workbench import SIGNING_KEY, Person, Workbench

EVENTS, LONG_TERM = "/api/v1/memory/events", "/api/v1/memory/long_term"
SECRET = "canary"


@pytest.fixture
def ada(bench: Workbench) -> Person:
    return bench.person()


def look(person: Person, known: object = None, **query: Any) -> list[Sent]:
    """Take one look, as a client that polls."""
    headers = person.headers | ({"Last-Event-ID": str(known)} if known is not None else {})
    answer = person.bench.api.get(EVENTS, params={"seconds": 0} | query, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert SECRET not in answer.text
    return events_in(answer.text)


def position(person: Person) -> int:
    return int(look(person)[0].data["position"])


def moved(person: Person, change: Callable[[], object]) -> list[str]:
    """Return the areas a change moves, for a client that knew everything before."""
    before = position(person)
    change()
    [first, *_] = look(person, before)
    assert first.event == "changes"
    assert first.data["position"] > before
    areas: list[str] = first.data["areas"]
    return areas


def test_a_new_client_is_told_the_position_at_once(ada: Person) -> None:
    [first] = look(ada)
    assert (first.event, first.data) == ("changes", {"position": 0, "areas": []})

    ada.conversation()

    [then] = look(ada)
    assert then.data["position"] > 0
    assert then.data["areas"] == []


def test_each_change_moves_what_a_person_sees_of_it(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation(title=SECRET)
    path = f"/api/v1/conversations/{conversation}"
    said: list[tuple[str, str]] = []

    def patch(where: str, body: dict[str, Any]) -> None:
        assert bench.api.patch(where, json=body, headers=ada.headers).is_success

    assert moved(ada, lambda: said.extend(ada.say(conversation, (f"I live in {SECRET}.", "Ok.")))) == ["conversations"]
    assert moved(ada, bench.work) == ["memories"]
    assert moved(ada, lambda: patch(path, {"title": f"{SECRET} two"})) == ["memories", "conversations"]
    assert moved(ada, lambda: patch(path, {"remember": False})) == ["conversations"]
    assert moved(ada, lambda: patch("/api/v1/memory/settings", {"privacy_mode_enabled": True})) == ["settings"]
    by_hand = {"content": f"About {SECRET}."}
    assert moved(ada, lambda: ada.post(LONG_TERM, by_hand)) == ["memories"]
    [memory, *_] = [one["id"] for one in ada.get(LONG_TERM)]
    assert moved(ada, lambda: patch(f"{LONG_TERM}/{memory}", {"disabled": True})) == ["memories"]
    forget = moved(ada, lambda: ada.forget("message", message_id=said[0][0], undo_seconds=60))
    assert forget == ["memories", "traits", "conversations", "operations", "consent"]
    operation = ada.get("/api/v1/memory/ops")[0]["id"]
    undo = moved(ada, lambda: ada.post(f"/api/v1/memory/ops/{operation}/cancel", {}, status=200))
    assert undo == ["memories", "traits", "conversations", "operations", "consent"]


def test_a_reconnecting_client_resumes_after_its_last_event_id_and_misses_nothing(ada: Person) -> None:
    ada.conversation()
    [first] = look(ada)

    ada.post(LONG_TERM, {"content": SECRET})

    assert "memories" in look(ada, first.id)[0].data["areas"]


def test_an_operation_is_told_of_as_it_would_be_answered(bench: Workbench, ada: Person) -> None:
    conversation = ada.conversation()
    ada.say(conversation, (f"I live in {SECRET}.", "Ok."))
    bench.work()
    before = position(ada)

    op_id = ada.forget("conversation", conversation_id=conversation)

    [_, running] = look(ada)
    assert (running.event, running.data) == ("operation", ada.operation(op_id))
    bench.work()
    assert [one.event for one in look(ada)] == ["changes"]  # a new client is not told of what is over
    [_, ended] = look(ada, before)
    assert (ended.event, ended.data) == ("operation", ada.operation(op_id))
    assert ended.data["status"] == "succeeded"


def test_a_closed_account_is_watched_until_it_is_gone(bench: Workbench, ada: Person) -> None:
    ada.say(ada.conversation(), (f"I live in {SECRET}.", "Ok."))
    bench.work()
    with bench.database.begin() as tx:
        before = changes.look(tx, ada.user_id, since=None, was=None, watched=())

    op_id = ada.forget("user", close_account=True)

    with bench.database.begin() as tx:
        after = changes.look(tx, ada.user_id, since=None, was=before.subject_id, watched=())
        stranger = changes.look(tx, ada.user_id, since=None, was=None, watched=())
    assert [str(one.id) for one in after.operations] == [op_id]
    assert (stranger.subject_id, stranger.moved, stranger.operations) == (None, (), ())


def test_nobody_is_told_of_somebody_elses_operations(bench: Workbench, ada: Person) -> None:
    lin = bench.person()
    theirs = lin.forget("conversation", conversation_id=lin.conversation(), undo_seconds=60)
    ada.conversation()

    with bench.database.begin() as tx:
        seen = changes.look(tx, ada.user_id, since=0, was=None, watched=[theirs])  # type: ignore[list-item]

    assert seen.operations == ()
    assert [one.type for one in seen.moved] == ["ConversationCreated"]
    assert [one.event for one in look(ada)] == ["changes"]


def test_a_service_watches_whom_it_names(bench: Workbench, ada: Person) -> None:
    ada.conversation()
    whose = Person(bench, ada.user_id, bench.service)

    assert look(whose, user_id=ada.user_id) == look(ada)
    assert_problem(bench.api.get(EVENTS, params={"seconds": 0}, headers=bench.service), 422, "user_id_required")


@each("bad", ["-1", "x", str(2**63), "1.5"])
def test_an_id_that_is_none_of_ours_is_refused(bench: Workbench, ada: Person, bad: str) -> None:
    answer = bench.api.get(EVENTS, params={"seconds": 0}, headers=ada.headers | {"Last-Event-ID": bad})

    assert_problem(answer, 422, "validation_failed")


def test_while_the_database_is_away_a_stream_waits_and_then_goes_on(
    bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "IDLE_SECONDS", 0.01)
    monkeypatch.setattr(live, "AWAY_SECONDS", 0.02)
    ada.conversation()
    looks = [0]

    def at_first_away(really: Any) -> Any:
        def asked(*args: Any, **more: Any) -> Any:
            looks[0] += 1
            if looks[0] in {2, 3, 5}:
                raise DatabaseUnavailable
            if looks[0] == 4:
                ada.post(LONG_TERM, {"content": SECRET})
            return really(*args, **more)

        return asked

    monkeypatch.setattr(changes, "look", at_first_away(changes.look))
    monkeypatch.setattr(changes, "stirred", at_first_away(changes.stirred))

    told = look(ada, seconds=1)

    assert looks[0] > 5
    assert [one.data["areas"] for one in told if one.event == "changes"][:2] == [[], ["memories"]]


def test_without_a_database_there_is_no_stream(bench: Workbench, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise DatabaseUnavailable

    monkeypatch.setattr(changes, "look", away)

    assert_problem(bench.api.get(EVENTS, params={"seconds": 0}, headers=ada.headers), 503, "busy")
    assert not bench.api.app.state.open_streams.here  # type: ignore[attr-defined]


def many_of(url: str, user_id: str, number: int) -> None:
    """Give a person, and somebody else, this many events, operations and outbox rows each."""
    with psycopg.connect(url) as connection:
        connection.execute(
            """
            with who as (
              select id from subjects where user_id = %(user)s union all select gen_random_uuid()
            ), events as (
              insert into events (stream, version, type, data, actor, at, subject_id, generation)
              select 'memory:' || gen_random_uuid(), n, 'MemoryLearned', '{}', 'person', now() - interval '1 h', w.id, 1
              from generate_series(1, %(number)s) n, who w
            ), operations as (
              insert into operations (id, subject_id, type, scope, target, status)
              select gen_random_uuid(), s.id, 'forget', 'message', '{}', 'succeeded'
              from generate_series(1, %(number)s / 10), subjects s
            )
            insert into outbox (subject_id, kind, payload, state)
            select w.id, 'memory.index', '{}', 'failed' from generate_series(1, %(number)s / 10), who w
            """,
            {"user": user_id, "number": number},
        )


def plan_of(bench: Workbench, person: Person) -> tuple[str, int]:
    """Return the plan of a look, and how many pages it reads."""
    values = changes.values(person.user_id, since=None, was=None, watched=())
    with bench.database.engine.begin() as connection:
        explained = f"explain (analyze, buffers, format json) {changes.LOOK}"
        plan = connection.execute(text(explained), values).scalar_one()[0]["Plan"]
    return json.dumps(plan), int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


def test_a_look_costs_the_same_however_much_there_is(bench: Workbench, ada: Person) -> None:
    url = bench.settings.database_url.get_secret_value()
    ada.conversation()
    costs = []
    for number in (1_000, 30_000):
        many_of(url, ada.user_id, number)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("vacuum analyze")
        plan, pages = plan_of(bench, ada)
        assert "Seq Scan" not in plan
        costs.append(pages)

    few, many = costs
    assert many < few + 100, "a look reads more of a large installation"


def test_a_token_that_has_expired_begins_no_stream(bench: Workbench, ada: Person) -> None:
    expired = {"Authorization": f"Bearer {mint_person_token(SIGNING_KEY, ada.user_id, minutes=-10)}"}

    assert_problem(bench.api.get(EVENTS, params={"seconds": 0}, headers=expired), 401, "credentials_expired")


def test_a_stream_ends_with_its_token(bench: Workbench, ada: Person) -> None:
    before = datetime.now(UTC) - timedelta(minutes=60) + timedelta(seconds=3)
    soon = {"Authorization": f"Bearer {mint_person_token(SIGNING_KEY, ada.user_id, now=before)}"}
    began = time.monotonic()
    assert bench.api.get(EVENTS, params={"seconds": 60}, headers=soon).status_code == 200
    assert time.monotonic() - began < 30


def test_work_that_waits_stirs_nobody_until_it_is_due_or_becomes_other_work(bench: Workbench, ada: Person) -> None:
    ada.conversation()

    def queue(tx: Transaction, *, seconds: float) -> None:
        subject = subjects.find(tx, ada.user_id)
        assert subject is not None
        queue_reflection(tx, subject.id, trigger="session", delay_seconds=seconds)

    def known() -> changes.Known:
        watch = Watch(None)
        bench.owner().execute("set session_replication_role = replica; update events set at = at - interval '1 minute'")
        watch.notice(
            bench.database.transact(lambda tx: changes.look(tx, ada.user_id, since=None, was=None, watched=[]))
        )
        found = watch.known(ada.user_id)
        assert found is not None
        return found

    def is_stirred(before: changes.Known) -> bool:
        return bench.database.transact(lambda tx: changes.stirred(tx, [before])) == {ada.user_id}

    nothing = known()
    bench.database.transact(lambda tx: queue(tx, seconds=1_800))
    assert is_stirred(nothing)
    waiting = known()
    assert not is_stirred(waiting)
    bench.hurry()
    assert is_stirred(waiting)
    bench.work()
    assert is_stirred(waiting)
    assert not is_stirred(nothing)
